// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/lint_run.h"

#include <cmath>

namespace sg::workspace {

namespace {

using policy::BreakerConfig;

constexpr int kUsualFailures = 5, kUsualMinimum = 10, kUsualSuccesses = 3;
constexpr Nanos kUsualMaxOpen = std::chrono::minutes(5), kLongOpen = std::chrono::hours(1);
/// A probe that may take less than this part of a call's own limit fails for calls that would be fine.
constexpr int kProbePart = 4;
/// More successes in a row than this are hardly met, one failure starts over.
constexpr int kManySuccesses = 50;

const BreakerConfig& config(const EndpointScope& scope)
{
    return scope.endpoint.spec.breaker;
}

QString field(const char* name)
{
    return QStringLiteral("breaker.") + QLatin1String(name);
}

Fix breakerFix(const EndpointScope& scope, const QString& label, std::function<void(BreakerConfig&)> change)
{
    return scope.fix(label, [change = std::move(change)](Endpoint& endpoint) {
        change(endpoint.spec.breaker);
        endpoint.breakerPolicy.clear(); // it is no longer the library's
    });
}

bool hasRateRule(const BreakerConfig& c)
{
    return c.failureRate || c.slowRate || c.rateLimitedShare;
}

// ---- what no breaker can be built from

std::optional<Fix> fixOf(const EndpointScope& scope, const std::string& name)
{
    const auto make = [&](const QString& label, std::function<void(BreakerConfig&)> change) {
        return std::optional(breakerFix(scope, label, std::move(change)));
    };
    const BreakerConfig& c = config(scope);
    if (name == "max_open_ms" && c.maxOpen >= Nanos::zero())
        return make(QStringLiteral("Raise the longest open time to %1").arg(spanWords(c.open)),
                    [](BreakerConfig& b) { b.maxOpen = b.open; });
    if (name == "minimum_calls" && c.minimumCalls > 0)
        if (const auto* window = std::get_if<policy::CountWindow>(&c.window); window && window->size > 0)
            return make(QStringLiteral("Set minimum calls to %1").arg(window->size), [](BreakerConfig& b) {
                if (const auto* counted = std::get_if<policy::CountWindow>(&b.window))
                    b.minimumCalls = counted->size;
            });
    if (name == "rate_limited_share" && *c.rateLimitedShare > 0 && *c.rateLimitedShare <= 1)
        return make(QStringLiteral("Count 429 as a class of its own"),
                    [](BreakerConfig& b) { b.rateLimitedCountsAs = policy::RateLimitedCountsAs::Share; });
    if (name == "half_open_max_probes" && c.halfOpenMaxProbes == 0)
        return make(QStringLiteral("Let 1 probe through"), [](BreakerConfig& b) { b.halfOpenMaxProbes = 1; });
    if (name == "half_open_successes" && c.halfOpenSuccesses == 0)
        return make(QStringLiteral("Close after 1 success"), [](BreakerConfig& b) { b.halfOpenSuccesses = 1; });
    if (name == "half_open_deadline_ms" && probeDeadline(c) == Nanos::zero())
        return make(QStringLiteral("Give probes %1").arg(spanWords(scope.endpoint.timeouts.total)),
                    [limit = std::max(scope.endpoint.timeouts.total, Nanos(Millis(1)))](BreakerConfig& b) {
                        b.halfOpenDeadline = limit;
                    });
    return std::nullopt;
}

void bad(const EndpointScope& scope, const Tell& tell)
{
    const auto finding = policy::checkBreakerConfig(config(scope));
    if (!finding)
        return;
    QString remedy = QString::fromStdString(finding->remedy);
    remedy[0] = remedy[0].toUpper();
    tell(QStringLiteral("breaker.") + QString::fromStdString(finding->field),
         {QStringLiteral("the breaker of %1: ").arg(quoted(scope.endpoint.spec.name)) +
              fieldWords(QString::fromStdString(finding->field)) + QLatin1Char(' ') +
              QString::fromStdString(finding->problem),
          QStringLiteral("The breaker would not protect as it says"), remedy},
         fixOf(scope, finding->field));
}

// ---- tripping

void noRule(const EndpointScope& scope, const Tell& tell)
{
    const BreakerConfig& c = config(scope);
    if (c.consecutiveFailures || hasRateRule(c) || scope.longestCall == Nanos::zero())
        return;
    tell(QStringLiteral("breaker"),
         {QStringLiteral("the breaker of %1 has no rule, so it never opens").arg(quoted(scope.endpoint.spec.name)),
          QStringLiteral("While the endpoint is down every request tries it first and waits for it"),
          QStringLiteral("Set failures in a row or failure rate")},
         breakerFix(scope, QStringLiteral("Open after %1 failures in a row").arg(kUsualFailures),
                    [](BreakerConfig& b) { b.consecutiveFailures = kUsualFailures; }));
}

/// How many calls the endpoint's own limit lets into the window, when it is used to the full.
std::optional<double> callsInWindow(const EndpointScope& scope)
{
    const auto* time = std::get_if<policy::TimeWindow>(&config(scope).window);
    if (!time || !scope.endpoint.spec.requestsPerMinute)
        return std::nullopt;
    return *scope.endpoint.spec.requestsPerMinute * toMs(time->window) / 60000;
}

struct Starved
{
    double calls = 0;
    Words words;
    std::optional<Fix> fix;
};

/// Rates that want more calls in the window than there can be.
std::optional<Starved> starved(const EndpointScope& scope)
{
    const BreakerConfig& c = config(scope);
    const auto calls = callsInWindow(scope);
    if (!calls || !hasRateRule(c) || c.minimumCalls <= *calls)
        return std::nullopt;
    const auto& window = std::get<policy::TimeWindow>(c.window).window;
    Starved result{
        *calls,
        {QStringLiteral("a rate is judged from %1 calls in %2 on, and requests per minute lets about %3 through")
             .arg(c.minimumCalls)
             .arg(spanWords(window), QString::number(*calls, 'g', 3)),
         QStringLiteral("However many calls fail, the rate does not open the breaker"),
         QStringLiteral("Lower minimum calls, or make the window longer")},
        {}};
    if (*calls >= 2)
        result.fix = breakerFix(
            scope, QStringLiteral("Set minimum calls to %1").arg(int(std::max(2.0, std::floor(*calls / 2)))),
            [least = int(std::max(2.0, std::floor(*calls / 2)))](BreakerConfig& b) { b.minimumCalls = least; });
    return result;
}

void neverTrips(const EndpointScope& scope, const Tell& tell)
{
    const BreakerConfig& c = config(scope);
    const auto found = starved(scope);
    if (!found || c.consecutiveFailures)
        return;
    const auto addRule = breakerFix(scope, QStringLiteral("Open after %1 failures in a row").arg(kUsualFailures),
                                    [](BreakerConfig& b) { b.consecutiveFailures = kUsualFailures; });
    tell(field("minimum_calls"), found->words, found->fix ? found->fix : addRule);
}

void rateStarves(const EndpointScope& scope, const Tell& tell)
{
    const auto found = starved(scope);
    if (found && config(scope).consecutiveFailures)
        tell(field("minimum_calls"), found->words, found->fix);
}

void slowRuleHalf(const EndpointScope& scope, const Tell& tell)
{
    const BreakerConfig& c = config(scope);
    if (c.slowRate && !c.slowCall)
        tell(field("slow_rate"),
             {QStringLiteral("without the slow-call time no call is slow, so this rule can never fire"),
              {},
              QStringLiteral("Say from when on a call is slow, or remove the slow rate")},
             breakerFix(scope, QStringLiteral("Remove the slow rate"), [](BreakerConfig& b) { b.slowRate.reset(); }));
    if (c.slowCall && !c.slowRate)
        tell(field("slow_call_ms"),
             {QStringLiteral("without the slow rate this does nothing"),
              {},
              QStringLiteral("Set the slow rate, or remove the slow-call time")},
             breakerFix(scope, QStringLiteral("Remove the slow-call time"),
                        [](BreakerConfig& b) { b.slowCall.reset(); }));
}

void slowBeyondLimit(const EndpointScope& scope, const Tell& tell)
{
    const BreakerConfig& c = config(scope);
    const Nanos limit = scope.longestCall > Nanos::zero() ? scope.longestCall : scope.endpoint.timeouts.total;
    if (c.slowRate && c.slowCall && *c.slowCall >= limit)
        tell(field("slow_call_ms"), {QStringLiteral("a call is slow after %1, but ends after %2 at the latest")
                                         .arg(spanWords(*c.slowCall), spanWords(limit)),
                                     QStringLiteral("No call is ever slow, so the slow rate can never fire"),
                                     QStringLiteral("Lower the slow-call time below that limit")});
}

void tripsAtOnce(const EndpointScope& scope, const Tell& tell)
{
    if (config(scope).consecutiveFailures != 0)
        return;
    tell(field("consecutive_failures"),
         {QStringLiteral("0 failures in a row are reached by the first call, even by a success"),
          QStringLiteral("The breaker opens at once and again after every probe"),
          QStringLiteral("Ask for 1 or more, or remove it")},
         breakerFix(scope, QStringLiteral("Open after %1 failures in a row").arg(kUsualFailures),
                    [](BreakerConfig& b) { b.consecutiveFailures = kUsualFailures; }));
}

void hairTrigger(const EndpointScope& scope, const Tell& tell)
{
    const BreakerConfig& c = config(scope);
    if (!hasRateRule(c) || c.minimumCalls > 1 || c.consecutiveFailures.value_or(2) <= 1)
        return;
    int minimum = kUsualMinimum;
    if (const auto* count = std::get_if<policy::CountWindow>(&c.window))
        minimum = std::min(minimum, count->size);
    minimum = int(std::min(double(minimum), callsInWindow(scope).value_or(minimum)));
    tell(
        field("minimum_calls"),
        {QStringLiteral("the breaker of %1 judges a rate from the first call on").arg(quoted(scope.endpoint.spec.name)),
         QStringLiteral("One failed call alone is a rate of 100 % and opens the breaker"),
         QStringLiteral("Ask for some calls first, as in minimum calls %1").arg(kUsualMinimum)},
        minimum < 2 ? std::nullopt
                    : std::optional(breakerFix(scope, QStringLiteral("Set minimum calls to %1").arg(minimum),
                                               [minimum](BreakerConfig& b) { b.minimumCalls = minimum; })));
}

void metricsOnly(const EndpointScope& scope, const Tell& tell)
{
    if (config(scope).metricsOnly)
        tell(field("metrics_only"),
             {QStringLiteral("the breaker of %1 only counts").arg(quoted(scope.endpoint.spec.name)),
              {},
              QStringLiteral("Set it to false when the figures look right")});
}

// ---- closing again

void probesTooShort(const EndpointScope& scope, const Tell& tell)
{
    const BreakerConfig& c = config(scope);
    const Nanos deadline = probeDeadline(c);
    const bool hasRule = c.consecutiveFailures || hasRateRule(c);
    const bool slowIsFine = c.slowCall && deadline < *c.slowCall;
    if (!hasRule || deadline <= Nanos::zero() || scope.longestCall == Nanos::zero() ||
        (deadline >= scope.longestCall / kProbePart && !slowIsFine))
        return;
    tell(field("half_open_deadline_ms"),
         {QStringLiteral("a probe fails after %1, while other calls may take %2")
              .arg(spanWords(deadline), spanWords(scope.longestCall)),
          QStringLiteral("A healthy endpoint with longer answers than that hardly ever gets its breaker closed"),
          QStringLiteral("Give probes the time of other calls")},
         breakerFix(scope, QStringLiteral("Give probes %1").arg(spanWords(scope.longestCall)),
                    [limit = scope.longestCall](BreakerConfig& b) {
                        b.halfOpenDeadline = std::max(limit, b.slowCall.value_or(limit));
                    }));
}

void slowToClose(const EndpointScope& scope, const Tell& tell)
{
    const int wanted = config(scope).halfOpenSuccesses;
    const double perMinute = scope.endpoint.spec.requestsPerMinute.value_or(kManySuccesses);
    if (wanted <= kUsualSuccesses || wanted <= perMinute)
        return;
    tell(field("half_open_successes"),
         {QStringLiteral("closing takes %1 successes without one failure").arg(wanted),
          scope.endpoint.spec.requestsPerMinute
              ? QStringLiteral("At %1 requests a minute that is longer than a minute, and one failure starts it over")
                    .arg(perMinute)
              : QStringLiteral("One failure among them starts it over"),
          QStringLiteral("Ask for fewer")},
         breakerFix(scope, QStringLiteral("Close after %1 successes").arg(kUsualSuccesses),
                    [](BreakerConfig& b) { b.halfOpenSuccesses = kUsualSuccesses; }));
}

void openForHours(const EndpointScope& scope, const Tell& tell)
{
    const BreakerConfig& c = config(scope);
    const Nanos longest = c.openMultiplier > 1 ? c.maxOpen : c.open;
    if (longest < kLongOpen)
        return;
    const Words words{QStringLiteral("the breaker of %1 may stay open for %2")
                          .arg(quoted(scope.endpoint.spec.name), spanWords(longest)),
                      QStringLiteral("An endpoint that came back is left out for as long"),
                      QStringLiteral("Lower the longest open time")};
    if (c.open >= kLongOpen)
        return tell(field("open_ms"), {words.problem, words.why, QStringLiteral("Lower the open time")});
    tell(field("max_open_ms"), words,
         breakerFix(scope,
                    QStringLiteral("Lower the longest open time to %1").arg(spanWords(std::max(kUsualMaxOpen, c.open))),
                    [](BreakerConfig& b) { b.maxOpen = std::max(kUsualMaxOpen, b.open); }));
}

constexpr EndpointRule kRules[] = {
    {"bad_breaker", FindingLevel::Error, "A breaker that cannot work: a rule that cannot fire, a closing out of reach",
     bad},
    {"breaker_trips_at_once", FindingLevel::Warning, "0 failures in a row open the breaker at every call", tripsAtOnce},
    {"breaker_never_trips", FindingLevel::Warning,
     "minimum_calls above what requests_per_minute lets into the window, and no other rule", neverTrips},
    {"breaker_rate_never_fires", FindingLevel::Warning, "The same beside a rule that can fire", rateStarves},
    {"breaker_slow_rule_half", FindingLevel::Warning, "slow_rate without slow_call_ms, or the other way round",
     slowRuleHalf},
    {"breaker_slow_beyond_limit", FindingLevel::Warning, "Calls end before they could count as slow", slowBeyondLimit},
    {"breaker_slow_to_close", FindingLevel::Warning, "More successes wanted than a minute of traffic has", slowToClose},
    {"breaker_open_for_hours", FindingLevel::Warning, "A breaker that may stay open for an hour or longer",
     openForHours},
    {"breaker_probe_too_short", FindingLevel::Note, "Probes that get less than a quarter of other calls' time",
     probesTooShort},
    {"breaker_hair_trigger", FindingLevel::Note, "A rate that one failed call alone trips", hairTrigger},
    {"breaker_without_rule", FindingLevel::Note, "A breaker that never opens", noRule},
    {"breaker_metrics_only", FindingLevel::Note, "A breaker that only counts", metricsOnly},
};

} // namespace

std::span<const EndpointRule> breakerRules()
{
    return kRules;
}

} // namespace sg::workspace
