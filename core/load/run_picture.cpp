// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/directory.h"
#include "core/http/transport_rule.h"
#include "core/load/latency_bars.h"
#include "core/load/report.h"
#include "core/load/run.h"

#include <cmath>

namespace sg::load {

namespace {

constexpr std::int64_t kFewestForP99 = 100;

double secondsBetween(Instant from, Instant to)
{
    return toMs(to - from) / 1000;
}

std::optional<double> ms(const stats::Histogram& histogram, double percentile)
{
    const auto value = histogram.percentile(percentile);
    return value ? std::optional(toMs(*value)) : std::nullopt;
}

/// What was wrong although the status says that nothing was.
QString failedWords(int status)
{
    return status >= 200 && status < 300 ? QStringLiteral("broke off or empty") : QStringLiteral("returned to client");
}

std::vector<StatusRow> statusesOf(const Tally& tally, bool knowsSource)
{
    const QString ok = QStringLiteral("200");
    const auto cached = tally.bySource(chain::Source::Cache) + tally.bySource(chain::Source::SharedCall);
    std::vector<StatusRow> rows;
    if (!knowsSource)
        rows.push_back({ok, QStringLiteral("answered, source unknown"), tally.bySource(chain::Source::Endpoint), true});
    else
        rows = {
            {ok, QStringLiteral("from a model"), tally.bySource(chain::Source::Endpoint), true},
            {ok, QStringLiteral("from cache"), cached, true},
            {ok, QStringLiteral("canned reply"), tally.canned(), true},
        };
    for (const auto& [status, count] : tally.failedByStatus())
        if (status != 0)
            rows.push_back({QString::number(status), failedWords(status), count, false});
    for (int i = 0; i < provider::kErrorClassCount; ++i) {
        const auto error = static_cast<provider::ErrorClass>(i);
        if (const std::int64_t count = tally.failedWithoutStatus(error); count > 0)
            rows.push_back({QString::fromStdString(std::string(provider::toString(error))).replace(u'_', u' '),
                            QStringLiteral("no answer came"), count, false});
    }
    if (tally.localErrors() > 0)
        rows.push_back(
            {QStringLiteral("generator"), QStringLiteral("failed in this machine"), tally.localErrors(), false});
    return rows;
}

} // namespace

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

QString LoadRun::servedBy() const
{
    const engine::Switchboard& switchboard = core_.switchboard();
    std::vector<std::string> endpoints{plan_.target};
    if (plan_.targetKind == TargetKind::Chain)
        endpoints = engine::directoryOf(switchboard)->reachedBy({engine::TargetKind::Chain, plan_.target});
    const QString usual = core_.transportFigures().name, curl = QStringLiteral("curl");
    const auto usualKind = usual == curl ? http::TransportKind::Curl : http::TransportKind::Qnam;
    int byCurl = 0, byQt = 0;
    for (const std::string& name : endpoints)
        if (const engine::ServingEndpoint* endpoint = switchboard.endpoint(name))
            ++(http::transportFor(core_.wantedTransport(), usualKind, endpoint->route->connection.get()) ==
                       http::TransportKind::Curl
                   ? byCurl
                   : byQt);
    if (byCurl > 0 && byQt > 0)
        return QStringLiteral("qnam and curl");
    return byCurl > 0 ? curl : byQt > 0 ? QStringLiteral("qnam") : usual;
}

RunProgressPtr LoadRun::progress() const
{
    auto picture = std::make_shared<RunProgress>();
    picture->state = state_;
    picture->plan = plan_;
    picture->id = id_;
    picture->began = began_;
    picture->elapsedSeconds = toMs(elapsed()) / 1000;
    picture->started = tally_->started();
    picture->answered = tally_->answered();
    picture->failed = tally_->failed();
    picture->cancelled = tally_->cancelled();
    picture->attempts = tally_->attempts();
    picture->inFlight = static_cast<int>(inFlight_.size());

    const auto requests = plan_.stop.requests;
    const auto length = plannedLength(plan_);
    const double byCount = requests ? static_cast<double>(tally_->ended()) / static_cast<double>(*requests) : 0;
    const double byTime = length && *length > Nanos(0) ? toMs(elapsed()) / toMs(*length) : 0;
    picture->share = ended() ? 1 : std::min(1.0, std::max(byCount, byTime));
    if (picture->share > 0.01 && picture->share < 1)
        picture->etaSeconds = picture->elapsedSeconds * (1 - picture->share) / picture->share;

    picture->p50Ms = ms(tally_->response(), 50);
    picture->p95Ms = ms(tally_->response(), 95);
    if (tally_->response().count() >= kFewestForP99)
        picture->p99Ms = ms(tally_->response(), 99);
    const auto& money = tally_->money();
    const std::int64_t nanoUsd = money.knownNanoUsd + money.estimatedNanoUsd;
    if (tally_->ended() > money.unknownRequests || nanoUsd > 0)
        picture->costUsd = static_cast<double>(nanoUsd) / 1e9;
    picture->costIsLowerBound = money.unknownRequests > 0;
    picture->costIsEstimated = money.estimatedRequests > 0;
    slots_.fill(*picture, tally_->axis());
    if (!ended() && picture->seconds.size() > 1)
        picture->seconds.pop_back(); // the one under way would look like a fall
    picture->statuses = statusesOf(*tally_, plan_.targetKind != TargetKind::Url);
    if (plan_.targetKind != TargetKind::Url) { // what is behind an address has breakers of its own
        picture->breakers = breakerSpans();
        picture->endpoints = core_.switchboard().endpointNames();
    }
    picture->transport = transportFigures().name;
    picture->askedRate = askedRate();
    picture->dueRate = figures()[static_cast<std::size_t>(measure::Metric::RequestedRate)];
    picture->latency = latencyOf(*tally_);
    picture->firstToken = tokenTimesOf(*tally_, measure::Metric::Ttft);
    picture->betweenTokens = tokenTimesOf(*tally_, measure::Metric::Tpot);
    picture->slowest = tally_->slowest();
    picture->part = partOf(startedAt_ + elapsed());
    if (schedule_ && !ended())
        picture->rateNow = schedule_->rateAt(elapsed());
    picture->dropped = tally_->dropped();
    picture->scheduleDelayP99Ms = ms(tally_->figures().of(measure::Metric::ScheduleDelay), 99);
    picture->objectives = measure::judge(tally_->figures(), figures());
    picture->stopReason = stopReason_;
    // Percentiles of every step: too much for ten times a second, and a step is not over more often than that.
    if (ended() || ratesReadAt_ < Nanos(0) || elapsed() - ratesReadAt_ >= std::chrono::seconds(1)) {
        ratesReadAt_ = elapsed();
        ratesShown_ = rateCurve();
    }
    picture->rates = ratesShown_;
    if (ended())
        picture->report = reportOf(*this);
    return picture;
}

} // namespace sg::load
