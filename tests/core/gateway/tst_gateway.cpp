// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/descriptors.h"
#include "tests/core/gateway/served_scene.h"
#include "tests/support/json.h"
#include "tests/support/strict_client.h"

#include <QElapsedTimer>
#include <QTest>

#include <map>
#include <set>
#include <sys/resource.h>

using namespace sg;
using namespace sg::test;
using gateway::Gateway;
using Scene = ServedScene;
using gateway::Options;
using std::chrono::seconds;

namespace {

/// A provider that gives each question its own answer back, and now and then fails or breaks off, by what it is asked.
class MixedProvider
{
public:
    explicit MixedProvider(ChatServer& server)
    {
        for (const char* name : {"first", "second"})
            server.on(name, [this](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
                answer(request, std::move(responder));
            });
    }
    std::map<QByteArray, int> answered; ///< whole answers, by question

private:
    void answer(const http::ServerRequest& request, std::shared_ptr<http::Responder> responder)
    {
        const QJsonObject body = object(request.body);
        const QByteArray question = body["messages"_L1][0]["content"_L1].toString().toUtf8();
        const bool isFirst = request.path.startsWith("/first/");
        switch (question.mid(question.indexOf('-') + 1).toInt() % 7) {
        case 1:
            if (isFirst)
                return responder->send(503, {}, "{}");
            break;
        case 3:
            if (isFirst)
                return responder->drop(true);
            break;
        case 5:
            if (body["stream"_L1].toBool()) {
                responder->begin(200, kEvents);
                responder->write(ChatServer::chunk(question));
                return responder->drop(false);
            }
            break;
        default:
            break;
        }
        ++answered[question];
        if (body["stream"_L1].toBool())
            ChatServer::streams({question.left(2), question.mid(2)})(request, std::move(responder));
        else
            ChatServer::answers(question)(request, std::move(responder));
    }
};

/// Asks one question after the other over its own connection and keeps what came for each.
class Application
{
public:
    Application(quint16 port, int from, int to)
        : client_(port)
        , next_(from)
        , to_(to)
    {
        QObject::connect(&client_.socket, &QTcpSocket::readyRead, &client_.socket, [this] { read(); });
        QObject::connect(&client_.socket, &QTcpSocket::connected, &client_.socket, [this] { ask(); });
    }
    bool isDone() const { return next_ >= to_; }

    std::map<QByteArray, std::vector<QByteArray>> answers; ///< by question: "ok TEXT" or "STATUS" or "broken"
    std::map<QByteArray, QByteArray> ids;

private:
    QByteArray question() const { return "q-" + QByteArray::number(next_); }
    void ask()
    {
        if (!isDone())
            client_.post(chatBody(next_ % 2 ? kStream : QByteArray(), "chat", question()),
                         "x-request-id: app-" + question() + "\r\n");
    }
    void read()
    {
        const WireAnswer answer = client_.peek();
        if (!answer.isWhole)
            return;
        answers[question()].push_back(told(answer));
        ids[question()] = answer.header("x-request-id");
        ++next_;
        ask();
    }
    static QByteArray told(const WireAnswer& answer)
    {
        if (answer.status != 200)
            return QByteArray::number(answer.status);
        if (answer.header("content-type") == "application/json")
            return "ok " + answer.json()["choices"_L1][0]["message"_L1]["content"_L1].toString().toUtf8();
        QString text;
        bool isBroken = false;
        for (const QJsonObject& chunk : chunksOf(answer.body)) {
            text += chunk["choices"_L1][0]["delta"_L1]["content"_L1].toString();
            isBroken = isBroken || chunk.contains("error"_L1);
        }
        if (isBroken)
            return "broken";
        const QString problem = strictProblem(answer.body, false, {});
        return problem.isEmpty() ? "ok " + text.toUtf8() : problem.toUtf8();
    }

    GatewayClient client_;
    int next_, to_;
};

} // namespace

