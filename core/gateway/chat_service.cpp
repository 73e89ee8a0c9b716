// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/chat_service.h"

#include "core/gateway/chat_stream.h"

#include <QDateTime>

namespace sg::gateway {

namespace {

/// So much may gather in one turn of the event loop before the upstream is stopped in the middle of it.
constexpr qsizetype kMostGathered = 64 * 1024;

std::int64_t unixSeconds()
{
    return QDateTime::currentSecsSinceEpoch();
}

/// The provider's own, by which it can be found there too; one of ours where it said none.
std::string idOf(const std::string& sent, const QByteArray& requestId)
{
    return sent.empty() ? "chatcmpl-" + requestId.toStdString() : sent;
}

/// The answer with what clients take for granted. Of a ready-made reply nothing is metered or billed, and the name it
/// goes by is the chain's, since no model has said it.
provider::Answer completed(const engine::CallResult& result, const QByteArray& requestId)
{
    provider::Answer answer = *result.answer;
    answer.id = idOf(answer.id, requestId);
    if (result.record.source != chain::Source::CannedReply)
        return answer;
    answer.model = result.record.chain;
    answer.usage.inputTokens = answer.usage.outputTokens = 0;
    return answer;
}

/// Characters, and of tool calls those of their arguments: what takes time to write.
qsizetype lengthOf(const provider::Answer& answer)
{
    qsizetype length = answer.text.size() + answer.reasoning.size();
    for (const QJsonValue& call : answer.toolCalls)
        length += call[QLatin1String("function")][QLatin1String("arguments")].toString().size();
    return length;
}

/// What the headers of a stream could not say, for people and tools that look at the bytes; clients pass it over.
QByteArray endComment(const Way& way)
{
    http::Headers headers;
    addWay(headers, way);
    QByteArrayList words;
    for (const auto& [name, value] : headers)
        words << name + '=' + value;
    return words.join(' ');
}

} // namespace

/// One request that is under way.
class ChatService::Running
{
public:
    Exchange exchange;
    engine::CallId call = 0;
    quint64 number = 0;
    bool includeUsage = false;
    Nanos queued{0};
    std::optional<ChatStream> stream;            ///< of a streamed request
    std::optional<engine::TimerQueue::Id> timer; ///< until the stream is begun, then of the next comment
    bool isPaused = false, toFlush = false, isCutOff = false;

