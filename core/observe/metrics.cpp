// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/metrics.h"

#include "core/chain/chain_state.h"
#include "core/observe/metric_cells.h"
#include "core/observe/metric_gauges.h"
#include "core/observe/process_figures.h"

namespace sg::observe {

struct Metrics::Impl
{

    EndpointCells& endpoint(const std::string& name)
    {
        if (const auto known = endpoints.find(name); known != endpoints.end())
            return known->second;
        if (store.isFull())
            return otherEndpoint;
        return endpoints.try_emplace(name, store, EndpointInfo{name, {}, {}, {}}).first->second;
    }

    ChainCells& chain(const std::string& name)
    {
        if (const auto known = chains.find(name); known != chains.end())
            return known->second;
        if (store.isFull())
            return otherChain;
        return chains.try_emplace(name, store, name).first->second;
    }

    bool hasCache(const std::string& name) const
    {
        const auto known = chains.find(name);
        return known != chains.end() && known->second.hasCache();
    }

    MetricStore store{kMaxLabelSets};
    std::unordered_map<std::string, EndpointCells> endpoints;
    std::unordered_map<std::string, ChainCells> chains;
    EndpointCells otherEndpoint{store, EndpointInfo{"other", {}, {}, {}}};
    ChainCells otherChain{store, "other"};
    const std::string noChain;
    std::optional<double> started = processStart();
};

Metrics::Metrics()
    : impl_(std::make_unique<Impl>())
{
}
Metrics::~Metrics() = default;

void Metrics::setEndpoints(const std::vector<EndpointInfo>& endpoints)
{
    for (const EndpointInfo& info : endpoints) {
        EndpointCells& cells = impl_->endpoint(info.name);
        if (&cells == &impl_->otherEndpoint)
            continue;
        cells.setInfo(info);
        cells.begin();
    }
}

void Metrics::setChains(const std::vector<std::shared_ptr<chain::ChainState>>& chains)
{
    for (const auto& state : chains) {
        ChainCells& cells = impl_->chain(state->spec().name);
        if (&cells == &impl_->otherChain)
            continue;
        cells.setHasCache(state->cache() != nullptr);
        cells.begin();
    }
}

void Metrics::onRequestFinished(const chain::RunRecord& record, Instant intended, const RequestMoney& money,
                                const chain::ChainSpec* chain)
{
    impl_->chain(chain != nullptr ? record.chain : impl_->noChain).count(record, intended, money);
}

void Metrics::onAttemptFinished(const chain::AttemptRecord& attempt, Operation operation)
{
    impl_->endpoint(attempt.endpoint).count(attempt, operation);
}

void Metrics::onBreaker(const std::string& endpoint, const policy::BreakerTransition& transition)
{
    impl_->store
        .counter(Metric::BreakerTransitions, {endpoint, std::string(policy::toString(transition.to)),
                                              std::string(policy::toString(transition.cause))})
        .add();
}

QByteArray Metrics::expose(ExpositionFormat format, const Snapshot& now, const GatewayGauges& gateway) const
{
    MetricGauges gauges;
    gauges.add(now, [this](const std::string& chain) { return impl_->hasCache(chain); });
    gauges.add(gateway);
    gauges.add(Metric::LabelSets, static_cast<std::int64_t>(impl_->store.labelSets()));
    gauges.add(Metric::LabelSetsOverflowed, impl_->store.overflows());
    gauges.addProcess(impl_->started);

    ExpositionWriter writer(format);
    for (std::size_t i = 0; i < kMetricCount; ++i) {
        const auto metric = static_cast<Metric>(i);
        impl_->store.write(metric, writer);
        gauges.write(metric, writer);
    }
    return writer.end();
}

} // namespace sg::observe
