// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/endpoint_route.h"
#include "core/engine/engine_core.h"
#include "tests/support/chat_server.h"
#include "tests/support/proxy_server.h"
#include "tests/support/tls_server.h"
#include "tests/support/word.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace sg;
using test::word;

namespace {

workspace::Endpoint endpointTo(const QString& base)
{
    workspace::Endpoint endpoint;
    endpoint.provider = QStringLiteral("openai-compatible");
    endpoint.baseUrl = base;
    endpoint.model = QStringLiteral("m");
    endpoint.spec.name = "one";
    endpoint.spec.breaker.consecutiveFailures = 1;
    return endpoint;
}

tl::expected<QByteArray, QString> keyOf(const workspace::KeyRef& ref)
{
    if (ref.name == QLatin1String("good"))
        return QByteArray("carol:proxy-password-0001");
    if (ref.name == QLatin1String("formless"))
        return QByteArray("proxy-password-0001");
    return tl::unexpected(QStringLiteral("There is no such key. Enter it."));
}

std::shared_ptr<const engine::EndpointRoute> routeOf(const workspace::Endpoint& endpoint)
{
    return engine::routeFor({}, endpoint, {}, &keyOf);
}

/// What one request to the endpoint alone comes to.
chain::RunRecord sendTo(engine::EngineCore& core, const workspace::Endpoint& endpoint)
{
    workspace::Workspace workspace;
    workspace.endpoints = {endpoint};
    workspace::Chain chain;
    chain.spec.name = "chain";
    chain::TierSpec tier;
    tier.name = tier.endpoint = "one";
    chain.spec.tiers = {tier};
    chain.spec.attemptBudget = 1;
    workspace.chains = {chain};
    core.apply(workspace, {}, {}, &keyOf);
    std::optional<chain::RunRecord> record;
    engine::Call call;
    call.target = {engine::TargetKind::Chain, "chain"};
    call.request.messages = {{"user", QStringLiteral("hello")}};
    call.intended = http::steadyNow();
    call.onFinished = [&](const engine::CallResult& result) { record = result.record; };
    core.start(std::move(call));
    if (!QTest::qWaitFor([&] { return record.has_value(); }, 15000))
        QTest::qFail("the request did not end", __FILE__, __LINE__);
    return record.value_or(chain::RunRecord());
}

const provider::ErrorFacts& firstError(const chain::RunRecord& record)
{
    for (const auto& step : record.steps)
        if (const auto* attempt = std::get_if<chain::AttemptRecord>(&step))
            return attempt->error;
    static const provider::ErrorFacts none;
    return none;
}

} // namespace

