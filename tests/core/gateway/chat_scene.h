// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/chat_service.h"
#include "tests/support/gateway_scene.h"

#include <QTest>

namespace sg::test {

inline constexpr qint64 kWriteBuffer = 128 * 1024;
inline const QByteArray kStream = R"(,"stream":true)";
inline const http::Headers kEvents = {{"Content-Type", "text/event-stream"}};

/// Answers and waits, which the test ends.
struct Held
{
    std::shared_ptr<http::Responder> responder;
    bool hasLeft = false;
    ChatServer::Handler handler()
    {
        return [this](const http::ServerRequest&, std::shared_ptr<http::Responder> r) {
            responder = std::move(r);
            responder->onClientGone([this] { hasLeft = true; });
        };
    }
    ChatServer::Handler streams(const QByteArray& first)
    {
        return [this, first](const http::ServerRequest& request, std::shared_ptr<http::Responder> r) {
            handler()(request, std::move(r));
            responder->begin(200, kEvents);
            responder->write(ChatServer::chunk(first));
        };
    }
    void end()
    {
        responder->write(
            "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");
        responder->end();
    }
};

/// The chat service behind a server of its own.
class ChatScene : public EngineScene
{
public:
    explicit ChatScene(const workspace::Workspace& workspace = gatewayWorkspace(),
                       workspace::GatewaySettings settings = {})
        : EngineScene(workspace)
        , entrance(core.timers(), {settings.maxInFlight, settings.maxQueued, settings.maxQueueWait})
    {
        options.settings = std::move(settings);
        options.limits.maxWriteBuffer = kWriteBuffer;
        options.onEnded = [this](const gateway::Ended& ended) {
            if (!ended.record)
                return;
            usages.push_back(ended.usage);
            for (const chain::Step& step : ended.record->steps)
                if (const auto* attempt = std::get_if<chain::AttemptRecord>(&step))
                    recorded.push_back(attempt->usage);
        };
        chat = std::make_unique<gateway::ChatService>(core, entrance, options);
        door = std::make_unique<http::Server>(
            [this](http::ServerRequest request, std::shared_ptr<http::Responder> responder) {
                chat->handle({std::move(request),
                              std::move(responder),
                              "id-" + QByteArray::number(++ids),
                              {},
                              {},
                              &options.onEnded});
            },
            options.limits);
        port = door->listen().value_or(0);
    }
    ~ChatScene() { entrance.close(); }

    WireAnswer ask(const QByteArray& body = chatBody(), const QByteArray& headers = {})
    {
        GatewayClient client(port);
        client.post(body, headers);
        return client.answer();
    }
    observe::SnapshotPtr snapshot() { return core.recorder().snapshot(std::chrono::seconds(60), http::steadyNow()); }

    gateway::Options options;
    gateway::Entrance entrance;
    std::unique_ptr<gateway::ChatService> chat;
    std::unique_ptr<http::Server> door;
    quint16 port = 0;
    int ids = 0;
    std::vector<provider::Usage> usages;   ///< of the calls that have ended
    std::vector<provider::Usage> recorded; ///< with their attempts
};

inline workspace::Workspace oneTier(const std::function<void(workspace::Workspace&)>& change = {})
{
    workspace::Workspace workspace = gatewayWorkspace();
    workspace.chains[0].spec.tiers.pop_back();
    if (change)
        change(workspace);
    return workspace;
}

} // namespace sg::test
