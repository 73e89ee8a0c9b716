// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/support/chain_scene.h"
#include "tests/support/virtual_driver.h"

#include <set>

namespace sg::test {

using namespace sg::chain;
using policy::BreakerState;
using policy::HintAction;
using provider::ErrorClass;

/// Keeps its own books, by the rules and not by the code under test, and notes the first breach.
class Auditor : public virtualtime::Watcher
{
public:
    QString breach;

    void onStart(const ChainRun& run, const StartAttempt& attempt, Instant now) override
    {
        const ChainSpec& chain = run.chain().spec();
        const TierSpec& tier = chain.tiers.at(std::size_t(attempt.tier));
        EndpointState& endpoint = *run.chain().endpoint(attempt.tier);
        Books& books = runs_[run.record().id];
        const Instant deadline = run.record().started + chain.deadline;
        check(!books.finished, "attempt after the end");
        check(++books.attempts <= chain.attemptBudget, "more attempts than the budget");
        check(attempt.number == books.attempts, "attempt number");
        check(++books.perTier[attempt.tier] <= tier.maxAttempts, "more attempts than the tier allows");
        check(now < deadline && attempt.deadline <= deadline, "past the deadline");
        check(!tier.attemptTimeout || attempt.deadline <= now + *tier.attemptTimeout, "longer than the tier allows");
        check(tier.enabled, "on a disabled tier");
        const std::vector<MoveRecord> moves = movesOf(run.record());
        check(std::none_of(moves.begin(), moves.end(), [&](const MoveRecord& m) { return m.tier == attempt.tier; }),
              "back to a tier that was left");
        check(books.tier < 0 || books.tier == attempt.tier || (!moves.empty() && leftAfter(run.record(), books.tier)),
              "another tier before this one was left");
        books.tier = attempt.tier;
        if (!run.record().steps.empty())
            if (const auto* wait = std::get_if<WaitRecord>(&run.record().steps.back()))
                check(wait->from < wait->until && now >= wait->until, "before its own wait is over");

        const BreakerState state = endpoint.breaker().state(now);
        check(state != BreakerState::Open && state != BreakerState::ForcedOpen, "on an open breaker");
        check(attempt.probe == (state == BreakerState::HalfOpen), "probe and half-open do not go together");
        check(now >= asked_[endpoint.spec().name], "before the server's wait is over");
        check(now >= asked_[endpoint.spec().quotaGroup], "before the quota group's wait is over");
        check(!deadKeys_.contains(endpoint.spec().credential), "with a dead key");

        const int inFlight = ++inFlight_[endpoint.spec().name];
        check(endpoint.inFlight == inFlight, "in-flight count is wrong");
        check(!endpoint.spec().maxInFlight || inFlight <= *endpoint.spec().maxInFlight, "bulkhead overfilled");
        checkWindow(endpoint, now);
        ++started;
        probes += attempt.probe ? 1 : 0;
    }

    void onEnd(const ChainRun& run, const StartAttempt& attempt, const AttemptResult& result, Instant now) override
    {
        const EndpointSpec& endpoint = run.chain().endpoint(attempt.tier)->spec();
        --inFlight_[endpoint.name];
        const ErrorClass error = result.error.disposition.error;
        if (run.record().committed)
            runs_[run.record().id].committed = true;
        const bool brokenStream = run.record().committed && error != ErrorClass::None;
        if (!brokenStream && (error == ErrorClass::Authentication || error == ErrorClass::Permission))
            deadKeys_.insert(endpoint.credential);
        const bool asks =
            result.error.hint.action == HintAction::Wait || result.error.hint.action == HintAction::Failover;
        if (!asks || error == ErrorClass::Cancelled)
            return;
        const bool quota = error == ErrorClass::RateLimited || result.error.status == 429;
        Instant& until = asked_[quota ? endpoint.quotaGroup : endpoint.name];
        until = std::max(until, now + std::min<Nanos>(result.error.hint.wait, std::chrono::hours(24)));
    }

    void onAbort(const ChainRun& run, const StartAttempt& attempt, Instant) override
    {
        --inFlight_[run.chain().endpoint(attempt.tier)->spec().name];
    }

    void onFinished(const ChainRun& run, const Finished& finished, Instant now) override
    {
        const RunRecord& record = run.record();
        Books& books = runs_[record.id];
        check(!books.finished, "finished twice");
        books.finished = true;
        check(record.ended == now, "ended at another time");
        check(record.ended <= record.started + run.chain().spec().deadline, "ended past the deadline");
        check(record.attempts == books.attempts, "attempts miscounted");
        check(attemptsOf(record).size() == std::size_t(record.attempts), "attempt without a record");
        check((record.ending == Ending::Answered) == (finished.answer != nullptr), "answer and ending differ");
        check((record.ending == Ending::Answered) == (record.source != Source::None), "source and ending differ");
        check((record.ending == Ending::Failed) == (record.error.disposition.error != ErrorClass::None),
              "error and ending differ");
        check(!record.retryAfter || *record.retryAfter >= Nanos(0), "negative wait");
        checkWay(run.chain().spec(), run.request(), record);
        if (books.committed && record.ending == Ending::Failed)
            check(record.error.disposition.error == ErrorClass::StreamBroken, "committed, but not a broken stream");
        ++endings[std::size_t(record.ending)];
    }

