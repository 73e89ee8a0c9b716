// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/api_bench.h"

using namespace sg;
using test::ApiBench;
using test::ChatServer;
using test::Kept;
using namespace test;

namespace {

QStringList idsOf(const Kept& kept)
{
    QStringList ids;
    const QJsonArray data = kept->json().value("data"_L1).toArray();
    for (const QJsonValue& one : data)
        ids << one["id"_L1].toString();
    return ids;
}

} // namespace

/// What applications are told of models: the gateway's own names, and providers' lists.
class TestModelLists : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void listsModels()
    {
        auto workspace = twoEndpoints();
        workspace.endpoints.push_back(endpointNamed("third"));
        workspace.endpoints[2].model = QStringLiteral("prod"); // a chain is called so
        workspace.chains[0].spec.tiers.push_back(workspace.chains[0].spec.tiers[0]);
        workspace.chains[0].spec.tiers[2].endpoint = "third";
        ApiBench bench(workspace);
        const Kept kept = bench.get("/v1/models");
        QCOMPARE(idsOf(kept), (QStringList{QStringLiteral("prod"), QStringLiteral("alone"), QStringLiteral("m-first"),
                                           QStringLiteral("m-second")}));
        const QJsonArray data = kept->json().value("data"_L1).toArray();
        QCOMPARE(data[0]["owned_by"_L1].toString(), QStringLiteral("switchgear"));
        QCOMPARE(data[2]["owned_by"_L1].toString(), QStringLiteral("openai-compatible"));
        QCOMPARE(data[0]["object"_L1].toString(), QStringLiteral("model"));
        QVERIFY(data[0]["created"_L1].toInteger() > 1'700'000'000);
        QCOMPARE(bench.get("/v1/models/m-first")->json().value("id"_L1).toString(), QStringLiteral("m-first"));
        QCOMPARE(bench.get("/v1/models/second")->status, 200);
        const Kept unknown = bench.get("/v1/models/nobody/none");
        QCOMPARE(unknown->status, 404);
        QCOMPARE(unknown->error().value("code"_L1).toString(), QStringLiteral("model_not_found"));
    }

    void passesAProvidersList()
    {
        ApiBench bench;
        bench.server.on("first", [](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
            responder->send(
                request.path.endsWith("/models") ? 200 : 404, {{"Content-Type", "application/json"}},
                R"({"object":"list","data":[{"id":"big-1","object":"model"},{"id":"big-2","object":"model"}]})");
        });
        bench.server.on("second", ChatServer::fails(500));
        QCOMPARE(idsOf(bench.get("/v1/models?endpoint=first")),
                 (QStringList{QStringLiteral("big-1"), QStringLiteral("big-2")}));
        QCOMPARE(bench.get("/v1/models?endpoint=second")->status, 502);
        QCOMPARE(bench.get("/v1/models?endpoint=nobody")->status, 404);
        // That has failed the endpoint as any call would have.
        const Kept open = bench.get("/v1/models?endpoint=second");
        QCOMPARE(open->status, 503);
        QCOMPARE(open->error().value("code"_L1).toString(), QStringLiteral("breaker_open"));
        QVERIFY(open->header("Retry-After").toInt() >= 25);
        QCOMPARE(bench.server.requests("second"), 1);
        const auto picture = bench.core.recorder().snapshot(std::chrono::minutes(5), http::steadyNow());
        QCOMPARE(int(picture->endpoints[0].attempts), 1);
        QCOMPARE(int(picture->endpoints[1].attempts), 1);
        QCOMPARE(picture->inFlight, 0);
        QVERIFY(bench.get("/metrics")->body.contains("gen_ai_operation_name=\"list_models\""));
        QCOMPARE(bench.over, 5);
    }

    /// Names of models, and what else an answer brings, however a provider that echoes the key writes it.
    void noKeyIsPassedOn_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::newRow("whole") << QByteArray("sk-test-0001-abcdef");
        QTest::newRow("within a word") << QByteArray("m-sk-test-0001-abcdef-x");
        QTest::newRow("cut") << QByteArray("sk-test-0001-ab");
        QTest::newRow("percent") << QByteArray("sk%2Dtest%2d0001-abcdef");
        QTest::newRow("escaped") << QByteArray(R"(\u0073k-test-0001\u002Dabcdef)");
    }
    void noKeyIsPassedOn()
    {
        QFETCH(QByteArray, key);
        auto workspace = twoEndpoints();
        workspace.endpoints[0].key = {workspace::KeySource::Session, QStringLiteral("first")};
        ApiBench bench(workspace);
        bench.server.on("first", [&](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
            const bool isList = request.path.endsWith("/models");
            responder->send(200, {{"Content-Type", "application/json; x=" + key}},
                            isList ? R"({"data":[{"id":")" + key + R"(","display_name":")" + key + R"("},{"id":"m"}]})"
                                   : R"({"data":[],"model":")" + key + R"("})");
        });
        const auto hasKey = [&](const QByteArray& text) { return text.contains("0001") || text.contains(key); };
        const Kept list = bench.get("/v1/models?endpoint=first");
        QCOMPARE(idsOf(list).size(), 2);
        QVERIFY2(!hasKey(list->body), list->body.constData());
        const Kept kept = bench.get("/v1/models?endpoint=first");
        QVERIFY2(!hasKey(kept->body), kept->body.constData());
        const Kept vectors = bench.post("/v1/embeddings", R"({"model":"m-first","input":"hi"})");
        QCOMPARE(vectors->status, 200);
        QVERIFY2(!hasKey(vectors->body), vectors->body.constData());
        QVERIFY(!hasKey(vectors->header("Content-Type")));
        std::optional<engine::ModelsResult> desk;
        bench.core.listModels("first", [&](const engine::ModelsResult& models) { desk = models; });
        QTRY_VERIFY(desk && *desk);
        for (const provider::ListedModel& model : **desk)
            QVERIFY2(!hasKey(model.id.toUtf8()) && !hasKey(model.title.toUtf8()), qPrintable(model.id));
    }

    void aListClosesNoBreaker()
    {
        auto workspace = twoEndpoints();
        workspace.endpoints[0].spec.breaker.open = Millis(1);
        workspace.endpoints[0].spec.breaker.halfOpenDeadline = std::chrono::seconds(30);
        ApiBench bench(workspace);
        const auto state = [&] {
            policy::Breaker& breaker = bench.core.switchboard().endpoint("first")->state->breaker();
            return policy::toString(breaker.state(http::steadyNow()));
        };
        bench.server.on("first", ChatServer::fails(500));
        QCOMPARE(bench.get("/v1/models?endpoint=first")->status, 502);
        bench.server.on("first", [](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->send(200, {}, R"({"data":[{"id":"big-1"}]})");
        });
        QTRY_COMPARE(idsOf(bench.get("/v1/models?endpoint=first")), QStringList(QStringLiteral("big-1")));
        QVERIFY(state() == "half_open");
        bench.server.on("first", ChatServer::answers("fine"));
        QTRY_COMPARE(bench.post("/chat", R"({"message":"hi","model":"alone"})")->status, 200);
        QVERIFY(state() == "closed");
    }

    void aKeptListIsOfWhoMayBeAsked()
    {
        ApiBench bench;
        bench.server.on("first", [](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->send(200, {}, R"({"data":[{"id":"big-1"}]})");
        });
        QCOMPARE(bench.get("/v1/models?endpoint=first")->status, 200);
        chain::EndpointState& state = *bench.core.switchboard().endpoint("first")->state;
        state.credential().out = true;
        QVERIFY(bench.get("/v1/models?endpoint=first")->status >= 400);
        state.credential() = {};
        QCOMPARE(bench.get("/v1/models?endpoint=first")->status, 200);
        bench.core.command("first", observe::BreakerCommand::ForceOpen, {});
        QCOMPARE(bench.get("/v1/models?endpoint=first")->status, 503);
    }

    void aLongListComesWhole()
    {
        ApiBench bench;
        QJsonArray data;
        for (int i = 0; i < 8000; ++i)
            data.append(
                QJsonObject{{"id"_L1, QStringLiteral("model-of-some-length-%1").arg(i)}, {"object"_L1, "model"_L1}});
        const QByteArray list = QJsonDocument(QJsonObject{{"data"_L1, data}}).toJson(QJsonDocument::Compact);
        QVERIFY(list.size() > engine::Beside::kShort);
        bench.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->send(200, {{"Content-Type", "application/json"}}, list);
        });
        const Kept kept = bench.get("/v1/models?endpoint=first");
        QCOMPARE(idsOf(kept).size(), 8000);
        QCOMPARE(idsOf(kept).back(), QStringLiteral("model-of-some-length-7999"));
        std::optional<engine::ModelsResult> desk;
        bench.core.listModels("first", [&](const engine::ModelsResult& models) { desk = models; });
        QTRY_VERIFY(desk && *desk);
        QCOMPARE(int((*desk)->size()), 8000);
        QCOMPARE(bench.core.arriving().bytes(), 0);
        bench.server.on("second", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->send(200, {{"Content-Type", "application/json"}}, list.chopped(2));
        });
        QCOMPARE(bench.get("/v1/models?endpoint=second")->status, 502);
    }

    void aListThatIsTooLong()
    {
        ApiBench bench;
        bench.server.on("first", [](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->send(200, {}, R"({"data":[{"id":")" + QByteArray(3 * 1024 * 1024, 'x') + R"("}]})");
        });
        const Kept list = bench.get("/v1/models?endpoint=first");
        QCOMPARE(list->status, 502);
        QVERIFY(!list->error().value("message"_L1).toString().isEmpty());
    }

    /// Who leaves or is cut off while a provider is asked is no refusal: what was tried is told.
    void whatWasAskedIsTold_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<bool>("leaves");
        for (const char* path : {"/v1/embeddings", "/v1/models?endpoint=first"})
            for (const bool leaves : {true, false})
                QTest::addRow("%s %s", path, leaves ? "left" : "cut off") << QByteArray(path) << leaves;
    }
    void whatWasAskedIsTold()
    {
        QFETCH(QByteArray, path);
        QFETCH(bool, leaves);
        ApiBench bench;
        std::shared_ptr<http::Responder> upstream;
        bench.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            upstream = std::move(responder);
        });
        int attempts = 0, status = 0;
        std::string endpoint;
        bench.onEnded = [&](const gateway::Ended& ended) {
            attempts = ended.record ? ended.record->attempts : -1;
            status = ended.status;
            endpoint = ended.endpoint;
        };
        const bool isList = path.contains('?');
        const Kept kept = bench.ask(isList ? "GET" : "POST", path,
                                    isList ? QByteArray() : QByteArray(R"({"model":"m-first","input":"hi"})"));
        QTRY_VERIFY(upstream != nullptr);
        if (leaves)
            kept->leave();
        else
            bench.api.cutOff();
        QCOMPARE(attempts, 1);
        QCOMPARE(status, leaves ? gateway::kClientLeft : 503);
        QCOMPARE(endpoint, std::string("first"));
        QCOMPARE(kept->status, leaves ? 0 : 503);
        QCOMPARE(bench.left, leaves ? 1 : 0);
        QCOMPARE(bench.over, 1);
    }

    void aCutOffIsToldToAllWhoWait()
    {
        ApiBench bench;
        std::vector<std::shared_ptr<http::Responder>> upstream;
        int gone = 0;
        for (const char* name : {"first", "second"})
            bench.server.on(name, [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
                responder->onClientGone([&] { ++gone; });
                upstream.push_back(std::move(responder));
            });
        std::vector<std::pair<QString, std::string>> told;
        bench.onEnded = [&](const gateway::Ended& ended) { told.emplace_back(ended.code, ended.endpoint); };
        std::vector<Kept> all;
        for (const char* name : {"first", "second", "first", "second", "first"})
            all.push_back(bench.ask("GET", QByteArray("/v1/models?endpoint=") + name));
        QTRY_COMPARE(upstream.size(), std::size_t(2));
        bench.api.cutOff();
        QCOMPARE(bench.api.cutOffTotal(), 5);
        for (const Kept& each : all) {
            QCOMPARE(each->status, 503);
            QCOMPARE(each->error().value("code"_L1).toString(), QStringLiteral("stopping"));
            QVERIFY(!each->header("Retry-After").isEmpty());
        }
        std::ranges::sort(told);
        const QString stopping = QStringLiteral("stopping");
        QVERIFY((told == std::vector<std::pair<QString, std::string>>{{stopping, "first"},
                                                                      {stopping, "first"},
                                                                      {stopping, "first"},
                                                                      {stopping, "second"},
                                                                      {stopping, "second"}}));
        QCOMPARE(bench.over, 5);
        QCOMPARE(bench.left, 0);
        QCOMPARE(bench.core.inFlight(), 0);
        QTRY_COMPARE(gone, 2);

        bench.api.cutOff(); // nobody is there any more
        QCOMPARE(bench.api.cutOffTotal(), 5);
        bench.server.on("first", [](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->send(200, {}, R"({"data":[{"id":"big-1"}]})");
        });
        QCOMPARE(idsOf(bench.get("/v1/models?endpoint=first")), QStringList(QStringLiteral("big-1")));
        bench.api.cutOff(); // one that is kept is not under way
        QCOMPARE(bench.api.cutOffTotal(), 5);
    }

    void whoHasNoListIsNotAsked()
    {
        auto workspace = twoEndpoints();
        workspace.endpoints[0].provider = QStringLiteral("cohere");
        ApiBench bench(workspace);
        const Kept none = bench.get("/v1/models?endpoint=first");
        QCOMPARE(none->status, 400);
        QCOMPARE(none->error().value("code"_L1).toString(), QStringLiteral("models_not_supported"));
    }

    void oneCallForAllWhoWantAList()
    {
        ApiBench bench;
        std::shared_ptr<http::Responder> upstream;
        bench.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            upstream = std::move(responder);
        });
        std::vector<Kept> all;
        for (int i = 0; i < 20; ++i)
            all.push_back(bench.ask("GET", "/v1/models?endpoint=first"));
        QTRY_VERIFY(upstream != nullptr);
        all.front()->leave();
        upstream->send(200, {{"Content-Type", "application/json"}}, R"({"data":[{"id":"big-1"}]})");
        QTRY_VERIFY(all.back()->ended);
        QCOMPARE(bench.server.requests("first"), 1);
        for (std::size_t i = 1; i < all.size(); ++i)
            QCOMPARE(idsOf(all[i]), QStringList(QStringLiteral("big-1")));
        QCOMPARE(all.front()->status, 0);
        QCOMPARE(bench.over, 20);
        QCOMPARE(bench.left, 1);
        // Kept for a while, for the endpoint as it was asked.
        QCOMPARE(idsOf(bench.get("/v1/models?endpoint=first")), QStringList(QStringLiteral("big-1")));
        QCOMPARE(bench.server.requests("first"), 1);
        auto other = twoEndpoints();
        other.endpoints[0].baseUrl = QStringLiteral("sim:second");
        bench.apply(other);
        bench.ask("GET", "/v1/models?endpoint=first");
        QTRY_COMPARE(bench.server.requests("second"), 1);
    }

    void aListThatNobodyWaitsForIsCancelled()
    {
        ApiBench bench;
        std::shared_ptr<http::Responder> upstream;
        bool isGone = false;
        bench.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            upstream = std::move(responder);
            upstream->onClientGone([&] { isGone = true; });
        });
        const Kept one = bench.ask("GET", "/v1/models?endpoint=first");
        const Kept two = bench.ask("GET", "/v1/models?endpoint=first");
        QTRY_VERIFY(upstream != nullptr);
        one->leave();
        QCOMPARE(bench.core.inFlight(), 1);
        two->leave();
        QCOMPARE(bench.core.inFlight(), 0);
        QCOMPARE(bench.left, 2);
        QTRY_VERIFY(isGone);
        const auto picture = bench.core.recorder().snapshot(std::chrono::minutes(5), http::steadyNow());
        QCOMPARE(int(picture->tiles.cancelled), 1);
        // And the next one asks anew.
        bench.ask("GET", "/v1/models?endpoint=first");
        QTRY_COMPARE(bench.server.requests("first"), 2);
    }
};

QTEST_GUILESS_MAIN(TestModelLists)
#include "tst_model_lists.moc"
