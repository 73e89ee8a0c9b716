// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/breaker_words.h"

#include "ui/format/format.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace sg::ui::breakerwords {

using policy::BreakerConfig;

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::breakerwords)
};

QString percent(double share)
{
    const double value = share * 100;
    return format::number(value, std::abs(value - std::round(value)) < 0.05 ? 0 : 1) + format::thin() +
           QLatin1Char('%');
}

QString windowWords(const BreakerConfig& config)
{
    if (const auto* count = std::get_if<policy::CountWindow>(&config.window))
        return Words::tr("the last %1 calls").arg(format::count(count->size));
    return span(std::get<policy::TimeWindow>(config.window).window);
}

} // namespace

QString span(Nanos span)
{
    const double seconds = toMs(span) / 1000;
    const int decimals = seconds < 1 ? 2 : seconds < 10 ? 1 : 0;
    return format::number(seconds, decimals) + format::thin() + QLatin1Char('s');
}

QString problem(const policy::ConfigFinding& finding, const BreakerConfig& config)
{
    const auto* count = std::get_if<policy::CountWindow>(&config.window);
    if (finding.field == "max_open_ms" && config.maxOpen >= Nanos::zero())
        return Words::tr("Must be at least “Open for”, %1").arg(span(config.open));
    if (finding.field == "minimum_calls" && count && config.minimumCalls > count->size)
        return Words::tr("Must be at most the window, %1 calls: else no share can ever trip")
            .arg(format::count(count->size));
    if (finding.field == "rate_limited_share" && config.rateLimitedCountsAs != policy::RateLimitedCountsAs::Share)
        return Words::tr("Can never trip: let 429 count as “apart”, or leave it empty");
    if (finding.field == "half_open_deadline_ms")
        return Words::tr("Give a probe time to answer: 0 s makes every probe overdue at once");
    return QString::fromStdString(finding.problem + "; " + finding.remedy);
}

QString rules(const BreakerConfig& config)
{
    QStringList parts;
    if (config.consecutiveFailures)
        parts << Words::tr("%1 failures in a row").arg(*config.consecutiveFailures);
    const QString window = windowWords(config);
    if (config.failureRate)
        parts << Words::tr("%1 failures in %2").arg(percent(*config.failureRate), window);
    if (config.rateLimitedShare)
        parts << Words::tr("%1 429 in %2").arg(percent(*config.rateLimitedShare), window);
    if (config.slowRate)
        parts << Words::tr("%1 slow in %2").arg(percent(*config.slowRate), window);
    if (parts.isEmpty())
        return Words::tr("never trips: no rule is set");
    const QString all = parts.join(Words::tr(" or "));
    return config.metricsOnly ? Words::tr("only counts: %1").arg(all) : Words::tr("trips at %1").arg(all);
}

int rareSettings(const BreakerConfig& config)
{
    const BreakerConfig usual;
    return config.consecutiveFailures.has_value() + config.rateLimitedShare.has_value() + config.slowRate.has_value() +
           config.slowCall.has_value() + std::holds_alternative<policy::CountWindow>(config.window) +
           (config.rateLimitedCountsAs != usual.rateLimitedCountsAs) + (config.openMultiplier != usual.openMultiplier) +
           (config.openJitter != usual.openJitter) + config.callTimeout.has_value() +
           (config.halfOpenSuccesses != usual.halfOpenSuccesses) + config.halfOpenDeadline.has_value() +
           config.metricsOnly;
}

} // namespace sg::ui::breakerwords
