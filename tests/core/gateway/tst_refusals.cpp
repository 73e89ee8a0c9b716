// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/traffic.h"
#include "tests/core/gateway/served_scene.h"
#include "tests/support/exposition_reader.h"

#include <QTest>

#include <map>

using namespace sg;
using namespace sg::test;

namespace {

constexpr int kMostConnections = 4;
constexpr int kToldAtOnce = 64; ///< clients over the limit that get an answer

/// A gateway with a token and limits that a test can reach, and a log as the desk keeps one.
class Door
{
public:
    Door()
        : scene(gatewayWorkspace(), options())
    {
        scene.server.on("first", ChatServer::answers("one"));
    }

    gateway::Options options()
    {
        gateway::Options options;
        options.settings.port = 0;
        options.settings.maxInFlight = 1;
        options.settings.maxQueued = 0;
        options.token = secrets::Secret(QByteArray("token-of-the-gateway"));
        options.limits.maxConnections = kMostConnections;
        options.limits.maxBodyBytes = 1000;
        options.limits.maxHeaderBytes = 2000;
        options.limits.headerTimeout = Millis(50);
        options.onEnded = [this](const gateway::Ended& ended) { log.add(ended, 1); };
        return options;
    }

    int statusOf(const QByteArray& bytes)
    {
        GatewayClient client(scene.port);
        client.send(bytes);
        return client.answer().status;
    }
    QByteArray get(const QByteArray& path)
    {
        GatewayClient client(scene.port);
        client.get(path, "GET", kToken);
        return client.answer().body;
    }

    /// How many requests there have been by every place that shows it, without those that ask for it.
    std::map<QString, qint64> requests()
    {
        std::map<QString, qint64> shown;
        shown[QStringLiteral("figures")] = scene.gateway->figures().requests - asked_;
        ++asked_;
        shown[QStringLiteral("state")] =
            QJsonDocument::fromJson(get("/api/state"))[QLatin1String("gateway")][QLatin1String("requests_total")]
                .toInteger() -
            asked_;
        ++asked_;
        shown[QStringLiteral("metrics")] =
            qint64(readExposition(get("/metrics"), observe::ExpositionFormat::Prometheus004)
                       .value(QStringLiteral("switchgear_gateway_requests_total"))
                       .value_or(-1)) -
            asked_;
        return shown;
    }

    /// One figure from every place that shows it.
    std::map<QString, qint64> refused()
    {
        std::map<QString, qint64> shown;
        asked_ += 2;
        shown[QStringLiteral("state")] =
            QJsonDocument::fromJson(get("/api/state"))[QLatin1String("gateway")][QLatin1String("refused_total")]
                .toInteger();
        shown[QStringLiteral("metrics")] =
            qint64(readExposition(get("/metrics"), observe::ExpositionFormat::Prometheus004)
                       .value(QStringLiteral("switchgear_gateway_refused_total"))
                       .value_or(-1));
        shown[QStringLiteral("figures")] = scene.gateway->figures().refused;
        for (const gateway::Refusals& each : log.picture()->refusals)
            shown[QStringLiteral("desk")] += each.count;
        for (const gateway::Ended& each : scene.ended)
            shown[QStringLiteral("log")] += each.status >= 400 ? 1 : 0;
        return shown;
    }

