// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/time_axis.h"

#include <QDateTime>

#include <algorithm>

namespace sg::ui {

double TimeAxis::xOf(std::int64_t unixMs) const
{
    const double share =
        static_cast<double>(unixMs - fromMs) / static_cast<double>(std::max<std::int64_t>(1, toMs - fromMs));
    return left + share * (right - left);
}

std::int64_t TimeAxis::timeAt(double x) const
{
    const double share = std::clamp((x - left) / std::max(1.0, right - left), 0.0, 1.0);
    return fromMs + static_cast<std::int64_t>(share * static_cast<double>(toMs - fromMs));
}

std::vector<std::int64_t> TimeAxis::ticks(int atMost) const
{
    constexpr std::int64_t kMinute = 60'000;
    constexpr std::int64_t kSteps[] = {10'000,        30'000,        kMinute,       2 * kMinute,   3 * kMinute,
                                       5 * kMinute,   10 * kMinute,  15 * kMinute,  30 * kMinute,  60 * kMinute,
                                       120 * kMinute, 240 * kMinute, 360 * kMinute, 720 * kMinute, 1440 * kMinute};
    std::int64_t step = kSteps[0];
    for (std::int64_t candidate : kSteps) {
        step = candidate;
        if ((toMs - fromMs) / step <= std::max(1, atMost))
            break;
    }
    const std::int64_t offset = QDateTime::fromMSecsSinceEpoch(toMs).offsetFromUtc() * std::int64_t{1000};
    std::vector<std::int64_t> ticks;
    for (std::int64_t t = ((fromMs + offset) / step + 1) * step - offset; t <= toMs; t += step)
        ticks.push_back(t);
    return ticks;
}

} // namespace sg::ui
