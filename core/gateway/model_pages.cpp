// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/model_pages.h"

#include "core/gateway/api_reply.h"
#include "core/gateway/chat_request.h"
#include "core/gateway/model_names.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <utility>

namespace sg::gateway {

namespace {

const QString kOwn = QStringLiteral("switchgear");

QJsonObject modelJson(const QString& id, const QString& ownedBy, std::int64_t created)
{
    return {{QStringLiteral("id"), id},
            {QStringLiteral("object"), QStringLiteral("model")},
            {QStringLiteral("created"), qint64(created)},
            {QStringLiteral("owned_by"), ownedBy}};
}

void sendList(const Exchange& exchange, const QJsonArray& models)
{
    sendJson(exchange, 200, {{QStringLiteral("object"), QStringLiteral("list")}, {QStringLiteral("data"), models}});
}

/// Since when they are served from here.
std::int64_t createdOf(const engine::EngineCore& core)
{
    return core.anchor().unixMs / 1000;
}

QJsonObject modelJson(const ModelName& name, const engine::EngineCore& core)
{
    return modelJson(name.id, name.provider.isEmpty() ? kOwn : name.provider, createdOf(core));
}

/// Who is out gives no list that was kept either.
bool mayBeAsked(const engine::ServingEndpoint& serving)
{
    const auto state = serving.state->breaker().state(http::steadyNow());
    return !serving.state->credential().out && serving.route->unusable.isEmpty() &&
           state != policy::BreakerState::Open && state != policy::BreakerState::ForcedOpen;
}

QByteArray writtenList(const std::vector<provider::ListedModel>& listed, const QString& provider)
{
    QJsonArray models;
    for (const provider::ListedModel& one : listed) {
        QJsonObject model = modelJson(one.id, provider, 0);
        if (one.contextWindow)
            model.insert(QStringLiteral("context_window"), qint64(*one.contextWindow));
        if (one.maxOutput)
            model.insert(QStringLiteral("max_output_tokens"), qint64(*one.maxOutput));
        models.append(model);
    }
    const QJsonObject list{{QStringLiteral("object"), QStringLiteral("list")}, {QStringLiteral("data"), models}};
    return QJsonDocument(list).toJson(QJsonDocument::Compact);
}

void sendWritten(const Exchange& exchange, const QByteArray& list)
{
    exchange.responder->send(200, replyHeaders(exchange, "application/json"), list);
}

} // namespace

void sendModels(engine::EngineCore& core, const Exchange& exchange)
{
    QJsonArray models;
    for (const ModelName& name : modelNames(core.switchboard()))
        models.append(modelJson(name, core));
    sendList(exchange, models);
}

void sendModel(engine::EngineCore& core, const QString& id, const Exchange& exchange)
{
    if (const auto known = destinationOf(id, core.switchboard()); !known)
        return exchange.refuse(known.error());
    for (const ModelName& name : modelNames(core.switchboard()))
        if (name.id == id)
            return sendJson(exchange, 200, modelJson(name, core));
    // An endpoint's own name: requests may use it, but it is on no list.
    const engine::ServingEndpoint* endpoint = core.switchboard().endpoint(id.toStdString());
    sendJson(exchange, 200, modelJson({id, endpoint ? endpoint->config.provider : QString()}, core));
}

ModelLists::ModelLists(engine::EngineCore& core, Entrance* entrance)
    : core_(core)
    , entrance_(entrance)
{
}

ModelLists::~ModelLists()
{
    for (const auto& [endpoint, list] : std::exchange(lists_, {}))
        if (list.call)
            core_.cancel(*list.call);
}

/// Refuses where there is none that has a list.
const engine::ServingEndpoint* ModelLists::find(const QString& endpoint, const Exchange& exchange) const
{
    const engine::ServingEndpoint* serving = core_.switchboard().endpoint(endpoint.toStdString());
    if (!serving) {
        exchange.refuse(noSuch(QStringLiteral("endpoint"), endpoint, textsOf(core_.switchboard().endpointNames())));
    } else if (!serving->route->modelsUrl && serving->route->unusable.isEmpty()) {
        Failure failure = badRequest(serving->route->modelsUrl.error(), QStringLiteral("endpoint"));
        failure.code = QStringLiteral("models_not_supported");
        exchange.refuse(failure);
        serving = nullptr;
    }
    return serving;
}

bool ModelLists::sendKept(const engine::ServingEndpoint& serving, const QString& endpoint,
                          const Exchange& exchange) const
{
    const auto found = lists_.find(endpoint);
    if (found == lists_.end() || found->second.route != serving.route || http::steadyNow() >= found->second.until ||
        !mayBeAsked(serving))
        return false;
    sendWritten(exchange, found->second.written);
    return true;
}

void ModelLists::send(const QString& endpoint, Exchange exchange, Over over)
{
    std::erase_if(lists_, [now = http::steadyNow()](const auto& entry) {
        return !entry.second.call && now >= entry.second.until;
    });
    const engine::ServingEndpoint* serving = find(endpoint, exchange);
    if (!serving || sendKept(*serving, endpoint, exchange))
        return over(false);
    if (!entrance_)
        return join(endpoint, std::move(exchange), std::move(over));
    entrance_->enter(std::move(exchange), [this, endpoint, over = std::move(over)](Exchange admitted) {
        join(endpoint, std::move(admitted), over);
    });
}

/// While it waited for a place, the list may have come, and another workspace may have been applied.
void ModelLists::join(const QString& endpoint, Exchange exchange, Over over)
{
    const engine::ServingEndpoint* serving = find(endpoint, exchange);
    if (!serving || sendKept(*serving, endpoint, exchange))
        return over(false);
    List& list = lists_[endpoint];
    exchange.responder->onClientGone([this, endpoint, client = exchange.responder.get()] { left(endpoint, client); });
    const Instant received = exchange.request.received;
    list.waiting.push_back({std::move(exchange), std::move(over)});
    if (list.call)
        return;
    engine::PassCall call;
    call.endpoint = endpoint.toStdString();
    call.operation = engine::PassOperation::ListModels;
    call.intended = received;
    call.onFinished = [this, endpoint, route = serving->route](const engine::PassResult& result) {
        came(endpoint, route, result);
    };
    list.call = core_.pass(std::move(call));
}

void ModelLists::left(const QString& endpoint, const http::Responder* client)
{
    const auto list = lists_.find(endpoint);
    if (list == lists_.end())
        return;
    auto& waiting = list->second.waiting;
    const auto one = std::ranges::find_if(
        waiting, [client](const Waiting& each) { return each.exchange.responder.get() == client; });
    if (one == waiting.end())
        return;
    if (waiting.size() == 1) // who goes last takes the record along
        return core_.cancel(*list->second.call);
    const Waiting gone = std::move(*one);
    waiting.erase(one);
    gone.exchange.tell(leftOf(gone.exchange));
    gone.over(true);
}

int ModelLists::cutOff()
{
    std::vector<engine::CallId> calls; // each ends inside its cancel()
    std::size_t told = 0;
    for (const auto& [endpoint, list] : lists_) {
        told += list.waiting.size();
        if (list.call)
            calls.push_back(*list.call);
    }
    isCuttingOff_ = true;
    for (const engine::CallId call : calls)
        core_.cancel(call);
    isCuttingOff_ = false;
    return static_cast<int>(told);
}

void ModelLists::came(const QString& endpoint, const engine::RoutePtr& route, const engine::PassResult& result)
{
    const auto found = lists_.find(endpoint);
    if (found == lists_.end()) // this is ending
        return;
    const auto waiting = std::exchange(found->second.waiting, {});
    QByteArray written;
    if (result.record.ending == chain::Ending::Answered) {
        const engine::ServingEndpoint* serving = core_.switchboard().endpoint(endpoint.toStdString());
        written = writtenList(result.models, serving ? serving->config.provider : QString());
        found->second = {{}, {}, route, written, http::steadyNow() + kListKept};
    } else {
        lists_.erase(found);
    }
    for (const Waiting& one : waiting)
        tellEnd(one, result, written);
}

/// What came is no line in the log, as with the gateway's own lists.
void ModelLists::tellEnd(const Waiting& one, const engine::PassResult& result, const QByteArray& written) const
{
    const bool hasLeft = result.record.ending == chain::Ending::Cancelled && !isCuttingOff_;
    if (result.record.ending == chain::Ending::Answered) {
        sendWritten(one.exchange, written);
        return one.over(false);
    }
    const Ended ended = endedOf(one.exchange, result);
    one.exchange.tell(isCuttingOff_ ? gateway::cutOff(ended) : ended);
    if (!hasLeft)
        gateway::send(*one.exchange.responder, isCuttingOff_ ? stopping() : failureOf(result.record),
                      one.exchange.headers());
    one.over(hasLeft);
}

} // namespace sg::gateway
