// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/answer_budget.h"
#include "core/engine/beside.h"
#include "core/engine/call.h"
#include "core/engine/model_list.h"
#include "core/engine/pass_call.h"
#include "core/engine/switchboard.h"
#include "core/engine/timer_queue.h"
#include "core/http/transport_switch.h"
#include "core/observe/commands.h"
#include "core/observe/recorder.h"

#include <QObject>

#include <unordered_map>

namespace sg::engine {

class PassOn;
class RequestDriver;

/// A request as it stands at this moment.
struct RunningRequest
{
    const chain::RunRecord& record;
    const AttemptCall* attempt; ///< null: none is on the wire
    const chain::ChainSpec& chain;
    const chain::StartAttempt& latest; ///< attempt; before the first an empty one
};

struct EngineOptions
{
    std::uint64_t seed = 1; ///< of jitter and of every other draw
    /// As many as the gateway lets in: what waits for a connection is late without anybody having refused it.
    int maxConnectionsPerOrigin = 1024;
    http::TransportKind transport = http::TransportKind::Automatic;
    int mostInFlight = 0; ///< how many are to be in flight at once, for Automatic; 0: nobody knows
    /// See AnswerBudget; as much as the gateway's server has for requests, and for answers that are not taken. Beside
    /// it each exchange has its transport's read-ahead (256 KiB at most).
    qint64 maxArrivingBytes = 512 * 1024 * 1024;
};

/// Runs chains on the real network. Lives in one thread with an event loop; whatever shares that thread (load runs,
/// the gateway) calls it directly.
class EngineCore : public QObject
{
    Q_OBJECT
public:
    explicit EngineCore(const EngineOptions& options, QObject* parent = nullptr);
    ~EngineCore() override;

    void apply(const workspace::Workspace& workspace, const cost::PriceBook& prices, const QUrl& simulatorBase,
               const KeyLookup& keys);

    /// Nothing is called back before this has returned. An unknown target ends as a chain whose tiers are all out.
    CallId start(Call call);
    void cancel(CallId id); ///< ends as Ending::Cancelled before this returns; no-op when over
    /// Back-pressure of a caller who does not take what it gets: the attempt under way is read no further (a bounded
    /// amount ahead), its idle limit stands still; the whole request's deadline runs on. No-op when over.
    void setPaused(CallId id, bool paused);
    CallId pass(PassCall call); ///< cancel() ends it without a callback
    /// Which models the endpoint's provider has; see engine::listModels. `done` may be called before this returns.
    void listModels(const std::string& endpoint, std::function<void(const ModelsResult&)> done);
    /// Valid until the event loop goes on; nothing when it is over.
    std::optional<RunningRequest> running(CallId id) const;
    std::optional<cost::Price> priceOf(const std::string& endpoint) const;
    /// Why it changed nothing, as the end of a sentence; empty: it did what it says.
    std::string_view command(const std::string& endpoint, observe::BreakerCommand command, const std::string& reason);

    const Switchboard& switchboard() const { return switchboard_; }
    observe::Recorder& recorder() { return recorder_; }
    observe::WallAnchor anchor() const { return anchor_; }
    const QUrl& simulatorBase() const { return simulatorBase_; } ///< as applied; empty when no simulator runs
    http::Transport& transport() { return transport_; }
    void setTransport(http::TransportKind wanted) { transport_.choose(wanted); } ///< of requests that begin from now on
    http::TransportKind wantedTransport() const { return transport_.wanted(); }
    /// As many as a load run is to have in flight at once, beside the options' own; 0: it is over.
    void expectInFlight(int most) { transport_.expect(std::max(most, options_.mostInFlight)); }
    const EngineOptions& options() const { return options_; }
    const AnswerBudget& arriving() const { return budget_; }
    http::TransportFigures transportFigures() const { return transport_.figures(); }
    int inFlight() const { return static_cast<int>(drivers_.size() + passes_.size()); }
    TimerQueue& timers() { return timers_; }
    Beside& beside() { return *beside_; } ///< until ending()

    /// Called for every breaker transition, after the recorder; for reports.
    using TransitionListener = std::function<void(const std::string& endpoint, const policy::BreakerTransition&)>;
    void setTransitionListener(TransitionListener listener) { transitionListener_ = std::move(listener); }

Q_SIGNALS:
    void applied(); ///< the switchboard is another one now
    void ending();  ///< everything is still there: whatever holds the core lets go of it now, by a direct connection

private:
    friend class PassOn;
    friend class RequestDriver;
    void startLater(CallId id);
    void startQueued();
    void finished(RequestDriver& driver, const chain::Finished& end);
    void tellFollowers(const chain::ResponseCache* cache, const std::string& key,
                       const std::shared_ptr<const provider::Answer>& answer);
    void passEnded(CallId id, const chain::RunRecord& record, Instant intended, const observe::RequestMoney& money);
    void attemptStarted(const std::string& endpoint);
    void attemptFinished(const chain::AttemptRecord& attempt);
    /// What an answer from the cache would have cost.
    std::optional<std::int64_t> valueOf(const provider::Answer& answer) const;

    EngineOptions options_;
    QUrl simulatorBase_;
    observe::WallAnchor anchor_;
    policy::SeededRandom random_;
    observe::Recorder recorder_;
    Switchboard switchboard_;
    AnswerBudget budget_;
    http::TransportSwitch transport_;
    TimerQueue timers_;
    std::optional<Beside> beside_{std::in_place}; ///< ends before those who wait for it
    std::unordered_map<CallId, std::shared_ptr<RequestDriver>> drivers_;
    std::unordered_map<CallId, std::shared_ptr<PassOn>> passes_;
    std::vector<CallId> toStart_;                      ///< begun by the event loop, all of one turn together
    std::vector<std::shared_ptr<RequestDriver>> done_; ///< freed by the event loop: they end inside their own calls
    /// By the cache they share, which chains hand on to those that come after them.
    std::map<std::pair<const chain::ResponseCache*, std::string>, std::vector<CallId>> followers_;
    TransitionListener transitionListener_;
    CallId nextId_ = 1;
};

} // namespace sg::engine
