// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_tester.h"
#include "tests/support/misbehaving_server.h"
#include "tests/support/proxy_server.h"
#include "tests/support/tls_server.h"

#include <QFile>
#include <QSslSocket>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

using namespace sg;
using engine::ConnectionResult;
using testing::MisbehavingServer;
using Kind = engine::ConnectionResult::Kind;

namespace {

const QByteArray kKey = "sk-test-0001-abcdef";
const QByteArray kModels = R"({"object":"list","data":[{"id":"gpt-4.1"},{"id":"gpt-4.1-mini"},{"id":"o3"}]})";

QByteArray named(Kind kind)
{
    static const QList<QByteArray> names{"works", "key_refused", "no_answer", "no_list", "not_tested"};
    return names[static_cast<int>(kind)];
}

std::shared_ptr<workspace::Workspace> workspaceTo(const QUrl& base)
{
    auto workspace = std::make_shared<workspace::Workspace>();
    workspace::Endpoint endpoint;
    endpoint.provider = QStringLiteral("openai-compatible");
    endpoint.baseUrl = base.toString();
    endpoint.model = QStringLiteral("gpt-4.1");
    endpoint.key = {workspace::KeySource::Keychain, QStringLiteral("entry")};
    endpoint.spec.name = "one";
    workspace->endpoints = {endpoint};
    return workspace;
}

tl::expected<QByteArray, QString> keyOf(const workspace::KeyRef& ref)
{
    if (ref.name == QLatin1String("proxy"))
        return QByteArray("carol:proxy-password-0001");
    if (ref.name == QLatin1String("entry"))
        return kKey;
    return tl::unexpected(QStringLiteral("The keychain has no such key. Enter it."));
}

bool leaks(const ConnectionResult& result)
{
    return (result.words + result.remedy + result.certificate).contains(QLatin1String("abcdef")) ||
           (result.words + result.remedy).contains(QLatin1String("password-0001"));
}

} // namespace

class TestConnectionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        engine_ = std::make_unique<engine::Engine>(engine::EngineOptions{});
        tester_ = std::make_unique<engine::EngineTester>(*engine_, &keyOf);
    }
    void cleanup()
    {
        tester_.reset();
        engine_.reset();
    }

    void worksWithoutBeingApplied()
    {
        MisbehavingServer server;
        QByteArray head;
        server.onRequest([&](MisbehavingServer::Peer& peer) {
            head = peer.head;
            peer.send(testing::answer(200, kModels));
        });
        const ConnectionResult result = test(workspaceTo(server.url(QStringLiteral("/v1"))));
        QCOMPARE(named(result.kind), named(Kind::Works));
        QCOMPARE(result.models.size(), 3);
        QVERIFY(result.hasModel && result.tookMs && *result.tookMs > 0 && result.remedy.isEmpty());
        QVERIFY2(result.words.startsWith(QLatin1String("Works: 3 models listed in ")), qPrintable(result.words));
        QVERIFY(head.startsWith("GET /v1/models HTTP/1.1"));
        QVERIFY(head.contains("Bearer " + kKey));
        QCOMPARE(server.requests(), 1);
        QVERIFY(!leaks(result));
    }

    void tellsTheNearestModel()
    {
        MisbehavingServer server;
        server.onRequest([](MisbehavingServer::Peer& peer) { peer.send(testing::answer(200, kModels)); });
        const auto workspace = workspaceTo(server.url(QStringLiteral("/v1")));
        workspace->endpoints[0].model = QStringLiteral("gpt-4.1-mimi");
        const ConnectionResult result = test(workspace);
        QCOMPARE(named(result.kind), named(Kind::Works));
        QVERIFY(!result.hasModel);
        QVERIFY2(result.remedy.contains(QLatin1String("\"gpt-4.1-mini\"")), qPrintable(result.remedy));
    }

    void answers_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, int status, const QByteArray& body, Kind kind, const char* words) {
            QTest::newRow(name) << status << body << static_cast<int>(kind) << QString::fromLatin1(words);
        };
        row("401", 401, R"({"error":{"message":"Incorrect API key provided: )" + kKey + R"("}})", Kind::KeyRefused,
            "401");
        row("403", 403, R"({"error":{"message":"no"}})", Kind::KeyRefused, "403");
        row("404", 404, R"({"error":{"message":"no route"}})", Kind::NoList, "no list of models");
        row("405", 405, "", Kind::NoList, "405");
        row("429", 429, R"({"error":{"message":"slow down"}})", Kind::NoAnswer, "429");
        row("500", 500, "<html>oops</html>", Kind::NoAnswer, "500");
        row("redirect", 302, "", Kind::NoAnswer, "302");
        row("a page", 200, "<html>welcome</html>", Kind::NoList, "no list of models");
        row("an error in 200", 200, R"({"error":{"message":"nope"}})", Kind::NoList, "nope");
        row("an empty list", 200, R"({"data":[]})", Kind::Works, "0 models");
    }
    void answers()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        QFETCH(int, kind);
        QFETCH(QString, words);
        MisbehavingServer server;
        server.onRequest([&](MisbehavingServer::Peer& peer) { peer.send(testing::answer(status, body)); });
        const ConnectionResult result = test(workspaceTo(server.url(QStringLiteral("/v1"))));
        QVERIFY2(named(result.kind) == named(static_cast<Kind>(kind)), qPrintable(result.words));
        QVERIFY2(result.words.contains(words), qPrintable(result.words));
        QVERIFY(!result.remedy.isEmpty());
        QVERIFY(result.tookMs);
        QVERIFY2(!leaks(result), qPrintable(result.words));
    }

    void brokenServers_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("closes") << QByteArray();
        QTest::newRow("garbage") << QByteArray("SSH-2.0-OpenSSH_9.2p1\r\n\r\n");
        QTest::newRow("cut") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n{\"data\":");
    }
    void brokenServers()
    {
        QFETCH(QByteArray, bytes);
        MisbehavingServer server;
        server.onRequest([&](MisbehavingServer::Peer& peer) {
            peer.send(bytes);
            peer.close();
        });
        const ConnectionResult result = test(workspaceTo(server.url(QStringLiteral("/v1"))));
        QCOMPARE(named(result.kind), named(Kind::NoAnswer));
        QVERIFY(!result.words.isEmpty() && !result.remedy.isEmpty());
    }

    void nobodyThere()
    {
        QUrl url;
        {
            MisbehavingServer gone;
            url = gone.url(QStringLiteral("/v1"));
        }
        const ConnectionResult refused = test(workspaceTo(url));
        QCOMPARE(named(refused.kind), named(Kind::NoAnswer));
        QVERIFY2(refused.words.contains(QLatin1String("refuses connections")), qPrintable(refused.words));
        QVERIFY(refused.words.startsWith(QStringLiteral("127.0.0.1:%1").arg(url.port())));
        QVERIFY(refused.remedy.contains(QLatin1String("port")));
        QVERIFY(!refused.tookMs);

        const ConnectionResult nameless = test(workspaceTo(QUrl(QStringLiteral("http://nobody.invalid/v1"))));
        QCOMPARE(named(nameless.kind), named(Kind::NoAnswer));
        QVERIFY(!nameless.remedy.isEmpty());
    }

    void itsOwnTimeLimitsCount()
    {
        MisbehavingServer server; // takes the request and says nothing
        const auto workspace = workspaceTo(server.url(QStringLiteral("/v1")));
        workspace->endpoints[0].timeouts.connect = Millis(150);
        const ConnectionResult result = test(workspace);
        QCOMPARE(named(result.kind), named(Kind::NoAnswer));
        QVERIFY2(result.words.contains(QLatin1String("150 ms, or a connection and no answer")),
                 qPrintable(result.words));
    }

    void certificates()
    {
#ifdef __SANITIZE_THREAD__
        QSKIP("OpenSSL is not built with ThreadSanitizer, which sees it take locks in this thread and never give them "
              "back, and from then on nothing of what this thread hands on");
#endif
        const auto authority = testing::privateAuthority("IP:127.0.0.1");
        if (!authority || !QSslSocket::supportsSsl())
            QSKIP("no TLS here");
        testing::TlsServer server(authority->server);
        server.setAnswer(testing::answer(200, kModels));
        const auto workspace = workspaceTo(QUrl(QStringLiteral("https://127.0.0.1:%1/v1").arg(server.serverPort())));
        const ConnectionResult untrusted = test(workspace);
        QCOMPARE(named(untrusted.kind), named(Kind::NoAnswer));
        QVERIFY2(untrusted.words.contains(QLatin1String("Switchgear Test CA")), qPrintable(untrusted.words));
        QVERIFY(untrusted.remedy.contains(QLatin1String("CA file")));

        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("ca.pem")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(authority->pem);
        file.close();
        workspace->endpoints[0].caFile = file.fileName();
        const ConnectionResult trusted = test(workspace);
        QVERIFY2(named(trusted.kind) == named(Kind::Works), qPrintable(trusted.words));
        QVERIFY(trusted.certificate.contains(QLatin1String("CN=switchgear test")));

        workspace->endpoints[0].caFile = folder.filePath(QStringLiteral("gone.pem"));
        const ConnectionResult gone = test(workspace);
        QCOMPARE(named(gone.kind), named(Kind::NoAnswer));
        QVERIFY(gone.words.contains(QLatin1String("gone.pem")));
    }

    void proxies()
    {
        testing::ProxyServer proxy(testing::ProxyServer::Kind::Http, "carol:proxy-password-0001");
        MisbehavingServer server;
        server.onRequest([](MisbehavingServer::Peer& peer) { peer.send(testing::answer(200, kModels)); });
        const auto workspace = workspaceTo(server.url(QStringLiteral("/v1")));
        workspace->endpoints[0].proxy = proxy.url().toString();
        const ConnectionResult refused = test(workspace);
        QCOMPARE(named(refused.kind), named(Kind::NoAnswer));
        QVERIFY2(refused.words.contains(QLatin1String("proxy")), qPrintable(refused.words));
        QCOMPARE(server.requests(), 0);
        workspace->endpoints[0].proxyKey = {workspace::KeySource::Keychain, QStringLiteral("proxy")};
        const ConnectionResult result = test(workspace);
        QCOMPARE(named(result.kind), named(Kind::Works));
        QVERIFY(!leaks(result));
        workspace->endpoints[0].proxyKey.name = QStringLiteral("missing");
        const ConnectionResult missing = test(workspace);
        QCOMPARE(named(missing.kind), named(Kind::NoAnswer));
        QVERIFY(missing.words.contains(QLatin1String("no such key")));
    }

    void withoutAList()
    {
        MisbehavingServer server;
        QByteArray head;
        server.onRequest([&](MisbehavingServer::Peer& peer) {
            head = peer.head;
            peer.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
        });
        const auto workspace = workspaceTo(server.url());
        workspace->endpoints[0].provider = QStringLiteral("perplexity");
        const ConnectionResult result = test(workspace);
        QVERIFY2(named(result.kind) == named(Kind::NoList), qPrintable(result.words));
        QVERIFY(result.words.contains(QLatin1String("only the connection was tested")));
        QVERIFY(result.hasModel && result.models.isEmpty() && result.tookMs);
        QVERIFY(head.startsWith("HEAD / HTTP/1.1"));
        QVERIFY(!head.contains("abcdef")); // a key that nothing can be learnt about stays here
    }

    void whatCannotBeAsked()
    {
        const auto workspace = workspaceTo(QUrl(QStringLiteral("http://127.0.0.1:1/v1")));
        workspace->endpoints[0].key.name = QStringLiteral("missing");
        const ConnectionResult keyless = test(workspace);
        QCOMPARE(named(keyless.kind), named(Kind::NotTested));
        QVERIFY(keyless.words.contains(QLatin1String("no such key")));

        workspace->endpoints[0].baseUrl = QStringLiteral("sim:calm");
        const ConnectionResult simulated = test(workspace);
        QCOMPARE(named(simulated.kind), named(Kind::NotTested));
        QVERIFY(simulated.words.contains(QLatin1String("simulator")));

        QCOMPARE(named(test(workspace, "nobody").kind), named(Kind::NotTested));
    }

    void simulatedEndpointsAskTheSimulatorThatRuns()
    {
        MisbehavingServer server;
        QByteArray head;
        server.onRequest([&](MisbehavingServer::Peer& peer) {
            head = peer.head;
            peer.send(testing::answer(200, kModels));
        });
        QUrl base = server.url(QString());
        engine_->run([&](engine::EngineCore& core) { core.apply({}, {}, base, {}); });
        const auto workspace = workspaceTo(QUrl());
        workspace->endpoints[0].baseUrl = QStringLiteral("sim:calm");
        QCOMPARE(named(test(workspace).kind), named(Kind::Works));
        QVERIFY2(head.startsWith("GET /calm/v1/models"), head.constData());
    }

    void theAnswerComesInTheCallersThread()
    {
        MisbehavingServer server;
        server.onRequest([](MisbehavingServer::Peer& peer) { peer.send(testing::answer(200, kModels)); });
        QThread* thread = nullptr;
        tester_->test(workspaceTo(server.url(QStringLiteral("/v1"))), "one",
                      [&](const ConnectionResult&) { thread = QThread::currentThread(); });
        QVERIFY(!thread);
        QTRY_COMPARE(thread, QThread::currentThread());
    }

    void destroyingTheTesterCancels()
    {
        MisbehavingServer server;
        int calls = 0;
        for (int i = 0; i < 3; ++i)
            tester_->test(workspaceTo(server.url(QStringLiteral("/v1"))), "one",
                          [&](const ConnectionResult&) { ++calls; });
        QTRY_COMPARE(server.requests(), 3);
        tester_.reset();
        QTRY_COMPARE(server.open(), 0); // nobody waits for it any more
        QCOMPARE(calls, 0);
    }

    void theEngineMayEndFirst()
    {
        MisbehavingServer server;
        std::optional<ConnectionResult> result;
        tester_->test(workspaceTo(server.url(QStringLiteral("/v1"))), "one",
                      [&](const ConnectionResult& told) { result = told; });
        QTRY_COMPARE(server.requests(), 1);
        engine_.reset();
        QTRY_VERIFY(result);
        QCOMPARE(named(result->kind), named(Kind::NotTested));
        QCOMPARE(named(test(workspaceTo(server.url(QStringLiteral("/v1")))).kind), named(Kind::NotTested));
    }

private:
    ConnectionResult test(const workspace::WorkspacePtr& workspace, const std::string& endpoint = "one")
    {
        std::optional<ConnectionResult> result;
        int calls = 0;
        tester_->test(workspace, endpoint, [&](const ConnectionResult& told) {
            result = told;
            ++calls;
        });
        if (!QTest::qWaitFor([&] { return result.has_value(); }, 15000) || calls != 1)
            QTest::qFail("no answer", __FILE__, __LINE__);
        return result.value_or(ConnectionResult());
    }

    std::unique_ptr<engine::Engine> engine_;
    std::unique_ptr<engine::EngineTester> tester_;
};

QTEST_GUILESS_MAIN(TestConnectionTest)
#include "tst_connection_test.moc"
