// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/workspace_read.h"

namespace sg::workspace {

namespace {

/// Wide on purpose: what makes sense is for the policy's own check to say, in its own words.
constexpr Bounds kAnyNumber{-1e15, 1e15};
constexpr qint64 kAnyInteger = 2000000000;
constexpr double kDayMs = 86400000;
constexpr Bounds kPositiveSpan{0, kDayMs, false};

void report(ObjectReader& reader, const std::optional<policy::ConfigFinding>& finding)
{
    if (!finding)
        return;
    QString remedy = QString::fromStdString(finding->remedy);
    if (!remedy.isEmpty())
        remedy[0] = remedy[0].toUpper();
    reader.error(QString::fromStdString(finding->field), QString::fromStdString(finding->problem), remedy);
}

void readWindow(ObjectReader& owner, policy::BreakerConfig& config, QJsonObject& unknown)
{
    const QString part = QStringLiteral("window");
    const auto object = owner.object(part);
    if (!object)
        return;
    ObjectReader reader(*object, owner.place(part), owner.findings(), owner.unknownLevel());
    const auto isCount =
        reader.choice<bool>(QStringLiteral("type"), {{QStringLiteral("time"), false}, {QStringLiteral("count"), true}});
    if (!isCount) {
        if (!reader.has(QStringLiteral("type")))
            reader.missing(QStringLiteral("type"), QStringLiteral("Write \"time\" or \"count\""));
        return;
    }
    if (*isCount) {
        policy::CountWindow window;
        window.size = int(reader.integer(QStringLiteral("size"), -kAnyInteger, kAnyInteger).value_or(window.size));
        config.window = window;
    } else {
        policy::TimeWindow window;
        window.window = reader.millis(QStringLiteral("window_ms"), kAnyNumber).value_or(window.window);
        window.bucket = reader.millis(QStringLiteral("bucket_ms"), kAnyNumber).value_or(window.bucket);
        config.window = window;
    }
    keepUnknown(unknown, part, reader.finish());
}

policy::Jitter readJitter(ObjectReader& owner, QJsonObject& unknown)
{
    policy::Jitter jitter;
    const QString part = QStringLiteral("jitter");
    const auto object = owner.object(part);
    if (!object)
        return jitter;
    ObjectReader reader(*object, owner.place(part), owner.findings(), owner.unknownLevel());
    using Type = policy::JitterType;
    std::vector<std::pair<QString, Type>> types;
    for (const Type type :
         {Type::None, Type::Proportional, Type::Additive, Type::Full, Type::Equal, Type::Decorrelated}) {
        const std::string_view name = policy::toString(type);
        types.emplace_back(QString::fromLatin1(name.data(), qsizetype(name.size())), type);
    }
    jitter.type = reader.choice<Type>(QStringLiteral("type"), types).value_or(Type::None);
    jitter.r = reader.number(QStringLiteral("r"), kAnyNumber).value_or(0);
    jitter.addMs = reader.number(QStringLiteral("a_ms"), kAnyNumber).value_or(0);
    keepUnknown(unknown, part, reader.finish());
    return jitter;
}

} // namespace

policy::BreakerConfig breakerFrom(ObjectReader& reader, QJsonObject& unknown)
{
    policy::BreakerConfig config;
    const std::size_t before = reader.findings().size();
    QJsonObject nested;
    const auto whole = [&](const QString& field, int fallback) {
        return int(reader.integer(field, -kAnyInteger, kAnyInteger).value_or(fallback));
    };
    if (const auto failures = reader.integer(QStringLiteral("consecutive_failures"), -kAnyInteger, kAnyInteger))
        config.consecutiveFailures = int(*failures);
    config.failureRate = reader.number(QStringLiteral("failure_rate"), kAnyNumber);
    config.rateLimitedShare = reader.number(QStringLiteral("rate_limited_share"), kAnyNumber);
    config.slowRate = reader.number(QStringLiteral("slow_rate"), kAnyNumber);
    config.slowCall = reader.millis(QStringLiteral("slow_call_ms"), kAnyNumber);
    config.minimumCalls = whole(QStringLiteral("minimum_calls"), config.minimumCalls);
    readWindow(reader, config, nested);
    using Counts = policy::RateLimitedCountsAs;
    config.rateLimitedCountsAs =
        reader
            .choice<Counts>(QStringLiteral("rate_limited_counts_as"), {{QStringLiteral("failure"), Counts::Failure},
                                                                       {QStringLiteral("share"), Counts::Share},
                                                                       {QStringLiteral("neutral"), Counts::Neutral}})
            .value_or(config.rateLimitedCountsAs);
    config.open = reader.millis(QStringLiteral("open_ms"), kAnyNumber).value_or(config.open);
    config.openMultiplier =
        reader.number(QStringLiteral("open_multiplier"), kAnyNumber).value_or(config.openMultiplier);
    config.maxOpen = reader.millis(QStringLiteral("max_open_ms"), kAnyNumber).value_or(config.maxOpen);
    config.openJitter = reader.number(QStringLiteral("open_jitter"), kAnyNumber).value_or(config.openJitter);
    config.callTimeout = reader.millis(QStringLiteral("call_timeout_ms"), kAnyNumber);
    config.halfOpenMaxProbes = whole(QStringLiteral("half_open_max_probes"), config.halfOpenMaxProbes);
    config.halfOpenSuccesses = whole(QStringLiteral("half_open_successes"), config.halfOpenSuccesses);
    config.halfOpenDeadline = reader.millis(QStringLiteral("half_open_deadline_ms"), kAnyNumber);
    config.metricsOnly = reader.flag(QStringLiteral("metrics_only")).value_or(false);
    if (reader.findings().size() == before) // a field that could not be read would only be reported twice
        report(reader, policy::checkBreakerConfig(config));
    unknown = reader.finish();
    joinUnknown(unknown, nested);
    return config;
}

policy::BackoffPolicy backoffFrom(ObjectReader& reader, QJsonObject& unknown)
{
    policy::BackoffPolicy backoff;
    const std::size_t before = reader.findings().size();
    QJsonObject nested;
    using Kind = policy::BackoffKind;
    backoff.kind = reader
                       .choice<Kind>(QStringLiteral("kind"), {{QStringLiteral("none"), Kind::None},
                                                              {QStringLiteral("fixed"), Kind::Fixed},
                                                              {QStringLiteral("exponential"), Kind::Exponential}})
                       .value_or(backoff.kind);
    backoff.baseMs = reader.number(QStringLiteral("base_ms"), kAnyNumber).value_or(backoff.baseMs);
    backoff.multiplier = reader.number(QStringLiteral("multiplier"), kAnyNumber).value_or(backoff.multiplier);
    backoff.capMs = reader.number(QStringLiteral("cap_ms"), kAnyNumber).value_or(backoff.capMs);
    backoff.jitter = readJitter(reader, nested);
    if (reader.findings().size() == before)
        report(reader, policy::checkBackoffPolicy(backoff));
    unknown = reader.finish();
    joinUnknown(unknown, nested);
    return backoff;
}

chain::LimiterSpec limiterFrom(ObjectReader& reader, QJsonObject& unknown)
{
    chain::LimiterSpec limiter;
    limiter.ratePerSecond = reader.number(QStringLiteral("rate_per_second"), {0, 1e9}).value_or(0);
    limiter.burst = reader.number(QStringLiteral("burst"), {0, 1e9}).value_or(limiter.ratePerSecond);
    limiter.maxWait = reader.millis(QStringLiteral("max_wait_ms"), {0, kDayMs}).value_or(limiter.maxWait);
    if (const auto most = reader.integer(QStringLiteral("window_limit"), 1, 1000000000))
        limiter.windowLimit = *most;
    limiter.window = reader.millis(QStringLiteral("window_ms"), kPositiveSpan).value_or(limiter.window);
    if (limiter.ratePerSecond > 0 && limiter.burst < 1)
        reader.error(QStringLiteral("burst"),
                     QStringLiteral("a bucket that holds less than 1 never lets a request through"),
                     QStringLiteral("Make it 1 or more"));
    if (limiter.ratePerSecond <= 0 && reader.has(QStringLiteral("burst")) && limiter.burst > 0)
        reader.error(QStringLiteral("rate_per_second"), QStringLiteral("the bucket has a burst but is never refilled"),
                     QStringLiteral("Give a rate above 0 or remove burst"));
    if (limiter.ratePerSecond <= 0 && !limiter.windowLimit)
        reader.warning(QString(), QStringLiteral("this limiter limits nothing"),
                       QStringLiteral("Set rate_per_second or window_limit, or remove it"));
    unknown = reader.finish();
    return limiter;
}

} // namespace sg::workspace
