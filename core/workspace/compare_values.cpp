// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/compare_values.h"

namespace sg::workspace::words {

namespace {

QString withUnit(double value, const char* unit)
{
    return number(value) + QLatin1Char(' ') + QLatin1String(unit);
}

QString list(const std::vector<std::string>& words)
{
    QStringList all;
    for (const std::string& word : words)
        all.append(QString::fromStdString(word));
    return all.join(QStringLiteral(", "));
}

QString dollars(const std::optional<cost::NanoDollars>& perMillion)
{
    return perMillion ? QStringLiteral("$") + QString::number(static_cast<double>(perMillion->count()) / 1e9, 'f', 2)
                      : QStringLiteral("?");
}

QString jitterWords(const policy::Jitter& jitter)
{
    switch (jitter.type) {
    case policy::JitterType::None:
        return QStringLiteral("no jitter");
    case policy::JitterType::Proportional:
        return QStringLiteral("jitter ±%1").arg(percent(jitter.r));
    case policy::JitterType::Additive:
        return QStringLiteral("up to %1 added").arg(span(fromMs(jitter.addMs)));
    case policy::JitterType::Full:
        return QStringLiteral("full jitter");
    case policy::JitterType::Equal:
        return QStringLiteral("equal jitter");
    case policy::JitterType::Decorrelated:
        return QStringLiteral("decorrelated jitter");
    }
    return {};
}

} // namespace

QString number(double value)
{
    return QString::number(value, 'g', 10);
}

QString percent(double share)
{
    return withUnit(share * 100, "%");
}

QString span(Nanos span)
{
    const double ms = toMs(span);
    if (ms < 1000)
        return withUnit(ms, "ms");
    const auto whole = [ms](double unit) { return std::fmod(ms, unit) == 0; };
    if (ms >= 3'600'000 && whole(3'600'000))
        return withUnit(ms / 3'600'000, "h");
    if (ms >= 120'000 && whole(60'000))
        return withUnit(ms / 60'000, "min");
    return withUnit(ms / 1000, "s");
}

QString bytes(std::size_t bytes)
{
    return bytes >= (1u << 20) ? withUnit(static_cast<double>(bytes) / (1u << 20), "MiB")
                               : withUnit(static_cast<double>(bytes), "bytes");
}

QString flag(bool on)
{
    return on ? QStringLiteral("on") : QStringLiteral("off");
}

QString text(const QString& text)
{
    return text.isEmpty() ? QStringLiteral("none") : text;
}

QString text(const std::string& text)
{
    return words::text(QString::fromStdString(text));
}

QString key(const KeyRef& key)
{
    switch (key.source) {
    case KeySource::None:
        return QStringLiteral("none");
    case KeySource::Environment:
        return QStringLiteral("environment variable %1").arg(key.name);
    case KeySource::Keychain:
        return QStringLiteral("keychain entry \"%1\"").arg(key.name);
    case KeySource::Session:
        return QStringLiteral("typed in for this run");
    }
    return {};
}

QString price(const cost::Price& price)
{
    QString said = QStringLiteral("%1 in, %2 out per million tokens").arg(dollars(price.input), dollars(price.output));
    if (price.cachedInput)
        said += QStringLiteral(", %1 cached").arg(dollars(price.cachedInput));
    if (!price.tiers.empty())
        said += QStringLiteral(", other rates above %1 tokens").arg(price.tiers.front().above);
    return said;
}

QString backoff(const policy::BackoffPolicy& backoff)
{
    if (backoff.kind == policy::BackoffKind::None)
        return QStringLiteral("at once");
    if (backoff.kind == policy::BackoffKind::Fixed)
        return QStringLiteral("fixed %1, %2").arg(span(fromMs(backoff.baseMs)), jitterWords(backoff.jitter));
    return QStringLiteral("%1 × %2, at most %3, %4")
        .arg(span(fromMs(backoff.baseMs)), number(backoff.multiplier), span(fromMs(backoff.capMs)),
             jitterWords(backoff.jitter));
}

QString taskTimeout(const policy::TaskTimeout& timeout)
{
    return QStringLiteral("%1 and %2 per 100 tokens, at most %3")
        .arg(span(timeout.floor), span(timeout.per100Tokens),
             timeout.base ? span(*timeout.base) : QStringLiteral("the model's usual"));
}

QString rateFloor(const policy::RateFloor& floor)
{
    return QStringLiteral("%1 tokens/s within %2").arg(number(floor.tokensPerSecond), span(floor.window));
}

QString window(const policy::BreakerConfig& breaker)
{
    if (const auto* count = std::get_if<policy::CountWindow>(&breaker.window))
        return QStringLiteral("last %1 calls").arg(count->size);
    return span(std::get<policy::TimeWindow>(breaker.window).window);
}

QString countsAs(policy::RateLimitedCountsAs counts)
{
    switch (counts) {
    case policy::RateLimitedCountsAs::Failure:
        return QStringLiteral("a failure");
    case policy::RateLimitedCountsAs::Share:
        return QStringLiteral("a share of its own");
    case policy::RateLimitedCountsAs::Neutral:
        return QStringLiteral("nothing");
    }
    return {};
}

QString rules(const std::vector<chain::CannedRule>& rules)
{
    QStringList all;
    for (const chain::CannedRule& rule : rules)
        all.append(QStringLiteral("%1: “%2”")
                       .arg(rule.words.empty() ? QStringLiteral("always") : list(rule.words),
                            QString::fromStdString(rule.reply)));
    return all.isEmpty() ? QStringLiteral("none") : all.join(QStringLiteral("; "));
}

QString routeClass(const chain::RouteClass& route)
{
    const QString to = QStringLiteral(" → ") + text(route.tier);
    if (route.words.empty())
        return QStringLiteral("every request") + to;
    return QStringLiteral("at least %1 of %2%3")
               .arg(route.atLeast)
               .arg(list(route.words), route.countsEarlier ? QStringLiteral(" and earlier words") : QString()) +
           to;
}

} // namespace sg::workspace::words
