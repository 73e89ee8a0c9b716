// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/api_service.h"

#include "core/gateway/api_reply.h"
#include "core/gateway/embeddings.h"
#include "core/gateway/event_streams.h"
#include "core/gateway/guard.h"
#include "core/gateway/health.h"
#include "core/gateway/long_bodies.h"
#include "core/gateway/model_pages.h"
#include "core/gateway/small_chat.h"
#include "core/gateway/state_json.h"
#include "core/gateway/way_headers.h"
#include "core/observe/metrics.h"
#include "core/provider/mask.h"

#include <QJsonDocument>

namespace sg::gateway {

namespace {

constexpr Nanos kShortestWindow = std::chrono::minutes(5);

std::optional<observe::BreakerCommand> commandOf(const QString& action)
{
    using observe::BreakerCommand;
    static const std::map<QString, BreakerCommand> known{{QStringLiteral("trip"), BreakerCommand::ForceOpen},
                                                         {QStringLiteral("hold"), BreakerCommand::ForceClosed},
                                                         {QStringLiteral("reset"), BreakerCommand::Reset},
                                                         {QStringLiteral("probe"), BreakerCommand::ProbeNow},
                                                         {QStringLiteral("release"), BreakerCommand::Release}};
    const auto found = known.find(action);
    return found != known.end() ? std::optional(found->second) : std::nullopt;
}

observe::GatewayGauges gaugesOf(const Figures& figures, const workspace::GatewaySettings& settings,
                                const engine::AnswerBudget& arriving)
{
    observe::GatewayGauges gauges;
    gauges.connections = figures.connections;
    gauges.inFlight = figures.inFlight;
    gauges.queued = figures.queued;
    gauges.requests = figures.requests;
    gauges.refused = figures.refused;
    gauges.clientsLeft = figures.clientsLeft;
    gauges.cutOff = figures.cutOff;
    gauges.unsentBytes = figures.unsentBytes;
    gauges.unreadDrops = figures.unreadDrops;
    gauges.turnedAway = figures.turnedAway;
    gauges.inFlightLimit = settings.maxInFlight;
    gauges.queueLimit = settings.maxQueued;
    gauges.arrivingBytes = arriving.bytes();
    gauges.arrivingLimit = arriving.most();
    gauges.arrivingWaiting = arriving.waiting();
    gauges.arrivingGivenUp = arriving.refusedTotal();
    return gauges;
}

QByteArray rootPage(const QByteArray& host)
{
    const QByteArray base = "http://" + host;
    return "Switchgear: the local gateway to your chains.\n\n"
           "Applications use this as their OpenAI base URL: " +
           base +
           "/v1\n\n"
           "POST /v1/chat/completions   whole and streamed; \"model\" is a chain or a model it serves\n"
           "POST /v1/embeddings\n"
           "GET  /v1/models\n"
           "POST /chat                  {\"message\": \"…\", \"model\": \"…\"}\n"
           "GET  /health\n"
           "GET  /metrics               Prometheus\n"
           "GET  /api/state\n"
           "GET  /api/events            server-sent events\n"
           "POST /api/endpoints/NAME/trip, hold, reset, probe, release\n";
}

} // namespace

struct ApiService::Impl
{
    Impl(engine::EngineCore& c, const Options& o, std::function<Figures()> f, Entrance* e)
        : core(c)
        , options(o)
        , figures(std::move(f))
        , entrance(e)
        , events(c, o)
        , modelLists(c, e)
    {
    }

    /// One that asks a provider.
    struct Running
    {
        Exchange exchange;
        engine::CallId call = 0;
        Over over;
        Nanos queued{0};
        bool hasLeft = false, isCutOff = false;
    };