    /// After the last event.
    void close(const virtualtime::VirtualDriver& driver, std::size_t submitted,
               const std::vector<std::shared_ptr<chain::EndpointState>>& endpoints,
               const std::vector<std::shared_ptr<chain::ChainState>>& chains)
    {
        check(driver.unfinished() == 0 && driver.records().size() == submitted, "a run without an end");
        for (const auto& endpoint : endpoints) {
            check(endpoint->inFlight == 0, "in flight at the end");
            check(endpoint->breaker().status(driver.now()).figures.probesInFlight == 0, "probe in flight at the end");
        }
        for (const auto& chain : chains)
            if (policy::TokenBucket* bucket = chain->bucket())
                check(bucket->available(driver.now()) > -1e-6, "a reservation nobody waits for");
    }

    int started = 0, probes = 0;
    std::array<int, 4> endings{};

private:
    struct Books
    {
        int attempts = 0, tier = -1;
        std::map<int, int> perTier;
        bool finished = false, committed = false;
    };

    void check(bool holds, const char* what)
    {
        if (!holds && breach.isEmpty())
            breach = QString::fromLatin1(what);
    }

    static bool leftAfter(const RunRecord& record, int tier)
    {
        const std::vector<MoveRecord> moves = movesOf(record);
        return std::any_of(moves.begin(), moves.end(), [&](const MoveRecord& m) { return m.tier == tier; });
    }

    /// Whatever the order: each tier is left once at most, the one asked for is the first, what may not be left is not.
    void checkWay(const ChainSpec& chain, const provider::ChatRequest& request, const RunRecord& record)
    {
        std::vector<int> visited, left;
        for (const Step& step : record.steps) {
            const auto* attempt = std::get_if<AttemptRecord>(&step);
            const auto* move = std::get_if<MoveRecord>(&step);
            const int tier = attempt ? attempt->tier : move ? move->tier : -1;
            if (tier >= 0 && (visited.empty() || visited.back() != tier))
                visited.push_back(tier);
            if (move)
                left.push_back(tier);
        }
        check(std::set(visited.begin(), visited.end()).size() == visited.size(), "a tier was come to twice");
        check(std::set(left.begin(), left.end()).size() == left.size(), "a tier was left twice");
        const bool exhausted = left.size() == chain.tiers.size();
        if (record.ending == Ending::Failed && exhausted)
            check(visited.size() == chain.tiers.size(), "not every tier was come to");
        if (visited.empty())
            return;
        const auto named = [&](const std::string& name) {
            return std::any_of(chain.tiers.begin(), chain.tiers.end(),
                               [&](const TierSpec& t) { return t.name == name; });
        };
        const std::string& first = chain.tiers.at(std::size_t(visited.front())).name;
        if (named(request.preferredTier)) {
            check(first == request.preferredTier && record.route.empty(), "not the tier that was asked for");
        } else if (!record.route.empty()) {
            const auto& classes = chain.router.value().classes;
            const auto taken = std::find_if(classes.begin(), classes.end(),
                                            [&](const RouteClass& c) { return c.name == record.route; });
            check(taken != classes.end() && (!named(taken->tier) || first == taken->tier), "not the router's tier");
        }
        checkStays(chain, record);
    }

    /// A tier whose switch is off is left for that failure by nobody who then comes to another.
    void checkStays(const ChainSpec& chain, const RunRecord& record)
    {
        const AttemptRecord* failed = nullptr;
        const MoveRecord* last = nullptr;
        for (const Step& step : record.steps) {
            const auto* attempt = std::get_if<AttemptRecord>(&step);
            const auto* move = std::get_if<MoveRecord>(&step);
            if ((attempt || move) && last)
                check(!stays(chain.tiers.at(std::size_t(last->tier)), *last, failed), "left against its switch");
            if ((attempt || move) && last)
                failed = nullptr, last = nullptr;
            if (attempt)
                failed = attempt;
            if (move)
                last = move;
        }
    }

    static bool stays(const TierSpec& tier, const MoveRecord& move, const AttemptRecord* failed)
    {
        switch (move.reason) {
        case MoveReason::Parked:
        case MoveReason::RateLimited:
        case MoveReason::Bulkhead:
            return !tier.movesOn.rateLimited;
        case MoveReason::AttemptsUsed:
        case MoveReason::NotRetryable:
        case MoveReason::WaitTooLong:
            break;
        case MoveReason::BreakerOpen:
            if (failed)
                return false; // the retry's refusal or the failure itself: either may have moved it
            return !tier.movesOn.openBreaker;
        default:
            return false;
        }
        if (!failed)
            return false;
        const ErrorClass error = failed->error.disposition.error;
        if (error == ErrorClass::RateLimited || failed->error.status == 429)
            return !tier.movesOn.rateLimited;
        if (error == ErrorClass::Timeout)
            return !tier.movesOn.timeout;
        const bool server = error == ErrorClass::ServerError || error == ErrorClass::Overloaded ||
                            error == ErrorClass::Connection || error == ErrorClass::StreamBroken;
        return server && !tier.movesOn.serverError;
    }

    /// A bucket of rpm that starts full lets at most 2 rpm through in a minute.
    void checkWindow(EndpointState& endpoint, Instant now)
    {
        if (!endpoint.spec().requestsPerMinute)
            return;
        std::multiset<Instant>& starts = starts_[endpoint.spec().name];
        starts.insert(now);
        const auto lastMinute = std::distance(starts.upper_bound(now - std::chrono::minutes(1)), starts.end());
        check(double(lastMinute) <= 2 * *endpoint.spec().requestsPerMinute, "own limit overrun");
    }

    std::map<std::uint64_t, Books> runs_;
    std::map<std::string, Instant> asked_;
    std::map<std::string, int> inFlight_;
    std::map<std::string, std::multiset<Instant>> starts_;
    std::set<std::string> deadKeys_;
};

} // namespace sg::test
