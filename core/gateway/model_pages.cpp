// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/model_pages.h"

#include "core/gateway/api_reply.h"
#include "core/gateway/chat_request.h"
#include "core/gateway/model_names.h"

#include <QJsonArray>

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

void answer(const Exchange& exchange, const engine::ModelsResult& result, const QString& provider)
{
    if (!result) {
        Failure failure;
        failure.status = 502;
        failure.code = QStringLiteral("models_unknown");
        failure.message = result.error();
        return exchange.refuse(failure);
    }
    QJsonArray models;
    for (const provider::ListedModel& one : *result) {
        QJsonObject model = modelJson(one.id, provider, 0);
        if (one.contextWindow)
            model.insert(QStringLiteral("context_window"), qint64(*one.contextWindow));
        if (one.maxOutput)
            model.insert(QStringLiteral("max_output_tokens"), qint64(*one.maxOutput));
        models.append(model);
    }
    sendList(exchange, models);
}

void sendProvidersModels(engine::EngineCore& core, const QString& endpoint, const Exchange& exchange,
                         const ModelListsPtr& lists)
{
    const engine::ServingEndpoint* serving = core.switchboard().endpoint(endpoint.toStdString());
    if (!serving)
        return exchange.refuse(
            noSuch(QStringLiteral("endpoint"), endpoint, textsOf(core.switchboard().endpointNames())));
    const QString provider = serving->config.provider;
    const auto [entry, isNew] = lists->try_emplace(endpoint);
    entry->second.push_back(exchange);
    exchange.responder->onClientGone([weak = std::weak_ptr(lists), endpoint, left = exchange.responder.get()] {
        const auto alive = weak.lock();
        if (!alive)
            return;
        if (const auto found = alive->find(endpoint); found != alive->end())
            std::erase_if(found->second, [left](const Exchange& one) { return one.responder.get() == left; });
    });
    if (!isNew)
        return; // answered with the one that is under way
    core.listModels(endpoint.toStdString(),
                    [weak = std::weak_ptr(lists), endpoint, provider](const engine::ModelsResult& result) {
                        const auto alive = weak.lock();
                        const auto waiting = alive ? alive->extract(endpoint) : ModelLists::node_type();
                        if (!waiting.empty())
                            for (const Exchange& one : waiting.mapped())
                                answer(one, result, provider);
                    });
}

} // namespace

void sendModels(engine::EngineCore& core, const Exchange& exchange, const ModelListsPtr& lists)
{
    if (const QString endpoint = queryValue(exchange.request, QStringLiteral("endpoint")); !endpoint.isEmpty())
        return sendProvidersModels(core, endpoint, exchange, lists);
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

} // namespace sg::gateway
