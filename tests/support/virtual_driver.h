// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_run.h"

#include <functional>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

/// Drives chain runs in virtual time: an event queue instead of sockets and timers.
namespace sg::virtualtime {

/// What an endpoint makes of one attempt. The driver fills in the timing, and cuts off at the attempt's deadline.
struct Played
{
    Nanos duration{0};
    std::optional<Nanos> commitAfter; ///< from the start; at most `duration`
    chain::AttemptResult result;
};
using Player = std::function<Played(const chain::ChainRun& run, const chain::StartAttempt& attempt, Instant now)>;

/// Sees what happens, at the moment it happens.
class Watcher
{
public:
    virtual ~Watcher() = default;
    virtual void onStart(const chain::ChainRun&, const chain::StartAttempt&, Instant) {}
    /// Before the run hears of it.
    virtual void onEnd(const chain::ChainRun&, const chain::StartAttempt&, const chain::AttemptResult&, Instant) {}
    /// The driver stopped the attempt because the caller has gone.
    virtual void onAbort(const chain::ChainRun&, const chain::StartAttempt&, Instant) {}
    virtual void onFinished(const chain::ChainRun&, const chain::Finished&, Instant) {}
};

/// Events of the same moment happen in the order they were asked for, so a schedule has one outcome.
class VirtualDriver
{
public:
    /// Both must outlive the driver; `watcher` may be null.
    explicit VirtualDriver(Player player, Watcher* watcher = nullptr);

    /// `random` must outlive the run. Ids are unique.
    void submit(Instant at, std::shared_ptr<chain::ChainState> chain, provider::ChatRequest request, std::uint64_t id,
                policy::RandomSource& random);
    void cancel(Instant at, std::uint64_t id);
    void call(Instant at, std::function<void(Instant)> what);

    /// Until no event is left.
    void run();
    Instant now() const { return now_; }
    /// In the order of ending.
    const std::vector<chain::RunRecord>& records() const { return records_; }
    std::size_t unfinished() const { return flights_.size(); }

private:
    struct Flight
    {
        std::unique_ptr<chain::ChainRun> run;
        std::optional<chain::StartAttempt> attempt; ///< under way
        Instant attemptStarted{};
    };
    using FlightPtr = std::shared_ptr<Flight>;
    using CallKey = std::pair<const chain::ChainState*, std::string>;

    void perform(const FlightPtr& flight, chain::Action action);
    void startAttempt(const FlightPtr& flight, const chain::StartAttempt& attempt);
    void endAttempt(const FlightPtr& flight, int number, chain::AttemptResult result);
    void finish(const FlightPtr& flight, const chain::Finished& finished);
    FlightPtr find(std::uint64_t id) const;

    Player player_;
    Watcher* watcher_;
    Instant now_{};
    std::uint64_t sequence_ = 0;
    std::map<std::pair<Instant, std::uint64_t>, std::function<void()>> events_;
    std::unordered_map<std::uint64_t, FlightPtr> flights_;
    std::map<CallKey, std::vector<FlightPtr>> followers_;
    std::vector<chain::RunRecord> records_;
};

} // namespace sg::virtualtime
