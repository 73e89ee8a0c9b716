// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/breaker.h"

#include "core/policy/call_window.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace sg::policy {

namespace {

double ratio(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

/// min(open * multiplier^(k-1), maxOpen), for any k.
Nanos grownWait(const BreakerConfig& config, int openings)
{
    const auto cap = static_cast<double>(config.maxOpen.count());
    const double grown = static_cast<double>(config.open.count()) * std::pow(config.openMultiplier, openings - 1);
    if (!(grown < cap)) // also where 0 * infinity is no number
        return config.open > Nanos::zero() ? config.maxOpen : Nanos::zero();
    return Nanos(std::llround(grown));
}

Nanos lengthened(Nanos wait, const BreakerConfig& config, RandomSource* random)
{
    if (!random || !(config.openJitter > 0) || wait >= config.maxOpen)
        return wait;
    const double longer = static_cast<double>(wait.count()) * (1 + config.openJitter * random->uniform());
    if (!(longer < static_cast<double>(config.maxOpen.count())))
        return config.maxOpen;
    return std::max(wait, Nanos(std::llround(longer)));
}

struct Probe
{
    std::uint64_t id;
    Instant deadline;
};

/// Transitions of one call, to be told once the lock is given back. No call causes more than two: a missed deadline
/// and what the call itself does.
class Notices
{
public:
    void add(const BreakerTransition& transition) { list_[count_++] = transition; }
    void tell(const Breaker::Observer& observer) const
    {
        for (std::size_t i = 0; i < count_; ++i)
            observer(*list_[i]);
    }

private:
    std::array<std::optional<BreakerTransition>, 2> list_;
    std::size_t count_ = 0;
};

} // namespace

double BreakerFigures::failureRate() const
{
    return ratio(failures, successes + failures);
}

double BreakerFigures::rateLimitedShare() const
{
    return ratio(rateLimited, successes + failures + rateLimited);
}

double BreakerFigures::slowRate() const
{
    return ratio(slow, successes + failures);
}

struct Breaker::Impl
{
    Impl(const BreakerConfig& c, RandomSource* r, Observer o)
        : config(c)
        , random(r)
        , observer(std::move(o))
        , window(c.window)
        , deadline(probeDeadline(c))
    {
        state = restingState();
    }

    const BreakerConfig config;
    RandomSource* const random;
    const Observer observer;

    std::mutex mutex;
    Instant latest = Instant::min();
    BreakerState state = BreakerState::Closed;
    std::optional<Instant> since;
    std::uint64_t generation = 1;
    std::uint64_t lastPermit = 0;
    int openings = 0;
    Nanos openFor{0};
    Instant nextProbe;
    CallWindow window;
    int streak = 0;
    const Nanos deadline;
    std::vector<Probe> probes; ///< in flight, in the order of their acquire
    BreakerFigures probed;     ///< counts since half-open began
    BreakerCounters counters;
    std::uint64_t sequence = 0;
    std::optional<BreakerTransition> lastTransition;

    /// Runs `f` with the lock held and a time that does not go back, after a missed deadline has taken effect.
    template <typename F>
    auto with(Instant now, F f)
    {
        Notices notices;
        auto answer = [&] {
            const std::scoped_lock lock(mutex);
            latest = std::max(latest, now);
            if (!since)
                since = latest;
            openAtMissedDeadline(notices);
            return f(notices);
        }();
        notices.tell(observer);
        return answer;
    }

    BreakerState restingState() const { return config.metricsOnly ? BreakerState::MetricsOnly : BreakerState::Closed; }

    BreakerFigures figures()
    {
        if (state == BreakerState::HalfOpen) {
            probed.probesInFlight = static_cast<int>(probes.size());
            return probed;
        }
        window.expire(latest);
        const CallWindow::Sums& sums = window.sums();
        return {sums.successes, sums.failures, sums.rateLimited, sums.slow, streak, 0, 0};
    }

    void enter(BreakerState to, TransitionCause cause, Instant at, Notices& notices, std::optional<Nanos> hint = {})
    {
        BreakerTransition transition{at, state, to, cause, figures(), {}, 0, ++sequence};
        state = to;
        since = at;
        ++generation;
        window.clear();
        streak = 0;
        probes.clear();
        probed = {};
        openFor = Nanos::zero();
        if (to == BreakerState::Open) {
            startWait(at, hint);
            transition.nextProbe = nextProbe;
        }
        if (to == restingState())
            openings = 0;
        transition.openings = openings;
        lastTransition = transition;
        if (observer)
            notices.add(transition);
    }

    void startWait(Instant at, std::optional<Nanos> hint)
    {
        ++counters.opened;
        if (openings < std::numeric_limits<int>::max())
            ++openings;
        Nanos wait = grownWait(config, openings);
        if (hint)
            wait = std::max(wait, std::min(*hint, config.maxOpen));
        openFor = lengthened(wait, config, random);
        nextProbe = later(at, openFor);
    }

