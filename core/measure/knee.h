// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <span>
#include <string_view>

namespace sg::measure {

/// One step of a sweep over rates.
struct KneePoint
{
    double requestedRate = 0;           ///< a second, on average
    double achievedRate = 0;            ///< of answers
    std::optional<double> p50Ms, p99Ms; ///< response time of successes
    std::optional<double> successShare; ///< 0..1; empty: nothing has ended
    std::optional<double> dueRate{};    ///< arrivals that chance made of the requested rate; empty: just that
};

enum class KneeSign {
    None,
    RateNotReached, ///< answers came at less than 95 % of the rate at which requests were due
    LatencyDoubled, ///< p99 is above twice that of the first step
    Failures,       ///< more than 1 % of what ended failed, and more than twice as many as at the first step
};
std::string_view toString(KneeSign sign);

/// Why a step does not hold, measured by the first one; None: it does, or no request was due in it.
KneeSign kneeSignOf(const KneePoint& point, const KneePoint& first);

struct Knee
{
    std::optional<std::size_t> last; ///< the last step that held; empty: not even the first
    KneeSign sign = KneeSign::None;  ///< of the step after it; None: every step held
};
/// Points in order of their rates. Beyond the first step that does not hold nothing is looked at.
Knee kneeOf(std::span<const KneePoint> points);

} // namespace sg::measure
