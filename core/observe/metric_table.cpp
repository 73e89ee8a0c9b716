// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/metric_table.h"

#include <string_view>

namespace sg::observe {

namespace {

// Not plain "endpoint": Prometheus' operator puts a label of that name on whatever it scrapes.
constexpr const char* kEndpoint = "switchgear_endpoint";
constexpr const char* kChain = "switchgear_chain";

// gen_ai.response.model is recommended too; the facts of an attempt do not have it.
std::vector<const char*> genAi(const char* more = nullptr)
{
    std::vector<const char*> labels{"gen_ai_operation_name", "gen_ai_provider_name", "gen_ai_request_model",
                                    "server_address",        "server_port",          kEndpoint};
    if (more != nullptr)
        labels.push_back(more);
    return labels;
}

std::vector<MetricInfo> makeTable()
{
    using Kind = MetricKind;
    return {
        {"gen_ai.client.operation.duration", "gen_ai_client_operation_duration_seconds", Kind::Histogram, "s",
         "One attempt at an endpoint, from its dispatch to its end", genAi("error_type")},
        {"gen_ai.client.operation.time_to_first_chunk", "gen_ai_client_operation_time_to_first_chunk_seconds",
         Kind::Histogram, "s", "From the sent request to the first token of any kind, streamed attempts only", genAi()},
        {"switchgear.attempt.time_per_output_token", "switchgear_attempt_time_per_output_token_seconds",
         Kind::Histogram, "s",
         "Time per token after the first, of streamed attempts that succeeded and told their usage, as seen from here",
         genAi()},
        {"gen_ai.client.token.usage", "gen_ai_client_token_usage", Kind::Histogram, "{token}",
         "Tokens of one attempt as its provider counts them", genAi("gen_ai_token_type")},

        {"switchgear.requests",
         "switchgear_requests",
         Kind::Counter,
         "{request}",
         "Requests that have ended, by how and from where they were answered",
         {kChain, "ending", "source"}},
        {"switchgear.request.duration",
         "switchgear_request_duration_seconds",
         Kind::Histogram,
         "s",
         "A whole request with all its attempts and waits, from when it was due",
         {kChain, "source", "error_type"}},
        {"switchgear.request.time_to_first_token",
         "switchgear_request_time_to_first_token_seconds",
         Kind::Histogram,
         "s",
         "From when a request was due to the first token of its answer, streamed answers only",
         {kChain}},
        {"switchgear.requests.in_flight",
         "switchgear_requests_in_flight",
         Kind::Gauge,
         "{request}",
         "Requests that have begun and not ended",
         {}},
        {"switchgear.attempts",
         "switchgear_attempts",
         Kind::Counter,
         "{attempt}",
         "Attempts at an endpoint, by their error; without one they succeeded",
         {kEndpoint, "error_type"}},
        {"switchgear.attempts.in_flight",
         "switchgear_attempts_in_flight",
         Kind::Gauge,
         "{attempt}",
         "Attempts that an endpoint is working on",
         {kEndpoint}},
        {"switchgear.attempts.without_usage",
         "switchgear_attempts_without_usage",
         Kind::Counter,
         "{attempt}",
         "Attempts that succeeded and whose tokens nobody knows",
         {kEndpoint}},
        {"switchgear.tokens",
         "switchgear_tokens",
         Kind::Counter,
         "{token}",
         "Tokens used; input_cached and input_cache_write are parts of input, output_reasoning is one of output",
         {kEndpoint, "gen_ai_token_type", "estimated"}},
        {"switchgear.wait.duration",
         "switchgear_wait_duration_seconds",
         Kind::Histogram,
         "s",
         "Waits of requests, by what made them wait",
         {kChain, "reason"}},
        {"switchgear.fallbacks",
         "switchgear_fallbacks",
         Kind::Counter,
         "{move}",
         "Tiers that were left or passed over, by their endpoint and the reason",
         {kChain, kEndpoint, "reason"}},

        {"switchgear.breaker.state",
         "switchgear_breaker_state",
         Kind::StateSet,
         "",
         "1 for the state that a breaker is in, 0 for the others",
         {kEndpoint, "switchgear_breaker_state"}},
        {"switchgear.breaker.transitions",
         "switchgear_breaker_transitions",
         Kind::Counter,
         "{transition}",
         "Changes of a breaker's state, by the new state and the cause",
         {kEndpoint, "to_state", "cause"}},
        {"switchgear.breaker.opened.timestamp",
         "switchgear_breaker_opened_timestamp_seconds",
         Kind::Gauge,
         "s",
         "When a breaker opened that is open or forced open",
         {kEndpoint}},
        {"switchgear.breaker.next_probe.timestamp",
         "switchgear_breaker_next_probe_timestamp_seconds",
         Kind::Gauge,
         "s",
         "When an open breaker lets a probe through",
         {kEndpoint}},
        {"switchgear.endpoint.parked",
         "switchgear_endpoint_parked",
         Kind::Gauge,
         "{endpoint}",
         "1 while an endpoint is left alone because it asked for a longer wait than a request may take",
         {kEndpoint}},
        {"switchgear.endpoint.credential_out",
         "switchgear_endpoint_credential_out",
         Kind::Gauge,
         "{endpoint}",
         "1 while an endpoint's key is out because the provider refused it",
         {kEndpoint}},
        {"switchgear.endpoint.key_missing",
         "switchgear_endpoint_key_missing",
         Kind::Gauge,
         "{endpoint}",
         "1 while there is no key to send to an endpoint that needs one",
         {kEndpoint}},
        {"switchgear.endpoint.limiter.used",
         "switchgear_endpoint_limiter_used",
         Kind::Gauge,
         "{request}",
         "Taken of an endpoint's limit of requests a minute",
         {kEndpoint}},
        {"switchgear.endpoint.limiter.limit",
         "switchgear_endpoint_limiter_limit",
         Kind::Gauge,
         "{request}",
         "An endpoint's limit of requests a minute",
         {kEndpoint}},
        {"switchgear.chain.limiter.used",
         "switchgear_chain_limiter_used",
         Kind::Gauge,
         "{request}",
         "Requests that a chain's limiter let through in the last minute",
         {kChain}},
        {"switchgear.chain.limiter.limit",
         "switchgear_chain_limiter_limit",
         Kind::Gauge,
         "{request}",
         "Requests that a chain's limiter lets through in a minute",
         {kChain}},

        {"switchgear.cache.lookups",
         "switchgear_cache_lookups",
         Kind::Counter,
         "{lookup}",
         "Requests that looked into their chain's cache: hit, shared (another's call under way) or miss",
         {kChain, "result"}},
        {"switchgear.cache.entries",
         "switchgear_cache_entries",
         Kind::Gauge,
         "{entry}",
         "Answers in a chain's cache",
         {kChain}},
        {"switchgear.cache.saved.usd",
         "switchgear_cache_saved_usd",
         Kind::Counter,
         "{USD}",
         "What answers from the cache would have cost, where that is known",
         {kChain}},
        {"switchgear.cost.usd",
         "switchgear_cost_usd",
         Kind::Counter,
         "{USD}",
         "What requests cost, all their attempts, as far as known",
         {kChain}},
        {"switchgear.cost.estimated.usd",
         "switchgear_cost_estimated_usd",
         Kind::Counter,
         "{USD}",
         "The part of the cost that was estimated because usage did not come",
         {kChain}},
        {"switchgear.requests.unpriced",
         "switchgear_requests_unpriced",
         Kind::Counter,
         "{request}",
         "Requests whose cost is not known, or not all of it",
         {kChain}},

        {"switchgear.gateway.connections",
         "switchgear_gateway_connections",
         Kind::Gauge,
         "{connection}",
         "Open connections of applications",
         {}},
        {"switchgear.gateway.in_flight",
         "switchgear_gateway_in_flight",
         Kind::Gauge,
         "{request}",
         "Requests of applications that have been let in and not ended",
         {}},
        {"switchgear.gateway.in_flight.limit",
         "switchgear_gateway_in_flight_limit",
         Kind::Gauge,
         "{request}",
         "How many the gateway lets in at once",
         {}},
        {"switchgear.gateway.queued",
         "switchgear_gateway_queued",
         Kind::Gauge,
         "{request}",
         "Requests of applications that wait to be let in",
         {}},
        {"switchgear.gateway.queue.limit",
         "switchgear_gateway_queue_limit",
         Kind::Gauge,
         "{request}",
         "How many may wait to be let in",
         {}},
        {"switchgear.gateway.requests",
         "switchgear_gateway_requests",
         Kind::Counter,
         "{request}",
         "Requests that applications sent, also those that were refused before they had come whole",
         {}},
        {"switchgear.gateway.refused",
         "switchgear_gateway_refused",
         Kind::Counter,
         "{request}",
         "Of these what Switchgear itself refused, so that no provider was asked",
         {}},
        {"switchgear.gateway.clients_left",
         "switchgear_gateway_clients_left",
         Kind::Counter,
         "{request}",
         "Requests whose application left before the answer was complete",
         {}},
        {"switchgear.gateway.cut_off",
         "switchgear_gateway_cut_off",
         Kind::Counter,
         "{request}",
         "Requests under way that the gateway itself cut off as it stopped",
         {}},
        {"switchgear.gateway.unsent",
         "switchgear_gateway_unsent_bytes",
         Kind::Gauge,
         "By",
         "Bytes of answers that applications have not taken",
         {}},
        {"switchgear.gateway.unread_drops",
         "switchgear_gateway_unread_drops",
         Kind::Counter,
         "{connection}",
         "Connections dropped because the application did not take its answers",
         {}},
        {"switchgear.gateway.connections.turned_away",
         "switchgear_gateway_connections_turned_away",
         Kind::Counter,
         "{connection}",
         "Connections beyond the limit that were closed before a request could be read",
         {}},
        {"switchgear.gateway.arriving",
         "switchgear_gateway_arriving_bytes",
         Kind::Gauge,
         "By",
         "Bytes of whole answers that are still arriving from providers, or are being read",
         {}},
        {"switchgear.gateway.arriving.limit",
         "switchgear_gateway_arriving_limit_bytes",
         Kind::Gauge,
         "By",
         "How many bytes of whole answers may be there at once",
         {}},
        {"switchgear.gateway.arriving.waiting",
         "switchgear_gateway_arriving_waiting",
         Kind::Gauge,
         "{answer}",
         "Answers that are read no further until there is room for them",
         {}},
        {"switchgear.gateway.arriving.given_up",
         "switchgear_gateway_arriving_given_up",
         Kind::Counter,
         "{answer}",
         "Answers that were given up because there was no room for them",
         {}},

        {"switchgear.recorder.lag",
         "switchgear_recorder_lag_seconds",
         Kind::Gauge,
         "s",
         "How late the thread was that records",
         {}},
        {"switchgear.metrics.label_sets",
         "switchgear_metrics_label_sets",
         Kind::Gauge,
         "{label_set}",
         "Sets of labels that are counted",
         {}},
        {"switchgear.metrics.overflows",
         "switchgear_metrics_overflows",
         Kind::Counter,
         "{label_set}",
         "Times that a new set of labels found no room and was counted as other",
         {}},
        {"switchgear.build", "switchgear_build", Kind::Info, "", "What runs", {"version", "qt_version"}},
        {"switchgear.workspace",
         "switchgear_workspace",
         Kind::Info,
         "",
         "Which workspace serves, and whether its traffic goes to the built-in simulator",
         {"workspace", "environment", "simulated"}},

        {"", "process_start_time_seconds", Kind::Gauge, "s", "When the process began, in Unix time", {}},
        {"", "process_cpu_seconds", Kind::Counter, "s", "User and system CPU time of the process", {}},
        {"", "process_resident_memory_bytes", Kind::Gauge, "By", "Memory of the process that is in RAM", {}},
        {"", "process_virtual_memory_bytes", Kind::Gauge, "By", "Address space of the process", {}},
        {"", "process_open_fds", Kind::Gauge, "{fd}", "File descriptors that the process has open", {}},
        {"", "process_max_fds", Kind::Gauge, "{fd}", "File descriptors that the process may have open", {}},
    };
}

} // namespace

const std::vector<MetricInfo>& metricTable()
{
    static const std::vector<MetricInfo> table = makeTable();
    return table;
}

const MetricInfo& infoOf(Metric metric)
{
    return metricTable()[static_cast<std::size_t>(metric)];
}

const char* unitSuffix(const MetricInfo& info)
{
    const std::string_view unit = info.unit;
    if (unit == "s")
        return "seconds";
    if (unit == "By")
        return "bytes";
    return unit == "{USD}" ? "usd" : "";
}

const char* sampleSuffix(MetricKind kind)
{
    switch (kind) {
    case MetricKind::Counter:
        return "_total";
    case MetricKind::Info:
        return "_info";
    case MetricKind::Gauge:
    case MetricKind::Histogram:
    case MetricKind::StateSet:
        break;
    }
    return "";
}

} // namespace sg::observe
