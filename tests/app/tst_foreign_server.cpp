// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_core.h"
#include "core/provider/answer_reader.h"
#include "tests/support/word.h"

#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

using namespace sg;
using test::word;

namespace {

// An OpenAI-compatible server by other people, without dependencies of its own (MIT). Pinned: its answers are compared.
const QString kPackage = QStringLiteral("@copilotkit/aimock");
const QString kVersion = QStringLiteral("1.43.0");
constexpr int kInstallMs = 60000;

QString installFolder()
{
    return QStringLiteral(SWITCHGEAR_BUILD_DIR "/foreign-server");
}

QString serverProgram()
{
    return installFolder() + QStringLiteral("/node_modules/") + kPackage + QStringLiteral("/dist/cli.js");
}

/// Why the server is not to be had; nothing when it is installed.
std::optional<QString> install()
{
    if (QStandardPaths::findExecutable(QStringLiteral("node")).isEmpty())
        return QStringLiteral("node is not installed");
    QProcess node;
    node.start(QStringLiteral("node"), {QStringLiteral("--version")});
    node.waitForFinished(10000);
    const QString version = QString::fromLatin1(node.readAllStandardOutput()).trimmed();
    if (version.mid(1).section(QLatin1Char('.'), 0, 0).toInt() < 20)
        return QStringLiteral("node %1 is too old, 20 is needed").arg(version);
    if (QFile::exists(serverProgram()))
        return std::nullopt;
    if (QStandardPaths::findExecutable(QStringLiteral("npm")).isEmpty())
        return QStringLiteral("npm is not installed");
    QDir().mkpath(installFolder());
    QProcess npm;
    npm.setWorkingDirectory(installFolder());
    npm.start(QStringLiteral("npm"),
              {QStringLiteral("install"), QStringLiteral("--prefix"), QStringLiteral("."), QStringLiteral("--no-save"),
               QStringLiteral("--ignore-scripts"), QStringLiteral("--no-audit"), QStringLiteral("--no-fund"),
               QStringLiteral("--fetch-retries=0"), kPackage + QLatin1Char('@') + kVersion},
              QIODevice::ReadOnly);
    if (!npm.waitForFinished(kInstallMs)) {
        npm.kill();
        npm.waitForFinished(5000);
        return QStringLiteral("npm did not install %1 within %2 s").arg(kPackage).arg(kInstallMs / 1000);
    }
    if (!QFile::exists(serverProgram()))
        return QStringLiteral("npm could not install %1: %2")
            .arg(kPackage, QString::fromUtf8(npm.readAllStandardError()).section(QLatin1Char('\n'), 0, 1));
    return std::nullopt;
}

/// What a request came to, copied out of its callbacks.
struct Seen
{
    bool done = false;
    chain::RunRecord record;
    QString text, streamed;
    int deltas = 0;
    provider::Usage usage;
};

} // namespace

/// The engine against an OpenAI-compatible server that is not ours. Skipped, with the reason, where it cannot be had.
class tst_foreign_server : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (const auto reason = install())
            QSKIP(qPrintable(
                QStringLiteral("No OpenAI-compatible server that is not ours was tested: %1.").arg(*reason)));
        writeFixtures();
        QTcpServer free;
        QVERIFY(free.listen(QHostAddress::LocalHost));
        port_ = free.serverPort();
        free.close();
        server_.setProcessChannelMode(QProcess::MergedChannels);
        server_.start(QStringLiteral("node"),
                      {serverProgram(), QStringLiteral("--host"), QStringLiteral("127.0.0.1"), QStringLiteral("--port"),
                       QString::number(port_), QStringLiteral("--fixtures"),
                       folder_.filePath(QStringLiteral("fixtures.json")), QStringLiteral("--strict")},
                      QIODevice::ReadOnly);
        QVERIFY(server_.waitForStarted(10000));
        const auto isGone = [this] { return server_.state() == QProcess::NotRunning; };
        if (!QTest::qWaitFor([&] { return listens() || isGone(); }, 20000) || isGone())
            QFAIL(("the server did not start: " + server_.readAll()).constData());
    }
    void cleanupTestCase()
    {
        if (server_.state() == QProcess::NotRunning)
            return;
        server_.terminate();
        if (!server_.waitForFinished(5000)) {
            server_.kill();
            server_.waitForFinished(5000);
        }
    }

    void answers_data()
    {
        QTest::addColumn<QString>("base");
        QTest::addColumn<bool>("stream");
        for (const char* path : {"", "/", "/v1", "/v1/"}) {
            QTest::addRow("whole, base '%s'", path) << QString::fromLatin1(path) << false;
            QTest::addRow("streamed, base '%s'", path) << QString::fromLatin1(path) << true;
        }
    }
    void answers()
    {
        QFETCH(QString, base);
        QFETCH(bool, stream);
        const Seen seen = ask(QStringLiteral("hello"), stream, base);
        QCOMPARE(word(seen.record.ending), word(chain::Ending::Answered));
        QCOMPARE(seen.text, QStringLiteral("Hello from somebody else: äöü ✓"));
        QCOMPARE(seen.record.attempts, 1);
        if (stream) {
            QCOMPARE(seen.streamed, seen.text);
            QVERIFY(seen.deltas >= 1);
        }
    }

    void usageIsCounted()
    {
        const Seen seen = ask(QStringLiteral("hello"), false);
        QVERIFY(seen.usage.inputTokens && seen.usage.outputTokens);
        QCOMPARE(*seen.usage.inputTokens, 11);
        QCOMPARE(*seen.usage.outputTokens, 7);
    }

    void errors_data()
    {
        QTest::addColumn<QString>("prompt");
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("error");
        QTest::newRow("429") << QStringLiteral("too fast") << 429
                             << static_cast<int>(provider::ErrorClass::RateLimited);
        QTest::newRow("503") << QStringLiteral("broken") << 503 << static_cast<int>(provider::ErrorClass::Overloaded);
        QTest::newRow("401") << QStringLiteral("who") << 401 << static_cast<int>(provider::ErrorClass::Authentication);
    }
    void errors()
    {
        QFETCH(QString, prompt);
        QFETCH(int, status);
        QFETCH(int, error);
        for (const bool stream : {false, true}) {
            const Seen seen = ask(prompt, stream);
            QCOMPARE(word(seen.record.ending), word(chain::Ending::Failed));
            QCOMPARE(seen.record.error.status, status);
            QCOMPARE(static_cast<int>(seen.record.error.disposition.error), error);
            QCOMPARE(seen.record.error.message, std::string("Said by somebody else"));
        }
    }

