// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/card_facts.h"
#include "core/observe/sentences.h"
#include "ui/format/format.h"
#include "ui/widgets/paint.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <cmath>

namespace sg::ui {

using observe::BreakerCommand;
using observe::EndpointView;
using observe::TripRule;
using policy::BreakerState;

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::BreakerCard)
};

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

bool isLocked(BreakerState state)
{
    return state == BreakerState::ForcedOpen || state == BreakerState::ForcedClosed;
}

QString classTitle(provider::ErrorClass error)
{
    using provider::ErrorClass;
    switch (error) {
    case ErrorClass::RateLimited:
        return Words::tr("Too many requests");
    case ErrorClass::QuotaExhausted:
        return Words::tr("Quota used up");
    case ErrorClass::Authentication:
        return Words::tr("Key refused");
    case ErrorClass::Permission:
        return Words::tr("Not permitted");
    case ErrorClass::NotFound:
        return Words::tr("Not found");
    case ErrorClass::BadRequest:
        return Words::tr("Bad request");
    case ErrorClass::ContextTooLong:
        return Words::tr("Context too long");
    case ErrorClass::ContentFiltered:
        return Words::tr("Content filtered");
    case ErrorClass::PayloadTooLarge:
        return Words::tr("Too large");
    case ErrorClass::Timeout:
        return Words::tr("Timeout");
    case ErrorClass::Overloaded:
        return Words::tr("Overloaded");
    case ErrorClass::ServerError:
        return Words::tr("Server error");
    case ErrorClass::BadResponse:
        return Words::tr("Bad answer");
    case ErrorClass::Connection:
        return Words::tr("No connection");
    case ErrorClass::Tls:
        return Words::tr("TLS failed");
    case ErrorClass::StreamBroken:
        return Words::tr("Stream broke off");
    case ErrorClass::Cancelled:
        return Words::tr("Cancelled");
    case ErrorClass::LocalReject:
        return Words::tr("Refused here");
    case ErrorClass::None:
        break;
    }
    return Words::tr("Failed");
}

void fillLines(CardFacts& f, const EndpointView& e, std::int64_t now)
{
    const QString note = text(e.note);
    switch (e.state) {
    case BreakerState::Open: {
        // "Tripped 14:24:12; traffic moved to claude" comes as one sentence and stands on two lines.
        const auto cut = note.indexOf(QLatin1String("; "));
        f.line1 = cut > 0 ? note.left(cut) : Words::tr("Tripped %1").arg(format::clock(e.sinceUnixMs));
        f.line2 = cut > 0 ? note.mid(cut + 2) : note;
        break;
    }
    case BreakerState::HalfOpen:
        f.line1 = Words::tr("single test requests");
        f.line1Bold = Words::tr("%1 of %2").arg(e.figures.probeSuccesses).arg(e.probesNeeded);
        f.line2 = Words::tr("probes passed");
        break;
    case BreakerState::ForcedOpen:
    case BreakerState::ForcedClosed:
        f.line1 = Words::tr("by a person at %1").arg(format::clockShort(e.sinceUnixMs));
        f.line2 = note.isEmpty() ? Words::tr("no reason given") : Words::tr("“%1”").arg(note);
        break;
    case BreakerState::Closed:
    case BreakerState::MetricsOnly:
        f.line1 = e.answeredShare ? Words::tr("%1 of requests").arg(format::share(e.answeredShare))
                                  : Words::tr("no requests yet");
        f.line2 = (e.state == BreakerState::Closed ? Words::tr("closed for %1") : Words::tr("watching for %1"))
                      .arg(format::duration(static_cast<double>(now - e.sinceUnixMs)));
        break;
    }
}