    void answer(const Routed& routed, const Exchange& exchange);
    void health(const Exchange& exchange);
    void metrics(const Exchange& exchange);
    void act(const Routed& routed, const Exchange& exchange);
    void admit(Exchange exchange, std::function<void(Exchange)> go);
    void chat(Exchange exchange, Over over);
    void chatRead(tl::expected<SmallChatAsk, Failure> ask, Exchange exchange, Over over);
    void startChat(const SmallChatAsk& ask, Exchange exchange, Over over);
    void chatFinished(quint64 number, const engine::CallResult& result);
    void embeddings(Exchange exchange, Over over);
    void embeddingsRead(tl::expected<EmbeddingsAsk, Failure> ask, Exchange exchange, Over over);
    void startEmbeddings(EmbeddingsAsk ask, Exchange exchange, Over over);
    void passed(quint64 number, const engine::PassResult& result);
    void cutOff(quint64 number);
    void keep(quint64 number, engine::CallId call, Exchange exchange, Over over);
    std::optional<Running> take(quint64 number);

    engine::EngineCore& core;
    const Options& options;
    std::function<Figures()> figures;
    Entrance* entrance;
    EventStreams events;
    ModelLists modelLists;
    std::unordered_map<quint64, Running> running;
    quint64 next = 0;
    qint64 cutOffs = 0;
    LongBodies bodies; ///< ends first: it knows those who are read
};

ApiService::ApiService(engine::EngineCore& core, const Options& options, std::function<Figures()> figures,
                       Entrance* entrance)
    : impl_(std::make_unique<Impl>(core, options, std::move(figures), entrance))
{
}

ApiService::~ApiService()
{
    for (const auto& [number, running] : std::exchange(impl_->running, {}))
        impl_->core.cancel(running.call);
}

void ApiService::handle(const Routed& routed, Exchange exchange, Over over)
{
    if (!over)
        over = [](bool) {};
    if (routed.route == Route::SimpleChat)
        return impl_->chat(std::move(exchange), std::move(over));
    if (routed.route == Route::Embeddings)
        return impl_->embeddings(std::move(exchange), std::move(over));
    if (routed.route == Route::Events)
        return impl_->events.add(std::move(exchange), routed.isHead, std::move(over));
    if (const QString endpoint = queryValue(exchange.request, QStringLiteral("endpoint"));
        routed.route == Route::Models && !endpoint.isEmpty())
        return impl_->modelLists.send(endpoint, std::move(exchange), std::move(over));
    impl_->answer(routed, exchange);
    over(false);
}

void ApiService::drain()
{
    impl_->events.drain();
}

void ApiService::cutOff()
{
    impl_->events.drain();
    impl_->bodies.cutOff();
    std::vector<quint64> numbers; // each ends inside the call
    for (const auto& [number, running] : impl_->running)
        numbers.push_back(number);
    for (const quint64 number : numbers)
        impl_->cutOff(number);
    impl_->cutOffs += impl_->modelLists.cutOff();
}

qint64 ApiService::cutOffTotal() const
{
    return impl_->cutOffs + impl_->bodies.cutOffTotal();
}

// ---- what is answered from here

void ApiService::Impl::answer(const Routed& routed, const Exchange& exchange)
{
    switch (routed.route) {
    case Route::Models:
        return sendModels(core, exchange);
    case Route::Model:
        return sendModel(core, routed.name, exchange);
    case Route::Health:
        return health(exchange);
    case Route::Metrics:
        return metrics(exchange);
    case Route::State:
        return sendJson(exchange, 200, stateJson(core, options, figures()));
    case Route::Action:
        return act(routed, exchange);
    case Route::Preflight: {
        http::Headers headers = exchange.headers();
        headers.emplace_back("Allow", routed.allow);
        return exchange.responder->send(204, headers, {});
    }
    case Route::Root:
        return exchange.responder->send(200, replyHeaders(exchange, "text/plain; charset=utf-8"),
                                        rootPage(http::headerValue(exchange.request.headers, "Host")));
    case Route::ChatCompletions:
    case Route::Embeddings:
    case Route::SimpleChat:
    case Route::Events:
        break; // not answered at once
    }
}

void ApiService::Impl::health(const Exchange& exchange)
{
    const bool isTrusted = gateway::isTrusted(exchange.request, options);
    const QString chain = queryValue(exchange.request, QStringLiteral("chain"));
    const auto health = healthOf(core.switchboard(), isTrusted ? chain : QString(), http::steadyNow());
    if (!health)
        return exchange.refuse(health.error());
    http::Headers more;
    if (health->retryAfter)
        more.emplace_back("Retry-After", QByteArray::number(qint64(
                                             std::chrono::ceil<std::chrono::seconds>(*health->retryAfter).count())));
    sendJson(exchange, health->canAnswer ? 200 : 503, isTrusted ? health->json : health->publicJson(), std::move(more));
}

void ApiService::Impl::metrics(const Exchange& exchange)
{
    const auto format = observe::formatFor(http::headerValue(exchange.request.headers, "Accept"));
    const observe::SnapshotPtr now = core.recorder().snapshot(kShortestWindow, http::steadyNow());
    exchange.responder->send(
        200, replyHeaders(exchange, observe::contentTypeOf(format)),
        core.recorder().metrics().expose(format, *now, gaugesOf(figures(), options.settings, core.arriving())));
}

void ApiService::Impl::act(const Routed& routed, const Exchange& exchange)
{
    const std::string name = routed.name.toStdString();
    if (!core.switchboard().endpoint(name))
        return exchange.refuse(
            noSuch(QStringLiteral("endpoint"), routed.name, textsOf(core.switchboard().endpointNames())));
    const bool isBare = exchange.request.body.trimmed().isEmpty(); // a reason need not be given
    const auto body = isBare ? QJsonObject() : objectIn(exchange.request.body);
    if (!body)
        return exchange.refuse(body.error());
    const QJsonValue reason = body->value(QLatin1String("reason"));
    if (!reason.isUndefined() && !reason.isNull() && !reason.isString())
        return exchange.refuse(badRequest(QStringLiteral("\"reason\" must be a text."), QStringLiteral("reason")));
    std::string_view inVain;
    if (const auto command = commandOf(routed.action))
        inVain = core.command(name, *command, provider::shortMessage(reason.toString()));
    QJsonObject told = endpointJson(core, name);
    told.insert(QStringLiteral("in_vain_because"), inVain.empty() ? QJsonValue() : QJsonValue(text(inVain)));
    sendJson(exchange, 200, told);
}

// ---- what asks a provider

void ApiService::Impl::keep(quint64 number, engine::CallId call, Exchange exchange, Over over)
{
    const auto responder = exchange.responder;
    const Nanos queued = http::steadyNow() - exchange.request.received;
    running.emplace(number, Running{std::move(exchange), call, std::move(over), queued});
    responder->onClientGone([this, number] {
        const auto found = running.find(number);
        if (found == running.end())
            return;
        found->second.hasLeft = true;
        core.cancel(found->second.call); // ends inside this
    });
}

void ApiService::Impl::cutOff(quint64 number)
{
    const auto found = running.find(number);
    if (found == running.end())
        return;
    ++cutOffs;
    found->second.isCutOff = true;
    core.cancel(found->second.call); // ends inside this
}

std::optional<ApiService::Impl::Running> ApiService::Impl::take(quint64 number)
{
    auto node = running.extract(number);
    return node.empty() ? std::nullopt : std::optional(std::move(node.mapped()));
}

void ApiService::Impl::admit(Exchange exchange, std::function<void(Exchange)> go)
{
    if (entrance)
        return entrance->enter(std::move(exchange), std::move(go));
    go(std::move(exchange));
}

// The caller's mistakes are told before the queue. While it waits there another workspace may be applied, so whom to
// ask is looked for again behind it.

void ApiService::Impl::chat(Exchange exchange, Over over)
{
    using Ask = tl::expected<SmallChatAsk, Failure>;
    bodies.read<Ask>(
        std::move(exchange), readSmallChat,
        [this, over](Ask ask, Exchange read) { chatRead(std::move(ask), std::move(read), over); }, over);
}

void ApiService::Impl::chatRead(tl::expected<SmallChatAsk, Failure> ask, Exchange exchange, Over over)
{
    const auto call = ask ? smallChatCall(*ask, core.switchboard()) : tl::unexpected(ask.error());
    if (!call) {
        exchange.refuse(call.error());
        return over(false);
    }
    admit(std::move(exchange),
          [this, ask = std::move(*ask), over](Exchange admitted) { startChat(ask, std::move(admitted), over); });
}

void ApiService::Impl::startChat(const SmallChatAsk& ask, Exchange exchange, Over over)
{
    auto call = smallChatCall(ask, core.switchboard());
    if (!call) {
        exchange.refuse(call.error());
        return over(false);
    }
    const quint64 number = ++next;
    call->intended = exchange.request.received;
    call->onFinished = [this, number](const engine::CallResult& result) { chatFinished(number, result); };
    keep(number, core.start(std::move(*call)), std::move(exchange), std::move(over));
}

void ApiService::Impl::chatFinished(quint64 number, const engine::CallResult& result)
{
    const auto done = take(number);
    if (!done)
        return;
    const Ended ended = endedOf(done->exchange, result);
    done->exchange.tell(done->isCutOff ? gateway::cutOff(ended) : ended);
    if (done->hasLeft)
        return done->over(true);
    http::Headers headers;
    addWay(headers, wayOf(result, done->queued));
    const Instant now = http::steadyNow();
    if (result.answer) {
        const QJsonObject body = smallChatAnswer(result, core.switchboard(), now);
        sendLongJson(core.beside(), done->exchange, result.answer->text.size(), body, headers);
    } else {
        const Failure failure = done->isCutOff ? stopping() : failureOf(result.record);
        const http::Headers advice = adviceOf(failure);
        headers.insert(headers.end(), advice.begin(), advice.end());
        sendJson(done->exchange, failure.status, smallChatFailure(failure, result.record, core.switchboard(), now),
                 std::move(headers));
    }
    done->over(false);
}

void ApiService::Impl::embeddings(Exchange exchange, Over over)
{
    using Ask = tl::expected<EmbeddingsAsk, Failure>;
    bodies.read<Ask>(
        std::move(exchange), readEmbeddings,
        [this, over](Ask ask, Exchange read) { embeddingsRead(std::move(ask), std::move(read), over); }, over);
}

void ApiService::Impl::embeddingsRead(tl::expected<EmbeddingsAsk, Failure> ask, Exchange exchange, Over over)
{
    const auto refuse = [&](const Failure& failure) {
        exchange.refuse(failure);
        over(false);
    };
    if (!ask)
        return refuse(ask.error());
    if (const auto known = embeddingsEndpoint(ask->model, core.switchboard(), http::steadyNow()); !known)
        return refuse(known.error());
    admit(std::move(exchange),
          [this, ask = std::move(*ask), over](Exchange admitted) { startEmbeddings(ask, std::move(admitted), over); });
}

void ApiService::Impl::startEmbeddings(EmbeddingsAsk ask, Exchange exchange, Over over)
{
    const auto endpoint = embeddingsEndpoint(ask.model, core.switchboard(), http::steadyNow());
    if (!endpoint) {
        exchange.refuse(endpoint.error());
        return over(false);
    }
    const quint64 number = ++next;
    engine::PassCall call;
    call.endpoint = *endpoint;
    call.body = std::move(ask.body);
    call.inputTokens = ask.tokens;
    call.intended = exchange.request.received;
    call.onFinished = [this, number](const engine::PassResult& result) { passed(number, result); };
    keep(number, core.pass(std::move(call)), std::move(exchange), std::move(over));
}

void ApiService::Impl::passed(quint64 number, const engine::PassResult& result)
{
    const auto done = take(number);
    if (!done)
        return;
    Ended ended = endedOf(done->exchange, result);
    ended.queued = done->queued;
    done->exchange.tell(done->isCutOff ? gateway::cutOff(ended) : ended);
    if (done->hasLeft)
        return done->over(true);
    Way way{result.record};
    way.queued = done->queued;
    way.costNanoUsd = result.costNanoUsd;
    way.costIsLowerBound = result.costIsLowerBound;
    http::Headers headers = done->exchange.headers();
    addWay(headers, way);
    std::erase_if(headers, [](const auto& header) { return header.first == "x-switchgear-chain"; }); // there is none
    if (result.record.ending == chain::Ending::Answered) {
        headers.emplace_back("Content-Type",
                             result.contentType.isEmpty() ? QByteArrayLiteral("application/json") : result.contentType);
        done->exchange.responder->send(200, headers, result.body);
    } else {
        send(*done->exchange.responder, done->isCutOff ? stopping() : failureOf(result.record), headers);
    }
    done->over(false);
}

} // namespace sg::gateway