    void openAtMissedDeadline(Notices& notices)
    {
        // All probes have the same time, so the first one in flight is the first to miss its deadline.
        if (state == BreakerState::HalfOpen && !probes.empty() && probes.front().deadline <= latest)
            enter(BreakerState::Open, TransitionCause::ProbeTimedOut, probes.front().deadline, notices);
    }

    void halfOpenWhenDue(Notices& notices)
    {
        if (state == BreakerState::Open && nextProbe <= latest)
            enter(BreakerState::HalfOpen, TransitionCause::OpenElapsed, latest, notices);
    }

    bool admit()
    {
        switch (state) {
        case BreakerState::Open:
        case BreakerState::ForcedOpen:
            return false;
        case BreakerState::HalfOpen:
            return static_cast<std::int64_t>(probes.size()) < config.halfOpenMaxProbes;
        case BreakerState::Closed:
        case BreakerState::ForcedClosed:
        case BreakerState::MetricsOnly:
            return true;
        }
        return false;
    }

    std::optional<CallKind> kindOf(CallOutcome outcome) const
    {
        if (outcome == CallOutcome::Success)
            return CallKind::Success;
        if (outcome == CallOutcome::Failure)
            return CallKind::Failure;
        if (outcome == CallOutcome::Neutral || config.rateLimitedCountsAs == RateLimitedCountsAs::Neutral)
            return {};
        return config.rateLimitedCountsAs == RateLimitedCountsAs::Failure ? CallKind::Failure : CallKind::RateLimited;
    }

    std::optional<TransitionCause> tripCause() const
    {
        if (config.consecutiveFailures && streak >= *config.consecutiveFailures)
            return TransitionCause::ConsecutiveFailures;
        const CallWindow::Sums& sums = window.sums();
        const std::int64_t judged = sums.successes + sums.failures;
        const auto reached = [this](std::int64_t part, std::int64_t whole, const std::optional<double>& limit) {
            return limit && whole > 0 && whole >= config.minimumCalls && ratio(part, whole) >= *limit;
        };
        if (reached(sums.failures, judged, config.failureRate))
            return TransitionCause::FailureRate;
        if (reached(sums.rateLimited, judged + sums.rateLimited, config.rateLimitedShare))
            return TransitionCause::RateLimitedShare;
        if (reached(sums.slow, judged, config.slowRate))
            return TransitionCause::SlowRate;
        return {};
    }

    void record(const CallResult& result, Notices& notices)
    {
        const auto kind = kindOf(result.outcome);
        if (!kind)
            return;
        const bool slow = *kind != CallKind::RateLimited && config.slowCall && result.duration > *config.slowCall;
        const auto hint = *kind == CallKind::Success ? std::nullopt : result.retryAfter;
        if (state == BreakerState::HalfOpen)
            recordProbe(*kind, slow, hint, notices);
        else
            recordCall(*kind, slow, hint, notices);
    }

    void recordProbe(CallKind kind, bool slow, std::optional<Nanos> hint, Notices& notices)
    {
        if (kind == CallKind::RateLimited && !config.rateLimitedShare)
            return;
        probed.successes += kind == CallKind::Success;
        probed.failures += kind == CallKind::Failure;
        probed.rateLimited += kind == CallKind::RateLimited;
        probed.slow += slow;
        probed.streak += kind == CallKind::Failure;
        if (kind != CallKind::Success || (slow && config.slowRate)) {
            enter(BreakerState::Open, TransitionCause::ProbeFailed, latest, notices, hint);
            return;
        }
        if (++probed.probeSuccesses >= config.halfOpenSuccesses)
            enter(restingState(), TransitionCause::ProbesSucceeded, latest, notices);
    }

    void recordCall(CallKind kind, bool slow, std::optional<Nanos> hint, Notices& notices)
    {
        window.expire(latest);
        const bool metricsOnly = state == BreakerState::MetricsOnly;
        const bool heldBefore = metricsOnly && tripCause();
        window.record(kind, slow, latest);
        if (kind == CallKind::Success)
            streak = 0;
        else if (kind == CallKind::Failure && streak < std::numeric_limits<int>::max())
            ++streak;
        if (state == BreakerState::ForcedClosed)
            return;
        const auto cause = tripCause();
        if (!cause)
            return;
        if (!metricsOnly)
            enter(BreakerState::Open, *cause, latest, notices, hint);
        else if (!heldBefore)
            ++counters.wouldHaveOpened;
    }

    /// Gives back what the permit holds; false when it is of an older generation.
    bool giveBack(std::uint64_t permitGeneration, std::uint64_t id)
    {
        if (permitGeneration != generation) {
            ++counters.late;
            return false;
        }
        if (state == BreakerState::HalfOpen) {
            const auto at =
                std::lower_bound(probes.begin(), probes.end(), id,
                                 [](const Probe& probe, std::uint64_t wanted) { return probe.id < wanted; });
            if (at != probes.end() && at->id == id)
                probes.erase(at);
        }
        return true;
    }

