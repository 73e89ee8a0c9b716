// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/chain_track.h"

#include "core/chain/failures.h"
#include "core/chain/moves_on.h"
#include "core/observe/sentences.h"

#include <algorithm>
#include <map>

namespace sg::observe {

using chain::MoveReason;
using provider::ErrorClass;
using namespace std::chrono;

namespace {

constexpr std::int64_t kEnoughForP95 = 20;
constexpr Nanos kMinute = minutes(1);
constexpr Nanos kShortestSpan = seconds(10); // of a rate, or the first request would be a peak

/// Seconds for the minute that moves on the screen; coarser beyond, because there may be hundreds of tiers.
stats::WindowLevels levels()
{
    return {{seconds(1), 60}, {seconds(5), 180}, {seconds(60), 360}, {seconds(300), 288}};
}

template <typename Counts, typename Op>
void forEachCount(Counts& to, const Counts& from, Op op)
{
    if constexpr (std::is_same_v<Counts, ChainCounts>) {
        op(to.requests, from.requests);
        op(to.answered, from.answered);
        op(to.failed, from.failed);
        op(to.cancelled, from.cancelled);
        op(to.fromCache, from.fromCache);
        op(to.refused, from.refused);
        op(to.passedLimiter, from.passedLimiter);
    } else {
        op(to.entered, from.entered);
        op(to.answered, from.answered);
        op(to.failedHere, from.failedHere);
        for (std::size_t i = 0; i < to.moved.size(); ++i)
            op(to.moved[i], from.moved[i]);
    }
}
constexpr auto kAdd = [](std::uint32_t& to, std::uint32_t n) { to += n; };
constexpr auto kTake = [](std::uint32_t& from, std::uint32_t n) { from -= n; };

MovedBy movedByFailure(const provider::ErrorFacts& error)
{
    switch (chain::kindOf(error)) {
    case chain::FailureKind::RateLimited:
        return MovedBy::RateLimited;
    case chain::FailureKind::ServerError:
        return MovedBy::ServerError;
    case chain::FailureKind::Timeout:
        return MovedBy::Timeout;
    case chain::FailureKind::ContextTooLong:
        return MovedBy::ContextTooLong;
    case chain::FailureKind::ContentPolicy:
        return MovedBy::ContentPolicy;
    case chain::FailureKind::Credential:
        return MovedBy::Credential;
    case chain::FailureKind::Other:
        break;
    }
    return MovedBy::Other;
}

bool endedAtLimiter(const chain::RunRecord& record)
{
    const auto* wait = record.steps.empty() ? nullptr : std::get_if<chain::WaitRecord>(&record.steps.back());
    return record.ending != chain::Ending::Answered && wait != nullptr && wait->reason == chain::WaitReason::Limiter;
}

ChainCounts countsOf(const chain::RunRecord& record)
{
    ChainCounts counts;
    counts.requests = 1;
    counts.answered = record.ending == chain::Ending::Answered ? 1 : 0;
    counts.failed = record.ending == chain::Ending::Failed ? 1 : 0;
    counts.cancelled = record.ending == chain::Ending::Cancelled ? 1 : 0;
    const bool cached = record.source == chain::Source::Cache || record.source == chain::Source::SharedCall;
    counts.fromCache = cached ? 1 : 0;
    counts.refused = counts.failed != 0 && chain::isLimiterRefusal(record.error) ? 1 : 0;
    counts.passedLimiter = counts.refused == 0 && !endedAtLimiter(record) ? 1 : 0;
    return counts;
}

/// Requests a minute that the limiter lets through in the long run.
std::optional<double> limitOf(const chain::LimiterSpec& limiter)
{
    std::optional<double> limit;
    if (limiter.ratePerSecond > 0)
        limit = limiter.ratePerSecond * 60;
    if (limiter.windowLimit && limiter.window > Nanos::zero()) {
        const double perMinute = static_cast<double>(*limiter.windowLimit) * (toMs(kMinute) / toMs(limiter.window));
        limit = std::min(limit.value_or(perMinute), perMinute);
    }
    return limit;
}

} // namespace

MovedBy movedBy(MoveReason reason, const provider::ErrorFacts* lastError)
{
    switch (reason) {
    case MoveReason::Disabled:
        return MovedBy::Disabled;
    case MoveReason::LacksTools:
    case MoveReason::LacksImages:
    case MoveReason::LacksJsonMode:
    case MoveReason::WindowTooSmall:
        return MovedBy::Unsuited;
    case MoveReason::CredentialOut:
        return MovedBy::Credential;
    case MoveReason::ContextTooLong:
        return MovedBy::ContextTooLong;
    case MoveReason::ContentPolicy:
        return MovedBy::ContentPolicy;
    case MoveReason::NoRuleMatched:
        return MovedBy::NoRule;
    default:
        break;
    }
    // The failure that opened the breaker, or made a wait too long, is what moved the request.
    if (lastError != nullptr)
        return movedByFailure(*lastError);
    if (reason == MoveReason::BreakerOpen)
        return MovedBy::OpenBreaker;
    const bool limited =
        reason == MoveReason::Parked || reason == MoveReason::RateLimited || reason == MoveReason::Bulkhead;
    return limited ? MovedBy::RateLimited : MovedBy::Other;
}

ChainCounts& ChainCounts::operator+=(const ChainCounts& other)
{
    forEachCount(*this, other, kAdd);
    return *this;
}
ChainCounts& ChainCounts::operator-=(const ChainCounts& other)
{
    forEachCount(*this, other, kTake);
    return *this;
}
TierCounts& TierCounts::operator+=(const TierCounts& other)
{
    forEachCount(*this, other, kAdd);
    return *this;
}
TierCounts& TierCounts::operator-=(const TierCounts& other)
{
    forEachCount(*this, other, kTake);
    return *this;
}

ChainTrack::Traffic::Traffic()
    : counts(levels())
    , latency(levels())
{
}

ChainTrack::ChainTrack(std::shared_ptr<chain::ChainState> state, Instant now)
    : begun_(now)
    , counts_(levels())
{
    replace(std::move(state));
}

void ChainTrack::replace(std::shared_ptr<chain::ChainState> state)
{
    state_ = std::move(state);
    // Of several tiers with one name the first is followed by the first.
    std::multimap<std::string, std::unique_ptr<Traffic>> before;
    for (Tier& tier : tiers_)
        before.emplace(tier.name, std::move(tier.traffic));
    tiers_.clear();
    byName_.clear();
    for (const chain::TierSpec& spec : state_->spec().tiers) {
        Tier tier{spec.name, nullptr};
        if (const auto known = before.lower_bound(spec.name); known != before.end() && known->first == spec.name) {
            tier.traffic = std::move(known->second);
            before.erase(known);
        }
        byName_.try_emplace(spec.name, tiers_.size());
        tiers_.push_back(std::move(tier));
    }
}

void ChainTrack::finished(const chain::RunRecord& record, const chain::ChainSpec& asRun, Instant now)
{
    counts_.add(countsOf(record), now);
    walk(record, asRun, now);
}

void ChainTrack::walk(const chain::RunRecord& record, const chain::ChainSpec& asRun, Instant now)
{
    const bool failed = record.ending == chain::Ending::Failed;
    Visit visit;
    for (const chain::Step& step : record.steps) {
        if (const auto* attempt = std::get_if<chain::AttemptRecord>(&step)) {
            visit.tier = attempt->tier;
            if (attempt->error.disposition.error == ErrorClass::None)
                visit.answer = attempt;
            else
                visit.lastError = &attempt->error;
        } else if (const auto* move = std::get_if<chain::MoveRecord>(&step)) {
            visit.tier = move->tier;
            TierCounts counts;
            // Nothing came after it: the request ended here.
            if (failed && &step == &record.steps.back())
                counts.failedHere = 1;
            else
                counts.moved[static_cast<std::size_t>(movedBy(move->reason, visit.lastError))] = 1;
            close(visit, counts, asRun, now);
        }
    }
    if (record.ending == chain::Ending::Answered && record.tier >= 0)
        visit.tier = record.tier;
    TierCounts counts;
    counts.answered = record.ending == chain::Ending::Answered ? 1 : 0;
    counts.failedHere = failed ? 1 : 0;
    close(visit, counts, asRun, now);
}

void ChainTrack::close(Visit& visit, TierCounts counts, const chain::ChainSpec& asRun, Instant now)
{
    Tier* tier = tierOf(visit.tier, asRun);
    const chain::AttemptRecord* answer = visit.answer;
    visit = {};
    if (tier == nullptr)
        return;
    if (!tier->traffic)
        tier->traffic = std::make_unique<Traffic>();
    counts.entered = 1;
    tier->traffic->counts.add(counts, now);
    if (counts.answered != 0 && answer != nullptr)
        tier->traffic->latency.record(tookOf(*answer), now);
}

ChainTrack::Tier* ChainTrack::tierOf(int index, const chain::ChainSpec& asRun)
{
    const auto at = static_cast<std::size_t>(index);
    if (index < 0 || at >= asRun.tiers.size())
        return nullptr;
    const std::string& name = asRun.tiers[at].name;
    if (at < tiers_.size() && tiers_[at].name == name)
        return &tiers_[at];
    const auto moved = byName_.find(name);
    return moved != byName_.end() ? &tiers_[moved->second] : nullptr;
}

ChainView ChainTrack::view(Nanos window, Instant now)
{
    const ChainCounts counts = counts_.total(window, now);
    const Nanos covered = std::clamp(now - begun_, kShortestSpan, window);
    ChainView view;
    view.name = name();
    view.windowMs = duration_cast<Millis>(window).count();
    view.requests = counts.requests;
    view.answered = counts.answered;
    view.failed = counts.failed;
    view.cancelled = counts.cancelled;
    view.fromCache = counts.fromCache;
    view.refusedByLimiter = counts.refused;
    view.requestsPerSecond = counts.requests / (toMs(covered) / 1000);
    viewLimiter(view, counts, covered);
    if (const chain::ResponseCache* cache = state_->cache())
        view.cacheEntries = static_cast<std::int64_t>(cache->figures().entries);
    view.tiers.reserve(tiers_.size());
    for (std::size_t i = 0; i < tiers_.size(); ++i)
        view.tiers.push_back(viewTier(i, window, now));
    return view;
}

void ChainTrack::viewLimiter(ChainView& view, const ChainCounts& counts, Nanos covered) const
{
    const auto& limiter = state_->spec().limiter;
    if (!limiter)
        return;
    view.limiterLimit = limitOf(*limiter);
    if (view.limiterLimit)
        view.limiterUsed = counts.passedLimiter / std::max(1.0, toMs(covered) / toMs(kMinute));
}

TierView ChainTrack::viewTier(std::size_t index, Nanos window, Instant now)
{
    const Tier& tier = tiers_[index];
    TierView view;
    view.name = tier.name;
    view.endpoint = state_->spec().tiers[index].endpoint;
    if (!tier.traffic)
        return view;
    const TierCounts& counts = tier.traffic->counts.total(window, now);
    view.entered = counts.entered;
    view.answered = counts.answered;
    view.failedHere = counts.failedHere;
    std::copy(counts.moved.begin(), counts.moved.end(), view.moved.begin());
    const stats::Histogram& latency = tier.traffic->latency.total(window, now);
    if (latency.count() >= kEnoughForP95)
        if (const auto p95 = latency.percentile(95))
            view.p95Ms = toMs(*p95);
    return view;
}

} // namespace sg::observe
