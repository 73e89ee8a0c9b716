// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/watcher.h"
#include "core/load/report.h"
#include "core/load/run.h"
#include "core/provider/mask.h"
#include "tests/app/cli_process.h"
#include "tests/support/misbehaving_server.h"

#include <QUrl>

using namespace sg;
using testing::answer;
using testing::MisbehavingServer;

namespace {

struct Secret
{
    const char* form;
    QByteArray key;
};

const std::vector<Secret> kSecrets{
    {"OpenAI", "sk-test-0001-abcdefgh"},
    {"OpenAI project", "sk-proj-TESTtest_0001-abcdefgh"},
    {"Anthropic", "sk-ant-api03-TESTtest0001-AA"},
    {"OpenRouter", "sk-or-v1-0123456789abcdef0001"},
    {"HolySheep", "hs_live_TESTtest0001"},
    {"Groq", "gsk_TESTtest00010001"},
    {"Google", "AIzaTESTTESTTEST0001"},
    {"xAI", "xai-TESTtest0001abcd"},
    {"Perplexity", "pplx-TESTtest0001abcd"},
    {"Azure", "0123456789abcdef0123456789abcdef"},
    {"JWT", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ0ZXN0In0.c2lnbmF0dXJl"},
    {"words", "correct-horse-battery"},
    {"signs", "Tr0ub4dor&3/+~%41=="},
};

/// How a server may give the key back. Each makes the raw bytes of an answer.
struct Echo
{
    const char* name;
    QByteArray (*bytes)(const QByteArray& key);
};

QByteArray jsonString(const QByteArray& text)
{
    const QByteArray list = QJsonDocument(QJsonArray{QString::fromUtf8(text)}).toJson(QJsonDocument::Compact);
    return list.sliced(1, list.size() - 2);
}

QByteArray errorBody(const QByteArray& message, const QByteArray& code = "bad")
{
    return R"({"error":{"message":)" + jsonString(message) + R"(,"code":)" + jsonString(code) + R"(,"type":)" +
           jsonString(code) + "}}";
}

QByteArray stream(const QByteArray& events)
{
    return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" + events;
}

/// An answer that says the key in each of its fields.
QByteArray fullOf(const QByteArray& key, const char* message)
{
    const QByteArray k = jsonString(key);
    return R"({"id":)" + k + R"(,"model":)" + k + R"(,"choices":[{"index":0,")" + message + R"(":{"content":)" + k +
           R"(,"reasoning_content":)" + k + R"(,"tool_calls":[{"index":0,"id":)" + k + R"(,"function":{"name":)" + k +
           R"(,"arguments":)" + k + R"(}}]},"finish_reason":)" + k + R"(,"native_finish_reason":)" + k +
           R"(}],"usage":{"prompt_tokens":)" + k + "," + k + R"(:1}})";
}

const std::vector<Echo> kEchoes{
    {"error message",
     [](const QByteArray& key) {
         return answer(401, errorBody("Incorrect API key provided: " + key + ". You can find yours at /keys."));
     }},
    {"error code", [](const QByteArray& key) { return answer(403, errorBody("no", key)); }},
    {"message cut within the key",
     [](const QByteArray& key) { return answer(400, errorBody(QByteArray(300 - key.size() + 2, 'a') + key)); }},
    {"long message that the key begins",
     [](const QByteArray& key) { return answer(500, errorBody((key + ' ').repeated(2000))); }},
    {"plain text",
     [](const QByteArray& key) {
         return answer(500, "GET /v1beta/m:generate?alt=sse&key=" + key + " failed\nAuthorization: Bearer " + key);
     }},
    {"address with the key encoded",
     [](const QByteArray& key) {
         return answer(500, errorBody("https://h.test/m?alt=sse&key=" + key.toPercentEncoding() + "&x=1"));
     }},
    {"headers",
     [](const QByteArray& key) {
         return answer(429, errorBody("slow down"),
                       "X-Echo: " + key + "\r\nX-Request-Url: https://h.test/?api_key=" + key +
                           "\r\nAuthorization: Bearer " + key + "\r\nSet-Cookie: k=" + key + "\r\nX-Amzn-ErrorType: " +
                           key + ":http://x/\r\nX-Api-Key: " + key + "\r\nRetry-After: " + key + "\r\n");
     }},
    {"status line", [](const QByteArray& key) { return "HTTP/1.1 500 " + key + "\r\nContent-Length: 0\r\n\r\n"; }},
    {"redirect",
     [](const QByteArray& key) { return answer(302, {}, "Location: http://127.0.0.1:1/?key=" + key + "\r\n"); }},
    {"page",
     [](const QByteArray& key) {
         return answer(502,
                       "<html><head><title>Bad gateway for " + key + "</title></head><body><h1>" + key +
                           "</h1></body></html>",
                       "Content-Type: text/html\r\n");
     }},
    {"error in a 200", [](const QByteArray& key) { return answer(200, errorBody("upstream: " + key, key)); }},
    {"no JSON in a 200", [](const QByteArray& key) { return answer(200, "key is " + key); }},
    {"error event",
     [](const QByteArray& key) {
         return stream("event: error\ndata: " + errorBody("key " + key + " refused", key) + "\n\n");
     }},
    {"event name",
     [](const QByteArray& key) {
         return stream("event: " + key + "Exception\ndata: {\"message\":" + jsonString(key) + "}\n\n");
     }},
    {"event that is no JSON", [](const QByteArray& key) { return stream("data: " + key + "\n\n"); }},
    {"comments and fields of a stream",
     [](const QByteArray& key) {
         return stream(": " + key + "\n" + key + ": x\nid: " + key + "\ndata: : " + key + "\n\n");
     }},
    {"whole answer", [](const QByteArray& key) { return answer(200, fullOf(key, "message")); }},
    {"streamed answer",
     [](const QByteArray& key) { return stream("data: " + fullOf(key, "delta") + "\n\ndata: [DONE]\n\n"); }},
    {"broken stream",
     [](const QByteArray& key) {
         return stream("data: " + fullOf(key, "delta").replace("finish_reason", "f") + "\n\ndata: {\"cut");
     }},
    {"no HTTP", [](const QByteArray& key) { return key + " is no status line\r\n\r\n"; }},
    {"broken head", [](const QByteArray& key) { return "HTTP/1.1 200 OK\r\n" + key + "\r\n: " + key + "\r\n\r\n"; }},
};

workspace::Workspace workspaceOn(const QUrl& base)
{
    workspace::Workspace workspace;
    workspace.name = QStringLiteral("scan");
    workspace::Endpoint endpoint;
    endpoint.provider = QStringLiteral("openai-compatible");
    endpoint.baseUrl = base.toString();
    endpoint.model = QStringLiteral("m");
    endpoint.key = {workspace::KeySource::Environment, QStringLiteral("SCAN_KEY")};
    endpoint.spec.name = "only";
    endpoint.spec.breaker.consecutiveFailures = 1;
    workspace.endpoints = {endpoint};
    workspace::Chain chain;
    chain.spec.name = "chain";
    chain::TierSpec tier;
    tier.name = tier.endpoint = "only";
    tier.maxAttempts = 1;
    chain.spec.tiers = {tier};
    workspace.chains = {chain};
    return workspace;
}

void add(QByteArray& told, const std::string& text)
{
    told += QByteArray::fromStdString(text) + '\n';
}

/// Every text of a picture.
QByteArray textsOf(const observe::Snapshot& snapshot)
{
    QByteArray told;
    add(told, snapshot.workspace);
    for (const observe::EndpointView& endpoint : snapshot.endpoints) {
        add(told, endpoint.note);
        add(told, endpoint.model);
        if (endpoint.lastError)
            add(told, endpoint.lastError->words);
    }
    for (const observe::Lane& lane : snapshot.lanes)
        for (const observe::LaneSegment& segment : lane.segments)
            add(told, segment.cause);
    for (const observe::Event& event : snapshot.events) {
        add(told, event.subject);
        add(told, event.text);
    }
    return told;
}

/// The key as it is and as addresses, JSON and Basic authorization write it.
QByteArrayList formsOf(const QByteArray& key)
{
    const QByteArray inJson = jsonString(key);
    return {key,
            key.toPercentEncoding(),
            inJson.sliced(1, inJson.size() - 2),
            QByteArray(key).replace("/", "\\/"),
            key.toBase64(),
            key.toHex()};
}

bool hasForm(const QByteArray& key)
{
    return provider::maskSecrets(QString::fromUtf8(key)) == QLatin1String("***");
}

/// Where a form of the key stands in what was told; empty: nowhere.
QByteArray leakIn(const QByteArray& told, const QByteArray& key)
{
    for (const QByteArray& form : formsOf(key)) {
        const qsizetype at = told.indexOf(form);
        if (at >= 0)
            return told.sliced(std::max<qsizetype>(0, at - 200),
                               std::min<qsizetype>(told.size() - std::max<qsizetype>(0, at - 200), 260));
    }
    return {};
}

#define VERIFY_NO_LEAK(told, key)                                                                                      \
    do {                                                                                                               \
        const QByteArray leak = leakIn((told), (key));                                                                 \
        QVERIFY2(leak.isEmpty(), leak.constData());                                                                    \
    } while (false)

} // namespace

/// Known secrets go through every path on which they could be seen, and everything that the product says is searched.
class TestSecretScan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void engineTellsNoKey_data();
    void engineTellsNoKey();
    void theScanFindsWhatIsThere();
    void loadReportTellsNoKey();
    void addressWithPassword();
    void commandLineTellsNoKey_data();
    void commandLineTellsNoKey();
    void keyThatCannotBeSent();
};