QString windowWords(const EndpointView& e)
{
    if (e.windowMs <= 0)
        return Words::tr("last calls");
    // "60 s" is what the operator configured; whole minutes only where seconds would be long.
    return Words::tr("%1 window")
        .arg(e.windowMs <= 120'000 ? format::seconds(e.windowMs) : format::duration(e.windowMs));
}

void fillGauge(CardFacts& f, const EndpointView& e)
{
    const bool isAtTrip = e.state == BreakerState::Open && e.gaugeAtTrip;
    const std::optional<double> value = isAtTrip ? e.gaugeAtTrip : e.gauge;
    if (e.rule == TripRule::None) {
        f.gaugeLimit = 0;
        f.gaugeText = format::unknown();
        f.gaugeCaption = Words::tr("no trip rule");
        return;
    }
    if (e.rule == TripRule::ConsecutiveFailures) {
        const double scale = std::max(1.0, e.gaugeLimit * 2); // the limit stands at the top of the arc
        f.gaugeLimit = e.gaugeLimit / scale;
        f.gaugeShare = value ? std::optional(std::min(1.0, *value / scale)) : std::nullopt;
        f.gaugeText = value ? format::number(*value, 0) : format::unknown();
        f.gaugeCaption = Words::tr("trips at %1").arg(format::number(e.gaugeLimit, 0));
        f.gaugeFoot = isAtTrip ? Words::tr("failures at the trip") : Words::tr("failures in a row");
        return;
    }
    f.gaugeLimit = e.gaugeLimit;
    f.gaugeShare = value;
    f.gaugeText = format::failure(value);
    f.gaugeCaption = Words::tr("trips at %1").arg(format::failure(e.gaugeLimit));
    const QString what = e.rule == TripRule::SlowRate           ? Words::tr("slow calls")
                         : e.rule == TripRule::RateLimitedShare ? Words::tr("limited")
                                                                : Words::tr("failures");
    f.gaugeFoot = isAtTrip ? Words::tr("%1 at the trip").arg(what) : Words::tr("%1, %2").arg(what, windowWords(e));
}

void fillRing(CardFacts& f, const EndpointView& e, std::int64_t now, bool reducedMotion)
{
    if (e.state == BreakerState::HalfOpen) {
        f.ring = CardFacts::Ring::Probes;
        f.ringShare = std::clamp(double(e.figures.probeSuccesses) / std::max(1, e.probesNeeded), 0.0, 1.0);
        f.ringMain = QStringLiteral("%1 / %2").arg(e.figures.probeSuccesses).arg(e.probesNeeded);
        f.ringSub = Words::tr("passed");
        return;
    }
    if (e.state == BreakerState::Open && e.nextProbeUnixMs) {
        const double left = static_cast<double>(std::max<std::int64_t>(0, *e.nextProbeUnixMs - now));
        f.ring = CardFacts::Ring::Countdown;
        const double step = reducedMotion ? 1000 : 100;
        f.ringShare = e.openForMs > 0 ? std::clamp(std::ceil(left / step) * step / e.openForMs, 0.0, 1.0) : 0;
        f.ringMain = left <= 0 ? Words::tr("due") : left <= 120'000 ? format::seconds(left) : format::coarse(left);
        f.ringSub = Words::tr("to probe");
        return;
    }
    f.ringMain = isLocked(e.state) ? Words::tr("no probes") : Words::tr("no probe");
    f.ringSub = isLocked(e.state) ? Words::tr("while locked") : Words::tr("scheduled");
}

QString ageWords(double ms)
{
    return ms < 1000 ? Words::tr("just now") : Words::tr("%1 ago").arg(format::duration(ms));
}

/// A number must not lose its unit at the end of a line.
QString glued(QString words)
{
    static const QRegularExpression space(QStringLiteral("(\\d) (?=(?:ms|s|min|h|d|%)\\b)"));
    return words.replace(space, QStringLiteral("\\1\u00A0"));
}

void fillError(CardFacts& f, const EndpointView& e, std::int64_t now)
{
    if (e.credentialOut) {
        f.errorTone = CardFacts::Tone::State;
        f.errorTitle = Words::tr("Key refused");
        f.errorWords = Words::tr("Requests skip this endpoint until its key is changed");
        return;
    }
    if (!e.keyMissing.empty()) {
        f.errorTone = CardFacts::Tone::State;
        f.errorTitle = Words::tr("No key to send");
        f.errorWords = text(e.keyMissing);
        return;
    }
    if (e.state == BreakerState::ForcedOpen) {
        f.errorTitle = Words::tr("No calls since %1.").arg(format::clockShort(e.sinceUnixMs));
        f.errorWords = Words::tr("Probes are off until someone removes the lock");
        return;
    }
    if (e.parkedUntilUnixMs && *e.parkedUntilUnixMs > now) {
        f.errorTitle = Words::tr("Paused until %1").arg(format::clock(*e.parkedUntilUnixMs));
        f.errorWords = e.lastError ? text(e.lastError->words) : Words::tr("The server asked to wait");
        return;
    }
    if (!e.lastError) {
        f.errorTitle = e.attempts > 0 ? Words::tr("No failures") : Words::tr("No calls yet");
        f.errorWords = e.attempts > 0 ? Words::tr("among %1 calls in view").arg(format::count(e.attempts)) : QString();
        return;
    }
    const bool isCurrent = e.state == BreakerState::Open || e.state == BreakerState::HalfOpen;
    f.errorTone = isCurrent ? CardFacts::Tone::State : CardFacts::Tone::Plain;
    f.errorTitle = errorTitle(*e.lastError);
    const QString words = glued(text(e.lastError->words));
    f.errorWords =
        isCurrent ? words : Words::tr("%1: %2").arg(ageWords(static_cast<double>(now - e.lastError->unixMs)), words);
}

void fillActions(CardFacts& f)
{
    const auto action = [](BreakerCommand c, bool isEnabled = true, bool isKey = false) {
        return CardFacts::Action{c, actionLabel(c), isEnabled, isKey};
    };
    switch (f.state) {
    case BreakerState::Open:
        f.actions = {action(BreakerCommand::ForceOpen), action(BreakerCommand::ForceClosed),
                     action(BreakerCommand::ProbeNow, true, true)};
        return;
    case BreakerState::ForcedOpen:
        f.actions = {action(BreakerCommand::Release, true, true), action(BreakerCommand::ForceClosed),
                     action(BreakerCommand::Reset, false)};
        return;
    case BreakerState::ForcedClosed:
        f.actions = {action(BreakerCommand::ForceOpen), action(BreakerCommand::Release, true, true),
                     action(BreakerCommand::Reset, false)};
        return;
    case BreakerState::HalfOpen:
        f.actions = {action(BreakerCommand::ForceOpen), action(BreakerCommand::ForceClosed),
                     action(BreakerCommand::Reset)};
        return;
    case BreakerState::Closed:
    case BreakerState::MetricsOnly:
        f.actions = {action(BreakerCommand::ForceOpen), action(BreakerCommand::ForceClosed, false),
                     action(BreakerCommand::Reset)};
        return;
    }
}

QString sentenceOf(const CardFacts& f, const EndpointView& e)
{
    switch (f.state) {
    case BreakerState::HalfOpen:
        return Words::tr("%1, half-open, %2 of %3 probes passed")
            .arg(f.name)
            .arg(e.figures.probeSuccesses)
            .arg(e.probesNeeded);
    case BreakerState::Open:
        return f.ring == CardFacts::Ring::Countdown ? Words::tr("%1, open, next probe in %2").arg(f.name, f.ringMain)
                                                    : Words::tr("%1, open").arg(f.name);
    case BreakerState::ForcedOpen:
        return Words::tr("%1, locked open by the operator").arg(f.name);
    case BreakerState::ForcedClosed:
        return Words::tr("%1, locked closed by the operator").arg(f.name);
    case BreakerState::Closed:
    case BreakerState::MetricsOnly:
        break;
    }
    return Words::tr("%1, breaker %2, %3 failing").arg(f.name, paint::stateWord(f.state), f.gaugeText);
}

} // namespace

