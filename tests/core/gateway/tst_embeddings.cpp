// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/embeddings.h"
#include "core/observe/metrics.h"
#include "core/provider/request_writer.h"
#include "core/simulator/simulator.h"
#include "tests/support/api_bench.h"
#include "tests/support/json.h"

#include <QTimer>

#include <ctime>

using namespace sg;
using namespace test;

namespace {

const QByteArray kAnswer =
    R"({"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.5,0.5]}],"model":"m","usage":{"prompt_tokens":4,"total_tokens":4}})";

QByteArray asking(const QByteArray& model, const QByteArray& more = {})
{
    return R"({"model":")" + model + R"(","input":"some words")" + more + '}';
}

/// Answers with vectors and keeps what it was asked.
ChatServer::Handler vectors(std::vector<http::ServerRequest>& seen)
{
    return [&seen](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
        seen.push_back(request);
        responder->send(200, {{"Content-Type", "application/json; charset=utf-8"}}, kAnswer);
    };
}

} // namespace

class TestEmbeddings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void passesOn()
    {
        ApiBench bench;
        std::vector<http::ServerRequest> seen;
        bench.server.on("second", vectors(seen));
        const Kept kept = bench.post("/v1/embeddings", asking("m-second", R"(,"encoding_format":"float","user":"u")"));
        QCOMPARE(kept->status, 200);
        QCOMPARE(kept->body, kAnswer);
        QCOMPARE(kept->header("Content-Type"), QByteArray("application/json; charset=utf-8"));
        QCOMPARE(kept->header("x-switchgear-endpoint"), QByteArray("second"));
        QCOMPARE(kept->header("x-switchgear-attempts"), QByteArray("1"));
        QCOMPARE(kept->header("x-switchgear-cost-usd").toDouble(), 4e-6); // 4 tokens at 1 USD a million
        QVERIFY(kept->header("x-switchgear-chain").isEmpty());
        QCOMPARE(int(seen.size()), 1);
        QCOMPARE(seen[0].path, QByteArray("/second/v1/embeddings"));
        const QJsonObject sent = QJsonDocument::fromJson(seen[0].body).object();
        QCOMPARE(sent.value("model"_L1).toString(), QStringLiteral("m-second"));
        QCOMPARE(sent.value("encoding_format"_L1).toString(), QStringLiteral("float"));
        QCOMPARE(sent.value("user"_L1).toString(), QStringLiteral("u"));
        QCOMPARE(bench.over, 1);
        const auto picture = bench.core.recorder().snapshot(std::chrono::minutes(5), http::steadyNow());
        QCOMPARE(int(picture->requestsTotal), 1);
        QCOMPARE(picture->inFlight, 0);
        QCOMPARE(int(picture->endpoints[1].attempts), 1);
        QCOMPARE(bench.core.inFlight(), 0);
        const QByteArray page = bench.get("/metrics")->body;
        QVERIFY(page.contains("gen_ai_operation_name=\"embeddings\""));
    }

    void goesByEndpointAndChain()
    {
        ApiBench bench;
        std::vector<http::ServerRequest> seen;
        bench.server.on("first", vectors(seen));
        bench.server.on("second", vectors(seen));
        QCOMPARE(bench.post("/embeddings", asking("second"))->header("x-switchgear-endpoint"), QByteArray("second"));
        QCOMPARE(bench.post("/embeddings", asking("prod"))->header("x-switchgear-endpoint"), QByteArray("first"));
        QCOMPARE(QJsonDocument::fromJson(seen[1].body).object().value("model"_L1).toString(),
                 QStringLiteral("m-first"));
    }

    void oneThatIsOutGivesWayToTheSameModelOnly()
    {
        auto workspace = twoEndpoints();
        ApiBench bench(workspace);
        std::vector<http::ServerRequest> seen;
        bench.server.on("second", vectors(seen));
        bench.core.command("first", observe::BreakerCommand::ForceOpen, "");
        QCOMPARE(bench.post("/v1/embeddings", asking("prod"))->status, 503);
        for (auto& endpoint : workspace.endpoints)
            endpoint.model = QStringLiteral("m");
        bench.apply(workspace);
        for (const char* asked : {"m", "prod"})
            QCOMPARE(bench.post("/v1/embeddings", asking(asked))->header("x-switchgear-endpoint"),
                     QByteArray("second"));
        bench.core.command("second", observe::BreakerCommand::ForceOpen, "");
        const Kept both = bench.post("/v1/embeddings", asking("m"));
        QCOMPARE(both->status, 503);
        QVERIFY(both->error().value("message"_L1).toString().contains(QStringLiteral("first")));
    }

    void saysWhoHasNone()
    {
        auto workspace = twoEndpoints();
        workspace.endpoints[0].provider = QStringLiteral("anthropic");
        ApiBench bench(workspace);
        const Kept kept = bench.post("/v1/embeddings", asking("m-first"));
        QCOMPARE(kept->status, 400);
        QCOMPARE(kept->error().value("code"_L1).toString(), QStringLiteral("embeddings_not_supported"));
        QVERIFY(kept->error().value("message"_L1).toString().contains(QStringLiteral("Anthropic")));
        std::vector<http::ServerRequest> seen;
        bench.server.on("second", vectors(seen));
        QCOMPARE(bench.post("/v1/embeddings", asking("prod"))->header("x-switchgear-endpoint"), QByteArray("second"));
        const Kept unknown = bench.post("/v1/embeddings", asking("nobody"));
        QCOMPARE(unknown->status, 404);
        QCOMPARE(unknown->error().value("code"_L1).toString(), QStringLiteral("model_not_found"));
        // "alone" leads to "first" only, and that has none.
        const QString words = unknown->error().value("message"_L1).toString();
        QVERIFY2(words.contains(QStringLiteral("There is: \"prod\", \"m-second\".")), qPrintable(words));
    }

    void refusesBodies_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("param");
        QTest::newRow("no JSON") << QByteArray("input=x") << QString();
        QTest::newRow("no model") << QByteArray(R"({"input":"x"})") << QStringLiteral("model");
        QTest::newRow("a model that is none") << QByteArray(R"({"model":5,"input":"x"})") << QStringLiteral("model");
        QTest::newRow("no input") << QByteArray(R"({"model":"m-first"})") << QStringLiteral("input");
        QTest::newRow("empty text") << QByteArray(R"({"model":"m-first","input":""})") << QStringLiteral("input");
        QTest::newRow("empty list") << QByteArray(R"({"model":"m-first","input":[]})") << QStringLiteral("input");
        QTest::newRow("an empty text in a list")
            << QByteArray(R"({"model":"m-first","input":["a",""]})") << QStringLiteral("input");
        QTest::newRow("mixed") << QByteArray(R"({"model":"m-first","input":["a",5]})") << QStringLiteral("input");
        QTest::newRow("an object") << QByteArray(R"({"model":"m-first","input":{"a":1}})") << QStringLiteral("input");
        QTest::newRow("too many") << R"({"model":"m-first","input":["x")" + QByteArray(",\"x\"").repeated(2048) + "]}"
                                  << QStringLiteral("input");
    }
    void refusesBodies()
    {
        QFETCH(QByteArray, body);
        ApiBench bench;
        const Kept kept = bench.post("/v1/embeddings", body);
        QCOMPARE(kept->status, 400);
        QTEST(kept->error().value("param"_L1).toString(), "param");
        QCOMPARE(bench.server.requests("first"), 0);
        QCOMPARE(bench.over, 1);
    }

    void takesEveryFormOfInput_data()
    {
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<int>("tokens");
        QTest::newRow("a text") << QByteArray(R"("x")") << 1;
        QTest::newRow("texts") << QByteArray(R"(["four","five5"])") << 3;
        QTest::newRow("tokens") << QByteArray("[1,2,3]") << 3;
        QTest::newRow("lists of tokens") << QByteArray("[[1,2],[3]]") << 3;
    }
    void takesEveryFormOfInput()
    {
        QFETCH(QByteArray, input);
        QFETCH(int, tokens);
        const auto ask = gateway::readEmbeddings(object(R"({"model":"m","input":)" + input + '}'));
        QVERIFY(ask);
        QCOMPARE(ask->tokens, tokens);
    }

    void failuresHaveOpenAisShape()
    {
        ApiBench bench;
        bench.server.on("first", [](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->send(
                400, {{"Content-Type", "application/json"}},
                R"({"error":{"message":"bad input for sk-test-0001-abcdef","type":"invalid_request_error","param":"input","code":null}})");
        });
        const Kept bad = bench.post("/v1/embeddings", asking("first"));
        QCOMPARE(bad->status, 400);
        QVERIFY(bad->error().value("message"_L1).toString().contains(QStringLiteral("bad input")));
        QVERIFY(!bad->body.contains("sk-test-0001"));
        // The caller's mistake is no failure of the endpoint.
        QCOMPARE(bench.get("/health")->json().value("status"_L1).toString(), QStringLiteral("healthy"));

        bench.server.on("first", ChatServer::fails(500));
        QCOMPARE(bench.post("/v1/embeddings", asking("first"))->status, 502);
        const Kept open = bench.post("/v1/embeddings", asking("first"));
        QCOMPARE(open->status, 503);
        QCOMPARE(open->error().value("code"_L1).toString(), QStringLiteral("breaker_open"));
        QVERIFY(open->header("Retry-After").toInt() >= 25);
        QCOMPARE(bench.server.requests("first"), 2);
    }

    void aLimitIsTold()
    {
        ApiBench bench;
        bench.server.on("second", ChatServer::fails(429, {{"Retry-After", "20"}}));
        const Kept first = bench.post("/v1/embeddings", asking("second"));
        QCOMPARE(first->status, 429);
        QVERIFY(first->header("Retry-After").toInt() >= 19);
        // And everybody else leaves it alone, as it asked.
        const Kept next = bench.post("/v1/embeddings", asking("second"));
        QVERIFY(next->status == 429 || next->status == 503);
        QCOMPARE(bench.server.requests("second"), 1);
    }

    void anAnswerWithoutVectorsIsNone_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("cut") << kAnswer.chopped(20);
        QTest::newRow("a page") << QByteArray("<html>welcome</html>");
        QTest::newRow("an error inside") << QByteArray(R"({"error":{"message":"overloaded","code":503}})");
        QTest::newRow("nothing") << QByteArray();
    }
    void anAnswerWithoutVectorsIsNone()
    {
        QFETCH(QByteArray, body);
        ApiBench bench;
        bench.server.on("first", [body](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->send(200, {{"Content-Type", "application/json"}}, body);
        });
        const Kept kept = bench.post("/v1/embeddings", asking("first"));
        QVERIFY2(kept->status >= 500, qPrintable(QString::number(kept->status)));
        QVERIFY(!kept->error().isEmpty());
    }

    void anErrorBesideVectorsIsOne()
    {
        ApiBench bench;
        const QByteArray many = "[" + QByteArray("0.5,").repeated(200'000) + "0.5]";
        bench.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->send(200, {{"Content-Type", "application/json"}},
                            "{\"data\":" + many + ",\"error\":{\"message\":\"overloaded\",\"code\":503}}");
        });
        const Kept kept = bench.post("/v1/embeddings", asking("first"));
        QCOMPARE(kept->status, 503);
        QVERIFY(kept->error().value("message"_L1).toString().contains(QStringLiteral("overloaded")));
    }

    void keysInAnswersAreHidden()
    {
        ApiBench bench;
        // In two pieces, too.
        bench.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->begin(200, {{"Content-Type", "application/json"}});
            responder->write("{\"data\":[],\"key\":\"sk-test-0");
            QTimer::singleShot(20, this, [responder] {
                responder->write("001-abcdef\"}");
                responder->end();
            });
        });
        const Kept kept = bench.post("/v1/embeddings", asking("first"));
        QCOMPARE(kept->body, QByteArray("{\"data\":[],\"key\":\"***\"}"));
    }

    /// No token of any stream moves while this thread is at one thing.
    void aLongAnswerHoldsNobodyUp()
    {
        constexpr qsizetype piece = 128 * 1024;
        const QByteArray vector = "[" + QByteArray("-0.0123456789,").repeated(3071) + "0.5]";
        const QByteArray answer = R"({"data":[)" + (R"({"embedding":)" + vector + "},").repeated(600) +
                                  R"({"embedding":[]}],)" + "\"usage\":{\"prompt_tokens\":77}}";
        const auto busy = [] {
            timespec now{};
            ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
            return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
        };
        const double before = busy();
        QVERIFY(QJsonDocument::fromJson(answer).isObject());
        const double asTree = busy() - before;

        ApiBench bench;
        QTimer feed;
        std::shared_ptr<http::Responder> upstream;
        qsizetype sent = 0;
        connect(&feed, &QTimer::timeout, this, [&] {
            if (sent < answer.size() && upstream->bytesBuffered() < 2 * piece) {
                upstream->write(QByteArrayView(answer).sliced(sent, std::min(piece, answer.size() - sent)));
                sent += piece;
                if (sent >= answer.size())
                    upstream->end();
            }
        });
        bench.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            upstream = std::move(responder);
            upstream->begin(200, {{"Content-Type", "application/json"}});
            feed.start(0);
        });
        double longest = 0, last = busy();
        QTimer beat;
        connect(&beat, &QTimer::timeout, this, [&] {
            const double now = busy();
            longest = std::max(longest, now - last);
            last = now;
        });
        beat.start(0);
        const Kept kept = bench.ask("POST", "/v1/embeddings", asking("first"));
        QVERIFY(QTest::qWaitFor([&] { return kept->ended; }, 60'000));
        QCOMPARE(kept->status, 200);
        QVERIFY(kept->body == answer);
        QCOMPARE(kept->header("x-switchgear-cost-usd").toDouble(), 77e-6);
        qInfo("%lld MB: %.1f ms at a time; as a tree %.1f ms", qlonglong(answer.size() / 1'000'000), longest, asTree);
        QVERIFY2(longest < asTree / 4, qPrintable(QStringLiteral("%1 of %2 ms").arg(longest).arg(asTree)));
    }

    void whoLeavesCancels()
    {
        ApiBench bench;
        std::shared_ptr<http::Responder> upstream;
        bool gone = false;
        bench.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            upstream = std::move(responder);
            upstream->onClientGone([&] { gone = true; });
        });
        const Kept kept = bench.ask("POST", "/v1/embeddings", asking("first"));
        QTRY_VERIFY(upstream != nullptr);
        kept->leave();
        QCOMPARE(bench.left, 1);
        QCOMPARE(bench.core.inFlight(), 0);
        QTRY_VERIFY(gone);
        const auto picture = bench.core.recorder().snapshot(std::chrono::minutes(5), http::steadyNow());
        QCOMPARE(picture->inFlight, 0);
        QCOMPARE(int(picture->tiles.cancelled), 1);
    }

    void endsWithTheEngine()
    {
        std::shared_ptr<http::Responder> upstream;
        ApiBench bench;
        bench.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            upstream = std::move(responder);
        });
        bench.ask("POST", "/v1/embeddings", asking("first"));
        QTRY_VERIFY(upstream != nullptr);
        QCOMPARE(bench.core.inFlight(), 1);
    }

    void theSimulatorHasVectors()
    {
        const auto script = simulator::parseScript(
            R"({"version":1,"endpoints":[{"name":"vec","latency":{"kind":"constant","ms":1}}]})");
        QVERIFY(script);
        simulator::Simulator simulator(*script);
        QVERIFY(simulator.start());
        auto workspace = twoEndpoints();
        workspace.endpoints[0].baseUrl = simulator.baseUrl(QStringLiteral("vec")).toString();
        ApiBench bench(workspace);
        const auto vector = [](const Kept& kept, int index) {
            return kept->json().value("data"_L1).toArray().at(index)["embedding"_L1];
        };
        const Kept kept = bench.post("/v1/embeddings", R"({"model":"first","input":["one","two","one"]})");
        QCOMPARE(kept->status, 200);
        QVERIFY(!vector(kept, 0).toArray().isEmpty());
        QCOMPARE(vector(kept, 0), vector(kept, 2));
        QVERIFY(vector(kept, 0) != vector(kept, 1));
        QCOMPARE(kept->json().value("usage"_L1)["prompt_tokens"_L1].toInt(), 3);
        // As SDKs ask by themselves.
        const Kept packed =
            bench.post("/v1/embeddings", R"({"model":"first","input":"one","encoding_format":"base64"})");
        const QByteArray bytes = QByteArray::fromBase64(vector(packed, 0).toString().toLatin1());
        QCOMPARE(bytes.size(), vector(kept, 0).toArray().size() * 4);
    }

    void addresses_data()
    {
        QTest::addColumn<QString>("provider");
        QTest::addColumn<QString>("base");
        QTest::addColumn<QString>("url"); ///< empty: it has none
        const auto row = [](const char* provider, const char* base, const char* url) {
            QTest::addRow("%s %s", provider, base)
                << QString::fromLatin1(provider) << QString::fromLatin1(base) << QString::fromLatin1(url);
        };
        row("openai", "", "https://api.openai.com/v1/embeddings");
        row("openai-compatible", "https://a.example", "https://a.example/v1/embeddings");
        row("openai-compatible", "https://a.example/x/v1/chat/completions", "https://a.example/x/v1/embeddings");
        row("azure", "https://r.openai.azure.com/openai/v1", "https://r.openai.azure.com/openai/v1/embeddings");
        row("anthropic", "", "");
        row("gemini", "", "");
    }
    void addresses()
    {
        QFETCH(QString, provider);
        QFETCH(QString, base);
        QFETCH(QString, url);
        const auto* profile = provider::Catalogue::builtIn().find(provider.toStdString());
        QVERIFY(profile);
        const auto address =
            provider::operationUrl(*profile, base, QStringLiteral("m"), provider::Operation::Embeddings);
        QCOMPARE(address ? address->toString() : QString(), url);
        if (!address)
            QVERIFY(address.error().contains(profile->title));
    }

    void azureNamesTheDeployment()
    {
        const auto* profile = provider::Catalogue::builtIn().find("azure");
        QVERIFY(profile);
        const auto address = provider::operationUrl(*profile, QStringLiteral("https://r.openai.azure.com"),
                                                    QStringLiteral("emb"), provider::Operation::Embeddings);
        QVERIFY(address);
        QCOMPARE(address->path(), QStringLiteral("/openai/deployments/emb/embeddings"));
        QVERIFY(address->query().contains(QStringLiteral("api-version=")));
    }
};

QTEST_GUILESS_MAIN(TestEmbeddings)
#include "tst_embeddings.moc"
