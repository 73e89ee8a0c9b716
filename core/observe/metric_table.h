// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <vector>

/// Which measurements are exposed, under which names. docs/metrics.md holds the same table.
namespace sg::observe {

enum class MetricKind { Counter, Gauge, Histogram, StateSet, Info };

/// Names follow OpenTelemetry's GenAI conventions (open-telemetry/semantic-conventions-genai) where they have one, and
/// its rules of translation into Prometheus' names: dots become underscores, a unit its suffix, a unit in braces none.
struct MetricInfo
{
    const char* openTelemetry; ///< "gen_ai.client.operation.duration"; ours "switchgear.…"; empty: Prometheus' own
    const char* prometheus;    ///< the family, without the suffixes of its samples (_total, _info, _bucket, …)
    MetricKind kind;
    const char* unit;                ///< UCUM, as OpenTelemetry writes it: "s", "By", "{token}"
    const char* help;                ///< one sentence without full stop
    std::vector<const char*> labels; ///< as Prometheus writes them; one without a value is left out of a sample
};

/// Order of exposition. A StateSet's label is named like its family, as OpenMetrics wants it, in both formats.
enum class Metric {
    OperationDuration,
    TimeToFirstChunk,
    TimePerOutputToken,
    TokenUsage,
    Requests,
    RequestDuration,
    RequestTimeToFirstToken,
    RequestsInFlight,
    Attempts,
    AttemptsInFlight,
    AttemptsWithoutUsage,
    Tokens,
    Waits,
    Fallbacks,
    BreakerState,
    BreakerTransitions,
    BreakerOpened,
    BreakerNextProbe,
    Parked,
    CredentialOut,
    KeyMissing,
    EndpointLimiterUsed,
    EndpointLimiterLimit,
    ChainLimiterUsed,
    ChainLimiterLimit,
    CacheLookups,
    CacheEntries,
    CacheSaved,
    Cost,
    CostEstimated,
    RequestsUnpriced,
    GatewayConnections,
    GatewayInFlight,
    GatewayInFlightLimit,
    GatewayQueued,
    GatewayQueueLimit,
    GatewayRequests,
    GatewayRefused,
    GatewayClientsLeft,
    GatewayCutOff,
    GatewayUnsent,
    GatewayUnreadDrops,
    GatewayTurnedAway,
    GatewayArriving,
    GatewayArrivingLimit,
    GatewayArrivingWaiting,
    GatewayArrivingGivenUp,
    RecorderLag,
    LabelSets,
    LabelSetsOverflowed,
    Build,
    Workspace,
    ProcessStart,
    ProcessCpu,
    ProcessResident,
    ProcessVirtual,
    ProcessOpenFds,
    ProcessMaxFds,
};
constexpr std::size_t kMetricCount = static_cast<std::size_t>(Metric::ProcessMaxFds) + 1;

/// Of every Metric, in that order.
const std::vector<MetricInfo>& metricTable();
const MetricInfo& infoOf(Metric metric);

/// The unit as it stands at the end of a family's name ("seconds", "bytes", "usd"); empty: none.
const char* unitSuffix(const MetricInfo& info);
/// What a counter or info sample's name has more than its family's.
const char* sampleSuffix(MetricKind kind);

} // namespace sg::observe