    Way wayOf(const chain::RunRecord& record, const chain::ChainSpec* chain) const
    {
        Way way{record, chain};
        way.queued = queued;
        return way;
    }
    http::Headers headersOf(const Way& way) const
    {
        http::Headers headers = exchange.headers();
        addWay(headers, way);
        return headers;
    }
};

ChatService::ChatService(engine::EngineCore& core, Entrance& entrance, const Options& options)
    : core_(core)
    , entrance_(entrance)
    , options_(options)
{
}

ChatService::~ChatService()
{
    for (const auto& [number, running] : std::exchange(running_, {})) {
        if (running->timer)
            core_.timers().cancel(*running->timer);
        core_.cancel(running->call);
    }
}

void ChatService::handle(Exchange exchange)
{
    using Ask = tl::expected<ChatAsk, Failure>;
    bodies_.read<Ask>(std::move(exchange), core_.switchboard().hasCache() ? readLongChatForCache : readLongChat,
                      [this](Ask ask, Exchange read) { asked(std::move(ask), std::move(read)); });
}

void ChatService::asked(tl::expected<ChatAsk, Failure> ask, Exchange exchange)
{
    if (!ask)
        return exchange.refuse(ask.error());
    auto known = destinationOf(ask->model, core_.switchboard());
    if (!known) {
        exchange.refuse(known.error());
        if (exchange.isLong)
            bodies_.discard(std::move(*ask));
        return;
    }
    struct Entrant
    {
        ChatAsk ask;
        Destination destination;
        engine::ServingEndpointsPtr applied;
        LongBodies* freedIn = nullptr;
        Entrant(ChatAsk a, Destination d, engine::ServingEndpointsPtr e, LongBodies* bodies)
            : ask(std::move(a))
            , destination(std::move(d))
            , applied(std::move(e))
            , freedIn(bodies)
        {
        }
        Entrant(const Entrant&) = delete;
        Entrant& operator=(const Entrant&) = delete;
        ~Entrant() // also of one that was refused, or has left, while it waited
        {
            if (freedIn && !ask.request.messages.empty())
                freedIn->discard(std::move(ask));
        }
    };
    auto entrant = std::make_shared<Entrant>(std::move(*ask), std::move(*known), core_.switchboard().endpoints(),
                                             exchange.isLong ? &bodies_ : nullptr);
    entrance_.enter(std::move(exchange), [this, entrant = std::move(entrant)](Exchange admitted) {
        if (entrant->applied != core_.switchboard().endpoints()) { // another workspace, while it waited
            auto destination = destinationOf(entrant->ask.model, core_.switchboard());
            if (!destination)
                return admitted.refuse(destination.error());
            entrant->destination = std::move(*destination);
        }
        start(std::move(entrant->ask), std::move(entrant->destination), std::move(admitted));
    });
}

void ChatService::start(ChatAsk ask, Destination destination, Exchange exchange)
{
    const auto running = std::make_shared<Running>();
    running->number = ++next_;
    running->includeUsage = ask.includeUsage;
    running->exchange = std::move(exchange);
    const Instant received = running->exchange.request.received;
    running->queued = http::steadyNow() - received;

    engine::Call call;
    call.target = std::move(destination.target);
    call.request = std::move(ask.request);
    call.facts = std::move(ask.facts);
    call.request.preferredTier = std::move(destination.preferredTier);
    call.intended = received;
    if (running->exchange.isLong)
        call.disposed = [this, alive = std::weak_ptr(alive_)](std::shared_ptr<const provider::ChatRequest> request) {
            if (!alive.expired()) // the engine may keep it for longer
                bodies_.discard(std::move(request));
        };
    Running* const raw = running.get(); // which lives until the call has ended
    call.onFinished = [this, raw](const engine::CallResult& result) { finished(*raw, result); };
    if (call.request.stream) {
        running->stream.emplace(running->exchange.responder);
        call.onDelta = [this, raw](const provider::Delta& delta, Instant) { said(*raw, delta); };
        ++streams_;
        if (options_.settings.beginAfter)
            wakeAt(*running, later(received, *options_.settings.beginAfter));
    }
    running->call = core_.start(std::move(call));
    running_.emplace(running->number, running);
    running->exchange.responder->onClientGone([this, number = running->number] { left(number); });
}

void ChatService::said(Running& running, const provider::Delta& delta)
{
    ChatStream& stream = *running.stream;
    if (!stream.saysSomething())
        beginWith(running);
    stream.add(delta);
    if (stream.gathered() > kMostGathered)
        pause(running);
    flushLater(running);
}

/// The first delta: now it is known who answers.
void ChatService::beginWith(Running& running)
{
    const auto now = core_.running(running.call);
    const provider::Answer head = now && now->attempt ? now->attempt->said() : provider::Answer();
    const std::string& model = head.model.empty() && now && now->attempt ? now->attempt->model() : head.model;
    running.stream->setHead(idOf(head.id, running.exchange.requestId), model, unixSeconds());
    if (running.stream->isBegun() || !now)
        return;
    Way way = running.wayOf(now->record, &now->chain);
    way.tier = now->latest.tier;
    way.endpoint = now->latest.endpoint;
    if (now->attempt)
        way.leftOut = now->attempt->leftOut();
    running.stream->begin(running.headersOf(way));
    if (!running.timer) // nothing was waited for until now
        wakeAt(running, later(http::steadyNow(), options_.settings.keepAlive));
}

void ChatService::finished(Running& running, const engine::CallResult& result)
{
    const auto node = running_.extract(running.number); // gone at the end of this
    if (running.timer)
        core_.timers().cancel(*std::exchange(running.timer, std::nullopt));
    if (node.empty()) // this service is ending
        return;
    if (running.stream)
        --streams_;
    cutOffs_ += running.isCutOff ? 1 : 0;
    Ended ended = endedOf(running.exchange, result);
    ended.queued = running.queued;
    if (running.stream && running.stream->isBegun())
        ended.sentStatus = 200;
    running.exchange.tell(running.isCutOff ? gateway::cutOff(ended) : ended);
    if (result.record.ending == chain::Ending::Cancelled)
        return running.isCutOff ? endCutOff(running) : running.exchange.responder->drop(false);
    const Way way = wayOf(result, running.queued);
    if (running.stream)
        return endStream(running, way, result);
    if (!result.answer)
        return send(*running.exchange.responder, failureOf(result.record), running.headersOf(way));
    http::Headers headers = running.headersOf(way);
    headers.emplace_back("Content-Type", "application/json");
    sendWhole(running, std::move(headers), result);
}

void ChatService::sendWhole(Running& running, http::Headers headers, const engine::CallResult& result)
{
    const bool isComplete = !result.answer->id.empty() && result.record.source != chain::Source::CannedReply;
    auto answer = isComplete ? result.answer
                             : std::make_shared<const provider::Answer>(completed(result, running.exchange.requestId));
    const auto write = [answer, now = unixSeconds()] { return provider::openai::writeWhole(*answer, now); };
    if (lengthOf(*answer) <= engine::Beside::kShort)
        return running.exchange.responder->send(200, headers, write());
    core_.beside().run(write, [responder = running.exchange.responder, headers = std::move(headers)](
                                  const QByteArray& body) { responder->send(200, headers, body); });
}

void ChatService::endStream(Running& running, const Way& way, const engine::CallResult& result)
{
    ChatStream& stream = *running.stream;
    if (!result.answer && !stream.isBegun())
        return send(*running.exchange.responder, failureOf(result.record), running.headersOf(way));
    const bool isCanned = result.answer && result.record.source == chain::Source::CannedReply;
    if (result.answer && !stream.saysSomething())
        stream.setHead(idOf(result.answer->id, running.exchange.requestId),
                       isCanned ? result.record.chain : result.answer->model, unixSeconds());
    if (!stream.isBegun())
        stream.begin(running.headersOf(way));
    stream.comment(endComment(way));
    if (isCanned)
        stream.finish(completed(result, running.exchange.requestId), running.includeUsage);
    else if (result.answer)
        stream.finish(*result.answer, running.includeUsage);
    else
        stream.fail(failureOf(result.record));
    stream.flush(http::steadyNow());
}

void ChatService::endCutOff(Running& running)
{
    if (!running.stream || !running.stream->isBegun())
        return send(*running.exchange.responder, stopping(), running.exchange.headers());
    running.stream->fail(stopping());
    running.stream->flush(http::steadyNow());
}

void ChatService::cutOff()
{
    bodies_.cutOff();
    const auto all = running_; // each ends inside its cancel()
    for (const auto& [number, running] : all) {
        running->isCutOff = true;
        core_.cancel(running->call);
    }
}

void ChatService::left(quint64 number)
{
    const auto found = running_.find(number);
    if (found == running_.end())
        return;
    ++clientsLeft_;
    core_.cancel(found->second->call);
}

// ---- what goes out, and when

void ChatService::wakeAt(Running& running, Instant due)
{
    running.timer = core_.timers().at(due, [this, raw = &running] {
        raw->timer.reset();
        timeToSpeak(*raw);
    });
}

/// A stream that has waited as long as it may is begun; one that has said nothing for a while says that it lives.
void ChatService::timeToSpeak(Running& running)
{
    ChatStream& stream = *running.stream;
    const Instant now = http::steadyNow();
    if (!stream.isBegun()) {
        const auto request = core_.running(running.call);
        if (!request)
            return;
        stream.begin(running.headersOf(running.wayOf(request->record, &request->chain)));
    } else if (const Instant next = later(stream.lastSent(), options_.settings.keepAlive); next > now) {
        return wakeAt(running, next);
    }
    // A client that does not read knows that there is more.
    if (!running.isPaused && running.exchange.responder->bytesBuffered() == 0) {
        stream.comment("keep-alive");
        stream.flush(now);
    }
    wakeAt(running, later(now, options_.settings.keepAlive));
}

void ChatService::flushLater(Running& running)
{
    if (std::exchange(running.toFlush, true))
        return;
    if (toFlush_.empty())
        QMetaObject::invokeMethod(
            &context_, [this] { flushAll(); }, Qt::QueuedConnection);
    toFlush_.push_back(running.number);
}

void ChatService::flushAll()
{
    const Instant now = http::steadyNow();
    for (const quint64 number : std::exchange(toFlush_, {})) {
        const auto found = running_.find(number);
        if (found == running_.end()) // over, with all it had to say
            continue;
        const RunningPtr running = found->second; // a write may find that the client has left
        running->toFlush = false;
        running->stream->flush(now);
        if (running->exchange.responder->bytesBuffered() > options_.limits.maxWriteBuffer)
            pause(*running);
        else
            goOn(*running);
    }
}

void ChatService::pause(Running& running)
{
    if (std::exchange(running.isPaused, true))
        return;
    core_.setPaused(running.call, true);
    running.exchange.responder->onWritable([this, number = running.number] {
        const auto found = running_.find(number);
        if (found != running_.end())
            goOn(*found->second);
    });
}

void ChatService::goOn(Running& running)
{
    if (std::exchange(running.isPaused, false))
        core_.setPaused(running.call, false);
}

} // namespace sg::gateway
