// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/stats/distribution.h"
#include "core/workspace/finding.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <cstdint>
#include <optional>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

/// What the simulated provider does, as its script says it (format: docs/simulator.md). Plain values; any thread.
namespace sg::simulator {

constexpr int kScriptVersion = 1;

using stats::Distribution;

enum class FaultKind {
    Status,            ///< an HTTP error with headers and body
    Stall,             ///< nothing more is sent; the connection stays open
    DropBeforeHeaders, ///< the connection ends without an answer
    DropAfterHeaders,
    DropMidStream,
    Slow,       ///< the drawn latency times `factor`
    ErrorEvent, ///< 200, then an error object inside the stream (or as the whole body)
    Garbage,    ///< 200 with something that is not the promised format
};
const char* toString(FaultKind kind); // snake_case, as in files

struct Fault
{
    FaultKind kind = FaultKind::Status;
    double share = 1;                                       ///< of the requests, 0..1
    int status = 500;                                       ///< Status
    std::vector<std::pair<QByteArray, QByteArray>> headers; ///< values may hold placeholders, see docs/simulator.md
    QByteArray body;                                        ///< Status, ErrorEvent, Garbage; empty: a fitting one
    double delayMs = 0;  ///< from the request to the fault; unused by Slow, DropMidStream and faults after tokens
    int afterTokens = 0; ///< DropMidStream, Stall, ErrorEvent: so many tokens are sent first
    double factor = 1;   ///< Slow
    bool operator==(const Fault&) const = default;
};

enum class TextKind { Words, Echo, Time };

/// What a request that brings tools is answered with.
struct ToolCall
{
    QByteArray name;      ///< JSON string, escaped and quoted
    QByteArray arguments; ///< JSON
    bool operator==(const ToolCall&) const = default;
};

/// So many requests in any window; the others get 429.
struct Quota
{
    int requests = 1;
    double windowMs = 60000;
    bool countsRefused = false; ///< what is refused takes part of the quota, too
    bool saysWhen = true;       ///< with Retry-After and its kin
    std::int64_t first = 0;     ///< so many pass before the window begins to count: what a burst had saved up
    bool operator==(const Quota&) const = default;
};

/// How an endpoint behaves for a while. Either `latency` is set (request received to last byte) and at most one of
/// ttft, ttftShare and tokensPerSecond says when it begins; or ttft and tokensPerSecond make the latency.
struct Behaviour
{
    std::optional<Distribution> latency, ttft;
    std::optional<double> ttftShare; ///< 0..1 of the latency; 0.3 when nothing else is said
    std::optional<double> tokensPerSecond;
    Distribution outputTokens = Distribution::constant(64);
    int chunkTokens = 4;        ///< tokens in one streamed piece
    std::optional<int> workers; ///< so many are served at a time, the rest queue
    std::optional<Quota> quota; ///< over a sliding window
    bool frozen = false;        ///< nothing is sent until this phase is over
    TextKind text = TextKind::Words;
    std::optional<ToolCall> toolCall; ///< only OpenAI's and Azure's dialects know it here
    std::vector<Fault> faults;
    bool operator==(const Behaviour&) const = default;
};

struct Phase
{
    double fromMs = 0, toMs = 0; ///< script time, end excluded
    QString label;
    Behaviour behaviour; ///< complete: what the phase does not say is taken from its endpoint
};

struct EndpointScript
{
    QString name;
    QString model; ///< empty: answers with the model that was asked for
    Behaviour usual;
    std::vector<Phase> phases; ///< in order of time, not overlapping

    const Phase* phaseAt(double scriptMs) const; ///< null outside of all phases
    const Behaviour& at(double scriptMs) const;
};

struct Script
{
    std::uint64_t seed = 1;
    std::optional<double> loopMs; ///< script time starts again after this; not set: runs on
    std::vector<EndpointScript> endpoints;
    double scriptTime(double sinceStartMs) const;
};

using ScriptResult = tl::expected<Script, workspace::Findings>;
/// All findings at once. An unknown field is an error: a script that is half understood would prove nothing.
ScriptResult parseScript(const QByteArray& json);
ScriptResult parseScript(const QJsonObject& object);

} // namespace sg::simulator
