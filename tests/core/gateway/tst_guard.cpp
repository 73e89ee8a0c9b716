// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/guard.h"

#include <QTest>

using namespace sg;

namespace {

const QByteArray kToken = "sgt-test-0001-abcdefghij";

gateway::Options optionsWith(const QString& address, const QByteArray& token = {})
{
    gateway::Options options;
    options.settings.address = address;
    options.settings.hosts = {QStringLiteral("gate.example"), QStringLiteral("192.168.7.7")};
    options.settings.origins = {QStringLiteral("https://desk.example"), QStringLiteral("http://localhost:3000/")};
    options.token = secrets::Secret(token);
    return options;
}

http::ServerRequest request(const QByteArray& method, const QByteArray& path, http::Headers headers)
{
    http::ServerRequest request;
    request.method = method;
    request.target = request.path = path;
    request.headers = std::move(headers);
    return request;
}

int statusOf(const std::optional<gateway::Failure>& failure)
{
    return failure ? failure->status : 200;
}

} // namespace

class TestGuard : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void host_data()
    {
        QTest::addColumn<QByteArray>("host");
        QTest::addColumn<QString>("listens");
        QTest::addColumn<int>("status");
        const auto row = [](const char* host, int status, const char* listens = "127.0.0.1") {
            QTest::addRow("%s on %s", host, listens) << QByteArray(host) << QString::fromLatin1(listens) << status;
        };
        for (const char* own : {"localhost", "localhost:8787", "LocalHost:8787", "localhost.", "localhost.:80",
                                "127.0.0.1", "127.0.0.1:8787", "127.0.0.1:", "127.8.9.10:1", "[::1]", "[::1]:8787",
                                "[0:0:0:0:0:0:0:1]:5", "gate.example", "GATE.example.:443", "192.168.7.7:8787"})
            row(own, 200);
        for (const char* foreign : {"evil.example",
                                    "evil.example:8787",
                                    "localhost.evil.example",
                                    "127.0.0.1.evil.example",
                                    "localhost..",
                                    "localhost:port",
                                    "localhost:80:80",
                                    "localhost:99999",
                                    "localhost:123456",
                                    "localhost@evil.example",
                                    "evil.example#localhost",
                                    "::1",
                                    "[::1",
                                    "[::1]x",
                                    "[::1].evil.example",
                                    "[localhost]",
                                    "[fe80::1]",
                                    "192.168.7.8",
                                    "0.0.0.0:8787",
                                    "10.0.0.1",
                                    "sub.gate.example",
                                    "localhost evil",
                                    "::1:8787",
                                    ".",
                                    ":8787"})
            row(foreign, 403);
        row("10.0.0.5:8787", 200, "10.0.0.5");
        row("10.0.0.6:8787", 403, "10.0.0.5");
        row("[2001:DB8::5]:8787", 200, "2001:db8::5");
        row("10.0.0.6:8787", 200, "0.0.0.0");
        row("[2001:db8::5]", 200, "::");
        row("evil.example", 403, "0.0.0.0");
        row("localhost", 200, "0.0.0.0");
        row("", 400);
    }
    void host()
    {
        QFETCH(QByteArray, host);
        QFETCH(QString, listens);
        const auto failure =
            gateway::refusal(request("GET", "/v1/models", {{"host", host}}), optionsWith(listens), false);
        QTEST(statusOf(failure), "status");
    }

    void hostIsThereOnce()
    {
        const auto options = optionsWith(QStringLiteral("127.0.0.1"));
        QCOMPARE(statusOf(gateway::refusal(request("GET", "/", {}), options, false)), 400);
        QCOMPARE(statusOf(gateway::refusal(request("GET", "/", {{"Host", "localhost"}, {"HOST", "localhost"}}), options,
                                           false)),
                 400);
    }

    void absoluteForm()
    {
        const auto options = optionsWith(QStringLiteral("127.0.0.1"));
        const auto ask = [&](const QByteArray& target, const QByteArray& host) {
            return statusOf(gateway::refusal(request("GET", target, {{"Host", host}}), options, false));
        };
        QCOMPARE(ask("http://localhost:8787/health", "localhost:8787"), 200);
        QCOMPARE(ask("http://evil.example/health", "localhost:8787"), 403);
        QCOMPARE(ask("http://localhost/health", "evil.example"), 403);
        QCOMPARE(ask("http://localhost@evil.example/health", "localhost"), 403);
    }

    void origin_data()
    {
        QTest::addColumn<QByteArray>("origin");
        QTest::addColumn<int>("status");
        QTest::newRow("named") << QByteArray("https://desk.example") << 200;
        QTest::newRow("named, its own port") << QByteArray("https://desk.example:443") << 200;
        QTest::newRow("named, capitals") << QByteArray("HTTPS://Desk.Example") << 200;
        QTest::newRow("named with a port") << QByteArray("http://localhost:3000") << 200;
        QTest::newRow("another scheme") << QByteArray("http://desk.example") << 403;
        QTest::newRow("another port") << QByteArray("https://desk.example:8443") << 403;
        QTest::newRow("the gateway's own") << QByteArray("http://127.0.0.1:8787") << 403;
        QTest::newRow("null") << QByteArray("null") << 403;
        QTest::newRow("empty") << QByteArray("") << 403;
        QTest::newRow("longer") << QByteArray("https://desk.example.evil.example") << 403;
        QTest::newRow("two in one") << QByteArray("https://desk.example, https://evil.example") << 403;
    }
    void origin()
    {
        QFETCH(QByteArray, origin);
        QFETCH(int, status);
        const auto options = optionsWith(QStringLiteral("127.0.0.1"));
        const auto asked = request("POST", "/chat", {{"Host", "localhost"}, {"Origin", origin}});
        QCOMPARE(statusOf(gateway::refusal(asked, options, false)), status);
        const auto cors = gateway::corsHeaders(asked, options);
        QCOMPARE(http::headerValue(cors, "Access-Control-Allow-Origin"), status == 200 ? origin : QByteArray());
        QCOMPARE(http::headerValue(cors, "Vary"), status == 200 ? QByteArray("Origin") : QByteArray());
    }

    void nullIsNobodysOrigin()
    {
        gateway::Options options = optionsWith(QStringLiteral("127.0.0.1"));
        options.settings.origins = {QStringLiteral("null"), QString()};
        for (const char* origin : {"null", ""})
            QCOMPARE(statusOf(gateway::refusal(request("GET", "/", {{"Host", "localhost"}, {"Origin", origin}}),
                                               options, false)),
                     403);
    }

    void pagesWithoutOrigin_data()
    {
        QTest::addColumn<QByteArray>("site");
        QTest::addColumn<int>("status");
        QTest::newRow("cross-site") << QByteArray("cross-site") << 403;
        QTest::newRow("another port of this machine") << QByteArray("same-site") << 403;
        QTest::newRow("Cross-Site") << QByteArray("Cross-Site") << 403;
        QTest::newRow("same-site: another port") << QByteArray("same-site") << 403;
        QTest::newRow("none: typed") << QByteArray("none") << 200;
        QTest::newRow("same-origin") << QByteArray("same-origin") << 200;
    }
    void pagesWithoutOrigin()
    {
        QFETCH(QByteArray, site);
        const auto options = optionsWith(QStringLiteral("127.0.0.1"));
        QTEST(statusOf(gateway::refusal(request("GET", "/health", {{"Host", "localhost"}, {"Sec-Fetch-Site", site}}),
                                        options, false)),
              "status");
    }
    void aNamedPageIsOfAnotherSite()
    {
        const auto options = optionsWith(QStringLiteral("127.0.0.1"));
        QCOMPARE(
            statusOf(gateway::refusal(
                request("GET", "/health",
                        {{"Host", "localhost"}, {"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://desk.example"}}),
                options, false)),
            200);
    }

    void preflight()
    {
        const auto options = optionsWith(QStringLiteral("127.0.0.1"), kToken);
        const auto asked = request("OPTIONS", "/v1/chat/completions",
                                   {{"Host", "localhost"},
                                    {"Origin", "https://desk.example"},
                                    {"Access-Control-Request-Method", "POST"},
                                    {"Access-Control-Request-Headers", "authorization, x-stainless-lang"},
                                    {"Access-Control-Request-Private-Network", "true"}});
        QVERIFY(!gateway::refusal(asked, options, false)); // it cannot carry the token
        const auto cors = gateway::corsHeaders(asked, options);
        QCOMPARE(http::headerValue(cors, "Access-Control-Allow-Methods"), QByteArray("POST"));
        QCOMPARE(http::headerValue(cors, "Access-Control-Allow-Headers"),
                 QByteArray("authorization, x-stainless-lang"));
        QCOMPARE(http::headerValue(cors, "Access-Control-Allow-Private-Network"), QByteArray("true"));
        auto foreign = asked;
        foreign.headers[1].second = "https://evil.example";
        QCOMPARE(statusOf(gateway::refusal(foreign, options, false)), 403);
        QVERIFY(gateway::corsHeaders(foreign, options).empty());
        auto odd = asked;
        odd.headers[3].second = "a\x01\"b";
        QVERIFY(http::headerValue(gateway::corsHeaders(odd, options), "Access-Control-Allow-Headers").isEmpty());
    }

    void token_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<int>("status");
        QTest::newRow("none") << QByteArray("X-Nothing") << QByteArray("x") << 401;
        QTest::newRow("right") << QByteArray("Authorization") << "Bearer " + kToken << 200;
        QTest::newRow("lower case, blanks") << QByteArray("authorization") << "bearer   " + kToken + ' ' << 200;
        QTest::newRow("x-api-key") << QByteArray("x-api-key") << kToken << 200;
        QTest::newRow("wrong") << QByteArray("Authorization") << QByteArray("Bearer sgt-test-0002-abcdefghij") << 401;
        QTest::newRow("its beginning") << QByteArray("Authorization") << "Bearer " + kToken.chopped(1) << 401;
        QTest::newRow("and more") << QByteArray("Authorization") << "Bearer " + kToken + 'x' << 401;
        QTest::newRow("empty") << QByteArray("Authorization") << QByteArray("Bearer ") << 401;
        QTest::newRow("without scheme") << QByteArray("Authorization") << kToken << 401;
        QTest::newRow("basic") << QByteArray("Authorization") << "Basic " + kToken << 401;
        QTest::newRow("empty x-api-key") << QByteArray("x-api-key") << QByteArray("") << 401;
    }
    void token()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, value);
        const auto options = optionsWith(QStringLiteral("127.0.0.1"), kToken);
        for (const bool isAction : {false, true}) {
            const auto failure = gateway::refusal(request("GET", "/api/state", {{"Host", "localhost"}, {name, value}}),
                                                  options, isAction);
            QTEST(statusOf(failure), "status");
            if (failure) {
                QCOMPARE(failure->code, QStringLiteral("invalid_api_key"));
                QVERIFY(http::headerValue(failure->headers, "WWW-Authenticate").startsWith("Bearer"));
                QVERIFY(!failure->message.contains(QString::fromLatin1(kToken)));
            }
        }
    }

    void healthNeedsNoToken()
    {
        const auto options = optionsWith(QStringLiteral("127.0.0.1"), kToken);
        for (const char* open : {"/health", "/healthz", "/v1/health/"})
            QCOMPARE(statusOf(gateway::refusal(request("GET", open, {{"Host", "localhost"}}), options, false)), 200);
        for (const char* closed : {"/metrics", "/", "/nothing", "/v1/models", "/api/events"})
            QCOMPARE(statusOf(gateway::refusal(request("GET", closed, {{"Host", "localhost"}}), options, false)), 401);
    }

    void withoutATokenKeysAreIgnoredAndNobodyActs()
    {
        const auto options = optionsWith(QStringLiteral("127.0.0.1"));
        const auto asked =
            request("POST", "/api/endpoints/x/trip", {{"Host", "localhost"}, {"Authorization", "Bearer sk-whatever"}});
        QCOMPARE(statusOf(gateway::refusal(asked, options, false)), 200);
        const auto failure = gateway::refusal(asked, options, true);
        QCOMPARE(statusOf(failure), 403);
        QVERIFY(failure->message.contains(QStringLiteral("token")));
    }

    void listens_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<bool>("mayWithout");
        QTest::addColumn<bool>("mayWith");
        const auto row = [](const char* address, bool without, bool with) {
            QTest::addRow("%s", address) << QString::fromLatin1(address) << without << with;
        };
        row("127.0.0.1", true, true);
        row("::1", true, true);
        row("localhost", true, true);
        row("127.0.0.2", true, true);
        row("0.0.0.0", false, true);
        row("::", false, true);
        row("192.168.1.5", false, true);
        row("fe80::1", false, true);
        row("", false, false);
        row("gate.example", false, false);
    }
    void listens()
    {
        QFETCH(QString, address);
        QFETCH(bool, mayWithout);
        QFETCH(bool, mayWith);
        QCOMPARE(gateway::listenProblem(optionsWith(address)).isEmpty(), mayWithout);
        QCOMPARE(gateway::listenProblem(optionsWith(address, kToken)).isEmpty(), mayWith);
    }
};

QTEST_APPLESS_MAIN(TestGuard)
#include "tst_guard.moc"
