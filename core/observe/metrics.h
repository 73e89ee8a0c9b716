// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/record.h"
#include "core/observe/exposition.h"
#include "core/observe/metric_table.h"
#include "core/observe/recorder.h"

/// Everything that is counted since the start, for Prometheus.
namespace sg::observe {

/// What the gateway adds; all zero without one.
struct GatewayGauges
{
    int connections = 0, inFlight = 0, queued = 0;
    qint64 requests = 0, refused = 0, clientsLeft = 0;
    int inFlightLimit = 0, queueLimit = 0; ///< 0: not told
    qint64 cutOff = 0;
    qint64 unsentBytes = 0, unreadDrops = 0;
    qint64 turnedAway = 0; ///< connections
    qint64 arrivingBytes{}, arrivingLimit{}, arrivingGivenUp{}; ///< of the engine beside it
    int arrivingWaiting{};
};

/// Cumulative counts. Lives in the engine thread; O(1) per fact, and nothing is allocated once a set of labels has been
/// seen. At most kMaxLabelSets sets of labels: what comes after is counted together, with "other" for every label.
/// Counts of endpoints and chains that are gone stay.
class Metrics
{
public:
    static constexpr std::size_t kMaxLabelSets = 2000;

    Metrics();
    ~Metrics();
    Metrics(const Metrics&) = delete;
    Metrics& operator=(const Metrics&) = delete;

    /// Those that serve from now on. Their counters are there at once, as 0: a rate misses what a series begins with.
    void setEndpoints(const std::vector<EndpointInfo>& endpoints);
    void setChains(const std::vector<std::shared_ptr<chain::ChainState>>& chains);

    /// `chain` null: the request used none of the workspace's and is counted without a chain's name.
    void onRequestFinished(const chain::RunRecord& record, Instant intended, const RequestMoney& money,
                           const chain::ChainSpec* chain);
    void onAttemptFinished(const chain::AttemptRecord& attempt, Operation operation = Operation::Chat);
    void onBreaker(const std::string& endpoint, const policy::BreakerTransition& transition);

    /// Reads /proc for the process' own figures; those are left out where there is none.
    QByteArray expose(ExpositionFormat format, const Snapshot& now, const GatewayGauges& gateway) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace sg::observe
