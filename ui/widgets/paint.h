// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"

#include <QBrush>
#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

/// What several painters share: text with elision, frames, hatches, and the signs of the breaker states.
namespace sg::ui::paint {

/// A stretch of text in one look.
struct Run
{
    QString text;
    bool bold = false;
    QColor colour;
    bool operator==(const Run&) const = default;
};
using Runs = std::vector<Run>;

/// One line with its baseline at `baseline`; cut with an ellipsis at `width` (< 0: never). Returns the width drawn.
double text(QPainter& p, double x, double baseline, const QString& text, const QFont& font, const QColor& colour,
            Qt::Alignment align = Qt::AlignLeft, double width = -1, Qt::TextElideMode elide = Qt::ElideRight);
double runs(QPainter& p, double x, double baseline, const Runs& runs, const QFont& plain, const QFont& bold,
            double width = -1);
/// Words wrapped into `box`, `lineHeight` apart; the last line that fits ends in an ellipsis. True when all fitted.
bool wrapped(QPainter& p, const QRectF& box, const Runs& runs, const QFont& plain, const QFont& bold,
             double lineHeight);

void frame(QPainter& p, const QRectF& rect, const QColor& fill, const QColor& edge, double radius = 6);
/// 2 px in the accent colour, inside `rect`.
void focusRing(QPainter& p, const QRectF& rect, const Theme& theme, double radius = 6);

QBrush halfStripes(const Tokens& tokens);
QBrush lockedHatch(const Tokens& tokens);
QBrush failedHatch(const Tokens& tokens);
QBrush hatch(const QColor& ink, const Tokens& tokens); ///< 45° stripes, like those of failures
QBrush crossHatch(const QColor& ink, const Tokens& tokens);

/// The small sign of a state: disc, half-filled diamond, triangle, cross; square and ring for the two without a mock.
void stateMark(QPainter& p, const QPointF& centre, double size, policy::BreakerState state, const Tokens& tokens);
QString stateWord(policy::BreakerState state); ///< "closed", "half-open", "locked open"
/// Tag with its right edge at `right`; returns its width.
double stateTag(QPainter& p, double right, double top, policy::BreakerState state, const Theme& theme);
double stateTagWidth(policy::BreakerState state, const Theme& theme);

struct BladeFacts
{
    policy::BreakerState state = policy::BreakerState::Closed;
    int probesNeeded = 0, probesPassed = 0;
    double swing = 1; ///< 0..1 of the way to the state's angle
    bool operator==(const BladeFacts&) const = default;
};
/// The breaker as a switch in a line, in a box of 100 × 42 or its multiple.
void blade(QPainter& p, const QRectF& box, const BladeFacts& facts, const Tokens& tokens, const QColor& behind);

} // namespace sg::ui::paint
