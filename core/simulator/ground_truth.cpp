// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/ground_truth.h"

namespace sg::simulator {

namespace {

QJsonValue inMs(std::optional<Nanos> span)
{
    return span ? QJsonValue(toMs(*span)) : QJsonValue();
}

QJsonObject figures(const stats::Histogram& histogram)
{
    return {{QStringLiteral("count"), qint64(histogram.count())},
            {QStringLiteral("p50"), inMs(histogram.percentile(50))},
            {QStringLiteral("p90"), inMs(histogram.percentile(90))},
            {QStringLiteral("p95"), inMs(histogram.percentile(95))},
            {QStringLiteral("p99"), inMs(histogram.percentile(99))},
            {QStringLiteral("max"), inMs(histogram.max())},
            {QStringLiteral("mean"), inMs(histogram.mean())}};
}

QJsonObject endpointJson(const GroundTruth::Endpoint& truth)
{
    QJsonObject answered, faults;
    for (const auto& [status, count] : truth.answered)
        answered.insert(QString::number(status), qint64(count));
    for (const auto& [kind, count] : truth.faults)
        faults.insert(QString::fromLatin1(kind), qint64(count));
    return {{QStringLiteral("requests"), qint64(truth.requests)},
            {QStringLiteral("in_flight"), qint64(truth.inFlight)},
            {QStringLiteral("queued"), qint64(truth.queued)},
            {QStringLiteral("complete"), qint64(truth.complete)},
            {QStringLiteral("dropped"), qint64(truth.dropped)},
            {QStringLiteral("client_gone"), qint64(truth.clientGone)},
            {QStringLiteral("over_quota"), qint64(truth.overQuota)},
            {QStringLiteral("answered"), answered},
            {QStringLiteral("faults"), faults},
            {QStringLiteral("service_ms"), figures(truth.service)},
            {QStringLiteral("first_token_ms"), figures(truth.firstToken)},
            {QStringLiteral("phase"), truth.phase}};
}

} // namespace

void GroundTruth::setConnections(const Connections& connections)
{
    const std::scoped_lock lock(mutex_);
    connections_ = connections;
}

void GroundTruth::restart()
{
    const std::scoped_lock lock(mutex_);
    for (auto& [name, truth] : endpoints_) {
        Endpoint fresh;
        fresh.inFlight = truth.inFlight;
        fresh.queued = truth.queued;
        fresh.phase = truth.phase;
        truth = std::move(fresh);
    }
}

QJsonObject GroundTruth::toJson() const
{
    const std::scoped_lock lock(mutex_);
    QJsonObject endpoints;
    for (const auto& [name, truth] : endpoints_)
        endpoints.insert(name, endpointJson(truth));
    return {{QStringLiteral("version"), 1},
            {QStringLiteral("connections"), QJsonObject{{QStringLiteral("open"), qint64(connections_.open)},
                                                        {QStringLiteral("accepted"), qint64(connections_.accepted)},
                                                        {QStringLiteral("requests"), qint64(connections_.requests)}}},
            {QStringLiteral("endpoints"), endpoints}};
}

} // namespace sg::simulator
