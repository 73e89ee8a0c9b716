// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/time_axis.h"

#include <algorithm>

namespace sg::measure {

TimeAxis::Slot& TimeAxis::at(Instant moment)
{
    const Nanos since = std::max(Nanos(0), moment - start_);
    while (static_cast<std::size_t>(since / slotWidth_) >= kMostSlots)
        halveResolution();
    const auto index = static_cast<std::size_t>(since / slotWidth_);
    if (index >= slots_.size())
        slots_.resize(index + 1);
    return slots_[index];
}

void TimeAxis::halveResolution()
{
    std::vector<Slot> coarser((slots_.size() + 1) / 2);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        Slot& to = coarser[i / 2];
        const Slot& from = slots_[i];
        to.answered += from.answered;
        to.failed += from.failed;
        to.good += from.good;
        to.attempts += from.attempts;
        to.attemptsFailed += from.attemptsFailed;
        to.requested += from.requested;
        to.dispatched += from.dispatched;
        to.dropped += from.dropped;
        to.outputTokens += from.outputTokens;
        to.mostInFlight = std::max(to.mostInFlight, from.mostInFlight);
        for (const auto& [status, count] : from.statuses)
            to.statuses[status] += count;
        for (const auto& [cause, count] : from.causes)
            to.causes[cause] += count;
        to.latency.add(from.latency);
    }
    slots_ = std::move(coarser);
    slotWidth_ *= 2;
}

} // namespace sg::measure
