// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/engine_core.h"
#include "core/gateway/entrance.h"

#include <map>
#include <vector>

namespace sg::gateway {

/// GET /v1/models: the chains, then the models that they serve, each name once. Engine thread.
void sendModels(engine::EngineCore& core, const Exchange& exchange);
/// GET /v1/models/{id}: whatever a request may name as its model.
void sendModel(engine::EngineCore& core, const QString& id, const Exchange& exchange);

/// GET /v1/models?endpoint=NAME: what that endpoint's provider lists. One call an endpoint, however many ask: through
/// its breaker and its limits, recorded like every attempt, and cancelled when nobody waits for it any more. A list is
/// kept for kListKept, while the endpoint may be asked; who is given that needs no place. Engine thread.
class ModelLists
{
public:
    using Over = std::function<void(bool clientLeft)>;
    /// Both outlive it; without an entrance everybody has a place.
    ModelLists(engine::EngineCore& core, Entrance* entrance);
    ~ModelLists(); ///< cancels what it has under way; `over` is not called any more
    ModelLists(const ModelLists&) = delete;
    ModelLists& operator=(const ModelLists&) = delete;

    void send(const QString& endpoint, Exchange exchange, Over over);
    /// Ends what is under way with words: the gateway is stopping. How many were told.
    int cutOff();

private:
    struct Waiting
    {
        Exchange exchange;
        Over over;
    };
    struct List
    {
        std::optional<engine::CallId> call; ///< under way
        std::vector<Waiting> waiting{};
        engine::RoutePtr route{}; ///< whose list is kept
        QByteArray written{};
        Instant until{};
    };

    const engine::ServingEndpoint* find(const QString& endpoint, const Exchange& exchange) const;
    bool sendKept(const engine::ServingEndpoint& serving, const QString& endpoint, const Exchange& exchange) const;
    void join(const QString& endpoint, Exchange exchange, Over over);
    void left(const QString& endpoint, const http::Responder* client);
    void came(const QString& endpoint, const engine::RoutePtr& route, const engine::PassResult& result);
    void tellEnd(const Waiting& one, const engine::PassResult& result, const QByteArray& written) const;

    engine::EngineCore& core_;
    Entrance* entrance_;
    std::map<QString, List> lists_;
    bool isCuttingOff_ = false;
};

constexpr Nanos kListKept = std::chrono::seconds(10);

} // namespace sg::gateway