private:
    void writeFixtures()
    {
        QVERIFY(folder_.isValid());
        const auto error = [](const char* prompt, int status, const char* type) {
            return QStringLiteral(
                       R"({"match":{"userMessage":"%1"},"response":{"error":{"message":"Said by somebody else",
                "type":"%2"},"status":%3}})")
                .arg(QLatin1String(prompt), QLatin1String(type))
                .arg(status);
        };
        const QString answer = QStringLiteral(R"({"match":{"userMessage":"hello"},"response":{"content":
            "Hello from somebody else: äöü ✓","usage":{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}}})");
        const QStringList all{answer, error("too fast", 429, "rate_limit_error"), error("broken", 503, "server_error"),
                              error("who", 401, "invalid_request_error")};
        QFile file(folder_.filePath(QStringLiteral("fixtures.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QStringLiteral("{\"fixtures\":[%1]}").arg(all.join(QLatin1Char(','))).toUtf8());
    }

    bool listens() const
    {
        QTcpSocket socket;
        socket.connectToHost(QHostAddress(QHostAddress::LocalHost), port_);
        return socket.waitForConnected(1000);
    }

    Seen ask(const QString& prompt, bool stream, const QString& path = QStringLiteral("/v1"))
    {
        workspace::Workspace workspace;
        workspace::Endpoint endpoint;
        endpoint.provider = QStringLiteral("openai-compatible");
        endpoint.baseUrl = QStringLiteral("http://127.0.0.1:%1%2").arg(port_).arg(path);
        endpoint.model = QStringLiteral("gpt-4.1");
        endpoint.spec.name = "foreign";
        endpoint.key = {workspace::KeySource::Environment, QStringLiteral("FOREIGN_KEY")};
        workspace.endpoints = {endpoint};
        engine::EngineCore core({});
        core.apply(workspace, {}, {}, [](const workspace::KeyRef&) { return QByteArray("sk-for-the-test-only"); });

        Seen seen;
        engine::Call call;
        call.target = {engine::TargetKind::Endpoint, "foreign"};
        call.request.messages = {{"user", prompt}};
        call.request.stream = stream;
        call.intended = http::steadyNow();
        call.onDelta = [&seen](const provider::Delta& delta, Instant) {
            seen.streamed += delta.text;
            ++seen.deltas;
        };
        call.onFinished = [&seen](const engine::CallResult& result) {
            seen.done = true;
            seen.record = result.record;
            seen.text = result.answer ? result.answer->text : QString();
            seen.usage = result.usage;
        };
        core.start(std::move(call));
        if (!QTest::qWaitFor([&] { return seen.done; }, 15000))
            QTest::qFail("the request did not end", __FILE__, __LINE__);
        return seen;
    }

    QTemporaryDir folder_;
    QProcess server_;
    quint16 port_ = 0;
};

QTEST_GUILESS_MAIN(tst_foreign_server)
#include "tst_foreign_server.moc"
