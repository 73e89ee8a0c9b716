// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/spec.h"

#include <QString>

#include <array>
#include <optional>
#include <string_view>

namespace sg::load {

/// What a chain does between an attempt that failed and the next one on the same tier.
enum class Strategy { NoRetry, Immediate, Exponential, EqualJitter, FullJitter, DecorrelatedJitter };
inline constexpr std::array kStrategies{Strategy::NoRetry,     Strategy::Immediate,  Strategy::Exponential,
                                        Strategy::EqualJitter, Strategy::FullJitter, Strategy::DecorrelatedJitter};
std::string_view toString(Strategy strategy); // "none", "immediate", "exponential", "equal", "full", "decorrelated"
std::optional<Strategy> strategyNamed(std::string_view name);
QString inWords(Strategy strategy); ///< "full jitter"
QString formulaOf(Strategy strategy);

/// What all strategies of a comparison share. Empty: the tier's own; a tier without a backoff has BackoffPolicy's.
struct StrategySettings
{
    std::optional<int> retries; ///< 0..50 a tier
    std::optional<double> baseMs, capMs;
    bool operator==(const StrategySettings&) const = default;
};

/// The chain with this strategy in each of its tiers; nothing else is changed, but that the attempt budget grows where
/// given retries need more of it. A server's wait is kept by each strategy: wait = max(backoff, hint).
chain::ChainSpec withStrategy(chain::ChainSpec spec, Strategy strategy, const StrategySettings& settings = {});

/// Whether the strategies differ at all on this chain: a tier that is switched on tries more than once.
bool retries(const chain::ChainSpec& spec);

} // namespace sg::load