void TestSecretScan::engineTellsNoKey_data()
{
    QTest::addColumn<QByteArray>("key");
    for (const Secret& secret : kSecrets)
        QTest::newRow(secret.form) << secret.key;
}

void TestSecretScan::engineTellsNoKey()
{
    QFETCH(QByteArray, key);
    MisbehavingServer server;
    QByteArray reply;
    int received = 0;
    server.onRequest([&](MisbehavingServer::Peer& peer) {
        received += peer.head.contains(key) ? 1 : 0;
        peer.send(reply);
        peer.close();
    });
    engine::Engine engine({});
    engine.run([&](engine::EngineCore& core) {
        core.apply(workspaceOn(server.url(QStringLiteral("/v1"))), {}, {},
                   [&key](const workspace::KeyRef&) { return key; });
    });
    engine::Watcher watcher(engine);

    int sent = 0;
    for (const Echo& echo : kEchoes) {
        reply = echo.bytes(key);
        // A server that closes after its answer may do so while the next request is under way: that one never arrives.
        const int before = received;
        for (int tries = 0; tries < 5 && received == before; ++tries) {
            engine.run([](engine::EngineCore& core) { core.command("only", observe::BreakerCommand::Reset, {}); });
            provider::ChatRequest request;
            request.messages = {{"user", QStringLiteral("hello")}};
            request.stream = sent % 2 == 0; // servers send what they like
            const auto id = watcher.send({engine::TargetKind::Chain, "chain"}, request);
            ++sent;
            engine::WatchViewPtr view;
            QVERIFY(QTest::qWaitFor([&] {
                view = watcher.view(id);
                return view && !view->running;
            }));
            const QByteArray told = chain::toJson(view->record) + toJson(*view) + toCurl(*view, 1).toUtf8();
            const QByteArray leak = leakIn(told, key);
            QVERIFY2(leak.isEmpty(), QByteArray(echo.name + (": " + leak)).constData());
        }
        QVERIFY(received > before); // the key did go out
    }
    observe::SnapshotPtr snapshot;
    QVERIFY(QTest::qWaitFor([&] {
        snapshot = engine.latest();
        return snapshot && !snapshot->events.empty() && snapshot->requestsTotal == sent;
    }));
    VERIFY_NO_LEAK(textsOf(*snapshot), key);
}

