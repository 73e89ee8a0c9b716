// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/chain_run.h"

#include "core/chain/canned_reply.h"
#include "core/chain/failures.h"
#include "core/chain/moves_on.h"

#include <algorithm>

namespace sg::chain {

using provider::ErrorClass;

ChainRun::ChainRun(std::shared_ptr<ChainState> chain, provider::ChatRequest request, std::uint64_t id,
                   policy::RandomSource& random, std::shared_ptr<const RequestFacts> facts)
    : chain_(std::move(chain))
    , request_(std::make_shared<const provider::ChatRequest>(std::move(request)))
    , facts_(std::move(facts))
    , needs_(facts_ ? facts_->needs : provider::needsOf(*request_))
    , random_(random)
{
    record_.id = id;
    record_.chain = chain_->spec().name;
}

ChainRun::ChainRun(std::shared_ptr<ChainState> chain, const provider::Needs& needs, std::uint64_t id,
                   policy::RandomSource& random)
    : ChainRun(std::move(chain), provider::ChatRequest(), id, random)
{
    needs_ = needs;
}

ChainRun::~ChainRun()
{
    limiter_.giveBack(*chain_, lastSeen_);
    if (leads_)
        chain_->cache()->leaderDone(*cacheKey_, nullptr, lastSeen_);
}

// ---- events

Action ChainRun::start(Instant now)
{
    if (state_ != State::Fresh)
        return Nothing{};
    lastSeen_ = now;
    record_.started = now;
    deadline_ = later(now, chain_->spec().deadline);
    return passLimiter(now);
}

Action ChainRun::onTimerDue(Instant now)
{
    now = seen(now);
    const bool waiting = state_ == State::AtLimiter || state_ == State::BackingOff || state_ == State::Following;
    if (!waiting)
        return Nothing{};
    if (now < due_)
        return WaitUntil{due_};
    if (state_ == State::AtLimiter)
        return passLimiter(now);
    if (state_ == State::Following)
        return failDeadline(now);
    return proceed(now);
}

void ChainRun::onCommit(Instant now)
{
    seen(now);
    if (state_ != State::Attempting)
        return;
    committed_ = true;
    record_.committed = true;
}

Action ChainRun::onAttemptFinished(const AttemptResult& result, Instant now)
{
    if (state_ != State::Attempting)
        return Nothing{};
    now = seen(now);
    const provider::ErrorFacts error = factsOf(result, committed_);
    recordAttempt(result, error);
    lease_.settle(error, result.usage, result.timing, now);
    if (error.disposition.error == ErrorClass::None)
        return answer(result.answer, Source::Endpoint, now);
    return afterFailure(error, now);
}

Action ChainRun::onLeaderDone(std::shared_ptr<const provider::Answer> leadersAnswer, Instant now)
{
    if (state_ != State::Following)
        return Nothing{};
    now = seen(now);
    if (leadersAnswer)
        return answer(std::move(leadersAnswer), Source::SharedCall, now);
    // The first to go its own way leads those that come later; the others do not wait a second time, or a failing
    // endpoint would be asked by one after the other until their deadlines.
    const ResponseCache::Found found = chain_->cache()->lookup(*cacheKey_, now);
    if (found.role == ResponseCache::Role::Hit)
        return answer(found.entry, Source::Cache, now);
    leads_ = found.role == ResponseCache::Role::Leader;
    return setOut(now);
}

Action ChainRun::cancel(const AttemptTiming& partial, Instant now, const provider::Usage& usage)
{
    if (state_ == State::Over)
        return Nothing{};
    now = seen(now);
    if (state_ == State::Fresh)
        record_.started = now;
    if (state_ == State::Attempting) {
        AttemptResult cancelled;
        cancelled.error.disposition = provider::dispositionOf(ErrorClass::Cancelled);
        cancelled.timing = partial;
        cancelled.usage = usage;
        recordAttempt(cancelled, cancelled.error);
        lease_.release(partial.sent.has_value(), usage, now);
    }
    if (!record_.steps.empty())
        if (auto* wait = std::get_if<WaitRecord>(&record_.steps.back()))
            wait->until = std::min(wait->until, now);
    return finish(Ending::Cancelled, nullptr, now);
}

// ---- before the tiers

Action ChainRun::passLimiter(Instant now)
{
    if (now >= deadline_)
        return failDeadline(now);
    if (const auto& spec = chain_->spec().limiter) {
        const Instant latest = std::min(later(record_.started, spec->maxWait), deadline_ - Nanos(1));
        const LimiterGate::Verdict verdict = limiter_.ask(*chain_, latest, now);
        if (verdict.kind == LimiterGate::Kind::Refused) {
            record_.retryAfter = verdict.wait;
            return fail(limiterRefused(), now);
        }
        if (verdict.kind == LimiterGate::Kind::Wait) {
            state_ = State::AtLimiter;
            due_ = verdict.until;
            record_.steps.push_back(WaitRecord{now, due_, WaitReason::Limiter, "chain limiter", {}, {}, {}});
            return WaitUntil{due_};
        }
    }
    return lookUp(now);
}

Action ChainRun::lookUp(Instant now)
{
    if (ResponseCache* cache = chain_->cache()) {
        cacheKey_ = cacheKey(chain_->spec().name, *request_, facts_ ? facts_->digest : std::string());
        const ResponseCache::Found found = cache->lookup(*cacheKey_, now);
        if (found.role == ResponseCache::Role::Hit)
            return answer(found.entry, Source::Cache, now);
        if (found.role == ResponseCache::Role::Follower) {
            state_ = State::Following;
            due_ = deadline_;
            return AwaitLeader{*cacheKey_, deadline_};
        }
        leads_ = true;
    }
    return setOut(now);
}

// ---- along the tiers

Action ChainRun::setOut(Instant now)
{
    Route route = chain_->order().routeFor(*request_, random_);
    order_ = std::move(route.tiers);
    record_.route = std::move(route.name);
    enterTier(0);
    return proceed(now);
}

const TierSpec* ChainRun::currentTier() const
{
    const auto& tiers = chain_->spec().tiers;
    const auto index = static_cast<std::size_t>(tier_);
    return index < tiers.size() ? &tiers[index] : nullptr;
}

void ChainRun::enterTier(std::size_t place)
{
    place_ = place;
    tier_ = place < order_.size() ? order_[place] : static_cast<int>(place);
    visit_.reset();
    if (const TierSpec* spec = currentTier())
        visit_.emplace(spec->backoff);
}

void ChainRun::noteWait(std::optional<Nanos> wait, Instant now)
{
    if (!wait)
        return;
    const Instant ready = later(now, *wait);
    earliestReady_ = std::min(earliestReady_.value_or(ready), ready);
}

void ChainRun::leaveTier(MoveReason reason, std::optional<Nanos> wait, Instant now)
{
    const EndpointState* endpoint = reason == MoveReason::CredentialOut ? chain_->endpoint(tier_) : nullptr;
    record_.steps.push_back(
        MoveRecord{now, tier_, currentTier()->endpoint, reason, wait, endpoint ? endpoint->keyMissing : std::string()});
    noteWait(wait, now);
    enterTier(place_ + 1);
}

Action ChainRun::proceed(Instant now)
{
    if (now >= deadline_)
        return failDeadline(now);
    while (const TierSpec* tier = currentTier()) {
        const bool canned = tier->kind == TierKind::CannedReply;
        if (std::optional<Action> action = canned ? tryCannedReply(*tier, now) : tryEndpoint(*tier, now))
            return std::move(*action);
    }
    return failWithWait(lastError_ ? *lastError_ : noTierUsable(record_), now);
}

std::optional<Action> ChainRun::tryEndpoint(const TierSpec& tier, Instant now)
{
    const auto passOver = [&](const Refusal& refusal) {
        leaveTier(refusal.reason, refusal.wait, now);
        return std::nullopt;
    };
    EndpointState* endpoint = chain_->endpoint(tier_);
    // A tier without an endpoint behind it cannot serve; a checked workspace has none.
    if (!endpoint)
        return passOver({MoveReason::Disabled, {}});
    if (const auto unsuited = checkSuitability(tier, endpoint->spec().capabilities, needs_))
        return passOver(*unsuited);
    if (needsLargerWindow_ && !windowIsLarger(endpoint->spec().capabilities))
        return passOver({MoveReason::WindowTooSmall, {}});
    if (visit_->attempts >= tier.maxAttempts)
        return passOver({MoveReason::AttemptsUsed, {}});
    if (record_.attempts >= chain_->spec().attemptBudget)
        return passOver({MoveReason::AttemptBudget, knownWait(*endpoint, now)});

    auto lease = admit(*endpoint, needs_, now);
    if (!lease)
        return afterRefusal(tier, lease.error(), now);
    lease_ = std::move(*lease);
    state_ = State::Attempting;
    committed_ = false;
    ++visit_->attempts;
    ++record_.attempts;
    const Instant ownDeadline = tier.attemptTimeout ? later(now, *tier.attemptTimeout) : deadline_;
    return StartAttempt{record_.attempts, tier_, tier.endpoint, std::min(ownDeadline, deadline_), lease_.isProbe()};
}

std::optional<Action> ChainRun::afterRefusal(const TierSpec& tier, const Refusal& refusal, Instant now)
{
    const bool tried = visit_->attempts > 0;
    leaveTier(refusal.reason, refusal.wait, now);
    if (mayLeave(tier.movesOn, refusal.reason))
        return std::nullopt;
    // What the endpoint itself said last tells the caller more than that it may not be asked again.
    return failWithWait(
        tried && lastError_ ? *lastError_ : tierRefused(refusal.reason, tier.endpoint, order_.size() == 1), now);
}

std::optional<Action> ChainRun::tryCannedReply(const TierSpec& tier, Instant now)
{
    const auto passOver = [&](MoveReason reason) {
        leaveTier(reason, {}, now);
        return std::nullopt;
    };
    if (!tier.enabled)
        return passOver(MoveReason::Disabled);
    // A ready-made sentence is no answer to a text nobody could read.
    if (needsLargerWindow_)
        return passOver(MoveReason::WindowTooSmall);
    const CannedRule* rule = matchingRule(tier.rules, *request_);
    if (!rule)
        return passOver(MoveReason::NoRuleMatched);
    if (needs_.jsonMode && !isJson(*rule))
        return passOver(MoveReason::LacksJsonMode);
    return answer(answerOf(*rule), Source::CannedReply, now);
}

bool ChainRun::windowIsLarger(const Capabilities& can) const
{
    return can.contextWindow && *can.contextWindow > windowTooSmall_;
}

// ---- after an attempt

void ChainRun::recordAttempt(const AttemptResult& result, const provider::ErrorFacts& error)
{
    AttemptRecord attempt;
    attempt.number = record_.attempts;
    attempt.tier = tier_;
    attempt.endpoint = currentTier()->endpoint;
    attempt.probe = lease_.isProbe();
    attempt.timing = result.timing;
    attempt.error = error;
    attempt.usage = result.usage;
    attempt.committed = committed_;
    record_.steps.push_back(std::move(attempt));
}

Action ChainRun::afterFailure(const provider::ErrorFacts& error, Instant now)
{
    if (error.disposition.error == ErrorClass::Cancelled)
        return finish(Ending::Cancelled, nullptr, now);
    EndpointState& endpoint = *chain_->endpoint(tier_);
    noteForOthers(endpoint, error, now);
    lastError_ = error;
    const FailedAttempt failed{chain_->spec(), *currentTier(),   endpoint,       error,
                               committed_,     record_.attempts, deadline_ - now};
    AfterFailure next = decideAfterFailure(failed, *visit_, random_, now);
    if (auto* retry = std::get_if<RetryHere>(&next))
        return waitAndRetry(std::move(*retry), now);
    if (std::holds_alternative<EndHere>(next))
        return fail(error, now);
    if (const auto* stop = std::get_if<StopMoving>(&next)) {
        noteWait(stop->wait, now);
        return failWithWait(error, now);
    }

    const MoveOn move = std::get<MoveOn>(next);
    if (move.reason == MoveReason::ContextTooLong) {
        needsLargerWindow_ = true;
        windowTooSmall_ = std::max(windowTooSmall_, endpoint.spec().capabilities.contextWindow.value_or(0));
    }
    leaveTier(move.reason, move.wait, now);
    return proceed(now);
}

Action ChainRun::waitAndRetry(RetryHere plan, Instant now)
{
    if (plan.wait <= Nanos::zero())
        return proceed(now);
    state_ = State::BackingOff;
    due_ = now + plan.wait;
    WaitRecord wait{
        now, due_, plan.reason, std::move(plan.source), plan.ownBackoff, plan.hint, currentTier()->endpoint};
    if (plan.band.from != plan.band.to) {
        wait.drawnFrom = plan.band.from;
        wait.drawnTo = plan.band.to;
    }
    record_.steps.push_back(std::move(wait));
    return WaitUntil{due_};
}

// ---- endings

Action ChainRun::answer(std::shared_ptr<const provider::Answer> answer, Source source, Instant now)
{
    record_.source = source;
    if (source == Source::Endpoint || source == Source::CannedReply) {
        record_.tier = tier_;
        record_.endpoint = currentTier()->endpoint;
    }
    return finish(Ending::Answered, std::move(answer), now);
}

Action ChainRun::fail(provider::ErrorFacts error, Instant now)
{
    record_.error = std::move(error);
    return finish(Ending::Failed, nullptr, now);
}

Action ChainRun::failWithWait(provider::ErrorFacts error, Instant now)
{
    if (earliestReady_)
        record_.retryAfter = std::max(*earliestReady_ - now, Nanos::zero());
    return fail(std::move(error), now);
}

Action ChainRun::failDeadline(Instant now)
{
    return fail(deadlinePast(lastError_), now);
}

Action ChainRun::finish(Ending ending, std::shared_ptr<const provider::Answer> answer, Instant now)
{
    limiter_.giveBack(*chain_, now);
    state_ = State::Over;
    record_.ending = ending;
    record_.ended = now;
    Finished finished{std::move(answer), {}};
    if (leads_) {
        // A ready-made sentence stands in for an answer; kept, it would outlive the outage.
        chain_->cache()->leaderDone(*cacheKey_, record_.source == Source::Endpoint ? finished.answer : nullptr, now);
        finished.leaderOf = cacheKey_;
        leads_ = false;
    }
    return finished;
}

Instant ChainRun::seen(Instant now)
{
    lastSeen_ = std::max(lastSeen_, now);
    return lastSeen_;
}

} // namespace sg::chain
