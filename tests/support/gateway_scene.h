// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/engine_core.h"
#include "tests/support/chat_server.h"
#include "tests/support/gateway_client.h"
#include "tests/support/literals.h"

namespace sg::test {

inline workspace::Endpoint gatewayEndpoint(const std::string& name)
{
    workspace::Endpoint endpoint;
    endpoint.provider = QStringLiteral("openai-compatible");
    endpoint.baseUrl = QStringLiteral("sim:") + QString::fromStdString(name);
    endpoint.model = QStringLiteral("m-") + QString::fromStdString(name);
    endpoint.spec.name = name;
    endpoint.price = cost::Price{cost::NanoDollars(1'000'000'000), cost::NanoDollars(2'000'000'000), {}, {}, {}};
    return endpoint;
}

/// Chain "chat" over the endpoints "first" and "second", whose models are "m-first" and "m-second".
inline workspace::Workspace gatewayWorkspace()
{
    workspace::Workspace workspace;
    workspace.name = QStringLiteral("gateway");
    workspace.endpoints = {gatewayEndpoint("first"), gatewayEndpoint("second")};
    workspace::Chain chain;
    chain.spec.name = "chat";
    for (const char* name : {"first", "second"}) {
        chain::TierSpec tier;
        tier.name = std::string("tier-") + name;
        tier.endpoint = name;
        tier.backoff.baseMs = 1;
        chain.spec.tiers.push_back(tier);
    }
    workspace.chains = {chain};
    return workspace;
}

/// An engine in the test's thread over a chat server whose endpoints are what the test makes of them.
class EngineScene
{
public:
    explicit EngineScene(const workspace::Workspace& workspace = gatewayWorkspace())
        : core({})
    {
        apply(workspace);
    }
    void apply(const workspace::Workspace& workspace)
    {
        core.apply(workspace, {}, server.base(), [](const workspace::KeyRef&) { return QByteArray("secret"); });
    }

    ChatServer server;
    engine::EngineCore core;
};

inline QByteArray chatBody(const QByteArray& more = {}, const QByteArray& model = "chat", const QByteArray& text = "hi")
{
    return R"({"model":")" + model + R"(","messages":[{"role":"user","content":")" + text + "\"}]" + more + '}';
}

} // namespace sg::test
