// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/record.h"
#include "core/cost/cost.h"
#include "core/engine/call.h"
#include "core/observe/event.h"

#include <QStringList>

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// One request watched from its first step to its last, for a person to look at.
namespace sg::engine {

/// What went over the wire for one attempt. Every value is masked: no key is in here. The request's body is what was
/// sent, byte for byte, but for the endpoint's own key if that should be in it.
struct AttemptTrace
{
    int number = 1; ///< as chain::AttemptRecord::number
    std::string endpoint, provider, model;
    std::string dialect; ///< as provider::toString
    std::string method, url;
    policy::HeaderList requestHeaders;
    QByteArray requestBody;
    QStringList leftOut; ///< fields of the request that the dialect cannot carry, in OpenAI's words
    int status = 0;      ///< 0 before the status line
    policy::HeaderList responseHeaders;
    QByteArray raw;          ///< the first 256 KiB of the response body as it came; of a long line not before its end
    qint64 rawBytes = 0;     ///< of the whole response body
    std::string keyVariable; ///< the environment variable that holds the key, or usually does; empty: not known
};

/// One piece of the answer as it reached the socket.
struct Arrival
{
    Instant at;
    int characters = 0;
    bool isReasoning = false;
};

/// A picture of one watched request. Immutable.
struct WatchView
{
    std::uint64_t id = 0; ///< as send() gave it
    CallTarget target;
    bool running = true;
    Instant taken;                               ///< when the picture was made: the end of what still runs
    observe::WallAnchor anchor;                  ///< steady to wall clock
    chain::RunRecord record;                     ///< so far; of the running attempt there is only `current`
    std::optional<chain::AttemptRecord> current; ///< the attempt under way, its timing so far
    std::optional<Instant> waitingUntil;         ///< a wait that is under way: the record's last step, not yet over
    std::vector<AttemptTrace> traces;            ///< of what was sent, in order of number; the latest 32
    int tracesDropped = 0;
    provider::Answer answer;       ///< so far: text, reasoning, tool calls, usage; of a failed attempt what it had said
    bool answerIsPartial = false;  ///< the request has ended and this is not the whole answer
    std::vector<Arrival> arrivals; ///< the latest 4096 of the answering attempt
    qint64 arrivalsDropped = 0;
    std::optional<std::int64_t> costNanoUsd; ///< all attempts; empty: unknown
    bool costIsLowerBound = false;
    bool costIsEstimated = false; ///< a part of it is from characters, not from the provider's count
    QString
        costBasis; ///< one line: "612 in × $2.00/M + 148 out × $8.00/M", "reported by the provider", "no price for …"
};
using WatchViewPtr = std::shared_ptr<const WatchView>;

struct WatchTarget
{
    CallTarget target;
    std::string provider, model; ///< empty for a chain
    QString unusable;            ///< not empty: why nothing can be sent there
};

/// What a request would take before it is sent.
struct WatchEstimate
{
    std::string endpoint;
    std::int64_t inputTokens = 0; ///< from characters: an estimate
    /// With a typical answer: a quarter of the limit, of 4096 tokens when there is none. Empty: no price.
    std::optional<std::int64_t> costNanoUsd;
    std::optional<std::int64_t> worstNanoUsd; ///< the whole output limit; empty also without a limit
};

/// The handle by which the screen sends single requests and looks at them. GUI thread; every call returns at once.
class WatchControl
{
public:
    virtual ~WatchControl() = default;
    virtual std::vector<WatchTarget> targets() const = 0; ///< chains, then endpoints; they change with the workspace
    virtual std::uint64_t send(const CallTarget& target, const provider::ChatRequest& request) = 0;
    virtual void cancel(std::uint64_t id) = 0; ///< no-op when over
    /// The newest picture; null before the first and after forget(). While the request runs pictures are made at most
    /// 20 times a second and only when this is called; once it is over the pointer stays the same.
    /// Of requests that are over the latest 32 are kept.
    virtual WatchViewPtr view(std::uint64_t id) const = 0;
    virtual void forget(std::uint64_t id) = 0; ///< cancels what still runs
    /// For each endpoint a request through `target` may reach, in the chain's order.
    virtual std::vector<WatchEstimate> estimate(const CallTarget& target,
                                                const provider::ChatRequest& request) const = 0;
};

/// The run as JSON for people and tools: record, answer, traces, cost; masked, fields in alphabetical order, times in
/// ms since the start. The same view gives the same bytes.
QByteArray toJson(const WatchView& view);
/// A curl command that sends attempt `number` again, quoted for POSIX shells; the key is the variable $API_KEY (or the
/// endpoint's own variable when the trace knows it). Empty when nothing was sent by such an attempt.
QString toCurl(const WatchView& view, int number);

} // namespace sg::engine
