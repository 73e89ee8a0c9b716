// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/strip/strip_picture.h"

#include <algorithm>

namespace sg::ui {

namespace {

std::optional<float> higher(std::optional<float> a, std::optional<float> b)
{
    return a && b ? std::max(*a, *b) : a ? a : b;
}

template <typename Number>
void addUp(std::vector<Number>& sum, const std::vector<Number>& more)
{
    sum.resize(std::max(sum.size(), more.size()));
    for (std::size_t i = 0; i < more.size(); ++i)
        sum[i] += more[i];
}

void join(StripMoment& into, const StripMoment& next)
{
    const auto width = static_cast<float>(into.width), more = static_cast<float>(next.width);
    const auto weighed = [&](float a, float b) {
        return width + more > 0 ? (a * width + b * more) / (width + more) : a;
    };
    if (into.due && next.due)
        into.due = weighed(*into.due, *next.due);
    else if (next.due)
        into.due = next.due;
    into.sent = weighed(into.sent, next.sent);
    into.answered = weighed(into.answered, next.answered);
    into.p50Ms = higher(into.p50Ms, next.p50Ms);
    into.p95Ms = higher(into.p95Ms, next.p95Ms);
    into.p99Ms = higher(into.p99Ms, next.p99Ms);
    into.inFlight = std::max(into.inFlight, next.inFlight);
    addUp(into.statuses, next.statuses);
    addUp(into.heat, next.heat);
    addUp(into.causes, next.causes);
    into.tries += next.tries;
    into.triesFailed += next.triesFailed;
    into.width = next.second + next.width - into.second;
}

} // namespace

StripPicture reduced(StripPicture picture, std::size_t most)
{
    const std::size_t count = picture.moments.size();
    const std::size_t each = (count + most - 1) / std::max<std::size_t>(1, most);
    if (each <= 1)
        return picture;
    std::vector<StripMoment> fewer;
    for (std::size_t i = 0; i < count; ++i) {
        if (i % each == 0)
            fewer.push_back(std::move(picture.moments[i]));
        else
            join(fewer.back(), picture.moments[i]);
    }
    picture.moments = std::move(fewer);
    return picture;
}

std::optional<double> askedAt(const StripPicture& picture, double second)
{
    const auto& corners = picture.planned;
    for (std::size_t i = 1; i < corners.size(); ++i) {
        const auto& [from, low] = corners[i - 1];
        const auto& [to, high] = corners[i];
        if (second >= from && second < to)
            return low + (high - low) * (second - from) / (to - from);
    }
    return std::nullopt;
}

const StripMoment* momentAt(const StripPicture& picture, double second)
{
    const auto after =
        std::ranges::upper_bound(picture.moments, second, {}, [](const StripMoment& moment) { return moment.second; });
    if (after == picture.moments.begin())
        return nullptr;
    const StripMoment& moment = *std::prev(after);
    return second < moment.second + moment.width ? &moment : nullptr;
}

} // namespace sg::ui
