// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/service.h"
#include "core/simulator/reply.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <cmath>

namespace sg::simulator {

namespace {

void sendJson(http::Responder& responder, int status, const QJsonObject& object)
{
    responder.send(status, {{"Content-Type", "application/json"}},
                   QJsonDocument(object).toJson(QJsonDocument::Compact));
}

void sendError(http::Responder& responder, int status, const QString& message)
{
    const QJsonObject error{{QStringLiteral("message"), message},
                            {QStringLiteral("type"), QStringLiteral("invalid_request_error")},
                            {QStringLiteral("param"), QJsonValue()},
                            {QStringLiteral("code"), QJsonValue()}};
    sendJson(responder, status, {{QStringLiteral("error"), error}});
}

/// Mixed twice: neighbouring states of this generator give shifted copies of the same sequence.
std::uint64_t seedOf(std::uint64_t scriptSeed, const QByteArray& name, std::uint64_t ordinal)
{
    policy::SeededRandom forName(scriptSeed ^ stableHash(name));
    policy::SeededRandom forOrdinal(forName.next() ^ (ordinal * 0xd1b54a32d192ed03ULL));
    return forOrdinal.next();
}

} // namespace

Service::Service(std::shared_ptr<const Script> script, std::shared_ptr<GroundTruth> truth)
    : script_(std::move(script))
    , truth_(std::move(truth))
{
    for (const EndpointScript& endpoint : script_->endpoints) {
        endpoints_[endpoint.name.toUtf8()].script = &endpoint;
        truth_->with(endpoint.name, [](GroundTruth::Endpoint& figures) { figures = GroundTruth::Endpoint(); });
    }
    connect(&publishing_, &QTimer::timeout, this, &Service::publish);
}

Service::~Service()
{
    shutDown();
}

void Service::shutDown()
{
    if (server_)
        server_->close();
    for (auto& [name, endpoint] : endpoints_)
        endpoint.queue.forgetWaiting();
    replies_.clear();
    deadlines_.reset();
    server_.reset();
    truth_->setConnections({});
}

tl::expected<quint16, QString> Service::listen(const QHostAddress& address, quint16 port)
{
    deadlines_ = std::make_unique<Deadlines>();
    if (!deadlines_->isUsable())
        return tl::unexpected(QStringLiteral("the system gave no timer to the simulator; close other programs or raise "
                                             "the limit of open files"));
    server_ =
        std::make_unique<http::Server>([this](http::ServerRequest request, std::shared_ptr<http::Responder> responder) {
            handle(std::move(request), std::move(responder));
        });
    clockStart_ = http::steadyNow();
    publishing_.start(200);
    return server_->listen(address, port);
}

void Service::reset()
{
    clockStart_ = http::steadyNow();
    for (auto& [name, endpoint] : endpoints_) {
        endpoint.served = 0;
        endpoint.quotaOf.reset();
        endpoint.quota.reset();
    }
    truth_->restart();
    publish();
}

double Service::scriptMs(Instant now) const
{
    return script_->scriptTime(std::max(0.0, toMs(now - clockStart_)));
}

std::optional<Instant> Service::frozenUntil(const Endpoint& endpoint, Instant now) const
{
    const double at = scriptMs(now);
    const Phase* phase = endpoint.script->phaseAt(at);
    if (!phase || !phase->behaviour.frozen)
        return std::nullopt;
    return now + fromMs(std::max(1.0, phase->toMs - at));
}

void Service::publish()
{
    if (!server_)
        return;
    truth_->setConnections(
        {server_->connectionCount(), qint64(server_->connectionsAccepted()), qint64(server_->requestCount())});
    const double at = scriptMs(http::steadyNow());
    for (const auto& [name, endpoint] : endpoints_) {
        const Phase* phase = endpoint.script->phaseAt(at);
        truth_->with(endpoint.script->name, [&, waiting = endpoint.queue.waiting()](GroundTruth::Endpoint& figures) {
            figures.phase = phase ? phase->label : QString();
            figures.queued = std::int64_t(waiting);
        });
    }
}

QJsonObject Service::statsJson()
{
    publish();
    QJsonObject stats = truth_->toJson();
    const Instant now = http::steadyNow();
    stats.insert(QStringLiteral("uptime_ms"), std::floor(toMs(now - clockStart_)));
    stats.insert(QStringLiteral("script_ms"), std::floor(scriptMs(now)));
    return stats;
}

void Service::handle(http::ServerRequest request, std::shared_ptr<http::Responder> responder)
{
    const bool get = request.method == "GET", post = request.method == "POST";
    if (get && request.path == "/stats")
        return sendJson(*responder, 200, statsJson());
    if (get && request.path == "/health") {
        QJsonArray names;
        for (const EndpointScript& endpoint : script_->endpoints)
            names.append(endpoint.name);
        return sendJson(*responder, 200,
                        {{QStringLiteral("status"), QStringLiteral("ok")}, {QStringLiteral("endpoints"), names}});
    }
    if (post && request.path == "/reset") {
        reset();
        return sendJson(*responder, 200, {{QStringLiteral("status"), QStringLiteral("restarted")}});
    }
    const QByteArray path = QByteArray::fromPercentEncoding(request.path);
    const auto slash = path.indexOf('/', 1);
    const auto endpoint = endpoints_.find(slash < 0 ? QByteArray() : path.mid(1, slash - 1));
    const QByteArray operation = slash < 0 ? path : path.mid(slash);
    if (endpoint == endpoints_.end())
        return sendError(*responder, 404,
                         QStringLiteral("The script has no such endpoint; GET /health names those it has"));
    const Route route = routeOf(operation);
    if (get && route.kind == Route::Models)
        return sendModels(endpoint->second, route, *responder);
    if (post && route.kind == Route::Embeddings)
        return sendEmbeddings(endpoint->second, request.body, *responder);
    if (post && route.kind == Route::Chat)
        return chat(endpoint->second, route, request, std::move(responder));
    sendError(*responder, route.kind == Route::Unknown ? 404 : 405,
              QStringLiteral("Served here: POST /v1/chat/completions, /v1/messages, /v1beta/models/M:generateContent, "
                             "/v1beta/models/M:streamGenerateContent and /openai/deployments/M/chat/completions, and "
                             "GET /v1/models"));
}

void Service::sendModels(const Endpoint& endpoint, const Route& route, http::Responder& responder) const
{
    const QString& model = endpoint.script->model.isEmpty() ? endpoint.script->name : endpoint.script->model;
    if (route.dialect == provider::Dialect::Gemini)
        return sendJson(responder, 200,
                        {{QStringLiteral("models"),
                          QJsonArray{QJsonObject{{QStringLiteral("name"), QStringLiteral("models/") + model}}}}});
    const QJsonObject entry{{QStringLiteral("id"), model},
                            {QStringLiteral("object"), QStringLiteral("model")},
                            {QStringLiteral("created"), 0},
                            {QStringLiteral("owned_by"), QStringLiteral("simulator")}};
    sendJson(responder, 200,
             {{QStringLiteral("object"), QStringLiteral("list")}, {QStringLiteral("data"), QJsonArray{entry}}});
}

void Service::sendEmbeddings(const Endpoint& endpoint, const QByteArray& body, http::Responder& responder) const
{
    const QJsonObject object = QJsonDocument::fromJson(body).object();
    const QJsonValue input = object.value(QStringLiteral("input"));
    const QStringList inputs =
        QVariant(input.isString() ? QVariantList{input.toString()} : input.toArray().toVariantList()).toStringList();
    if (inputs.isEmpty())
        return sendError(responder, 400, QStringLiteral("The body must be a JSON object with an input"));
    const QString& model = endpoint.script->model;
    responder.send(200, {{"Content-Type", "application/json"}},
                   embeddings(quotedJson(model.isEmpty() ? object.value(QStringLiteral("model")).toString() : model),
                              inputs,
                              object.value(QStringLiteral("encoding_format")).toString() == QLatin1String("base64")));
}

bool Service::overQuota(Endpoint& endpoint, const Behaviour& behaviour, provider::Dialect dialect, Instant now,
                        http::Responder& responder)
{
    if (endpoint.quotaOf != behaviour.quota) {
        endpoint.quotaOf = behaviour.quota;
        endpoint.quota.reset();
        if (endpoint.quotaOf)
            endpoint.quota.emplace(*endpoint.quotaOf);
    }
    if (!endpoint.quota || endpoint.quota->take(now))
        return false;
    truth_->with(endpoint.script->name, [](GroundTruth::Endpoint& figures) {
        ++figures.requests;
        ++figures.overQuota;
        ++figures.answered[429];
    });
    http::Headers headers{{"Content-Type", "application/json"}};
    if (endpoint.quotaOf->saysWhen) {
        const double waitMs = toMs(endpoint.quota->wait(now));
        headers.insert(headers.end(),
                       {{"Retry-After", QByteArray::number(qint64(std::ceil(waitMs / 1000)))},
                        {"retry-after-ms", QByteArray::number(qint64(std::ceil(waitMs)))},
                        {"x-ratelimit-limit-requests", QByteArray::number(endpoint.quotaOf->requests)},
                        {"x-ratelimit-remaining-requests", "0"},
                        {"x-ratelimit-reset-requests", QByteArray::number(qint64(std::ceil(waitMs))) + "ms"}});
    }
    responder.send(429, headers, defaultErrorBody(429, dialect));
    return true;
}

void Service::chat(Endpoint& endpoint, const Route& route, const http::ServerRequest& request,
                   std::shared_ptr<http::Responder> responder)
{
    auto asked = readChatRequest(request.body, route.dialect);
    if (!asked)
        return sendError(*responder, 400, QStringLiteral("The body must be a JSON object with a list of messages"));
    asked->dialect = route.dialect;
    asked->stream = asked->stream || route.stream;
    if (!route.model.isEmpty())
        asked->model = route.model;
    const Instant now = http::steadyNow();
    const Behaviour& behaviour = endpoint.script->at(scriptMs(now));
    if (overQuota(endpoint, behaviour, route.dialect, now, *responder))
        return;
    const std::uint64_t seed = seedOf(script_->seed, endpoint.script->name.toUtf8(), endpoint.served);
    const auto reply = std::make_shared<Reply>(*this, endpoint, behaviour, std::move(*asked), request.received,
                                               std::move(responder), seed);
    ++endpoint.served;
    replies_.insert(reply);
    reply->start();
}

void Service::enqueue(Endpoint& endpoint, int workers, const std::shared_ptr<Reply>& reply)
{
    if (endpoint.queue.enter(reply, workers))
        reply->begin(reply->received());
}

void Service::leave(Endpoint& endpoint, const std::shared_ptr<Reply>& reply)
{
    replies_.erase(reply);
    if (!endpoint.queue.leave(reply.get()))
        return;
    while (const auto next = endpoint.queue.next([](const Reply& one) { return one.over(); }))
        next->begin(http::steadyNow());
}

} // namespace sg::simulator
