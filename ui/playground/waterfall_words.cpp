// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/sentences.h"
#include "ui/format/format.h"
#include "ui/playground/waterfall.h"

#include <QCoreApplication>

namespace sg::ui::waterfall {

namespace {

using chain::MoveReason;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::waterfall)
};

} // namespace

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

QString span(double ms)
{
    return format::latency(std::max(0.0, ms)).text();
}

QString outcomeOf(const provider::ErrorFacts& error)
{
    // Without a status nobody has refused it: there was none to send.
    if (error.disposition.error == provider::ErrorClass::Authentication && error.status == 0)
        return Words::tr("no usable key");
    const std::string_view word = observe::classWord(error.disposition.error);
    const QString words = QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
    return observe::tellsOfFailure(error.status) ? QStringLiteral("%1 %2").arg(error.status).arg(words) : words;
}

QString moveWords(MoveReason reason, std::optional<Nanos> wait)
{
    const QString time = wait && *wait > Nanos::zero() ? QString::fromStdString(observe::waitText(*wait)) : QString();
    switch (reason) {
    case MoveReason::Disabled:
        return Words::tr("switched off");
    case MoveReason::LacksTools:
        return Words::tr("cannot use tools");
    case MoveReason::LacksImages:
        return Words::tr("cannot read images");
    case MoveReason::LacksJsonMode:
        return Words::tr("has no JSON mode");
    case MoveReason::WindowTooSmall:
        return Words::tr("its context window is too small");
    case MoveReason::CredentialOut:
        return Words::tr("its key cannot be used");
    case MoveReason::Parked:
        return time.isEmpty() ? Words::tr("parked") : Words::tr("parked for %1").arg(time);
    case MoveReason::BreakerOpen:
        return time.isEmpty() ? Words::tr("breaker open") : Words::tr("breaker open, next probe in %1").arg(time);
    case MoveReason::RateLimited:
        return Words::tr("own rate limit reached");
    case MoveReason::Bulkhead:
        return Words::tr("too many requests in flight");
    case MoveReason::AttemptsUsed:
        return Words::tr("its tries are used up");
    case MoveReason::NotRetryable:
        return Words::tr("another try would not help");
    case MoveReason::WaitTooLong:
        return time.isEmpty() ? Words::tr("the wait is too long") : Words::tr("a wait of %1 is too long").arg(time);
    case MoveReason::AttemptBudget:
        return Words::tr("the request's tries are used up");
    case MoveReason::ContextTooLong:
        return Words::tr("the prompt is too long for it");
    case MoveReason::ContentPolicy:
        return Words::tr("its content policy refused");
    case MoveReason::NoRuleMatched:
        return Words::tr("no rule matched");
    }
    return {};
}

Axis axisFor(double total, int ticks)
{
    static constexpr double kSteps[] = {0.1,  0.2,   0.5,   1,     2,      5,      10,     20,      50,
                                        100,  200,   500,   1e3,   2e3,    5e3,    10e3,   15e3,    30e3,
                                        60e3, 120e3, 300e3, 600e3, 1800e3, 3600e3, 7200e3, 21600e3, 86400e3};
    const double wanted = std::max(1.0, total * 1.06);
    Axis axis;
    for (const double step : kSteps) {
        axis.step = step;
        if (wanted / step <= ticks)
            break;
    }
    while (wanted / axis.step > ticks)
        axis.step *= 2;
    axis.end = wanted;
    return axis;
}

QString tickText(double ms, double step)
{
    if (step >= 60e3)
        return format::number(ms / 60e3, 0) + format::thin() + Words::tr("min");
    if (step >= 1e3 || ms >= 1e4)
        return format::number(ms / 1e3, step < 1e3 ? 1 : 0) + format::thin() + QLatin1Char('s');
    if (step >= 100)
        return format::number(ms / 1e3, 1) + format::thin() + QLatin1Char('s');
    return format::number(ms, step < 1 ? 1 : 0) + format::thin() + QStringLiteral("ms");
}

} // namespace sg::ui::waterfall
