// SPDX-License-Identifier: GPL-3.0-or-later
// The gateway of a session, as the desk switches it.
#include "app/session/gateway_host.h"
#include "tests/app/cli_process.h"
#include "tests/app/serve_client.h"

#include <QSignalSpy>

using namespace sg;
using app::GatewayHost;
using app::GatewayOverrides;
using app::Session;
using gateway::Phase;
using test::chatBody;
using test::json;
using test::ServeClient;

namespace {

QByteArray workspaceFile(const QByteArray& gateway, int tokens = 3)
{
    return json("{'version':2,'name':'Hosted','endpoints':[{'name':'x','model':'m','base_url':'sim:slow'}],"
                "'chains':[{'name':'c','tiers':[{'endpoint':'x'}]}],'gateway':") +
           gateway +
           json(",'simulator':{'version':1,'endpoints':[{'name':'slow','ttft':{'kind':'constant','ms':5},"
                "'tokens_per_second':50,'chunk_tokens':1,'output_tokens':{'kind':'constant','tokens':") +
           QByteArray::number(tokens) + json("}}]}}");
}

std::unique_ptr<Session> sessionOf(const QTemporaryDir& folder, const QByteArray& gateway, int tokens = 3)
{
    const QString path = folder.filePath(QStringLiteral("w.json"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return nullptr;
    file.write(workspaceFile(gateway, tokens));
    file.close();
    app::SessionOptions options;
    options.workspaceFile = path;
    auto session = Session::open(options);
    if (!session)
        qWarning("%s", qPrintable(session.error().join(QLatin1Char('\n'))));
    return session ? *std::move(session) : nullptr;
}

quint16 portOf(const gateway::Control& control)
{
    return static_cast<quint16>(QUrl(control.status().url).port());
}

/// The status that a chat is answered with; 0: nobody is there.
int ask(quint16 port, const QByteArray& token = {})
{
    ServeClient one(port, token);
    return one.begin("POST", "/v1/chat/completions", chatBody("c")) && one.readToEnd() ? one.status() : 0;
}

bool apply(Session& session, const std::function<void(workspace::Workspace&)>& change)
{
    auto next = std::make_shared<workspace::Workspace>(session.workspace());
    change(*next);
    return session.applyWorkspace(next, {}, {}).has_value();
}

const QByteArray kFreePort = json("{'port':0}");

} // namespace

class TestGatewayHost : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir folder_;

private Q_SLOTS:
    void onAndOff()
    {
        const auto session = sessionOf(folder_, kFreePort);
        QVERIFY(session);
        GatewayHost host(*session);
        QVERIFY(host.status().phase == Phase::Off);
        QCOMPARE(host.status().models, QStringList({QStringLiteral("c"), QStringLiteral("m")}));
        const QSignalSpy changes(&host, &gateway::Control::changed);
        host.start();
        QVERIFY(host.status().phase == Phase::Starting);
        QTRY_VERIFY(host.status().phase == Phase::Serving);
        QCOMPARE(changes.size(), 2);
        QVERIFY(!host.status().hasToken && !host.status().isOpenToOthers);
        const quint16 port = portOf(host);
        QVERIFY(port != 0);
        QCOMPARE(ask(port), 200);
        QTRY_VERIFY(host.status().figures.requests == 1);
        host.start(); // nothing
        QVERIFY(host.status().phase == Phase::Serving);
        host.stop();
        QVERIFY(host.status().phase == Phase::Draining);
        QTRY_VERIFY(host.status().phase == Phase::Off);
        QCOMPARE(ask(port), 0);
        host.start();
        QTRY_VERIFY(host.status().phase == Phase::Serving);
        QCOMPARE(ask(portOf(host)), 200);
    }

    void keepsWhatCameThroughWhereItIsWanted()
    {
        const auto session = sessionOf(folder_, kFreePort);
        GatewayHost without(*session);
        without.start();
        QTRY_VERIFY(without.status().phase == Phase::Serving);
        QCOMPARE(ask(portOf(without)), 200);
        QTRY_VERIFY(without.status().figures.requests == 1);
        QVERIFY(!without.status().traffic);
        app::GatewayOverrides overrides;
        overrides.keepsTraffic = true;
        int told = 0;
        overrides.onEnded = [&told](const gateway::Ended&) { ++told; }; // of the engine's thread, read after it is off
        GatewayHost host(*session, overrides);
        host.start();
        QTRY_VERIFY(host.status().phase == Phase::Serving);
        QVERIFY(host.status().servingSinceUnixMs > 0);
        QCOMPARE(ask(portOf(host)), 200);
        host.stop();
        QTRY_VERIFY(host.status().phase == Phase::Off);
        QCOMPARE(host.status().servingSinceUnixMs, 0);
        QCOMPARE(host.status().traffic->latest.size(), std::size_t(1)); // also when it is off
        QCOMPARE(host.status().traffic->latest[0].status, 200);
        QCOMPARE(told, 1);
        host.start();
        QTRY_VERIFY(host.status().traffic && host.status().traffic->latest.empty()); // begun anew
    }

    void offBeforeItIsOn()
    {
        const auto session = sessionOf(folder_, kFreePort);
        GatewayHost host(*session);
        host.start();
        host.stop();
        QVERIFY(host.status().phase == Phase::Off);
        host.start();
        host.stop();
        host.start();
        QTRY_VERIFY(host.status().phase == Phase::Serving);
        QCOMPARE(ask(portOf(host)), 200);
    }

    void aPortInUseFailsInWordsAndCanBeTriedAgain()
    {
        auto other = std::make_unique<QTcpServer>();
        QVERIFY(other->listen(QHostAddress::LocalHost));
        const quint16 port = other->serverPort();
        const auto session = sessionOf(folder_, "{\"port\":" + QByteArray::number(port) + "}");
        GatewayHost host(*session);
        host.start();
        QTRY_VERIFY(host.status().phase == Phase::Failed);
        QVERIFY2(host.status().words.contains(QString::number(port)), qPrintable(host.status().words));
        QCOMPARE(portOf(host), port); // where it would be
        other.reset();
        host.start();
        QTRY_VERIFY(host.status().phase == Phase::Serving);
        QVERIFY(host.status().words.isEmpty());
    }

    void aSecondStopCutsOff()
    {
        const auto session = sessionOf(folder_, kFreePort, 3000); // a minute
        GatewayHost host(*session);
        host.start();
        QTRY_VERIFY(host.status().phase == Phase::Serving);
        ServeClient client(portOf(host));
        QVERIFY(client.begin("POST", "/v1/chat/completions", chatBody("c", true)) && client.readUntil("\"content\""));
        host.stop();
        QTRY_VERIFY(host.status().figures.streams == 1);
        QVERIFY(host.status().phase == Phase::Draining);
        host.stop();
        QTRY_VERIFY(host.status().phase == Phase::Off);
        QVERIFY(client.readToEnd());
        QVERIFY2(client.all().contains("\"stopping\""), client.all().constData());
        QVERIFY(client.all().endsWith("0\r\n\r\n"));
    }

    void theTokenFollowsItsPlace()
    {
        const auto session = sessionOf(folder_, json("{'port':0,'token':{'source':'session','name':'gateway'}}"));
        const secrets::KeyHome home = secrets::KeyHome::Session;
        const QString name = QStringLiteral("gateway");
        GatewayHost host(*session);
        host.start();
        QTRY_VERIFY(host.status().phase == Phase::Failed);
        QVERIFY2(host.status().words.contains(QLatin1String("token")), qPrintable(host.status().words));

        session->keys().store(home, name, secrets::Secret("gt-test-0001-abcdef"), [](const auto&) {});
        host.start();
        QTRY_VERIFY(host.status().phase == Phase::Serving);
        QVERIFY(host.status().hasToken);
        const quint16 port = portOf(host);
        QCOMPARE(ask(port), 401);
        QCOMPARE(ask(port, "gt-test-0001-abcdef"), 200);

        session->keys().store(home, name, secrets::Secret("gt-test-0002-abcdef"), [](const auto&) {});
        QTRY_COMPARE(ask(port, "gt-test-0002-abcdef"), 200);
        QCOMPARE(ask(port, "gt-test-0001-abcdef"), 401);

        // One that is gone lets nobody in who could not come in before.
        session->keys().remove(home, name, [](const auto&) {});
        QTRY_VERIFY(!host.status().words.isEmpty());
        QVERIFY(host.status().phase == Phase::Serving);
        QCOMPARE(ask(port), 401);
        QCOMPARE(ask(port, "gt-test-0002-abcdef"), 200);
        // And holds nothing else back.
        QVERIFY(
            apply(*session, [](workspace::Workspace& next) { next.gateway.maxInFlight = next.gateway.maxQueued = 0; }));
        QTRY_COMPARE(ask(port, "gt-test-0002-abcdef"), 503);
        QVERIFY(host.status().words.contains(QLatin1String("token")));
    }

    void whatIsAppliedCounts()
    {
        const auto session = sessionOf(folder_, kFreePort);
        GatewayHost host(*session);
        host.start();
        QTRY_VERIFY(host.status().phase == Phase::Serving);
        const quint16 before = portOf(host);

        QVERIFY(apply(*session, [](workspace::Workspace& next) { next.chains[0].spec.name = "d"; }));
        QTRY_COMPARE(host.status().models.first(), QStringLiteral("d"));
        QCOMPARE(portOf(host), before);
        QVERIFY(apply(*session, [](workspace::Workspace& next) { next.chains[0].spec.name = "c"; }));
        QTRY_COMPARE(ask(before), 200);

        // Another port: the old one is given up once the new one is there.
        const quint16 wanted = test::closedPort();
        QVERIFY(apply(*session, [&](workspace::Workspace& next) { next.gateway.port = wanted; }));
        QTRY_COMPARE(portOf(host), wanted);
        QCOMPARE(ask(wanted), 200);
        QTRY_COMPARE(ask(before), 0);
        QTRY_VERIFY(host.status().figures.requests >= 3); // also those that came to the old one

        // One that cannot be had: it stays where it is and says so.
        QTcpServer other;
        QVERIFY(other.listen(QHostAddress::LocalHost));
        QVERIFY(apply(*session, [&](workspace::Workspace& next) { next.gateway.port = other.serverPort(); }));
        QTRY_VERIFY(host.status().words.contains(QString::number(other.serverPort())));
        QVERIFY(host.status().phase == Phase::Serving);
        QCOMPARE(portOf(host), wanted);
        QCOMPARE(ask(wanted), 200);

        // The same port on another address, which the old one is in the way of.
        QVERIFY(apply(*session, [&](workspace::Workspace& next) {
            next.gateway.port = wanted;
            next.gateway.address = QStringLiteral("0.0.0.0");
            next.gateway.token = {workspace::KeySource::Session, QStringLiteral("gateway")};
        }));
        session->keys().store(secrets::KeyHome::Session, QStringLiteral("gateway"),
                              secrets::Secret("gt-test-0001-abcdef"), [](const auto&) {});
        QTRY_VERIFY(host.status().isOpenToOthers);
        QTRY_COMPARE(ask(wanted, "gt-test-0001-abcdef"), 200);
        QCOMPARE(host.status().url, QStringLiteral("http://127.0.0.1:%1/v1").arg(wanted));
    }

    void withoutTokenNotBeyondThisMachine()
    {
        const auto session = sessionOf(folder_, kFreePort);
        GatewayOverrides overrides;
        overrides.address = QStringLiteral("0.0.0.0");
        GatewayHost host(*session, overrides);
        host.start();
        QTRY_VERIFY(host.status().phase == Phase::Failed);
        QVERIFY2(host.status().words.contains(QLatin1String("without a token")), qPrintable(host.status().words));
    }

    void theTokenIsNotTakenFromAnOpenGateway_data()
    {
        QTest::addColumn<bool>("isOverridden");
        QTest::newRow("the file says where it listens") << false;
        QTest::newRow("the command line says it") << true;
    }
    void theTokenIsNotTakenFromAnOpenGateway()
    {
        QFETCH(bool, isOverridden);
        const QByteArray address = isOverridden ? QByteArray() : json("'address':'0.0.0.0',");
        const auto session =
            sessionOf(folder_, "{" + address + json("'port':0,'token':{'source':'session','name':'gateway'}}"));
        QVERIFY(session);
        session->keys().store(secrets::KeyHome::Session, QStringLiteral("gateway"),
                              secrets::Secret("gt-test-0001-abcdef"), [](const auto&) {});
        GatewayOverrides overrides;
        if (isOverridden)
            overrides.address = QStringLiteral("0.0.0.0");
        GatewayHost host(*session, overrides);
        host.start();
        QTRY_VERIFY(host.status().phase == Phase::Serving);
        const quint16 port = portOf(host);
        QCOMPARE(ask(port), 401);

        QVERIFY(apply(*session, [](workspace::Workspace& next) { next.gateway.token = {}; }));
        QTRY_VERIFY2(host.status().words.contains(QLatin1String("without a token")), qPrintable(host.status().words));
        QVERIFY(host.status().phase == Phase::Serving && host.status().hasToken && host.status().isOpenToOthers);
        QCOMPARE(portOf(host), port);
        QCOMPARE(ask(port), 401);
        QCOMPARE(ask(port, "gt-test-0001-abcdef"), 200);

        QVERIFY(apply(*session, [](workspace::Workspace& next) {
            next.gateway.token = {workspace::KeySource::Session, QStringLiteral("gateway")};
        }));
        QTRY_COMPARE(host.status().words, QString());
        QCOMPARE(ask(port), 401);
    }

    void itDoesNotMoveIntoTheOpenWithoutToken()
    {
        const auto session = sessionOf(folder_, kFreePort, 3000);
        GatewayHost host(*session);
        host.start();
        QTRY_VERIFY(host.status().phase == Phase::Serving);
        const quint16 port = portOf(host);
        ServeClient client(port);
        QVERIFY(client.begin("POST", "/v1/chat/completions", chatBody("c", true)) && client.readUntil("\"content\""));
        QVERIFY(apply(*session, [&](workspace::Workspace& next) {
            next.gateway.port = port;
            next.gateway.address = QStringLiteral("0.0.0.0");
        }));
        QTRY_VERIFY2(host.status().words.contains(QLatin1String("without a token")), qPrintable(host.status().words));
        QVERIFY(!host.status().isOpenToOthers);
        QCOMPARE(portOf(host), port);
        QTRY_COMPARE(host.status().figures.streams, 1); // nothing was cut off for it
    }

    void itMayGoBeforeOrAfterTheEngine()
    {
        for (const bool hostFirst : {true, false}) {
            auto session = sessionOf(folder_, kFreePort, 3000);
            auto host = std::make_unique<GatewayHost>(*session);
            host->start();
            QTRY_VERIFY(host->status().phase == Phase::Serving);
            ServeClient client(portOf(*host));
            QVERIFY(client.begin("POST", "/v1/chat/completions", chatBody("c", true)) &&
                    client.readUntil("\"content\""));
            if (hostFirst)
                host.reset();
            session.reset();
            QVERIFY(client.readToEnd());
            host.reset();
        }
    }
};

QTEST_GUILESS_MAIN(TestGatewayHost)
#include "tst_gateway_host.moc"
