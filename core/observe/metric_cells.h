// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/record.h"
#include "core/observe/metric_store.h"
#include "core/observe/recorder.h"

#include <unordered_map>

/// The cells of one endpoint and of one chain, found once and kept: a fact then costs no search among labels.
namespace sg::observe {

class EndpointCells
{
public:
    EndpointCells(MetricStore& store, const EndpointInfo& info);
    /// Another model or address behind the same name is counted under labels of its own.
    void setInfo(const EndpointInfo& info);
    /// Lets the counter of its successes begin at 0.
    void begin();
    void count(const chain::AttemptRecord& attempt, Operation operation);

private:
    enum TokenType { Input, Output, InputCached, InputCacheWrite, OutputReasoning, kTokenTypes };
    static constexpr std::size_t kErrors = provider::kErrorClassCount;
    /// The cells with GenAI's labels, for one operation.
    struct GenAi
    {
        std::array<HistogramCell*, kErrors> durations{};
        HistogramCell* firstChunk = nullptr;
        HistogramCell* perToken = nullptr;
        std::array<HistogramCell*, 2> usage{};
    };

    CounterCell& attempts(provider::ErrorClass error);
    HistogramCell& genAi(HistogramCell*& cell, Metric metric, Operation operation, std::string_view last = {});
    void countTimes(const chain::AttemptRecord& attempt, Operation operation);
    void countTokens(const chain::AttemptRecord& attempt, Operation operation);
    void countTokens(TokenType type, std::optional<std::int64_t> tokens, bool estimated);

    MetricStore& store_;
    std::string name_;
    std::vector<std::string> labels_;          ///< of GenAi's families, the operation first
    std::array<GenAi, kOperationCount> genAi_; ///< by Operation
    std::array<CounterCell*, kErrors> attempts_{};
    std::array<std::array<CounterCell*, kTokenTypes>, 2> tokens_{};
    CounterCell* withoutUsage_ = nullptr;
};

class ChainCells
{
public:
    ChainCells(MetricStore& store, std::string name);
    void setHasCache(bool hasCache) { hasCache_ = hasCache; }
    bool hasCache() const { return hasCache_; }
    /// Lets what alerts divide by begin at 0.
    void begin();
    void count(const chain::RunRecord& record, Instant intended, const RequestMoney& money);

private:
    static constexpr std::size_t kEndings = 4, kSources = 5, kWaits = 3, kResults = 3;
    static constexpr std::size_t kMoves = static_cast<std::size_t>(chain::MoveReason::NoRuleMatched) + 1;
    using Moves = std::array<CounterCell*, kMoves>;

    CounterCell& own(CounterCell*& cell, Metric metric);
    CounterCell& requests(chain::Ending ending, chain::Source source);
    HistogramCell& duration(const chain::RunRecord& record);
    CounterCell& moves(const chain::MoveRecord& move);
    void countWait(const chain::WaitRecord& wait, Instant ended);
    /// Whether the request came as far as the cache.
    bool countSteps(const chain::RunRecord& record, Instant intended);
    void countLookup(chain::Source source);
    void countMoney(const RequestMoney& money);

    MetricStore& store_;
    std::string name_;
    bool hasCache_ = false;
    std::array<std::array<CounterCell*, kSources>, kEndings> requests_{};
    /// By source, then by error; the last two places are "cancelled" and a failure without a class.
    std::array<std::array<HistogramCell*, provider::kErrorClassCount + 2>, kSources> durations_{};
    HistogramCell* firstToken_ = nullptr;
    std::array<HistogramCell*, kWaits> waits_{};
    std::array<CounterCell*, kResults> lookups_{};
    CounterCell* cost_ = nullptr;
    CounterCell* estimated_ = nullptr;
    CounterCell* saved_ = nullptr;
    CounterCell* unpriced_ = nullptr;
    std::unordered_map<std::string, Moves> moves_; ///< by the endpoint that was left
};

} // namespace sg::observe