    static inline const QByteArray kToken = "Authorization: Bearer token-of-the-gateway\r\n";
    gateway::TrafficLog log;
    ServedScene scene;

private:
    qint64 asked_ = 0; ///< by this itself
};

QByteArray posted(const QByteArray& headers, const QByteArray& body, const QByteArray& path = "/v1/chat/completions")
{
    return "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + headers +
           "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

#define EVERYWHERE(door, expected)                                                                                     \
    for (const auto& [place, count] : (door).refused())                                                                \
    QVERIFY2(count == (expected), qPrintable(QStringLiteral("%1: %2").arg(place).arg(count)))

} // namespace

class TestRefusals : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachIsCountedOnceEverywhere_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("status");
        const auto row = [](const char* name, int status, const QByteArray& bytes) {
            QTest::newRow(name) << bytes << status;
        };
        const QByteArray json = "Content-Type: application/json\r\n", token = Door::kToken;
        row("another host", 403,
            "POST /v1/chat/completions HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n\r\n{}");
        row("another origin", 403, posted(token + json + "Origin: https://evil.example\r\n", "{}"));
        row("no token", 401, posted(json, chatBody()));
        row("no token, body to come", 401,
            "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\n"
            "Content-Length: 900\r\n\r\n");
        row("no such address", 404, posted(token + json, "{}", "/nothing"));
        row("no such method", 405, "GET /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\n" + token + "\r\n");
        row("not JSON by its type", 415, posted(token + "Content-Type: text/plain\r\n", chatBody()));
        row("not JSON", 400, posted(token + json, "{"));
        row("no such model", 404, posted(token + json, chatBody({}, "nobody")));
        row("no such model, embeddings", 404, posted(token + json, R"({"model":"x","input":"a"})", "/v1/embeddings"));
        row("no message, small chat", 400, posted(token + json, "{}", "/chat"));
        row("no number as priority", 400, posted(token + json + "x-switchgear-priority: high\r\n", chatBody()));
        row("no such endpoint to act on", 404, posted(token + json, "{}", "/api/endpoints/nobody/trip"));
        row("not HTTP", 400, "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n");
        row("long body", 413, posted(token + json, QByteArray(1001, ' ')));
        row("long head", 431, posted(token + "X-Long: " + QByteArray(3000, 'x') + "\r\n", "{}"));
        row("slow head", 408, "POST /v1/chat/completions HTTP/1.1\r\nHost: 127");
    }
    void eachIsCountedOnceEverywhere()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(int, status);
        Door door;
        QCOMPARE(door.statusOf(bytes), status);
        EVERYWHERE(door, 1);
        QCOMPARE(door.scene.gateway->figures().turnedAway, 0);
        for (const auto& [place, count] : door.requests()) // what is refused was a request
            QVERIFY2(count == 1, qPrintable(QStringLiteral("%1: %2").arg(place).arg(count)));
    }

    void whatIsRefusedInsideIsARefusalToo_data()
    {
        QTest::addColumn<QByteArray>("why");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("code");
        QTest::newRow("the chain's limiter") << QByteArray("limiter") << 429 << QStringLiteral("chain_limiter");
        QTest::newRow("all breakers open") << QByteArray("breakers") << 503 << QStringLiteral("all_tiers_out");
    }
    void whatIsRefusedInsideIsARefusalToo()
    {
        QFETCH(QByteArray, why);
        QFETCH(int, status);
        QFETCH(QString, code);
        Door door;
        auto workspace = gatewayWorkspace();
        if (why == "limiter")
            workspace.chains[0].spec.limiter = chain::LimiterSpec{0.001, 1, Nanos(0), {}, std::chrono::minutes(5)};
        door.scene.apply(workspace);
        if (why == "limiter")
            QCOMPARE(door.scene.ask(chatBody(), Door::kToken).status, 200);
        if (why == "breakers")
            for (const char* name : {"first", "second"})
                door.scene.core.command(name, observe::BreakerCommand::ForceOpen, "");
        const WireAnswer told = door.scene.ask(chatBody(), Door::kToken);
        QCOMPARE(told.status, status);
        QCOMPARE(told.error()[QLatin1String("code")].toString(), code);
        EVERYWHERE(door, 1);
        QCOMPARE(door.log.picture()->refusals.front().code, code);
    }

    void noRoom()
    {
        Door door;
        std::shared_ptr<http::Responder> held;
        door.scene.server.on("first", [&](const auto&, auto responder) { held = std::move(responder); });
        GatewayClient first(door.scene.port);
        first.post(chatBody(), Door::kToken);
        QTRY_VERIFY(held);
        QCOMPARE(door.scene.ask(chatBody(), Door::kToken).status, 503);
        EVERYWHERE(door, 1);
    }

    /// Who came too late for an answer is no request, and so in no log.
    void connectionsOverTheLimit()
    {
        Door door;
        std::vector<std::unique_ptr<GatewayClient>> clients;
        for (int i = 0; i < kMostConnections; ++i) {
            clients.push_back(std::make_unique<GatewayClient>(door.scene.port));
            clients.back()->get("/health");
            QCOMPARE(clients.back()->answer().status, 200);
        }
        constexpr int kOver = kToldAtOnce + 16;
        for (int i = 0; i < kOver; ++i) { // none is accepted before all are there
            clients.push_back(std::make_unique<GatewayClient>(door.scene.port));
            QVERIFY(clients.back()->socket.waitForConnected(5000));
        }
        QTRY_COMPARE(door.scene.gateway->figures().turnedAway, kOver - kToldAtOnce);
        clients.clear();
        QTRY_COMPARE(door.scene.gateway->figures().connections, 0);
        EVERYWHERE(door, kToldAtOnce);
        const QJsonDocument state = QJsonDocument::fromJson(door.get("/api/state"));
        QCOMPARE(state[QLatin1String("gateway")][QLatin1String("connections_turned_away_total")].toInteger(),
                 kOver - kToldAtOnce);
    }

    /// Asked for and failed, left, or cut off: each is counted as what it is.
    void whatIsNoRefusal()
    {
        Door door;
        door.scene.server.on("first", ChatServer::fails(400));
        QCOMPARE(door.scene.ask(chatBody(), Door::kToken).status, 400);
        QVERIFY(door.log.picture()->refusals.empty());
        QCOMPARE(door.scene.gateway->figures().refused, 0);
        QCOMPARE(door.scene.gateway->figures().requests, 1);
    }
};

QTEST_GUILESS_MAIN(TestRefusals)
#include "tst_refusals.moc"
