// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/reply.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>

#include <cmath>

namespace sg::simulator {

namespace {

/// A client that stopped reading is let go rather than buffered for.
constexpr qint64 kMostBuffered = 4 * 1024 * 1024;

const http::Headers& streamHeaders()
{
    static const http::Headers headers{{"Content-Type", "text/event-stream; charset=utf-8"},
                                       {"Cache-Control", "no-cache"}};
    return headers;
}

http::Headers bodyHeaders(const QByteArray& body)
{
    return {{"Content-Type", contentTypeOf(body)}};
}

QString textIn(const QJsonValue& content)
{
    if (content.isString())
        return content.toString();
    QString text;
    const QJsonArray parts = content.toArray();
    for (const QJsonValue& part : parts)
        text += part.toObject().value(QStringLiteral("text")).toString();
    return text;
}

QString lastText(const QJsonArray& messages, const QString& field)
{
    return textIn(messages.last().toObject().value(field));
}

qint64 charactersIn(const QJsonValue& content)
{
    if (content.isString())
        return content.toString().size();
    qint64 characters = 0;
    const QJsonArray parts = content.toArray();
    for (const QJsonValue& part : parts)
        characters += part.toObject().value(QStringLiteral("text")).toString().size();
    return characters;
}

qint64 charactersIn(const QJsonArray& messages, const QString& field)
{
    qint64 characters = 0;
    for (const QJsonValue& message : messages)
        characters += charactersIn(message.toObject().value(field));
    return characters;
}

int tokensOf(qint64 characters)
{
    return int(std::max<qint64>(1, (characters + 3) / 4));
}

std::optional<Asked> readGeminiRequest(const QJsonObject& object)
{
    const QJsonArray contents = object.value(QStringLiteral("contents")).toArray();
    if (contents.isEmpty())
        return std::nullopt;
    Asked asked;
    asked.includeUsage = true;
    const QString parts = QStringLiteral("parts");
    const QJsonValue system = object.value(QStringLiteral("systemInstruction"));
    asked.promptTokens = tokensOf(charactersIn(contents, parts) + charactersIn(QJsonArray{system}, parts));
    asked.lastText = lastText(contents, parts);
    const int limit =
        object.value(QStringLiteral("generationConfig")).toObject().value(QStringLiteral("maxOutputTokens")).toInt();
    if (limit > 0)
        asked.maxTokens = limit;
    return asked;
}

} // namespace

std::optional<Asked> readChatRequest(const QByteArray& body, provider::Dialect dialect)
{
    const QJsonObject object = QJsonDocument::fromJson(body).object();
    if (dialect == provider::Dialect::Gemini)
        return readGeminiRequest(object);
    const QJsonValue messages = object.value(QStringLiteral("messages"));
    if (!messages.isArray() || messages.toArray().isEmpty())
        return std::nullopt;
    Asked asked;
    asked.stream = object.value(QStringLiteral("stream")).toBool();
    asked.includeUsage =
        object.value(QStringLiteral("stream_options")).toObject().value(QStringLiteral("include_usage")).toBool();
    asked.model = object.value(QStringLiteral("model")).toString();
    for (const QString& field : {QStringLiteral("max_tokens"), QStringLiteral("max_completion_tokens")})
        if (object.value(field).toInt() > 0)
            asked.maxTokens = object.value(field).toInt();
    asked.promptTokens = tokensOf(charactersIn(messages.toArray(), QStringLiteral("content")) +
                                  charactersIn(object.value(QStringLiteral("system"))));
    asked.lastText = lastText(messages.toArray(), QStringLiteral("content"));
    asked.bringsTools = !object.value(QStringLiteral("tools")).toArray().isEmpty();
    return asked;
}

Reply::Reply(Service& service, Service::Endpoint& endpoint, const Behaviour& behaviour, Asked asked, Instant received,
             std::shared_ptr<http::Responder> responder, std::uint64_t seed)
    : service_(service)
    , endpoint_(endpoint)
    , behaviour_(behaviour)
    , asked_(std::move(asked))
    , received_(received)
    , begun_(received)
    , responder_(std::move(responder))
{
    facts_.id = "chatcmpl-sim-" + endpoint.script->name.toUtf8() + '-' + QByteArray::number(endpoint.served);
    const QString& scripted = endpoint.script->model;
    facts_.model = quotedJson(!scripted.isEmpty()      ? scripted
                              : asked_.model.isEmpty() ? endpoint.script->name
                                                       : asked_.model);
    facts_.createdUnix = QDateTime::currentSecsSinceEpoch();
    facts_.promptTokens = asked_.promptTokens;
    facts_.includeUsage = asked_.includeUsage;
    facts_.dialect = asked_.dialect;
    drawFate(seed);
}

/// Every draw of a request comes from a source of its own, so what one request needs never shifts the next one's fate.
void Reply::drawFate(std::uint64_t seed)
{
    policy::SeededRandom random(seed);
    double u = random.uniform();
    for (const Fault& fault : behaviour_.faults) {
        if (u < fault.share) {
            fault_ = &fault;
            break;
        }
        u -= fault.share;
    }
    const double drawn = std::round(behaviour_.outputTokens.draw(random));
    planText();
    facts_.outputTokens = text_.tokens().value_or(int(std::clamp(drawn, 1.0, 1e6)));
    if (asked_.maxTokens && facts_.outputTokens > *asked_.maxTokens) {
        facts_.outputTokens = *asked_.maxTokens;
        facts_.cutByLimit = true;
    }
    planTimes(random);
    text_.startAt(random.next());
}

void Reply::planText()
{
    using provider::Dialect;
    const bool knowsTools = facts_.dialect == Dialect::OpenAi || facts_.dialect == Dialect::Azure;
    if (behaviour_.toolCall && asked_.bringsTools && knowsTools) {
        facts_.toolName = behaviour_.toolCall->name;
        text_ = AnswerText::arguments(behaviour_.toolCall->arguments);
    } else if (behaviour_.text == TextKind::Echo) {
        text_ = AnswerText::echo(endpoint_.script->name.toUtf8() + '#' + QByteArray::number(endpoint_.served),
                                 asked_.lastText);
    } else if (behaviour_.text == TextKind::Time) {
        text_ = AnswerText::time();
    }
}

void Reply::planTimes(policy::RandomSource& random)
{
    const int perChunk = behaviour_.chunkTokens;
    chunks_ = (facts_.outputTokens + perChunk - 1) / perChunk;
    const int afterFirst = std::max(0, facts_.outputTokens - perChunk);
    const double generating = behaviour_.tokensPerSecond ? afterFirst / *behaviour_.tokensPerSecond * 1000 : 0;
    double latency = 0, ttft = 0;
    if (behaviour_.latency) {
        latency = behaviour_.latency->draw(random);
        ttft = behaviour_.ttft              ? behaviour_.ttft->draw(random)
               : behaviour_.tokensPerSecond ? latency - generating
                                            : latency * behaviour_.ttftShare.value_or(0.3);
    } else {
        ttft = behaviour_.ttft->draw(random);
        latency = ttft + generating;
    }
    const double factor = fault_ && fault_->kind == FaultKind::Slow ? fault_->factor : 1;
    latency_ = fromMs(latency * factor);
    ttft_ = std::clamp(fromMs(ttft * factor), Nanos(0), latency_);
}

bool Reply::failsAtTheDoor() const
{
    if (!fault_)
        return false;
    switch (fault_->kind) {
    case FaultKind::Slow:
        return false;
    case FaultKind::DropMidStream:
    case FaultKind::Stall:
    case FaultKind::ErrorEvent:
        return fault_->afterTokens == 0;
    default:
        return true;
    }
}

void Reply::start()
{
    service_.truth().with(endpoint_.script->name, [this](GroundTruth::Endpoint& truth) {
        ++truth.requests;
        ++truth.inFlight;
        if (fault_)
            ++truth.faults[toString(fault_->kind)];
    });
    responder_->onClientGone([weak = weak_from_this()] {
        const auto self = weak.lock();
        if (!self || self->over_)
            return;
        self->service_.truth().with(self->endpoint_.script->name,
                                    [](GroundTruth::Endpoint& truth) { ++truth.clientGone; });
        self->finish();
        // The responder that is calling must outlive the call.
        QMetaObject::invokeMethod(
            &self->service_, [self] {}, Qt::QueuedConnection);
    });
    if (failsAtTheDoor()) {
        stage_ = Stage::Fault;
        wakeAt(received_ + fromMs(fault_->delayMs));
    } else if (behaviour_.workers) {
        service_.enqueue(endpoint_, *behaviour_.workers, shared_from_this());
    } else {
        begin(received_);
    }
}

void Reply::begin(Instant at)
{
    begun_ = at;
    stage_ = asked_.stream ? Stage::Streaming : Stage::Whole;
    wakeAt(begun_ + (asked_.stream ? ttft_ : latency_));
}

void Reply::wakeAt(Instant when)
{
    service_.deadlines().at(when, shared_from_this());
}

void Reply::onDue()
{
    if (over_)
        return;
    if (const auto thaw = service_.frozenUntil(endpoint_, http::steadyNow())) {
        wakeAt(*thaw);
        return;
    }
    if (stage_ == Stage::Fault)
        failNow();
    else if (stage_ == Stage::Streaming)
        stream();
    else
        sendWhole();
}

void Reply::countStatus(int status)
{
    service_.truth().with(endpoint_.script->name, [status](GroundTruth::Endpoint& truth) { ++truth.answered[status]; });
}

void Reply::failNow()
{
    switch (fault_->kind) {
    case FaultKind::Status:
        sendStatus();
        return;
    case FaultKind::Stall:
        return; // stays as it is until the client has enough of it
    case FaultKind::ErrorEvent:
        sendErrorEvent();
        return;
    case FaultKind::Garbage:
        sendGarbage();
        return;
    case FaultKind::DropBeforeHeaders:
        break;
    case FaultKind::DropAfterHeaders:
    case FaultKind::DropMidStream:
        open();
        break;
    case FaultKind::Slow:
        return;
    }
    service_.truth().with(endpoint_.script->name, [](GroundTruth::Endpoint& truth) { ++truth.dropped; });
    finish();
    responder_->drop(false);
}

void Reply::sendStatus()
{
    const QByteArray body = fault_->body.isEmpty() ? defaultErrorBody(fault_->status, facts_.dialect) : fault_->body;
    http::Headers headers;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    for (const auto& [name, value] : fault_->headers)
        headers.emplace_back(name, expandHeader(value, now));
    if (http::headerValue(headers, "Content-Type").isEmpty())
        headers.emplace_back("Content-Type", contentTypeOf(body));
    countStatus(fault_->status);
    finish();
    responder_->send(fault_->status, headers, body);
}

void Reply::sendErrorEvent()
{
    const QByteArray body = fault_->body.isEmpty() ? defaultErrorBody(500, facts_.dialect) : fault_->body;
    finish();
    if (asked_.stream) {
        open();
        responder_->write(errorEvent(body, facts_.dialect));
        responder_->end();
    } else {
        countStatus(200);
        responder_->send(200, bodyHeaders(body), body);
    }
}

void Reply::sendGarbage()
{
    const QByteArray body =
        fault_->body.isEmpty() ? QByteArrayLiteral("{\"id\":\"chatcmpl-sim\",\"choices\":[{\"ind") : fault_->body;
    finish();
    if (asked_.stream) {
        open();
        responder_->write("data: " + body + "\n\n");
        responder_->end();
    } else {
        countStatus(200);
        responder_->send(200, {{"Content-Type", "application/json"}}, body);
    }
}

void Reply::open()
{
    if (opened_)
        return;
    opened_ = true;
    countStatus(200);
    responder_->begin(200, asked_.stream ? streamHeaders() : http::Headers{{"Content-Type", "application/json"}});
}

void Reply::sendWhole()
{
    const QByteArray body = wholeAnswer(facts_, text_.part(0, facts_.outputTokens, http::steadyNow()));
    if (fault_ && fault_->kind != FaultKind::Slow) { // those that wait for tokens: half an answer, then the fault
        if (fault_->kind != FaultKind::ErrorEvent) {
            open();
            responder_->write(QByteArrayView(body).first(body.size() / 2));
        }
        failNow();
        return;
    }
    countStatus(200);
    complete(http::steadyNow());
    responder_->send(200, bodyHeaders(body), body);
}

Instant Reply::chunkTime(int chunk) const
{
    if (chunks_ == 1)
        return begun_ + ttft_;
    const auto span = (latency_ - ttft_).count();
    return begun_ + ttft_ + Nanos(std::int64_t(double(span) * chunk / (chunks_ - 1)));
}

QByteArray Reply::nextChunk()
{
    const int tokens = std::min(behaviour_.chunkTokens, facts_.outputTokens - sentTokens_);
    const QByteArray chunk = contentChunk(facts_, text_.part(sentTokens_, tokens, http::steadyNow()));
    sentTokens_ += tokens;
    ++nextChunk_;
    return chunk;
}

bool Reply::failsHere() const
{
    return fault_ && fault_->kind != FaultKind::Slow &&
           sentTokens_ >= std::min(fault_->afterTokens, facts_.outputTokens);
}

void Reply::stream()
{
    const Instant now = http::steadyNow();
    QByteArray out;
    if (!opened_) {
        open();
        out = roleChunk(facts_);
    }
    while (nextChunk_ < chunks_ && chunkTime(nextChunk_) <= now && !failsHere())
        out += nextChunk();
    const bool ends = nextChunk_ == chunks_ && begun_ + latency_ <= now && !failsHere();
    if (!firstToken_)
        firstToken_ = http::steadyNow();
    if (ends) {
        complete(http::steadyNow());
        responder_->write(out + closingChunks(facts_));
        responder_->end();
        return;
    }
    responder_->write(out);
    if (over_) // the write found that the client is gone
        return;
    if (failsHere())
        failNow();
    else if (responder_->bytesBuffered() > kMostBuffered)
        letGo();
    else
        wakeAt(nextChunk_ < chunks_ ? chunkTime(nextChunk_) : begun_ + latency_);
}

void Reply::letGo()
{
    service_.truth().with(endpoint_.script->name, [](GroundTruth::Endpoint& truth) { ++truth.clientGone; });
    finish();
    responder_->drop(true);
}

void Reply::complete(Instant now)
{
    service_.truth().with(endpoint_.script->name, [&](GroundTruth::Endpoint& truth) {
        ++truth.complete;
        truth.service.record(now - received_);
        if (firstToken_)
            truth.firstToken.record(*firstToken_ - received_);
    });
    finish();
}

/// Before the last bytes go out: whoever has seen the answer finds it in the figures.
void Reply::finish()
{
    if (over_)
        return;
    over_ = true;
    service_.truth().with(endpoint_.script->name, [](GroundTruth::Endpoint& truth) { --truth.inFlight; });
    const auto self = shared_from_this();
    service_.leave(endpoint_, self);
}

} // namespace sg::simulator