    void force(BreakerState to, TransitionCause cause, Instant now)
    {
        with(now, [&](Notices& notices) {
            if (state != to)
                enter(to, cause, latest, notices);
            return true;
        });
    }
};

Breaker::Breaker(const BreakerConfig& config, RandomSource* random, Observer observer)
    : impl_(std::make_unique<Impl>(config, random, std::move(observer)))
{
}

Breaker::~Breaker() = default;

Permit Breaker::acquire(Instant now)
{
    Permit permit;
    impl_->with(now, [&](Notices& notices) {
        impl_->halfOpenWhenDue(notices);
        if (!impl_->admit()) {
            ++impl_->counters.rejected;
            return false;
        }
        permit.breaker_ = this;
        permit.generation_ = impl_->generation;
        permit.id_ = ++impl_->lastPermit;
        permit.probe_ = impl_->state == BreakerState::HalfOpen;
        if (permit.probe_)
            impl_->probes.push_back({permit.id_, later(impl_->latest, impl_->deadline)});
        return true;
    });
    return permit;
}

BreakerState Breaker::state(Instant now)
{
    return impl_->with(now, [&](Notices& notices) {
        impl_->halfOpenWhenDue(notices);
        return impl_->state;
    });
}

BreakerStatus Breaker::status(Instant now)
{
    return impl_->with(now, [&](Notices& notices) {
        impl_->halfOpenWhenDue(notices);
        BreakerStatus status;
        status.state = impl_->state;
        status.since = *impl_->since;
        if (impl_->state == BreakerState::Open)
            status.nextProbe = impl_->nextProbe;
        status.openFor = impl_->openFor;
        status.openings = impl_->openings;
        status.figures = impl_->figures();
        status.lastTransition = impl_->lastTransition;
        status.counters = impl_->counters;
        return status;
    });
}

Nanos Breaker::untilProbe(Instant now)
{
    return impl_->with(now, [&](Notices& notices) {
        impl_->halfOpenWhenDue(notices);
        return impl_->state == BreakerState::Open ? spanBetween(impl_->latest, impl_->nextProbe) : Nanos::zero();
    });
}

void Breaker::trip(Instant now)
{
    impl_->force(BreakerState::ForcedOpen, TransitionCause::ManualTrip, now);
}

void Breaker::holdClosed(Instant now)
{
    impl_->force(BreakerState::ForcedClosed, TransitionCause::ManualHoldClosed, now);
}

void Breaker::reset(Instant now)
{
    impl_->with(now, [&](Notices& notices) {
        impl_->enter(impl_->restingState(), TransitionCause::ManualReset, impl_->latest, notices);
        return true;
    });
}

void Breaker::release(Instant now)
{
    impl_->with(now, [&](Notices& notices) {
        if (impl_->state == BreakerState::ForcedOpen || impl_->state == BreakerState::ForcedClosed)
            impl_->enter(impl_->restingState(), TransitionCause::ManualRelease, impl_->latest, notices);
        return true;
    });
}

void Breaker::probeNow(Instant now)
{
    impl_->with(now, [&](Notices& notices) {
        if (impl_->state == BreakerState::Open)
            impl_->enter(BreakerState::HalfOpen, TransitionCause::ManualProbe, impl_->latest, notices);
        return true;
    });
}

const BreakerConfig& Breaker::config() const
{
    return impl_->config;
}

void Breaker::finish(const Permit& permit, const CallResult& result, Instant now)
{
    impl_->with(now, [&](Notices& notices) {
        if (impl_->giveBack(permit.generation_, permit.id_))
            impl_->record(result, notices);
        return true;
    });
}

void Breaker::drop(const Permit& permit, Instant now)
{
    impl_->with(now, [&](Notices&) { return impl_->giveBack(permit.generation_, permit.id_); });
}

Permit::Permit(Permit&& other) noexcept
    : breaker_(std::exchange(other.breaker_, nullptr))
    , generation_(other.generation_)
    , id_(other.id_)
    , probe_(other.probe_)
{
}

Permit& Permit::operator=(Permit&& other) noexcept
{
    if (this == &other)
        return *this;
    drop(Instant::min());
    breaker_ = std::exchange(other.breaker_, nullptr);
    generation_ = other.generation_;
    id_ = other.id_;
    probe_ = other.probe_;
    return *this;
}

Permit::~Permit()
{
    drop(Instant::min()); // a time older than one seen counts as the latest seen
}

void Permit::finish(const CallResult& result, Instant now)
{
    if (Breaker* const breaker = std::exchange(breaker_, nullptr))
        breaker->finish(*this, result, now);
}

void Permit::drop(Instant now)
{
    if (Breaker* const breaker = std::exchange(breaker_, nullptr))
        breaker->drop(*this, now);
}

} // namespace sg::policy
