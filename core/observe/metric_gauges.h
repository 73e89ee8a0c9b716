// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/metrics.h"

#include <functional>

namespace sg::observe {

/// What is so at the moment of a look, by family. One look, one object.
class MetricGauges
{
public:
    using Value = std::variant<std::int64_t, double>;

    void add(Metric metric, Value value, std::vector<std::string> labels = {});
    void add(const Snapshot& now, const std::function<bool(const std::string& chain)>& hasCache);
    void add(const GatewayGauges& gateway);
    /// `started`: processStart().
    void addProcess(std::optional<double> started);

    /// The samples of a family; the writer has begun it.
    void write(Metric metric, ExpositionWriter& writer) const;

private:
    struct Sample
    {
        std::string labels;
        Value value;
    };
    void addEndpoint(const EndpointView& endpoint);
    void addChain(const ChainView& chain, bool hasCache);
    void addBreaker(const EndpointView& endpoint);

    std::array<std::vector<Sample>, kMetricCount> samples_;
};

} // namespace sg::observe
