// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/pass_on.h"

#include "core/engine/engine_core.h"
#include "core/engine/hide_key.h"
#include "core/engine/transport_facts.h"
#include "core/provider/usage.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace sg::engine {

namespace {

// 2048 vectors of 3072 numbers in text have some 64 MB; base64, which SDKs ask for, a third of that.
constexpr qsizetype kMostBytes = 64 * 1024 * 1024;
constexpr qsizetype kMostErrorBytes = 256 * 1024;
constexpr std::string_view kUsage = "usage", kError = "error", kData = "data";

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

provider::Needs needsOf(const PassCall& call)
{
    provider::Needs needs;
    needs.estimatedInputTokens = call.inputTokens;
    return needs;
}

provider::Usage usageOf(const QJsonObject& told, provider::Dialect dialect, std::int64_t estimatedInput)
{
    provider::Usage usage = provider::readUsage(dialect, told);
    if (!usage.inputTokens) {
        usage.inputTokens = estimatedInput;
        usage.estimated = true;
    }
    usage.outputTokens = usage.outputTokens.value_or(0); // vectors are no tokens
    return usage;
}

QByteArray jsonString(const std::string& text)
{
    const QByteArray list = QJsonDocument(QJsonArray{QString::fromStdString(text)}).toJson(QJsonDocument::Compact);
    return list.sliced(1, list.size() - 2);
}

observe::Operation operationOf(PassOperation operation)
{
    return operation == PassOperation::ListModels ? observe::Operation::ListModels : observe::Operation::Embeddings;
}

} // namespace

PassOn::PassOn(EngineCore& core, CallId id, PassCall call, const ServingEndpoint* endpoint)
    : core_(core)
    , id_(id)
    , call_(std::move(call))
    , state_(endpoint ? endpoint->state : nullptr)
    , route_(endpoint ? endpoint->route : nullptr)
    , price_(endpoint ? endpoint->price : std::nullopt)
    , operation_(operationOf(call_.operation))
    , run_(chainOf(call_.endpoint, endpoint), needsOf(call_), id, core.random_)
    , members_({kUsage, kError, kData})
{
}

void PassOn::start()
{
    perform(run_.start(http::steadyNow()));
}

