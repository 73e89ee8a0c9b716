// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/breaker_story.h"

#include <QJsonArray>

#include <algorithm>

namespace sg::load {

namespace {

using policy::BreakerState;

constexpr BreakerState kStates[] = {BreakerState::Closed,     BreakerState::Open,         BreakerState::HalfOpen,
                                    BreakerState::ForcedOpen, BreakerState::ForcedClosed, BreakerState::MetricsOnly};

BreakerState stateNamed(const QJsonValue& name)
{
    const std::string word = name.toString().toStdString();
    const auto found =
        std::ranges::find(kStates, word, [](BreakerState state) { return std::string(policy::toString(state)); });
    return found == std::end(kStates) ? BreakerState::Closed : *found;
}

bool isOpen(BreakerState state)
{
    return state == BreakerState::Open || state == BreakerState::ForcedOpen;
}

void add(BreakerStory& story, BreakerState state, double from, double to)
{
    story.spans.push_back({state, from, to});
    if (!isOpen(state))
        return;
    story.openSeconds += to - from;
    ++story.trips;
    if (!story.firstOpen)
        story.firstOpen = from;
}

} // namespace

std::vector<BreakerStory> breakerStoriesIn(const QJsonObject& report)
{
    std::vector<BreakerStory> stories;
    const double end = report.value(QLatin1String("wall_ms")).toDouble() / 1000;
    const QJsonArray breakers = report.value(QLatin1String("breakers")).toArray();
    for (const QJsonValue& breaker : breakers) {
        BreakerStory story;
        story.endpoint = breaker[QLatin1String("endpoint")].toString().toStdString();
        double from = 0;
        BreakerState state = stateNamed(breaker[QLatin1String("state")]);
        const QJsonArray transitions = breaker[QLatin1String("transitions")].toArray();
        for (const QJsonValue& change : transitions) {
            const double at = std::clamp(change[QLatin1String("at_ms")].toDouble() / 1000, from, std::max(from, end));
            add(story, stateNamed(change[QLatin1String("from")]), from, at);
            state = stateNamed(change[QLatin1String("to")]);
            from = at;
        }
        add(story, state, from, std::max(from, end));
        stories.push_back(std::move(story));
    }
    return stories;
}

} // namespace sg::load
