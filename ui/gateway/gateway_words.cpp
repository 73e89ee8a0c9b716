// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gateway/gateway_words.h"

#include "ui/format/format.h"
#include "ui/widgets/paint.h"

#include <QCoreApplication>
#include <QUrl>

#include <algorithm>

namespace sg::ui::gatewaywords {

using gateway::Phase;

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::gatewaywords)
};

} // namespace

QString phaseWord(Phase phase)
{
    switch (phase) {
    case Phase::Off:
        return Words::tr("off");
    case Phase::Starting:
        return Words::tr("starting");
    case Phase::Serving:
        return Words::tr("serving");
    case Phase::Draining:
        return Words::tr("draining");
    case Phase::Failed:
        return Words::tr("failed");
    }
    return {};
}

QColor phaseInk(Phase phase, const Tokens& tokens)
{
    switch (phase) {
    case Phase::Off:
        return tokens.text2;
    case Phase::Starting:
    case Phase::Draining:
        return tokens.half;
    case Phase::Serving:
        return tokens.closed;
    case Phase::Failed:
        return tokens.open;
    }
    return tokens.text2;
}

void phaseMark(QPainter& p, const QPointF& centre, double size, Phase phase, const Tokens& tokens)
{
    using policy::BreakerState;
    switch (phase) {
    case Phase::Serving:
        return paint::stateMark(p, centre, size, BreakerState::Closed, tokens);
    case Phase::Starting:
        return paint::stateMark(p, centre, size, BreakerState::HalfOpen, tokens);
    case Phase::Failed:
        return paint::stateMark(p, centre, size, BreakerState::Open, tokens);
    case Phase::Off:
    case Phase::Draining:
        break;
    }
    // A vessel: empty, or on its way there.
    const double radius = size / 2 - 1;
    const QRectF box(centre.x() - radius, centre.y() - radius, radius * 2, radius * 2);
    const QColor ink = phaseInk(phase, tokens);
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    if (phase == Phase::Draining) {
        p.setPen(Qt::NoPen);
        p.setBrush(ink);
        p.drawChord(box, 180 * 16, 180 * 16);
    }
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(ink, 1.4));
    p.drawEllipse(box);
    p.restore();
}

int underWay(const gateway::Figures& figures)
{
    return figures.inFlight + figures.queued;
}

QString underWayWords(int count)
{
    return count == 1 ? Words::tr("1 request is under way")
                      : Words::tr("%1 requests are under way").arg(format::count(count));
}

QString silenceSentence()
{
    return Words::tr("Applications get no answer at this address until the gateway is on.");
}

QString phaseSentence(const gateway::Status& status)
{
    switch (status.phase) {
    case Phase::Off:
        return silenceSentence();
    case Phase::Starting:
        return Words::tr("The port is being opened.");
    case Phase::Serving:
        return Words::tr("Applications reach the chains at this address; what they send shows on every page.");
    case Phase::Draining: {
        const int left = underWay(status.figures);
        return left == 0 ? Words::tr("No new requests are taken. Nothing is left.")
                         : Words::tr("No new requests are taken. %1 and may end.").arg(underWayWords(left));
    }
    case Phase::Failed:
        return status.words.isEmpty() ? Words::tr("The gateway could not be started.") : status.words;
    }
    return {};
}

QString chipName(const gateway::Status& status)
{
    const QString word = phaseWord(status.phase);
    switch (status.phase) {
    case Phase::Serving:
        return Words::tr("Gateway %1 at %2").arg(word, status.url);
    case Phase::Draining:
        return Words::tr("Gateway %1, %2").arg(word, underWayWords(underWay(status.figures)));
    case Phase::Failed:
        return Words::tr("Gateway %1. %2").arg(word, phaseSentence(status));
    default:
        return Words::tr("Gateway %1").arg(word);
    }
}

QString lineWords(const gateway::Status& status, std::int64_t nowUnixMs)
{
    const QString place = QUrl(status.url).authority();
    const int left = underWay(status.figures);
    switch (status.phase) {
    case Phase::Serving:
        return Words::tr("Gateway up %1 · %2")
            .arg(
                format::duration(static_cast<double>(std::max<std::int64_t>(nowUnixMs - status.servingSinceUnixMs, 0))),
                place);
    case Phase::Draining:
        return left == 0 ? Words::tr("Gateway draining")
                         : Words::tr("Gateway draining, %1 left").arg(format::count(left));
    case Phase::Failed:
        return Words::tr("Gateway failed · %1").arg(place);
    default:
        return Words::tr("Gateway %1").arg(phaseWord(status.phase));
    }
}

QString tokenWords(const gateway::Status& status)
{
    if (status.hasToken)
        return status.isOpenToOthers ? Words::tr("Set. Other machines reach it too, with the token as their API key.")
                                     : Words::tr("Set. Applications send it as their API key.");
    return status.isOpenToOthers ? Words::tr("None, and it listens beyond this machine.")
                                 : Words::tr("None: open to this machine only.");
}

bool isOn(Phase phase)
{
    return phase == Phase::Starting || phase == Phase::Serving;
}

bool isAnswering(Phase phase)
{
    return phase == Phase::Serving || phase == Phase::Draining;
}

QString Figure::words() const
{
    return unit.isEmpty() ? Words::tr("%1: %2").arg(name, value) : Words::tr("%1: %2 %3").arg(name, value, unit);
}

/// Of connections that were closed unread nobody knows how many requests they would have brought.
QString refusedNote(qint64 turnedAway)
{
    const QString note =
        Words::tr("Answered with an error by the gateway itself, so that nobody was asked: limits, a full "
                  "queue, no token, another host or origin, what could not be understood.");
    if (turnedAway <= 0)
        return note;
    return note + QLatin1Char('\n') +
           Words::tr("Beside these, connections over the limit that were closed unread: %1.")
               .arg(format::count(turnedAway));
}

std::vector<Figure> figuresOf(const gateway::Status& status, std::optional<double> perSecond)
{
    const gateway::Figures& f = status.figures;
    const bool isLive = status.phase == Phase::Serving || status.phase == Phase::Draining;
    const auto now = [&](int value) { return isLive ? format::count(value) : format::unknown(); };
    const auto total = [&](qint64 value) {
        return isLive || f.requests > 0 || f.refused > 0 ? format::count(value) : format::unknown();
    };
    return {{Words::tr("Requests"), isLive && perSecond ? format::rate(*perSecond) : format::unknown(), Words::tr("/s"),
             Words::tr("Requests that came in a second, over the last few seconds.")},
            {Words::tr("In flight"), now(f.inFlight), {}, Words::tr("Requests that have begun and are not answered.")},
            {Words::tr("Streams"), now(f.streams), {}, Words::tr("Those in flight that are answered piece by piece.")},
            {Words::tr("Queued"), now(f.queued), {}, Words::tr("Requests that wait for a place in flight.")},
            {Words::tr("Connections"), now(f.connections), {}, Words::tr("Open connections, idle ones too.")},
            {Words::tr("Total requests"), total(f.requests), {}, Words::tr("Requests since the gateway was started.")},
            {Words::tr("Refused"), total(f.refused), {}, refusedNote(f.turnedAway)},
            {Words::tr("Clients left"),
             total(f.clientsLeft),
             {},
             Words::tr("Clients that went away before their answer was complete.")}};
}

} // namespace sg::ui::gatewaywords