/// The search itself: a key that is shown is found, in every form.
void TestSecretScan::theScanFindsWhatIsThere()
{
    for (const Secret& secret : kSecrets) {
        for (const QByteArray& form : formsOf(secret.key))
            QVERIFY2(!leakIn("before " + form + " behind", secret.key).isEmpty(), secret.form);
        QVERIFY(leakIn("nothing here", secret.key).isEmpty());
    }
}

void TestSecretScan::loadReportTellsNoKey()
{
    for (const Secret& secret : kSecrets) {
        MisbehavingServer server;
        std::size_t next = 0;
        server.onRequest([&](MisbehavingServer::Peer& peer) {
            peer.send(kEchoes[next++ % kEchoes.size()].bytes(secret.key));
            peer.close();
        });
        engine::EngineCore core({});
        core.apply(workspaceOn(server.url(QStringLiteral("/v1"))), {}, {},
                   [&secret](const workspace::KeyRef&) { return secret.key; });
        load::LoadPlan plan;
        plan.targetKind = load::TargetKind::Endpoint;
        plan.target = "only";
        plan.stop.requests = static_cast<std::int64_t>(kEchoes.size());
        plan.model = load::ClosedModel{1};
        load::LoadRun run(core, plan);
        run.start();
        QVERIFY(QTest::qWaitFor([&run] { return run.ended(); }, 20000));
        QVERIFY(next >= kEchoes.size());
        const QJsonObject report = load::reportOf(run);
        VERIFY_NO_LEAK(QJsonDocument(report).toJson() + load::tableOf(report).toUtf8(), secret.key);
    }
}

