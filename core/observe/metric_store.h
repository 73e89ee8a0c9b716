// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/exposition.h"
#include "core/policy/time.h"

#include <array>
#include <map>

namespace sg::observe {

struct CounterCell
{
    std::int64_t value = 0;
    /// `more` >= 0. Stays at the largest number rather than begin anew: what providers report may be any number.
    void add(std::int64_t more = 1);
};

/// Upper bounds of buckets, as OpenTelemetry advises them.
struct Bounds
{
    std::vector<std::int64_t> upTo; ///< rising
    std::vector<std::string> text;  ///< as "le" says them
    int sumDecimals = 0;
};

class HistogramCell
{
public:
    explicit HistogramCell(const Bounds& bounds)
        : bounds_(&bounds)
    {
    }
    void record(Nanos span);             ///< of a family in seconds; negative counts as 0
    void recordCount(std::int64_t many); ///< of any other
    void write(std::string_view labels, ExpositionWriter& writer) const;

private:
    static constexpr std::size_t kMostBounds = 14;
    void count(std::int64_t value);
    const Bounds* bounds_;
    std::array<std::int64_t, kMostBounds + 1> counts_{};
    CounterCell sum_; ///< microseconds: nanoseconds of 10,000 requests at once would last ten days
};

/// Counters and histograms by their sets of labels. A cell stays where it is. Not thread-safe.
class MetricStore
{
public:
    explicit MetricStore(std::size_t maxLabelSets)
        : maxLabelSets_(maxLabelSets)
    {
    }

    /// The one with these values (in the order of the table), or the one for all that found no room.
    CounterCell& counter(Metric metric, const std::vector<std::string>& values);
    HistogramCell& histogram(Metric metric, const std::vector<std::string>& values);

    bool isFull() const { return labelSets_ >= maxLabelSets_; }
    std::size_t labelSets() const { return labelSets_; }
    std::int64_t overflows() const { return overflows_; }

    /// All of a family, in the order of their labels.
    void write(Metric metric, ExpositionWriter& writer) const;

private:
    template <typename Cell, typename... Args>
    Cell& cellOf(std::map<std::string, Cell>& cells, Metric metric, const std::vector<std::string>& values,
                 Args&&... args);

    std::size_t maxLabelSets_;
    std::size_t labelSets_ = 0;
    std::int64_t overflows_ = 0;
    std::array<std::map<std::string, CounterCell>, kMetricCount> counters_;
    std::array<std::map<std::string, HistogramCell>, kMetricCount> histograms_;
};

} // namespace sg::observe
