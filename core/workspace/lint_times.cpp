// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/lint_run.h"

namespace sg::workspace {

namespace {

// ---- limits of one endpoint against each other

void limitNeverApplies(const EndpointScope& scope, const Tell& tell)
{
    const Timeouts& t = scope.endpoint.timeouts;
    const auto check = [&](const char* field, std::optional<Nanos> span, auto shorten) {
        if (!span || *span <= t.total || t.total <= Nanos::zero())
            return;
        tell(
            QStringLiteral("timeouts.") + QLatin1String(field),
            {QStringLiteral("%1: the %2 is longer than the total, so it never applies")
                 .arg(quoted(scope.endpoint.spec.name), fieldWords(QStringLiteral("timeouts.") + QLatin1String(field))),
             QStringLiteral("A call that hangs is only noticed after %1").arg(spanWords(t.total)),
             QStringLiteral("Shorten it or raise the total timeout")},
            scope.fix(QStringLiteral("Shorten it to %1").arg(spanWords(t.total)),
                      [shorten](Endpoint& endpoint) { shorten(endpoint.timeouts, endpoint.timeouts.total); }));
    };
    check("connect_ms", t.connect, [](Timeouts& c, Nanos to) { c.connect = std::min(c.connect, to); });
    check("first_byte_ms", t.firstByte, [](Timeouts& c, Nanos to) { c.firstByte = to; });
    check("idle_ms", t.idle, [](Timeouts& c, Nanos to) { c.idle = to; });
    check("first_token_ms", t.tokens.firstToken, [](Timeouts& c, Nanos to) { c.tokens.firstToken = to; });
    if (t.tokens.slowest)
        check("min_tokens_window_ms", t.tokens.slowest->window, [](Timeouts& c, Nanos to) {
            if (c.tokens.slowest)
                c.tokens.slowest->window = to;
        });
}

void taskLimitNeverApplies(const EndpointScope& scope, const Tell& tell)
{
    const Timeouts& t = scope.endpoint.timeouts;
    if (!t.byTask)
        return;
    const bool aboveBase = t.byTask->base && t.byTask->floor >= *t.byTask->base;
    if (!aboveBase && t.byTask->floor < t.total)
        return;
    const QString other = aboveBase ? QStringLiteral("the base by task") : QStringLiteral("the total timeout");
    tell(QStringLiteral("timeouts.by_task.floor_ms"),
         {QStringLiteral("%1: the shortest limit by task is not below %2").arg(quoted(scope.endpoint.spec.name), other),
          QStringLiteral("Short answers are waited for as long as long ones"),
          QStringLiteral("Shorten it or raise %1").arg(other)});
}

constexpr EndpointRule kEndpoint[] = {
    {"limit_never_applies", FindingLevel::Warning, "A time limit longer than the whole call's", limitNeverApplies,
     true},
    {"task_limit_never_applies", FindingLevel::Warning, "A limit by task that is the same for every task",
     taskLimitNeverApplies, true},
};

// ---- limits of tiers against their chain

void attemptBeyondDeadline(const ChainScope& scope, const Tell& tell)
{
    for (std::size_t i = 0; i < scope.spec.tiers.size(); ++i) {
        const auto& limit = scope.spec.tiers[i].attemptTimeout;
        if (!limit || *limit <= scope.spec.deadline)
            continue;
        tell.tier(
            i, QStringLiteral("attempt_timeout_ms"),
            {QStringLiteral("the timeout of %1 exceeds the deadline, so it never applies").arg(tierName(scope, i)),
             QStringLiteral("One call that hangs uses up the whole request"),
             QStringLiteral("Shorten it or raise the deadline")},
            scope.tierFix(i, QStringLiteral("Shorten it to %1").arg(spanWords(scope.spec.deadline)),
                          [deadline = scope.spec.deadline](chain::TierSpec& tier) { tier.attemptTimeout = deadline; }));
    }
}

/// The usual limit is nobody's decision, so it is nobody's mistake either.
void totalBeyondDeadline(const ChainScope& scope, const Tell& tell)
{
    for (const std::size_t i : scope.calling) {
        const Nanos total = scope.endpoints[i]->timeouts.total;
        if (scope.spec.tiers[i].attemptTimeout || total <= scope.spec.deadline || total == Timeouts().total)
            continue;
        tell.tier(i, QStringLiteral("attempt_timeout_ms"),
                  {QStringLiteral("%1: its endpoint's total of %2 exceeds the deadline of %3")
                       .arg(tierName(scope, i), spanWords(total), spanWords(scope.spec.deadline)),
                   QStringLiteral("One call that hangs uses up the whole request"),
                   QStringLiteral("Give the tier an attempt timeout below the deadline")});
    }
}

void attemptBeforeFirstToken(const ChainScope& scope, const Tell& tell)
{
    for (std::size_t i = 0; i < scope.spec.tiers.size(); ++i) {
        const chain::TierSpec& tier = scope.spec.tiers[i];
        const auto firstToken = scope.endpoints[i] ? scope.endpoints[i]->timeouts.tokens.firstToken : std::nullopt;
        if (firstToken &&
            *firstToken > std::min(tier.attemptTimeout.value_or(scope.spec.deadline), scope.spec.deadline))
            tell.tier(i, {},
                      {QStringLiteral("attempts of %1 end before its first-token timeout").arg(tierName(scope, i)),
                       {},
                       QStringLiteral("Shorten the first-token timeout, or give the tier more time")});
    }
}

void limiterBeyondDeadline(const ChainScope& scope, const Tell& tell)
{
    if (scope.worst.limiterWait < scope.spec.deadline || scope.worst.limiterWait == Nanos::zero())
        return;
    const Nanos half = scope.spec.deadline / 2;
    tell(QStringLiteral("limiter.max_wait_ms"),
         {QStringLiteral("the limiter may hold a request back for %1, the whole deadline")
              .arg(spanWords(scope.worst.limiterWait)),
          QStringLiteral("What waited that long has no time left for a call"),
          QStringLiteral("Shorten it or raise the deadline")},
         scope.fix(QStringLiteral("Shorten it to %1").arg(spanWords(half)), [half](chain::ChainSpec& changed) {
             if (!changed.limiter)
                 return;
             changed.limiter->maxWait = half;
             changed.limiterPolicy.clear();
         }));
}

void backoffNeverWaited(const ChainScope& scope, const Tell& tell)
{
    const bool byWait = scope.spec.maxServerWait < scope.spec.deadline;
    // When the deadline ends it there must be time left for a call as well.
    const Nanos most = std::min(scope.spec.maxServerWait, scope.spec.deadline / 2);
    const auto isWaited = [&](Nanos wait) { return wait <= scope.spec.maxServerWait && wait < scope.spec.deadline; };
    for (std::size_t i = 0; i < scope.spec.tiers.size(); ++i) {
        const chain::TierSpec& tier = scope.spec.tiers[i];
        policy::Backoff least(tier.backoff);
        const int retries = std::min({tier.maxAttempts, scope.spec.attemptBudget, 100}) - 1;
        int retry = 0;
        while (retry < retries && isWaited(fromMs(least.delayMs(retry, 0))))
            ++retry;
        if (!scope.endpoints[i] || retry >= retries)
            continue;
        // A cap of next to nothing would have the retries follow at once.
        std::optional<Fix> fix;
        if (most >= std::chrono::seconds(1))
            fix = scope.tierFix(i, QStringLiteral("Cap waits at %1").arg(spanWords(most)),
                                [cap = toMs(most)](chain::TierSpec& changed) {
                                    changed.backoff.capMs = cap;
                                    changed.backoffPolicy.clear();
                                });
        tell.tier(i, QStringLiteral("backoff"),
                  {QStringLiteral("%1 never makes retry %2: its wait exceeds %3 of %4")
                       .arg(tierName(scope, i))
                       .arg(retry + 1)
                       .arg(byWait ? QStringLiteral("the longest wait") : QStringLiteral("the deadline"),
                            spanWords(std::min(scope.spec.maxServerWait, scope.spec.deadline))),
                   QStringLiteral("A wait that long is not begun, so of %1 attempts %2 are made")
                       .arg(tier.maxAttempts)
                       .arg(retry + 1),
                   QStringLiteral("Lower the cap of its waits, or its tries")},
                  std::move(fix));
    }
}

void backoffUnused(const ChainScope& scope, const Tell& tell)
{
    for (std::size_t i = 0; i < scope.spec.tiers.size(); ++i) {
        const chain::TierSpec& tier = scope.spec.tiers[i];
        if (scope.endpoints[i] && tier.maxAttempts == 1 && !(tier.backoff == policy::BackoffPolicy()))
            tell.tier(i, QStringLiteral("backoff"),
                      {QStringLiteral("the backoff of %1 does nothing: it makes one attempt").arg(tierName(scope, i)),
                       {},
                       QStringLiteral("Allow more tries, or remove the backoff")},
                      scope.tierFix(i, QStringLiteral("Remove the backoff"), [](chain::TierSpec& changed) {
                          changed.backoff = {};
                          changed.backoffPolicy.clear();
                      }));
    }
}

constexpr ChainRule kChain[] = {
    {"attempt_beyond_deadline", FindingLevel::Warning, "An attempt's limit longer than the chain's deadline",
     attemptBeyondDeadline, true},
    {"attempt_before_first_token", FindingLevel::Warning, "An attempt that ends before the limit for its first token",
     attemptBeforeFirstToken, true},
    {"limiter_beyond_deadline", FindingLevel::Warning, "A limiter that may hold a request back for its whole deadline",
     limiterBeyondDeadline},
    {"backoff_never_waited", FindingLevel::Warning, "Waits before a retry that are too long to be begun",
     backoffNeverWaited},
    {"total_beyond_deadline", FindingLevel::Note, "An endpoint's limit longer than the chain's deadline",
     totalBeyondDeadline},
    {"backoff_unused", FindingLevel::Note, "A backoff where nothing is tried again", backoffUnused},
};

} // namespace

std::span<const EndpointRule> endpointTimeRules()
{
    return kEndpoint;
}

std::span<const ChainRule> chainTimeRules()
{
    return kChain;
}

} // namespace sg::workspace