/// A password in the address of an endpoint is no key, and shown no more than one.
void TestSecretScan::addressWithPassword()
{
    const QByteArray password = "hunter2-hunter2";
    MisbehavingServer server;
    server.onRequest([](MisbehavingServer::Peer& peer) { peer.send(answer(500, "no")); });
    QUrl base = server.url(QStringLiteral("/v1"));
    base.setUserName(QStringLiteral("user"));
    base.setPassword(QString::fromLatin1(password));
    base.setQuery(QStringLiteral("key=") + QString::fromLatin1(password));
    engine::Engine engine({});
    engine.run([&](engine::EngineCore& core) {
        core.apply(workspaceOn(base), {}, {}, [](const workspace::KeyRef&) { return QByteArray("key-0001"); });
    });
    engine::Watcher watcher(engine);
    provider::ChatRequest request;
    request.messages = {{"user", QStringLiteral("hello")}};
    const auto id = watcher.send({engine::TargetKind::Endpoint, "only"}, request);
    engine::WatchViewPtr view;
    QVERIFY(QTest::qWaitFor([&] {
        view = watcher.view(id);
        return view && !view->running;
    }));
    VERIFY_NO_LEAK(chain::toJson(view->record) + toJson(*view) + toCurl(*view, 1).toUtf8(), password);
    for (const engine::WatchTarget& target : watcher.targets())
        VERIFY_NO_LEAK(target.unusable.toUtf8(), password);
}

void TestSecretScan::commandLineTellsNoKey_data()
{
    QTest::addColumn<QByteArray>("key");
    for (const Secret& secret : {kSecrets.front(), kSecrets[kSecrets.size() - 2], kSecrets.back()})
        QTest::newRow(secret.form) << secret.key;
}

