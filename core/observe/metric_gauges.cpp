// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/metric_gauges.h"

#include "core/observe/process_figures.h"

#include <QCoreApplication>

namespace sg::observe {

using policy::BreakerState;

namespace {

double unixSeconds(std::int64_t unixMs)
{
    return static_cast<double>(unixMs) / 1000;
}

constexpr std::array kBreakerStates{BreakerState::Closed,     BreakerState::Open,         BreakerState::HalfOpen,
                                    BreakerState::ForcedOpen, BreakerState::ForcedClosed, BreakerState::MetricsOnly};

} // namespace

void MetricGauges::add(Metric metric, Value value, std::vector<std::string> labels)
{
    samples_[static_cast<std::size_t>(metric)].push_back({labelText(infoOf(metric), labels), value});
}

void MetricGauges::add(const Snapshot& now, const std::function<bool(const std::string&)>& hasCache)
{
    add(Metric::RequestsInFlight, std::int64_t(now.inFlight));
    for (const EndpointView& endpoint : now.endpoints)
        addEndpoint(endpoint);
    for (const ChainView& chain : now.chainsMinute)
        addChain(chain, hasCache(chain.name));
    add(Metric::RecorderLag, now.recorderLagMs / 1000);
    add(Metric::Build, std::int64_t(1), {QCoreApplication::applicationVersion().toStdString(), qVersion()});
    add(Metric::Workspace, std::int64_t(1), {now.workspace, now.environment, now.simulated ? "true" : "false"});
}

void MetricGauges::addEndpoint(const EndpointView& endpoint)
{
    addBreaker(endpoint);
    add(Metric::AttemptsInFlight, std::int64_t(endpoint.inFlight), {endpoint.name});
    add(Metric::Parked, std::int64_t(endpoint.parkedUntilUnixMs ? 1 : 0), {endpoint.name});
    add(Metric::CredentialOut, std::int64_t(endpoint.credentialOut ? 1 : 0), {endpoint.name});
    add(Metric::KeyMissing, std::int64_t(endpoint.keyMissing.empty() ? 0 : 1), {endpoint.name});
    if (!endpoint.rpmLimit)
        return;
    add(Metric::EndpointLimiterLimit, *endpoint.rpmLimit, {endpoint.name});
    if (endpoint.rpmUsed)
        add(Metric::EndpointLimiterUsed, *endpoint.rpmUsed, {endpoint.name});
}

void MetricGauges::addBreaker(const EndpointView& endpoint)
{
    for (const BreakerState state : kBreakerStates)
        add(Metric::BreakerState, std::int64_t(endpoint.state == state ? 1 : 0),
            {endpoint.name, std::string(policy::toString(state))});
    if (endpoint.state == BreakerState::Open || endpoint.state == BreakerState::ForcedOpen)
        add(Metric::BreakerOpened, unixSeconds(endpoint.sinceUnixMs), {endpoint.name});
    if (endpoint.nextProbeUnixMs)
        add(Metric::BreakerNextProbe, unixSeconds(*endpoint.nextProbeUnixMs), {endpoint.name});
}

void MetricGauges::addChain(const ChainView& chain, bool hasCache)
{
    if (hasCache)
        add(Metric::CacheEntries, chain.cacheEntries, {chain.name});
    if (chain.limiterLimit)
        add(Metric::ChainLimiterLimit, *chain.limiterLimit, {chain.name});
    if (chain.limiterUsed)
        add(Metric::ChainLimiterUsed, *chain.limiterUsed, {chain.name});
}

void MetricGauges::add(const GatewayGauges& gateway)
{
    add(Metric::GatewayConnections, std::int64_t(gateway.connections));
    add(Metric::GatewayInFlight, std::int64_t(gateway.inFlight));
    add(Metric::GatewayQueued, std::int64_t(gateway.queued));
    add(Metric::GatewayRequests, std::int64_t(gateway.requests));
    add(Metric::GatewayRefused, std::int64_t(gateway.refused));
    add(Metric::GatewayClientsLeft, std::int64_t(gateway.clientsLeft));
    add(Metric::GatewayCutOff, std::int64_t(gateway.cutOff));
    add(Metric::GatewayUnsent, std::int64_t(gateway.unsentBytes));
    add(Metric::GatewayUnreadDrops, std::int64_t(gateway.unreadDrops));
    add(Metric::GatewayTurnedAway, std::int64_t(gateway.turnedAway));
    add(Metric::GatewayArriving, std::int64_t(gateway.arrivingBytes));
    add(Metric::GatewayArrivingWaiting, std::int64_t(gateway.arrivingWaiting));
    add(Metric::GatewayArrivingGivenUp, std::int64_t(gateway.arrivingGivenUp));
    if (gateway.arrivingLimit > 0)
        add(Metric::GatewayArrivingLimit, std::int64_t(gateway.arrivingLimit));
    if (gateway.inFlightLimit > 0)
        add(Metric::GatewayInFlightLimit, std::int64_t(gateway.inFlightLimit));
    if (gateway.queueLimit > 0)
        add(Metric::GatewayQueueLimit, std::int64_t(gateway.queueLimit));
}

void MetricGauges::addProcess(std::optional<double> started)
{
    const ProcessFigures figures = processFigures();
    const auto put = [this](Metric metric, const auto& value) {
        if (value)
            add(metric, *value);
    };
    put(Metric::ProcessStart, started);
    put(Metric::ProcessCpu, figures.cpuSeconds);
    put(Metric::ProcessResident, figures.residentBytes);
    put(Metric::ProcessVirtual, figures.virtualBytes);
    put(Metric::ProcessOpenFds, figures.openFds);
    put(Metric::ProcessMaxFds, figures.maxFds);
}

void MetricGauges::write(Metric metric, ExpositionWriter& writer) const
{
    for (const Sample& sample : samples_[static_cast<std::size_t>(metric)])
        std::visit([&](auto value) { writer.sample(sample.labels, value); }, sample.value);
}

} // namespace sg::observe
