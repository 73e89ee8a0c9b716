// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/watched_request.h"

#include "core/engine/answer_key.h"
#include "core/engine/bill.h"
#include "core/engine/hide_key.h"

#include <QJsonArray>
#include <QJsonObject>

namespace sg::engine {

namespace {

std::optional<Instant> waitUnderWay(const chain::RunRecord& record, Instant now)
{
    const auto* wait = record.steps.empty() ? nullptr : std::get_if<chain::WaitRecord>(&record.steps.back());
    return wait && wait->until > now ? std::optional(wait->until) : std::nullopt;
}

void setCost(WatchView& view, const EngineCore& core)
{
    const PriceLookup priceOf = [&](const std::string& endpoint) { return core.priceOf(endpoint); };
    const Bill bill = billOf(view.record, priceOf);
    view.costBasis = basisOf(view.record, priceOf);
    const bool isRunning = view.record.ending == chain::Ending::Running; // what runs will cost is not known yet
    view.costIsLowerBound = bill.hasUnknown || isRunning;
    view.costIsEstimated = bill.estimatedNanoUsd > 0;
    if (!view.costIsLowerBound || bill.nanoUsd > 0)
        view.costNanoUsd = bill.nanoUsd;
}

} // namespace

WatchedRequest::WatchedRequest(std::uint64_t id, CallTarget target)
    : id_(id)
    , target_(std::move(target))
{
}

std::shared_ptr<WatchView> WatchedRequest::begin(const EngineCore& core, const chain::RunRecord& record) const
{
    auto view = std::make_shared<WatchView>();
    view->id = id_;
    view->target = target_;
    view->taken = http::steadyNow();
    view->anchor = core.anchor();
    view->record = record;
    if (view->record.started == Instant()) // before its first step
        view->record.started = view->taken;
    view->traces = traces_.traces();
    view->tracesDropped = traces_.dropped();
    view->arrivals.assign(arrivals_.begin(), arrivals_.end());
    view->arrivalsDropped = arrivalsDropped_;
    setCost(*view, core);
    return view;
}

WatchViewPtr WatchedRequest::picture(const EngineCore& core, const RunningRequest& request) const
{
    const auto view = begin(core, request.record);
    view->answer = withoutKey(request.attempt ? request.attempt->said() : said_, key_);
    if (request.attempt)
        view->current = current(request.attempt->timing(), view->taken);
    else
        view->waitingUntil = waitUnderWay(request.record, view->taken);
    return view;
}

WatchViewPtr WatchedRequest::lastPicture(const EngineCore& core, const CallResult& result) const
{
    const auto view = begin(core, result.record);
    view->running = false;
    view->answer = withoutKey(result.answer ? *result.answer : said_, key_);
    view->answerIsPartial = !result.answer;
    if (view->answerIsPartial && result.record.attempts > 0)
        view->answer.usage = result.usage; // estimated where the provider could not say it any more
    return view;
}

chain::AttemptRecord WatchedRequest::current(const chain::AttemptTiming& timing, Instant now) const
{
    chain::AttemptRecord record;
    record.number = attempt_.number;
    record.tier = attempt_.tier;
    record.endpoint = attempt_.endpoint;
    record.probe = attempt_.probe;
    record.timing = timing;
    record.timing.end = now;
    record.committed = committed_;
    return record;
}

void WatchedRequest::onAttempt(const chain::StartAttempt& attempt, Instant)
{
    attempt_ = attempt;
    committed_ = false;
    said_ = {};
    arrivals_.clear();
    arrivalsDropped_ = 0;
}

void WatchedRequest::onSend(const EndpointRoute& route, const http::Request& request, const QStringList& leftOut)
{
    key_ = route.key;
    traces_.begin(attempt_.number, route, request, leftOut);
}

void WatchedRequest::onHeaders(int status, const http::Headers& headers)
{
    traces_.headers(status, headers);
}

void WatchedRequest::onBody(QByteArrayView piece)
{
    traces_.body(piece);
}

void WatchedRequest::onDelta(const provider::Delta& delta, Instant at)
{
    if (!delta.isCommit())
        return;
    committed_ = true;
    arrivals_.push_back(
        {at, static_cast<int>(provider::charactersOf(delta)), delta.text.isEmpty() && !delta.reasoning.isEmpty()});
    if (arrivals_.size() > kMostArrivals) {
        arrivals_.pop_front();
        ++arrivalsDropped_;
    }
}

void WatchedRequest::onAttemptOver(const provider::Answer& said)
{
    said_ = said;
    traces_.end();
}

} // namespace sg::engine
