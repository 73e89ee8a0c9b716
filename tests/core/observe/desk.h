// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_state.h"
#include "core/observe/recorder.h"

#include <map>

/// Endpoints with real breakers, whose attempts and requests are told to a recorder in virtual time.
namespace sg::test {

constexpr std::int64_t kStartUnixMs = 1'700'000'000'000; // 2023-11-14 22:13:20 UTC

struct Desk
{
    /// Whether a recorder learns of a transition before or after the attempt that made it.
    enum class Order { AttemptFirst, TransitionFirst };

    explicit Desk(Order told = Order::TransitionFirst)
        : order(told)
    {
    }

    void add(const std::string& name, policy::BreakerConfig config, std::optional<double> rpm = {})
    {
        chain::EndpointSpec spec;
        spec.name = name;
        spec.breaker = config;
        spec.requestsPerMinute = rpm;
        states[name] = std::make_shared<chain::EndpointState>(
            spec, nullptr, nullptr, nullptr,
            [this, name](const policy::BreakerTransition& transition) { told(name, transition); });
        infos.push_back({name, "provider of " + name, "model of " + name, states[name]});
        recorder.setEndpoints(infos);
    }

    policy::Breaker& breaker(const std::string& name) { return states.at(name)->breaker(); }

    static provider::ErrorFacts error(provider::ErrorClass kind, int status, Nanos asked = Nanos(0))
    {
        provider::ErrorFacts facts;
        facts.disposition = provider::dispositionOf(kind);
        facts.status = status;
        if (asked.count() > 0)
            facts.hint = {policy::HintAction::Failover, asked, "retry-after"};
        return facts;
    }

    /// One attempt of the given length; empty: the breaker refused it.
    std::optional<chain::AttemptRecord> attempt(const std::string& name, const provider::ErrorFacts& facts,
                                                Nanos took = Millis(100))
    {
        policy::Permit permit = breaker(name).acquire(now);
        if (!permit)
            return std::nullopt;
        chain::AttemptRecord record;
        record.endpoint = name;
        record.probe = permit.isProbe();
        record.timing.dispatched = now;
        recorder.onAttemptStarted(name, now);
        now += took;
        record.timing.end = now;
        record.error = facts;
        if (facts.disposition.error == provider::ErrorClass::None)
            record.timing.firstToken = now;
        finish(permit, record, took);
        return record;
    }

    chain::RunRecord begin()
    {
        chain::RunRecord run;
        run.chain = "assist";
        run.started = now;
        recorder.onRequestStarted(now);
        return run;
    }

    void step(chain::RunRecord& run, const std::optional<chain::AttemptRecord>& record)
    {
        if (!record)
            return;
        run.steps.emplace_back(*record);
        ++run.attempts;
    }

    void end(chain::RunRecord& run, chain::Ending ending, chain::Source source, const std::string& endpoint = {},
             observe::RequestMoney money = {})
    {
        run.ending = ending;
        run.source = source;
        run.endpoint = endpoint;
        run.ended = now;
        recorder.onRequestFinished(run, run.started, money, now);
    }

    /// A request one endpoint answers at once.
    void answered(const std::string& name, Nanos took, observe::RequestMoney money = {})
    {
        chain::RunRecord run = begin();
        step(run, attempt(name, {}, took));
        end(run, chain::Ending::Answered, chain::Source::Endpoint, name, money);
    }

    /// One that leaves `from` and is answered by `to`.
    void movedOn(const std::string& from, const std::string& to)
    {
        chain::RunRecord run = begin();
        chain::MoveRecord move;
        move.at = now;
        move.endpoint = from;
        run.steps.emplace_back(move);
        step(run, attempt(to, {}, Millis(1)));
        end(run, chain::Ending::Answered, chain::Source::Endpoint, to);
    }

    observe::SnapshotPtr look(Nanos window = std::chrono::minutes(15)) { return recorder.snapshot(window, now); }

    const observe::EndpointView& view(const observe::SnapshotPtr& picture, const std::string& name) const
    {
        for (const observe::EndpointView& candidate : picture->endpoints) {
            if (candidate.name == name)
                return candidate;
        }
        return picture->endpoints.front();
    }

    Order order;
    Instant now = instantAtMs(0);
    observe::Recorder recorder{{instantAtMs(0), kStartUnixMs}};
    std::map<std::string, std::shared_ptr<chain::EndpointState>> states;
    std::vector<observe::EndpointInfo> infos;

private:
    void told(const std::string& name, const policy::BreakerTransition& transition)
    {
        if (holdingBack)
            heldBack.emplace_back(name, transition);
        else
            recorder.onBreaker(name, transition);
    }

    void finish(policy::Permit& permit, const chain::AttemptRecord& record, Nanos took)
    {
        std::optional<Nanos> hint;
        if (record.error.hint.wait.count() > 0)
            hint = record.error.hint.wait;
        holdingBack = order == Order::AttemptFirst;
        permit.finish({record.error.disposition.breaker, took, hint}, now);
        holdingBack = false;
        recorder.onAttemptFinished(record, now);
        for (const auto& [name, transition] : heldBack)
            recorder.onBreaker(name, transition);
        heldBack.clear();
    }

    bool holdingBack = false;
    std::vector<std::pair<std::string, policy::BreakerTransition>> heldBack;
};

/// Trips at 50 % of at least 60 calls, closes after three probes, waits 15 s to 60 s.
inline policy::BreakerConfig rateRule()
{
    policy::BreakerConfig config;
    config.failureRate = 0.5;
    config.minimumCalls = 60;
    config.halfOpenSuccesses = 3;
    config.open = std::chrono::seconds(15);
    config.openMultiplier = 2;
    config.maxOpen = std::chrono::seconds(60);
    return config;
}

inline policy::BreakerConfig streakRule(int failures)
{
    policy::BreakerConfig config;
    config.consecutiveFailures = failures;
    return config;
}

inline provider::ErrorFacts overloaded()
{
    return Desk::error(provider::ErrorClass::Overloaded, 503);
}
inline provider::ErrorFacts timedOut()
{
    return Desk::error(provider::ErrorClass::Timeout, 0);
}

inline void trip(Desk& desk, const std::string& name)
{
    // 29 good, 28 × 503 and 3 × timeout: the 60th call makes 52 %.
    for (int i = 0; i < 29; ++i)
        desk.attempt(name, {}, Millis(10));
    for (int i = 0; i < 3; ++i)
        desk.attempt(name, timedOut(), Millis(10));
    for (int i = 0; i < 28; ++i)
        desk.attempt(name, overloaded(), Millis(10));
}

} // namespace sg::test

#define COMPARE_TEXT(actual, expected) QCOMPARE(QString::fromStdString(actual), QString::fromUtf8(expected))
