// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/metric_store.h"

#include <algorithm>
#include <limits>

namespace sg::observe {

namespace {

std::int64_t fromSeconds(double seconds)
{
    return static_cast<std::int64_t>(seconds * 1e9 + 0.5);
}

Bounds inSeconds(std::vector<std::string> text)
{
    Bounds bounds{{}, std::move(text), 6};
    for (const std::string& one : bounds.text)
        bounds.upTo.push_back(fromSeconds(std::stod(one)));
    return bounds;
}

Bounds inTokens(std::vector<std::string> text)
{
    Bounds bounds{{}, std::move(text), 0};
    for (const std::string& one : bounds.text)
        bounds.upTo.push_back(static_cast<std::int64_t>(std::stod(one)));
    return bounds;
}

/// The buckets that the GenAI conventions advise, in the spelling that OpenMetrics asks of "le" (Go's %g with a point).
const Bounds& boundsOf(Metric metric)
{
    static const Bounds durations = inSeconds({"0.01", "0.02", "0.04", "0.08", "0.16", "0.32", "0.64", "1.28", "2.56",
                                               "5.12", "10.24", "20.48", "40.96", "81.92"});
    static const Bounds perToken =
        inSeconds({"0.01", "0.025", "0.05", "0.075", "0.1", "0.15", "0.2", "0.3", "0.4", "0.5", "0.75", "1.0", "2.5"});
    static const Bounds tokens =
        inTokens({"1.0", "4.0", "16.0", "64.0", "256.0", "1024.0", "4096.0", "16384.0", "65536.0", "262144.0",
                  "1.048576e+06", "4.194304e+06", "1.6777216e+07", "6.7108864e+07"});
    if (metric == Metric::TimePerOutputToken)
        return perToken;
    return metric == Metric::TokenUsage ? tokens : durations;
}

int decimalsOf(Metric metric)
{
    const bool money = metric == Metric::Cost || metric == Metric::CostEstimated || metric == Metric::CacheSaved;
    return money ? 9 : 0; // nano-dollars
}

} // namespace

void CounterCell::add(std::int64_t more)
{
    if (more > 0 && __builtin_add_overflow(value, more, &value))
        value = std::numeric_limits<std::int64_t>::max();
}

void HistogramCell::count(std::int64_t value)
{
    const auto bucket = std::lower_bound(bounds_->upTo.begin(), bounds_->upTo.end(), value);
    ++counts_[static_cast<std::size_t>(bucket - bounds_->upTo.begin())];
}

void HistogramCell::record(Nanos span)
{
    const std::int64_t ns = std::max<std::int64_t>(0, span.count());
    count(ns);
    sum_.add((ns + 500) / 1000);
}

void HistogramCell::recordCount(std::int64_t many)
{
    many = std::max<std::int64_t>(0, many);
    count(many);
    sum_.add(many);
}

void HistogramCell::write(std::string_view labels, ExpositionWriter& writer) const
{
    writer.histogram(labels, bounds_->text, counts_.data(), sum_.value, bounds_->sumDecimals);
}

template <typename Cell, typename... Args>
Cell& MetricStore::cellOf(std::map<std::string, Cell>& cells, Metric metric, const std::vector<std::string>& values,
                          Args&&... args)
{
    const std::string labels = labelText(infoOf(metric), values);
    if (const auto known = cells.find(labels); known != cells.end())
        return known->second;
    if (!isFull()) {
        ++labelSets_;
        return cells.try_emplace(labels, std::forward<Args>(args)...).first->second;
    }
    ++overflows_;
    const std::vector<std::string> other(infoOf(metric).labels.size(), "other");
    return cells.try_emplace(labelText(infoOf(metric), other), std::forward<Args>(args)...).first->second;
}

CounterCell& MetricStore::counter(Metric metric, const std::vector<std::string>& values)
{
    return cellOf(counters_[static_cast<std::size_t>(metric)], metric, values);
}

HistogramCell& MetricStore::histogram(Metric metric, const std::vector<std::string>& values)
{
    return cellOf(histograms_[static_cast<std::size_t>(metric)], metric, values, boundsOf(metric));
}

void MetricStore::write(Metric metric, ExpositionWriter& writer) const
{
    writer.begin(metric);
    for (const auto& [labels, cell] : counters_[static_cast<std::size_t>(metric)])
        writer.scaled(labels, cell.value, decimalsOf(metric));
    for (const auto& [labels, cell] : histograms_[static_cast<std::size_t>(metric)])
        cell.write(labels, writer);
}

} // namespace sg::observe
