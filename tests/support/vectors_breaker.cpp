// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/breaker.h"
#include "tests/support/vectors.h"
#include "tests/support/vectors_runners.h"

#include <map>

namespace sg::vectors {

using namespace sg::policy;

namespace {

std::optional<Nanos> optionalSpan(const VectorFields& fields, const char* name)
{
    const auto ms = fields.numberOrNull(name);
    return ms ? std::optional(fromMs(*ms)) : std::nullopt;
}

std::optional<int> optionalInteger(const VectorFields& fields, const char* name)
{
    return fields.isNull(name) ? std::nullopt : std::optional(fields.integer(name));
}

std::variant<TimeWindow, CountWindow> readWindow(const VectorFields& window)
{
    if (window.word("type", {QStringLiteral("time"), QStringLiteral("count")}) == 1)
        return CountWindow{window.integer("size")};
    return TimeWindow{fromMs(window.number("window_ms")), fromMs(window.number("bucket_ms"))};
}

BreakerConfig readConfig(const VectorFields& fields)
{
    BreakerConfig c;
    c.consecutiveFailures = optionalInteger(fields, "consecutive_failures");
    c.failureRate = fields.numberOrNull("failure_rate");
    c.rateLimitedShare = fields.numberOrNull("rate_limited_share");
    c.slowRate = fields.numberOrNull("slow_rate");
    c.slowCall = optionalSpan(fields, "slow_call_ms");
    c.minimumCalls = fields.integer("minimum_calls");
    c.window = readWindow(fields.object("window"));
    c.rateLimitedCountsAs = static_cast<RateLimitedCountsAs>(fields.word(
        "rate_limited_counts_as", {QStringLiteral("failure"), QStringLiteral("share"), QStringLiteral("neutral")}));
    c.open = fromMs(fields.number("open_ms"));
    c.openMultiplier = fields.number("open_multiplier");
    c.maxOpen = fromMs(fields.number("max_open_ms"));
    c.openJitter = fields.number("open_jitter");
    c.callTimeout = optionalSpan(fields, "call_timeout_ms");
    c.halfOpenMaxProbes = fields.integer("half_open_max_probes");
    c.halfOpenSuccesses = fields.integer("half_open_successes");
    c.halfOpenDeadline = optionalSpan(fields, "half_open_deadline_ms");
    c.metricsOnly = fields.boolean("metrics_only");
    return c;
}

QString word(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

class BreakerPlayer
{
public:
    explicit BreakerPlayer(const BreakerConfig& config)
        : breaker_(config)
    {
    }

    void play(const VectorFields& step)
    {
        now_ = Instant(fromMs(step.number("t")));
        const QString op = step.text("op");
        if (op == QLatin1String("acquire"))
            acquire(step);
        else if (op == QLatin1String("result"))
            result(step);
        else if (op == QLatin1String("drop"))
            drop(step);
        else if (op == QLatin1String("state"))
            state(step);
        else
            manual(step, op);
        if (step.has("expect_state"))
            step.equal(QStringLiteral("state"), word(toString(breaker_.state(now_))), step.text("expect_state"));
    }

private:
    void acquire(const VectorFields& step)
    {
        step.onlyExpects({QStringLiteral("expect"), QStringLiteral("expect_state")});
        const QString call = step.text("call");
        const bool expected = step.word("expect", {QStringLiteral("no"), QStringLiteral("ok")}) == 1;
        Permit permit = breaker_.acquire(now_);
        step.equal(QStringLiteral("permitted"), static_cast<bool>(permit), expected);
        permits_.insert_or_assign(call, std::move(permit));
    }

    /// A result of a call that was refused does not exist: its permit is empty and does nothing.
    Permit& permitOf(const VectorFields& step)
    {
        const auto permit = permits_.find(step.text("call"));
        if (permit == permits_.end())
            step.fail(QStringLiteral("call %1 was never asked for").arg(step.text("call")));
        return permit->second;
    }

    void result(const VectorFields& step)
    {
        step.onlyExpects({QStringLiteral("expect_state")});
        CallResult result;
        result.outcome =
            static_cast<CallOutcome>(step.word("outcome", {QStringLiteral("success"), QStringLiteral("failure"),
                                                           QStringLiteral("rate_limited"), QStringLiteral("neutral")}));
        result.duration = fromMs(step.optionalNumber("duration_ms").value_or(0));
        if (const auto ms = step.optionalNumber("retry_after_ms"))
            result.retryAfter = fromMs(*ms);
        step.text("expect_state");
        permitOf(step).finish(result, now_);
    }

    void drop(const VectorFields& step)
    {
        step.onlyExpects({QStringLiteral("expect_state")});
        permitOf(step).drop(now_);
    }

    void state(const VectorFields& step)
    {
        step.onlyExpects({QStringLiteral("expect_state"), QStringLiteral("expect_ms_until_probe"),
                          QStringLiteral("expect_counters")});
        const BreakerStatus status = breaker_.status(now_);
        step.equal(QStringLiteral("state"), word(toString(status.state)), step.text("expect_state"));
        if (step.has("expect_ms_until_probe"))
            step.near(QStringLiteral("ms until probe"), toMs(breaker_.untilProbe(now_)),
                      step.number("expect_ms_until_probe"), 1e-6);
        if (step.has("expect_counters"))
            compareCounters(step, status.counters);
    }

    static void compareCounters(const VectorFields& step, const BreakerCounters& counters)
    {
        const std::map<QString, std::int64_t> actual{{QStringLiteral("late"), counters.late},
                                                     {QStringLiteral("opened"), counters.opened},
                                                     {QStringLiteral("rejected"), counters.rejected},
                                                     {QStringLiteral("would_have_opened"), counters.wouldHaveOpened}};
        const QJsonObject expected = step.object("expect_counters");
        for (auto it = expected.begin(); it != expected.end(); ++it) {
            const auto counter = actual.find(it.key());
            if (counter == actual.end() || !it.value().isDouble())
                step.fail(QStringLiteral("unknown counter ") + it.key());
            step.equal(it.key(), qint64(counter->second), qint64(it.value().toDouble()));
        }
    }

    void manual(const VectorFields& step, const QString& op)
    {
        step.onlyExpects({QStringLiteral("expect_state")});
        if (op == QLatin1String("trip"))
            breaker_.trip(now_);
        else if (op == QLatin1String("hold_closed"))
            breaker_.holdClosed(now_);
        else if (op == QLatin1String("reset"))
            breaker_.reset(now_);
        else if (op == QLatin1String("release"))
            breaker_.release(now_);
        else if (op == QLatin1String("probe_now"))
            breaker_.probeNow(now_);
        else
            step.fail(QStringLiteral("unknown op \"%1\"").arg(op));
    }

    Breaker breaker_;
    std::map<QString, Permit> permits_;
    Instant now_;
};

} // namespace

void runBreakerCase(const QJsonObject& testCase)
{
    BreakerPlayer player(readConfig(VectorFields(testCase).object("config")));
    for (const VectorFields& step : vectorSteps(testCase))
        player.play(step);
}

void runBreakerConfigCase(const QJsonObject& testCase)
{
    const VectorFields fields(testCase);
    const bool valid = fields.boolean("valid");
    const auto field = fields.textOrNull("field");
    const auto finding = checkBreakerConfig(readConfig(fields.object("config")));
    fields.equal(QStringLiteral("valid"), !finding, valid);
    fields.equal(QStringLiteral("field"), finding ? word(finding->field) : QString(), field.value_or(QString()));
}

} // namespace sg::vectors
