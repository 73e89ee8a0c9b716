// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/gateway_control.h"
#include "ui/theme/tokens.h"

#include <optional>

class QPainter;
class QPointF;

/// What the screen says about the gateway, and the signs it says it with.
namespace sg::ui::gatewaywords {

QString phaseWord(gateway::Phase phase); ///< "serving"
QColor phaseInk(gateway::Phase phase, const Tokens& tokens);
/// The small sign of a phase; each has a shape of its own.
void phaseMark(QPainter& p, const QPointF& centre, double size, gateway::Phase phase, const Tokens& tokens);

/// What the phase means for applications, a sentence or two.
QString phaseSentence(const gateway::Status& status);
/// The same of one that failed, beside why it did.
QString silenceSentence();
QString chipName(const gateway::Status& status); ///< for assistive technology: "Gateway serving at http://…"
/// For the status bar: "Gateway up 2 h 14 min · 127.0.0.1:8787".
QString lineWords(const gateway::Status& status, std::int64_t nowUnixMs);
int underWay(const gateway::Figures& figures); ///< what would be cut off
QString underWayWords(int count);              ///< "3 requests are under way"
QString tokenWords(const gateway::Status& status);

/// It takes requests, or is about to.
bool isOn(gateway::Phase phase);
/// Somebody answers at its address.
bool isAnswering(gateway::Phase phase);

/// A figure of the panel: what it is called, and how it is written.
struct Figure
{
    QString name, value, unit, meaning;
    QString words() const; ///< "Requests: 3.2 per second"
};
/// `perSecond` empty: not known yet. While the gateway is off everything but the totals is unknown.
std::vector<Figure> figuresOf(const gateway::Status& status, std::optional<double> perSecond);

} // namespace sg::ui::gatewaywords