class TestEndpointRoute : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theVersionOfHttpIsTheEndpoints()
    {
        workspace::Endpoint endpoint = endpointTo(QStringLiteral("http://127.0.0.1:1/v1"));
        QVERIFY(!routeOf(endpoint)->connection); // as the system has it
        endpoint.httpVersion = workspace::HttpVersion::Automatic;
        QVERIFY(routeOf(endpoint)->connection->version() == http::HttpVersion::Http2);
        endpoint.httpVersion = workspace::HttpVersion::Http2;
        QVERIFY(routeOf(endpoint)->connection->version() == http::HttpVersion::Http2Only);
    }

    void withoutEitherTheSystemDecides()
    {
        const auto route = routeOf(endpointTo(QStringLiteral("https://api.example.test/v1")));
        QVERIFY(!route->connection);
        QVERIFY(route->unusable.isEmpty());
    }

    void proxies_data()
    {
        QTest::addColumn<QString>("proxy");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("wrong");
        const QString good = QStringLiteral("http://proxy.lan:3128");
        QTest::newRow("open") << good << QString() << QString();
        QTest::newRow("with password") << good << QStringLiteral("good") << QString();
        QTest::newRow("password missing") << good << QStringLiteral("none") << QStringLiteral("no such key");
        QTest::newRow("no user") << good << QStringLiteral("formless") << QStringLiteral("user:password");
        QTest::newRow("bad address") << QStringLiteral("proxy.lan") << QString() << QStringLiteral("proxy's address");
    }
    void proxies()
    {
        QFETCH(QString, proxy);
        QFETCH(QString, key);
        QFETCH(QString, wrong);
        workspace::Endpoint endpoint = endpointTo(QStringLiteral("https://api.example.test/v1"));
        endpoint.proxy = proxy;
        if (!key.isEmpty())
            endpoint.proxyKey = {workspace::KeySource::Keychain, key};
        const auto route = routeOf(endpoint);
        QVERIFY2(route->unusable.contains(wrong) && route->unusable.isEmpty() == wrong.isEmpty(),
                 qPrintable(route->unusable));
        QVERIFY(!route->unusable.contains(QLatin1String("password-0001")));
        if (!wrong.isEmpty()) {
            QCOMPARE(word(route->unusableAs), word(provider::ErrorClass::Connection));
            return;
        }
        QVERIFY(route->connection && route->connection->proxy());
        QCOMPARE(route->connection->proxy()->credentials.isEmpty(), key.isEmpty());
        for (const auto& [name, value] : route->headers)
            QVERIFY(!value.contains("password-0001") && !name.toLower().contains("proxy"));
    }

    void everyChangeOfTheWayIsNoticed()
    {
        const auto authority = testing::privateAuthority("IP:127.0.0.1");
        if (!authority)
            QSKIP("openssl is not installed");
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("ca.pem")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(authority->pem);
        file.close();
        const workspace::Endpoint plain = endpointTo(QStringLiteral("https://api.example.test/v1"));
        std::vector<workspace::Endpoint> ways(5, plain);
        ways[1].proxy = QStringLiteral("http://proxy.lan:3128");
        ways[2].proxy = QStringLiteral("socks5://proxy.lan:3128");
        ways[3].proxy = ways[1].proxy;
        ways[3].proxyKey = {workspace::KeySource::Keychain, QStringLiteral("good")};
        ways[4].caFile = file.fileName();
        for (std::size_t a = 0; a < ways.size(); ++a)
            for (std::size_t b = 0; b < ways.size(); ++b)
                QCOMPARE(engine::sendsAlike(*routeOf(ways[a]), *routeOf(ways[b])), a == b);
    }

    void aBadCaFileIsToldAsTlsAndFeedsNoBreaker()
    {
        engine::EngineCore core({});
        workspace::Endpoint endpoint = endpointTo(QStringLiteral("https://127.0.0.1:1/v1"));
        endpoint.caFile = QStringLiteral("/nowhere/ca.pem");
        for (int i = 0; i < 2; ++i) {
            const chain::RunRecord record = sendTo(core, endpoint);
            QCOMPARE(word(firstError(record).disposition.error), word(provider::ErrorClass::Tls));
            QVERIFY2(firstError(record).message.find("/nowhere/ca.pem does not exist") != std::string::npos,
                     firstError(record).message.c_str());
        }
        auto& breaker = core.switchboard().endpoint("one")->state->breaker();
        QCOMPARE(word(breaker.state(http::steadyNow())), word(policy::BreakerState::Closed));
    }

    void aProxyThatCannotBeReachedIsAFailureOfTheConnection()
    {
        QUrl closed;
        {
            testing::ProxyServer gone(testing::ProxyServer::Kind::Http);
            closed = gone.url();
        }
        engine::EngineCore core({});
        workspace::Endpoint endpoint = endpointTo(QStringLiteral("http://api.example.test/v1"));
        endpoint.proxy = closed.toString();
        const chain::RunRecord record = sendTo(core, endpoint);
        QCOMPARE(word(firstError(record).disposition.error), word(provider::ErrorClass::Connection));
        QVERIFY(firstError(record).message.find("proxy cannot be reached") != std::string::npos);
        auto& breaker = core.switchboard().endpoint("one")->state->breaker();
        QCOMPARE(word(breaker.state(http::steadyNow())), word(policy::BreakerState::Open));
    }

    void requestsTakeTheProxyAndHideItsPassword()
    {
        testing::ProxyServer proxy(testing::ProxyServer::Kind::Socks5, "carol:proxy-password-0001");
        test::ChatServer server;
        server.on("one", test::ChatServer::answers("through"));
        server.on("echo", [](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->send(400, {{"Content-Type", "application/json"}},
                            R"({"error":{"message":"odd: carol:proxy-password-0001"}})");
        });
        engine::EngineCore core({});
        workspace::Endpoint endpoint = endpointTo(server.base().toString() + QStringLiteral("/one/v1"));
        endpoint.proxy = proxy.url().toString();
        endpoint.proxyKey = {workspace::KeySource::Keychain, QStringLiteral("good")};
        QCOMPARE(word(sendTo(core, endpoint).ending), word(chain::Ending::Answered));
        QCOMPARE(word(sendTo(core, endpoint).ending), word(chain::Ending::Answered)); // applied anew
        QCOMPARE(proxy.asked().size(), 1);
        endpoint.baseUrl = server.base().toString() + QStringLiteral("/echo/v1");
        const chain::RunRecord record = sendTo(core, endpoint);
        QVERIFY(firstError(record).message.find("odd: ***") != std::string::npos);
        QVERIFY(firstError(record).message.find("password-0001") == std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestEndpointRoute)
#include "tst_endpoint_route.moc"
