// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/api_service.h"
#include "tests/support/chat_server.h"
#include "tests/support/literals.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

/// The gateway's smaller services without sockets of their own, over providers that a test makes.
namespace sg::test {

/// Keeps what is answered.
class KeptAnswer final : public http::Responder
{
public:
    void send(int s, const http::Headers& h, const QByteArray& b) override
    {
        status = s, headers = h, body = b, ended = true;
    }
    void begin(int s, const http::Headers& h) override { status = s, headers = h; }
    void write(QByteArrayView piece) override { body.append(piece); }
    void end() override { ended = true; }
    void drop(bool) override { ended = dropped = true; }
    bool clientGone() const override { return gone; }
    qint64 bytesBuffered() const override { return buffered; }
    void onClientGone(std::function<void()> callback) override { whenGone = std::move(callback); }
    void onWritable(std::function<void()>) override {}

    void leave()
    {
        gone = true;
        if (const auto callback = whenGone)
            callback();
    }
    QByteArray header(QByteArrayView name) const { return http::headerValue(headers, name); }
    QJsonObject json() const { return QJsonDocument::fromJson(body).object(); }
    QJsonObject error() const { return json().value("error"_L1).toObject(); }

    int status = 0;
    http::Headers headers;
    QByteArray body;
    bool ended = false, dropped = false, gone = false;
    qint64 buffered = 0;
    std::function<void()> whenGone;
};
using Kept = std::shared_ptr<KeptAnswer>;

inline workspace::Endpoint endpointNamed(const std::string& name,
                                         const QString& provider = QStringLiteral("openai-compatible"))
{
    workspace::Endpoint endpoint;
    endpoint.provider = provider;
    endpoint.baseUrl = QStringLiteral("sim:") + QString::fromStdString(name);
    endpoint.model = QStringLiteral("m-") + QString::fromStdString(name);
    endpoint.spec.name = name;
    endpoint.spec.breaker.consecutiveFailures = 1;
    endpoint.spec.breaker.open = std::chrono::seconds(30);
    endpoint.price = cost::Price{cost::NanoDollars(1'000'000'000), cost::NanoDollars(2'000'000'000), {}, {}, {}};
    return endpoint;
}

inline workspace::Chain chainNamed(const std::string& name, const std::vector<std::string>& endpoints)
{
    workspace::Chain chain;
    chain.spec.name = name;
    for (const std::string& endpoint : endpoints) {
        chain::TierSpec tier;
        tier.name = tier.endpoint = endpoint;
        chain.spec.tiers.push_back(tier);
    }
    return chain;
}

inline workspace::Workspace twoEndpoints()
{
    workspace::Workspace workspace;
    workspace.name = QStringLiteral("shop");
    workspace.environment = QStringLiteral("staging");
    workspace.endpoints = {endpointNamed("first"), endpointNamed("second")};
    workspace.chains = {chainNamed("prod", {"first", "second"}), chainNamed("alone", {"first"})};
    return workspace;
}

class ApiBench
{
public:
    explicit ApiBench(const workspace::Workspace& workspace = twoEndpoints())
        : core({})
        , api(core, options, [this] { return figures; })
    {
        apply(workspace);
    }
    void apply(const workspace::Workspace& workspace)
    {
        core.apply(workspace, {}, server.base(),
                   [](const workspace::KeyRef&) { return QByteArray("sk-test-0001-abcdef"); });
    }
    Kept ask(const QByteArray& method, const QByteArray& target, const QByteArray& body = {},
             http::Headers headers = {})
    {
        const auto kept = std::make_shared<KeptAnswer>();
        gateway::Exchange exchange;
        exchange.request.method = method;
        exchange.request.target = target;
        exchange.request.path = target.left(target.indexOf('?') < 0 ? target.size() : target.indexOf('?'));
        exchange.request.headers = std::move(headers);
        exchange.request.headers.emplace_back("Host", "127.0.0.1:8787");
        exchange.request.body = body;
        exchange.request.received = http::steadyNow();
        exchange.responder = kept;
        exchange.requestId = "r-1";
        exchange.onEnded = &onEnded;
        const auto routed = gateway::routeOf(method, exchange.request.path);
        if (!routed)
            QTest::qFail("no such route", __FILE__, __LINE__);
        else
            api.handle(*routed, std::move(exchange), [this](bool clientLeft) {
                ++over;
                left += clientLeft ? 1 : 0;
            });
        return kept;
    }
    /// Waits for the answer's end.
    Kept answer(const QByteArray& method, const QByteArray& target, const QByteArray& body = {},
                http::Headers headers = {})
    {
        const Kept kept = ask(method, target, body, std::move(headers));
        if (!QTest::qWaitFor([&] { return kept->ended; }))
            QTest::qFail("no answer", __FILE__, __LINE__);
        return kept;
    }
    Kept get(const QByteArray& target, http::Headers headers = {})
    {
        return answer("GET", target, {}, std::move(headers));
    }
    Kept post(const QByteArray& target, const QByteArray& body = {}) { return answer("POST", target, body); }

    ChatServer server;
    engine::EngineCore core;
    gateway::Options options;
    gateway::Figures figures;
    gateway::OnEnded onEnded;
    gateway::ApiService api;
    int over = 0, left = 0;
};

} // namespace sg::test
