// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/strategies.h"

#include <algorithm>

namespace sg::load {

namespace {

using policy::BackoffKind;
using policy::BackoffPolicy;
using policy::JitterType;

constexpr std::array kNames{"none", "immediate", "exponential", "equal", "full", "decorrelated"};

JitterType jitterOf(Strategy strategy)
{
    switch (strategy) {
    case Strategy::EqualJitter:
        return JitterType::Equal;
    case Strategy::FullJitter:
        return JitterType::Full;
    case Strategy::DecorrelatedJitter:
        return JitterType::Decorrelated;
    default:
        return JitterType::None;
    }
}

BackoffPolicy policyOf(Strategy strategy, const BackoffPolicy& own, const StrategySettings& settings)
{
    BackoffPolicy policy;
    if (strategy == Strategy::NoRetry || strategy == Strategy::Immediate) {
        policy.kind = BackoffKind::None;
        return policy;
    }
    if (own.kind != BackoffKind::None) {
        policy.baseMs = own.baseMs;
        policy.capMs = own.capMs;
    }
    policy.baseMs = settings.baseMs.value_or(policy.baseMs);
    policy.capMs = std::max(policy.baseMs, settings.capMs.value_or(policy.capMs));
    policy.jitter.type = jitterOf(strategy);
    return policy;
}

} // namespace

std::string_view toString(Strategy strategy)
{
    return kNames[static_cast<std::size_t>(strategy)];
}

std::optional<Strategy> strategyNamed(std::string_view name)
{
    const auto found = std::ranges::find(kNames, name, [](const char* known) { return std::string_view(known); });
    return found == kNames.end() ? std::nullopt : std::optional(static_cast<Strategy>(found - kNames.begin()));
}

QString inWords(Strategy strategy)
{
    const std::array words{QStringLiteral("no retry"),          QStringLiteral("immediate retry"),
                           QStringLiteral("fixed exponential"), QStringLiteral("equal jitter"),
                           QStringLiteral("full jitter"),       QStringLiteral("decorrelated jitter")};
    return words[static_cast<std::size_t>(strategy)];
}

QString formulaOf(Strategy strategy)
{
    const QString e = QStringLiteral("e = min(cap, base · 2ⁿ)");
    const std::array formulas{
        QStringLiteral("one attempt a tier"),
        QStringLiteral("0"),
        e,
        QStringLiteral("e/2 + U(0, e/2), ") + e,
        QStringLiteral("U(0, e), ") + e,
        QStringLiteral("min(cap, U(base, 3 · previous)); previous begins at base, for each request"),
    };
    return formulas[static_cast<std::size_t>(strategy)];
}

chain::ChainSpec withStrategy(chain::ChainSpec spec, Strategy strategy, const StrategySettings& settings)
{
    int attempts = 0;
    for (chain::TierSpec& tier : spec.tiers) {
        if (tier.kind != chain::TierKind::Endpoint)
            continue;
        if (settings.retries)
            tier.maxAttempts = *settings.retries + 1;
        if (strategy == Strategy::NoRetry)
            tier.maxAttempts = 1;
        tier.backoff = policyOf(strategy, tier.backoff, settings);
        tier.backoffPolicy.clear();
        attempts += tier.enabled ? tier.maxAttempts : 0;
    }
    if (settings.retries)
        spec.attemptBudget = std::max(spec.attemptBudget, attempts);
    return spec;
}

bool retries(const chain::ChainSpec& spec)
{
    return spec.attemptBudget > 1 && std::ranges::any_of(spec.tiers, [](const chain::TierSpec& tier) {
               return tier.enabled && tier.kind == chain::TierKind::Endpoint && tier.maxAttempts > 1;
           });
}

} // namespace sg::load