void PassOn::cancel()
{
    chain::AttemptTiming timing;
    timing.dispatched = timing.end = http::steadyNow();
    if (exchange_)
        onWire_ = exchange_->timing();
    if (onWire_) {
        timing.dispatched = onWire_->dispatched;
        timing.sent = onWire_->sent;
        timing.headers = onWire_->headers;
    }
    over_ = true;
    if (const auto exchange = std::exchange(exchange_, nullptr))
        exchange->cancel();
    const chain::Action end = run_.cancel(timing, http::steadyNow());
    recordAttempts();
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

const tl::expected<QUrl, QString>& PassOn::url() const
{
    return call_.operation == PassOperation::ListModels ? route_->modelsUrl : route_->embeddingsUrl;
}

http::Request PassOn::request()
{
    if (call_.operation == PassOperation::ListModels)
        return modelsRequest(*route_);
    http::Request out;
    out.url = *route_->embeddingsUrl;
    out.headers = route_->headers;
    out.limits = route_->limits;
    out.limits.maxBodyBytes = kMostBytes;
    out.connection = route_->connection;
    out.body = "{\"model\":" + jsonString(route_->model) + ',' + std::exchange(call_.body, {}).sliced(1);
    return out;
}

void PassOn::send(const chain::StartAttempt& attempt)
{
    core_.attemptStarted(attempt.endpoint);
    const QString& problem = route_->unusable.isEmpty() && !url() ? url().error() : route_->unusable;
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
    http::Request out = request();
    out.limits.total = attempt.deadline - http::steadyNow();
    exchange_ = core_.transport_.start(std::move(out), shared_from_this());
}

void PassOn::onHeaders(int status, const http::Headers& headers, Instant)
{
    status_ = status;
    headers_ = headers;
    if (isSuccess())
        share_.begin(core_.budget_, *this, longest(headers, kMostBytes));
}

void PassOn::setHeld(bool held)
{
    if (exchange_)
        exchange_->setPaused(held);
}

/// Whatever has to be known of a large answer is found here, a piece at a time: nothing else of this thread waits for
/// the whole.
void PassOn::onBody(QByteArrayView piece, Instant)
{
    const qsizetype before = body_.size();
    const qsizetype left = (isSuccess() ? kMostBytes : kMostErrorBytes) - before;
    const QByteArrayView taken = piece.first(std::min(piece.size(), left));
    tooLong_ |= taken.size() < piece.size();
    noRoom_ = !share_.grow(taken.size());
    if (noRoom_)
        return exchange_->cancel(); // which ends this inside the call
    body_.append(taken);
    for (const QByteArray& secret : {route_->key, route_->proxySecret})
        holdsKey_ = holdsKey_ || mentionsKey(body_, before, secret);
    if (isSuccess() && call_.operation == PassOperation::Embeddings)
        members_.feed({taken.data(), static_cast<std::size_t>(taken.size())});
    if (tooLong_ && !isSuccess())
        exchange_->cancel(); // there is the message
}

void PassOn::onFinished(const http::Outcome& outcome)
{
    const auto self = shared_from_this();
    exchange_.reset();
    if (over_)
        return;
    onWire_ = outcome.timing;
    if (isLongList(outcome))
        return readBeside(outcome);
    hideThenEnd(resultOf(outcome));
}

bool PassOn::isLongList(const http::Outcome& outcome) const
{
    return call_.operation == PassOperation::ListModels && isSuccess() && body_.size() > Beside::kShort &&
           outcome.failure == http::FailureKind::None && !noRoom_;
}

void PassOn::readBeside(const http::Outcome& outcome)
{
    core_.beside_->run([route = route_, body = body_] { return readModelList(*route, body); },
                       [self = shared_from_this(), outcome](ModelsResult listed) {
                           if (self->over_)
                               return;
                           self->listed_ = std::move(listed);
                           self->hideThenEnd(self->resultOf(outcome));
                       });
}

/// The body goes to the caller as it came, but for the keys in it.
void PassOn::hideThenEnd(const chain::AttemptResult& result)
{
    if (call_.operation == PassOperation::ListModels)
        body_ = {}; // read, and without keys in what was read
    if (!holdsKey_ || body_.isEmpty())
        return attemptOver(result);
    const bool isLong = body_.size() > Beside::kShort;
    const auto hide = [body = std::exchange(body_, {}), route = route_] {
        return hideKey(hideKey(body, route->key), route->proxySecret);
    };
    if (!isLong) {
        body_ = hide();
        return attemptOver(result);
    }
    core_.beside_->run(hide, [self = shared_from_this(), result](QByteArray hidden) {
        if (self->over_)
            return;
        self->body_ = std::move(hidden);
        self->attemptOver(result);
    });
}

chain::AttemptResult PassOn::resultOf(const http::Outcome& outcome)
{
    chain::AttemptResult result;
    // The status decides before the transport's error: a 429 whose body was cut is still a 429.
    const bool isError = status_ != 0 && !isSuccess();
    if (noRoom_) {
        result.error = noRoom(core_.budget_);
    } else if (outcome.failure == http::FailureKind::None || isError) {
        result.error = readAnswer(outcome.timing.end, result.usage);
    } else {
        result.error =
            provider::classifyTransport(toTransportError(outcome.failure), false, outcome.detail.toStdString());
        result.error.status = status_;
    }
    if (result.error.disposition.error == provider::ErrorClass::None)
        result.answer = std::make_shared<const provider::Answer>(); // what came is handed on as it is
    for (const QByteArray& secret : {route_->key, route_->proxySecret}) {
        result.error.message = hideKey(result.error.message, secret);
        result.error.code = hideKey(result.error.code, secret);
    }
    result.timing.dispatched = outcome.timing.dispatched;
    result.timing.connecting = outcome.timing.connecting;
    result.timing.sent = outcome.timing.sent;
    result.timing.headers = outcome.timing.headers;
    result.timing.firstByte = outcome.timing.firstByte;
    result.timing.end = outcome.timing.end;
    return result;
}

provider::ErrorFacts PassOn::readAnswer(Instant at, provider::Usage& usage)
{
    if (!isSuccess())
        return classified(body_, at);
    if (tooLong_)
        return badAnswer("the answer is longer than allowed");
    if (call_.operation == PassOperation::Embeddings)
        return readVectors(at, usage);
    usage.inputTokens = usage.outputTokens = 0;
    return readModels();
}

provider::ErrorFacts PassOn::readVectors(Instant at, provider::Usage& usage) const
{
    if (members_.isWhole() && members_[kError].first == '{') {
        const QByteArray alone = "{\"error\":" + valueOf(members_[kError]) + '}';
        return classified(body_.size() <= kMostErrorBytes ? body_ : alone, at);
    }
    if (!members_.isWhole() || members_[kData].first != '[')
        return badAnswer("the answer holds no vectors");
    usage = usageOf(QJsonDocument::fromJson(valueOf(members_[kUsage])).object(), route_->profile.dialect,
                    call_.inputTokens);
    return {};
}

provider::ErrorFacts PassOn::readModels()
{
    auto models = listed_ ? std::move(*listed_) : readModelList(*route_, body_);
    if (!models)
        return badAnswer(models.error().toStdString());
    models_ = std::move(*models);
    provider::ErrorFacts fine;
    fine.disposition.breaker = policy::CallOutcome::Neutral; // a probe that only lists would close it
    return fine;
}

/// Of a value that nobody would call short nothing.
QByteArray PassOn::valueOf(const provider::OuterMembers::Member& member) const
{
    const auto length = static_cast<qsizetype>(member.to - member.from);
    return member.to < 0 || length > kMostErrorBytes ? QByteArray()
                                                     : body_.mid(static_cast<qsizetype>(member.from), length);
}

provider::ErrorFacts PassOn::classified(const QByteArray& body, Instant at) const
{
    return provider::classifyAnswer(route_->provider, status_, toHeaderList(headers_), body.toStdString(),
                                    core_.anchor_.toUnixMs(at), route_->maxServerWait);
}

provider::ErrorFacts PassOn::badAnswer(std::string why) const
{
    provider::ErrorFacts error;
    error.disposition = provider::dispositionOf(provider::ErrorClass::BadResponse);
    error.status = status_;
    error.message = std::move(why);
    return error;
}

void PassOn::attemptOver(const chain::AttemptResult& result)
{
    const chain::Action next = run_.onAttemptFinished(result, http::steadyNow());
    recordAttempts();
    perform(next);
}

void PassOn::recordAttempts()
{
    for (const chain::Step& step : run_.record().steps)
        if (const auto* attempt = std::get_if<chain::AttemptRecord>(&step))
            core_.recorder_.onAttemptFinished(*attempt, http::steadyNow(), operation_);
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
        result.contentType = hideKey(http::headerValue(headers_, "content-type"), route_->key);
        result.body = std::move(body_);
        result.models = std::move(models_);
    }
    result.costNanoUsd = money.cost;
    result.costIsLowerBound = money.costIsLowerBound;
    share_.end(); // from here on it is the caller's
    onFinished(result);
}

} // namespace sg::engine
