// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/attempt_call.h"

#include "core/engine/hide_key.h"
#include "core/engine/transport_facts.h"
#include "core/provider/usage.h"

#include <QTimer>

namespace sg::engine {

namespace {

// What one attempt may hold, times all that are in flight, has to fit into memory: an answer of a million tokens has
// some 4 MB, the body of an error is read for its message only.
constexpr qsizetype kMaxWholeAnswer = 16 * 1024 * 1024;
constexpr qsizetype kMaxErrorBody = 256 * 1024;
/// How long after [DONE] a server may take to end the response, so that its connection can be used again.
constexpr Millis kEndOfStreamGrace{250};

/// The key is looked for in the bytes, where all of the answer stands: nearly none has it.
tl::expected<provider::Answer, provider::ErrorFacts>
readWhole(const QByteArray& body, const provider::AnswerContext& context, const QByteArray& key)
{
    auto parsed = provider::parseWhole(body, context);
    if (!parsed)
        return parsed;
    return mentionsKey(body, 0, key) ? withoutKey(std::move(*parsed), key) : withoutKeyInHead(std::move(*parsed), key);
}

} // namespace

AttemptCall::AttemptCall(std::shared_ptr<const EndpointRoute> route, bool stream, observe::WallAnchor anchor,
                         Handlers handlers)
    : route_(std::move(route))
    , anchor_(anchor)
    , handlers_(std::move(handlers))
    , keys_(route_->key)
    , stream_(stream)
{
}

std::shared_ptr<AttemptCall> AttemptCall::start(Wire wire, std::shared_ptr<const EndpointRoute> route,
                                                const Asked& asked, Instant deadline, observe::WallAnchor anchor,
                                                Handlers handlers)
{
    auto call = std::make_shared<AttemptCall>(route, asked.request.stream, anchor, std::move(handlers));
    call->timing_.dispatched = http::steadyNow();
    call->estimatedInput_ = asked.needs.estimatedInputTokens;
    call->beside_ = &wire.beside;
    call->budget_ = &wire.budget;
    const std::int64_t maxOutput = asked.needs.maxOutputTokens;
    if (!asked.shared) {
        QByteArray body = provider::chatBody(route->profile, asked.request, route->model, &call->leftOut_);
        call->send(wire, std::move(body), deadline, maxOutput);
        return call;
    }
    struct Written
    {
        QByteArray body;
        QStringList leftOut;
    };
    wire.beside.run(
        [request = asked.shared, route] {
            Written written;
            written.body = provider::chatBody(route->profile, *request, route->model, &written.leftOut);
            return written;
        },
        [call, wire, deadline, maxOutput](Written written) {
            call->leftOut_ = std::move(written.leftOut);
            if (deadline <= http::steadyNow())
                return call->refuseTooLate();
            call->send(wire, std::move(written.body), deadline, maxOutput);
        });
    return call;
}

/// Nothing was sent: no failure of the endpoint.
void AttemptCall::refuseTooLate()
{
    if (cancelled_)
        return;
    chain::AttemptResult refused;
    refused.error.disposition = provider::dispositionOf(provider::ErrorClass::LocalReject);
    refused.error.code = "deadline";
    refused.error.message = "the deadline passed before the request was written";
    timing_.end = http::steadyNow();
    refused.timing = timing_;
    const Handlers handlers = std::exchange(handlers_, {});
    handlers.onFinished(refused);
}

void AttemptCall::send(const Wire& wire, QByteArray body, Instant deadline, std::int64_t maxOutputTokens)
{
    if (cancelled_)
        return;
    http::Request out;
    out.url = stream_ ? route_->streamUrl : route_->chatUrl;
    out.headers = route_->headers;
    out.limits = route_->limits;
    out.connection = route_->connection;
    out.isStream = stream_;
    const Nanos left = deadline - http::steadyNow();
    out.limits.total = out.limits.total ? std::min(*out.limits.total, left) : left;
    if (route_->byTask)
        out.limits.total =
            std::min(*out.limits.total, policy::totalFor(*route_->byTask, route_->model, maxOutputTokens));
    out.body = std::move(body);
    if (handlers_.watch)
        handlers_.watch->onSend(*route_, out, leftOut_);
    exchange_ = wire.transport.start(std::move(out), shared_from_this());
    if (route_->tokenLimits.any())
        guard(wire.timers);
    applyPause();
}

void AttemptCall::guard(TimerQueue& timers)
{
    guard_ = std::make_unique<AttemptGuard>(
        timers, route_->tokenLimits, [weak = weak_from_this()](provider::TransportError error, std::string detail) {
            if (const auto self = weak.lock())
                self->breakOff(error, std::move(detail));
        });
    if (stream_)
        guard_->expectFirstToken([this] { return timing().sent; });
}

void AttemptCall::breakOff(provider::TransportError error, std::string detail)
{
    broken_ = error;
    brokenDetail_ = std::move(detail);
    if (exchange_)
        exchange_->cancel();
}

void AttemptCall::cancel()
{
    cancelled_ = true;
    if (const auto watch = std::exchange(handlers_.watch, nullptr))
        watch->onAttemptOver(said());
    guard_.reset();
    if (const auto exchange = std::exchange(exchange_, nullptr))
        exchange->cancel();
    body_ = {};
    share_.end();
}

void AttemptCall::setPaused(bool paused)
{
    isPaused_ = paused;
    applyPause();
}

void AttemptCall::setHeld(bool held)
{
    isHeld_ = held;
    applyPause();
}

void AttemptCall::applyPause()
{
    const bool stands = isPaused_ || isHeld_;
    if (guard_)
        guard_->setPaused(stands);
    if (exchange_)
        exchange_->setPaused(stands);
}

chain::AttemptTiming AttemptCall::timing() const
{
    chain::AttemptTiming timing = timing_;
    if (!exchange_)
        return timing;
    const http::Timing onWire = exchange_->timing();
    timing.connecting = onWire.connecting;
    timing.sent = onWire.sent;
    timing.begun = onWire.begun;
    return timing;
}

provider::Answer AttemptCall::said() const
{
    return reader_ ? withoutKeyInHead(reader_->partial(), route_->key) : provider::Answer{};
}

void AttemptCall::onHeaders(int status, const http::Headers& headers, Instant at)
{
    status_ = status;
    responseHeaders_ = headers;
    timing_.headers = at;
    if (handlers_.watch)
        handlers_.watch->onHeaders(status, headers);
    // A server may answer a streamed request whole (errors, simple gateways): what it says it sends decides.
    const bool eventStream = http::headerValue(headers, "content-type").toLower().startsWith("text/event-stream");
    if (succeeded() && (eventStream || (stream_ && http::headerValue(headers, "content-type").isEmpty())))
        reader_ = std::make_unique<provider::StreamReader>([this](const provider::Delta& delta) { onDelta(delta); },
                                                           contextAt(at));
    if (guard_)
        guard_->answerBegins(reader_ != nullptr, at);
    if (succeeded() && !reader_)
        share_.begin(*budget_, *this, longest(headers, kMaxWholeAnswer));
}

provider::AnswerContext AttemptCall::contextAt(Instant at) const
{
    return {route_->provider, toHeaderList(responseHeaders_), anchor_.toUnixMs(at), route_->maxServerWait,
            route_->profile.dialect};
}

void AttemptCall::onBody(QByteArrayView piece, Instant at)
{
    if (handlers_.watch)
        handlers_.watch->onBody(piece);
    if (cancelled_ || enough_ || closing_)
        return;
    if (!timing_.firstByte)
        timing_.firstByte = at;
    pieceAt_ = at;
    if (guard_)
        guard_->bodyCame(piece.size());
    if (!reader_)
        return keep(piece);
    // An error event ends the attempt at once: waiting for the server to close would hold a broken stream open.
    if (!reader_->feed(piece))
        return stopReading();
    if (reader_->doneSeen())
        awaitEnd();
}

void AttemptCall::keep(QByteArrayView piece)
{
    const qsizetype left = (succeeded() ? kMaxWholeAnswer : kMaxErrorBody) - body_.size();
    const QByteArrayView taken = piece.first(std::min(piece.size(), left));
    noRoom_ = !share_.grow(taken.size());
    if (noRoom_)
        return stopReading();
    body_.append(taken);
    if (piece.size() <= left)
        return;
    tooLong_ = succeeded();
    stopReading();
}

void AttemptCall::stopReading()
{
    enough_ = true;
    if (exchange_)
        exchange_->cancel();
}

/// The answer is complete, but a connection is used again only when its response has ended: most servers end it with
/// the next packet, some never do.
void AttemptCall::awaitEnd()
{
    closing_ = true;
    guard_.reset();
    QTimer::singleShot(kEndOfStreamGrace, [weak = weak_from_this()] {
        const auto self = weak.lock();
        if (self && self->exchange_ && !self->cancelled_)
            self->stopReading();
    });
}

void AttemptCall::onDelta(const provider::Delta& delta)
{
    if (cancelled_) // by the one who heard of an earlier delta of the same piece
        return;
    if (delta.isCommit()) {
        if (!timing_.firstToken)
            commit();
        timing_.lastToken = pieceAt_;
        if (guard_)
            guard_->said(provider::charactersOf(delta));
    }
    if (handlers_.watch)
        handlers_.watch->onDelta(delta, pieceAt_);
    if (timing_.firstToken)
        pass(delta);
}

void AttemptCall::pass(const provider::Delta& delta)
{
    if (!keys_.isIdle()) {
        const provider::Delta shown = keys_.take(delta);
        if (handlers_.onDelta && shown.isCommit())
            handlers_.onDelta(shown, pieceAt_);
    } else if (handlers_.onDelta) {
        handlers_.onDelta(delta, pieceAt_);
    }
}

void AttemptCall::commit()
{
    timing_.firstToken = pieceAt_;
    if (guard_)
        guard_->committed();
    if (handlers_.onCommit)
        handlers_.onCommit(pieceAt_);
}

void AttemptCall::onFinished(const http::Outcome& outcome)
{
    const auto exchange = std::exchange(exchange_, nullptr); // may be the last reference to the listener's owner
    if (guard_)
        guard_->lift();
    timing_.connecting = outcome.timing.connecting;
    timing_.sent = outcome.timing.sent;
    timing_.begun = outcome.timing.begun;
    timing_.headers = outcome.timing.headers;
    timing_.end = outcome.timing.end;
    if (cancelled_)
        return;
    const bool isWhole = !reader_ && succeeded() && outcome.failure == http::FailureKind::None;
    if (isWhole && body_.size() > Beside::kShort)
        return readBeside(outcome);
    conclude(outcome);
}

void AttemptCall::readBeside(const http::Outcome& outcome)
{
    beside_->run([body = std::exchange(body_, {}), context = contextAt(timing_.end),
                  key = route_->key] { return readWhole(body, context, key); },
                 [self = shared_from_this(), outcome](Parsed parsed) {
                     if (self->cancelled_)
                         return;
                     self->parsed_ = std::move(parsed);
                     self->conclude(outcome);
                 });
}

void AttemptCall::conclude(const http::Outcome& outcome)
{
    const Handlers handlers = std::exchange(handlers_, {});
    if (handlers.watch)
        handlers.watch->onAttemptOver(said());
    const chain::AttemptResult result = resultOf(outcome);
    body_ = {};
    share_.end();
    if (const provider::Delta rest = keys_.rest(); rest.isCommit() && handlers.onDelta)
        handlers.onDelta(rest, pieceAt_);
    handlers.onFinished(result);
}

provider::Usage AttemptCall::usageSoFar() const
{
    if (!reader_)
        return {};
    const provider::Answer soFar = reader_->partial();
    return provider::withEstimate(soFar.usage, estimatedInput_, soFar);
}

chain::AttemptResult AttemptCall::resultOf(const http::Outcome& outcome)
{
    chain::AttemptResult result;
    // The status decides before the transport's error: a 429 whose body was cut is still a 429.
    // A stream that has said its last word is complete, however its connection ends.
    const bool complete = outcome.failure == http::FailureKind::None || enough_ || (reader_ && reader_->terminalSeen());
    if (noRoom_) {
        result.error = noRoom(*budget_);
    } else if (tooLong_) {
        result.error = provider::classifyTransport(provider::TransportError::BodyTooLarge, false,
                                                   "the answer is longer than allowed");
        result.error.status = status_;
    } else if (complete || (status_ != 0 && !succeeded())) {
        result = resultOfComplete();
    } else {
        const bool committed = reader_ && reader_->committed();
        result.error = provider::classifyTransport(broken_.value_or(toTransportError(outcome.failure)), committed,
                                                   broken_ ? brokenDetail_ : outcome.detail.toStdString());
        result.error.status = status_;
        result.usage = usageSoFar();
    }
    hideKeys(result.error);
    result.timing = timing_;
    return result;
}

/// Providers repeat a key they refuse, and not every key looks like one.
void AttemptCall::hideKeys(provider::ErrorFacts& error) const
{
    if (error.disposition.error == provider::ErrorClass::None)
        return;
    for (const QByteArray& secret : {route_->key, route_->proxySecret}) {
        error.message = hideKey(error.message, secret);
        error.code = hideKey(error.code, secret);
    }
}

AttemptCall::Parsed AttemptCall::readStreamed()
{
    Parsed parsed = reader_->finish();
    if (!parsed)
        return parsed;
    return keys_.hasMet() ? withoutKey(std::move(*parsed), route_->key)
                          : withoutKeyInHead(std::move(*parsed), route_->key);
}

chain::AttemptResult AttemptCall::resultOfComplete()
{
    chain::AttemptResult result;
    if (!succeeded()) {
        const std::string body = body_.toStdString();
        const provider::AnswerContext context = contextAt(timing_.end);
        result.error = provider::classifyAnswer(context.provider, status_, context.headers, body, context.nowUnixMs,
                                                context.maxServerWait);
        return result;
    }
    Parsed parsed = parsed_   ? std::move(*parsed_)
                    : reader_ ? readStreamed()
                              : readWhole(body_, contextAt(timing_.end), route_->key);
    if (!parsed) {
        result.error = std::move(parsed.error());
        if (result.error.status == 0)
            result.error.status = status_;
        result.usage = usageSoFar();
        return result;
    }
    // An answer sent whole has a last token but no time to its first: the tokens came together.
    if (!reader_)
        timing_.lastToken = pieceAt_;
    result.usage = parsed->usage;
    if (!result.usage.inputTokens || !result.usage.outputTokens)
        result.usage = provider::withEstimate(result.usage, estimatedInput_, *parsed);
    result.answer = std::make_shared<const provider::Answer>(std::move(*parsed));
    return result;
}

} // namespace sg::engine
