// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/record.h"
#include "core/observe/recorder.h"

#include <QByteArray>

/// Everything that is counted since the start, for Prometheus. Names follow OpenTelemetry's GenAI conventions where
/// they have one; the one table of them all is metricTable(), docs/metrics.md says it again.
namespace sg::observe {

enum class MetricKind { Counter, Gauge, Histogram };

struct MetricInfo
{
    const char* openTelemetry; ///< "gen_ai.client.operation.duration"; ours: "switchgear.breaker.state"
    const char* prometheus;    ///< "gen_ai_client_operation_duration_seconds", without _total
    MetricKind kind;
    const char* unit; ///< UCUM, as OpenTelemetry writes it: "s", "{token}", "1"
    const char* help;
    std::vector<const char*> labels; ///< in Prometheus' form: "gen_ai_request_model", "error_type"
};
const std::vector<MetricInfo>& metricTable();

enum class ExpositionFormat { Prometheus004, OpenMetrics100 };
ExpositionFormat formatFor(QByteArrayView acceptHeader);
QByteArray contentTypeOf(ExpositionFormat format);

/// What the gateway adds; all zero without one.
struct GatewayGauges
{
    int connections = 0, inFlight = 0, queued = 0;
    qint64 requests = 0, refused = 0, clientsLeft = 0;
};

/// Cumulative counts. Lives in the engine thread, O(1) per fact, bounded series: beyond 2,000 label sets new ones are
/// counted together as "other".
class Metrics
{
public:
    Metrics();
    ~Metrics();
    /// `chain` null: the request used none of the workspace's.
    void onRequestFinished(const chain::RunRecord& record, Instant intended, const RequestMoney& money,
                           const chain::ChainSpec* chain);
    void onAttemptFinished(const chain::AttemptRecord& attempt, const EndpointInfo& endpoint, const std::string& server,
                           int port);
    void onBreaker(const std::string& endpoint, const policy::BreakerTransition& transition);

    QByteArray expose(ExpositionFormat format, const Snapshot& now, const GatewayGauges& gateway) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace sg::observe
