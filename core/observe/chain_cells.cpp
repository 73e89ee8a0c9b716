// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/metric_cells.h"

#include <algorithm>

namespace sg::observe {

using chain::Ending;
using chain::Source;
using provider::ErrorClass;

namespace {

/// Not the first words that a record has for "none": of an answer without a source nobody asks.
std::string textOf(Source source)
{
    return source == Source::None ? std::string() : std::string(chain::toString(source));
}

bool isFromCache(Source source)
{
    return source == Source::Cache || source == Source::SharedCall;
}

constexpr std::size_t kCancelledPlace = provider::kErrorClassCount;
constexpr std::size_t kOtherPlace = kCancelledPlace + 1;

std::size_t errorPlace(const chain::RunRecord& record)
{
    if (record.ending == Ending::Answered)
        return 0;
    if (record.ending != Ending::Failed)
        return kCancelledPlace;
    const auto error = static_cast<std::size_t>(record.error.disposition.error);
    return error != 0 ? error : kOtherPlace;
}

std::string errorText(std::size_t place)
{
    if (place == 0)
        return {};
    if (place == kOtherPlace)
        return "_OTHER"; // as the conventions call it
    return std::string(
        provider::toString(place == kCancelledPlace ? ErrorClass::Cancelled : static_cast<ErrorClass>(place)));
}

} // namespace

ChainCells::ChainCells(MetricStore& store, std::string name)
    : store_(store)
    , name_(std::move(name))
{
}

void ChainCells::begin()
{
    requests(Ending::Answered, Source::Endpoint);
    requests(Ending::Failed, Source::None);
    own(cost_, Metric::Cost);
    own(unpriced_, Metric::RequestsUnpriced);
}

CounterCell& ChainCells::own(CounterCell*& cell, Metric metric)
{
    if (cell == nullptr)
        cell = &store_.counter(metric, {name_});
    return *cell;
}

CounterCell& ChainCells::requests(Ending ending, Source source)
{
    CounterCell*& cell = requests_[static_cast<std::size_t>(ending)][static_cast<std::size_t>(source)];
    if (cell == nullptr)
        cell = &store_.counter(Metric::Requests, {name_, std::string(chain::toString(ending)), textOf(source)});
    return *cell;
}

HistogramCell& ChainCells::duration(const chain::RunRecord& record)
{
    const std::size_t place = errorPlace(record);
    HistogramCell*& cell = durations_[static_cast<std::size_t>(record.source)][place];
    if (cell == nullptr)
        cell = &store_.histogram(Metric::RequestDuration, {name_, textOf(record.source), errorText(place)});
    return *cell;
}

CounterCell& ChainCells::moves(const chain::MoveRecord& move)
{
    const auto reason = static_cast<std::size_t>(move.reason);
    const auto labels = [&] {
        return std::vector<std::string>{name_, move.endpoint, std::string(chain::toString(move.reason))};
    };
    auto known = moves_.find(move.endpoint);
    if (known == moves_.end()) {
        // Without room for its label sets there is none here either.
        if (store_.isFull())
            return store_.counter(Metric::Fallbacks, labels());
        known = moves_.try_emplace(move.endpoint, Moves{}).first;
    }
    CounterCell*& cell = known->second[reason];
    if (cell == nullptr)
        cell = &store_.counter(Metric::Fallbacks, labels());
    return *cell;
}

void ChainCells::countWait(const chain::WaitRecord& wait, Instant ended)
{
    HistogramCell*& cell = waits_[static_cast<std::size_t>(wait.reason)];
    if (cell == nullptr)
        cell = &store_.histogram(Metric::Waits, {name_, std::string(chain::toString(wait.reason))});
    cell->record(std::min(wait.until, ended) - wait.from);
}

bool ChainCells::countSteps(const chain::RunRecord& record, Instant intended)
{
    const bool answered = record.ending == Ending::Answered && record.source == Source::Endpoint;
    bool beyondLimiter = false;
    for (const chain::Step& step : record.steps) {
        if (const auto* attempt = std::get_if<chain::AttemptRecord>(&step)) {
            beyondLimiter = true;
            const bool isAnswer = answered && attempt->error.disposition.error == ErrorClass::None;
            if (!isAnswer || !attempt->timing.firstToken)
                continue;
            if (firstToken_ == nullptr)
                firstToken_ = &store_.histogram(Metric::RequestTimeToFirstToken, {name_});
            firstToken_->record(*attempt->timing.firstToken - intended);
        } else if (const auto* wait = std::get_if<chain::WaitRecord>(&step)) {
            countWait(*wait, record.ended);
        } else {
            beyondLimiter = true;
            moves(std::get<chain::MoveRecord>(step)).add();
        }
    }
    return beyondLimiter || record.source != Source::None;
}

void ChainCells::countLookup(Source source)
{
    static constexpr std::array<const char*, kResults> kNames{"hit", "shared", "miss"};
    const std::size_t result = source == Source::Cache ? 0 : source == Source::SharedCall ? 1 : 2;
    CounterCell*& cell = lookups_[result];
    if (cell == nullptr)
        cell = &store_.counter(Metric::CacheLookups, {name_, kNames[result]});
    cell->add();
}

void ChainCells::countMoney(const RequestMoney& money)
{
    own(cost_, Metric::Cost).add(money.cost.value_or(0));
    if (!money.cost || money.costIsLowerBound)
        own(unpriced_, Metric::RequestsUnpriced).add();
    if (money.estimated > 0)
        own(estimated_, Metric::CostEstimated).add(money.estimated);
    if (money.saved)
        own(saved_, Metric::CacheSaved).add(*money.saved);
}

void ChainCells::count(const chain::RunRecord& record, Instant intended, const RequestMoney& money)
{
    requests(record.ending, record.source).add();
    duration(record).record(record.ended - intended);
    const bool cameToCache = countSteps(record, intended);
    if (isFromCache(record.source) || (hasCache_ && cameToCache))
        countLookup(record.source);
    countMoney(money);
}

} // namespace sg::observe
