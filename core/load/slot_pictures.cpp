// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/slot_pictures.h"

#include "core/policy/text.h"
#include "core/provider/error.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace sg::load {

namespace {

constexpr int kRowsPerDecade = 5, kDecades = 6;

std::optional<float> ms(const stats::Histogram& histogram, double percentile)
{
    const auto value = histogram.percentile(percentile);
    return value ? std::optional(static_cast<float>(toMs(*value))) : std::nullopt;
}

QString causeWords(int cause)
{
    if (cause > 0)
        return QString::number(cause);
    return text(provider::toString(static_cast<provider::ErrorClass>(-cause))).replace(u'_', u' ');
}

/// The most frequent first, so that a colour stays with its cause for as long as that can be.
std::vector<int> causesIn(const measure::TimeAxis& axis)
{
    std::map<int, std::int64_t> counts;
    for (const auto& slot : axis.slots())
        for (const auto& [cause, count] : slot.causes)
            counts[cause] += count;
    std::vector<int> causes;
    for (const auto& [cause, count] : counts)
        causes.push_back(cause);
    std::ranges::stable_sort(causes, std::greater<>(), [&](int cause) { return counts[cause]; });
    return causes;
}

std::vector<std::int32_t> countsOf(const std::map<int, int>& counted, const std::vector<int>& keys)
{
    std::vector<std::int32_t> counts;
    counts.reserve(keys.size());
    for (const int key : keys) {
        const auto found = counted.find(key);
        counts.push_back(found == counted.end() ? 0 : found->second);
    }
    return counts;
}

RunSecond secondOf(const measure::TimeAxis::Slot& slot, double at, double width, const std::vector<int>& statuses)
{
    RunSecond second;
    second.second = at;
    second.width = width;
    second.answered = slot.answered;
    second.failed = slot.failed;
    second.attempts = slot.attempts;
    second.attemptsFailed = slot.attemptsFailed;
    second.requested = slot.requested;
    second.dispatched = slot.dispatched;
    second.dropped = slot.dropped;
    second.good = slot.good;
    second.outputTokens = slot.outputTokens;
    second.mostInFlight = slot.mostInFlight;
    second.statuses = countsOf(slot.statuses, statuses);
    return second;
}

} // namespace

const std::vector<double>& SlotPictures::heatEdgesMs()
{
    static const std::vector<double> edges = [] {
        std::vector<double> all;
        for (int i = 0; i <= kRowsPerDecade * kDecades; ++i)
            all.push_back(std::pow(10, static_cast<double>(i) / kRowsPerDecade));
        return all;
    }();
    return edges;
}

SlotPictures::Known SlotPictures::read(const stats::Histogram& latency)
{
    Known known{latency.count(), ms(latency, 50), ms(latency, 95), ms(latency, 99), {}};
    if (latency.empty())
        return known;
    const auto& edges = heatEdgesMs();
    const std::size_t rows = edges.size() - 1;
    known.heat.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        const Nanos from = row == 0 ? Nanos(0) : fromMs(edges[row]);
        const Nanos to = row + 1 == rows ? Nanos::max() : fromMs(edges[row + 1]);
        known.heat[row] = static_cast<std::uint32_t>(latency.countBetween(from, to));
    }
    return known;
}

void SlotPictures::fill(RunProgress& picture, const measure::TimeAxis& axis)
{
    if (axis.slotWidth() != slotWidth_) {
        slotWidth_ = axis.slotWidth();
        known_.clear(); // slots were put together: none is what it was
    }
    known_.resize(axis.slots().size());
    std::set<int> statuses;
    for (const auto& slot : axis.slots())
        for (const auto& [status, count] : slot.statuses)
            statuses.insert(status);
    // What was asked for first, then the failures, those without any answer last.
    picture.secondStatuses.assign(statuses.begin(), statuses.end());
    if (!picture.secondStatuses.empty() && picture.secondStatuses.front() == 0)
        std::ranges::rotate(picture.secondStatuses, picture.secondStatuses.begin() + 1);
    picture.heatEdgesMs = heatEdgesMs();
    const std::vector<int> causes = causesIn(axis);
    for (const int cause : causes)
        picture.attemptCauses.push_back(causeWords(cause));
    const double width = toMs(axis.slotWidth()) / 1000;
    picture.seconds.reserve(axis.slots().size());
    for (std::size_t i = 0; i < axis.slots().size(); ++i) {
        const auto& slot = axis.slots()[i];
        Known& known = known_[i];
        if (known.count != slot.latency.count())
            known = read(slot.latency);
        RunSecond second = secondOf(slot, static_cast<double>(i) * width, width, picture.secondStatuses);
        second.p50Ms = known.p50Ms;
        second.p95Ms = known.p95Ms;
        second.p99Ms = known.p99Ms;
        second.heat = known.heat;
        second.causes = countsOf(slot.causes, causes);
        picture.seconds.push_back(std::move(second));
    }
}

} // namespace sg::load
