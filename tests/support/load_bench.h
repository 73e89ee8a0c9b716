// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/report.h"
#include "core/load/run.h"
#include "tests/support/chat_server.h"

#include <QSignalSpy>
#include <QTest>

/// A load run against a ChatServer in the test's own thread.
namespace sg::test {

/// A chain of so many tiers; endpoint N asks the server's "eN".
inline workspace::Workspace oneEndpoint(int tiers = 1)
{
    workspace::Workspace workspace;
    workspace::Chain chain;
    chain.spec.name = "chain";
    for (int i = 0; i < tiers; ++i) {
        workspace::Endpoint endpoint;
        endpoint.provider = QStringLiteral("openai-compatible");
        endpoint.spec.name = "e" + std::to_string(i);
        endpoint.baseUrl = QStringLiteral("sim:e%1").arg(i);
        endpoint.model = QStringLiteral("m");
        endpoint.spec.breaker.consecutiveFailures = 3;
        chain::TierSpec tier;
        tier.name = tier.endpoint = endpoint.spec.name;
        workspace.endpoints.push_back(endpoint);
        chain.spec.tiers.push_back(tier);
    }
    workspace.chains = {chain};
    return workspace;
}

struct LoadBench
{
    explicit LoadBench(const workspace::Workspace& workspace)
        : core({})
    {
        core.apply(workspace, {}, server.base(), [](const auto&) { return QByteArray(); });
    }
    ChatServer server;
    engine::EngineCore core;
};

/// Answers nobody before the test says so.
class Waiting
{
public:
    ChatServer::Handler handler()
    {
        return [this](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            waiting_.push_back(std::move(responder));
        };
    }
    std::size_t size() const { return waiting_.size(); }
    const std::shared_ptr<http::Responder>& first() const { return waiting_.front(); }
    void answerAll()
    {
        for (const auto& one : std::exchange(waiting_, {}))
            ChatServer::answers("x")({}, one);
    }

private:
    std::vector<std::shared_ptr<http::Responder>> waiting_;
};

inline load::LoadPlan planOf(load::LoadModel model)
{
    load::LoadPlan plan;
    plan.target = "chain";
    plan.model = std::move(model);
    plan.stream = false;
    return plan;
}

inline load::LoadPlan closedPlan(std::int64_t requests, int users)
{
    load::LoadPlan plan = planOf(load::ClosedModel{users});
    plan.stop.requests = requests;
    return plan;
}

inline QJsonObject runToEnd(load::LoadRun& run)
{
    QSignalSpy finished(&run, &load::LoadRun::finished);
    run.start();
    if (finished.isEmpty() && !finished.wait(20000))
        QTest::qFail("the run did not end", __FILE__, __LINE__);
    return load::reportOf(run);
}

} // namespace sg::test
