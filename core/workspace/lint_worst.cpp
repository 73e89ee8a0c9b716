// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/lint_run.h"

#include <cmath>
#include <numeric>

namespace sg::workspace {

namespace {

constexpr int kMostBudget = 1000; // as files may say it
constexpr Nanos kMostDeadline = std::chrono::hours(24);
/// OpenAI's SDKs ask again twice unless they are told otherwise.
constexpr int kUsualRetries = 2;
/// More attempts than this for one question of a user are a load of their own.
constexpr int kManyAttempts = 10;

int callingTiers(const ChainScope& scope)
{
    int calling = 0;
    for (const chain::TierSpec& tier : scope.spec.tiers)
        calling += tier.enabled && tier.kind == chain::TierKind::Endpoint ? 1 : 0;
    return calling;
}

/// What all tiers that are on ask for.
std::int64_t wantedAttempts(const ChainScope& scope)
{
    std::int64_t wanted = 0;
    for (const chain::TierSpec& tier : scope.spec.tiers)
        if (tier.enabled && tier.kind == chain::TierKind::Endpoint)
            wanted += std::max(tier.maxAttempts, 1);
    return wanted;
}

std::optional<Fix> raiseBudget(const ChainScope& scope)
{
    const std::int64_t wanted = wantedAttempts(scope);
    if (wanted > kMostBudget)
        return std::nullopt;
    return scope.fix(QStringLiteral("Raise the attempt budget to %1").arg(wanted),
                     [wanted](chain::ChainSpec& changed) { changed.attemptBudget = int(wanted); });
}

const TierWorst* worstOf(const ChainScope& scope, std::size_t tier)
{
    const auto found = std::ranges::find(scope.worst.tiers, int(tier), &TierWorst::tier);
    return found == scope.worst.tiers.end() ? nullptr : &*found;
}

// ---- attempts

void budgetTooSmall(const ChainScope& scope, const Tell& tell)
{
    const int calling = callingTiers(scope);
    if (scope.spec.attemptBudget >= calling)
        return;
    tell(QStringLiteral("attempt_budget"),
         {QStringLiteral("with %1 attempts a request cannot reach all %2 tiers")
              .arg(scope.spec.attemptBudget)
              .arg(calling),
          QStringLiteral("The last ones do not help when the first ones are down"),
          QStringLiteral("Raise the attempt budget to %1 or more").arg(calling)},
         raiseBudget(scope));
}

void budgetUsedUp(const ChainScope& scope, const Tell& tell)
{
    if (scope.spec.attemptBudget < callingTiers(scope) || scope.calling.empty())
        return;
    const std::size_t last = scope.calling.back();
    const TierWorst* worst = worstOf(scope, last);
    if (!worst || worst->attempts > 0)
        return;
    tell(QStringLiteral("attempt_budget"),
         {QStringLiteral("the tiers before %1 may use up all %2 attempts")
              .arg(tierName(scope, last))
              .arg(scope.spec.attemptBudget),
          QStringLiteral("When they fail slowly, %1 is never asked").arg(tierName(scope, last)),
          QStringLiteral("Raise the attempt budget, or lower the tries of the tiers before")},
         raiseBudget(scope));
}

int timesAsked(const ChainScope& scope, int retries)
{
    return (retries + 1) * scope.worst.attempts;
}

void callerRetries(const ChainScope& scope, const Tell& tell)
{
    const int retries = scope.chain.caller.retries.value_or(0);
    const int all = timesAsked(scope, retries);
    if (retries <= 0 || all <= kManyAttempts || scope.worst.attempts < 2)
        return;
    tell(QStringLiteral("caller.retries"),
         {QStringLiteral("callers ask %1 times × %2 tries: %3 attempts for one question")
              .arg(retries + 1)
              .arg(scope.worst.attempts)
              .arg(all),
          QStringLiteral("Retries that multiply keep a provider down that is already struggling"),
          QStringLiteral("Set the caller's retries to 0 (max_retries in OpenAI's SDK): the chain retries for it")});
}

void sdkRetries(const ChainScope& scope, const Tell& tell)
{
    const int all = timesAsked(scope, kUsualRetries);
    if (scope.chain.caller.retries || all <= kManyAttempts)
        return;
    tell(QStringLiteral("caller.retries"),
         {QStringLiteral("OpenAI's SDK asks %1 times × %2 tries: %3 attempts")
              .arg(kUsualRetries + 1)
              .arg(scope.worst.attempts)
              .arg(all),
          QStringLiteral("Retries that multiply keep a provider down that is already struggling"),
          QStringLiteral("Set max_retries to 0 in the caller, and say here that it does not retry")});
}

// ---- time

/// When the last tier is reached if everything before it takes its longest, were there no deadline.
Nanos reachedAfter(const ChainScope& scope, const WorstCase& worst)
{
    Nanos spent = worst.limiterWait;
    for (const TierWorst& tier : worst.tiers) {
        if (tier.tier >= int(scope.calling.back()))
            break;
        spent = later(Instant(spent), later(Instant(tier.calling), tier.waiting).time_since_epoch()).time_since_epoch();
    }
    return spent;
}

Nanos wholeSecond(Nanos span)
{
    return std::chrono::ceil<std::chrono::seconds>(span);
}

/// A deadline with which the last tier gets one whole attempt; nothing when that would be beyond what anybody waits.
std::optional<Fix> raiseDeadline(const ChainScope& scope)
{
    chain::ChainSpec patient = scope.spec;
    patient.deadline = kMostDeadline;
    const Nanos spent = reachedAfter(scope, worstCaseOf(patient, scope.workspace, nullptr));
    const std::size_t last = scope.calling.back();
    const Nanos attempt = longestAttempt(patient, patient.tiers[last], scope.endpoints[last]);
    if (spent > kMostDeadline - attempt)
        return std::nullopt;
    const Nanos enough = wholeSecond(spent + attempt);
    if (enough > scope.chain.caller.waits.value_or(kMostDeadline))
        return std::nullopt;
    return scope.fix(QStringLiteral("Raise the deadline to %1").arg(spanWords(enough)),
                     [enough](chain::ChainSpec& changed) { changed.deadline = enough; });
}

void deadlineBeforeLastTier(const ChainScope& scope, const Tell& tell)
{
    if (scope.calling.size() < 2)
        return;
    const TierWorst* last = worstOf(scope, scope.calling.back());
    const Nanos spent = reachedAfter(scope, scope.worst);
    if (!last || last->attempts == 0 || spent < scope.spec.deadline)
        return;
    const QString name = tierName(scope, scope.calling.back());
    tell(QStringLiteral("deadline_ms"),
         {QStringLiteral("the deadline of %1 may be over before %2 is asked").arg(spanWords(scope.spec.deadline), name),
          QStringLiteral("The tiers before it may take %1 where an endpoint hangs instead of failing")
              .arg(spanWords(spent)),
          QStringLiteral("Shorten the attempt timeouts of the tiers, or raise the deadline")},
         raiseDeadline(scope));
}

void callerGivesUp(const ChainScope& scope, const Tell& tell)
{
    const auto waits = scope.chain.caller.waits;
    if (!waits || *waits <= Nanos::zero() || scope.worst.bounded <= *waits)
        return;
    tell(
        QStringLiteral("caller.waits_ms"),
        {QStringLiteral("the slowest path takes %1, callers give up after %2")
             .arg(spanWords(scope.worst.bounded), spanWords(*waits)),
         QStringLiteral("Answers that come later are paid for and read by nobody"),
         QStringLiteral("Lower the deadline to what callers wait, or let them wait longer")},
        scope.fix(QStringLiteral("Lower the deadline to %1").arg(spanWords(*waits)),
                  [most = *waits](chain::ChainSpec& changed) { changed.deadline = std::min(changed.deadline, most); }));
}

// ---- money

void dearerThanPaid(const ChainScope& scope, const Tell& tell)
{
    const auto pays = scope.chain.caller.pays;
    if (!pays || !scope.worst.cost || *scope.worst.cost <= *pays)
        return;
    const TypicalRequest typical;
    tell(QStringLiteral("caller.pays_usd"),
         {QStringLiteral("a request of %1 and %2 tokens may cost %3%4, and %5 is the most it may")
              .arg(typical.inputTokens)
              .arg(typical.outputTokens)
              .arg(scope.worst.costIsLowerBound ? QStringLiteral("at least ") : QString(),
                   cost::formatUsd(*scope.worst.cost), cost::formatUsd(*pays)),
          QStringLiteral("Attempts that broke off late are billed like answers, and up to %1 are made")
              .arg(scope.worst.attempts),
          QStringLiteral("Lower the attempt budget, or the tries of the dear tiers")});
}

constexpr ChainRule kRules[] = {
    {"budget_too_small", FindingLevel::Warning, "Fewer attempts than tiers", budgetTooSmall, true},
    {"budget_used_up", FindingLevel::Warning, "Tiers that may use up all attempts before the last one is asked",
     budgetUsedUp},
    {"caller_retries_multiply", FindingLevel::Warning, "The caller's retries times the chain's attempts",
     callerRetries},
    {"caller_gives_up", FindingLevel::Warning, "A slowest path longer than what the caller waits", callerGivesUp},
    {"dearer_than_paid", FindingLevel::Warning, "A dearest path above what the caller pays", dearerThanPaid},
    {"sdk_retries_multiply", FindingLevel::Note,
     "The same with an SDK's usual two retries, where nothing is said of the caller", sdkRetries},
    {"deadline_before_last_tier", FindingLevel::Note, "A deadline that hanging endpoints use up before the last tier",
     deadlineBeforeLastTier},
};

} // namespace

std::span<const ChainRule> worstCaseRules()
{
    return kRules;
}

} // namespace sg::workspace
