// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/failure.h"
#include "core/gateway/gateway.h"
#include "tests/support/gateway_scene.h"

namespace sg::test {

inline const QByteArray kStream = R"(,"stream":true)";
inline const http::Headers kEvents = {{"Content-Type", "text/event-stream"}};

inline gateway::Options plainOptions()
{
    gateway::Options options;
    options.settings.port = 0;
    return options;
}

/// A whole gateway that listens, over a provider that a test makes.
class ServedScene : public EngineScene
{
public:
    explicit ServedScene(const workspace::Workspace& workspace = gatewayWorkspace(),
                         gateway::Options options = plainOptions())
        : EngineScene(workspace)
    {
        options.onEnded = [this, also = options.onEnded](const gateway::Ended& each) {
            ended.push_back(each);
            if (also)
                also(each);
        };
        gateway = std::make_unique<gateway::Gateway>(core, std::move(options));
        const auto listening = gateway->listen();
        if (!listening)
            qFatal("%s", qPrintable(listening.error()));
        port = *listening;
    }
    WireAnswer ask(const QByteArray& body = chatBody(), const QByteArray& headers = {})
    {
        GatewayClient client(port);
        client.post(body, headers);
        return client.answer();
    }

    std::vector<gateway::Ended> ended; ///< as logs are told; `record` is gone
    std::unique_ptr<gateway::Gateway> gateway;
    quint16 port = 0;
};

/// One of the ways to ask a provider through the gateway.
struct Ask
{
    QByteArray path, body;
    bool streams = false;
};
inline const Ask kWhole{"/v1/chat/completions", chatBody()}, kStreamed{"/v1/chat/completions", chatBody(kStream), true},
    kSmallChat{"/chat", R"({"message":"hi"})"}, kEmbeddings{"/v1/embeddings", R"({"model":"m-first","input":"hi"})"};

} // namespace sg::test
