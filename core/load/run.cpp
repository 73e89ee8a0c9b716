// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/run.h"

#include "core/load/report.h"

namespace sg::load {

namespace {

constexpr std::size_t kMaxBreakerChanges = 5000;
constexpr int kLatencyBars = 48;
// Users who all begin in one instant stay in step, and each then waits for the work of all others in the client: with
// 100 of them that added 36 ms to a true 500 ms on a busy machine.
constexpr Nanos kUsersApart = Millis(1);
constexpr Nanos kUsersWithin = Millis(1000);

double secondsBetween(Instant from, Instant to)
{
    return toMs(to - from) / 1000;
}

std::optional<double> ms(const stats::Histogram& histogram, double percentile)
{
    const auto value = histogram.percentile(percentile);
    return value ? std::optional(toMs(*value)) : std::nullopt;
}

std::vector<RunSecond> secondsOf(const Tally& tally)
{
    const double width = toMs(tally.slotWidth()) / 1000;
    std::vector<RunSecond> seconds;
    seconds.reserve(tally.slots().size());
    for (const Tally::Slot& slot : tally.slots()) {
        RunSecond second;
        second.second = static_cast<double>(seconds.size()) * width;
        second.answered = slot.answered;
        second.failed = slot.failed;
        second.attempts = slot.attempts;
        second.attemptsFailed = slot.attemptsFailed;
        second.width = width;
        second.p50Ms = ms(slot.latency, 50);
        second.p95Ms = ms(slot.latency, 95);
        second.p99Ms = ms(slot.latency, 99);
        seconds.push_back(second);
    }
    return seconds;
}

std::vector<LatencyBar> latencyOf(const Tally& tally)
{
    const auto& good = tally.response();
    const auto& bad = tally.failedResponse();
    if (good.empty() && bad.empty())
        return {};
    const double low = toMs(std::min(good.min().value_or(Nanos::max()), bad.min().value_or(Nanos::max()))) * 0.8;
    const double high = toMs(std::max(good.max().value_or(Nanos(0)), bad.max().value_or(Nanos(0)))) * 1.25;
    const double first = std::log10(std::max(low, 0.01));
    const double step = (std::log10(std::max(high, 0.1)) - first) / kLatencyBars;
    std::vector<LatencyBar> bars;
    for (int i = 0; i < kLatencyBars; ++i) {
        LatencyBar bar;
        bar.lowMs = std::pow(10, first + i * step);
        bar.highMs = std::pow(10, first + (i + 1) * step);
        bar.answered = good.countBetween(fromMs(bar.lowMs), fromMs(bar.highMs));
        bar.failed = bad.countBetween(fromMs(bar.lowMs), fromMs(bar.highMs));
        bars.push_back(bar);
    }
    return bars;
}

std::vector<StatusRow> statusesOf(const Tally& tally)
{
    const QString ok = QStringLiteral("200");
    const auto cached = tally.bySource(chain::Source::Cache) + tally.bySource(chain::Source::SharedCall);
    std::vector<StatusRow> rows = {
        {ok, QStringLiteral("from a model"), tally.bySource(chain::Source::Endpoint), true},
        {ok, QStringLiteral("from cache"), cached, true},
        {ok, QStringLiteral("canned reply"), tally.canned(), true},
    };
    for (const auto& [status, count] : tally.failedByStatus())
        if (status != 0)
            rows.push_back({QString::number(status), QStringLiteral("returned to client"), count, false});
    for (int i = 0; i < provider::kErrorClassCount; ++i) {
        const auto error = static_cast<provider::ErrorClass>(i);
        if (const std::int64_t count = tally.failedWithoutStatus(error); count > 0)
            rows.push_back({QString::fromStdString(std::string(provider::toString(error))).replace(u'_', u' '),
                            QStringLiteral("returned to client"), count, false});
    }
    return rows;
}

} // namespace

LoadRun::LoadRun(engine::EngineCore& core, LoadPlan plan, QObject* parent)
    : QObject(parent)
    , core_(core)
    , plan_(std::move(plan))
    , prompts_(plan_)
    , tally_(std::make_unique<Tally>(Instant{}))
{
}

LoadRun::~LoadRun()
{
    core_.setTransitionListener({});
    for (const engine::TimerQueue::Id& arrival : arrivals_)
        core_.timers().cancel(arrival);
    for (const engine::CallId id : std::exchange(inFlight_, {}))
        core_.cancel(id);
}

void LoadRun::start()
{
    startedAt_ = http::steadyNow();
    tally_ = std::make_unique<Tally>(startedAt_);
    for (const std::string& name : core_.switchboard().endpointNames())
        breakersAtStart_[name] = core_.switchboard().endpoint(name)->state->breaker().state(startedAt_);
    core_.setTransitionListener([this](const std::string& endpoint, const policy::BreakerTransition& transition) {
        if (changes_.size() < kMaxBreakerChanges)
            changes_.push_back({endpoint, transition});
        else
            ++changesDropped_;
    });
    state_ = RunState::Running;
    lag_.start();
    const Nanos apart = std::min(kUsersApart, kUsersWithin / plan_.concurrency);
    const auto users = std::min<std::int64_t>(plan_.concurrency, plan_.requests.value_or(plan_.concurrency));
    for (std::int64_t user = 0; user < users; ++user) {
        const Instant due = startedAt_ + apart * user;
        arrivals_.push_back(core_.timers().at(due, [this, due] { mayLaunch() ? launch(due) : endIfDone(); }));
    }
}

bool LoadRun::mayLaunch() const
{
    if (state_ != RunState::Running)
        return false;
    if (plan_.requests && tally_->started() >= *plan_.requests)
        return false;
    return !plan_.duration || elapsed() < *plan_.duration;
}

void LoadRun::launch(Instant intended)
{
    tally_->onStarted();
    engine::Call call;
    call.target.kind = plan_.targetKind == TargetKind::Chain ? engine::TargetKind::Chain : engine::TargetKind::Endpoint;
    call.target.name = plan_.target;
    call.request = prompts_.next();
    call.intended = intended;
    const auto id = std::make_shared<engine::CallId>();
    call.onFinished = [this, id](const engine::CallResult& result) { onFinished(*id, result); };
    *id = core_.start(std::move(call));
    inFlight_.insert(*id);
}

void LoadRun::onFinished(engine::CallId id, const engine::CallResult& result)
{
    if (inFlight_.erase(id) == 0)
        return;
    tally_->onFinished(result);
    // The user is free the moment the answer is there: what is lost until the next request counts as its delay.
    if (mayLaunch())
        launch(result.record.ended);
    else
        endIfDone();
}

void LoadRun::endIfDone()
{
    if (!inFlight_.empty() || ended())
        return;
    lag_.stop();
    core_.setTransitionListener({});
    state_ = RunState::Finished;
    QMetaObject::invokeMethod(this, &LoadRun::finished, Qt::QueuedConnection);
}

void LoadRun::stop()
{
    if (ended())
        return;
    const bool again = state_ == RunState::Stopping;
    state_ = RunState::Stopping;
    if (again)
        for (const engine::CallId id : std::set(inFlight_))
            core_.cancel(id);
    endIfDone();
}

Nanos LoadRun::elapsed() const
{
    if (state_ == RunState::Idle)
        return Nanos(0);
    return (ended() ? tally_->lastEnd() : http::steadyNow()) - startedAt_;
}

std::vector<BreakerSpan> LoadRun::breakerSpans() const
{
    std::vector<BreakerSpan> spans;
    const double now = toMs(elapsed()) / 1000;
    for (const auto& [endpoint, state] : breakersAtStart_) {
        BreakerSpan span{endpoint, static_cast<int>(state), 0, now};
        for (const BreakerChange& change : changes_) {
            if (change.endpoint != endpoint)
                continue;
            span.toSecond = secondsBetween(startedAt_, change.transition.at);
            spans.push_back(span);
            span = {endpoint, static_cast<int>(change.transition.to), span.toSecond, now};
        }
        spans.push_back(span);
    }
    return spans;
}

RunProgressPtr LoadRun::progress() const
{
    auto picture = std::make_shared<RunProgress>();
    picture->state = state_;
    picture->plan = plan_;
    picture->elapsedSeconds = toMs(elapsed()) / 1000;
    picture->started = tally_->started();
    picture->answered = tally_->answered();
    picture->failed = tally_->failed();
    picture->cancelled = tally_->cancelled();
    picture->attempts = tally_->attempts();
    picture->inFlight = static_cast<int>(inFlight_.size());

    const double byCount =
        plan_.requests ? static_cast<double>(tally_->finished()) / static_cast<double>(*plan_.requests) : 0;
    const double byTime = plan_.duration ? toMs(elapsed()) / toMs(*plan_.duration) : 0;
    picture->share = ended() ? 1 : std::min(1.0, std::max(byCount, byTime));
    if (picture->share > 0.01 && picture->share < 1)
        picture->etaSeconds = picture->elapsedSeconds * (1 - picture->share) / picture->share;

    picture->p50Ms = ms(tally_->response(), 50);
    picture->p95Ms = ms(tally_->response(), 95);
    if (tally_->response().count() >= 100)
        picture->p99Ms = ms(tally_->response(), 99);
    const auto& money = tally_->money();
    const std::int64_t nanoUsd = money.knownNanoUsd + money.estimatedNanoUsd;
    if (tally_->finished() > money.unknownRequests || nanoUsd > 0)
        picture->costUsd = static_cast<double>(nanoUsd) / 1e9;
    picture->costIsLowerBound = money.unknownRequests > 0;
    picture->costIsEstimated = money.estimatedRequests > 0;
    picture->seconds = secondsOf(*tally_);
    if (!ended() && picture->seconds.size() > 1)
        picture->seconds.pop_back(); // the one under way would look like a fall
    picture->statuses = statusesOf(*tally_);
    picture->breakers = breakerSpans();
    picture->endpoints = core_.switchboard().endpointNames();
    picture->latency = latencyOf(*tally_);
    picture->slowest = tally_->slowest();
    if (ended())
        picture->report = reportOf(*this);
    return picture;
}

} // namespace sg::load
