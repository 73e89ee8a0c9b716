// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/attempt_limits.h"

#include <algorithm>

namespace sg::policy {

namespace {

__extension__ typedef __int128 Wide;
constexpr std::chrono::seconds kBase{60}, kMiniBase{30}, kClaudeBase{45};

Nanos saturated(Wide nanos)
{
    return Nanos(static_cast<std::int64_t>(std::min<Wide>(nanos, Nanos::max().count())));
}

} // namespace

Nanos usualBase(std::string_view model)
{
    const std::string_view name = model.substr(model.rfind('/') + 1); // npos + 1 is 0
    if (name.starts_with("gpt-4o-mini"))
        return kMiniBase;
    return name.starts_with("claude") ? kClaudeBase : kBase;
}

Nanos totalFor(const TaskTimeout& timeout, std::string_view model, std::optional<std::int64_t> maxTokens)
{
    const Nanos base = timeout.base ? *timeout.base : usualBase(model);
    if (!maxTokens || *maxTokens <= 0)
        return base;
    const Wide byTokens = static_cast<Wide>(timeout.per100Tokens.count()) * *maxTokens / 100;
    return std::min(base, saturated(byTokens + timeout.floor.count()));
}

RateWatch::RateWatch(const RateFloor& floor, Instant start)
    : floor_(floor)
    , start_(start)
{
}

bool RateWatch::isTooSlow(Instant now)
{
    if (now < due())
        return false;
    // By the window's own length: an event loop that comes late has not made the answer slow.
    const double least = floor_.tokensPerSecond * toMs(floor_.window) / 1000;
    const bool slow = tokens_ < least;
    start_ = now;
    tokens_ = 0;
    return slow;
}

void RateWatch::stoodStill(Instant from, Instant to)
{
    start_ += std::max(to - std::max(from, start_), Nanos::zero());
}

} // namespace sg::policy