class TestGateway : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersUnderTheUsualPaths()
    {
        Scene scene;
        scene.server.on("first", ChatServer::answers("one"));
        for (const char* path : {"/v1/chat/completions", "/chat/completions", "/v1/chat/completions/",
                                 "/v1/chat/completions?api-version=1"}) {
            GatewayClient client(scene.port);
            client.post(chatBody(), {}, path);
            QCOMPARE(client.answer().status, 200);
        }
        QCOMPARE(scene.gateway->figures().requests, 4);
    }

    void requestIds()
    {
        Scene scene;
        scene.server.on("first", ChatServer::answers("one"));
        QCOMPARE(scene.ask(chatBody(), "X-Request-Id: mine-1.a:b_C\r\n").header("x-request-id"),
                 QByteArray("mine-1.a:b_C"));
        for (const QByteArray& bad :
             {QByteArray(), QByteArray(129, 'a'), QByteArray("with blank"), QByteArray("semi;colon")}) {
            const QByteArray id = scene.ask(chatBody(), "X-Request-Id: " + bad + "\r\n").header("x-request-id");
            QVERIFY2(id.startsWith("sg-") && id.size() == 19, id.constData());
        }
        QSet<QByteArray> ids;
        for (int i = 0; i < 20; ++i)
            ids.insert(scene.ask().header("x-request-id"));
        QCOMPARE(ids.size(), 20);
        const WireAnswer refused = scene.ask("{}", "x-request-id: mine\r\n");
        QCOMPARE(refused.status, 400);
        QCOMPARE(refused.header("x-request-id"), QByteArray("mine"));
    }

    void whatIsNoChat()
    {
        Scene scene;
        const auto statusOf = [&](const QByteArray& method, const QByteArray& path) {
            GatewayClient client(scene.port);
            client.get(path, method);
            QByteArray bytes;
            if (!QTest::qWaitFor([&] { return client.bytes().contains("\r\n\r\n"); }))
                return 0;
            return client.got.mid(9, 3).toInt();
        };
        QCOMPARE(statusOf("GET", "/health"), 200);
        QCOMPARE(statusOf("HEAD", "/health"), 200);
        QCOMPARE(statusOf("OPTIONS", "/v1/chat/completions"), 204);
        QCOMPARE(statusOf("GET", "/v1/chat/completions"), 405);
        QCOMPARE(statusOf("GET", "/nothing/here"), 404);
        QCOMPARE(statusOf("GET", "/v1/models"), 200);
    }

    void foreignPagesAreRefused()
    {
        Scene scene;
        scene.server.on("first", ChatServer::answers("one"));
        QCOMPARE(scene.ask(chatBody(), "Origin: https://evil.example\r\n").status, 403);
        GatewayClient rebound(scene.port);
        const QByteArray body = chatBody();
        rebound.send("POST /v1/chat/completions HTTP/1.1\r\nHost: evil.example\r\nContent-Length: " +
                     QByteArray::number(body.size()) + "\r\n\r\n" + body);
        QCOMPARE(rebound.answer().status, 403);
        QCOMPARE(scene.server.requests("first"), 0);
        QCOMPARE(scene.gateway->figures().refused, 2);
    }

    /// Who may not ask, and what would be refused anyway, need not send a body first.
    void headsAreJudgedBeforeTheirBodies()
    {
        Scene scene;
        const auto headFor = [](const QByteArray& path, const QByteArray& host) {
            return "POST " + path + " HTTP/1.1\r\nHost: " + host +
                   "\r\nx-request-id: mine\r\nExpect: 100-continue\r\nContent-Length: 1000000\r\n\r\n";
        };
        const auto toldTo = [&](const QByteArray& path, const QByteArray& host) {
            GatewayClient client(scene.port);
            client.send(headFor(path, host));
            return client.answer();
        };
        const WireAnswer stranger = toldTo("/v1/chat/completions", "evil.example");
        QCOMPARE(stranger.status, 403);
        QCOMPARE(stranger.error()["code"_L1].toString(), QStringLiteral("host_not_allowed"));
        QCOMPARE(stranger.header("x-request-id"), QByteArray("mine"));
        QCOMPARE(toldTo("/nothing", "localhost").status, 404);
        QCOMPARE(toldTo("/health", "localhost").status, 405);
        GatewayClient welcome(scene.port);
        welcome.send(headFor("/v1/chat/completions", "localhost"));
        QTRY_VERIFY(welcome.bytes().startsWith("HTTP/1.1 100 "));
    }

    void theServersOwnRefusalsAreOpenAis()
    {
        Scene scene;
        GatewayClient client(scene.port);
        client.send("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: nonsense\r\n\r\n");
        const WireAnswer answer = client.answer();
        QCOMPARE(answer.status, 400);
        QCOMPARE(answer.error()["type"_L1].toString(), QStringLiteral("invalid_request_error"));
    }

    void noAnswerIsLostOrDoubled()
    {
        workspace::Workspace workspace = gatewayWorkspace();
        for (workspace::Endpoint& endpoint : workspace.endpoints)
            endpoint.spec.breaker.metricsOnly = true; // faults go on and on, and every question is to be asked
        Scene scene(workspace);
        MixedProvider provider(scene.server);
        constexpr int kEach = 50;
        std::vector<std::unique_ptr<Application>> applications;
        for (int i = 0; i < 10; ++i)
            applications.push_back(std::make_unique<Application>(scene.port, i * kEach, (i + 1) * kEach));
        QTRY_VERIFY_WITH_TIMEOUT(std::ranges::all_of(applications, [](const auto& each) { return each->isDone(); }),
                                 60'000);
        int ok = 0, broken = 0;
        for (const auto& application : applications) {
            QCOMPARE(application->answers.size(), std::size_t(kEach));
            for (const auto& [question, told] : application->answers) {
                QCOMPARE(told.size(), std::size_t(1));
                QCOMPARE(application->ids[question], "app-" + question);
                const bool breaks = question.mid(2).toInt() % 7 == 5 && question.mid(2).toInt() % 2;
                QCOMPARE(told.front(), breaks ? QByteArray("broken") : "ok " + question);
                QCOMPARE(provider.answered[question], breaks ? 0 : 1);
                ++(breaks ? broken : ok);
            }
        }
        QCOMPARE(ok + broken, 500);
        QVERIFY(broken > 0);
        QCOMPARE(scene.gateway->figures().inFlight, 0);
        QCOMPARE(scene.gateway->figures().requests, 500);
    }

    void anotherWorkspaceDuringStreams()
    {
        Scene scene;
        std::vector<std::shared_ptr<http::Responder>> held;
        scene.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->begin(200, kEvents);
            responder->write(ChatServer::chunk("old "));
            held.push_back(std::move(responder));
        });
        scene.server.on("second", ChatServer::answers("new"));
        std::vector<std::unique_ptr<GatewayClient>> clients;
        for (int i = 0; i < 5; ++i) {
            clients.push_back(std::make_unique<GatewayClient>(scene.port));
            clients.back()->post(chatBody(kStream));
        }
        QTRY_COMPARE(held.size(), std::size_t(5));
        workspace::Workspace other = gatewayWorkspace();
        other.chains[0].spec.tiers.erase(other.chains[0].spec.tiers.begin());
        other.endpoints.erase(other.endpoints.begin());
        scene.apply(other);
        QCOMPARE(scene.ask().header("x-switchgear-endpoint"), QByteArray("second"));
        QCOMPARE(scene.ask(chatBody({}, "m-first")).status, 404);
        for (const auto& responder : held) {
            responder->write(ChatServer::chunk("way"));
            responder->write("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
                             "data: [DONE]\n\n");
            responder->end();
        }
        for (const auto& client : clients) {
            const WireAnswer answer = client->answer();
            QCOMPARE(strictProblem(answer.body, false, {}), QString());
            QCOMPARE(answer.header("x-switchgear-tier"), QByteArray("tier-first"));
        }
        scene.apply({}); // and one without any chain
        QCOMPARE(scene.ask().status, 404);
    }

    /// Before the body is taken, and for every address that takes one.
    void bodiesThatAreNotTaken_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::newRow("chat completions") << QByteArray("/v1/chat/completions");
        QTest::newRow("embeddings") << QByteArray("/v1/embeddings");
        QTest::newRow("chat") << QByteArray("/chat");
    }
    void bodiesThatAreNotTaken()
    {
        QFETCH(QByteArray, path);
        Scene scene;
        const auto answerTo = [&](const QByteArray& headers) {
            GatewayClient client(scene.port);
            client.send("POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "Content-Length: 2\r\n\r\n{}");
            return client.answer();
        };
        for (const QByteArray type : {"text/plain", "application/x-www-form-urlencoded", "application/jsonp"})
            QCOMPARE(answerTo("Content-Type: " + type + "\r\n").status, 415);
        for (const QByteArray type : {"Application/JSON; charset=utf-8", "application/vnd.api+json", ""})
            QCOMPARE(answerTo("Content-Type: " + type + "\r\n").status, 400); // it is read: nothing is in it
        QCOMPARE(answerTo({}).status, 400);
        for (const QByteArray coding : {"gzip", "identity, br", "identity\r\nContent-Encoding: zstd"}) {
            const WireAnswer answer = answerTo("Content-Encoding: " + coding + "\r\n");
            QCOMPARE(answer.status, 415);
            QCOMPARE(answer.error()["code"_L1].toString(), QStringLiteral("unsupported_media_type"));
            QVERIFY(answer.error()["message"_L1].toString().contains("Content-Encoding"_L1));
            QCOMPARE(answer.header("Accept-Encoding"), QByteArray("identity"));
        }
        QCOMPARE(answerTo("Content-Encoding: Identity\r\n").status, 400);
        GatewayClient early(scene.port);
        early.send("POST " + path +
                   " HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Length: 1000000\r\n\r\n");
        QCOMPARE(early.answer().status, 415);
    }

    void prioritiesThatAreNone_data()
    {
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<bool>("isOne");
        for (const char* said : {"abc", "1.5", "1001", "-1001", "99999999999999999999", "0x10", "1 2"})
            QTest::newRow(said) << QByteArray(said) << false;
        for (const char* said : {"-1000", "1000", "+7", "0", ""})
            QTest::newRow(qPrintable(QStringLiteral("fine: %1").arg(QLatin1String(said)))) << QByteArray(said) << true;
    }
    void prioritiesThatAreNone()
    {
        QFETCH(QByteArray, said);
        QFETCH(bool, isOne);
        Scene scene;
        scene.server.on("first", ChatServer::answers("one"));
        for (const char* path : {"/v1/chat/completions", "/chat"}) {
            GatewayClient client(scene.port);
            client.post(R"({"model":"chat","message":"hi","messages":[{"role":"user","content":"hi"}]})",
                        "x-switchgear-priority: " + said + "\r\n", path);
            const WireAnswer answer = client.answer();
            QCOMPARE(answer.status, isOne ? 200 : 400);
            if (!isOne)
                QVERIFY(answer.error()["message"_L1].toString().contains("-1000 to 1000"_L1));
        }
    }

    void whatTheWholeServerTakes() // RFC 9110 9.3.7
    {
        Options options = plainOptions();
        options.token = secrets::Secret("token-0001");
        Scene scene(gatewayWorkspace(), options);
        GatewayClient client(scene.port);
        client.get("*", "OPTIONS");
        QTRY_VERIFY(client.bytes().contains("\r\n\r\n"));
        QVERIFY2(client.got.startsWith("HTTP/1.1 204 "), client.got.constData());
        QVERIFY(client.got.contains("Allow: GET, HEAD, POST, OPTIONS\r\n"));
    }

    void otherSettingsCountAtOnce()
    {
        Options options = plainOptions();
        options.token = secrets::Secret("token-0001");
        Scene scene(gatewayWorkspace(), options);
        scene.server.on("first", ChatServer::answers("one"));
        QCOMPARE(scene.ask().status, 401);
        QCOMPARE(scene.ask(chatBody(), "Authorization: Bearer token-0001\r\n").status, 200);
        options.token = secrets::Secret("token-0002");
        options.settings.port = 1; // stays what it is
        QCOMPARE(scene.gateway->reconfigure(options), QString());
        QCOMPARE(scene.ask(chatBody(), "Authorization: Bearer token-0001\r\n").status, 401);
        QCOMPARE(scene.ask(chatBody(), "Authorization: Bearer token-0002\r\n").status, 200);
        options.settings.maxInFlight = 0;
        options.settings.maxQueued = 0;
        QCOMPARE(scene.gateway->reconfigure(options), QString());
        QCOMPARE(scene.ask(chatBody(), "Authorization: Bearer token-0002\r\n").status, 503);
    }

    void otherErrandsLeaveClientsOtherDescriptors()
    {
        Options options = plainOptions();
        options.limits.errands = 0;
        Scene scene(gatewayWorkspace(), options);
        rlimit old{};
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &old), 0);
        rlimit low = old;
        low.rlim_cur = 20; // fewer than there are: only what is said of it counts
        options.limits.errands = 20'000;
        ::setrlimit(RLIMIT_NOFILE, &low);
        const QString problem = scene.gateway->reconfigure(options);
        ::setrlimit(RLIMIT_NOFILE, &old);
        QCOMPARE(problem, QString());
        std::vector<std::unique_ptr<GatewayClient>> clients;
        const auto status = [&] {
            clients.push_back(std::make_unique<GatewayClient>(scene.port));
            clients.back()->get("/health");
            return clients.back()->answer().status;
        };
        for (int i = 0; i < http::connectionsWithin(20, 20'000); ++i)
            QCOMPARE(status(), 200);
        QCOMPARE(status(), 503);
    }

    void theTokenOfAnOpenGatewayStays()
    {
        Options options = plainOptions();
        options.settings.address = QStringLiteral("0.0.0.0");
        options.token = secrets::Secret("token-0001");
        Scene scene(gatewayWorkspace(), options);
        scene.server.on("first", ChatServer::answers("one"));
        QCOMPARE(scene.ask().status, 401);
        Options next = options;
        next.token = {};
        next.settings.maxInFlight = 0;
        next.settings.maxQueued = 0;
        QVERIFY(scene.gateway->reconfigure(next).contains("without a token"_L1));
        // Nor when they say that it is at another address: it is not.
        next.settings.address = QStringLiteral("127.0.0.1");
        QVERIFY(scene.gateway->reconfigure(next).contains("0.0.0.0"_L1));
        QCOMPARE(scene.ask().status, 401);
        QCOMPARE(scene.ask(chatBody(), "Authorization: Bearer token-0001\r\n").status, 200);
    }

    void figures()
    {
        Scene scene;
        std::shared_ptr<http::Responder> held;
        scene.server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            held = std::move(responder);
        });
        GatewayClient client(scene.port);
        client.post(chatBody(kStream));
        QTRY_VERIFY(held);
        gateway::Figures now = scene.gateway->figures();
        QCOMPARE(now.connections, 1);
        QCOMPARE(now.inFlight, 1);
        QCOMPARE(now.streams, 1);
        QCOMPARE(now.requests, 1);
        client.socket.abort();
        QTRY_COMPARE(scene.gateway->figures().clientsLeft, 1);
        now = scene.gateway->figures();
        QCOMPARE(now.inFlight + now.streams + now.connections, 0);
    }

    void doesNotListenWhereItMayNot()
    {
        EngineScene scene;
        Options options = plainOptions();
        options.settings.address = QStringLiteral("0.0.0.0"); // without a token
        Gateway open(scene.core, options);
        const auto listening = open.listen();
        QVERIFY(!listening);
        QVERIFY(listening.error().contains(QStringLiteral("token"), Qt::CaseInsensitive));
        options.settings.address = QStringLiteral("localhost");
        Gateway named(scene.core, options);
        QVERIFY(named.listen());
        options.settings.port = named.port();
        Gateway taken(scene.core, options);
        QVERIFY(!taken.listen());
    }
};

QTEST_GUILESS_MAIN(TestGateway)
#include "tst_gateway.moc"
