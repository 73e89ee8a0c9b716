// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/chains/chain_facts.h"

#include <functional>

/// Parts of chainFacts() that need little: the nodes before the stairs, the canned reply, and the tags of a line.
namespace sg::ui::facts {

NodeFacts limiterFacts(const chain::LimiterSpec& limiter, const observe::ChainView* view); ///< null: no traffic
NodeFacts cacheFacts(const chain::CacheSpec& cache, const observe::ChainView* view);
NodeFacts routerFacts(const chain::RouterSpec& router);
NodeFacts cannedFacts(const chain::TierSpec& tier);

/// What moves traffic on from a step, those seen first. `moved` counts requests that left for a cause.
std::vector<Tag> tagsOf(const chain::ChainSpec& spec, const layout::Step& step,
                        const std::function<std::int64_t(observe::MovedBy)>& moved,
                        const std::function<bool(const chain::TierSpec&)>& isHalfOpen);

QString shareText(int tenths); ///< "62.9 %", "0 %", "100 %"

} // namespace sg::ui::facts
