// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/watch_desk.h"

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace sg;
using namespace sg::test;
using engine::WatchViewPtr;

namespace {

const QString kNasty =
    QStringLiteral("it's 'quoted' \"twice\"\nnew line\ttab \\ back \\' $HOME `id` $(id) !! %s é “日本” ;|&<>*?~#");

engine::WatchView viewWith(engine::AttemptTrace trace)
{
    engine::WatchView view;
    view.traces.push_back(std::move(trace));
    return view;
}

engine::AttemptTrace simpleTrace()
{
    engine::AttemptTrace trace;
    trace.method = "POST";
    trace.url = "https://host.test/v1/chat/completions";
    trace.requestHeaders = {{"Content-Type", "application/json"}, {"Authorization", "Bearer ***"}};
    trace.requestBody = "{}";
    return trace;
}

/// Runs the command in a shell and waits for its end, with this thread's events going on.
QByteArray runInShell(const QString& command, const QStringList& variables, const QString& pathFirst = {})
{
    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString& variable : variables)
        environment.insert(variable.section(QLatin1Char('='), 0, 0), variable.section(QLatin1Char('='), 1));
    if (!pathFirst.isEmpty())
        environment.insert(QStringLiteral("PATH"),
                           pathFirst + QLatin1Char(':') + environment.value(QStringLiteral("PATH")));
    environment.insert(QStringLiteral("NO_PROXY"), QStringLiteral("*"));
    shell.setProcessEnvironment(environment);
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), command});
    if (!QTest::qWaitFor([&] { return shell.state() == QProcess::NotRunning; }, 20000)) {
        shell.kill();
        shell.waitForFinished();
        return "did not end";
    }
    return shell.readAllStandardOutput();
}

class TestCurl : public QObject
{
    Q_OBJECT

    /// The words a shell makes of the command, curl itself not among them.
    QList<QByteArray> wordsOf(const QString& command, const QStringList& variables)
    {
        QFile fake(folder_.filePath(QStringLiteral("curl")));
        if (!fake.exists()) {
            if (!fake.open(QFile::WriteOnly))
                return {};
            fake.write("#!/bin/sh\nfor word in \"$@\"; do printf '%s\\0' \"$word\"; done\n");
            fake.close();
            fake.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        }
        QList<QByteArray> words = runInShell(command, variables, folder_.path()).split('\0');
        words.removeLast(); // after the last separator
        return words;
    }
    QTemporaryDir folder_;

private Q_SLOTS:
    void aShellReadsTheWordsAsTheyWereSent()
    {
        engine::AttemptTrace trace = simpleTrace();
        trace.url = "https://host.test/v1/it's?a=b&c=$HOME";
        trace.requestHeaders.emplace_back("X-Note", "it's $HOME");
        trace.requestBody = kNasty.toUtf8();
        trace.keyVariable = "OPENAI_API_KEY";
        const QString command = engine::toCurl(viewWith(trace), 1);
        const QList<QByteArray> words = wordsOf(command, {QStringLiteral("OPENAI_API_KEY=sk-test-0001 $x'\"")});
        const QList<QByteArray> expected{"https://host.test/v1/it's?a=b&c=$HOME",
                                         "-H",
                                         "Content-Type: application/json",
                                         "-H",
                                         "Authorization: Bearer sk-test-0001 $x'\"",
                                         "-H",
                                         "X-Note: it's $HOME",
                                         "--data-raw",
                                         kNasty.toUtf8()};
        QCOMPARE(words, expected);
    }

    void withoutAKnownVariableItIsApiKey()
    {
        const QList<QByteArray> words =
            wordsOf(engine::toCurl(viewWith(simpleTrace()), 1), {QStringLiteral("API_KEY=sk-test-0002")});
        QVERIFY(words.contains("Authorization: Bearer sk-test-0002"));
    }

    void aKeyInTheAddressIsTheVariableToo()
    {
        engine::AttemptTrace trace = simpleTrace();
        trace.url = "https://host.test/v1?key=***&alt=sse";
        const QList<QByteArray> words =
            wordsOf(engine::toCurl(viewWith(trace), 1), {QStringLiteral("API_KEY=sk-test-0002")});
        QCOMPARE(words.value(0), QByteArray("https://host.test/v1?key=sk-test-0002&alt=sse"));
    }

    void streamsAreNotBuffered()
    {
        engine::AttemptTrace trace = simpleTrace();
        QVERIFY(!engine::toCurl(viewWith(trace), 1).contains(QLatin1String("-N")));
        trace.requestBody = "{\"stream\":true}";
        QVERIFY(engine::toCurl(viewWith(trace), 1).startsWith(QLatin1String("curl -N ")));
        trace.requestBody = "{}";
        trace.url = "https://host.test/v1beta/models/m:streamGenerateContent?alt=sse";
        QVERIFY(engine::toCurl(viewWith(trace), 1).startsWith(QLatin1String("curl -N ")));
    }

    void cookiesAreLeftOutAndUnknownAttemptsGiveNothing()
    {
        engine::AttemptTrace trace = simpleTrace();
        trace.requestHeaders.emplace_back("Cookie", "***");
        QVERIFY(!engine::toCurl(viewWith(trace), 1).contains(QLatin1String("ookie")));
        QVERIFY(engine::toCurl(viewWith(trace), 2).isEmpty());
        QVERIFY(engine::toCurl(engine::WatchView{}, 1).isEmpty());
    }

    void realCurlSendsTheSameRequest_data()
    {
        QTest::addColumn<bool>("stream");
        QTest::newRow("whole") << false;
        QTest::newRow("stream") << true;
    }
    void realCurlSendsTheSameRequest()
    {
        QFETCH(bool, stream);
        if (QStandardPaths::findExecutable(QStringLiteral("curl")).isEmpty())
            QSKIP("curl is not installed");
        WatchDesk desk;
        desk.request.messages = {{"user", kNasty}};
        std::vector<http::ServerRequest> came;
        desk.server.on("first", [&](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
            came.push_back(request);
            (stream ? ChatServer::streams({"Hel", "lo"}) : ChatServer::answers("Hello"))(request, responder);
        });
        const WatchViewPtr view = desk.run(stream);
        QVERIFY(view);
        const QByteArray answer = runInShell(engine::toCurl(*view, 1) + QStringLiteral(" --silent --max-time 10"),
                                             {QStringLiteral("WATCH_KEY=") + QLatin1String(WatchDesk::kKey)});
        QCOMPARE(came.size(), std::size_t(2));
        QCOMPARE(came[1].method, came[0].method);
        QCOMPARE(came[1].target, came[0].target);
        QCOMPARE(came[1].body, came[0].body);
        for (const char* header : {"authorization", "content-type", "accept"})
            QCOMPARE(http::headerValue(came[1].headers, header), http::headerValue(came[0].headers, header));
        QCOMPARE(answer, view->traces.front().raw);
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestCurl)
#include "tst_curl.moc"