void TestSecretScan::commandLineTellsNoKey()
{
    QFETCH(QByteArray, key);
    MisbehavingServer server;
    std::size_t next = 0;
    server.onRequest([&](MisbehavingServer::Peer& peer) {
        peer.send(kEchoes[next++ % kEchoes.size()].bytes(key));
        peer.close();
    });
    test::Cli cli;
    cli.environment.insert(QStringLiteral("SCAN_KEY"), QString::fromUtf8(key));
    cli.environment.insert(QStringLiteral("QT_LOGGING_RULES"), QStringLiteral("*=true"));
    const QByteArray proxy = "http://user:" + key.toPercentEncoding() + "@127.0.0.1:1";
    cli.environment.insert(QStringLiteral("https_proxy"), QString::fromLatin1(proxy));
    cli.write(QStringLiteral("w.json"), test::workspaceWith(server.url(QStringLiteral("/v1")).toString(),
                                                            R"(,"key":{"source":"environment","name":"SCAN_KEY"})"));
    const QString count = QString::number(kEchoes.size());
    const auto load = [&](const QStringList& more) {
        QProcess process;
        cli.begin(process, QStringList{QStringLiteral("load"), QStringLiteral("--workspace"), QStringLiteral("w.json"),
                                       QStringLiteral("--endpoint"), QStringLiteral("x"), QStringLiteral("--requests"),
                                       count, QStringLiteral("--concurrency"), QStringLiteral("2")} +
                               more);
        // The server is in this thread: its event loop must run while the program does.
        if (!QTest::qWaitFor([&process] { return process.state() == QProcess::NotRunning; }, 60000))
            process.kill();
        return test::Cli::end(process);
    };
    const test::CliResult table = load({QStringLiteral("--report"), QStringLiteral("r.json")});
    QVERIFY2(next > 0, table.told().constData());
    QVERIFY(!cli.read(QStringLiteral("r.json")).isEmpty());
    VERIFY_NO_LEAK(table.told() + cli.read(QStringLiteral("r.json")), key);
    const test::CliResult asJson = load({QStringLiteral("--json"), QStringLiteral("--whole")});
    VERIFY_NO_LEAK(asJson.told(), key);

    // A recording knows no stored keys: what has the form of one, or stands where one does, is hidden.
    for (const Echo& echo : kEchoes) {
        const QByteArray reply = echo.bytes(key);
        if (!hasForm(key) && !QByteArray(echo.name).contains("address"))
            continue;
        cli.write(QStringLiteral("answer.http"), reply);
        const test::CliResult told = cli.run({QStringLiteral("explain"), QStringLiteral("answer.http")});
        const QByteArray leak = leakIn(told.told(), key);
        QVERIFY2(leak.isEmpty(), QByteArray(echo.name + (": " + leak)).constData());
    }

    // A key that somebody wrote into the file itself is found and not repeated.
    cli.write(
        QStringLiteral("k.json"),
        test::workspaceWith(QStringLiteral("https://h.test/v1?api_key=") + QString::fromUtf8(key.toPercentEncoding()),
                            R"(,"key":)" + jsonString(key) + R"(,"api_key":)" + jsonString(key)));
    for (const QStringList& more : {QStringList{}, QStringList{QStringLiteral("--json")}})
        VERIFY_NO_LEAK(cli.run(QStringList{QStringLiteral("check"), QStringLiteral("k.json")} + more).told(), key);
    VERIFY_NO_LEAK(cli.run({QStringLiteral("load"), QStringLiteral("--workspace"), QStringLiteral("k.json"),
                            QStringLiteral("--requests"), QStringLiteral("1")})
                       .told(),
                   key);
}

/// A key with a line end in it is refused, with words that do not repeat it.
void TestSecretScan::keyThatCannotBeSent()
{
    test::Cli cli;
    cli.environment.insert(QStringLiteral("SCAN_KEY"), QStringLiteral("correct-horse\r\nX-Evil: battery"));
    cli.write(QStringLiteral("w.json"), test::workspaceWith(QStringLiteral("http://127.0.0.1:1/v1"),
                                                            R"(,"key":{"source":"environment","name":"SCAN_KEY"})"));
    const test::CliResult result =
        cli.run({QStringLiteral("load"), QStringLiteral("--workspace"), QStringLiteral("w.json"),
                 QStringLiteral("--requests"), QStringLiteral("1")});
    QVERIFY(result.code > 0);
    QVERIFY2(!result.told().contains("correct-horse") && !result.told().contains("battery"), result.told().constData());
}

QTEST_GUILESS_MAIN(TestSecretScan)
#include "tst_secret_scan.moc"