QString actionLabel(BreakerCommand command)
{
    switch (command) {
    case BreakerCommand::ForceOpen:
        return Words::tr("Force open");
    case BreakerCommand::ForceClosed:
        return Words::tr("Force close");
    case BreakerCommand::ProbeNow:
        return Words::tr("Probe now");
    case BreakerCommand::Reset:
        return Words::tr("Reset");
    case BreakerCommand::Release:
        break;
    }
    return Words::tr("Remove lock");
}

QString errorTitle(const observe::LastError& error)
{
    const QString words = classTitle(error.error);
    return observe::tellsOfFailure(error.status) ? QStringLiteral("%1 %2").arg(error.status).arg(words) : words;
}

CardFacts cardFacts(const EndpointView& e, std::int64_t now, bool reducedMotion)
{
    CardFacts f;
    f.name = text(e.name);
    f.provider = text(e.provider);
    f.model = text(e.model);
    f.state = e.state;
    f.probesNeeded = e.state == BreakerState::HalfOpen ? e.probesNeeded : 0;
    f.probesPassed = e.state == BreakerState::HalfOpen ? e.figures.probeSuccesses : 0;
    fillLines(f, e, now);
    fillGauge(f, e);
    fillRing(f, e, now, reducedMotion);
    f.inFlight = format::shortCount(e.inFlight);
    f.rpmUsed = e.rpmUsed ? format::shortCount(*e.rpmUsed) : format::unknown();
    f.rpmLimit = e.rpmLimit ? format::shortCount(*e.rpmLimit) : QString();
    if (e.rpmUsed && e.rpmLimit && *e.rpmLimit > 0)
        f.rpmShare = std::clamp(*e.rpmUsed / *e.rpmLimit, 0.0, 1.0);
    fillError(f, e, now);
    fillActions(f);
    f.sentence = sentenceOf(f, e);
    return f;
}

} // namespace sg::ui
