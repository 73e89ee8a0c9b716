// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/route.h"

#include <QTest>

using namespace sg;
using gateway::Route;

class TestRoute : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void finds_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<int>("route");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("action");
        const auto row = [](const char* method, const char* path, Route route, const char* name = "",
                            const char* action = "") {
            QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(QLatin1String(method), QLatin1String(path))))
                << QByteArray(method) << QByteArray(path) << int(route) << QString::fromUtf8(name)
                << QString::fromUtf8(action);
        };
        row("POST", "/v1/chat/completions", Route::ChatCompletions);
        row("POST", "/chat/completions", Route::ChatCompletions);
        row("POST", "/v1/chat/completions/", Route::ChatCompletions);
        row("POST", "/v1/embeddings", Route::Embeddings);
        row("POST", "/embeddings", Route::Embeddings);
        row("GET", "/v1/models", Route::Models);
        row("GET", "/models/", Route::Models);
        row("GET", "/v1/models/gpt-4.1", Route::Model, "gpt-4.1");
        row("GET", "/v1/models/openai/gpt-4.1", Route::Model, "openai/gpt-4.1");
        row("GET", "/models/meta%2Fllama%203", Route::Model, "meta/llama 3");
        row("POST", "/chat", Route::SimpleChat);
        row("GET", "/health", Route::Health);
        row("HEAD", "/health", Route::Health);
        row("GET", "/healthz", Route::Health);
        row("GET", "/v1/health", Route::Health);
        row("GET", "/metrics", Route::Metrics);
        row("GET", "/api/state", Route::State);
        row("GET", "/api/events", Route::Events);
        row("POST", "/api/endpoints/primary/trip", Route::Action, "primary", "trip");
        row("POST", "/api/endpoints/a%2Fb%20c/release", Route::Action, "a/b c", "release");
        row("POST", "/api/endpoints/trip/hold", Route::Action, "trip", "hold");
        row("POST", "/api/endpoints/%C3%BC/reset/", Route::Action, "ü", "reset");
        row("POST", "/api/endpoints/x/probe", Route::Action, "x", "probe");
        row("GET", "/", Route::Root);
        row("GET", "", Route::Root);
        row("GET", "/v1", Route::Root);
        row("GET", "http://127.0.0.1:8787/v1/models", Route::Models);
        row("GET", "HTTP://localhost", Route::Root);
        row("OPTIONS", "/v1/models", Route::Preflight);
        row("OPTIONS", "*", Route::Preflight);
        row("OPTIONS", "/api/endpoints/x/probe", Route::Preflight, "x", "probe");
    }
    void finds()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, path);
        const auto routed = gateway::routeOf(method, path);
        QVERIFY2(routed, routed ? "" : qPrintable(routed.error().message));
        QTEST(int(routed->route), "route");
        QTEST(routed->name, "name");
        QTEST(routed->action, "action");
        QCOMPARE(routed->isHead, method == "HEAD");
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("method");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("allow");
        const auto row = [](const char* method, const char* path, int status, const char* allow = "") {
            QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(QLatin1String(method), QLatin1String(path))))
                << QByteArray(method) << QByteArray(path) << status << QByteArray(allow);
        };
        row("GET", "/v1/chat/completions", 405, "POST, OPTIONS");
        row("HEAD", "/chat", 405, "POST, OPTIONS");
        row("POST", "/v1/models", 405, "GET, HEAD, OPTIONS");
        row("DELETE", "/v1/models/x", 405, "GET, HEAD, OPTIONS");
        row("GET", "/api/endpoints/x/trip", 405, "POST, OPTIONS");
        row("get", "/health", 405, "GET, HEAD, OPTIONS");
        row("GET", "/v1x/models", 404);
        row("GET", "/v1/v1/models", 404);
        row("GET", "/modelsx", 404);
        row("POST", "/v1/completions", 404);
        row("POST", "/api/endpoints/x/explode", 404);
        row("POST", "/api/endpoints/trip", 404);
        row("POST", "/api/endpoints//trip", 404);
        row("POST", "/CHAT", 404);
        row("GET", "/api", 404);
        row("OPTIONS", "/nothing", 404);
        row("GET", "*", 404);
        row("GET", "/..%2fhealth", 404);
    }
    void refuses()
    {
        QFETCH(QByteArray, method);
        QFETCH(QByteArray, path);
        const auto routed = gateway::routeOf(method, path);
        QVERIFY(!routed);
        QTEST(routed.error().status, "status");
        QTEST(http::headerValue(routed.error().headers, "Allow"), "allow");
        QVERIFY(!routed.error().message.isEmpty());
    }

    void saysWhatThereIs()
    {
        QVERIFY(gateway::routeOf("GET", "/x").error().message.contains(QStringLiteral("/v1/chat/completions")));
        QVERIFY(gateway::routeOf("POST", "/api/endpoints/x/y").error().message.contains(QStringLiteral("probe")));
        QVERIFY(gateway::routeOf("PUT", "/chat").error().message.contains(QStringLiteral("POST")));
    }
};

QTEST_APPLESS_MAIN(TestRoute)
#include "tst_route.moc"
