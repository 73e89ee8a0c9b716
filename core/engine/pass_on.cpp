// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/pass_on.h"

#include "core/engine/engine_core.h"
#include "core/engine/hide_key.h"
#include "core/engine/transport_facts.h"
#include "core/provider/usage.h"

#include <QJsonDocument>

namespace sg::engine {

namespace {

// 2048 vectors of 3072 numbers in text have some 64 MB; base64, which SDKs ask for, a third of that.
constexpr qsizetype kMostBytes = 64 * 1024 * 1024;
constexpr qsizetype kMostErrorBytes = 256 * 1024;

std::shared_ptr<chain::ChainState> chainOf(const std::string& name, const ServingEndpoint* endpoint)
{
    chain::ChainSpec spec;
    spec.name = name;
    if (!endpoint)
        return std::make_shared<chain::ChainState>(spec, std::vector<std::shared_ptr<chain::EndpointState>>{});
    chain::TierSpec tier;
    tier.name = tier.endpoint = name;
    // Nothing comes after it: what is told is why it may not be asked.
    tier.movesOn.openBreaker = tier.movesOn.rateLimited = false;
    spec.tiers = {tier};
    spec.attemptBudget = 1;
    spec.deadline = endpoint->config.timeouts.total;
    return std::make_shared<chain::ChainState>(spec, std::vector{endpoint->state});
}

/// What a chain asks of a request is how many tokens it will probably take.
provider::ChatRequest standIn(const QString& text)
{
    provider::ChatRequest request;
    request.messages.push_back({"user", text});
    return request;
}

provider::Usage usageOf(const QJsonObject& answer, provider::Dialect dialect, std::int64_t estimatedInput)
{
    provider::Usage usage = provider::readUsage(dialect, answer.value(QLatin1String("usage")).toObject());
    if (!usage.inputTokens) {
        usage.inputTokens = estimatedInput;
        usage.estimated = true;
    }
    usage.outputTokens = usage.outputTokens.value_or(0); // vectors are no tokens
    return usage;
}

} // namespace

PassOn::PassOn(EngineCore& core, CallId id, PassCall call, const ServingEndpoint* endpoint)
    : core_(core)
    , id_(id)
    , call_(std::move(call))
    , state_(endpoint ? endpoint->state : nullptr)
    , route_(endpoint ? endpoint->route : nullptr)
    , price_(endpoint ? endpoint->price : std::nullopt)
    , estimatedInput_(provider::needsOf(standIn(call_.text)).estimatedInputTokens)
    , run_(chainOf(call_.endpoint, endpoint), standIn(call_.text), id, core.random_)
{
}

void PassOn::start()
{
    perform(run_.start(http::steadyNow()));
}

void PassOn::cancel()
{
    call_.onFinished = {};
    chain::AttemptTiming timing;
    timing.dispatched = timing.end = http::steadyNow();
    if (exchange_) {
        const http::Timing onWire = exchange_->timing();
        timing.dispatched = onWire.dispatched;
        timing.sent = onWire.sent;
        timing.headers = onWire.headers;
    }
    over_ = true;
    if (const auto exchange = std::exchange(exchange_, nullptr))
        exchange->cancel();
    const chain::Action end = run_.cancel(timing, http::steadyNow());
    if (!run_.record().steps.empty())
        if (const auto* attempt = std::get_if<chain::AttemptRecord>(&run_.record().steps.back()))
            core_.recorder_.onAttemptFinished(*attempt, http::steadyNow(), observe::Operation::Embeddings);
    perform(end);
}

void PassOn::abandon()
{
    over_ = true;
    call_.onFinished = {};
    if (const auto exchange = std::exchange(exchange_, nullptr))
        exchange->cancel();
}

void PassOn::perform(const chain::Action& action)
{
    if (const auto* attempt = std::get_if<chain::StartAttempt>(&action))
        return send(*attempt);
    if (std::holds_alternative<chain::Finished>(action))
        finish(); // a chain of this kind neither waits nor caches
}

void PassOn::send(const chain::StartAttempt& attempt)
{
    core_.attemptStarted(attempt.endpoint);
    const QString& problem =
        route_->unusable.isEmpty() && !route_->embeddingsUrl ? route_->embeddingsUrl.error() : route_->unusable;
    if (!problem.isEmpty()) {
        chain::AttemptResult refused;
        const bool isLocal = route_->unusable.isEmpty() || route_->unusableAs == provider::ErrorClass::Authentication;
        refused.error.disposition =
            provider::dispositionOf(isLocal ? provider::ErrorClass::LocalReject : route_->unusableAs);
        refused.error.disposition.breaker = policy::CallOutcome::Neutral;
        refused.error.message = problem.toStdString();
        refused.timing.dispatched = refused.timing.end = http::steadyNow();
        return attemptOver(refused);
    }
    http::Request out;
    out.url = *route_->embeddingsUrl;
    out.headers = route_->headers;
    out.limits = route_->limits;
    out.limits.maxBodyBytes = kMostBytes;
    out.limits.total = attempt.deadline - http::steadyNow();
    out.connection = route_->connection;
    call_.body.insert(QLatin1String("model"), QString::fromStdString(route_->model));
    out.body = QJsonDocument(std::exchange(call_.body, {})).toJson(QJsonDocument::Compact);
    exchange_ = core_.transport_->start(std::move(out), shared_from_this());
}

void PassOn::onHeaders(int status, const http::Headers& headers, Instant)
{
    status_ = status;
    headers_ = headers;
}

void PassOn::onBody(QByteArrayView piece, Instant)
{
    const bool succeeded = status_ >= 200 && status_ <= 299;
    const qsizetype left = (succeeded ? kMostBytes : kMostErrorBytes) - body_.size();
    body_.append(piece.first(std::min(piece.size(), left)));
    tooLong_ |= piece.size() > left;
}

void PassOn::onFinished(const http::Outcome& outcome)
{
    const auto self = shared_from_this();
    exchange_.reset();
    if (!over_)
        attemptOver(resultOf(outcome));
}

chain::AttemptResult PassOn::resultOf(const http::Outcome& outcome)
{
    chain::AttemptResult result;
    // The status decides before the transport's error: a 429 whose body was cut is still a 429.
    const bool isError = status_ != 0 && (status_ < 200 || status_ > 299);
    if (outcome.failure == http::FailureKind::None || isError) {
        result = resultOfAnswer(outcome);
    } else {
        result.error =
            provider::classifyTransport(toTransportError(outcome.failure), false, outcome.detail.toStdString());
        result.error.status = status_;
    }
    for (const QByteArray& secret : {route_->key, route_->proxySecret}) {
        result.error.message = hideKey(result.error.message, secret);
        result.error.code = hideKey(result.error.code, secret);
        body_ = hideKey(body_, secret);
    }
    result.timing.dispatched = outcome.timing.dispatched;
    result.timing.connecting = outcome.timing.connecting;
    result.timing.sent = outcome.timing.sent;
    result.timing.headers = outcome.timing.headers;
    result.timing.firstByte = outcome.timing.firstByte;
    result.timing.end = outcome.timing.end;
    return result;
}

chain::AttemptResult PassOn::resultOfAnswer(const http::Outcome& outcome)
{
    chain::AttemptResult result;
    const auto classified = [&] {
        return provider::classifyAnswer(route_->provider, status_, toHeaderList(headers_), body_.toStdString(),
                                        core_.anchor_.toUnixMs(outcome.timing.end), route_->maxServerWait);
    };
    if (status_ < 200 || status_ > 299) {
        result.error = classified();
        return result;
    }
    const QJsonDocument document = tooLong_ ? QJsonDocument() : QJsonDocument::fromJson(body_);
    const QJsonObject answer = document.object();
    if (answer.value(QLatin1String("error")).isObject())
        result.error = classified();
    else if (!answer.value(QLatin1String("data")).isArray())
        result.error = badAnswer(tooLong_ ? "the answer is longer than allowed" : "the answer holds no vectors");
    if (result.error.disposition.error != provider::ErrorClass::None)
        return result;
    result.usage = usageOf(answer, route_->profile.dialect, estimatedInput_);
    result.answer = std::make_shared<const provider::Answer>(); // the body itself is handed on
    return result;
}

provider::ErrorFacts PassOn::badAnswer(const char* why) const
{
    provider::ErrorFacts error;
    error.disposition = provider::dispositionOf(provider::ErrorClass::BadResponse);
    error.status = status_;
    error.message = why;
    return error;
}

void PassOn::attemptOver(const chain::AttemptResult& result)
{
    const chain::Action next = run_.onAttemptFinished(result, http::steadyNow());
    for (const chain::Step& step : run_.record().steps)
        if (const auto* attempt = std::get_if<chain::AttemptRecord>(&step))
            core_.recorder_.onAttemptFinished(*attempt, http::steadyNow(), observe::Operation::Embeddings);
    perform(next);
}

void PassOn::finish()
{
    const auto self = shared_from_this();
    over_ = true;
    const chain::RunRecord& record = run_.record();
    const Bill bill = billOf(record, [this](const std::string&) { return price_; });
    const observe::RequestMoney money = moneyOf(bill);
    core_.passEnded(id_, record, call_.intended, money);
    const auto onFinished = std::exchange(call_.onFinished, {});
    if (!onFinished)
        return;
    PassResult result{record, status_};
    if (record.ending == chain::Ending::Answered) {
        result.contentType = http::headerValue(headers_, "content-type");
        result.body = std::move(body_);
    }
    result.costNanoUsd = money.cost;
    result.costIsLowerBound = money.costIsLowerBound;
    onFinished(result);
}

} // namespace sg::engine
