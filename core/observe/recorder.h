// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/record.h"
#include "core/observe/snapshot.h"

#include <memory>
#include <optional>

namespace sg::chain {
class ChainState;
class EndpointState;
} // namespace sg::chain

namespace sg::observe {

class Metrics;

struct EndpointInfo
{
    std::string name, provider, model;
    std::shared_ptr<chain::EndpointState> state;
    std::string serverAddress{}; ///< host of the address it is asked at; empty: not known
    int serverPort = 0;          ///< 0: not known
};

/// What an attempt was for.
enum class Operation { Chat, Embeddings, ListModels };
constexpr std::size_t kOperationCount = 3;

/// What one finished request means for money; nano-dollars.
struct RequestMoney
{
    std::optional<std::int64_t> cost;  ///< empty: unknown (no price or no usage)
    std::optional<std::int64_t> saved; ///< by the cache
    bool costIsLowerBound = false;     ///< a part of it is unknown
    bool costIsEstimated = false;      ///< a part of it was estimated
    std::int64_t estimated = 0;        ///< that part
};

/// Turns facts into snapshots. Lives in the engine thread; O(1) per fact; bounded memory, whatever the traffic. A time
/// older than one seen before counts as that one. An attempt may be told before or after the transition it made, a
/// person's note before or after its own, within 50 ms: each pair becomes one line with the facts of both.
class Recorder
{
public:
    explicit Recorder(WallAnchor anchor);
    ~Recorder();

    void setWorkspace(std::string name, std::string environment, bool simulated, bool hasCache);
    /// Keeps the history of endpoints whose names stay.
    void setEndpoints(std::vector<EndpointInfo> endpoints);
    /// In the workspace's order. Keeps the history of chains whose names stay, and of their tiers whose names stay.
    void setChains(std::vector<std::shared_ptr<chain::ChainState>> chains);

    void onRequestStarted(Instant now);
    void onAttemptStarted(const std::string& endpoint, Instant now);
    void onAttemptFinished(const chain::AttemptRecord& attempt, Instant now, Operation operation = Operation::Chat);
    /// `intended` is when the request was due: latency counts from there. `chain` is the chain of the workspace as this
    /// request used it, which may have been replaced since; null: it used none of them.
    void onRequestFinished(const chain::RunRecord& record, Instant intended, const RequestMoney& money, Instant now,
                           const chain::ChainSpec* chain = nullptr);
    void onBreaker(const std::string& endpoint, const policy::BreakerTransition& transition);
    /// An operator's action with its reason, or anything else worth a line.
    void note(EventKind kind, Severity severity, std::string subject, std::string text, Instant now);

    /// How late the thread that records is; shown with the next picture.
    void noteLag(Nanos lag);

    /// `window` from 5 min to 24 h; the picture covers it as far as recorded. Reads the breakers, which may end an open
    /// wait: their observers are called, and their transitions are in the picture.
    SnapshotPtr snapshot(Nanos window, Instant now);
    /// The lines after this sequence that are still kept (1000), oldest first, without a picture around them. Reads the
    /// breakers too.
    std::vector<Event> eventsAfter(std::uint64_t sequence, Instant now);
    std::uint64_t lastEvent() const; ///< its sequence; 0: there was none

    /// Counts since the start, of everything that was told here.
    const Metrics& metrics() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace sg::observe
