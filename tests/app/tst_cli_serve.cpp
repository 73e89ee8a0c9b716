// SPDX-License-Identifier: GPL-3.0-or-later
// switchgear-cli serve as scripts and service managers use it: a real process, found by the line it prints.
#include "tests/app/cli_process.h"
#include "tests/app/serve_client.h"

#include <QElapsedTimer>
#include <QStandardPaths>

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <functional>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

using namespace sg::test;

namespace {

constexpr int kWaitMs = 30000;

/// A stream of `tokens` tokens, 20 ms apart, from the simulator.
QByteArray workspace(const char* chain, int tokens = 5, const QByteArray& gateway = {})
{
    return json("{'version':2,'name':'Served','endpoints':[{'name':'x','model':'m','base_url':'sim:slow'}],"
                "'chains':[{'name':'") +
           chain + json("','tiers':[{'endpoint':'x'}]}],") + gateway +
           json("'simulator':{'version':1,'endpoints':[{'name':'slow','ttft':{'kind':'constant','ms':5},"
                "'tokens_per_second':50,'chunk_tokens':1,'output_tokens':{'kind':'constant','tokens':") +
           QByteArray::number(tokens) + json("}}]}}");
}

/// One run of the command.
class Served
{
public:
    explicit Served(const Cli& cli, const QStringList& arguments, const std::function<void(QProcess&)>& prepare = {})
    {
        if (prepare)
            prepare(process);
        cli.begin(process, QStringList{QStringLiteral("serve")} + arguments);
        QElapsedTimer since;
        since.start();
        while (!process.canReadLine() && process.state() != QProcess::NotRunning && since.elapsed() < kWaitMs)
            process.waitForReadyRead(200);
        line = process.canReadLine() ? process.readLine() : QByteArray();
        ready = QJsonDocument::fromJson(line).object();
        port = static_cast<quint16>(ready[QLatin1String("port")].toInt());
    }
    ~Served()
    {
        if (process.state() != QProcess::NotRunning) {
            process.kill();
            process.waitForFinished(5000);
        }
    }
    void signal(int number) const { ::kill(static_cast<pid_t>(process.processId()), number); }
    bool waitForError(const QByteArray& text)
    {
        QElapsedTimer since;
        since.start();
        process.setReadChannel(QProcess::StandardError);
        while (!said.contains(text) && since.elapsed() < kWaitMs && process.state() != QProcess::NotRunning) {
            process.waitForReadyRead(200);
            said += process.readAllStandardError();
        }
        return said.contains(text);
    }

    QProcess process;
    QByteArray line, said;
    QJsonObject ready;
    quint16 port = 0;
};

QStringList onFreePort(const QString& file)
{
    return {file, QStringLiteral("--json"), QStringLiteral("--port"), QStringLiteral("0")};
}

} // namespace

class TestCliServe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void thePracticeWorkspaceIsServedWholeAndStreamed()
    {
        const Cli cli;
        Served served(
            cli, {QStringLiteral("--demo"), QStringLiteral("--json"), QStringLiteral("--port"), QStringLiteral("0")});
        QVERIFY2(served.port != 0, served.line.constData());
        QCOMPARE(served.ready[QLatin1String("url")].toString(),
                 QStringLiteral("http://127.0.0.1:%1/v1").arg(served.port));
        QCOMPARE(served.ready[QLatin1String("token")].toBool(true), false);
        const QString model = served.ready[QLatin1String("models")][0].toString();
        QCOMPARE(model, QStringLiteral("support"));

        ServeClient whole(served.port);
        QVERIFY(whole.begin("POST", "/v1/chat/completions", chatBody(model.toUtf8())) && whole.readToEnd());
        QVERIFY2(whole.status() == 200, whole.all().constData());
        QVERIFY(whole.all().contains("\"chat.completion\""));
        QCOMPARE(whole.header("x-switchgear-chain"), QByteArray("support"));

        ServeClient streamed(served.port);
        QVERIFY(streamed.begin("POST", "/v1/chat/completions", chatBody(model.toUtf8(), true)) && streamed.readToEnd());
        QVERIFY2(streamed.status() == 200 && streamed.all().contains("data: [DONE]"), streamed.all().constData());

        served.signal(SIGTERM);
        COMPARE_CODE(Cli::end(served.process, kWaitMs), 0);
    }

    void whatIsSaidToPeople()
    {
        const Cli cli;
        QProcess process;
        cli.write(QStringLiteral("w.json"), workspace("c"));
        cli.begin(process,
                  {QStringLiteral("serve"), QStringLiteral("w.json"), QStringLiteral("--port"), QStringLiteral("0")});
        QByteArray said;
        QElapsedTimer since;
        since.start();
        while (!said.contains("Ctrl+C") && since.elapsed() < kWaitMs && process.waitForReadyRead(kWaitMs))
            said += process.readAllStandardOutput();
        for (const char* words : {"Serves Served at http://127.0.0.1:", "Models: c, m", "none is asked for",
                                  "curl http://127.0.0.1:", "SIGHUP reads the file again"})
            QVERIFY2(said.contains(words), said.constData());
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        COMPARE_CODE(Cli::end(process, kWaitMs), 0);
    }

    void sigtermLetsAStreamEnd()
    {
        const Cli cli;
        cli.write(QStringLiteral("w.json"), workspace("c", 40));
        Served served(cli, onFreePort(QStringLiteral("w.json")) << QStringLiteral("--log"));
        QVERIFY2(served.port != 0, served.line.constData());
        ServeClient client(served.port);
        QVERIFY(client.begin("POST", "/v1/chat/completions", chatBody("c", true)));
        QVERIFY2(client.readUntil("\"content\""), client.all().constData());
        served.signal(SIGTERM);
        QVERIFY(served.waitForError("Stopping"));
        QVERIFY(client.readToEnd());
        QVERIFY2(client.all().contains("data: [DONE]"), client.all().constData());
        const CliResult last = Cli::end(served.process, kWaitMs);
        COMPARE_CODE(last, 0);
        const QString log = QString::fromUtf8(served.said) + last.err;
        QVERIFY2(log.contains(QStringLiteral(" c x 200 ")), qPrintable(log));
        QVERIFY(!log.contains(QStringLiteral("Hello")));
    }

    void theLogTellsWhateverEnds()
    {
        const Cli cli;
        cli.write(QStringLiteral("w.json"), workspace("c"));
        Served served(cli, onFreePort(QStringLiteral("w.json")) << QStringLiteral("--log"));
        const auto ask = [&](const QByteArray& path, const QByteArray& body) {
            ServeClient client(served.port);
            return client.begin("POST", path, body) && client.readToEnd();
        };
        QVERIFY(ask("/v1/chat/completions", chatBody("nobody")));
        QVERIFY2(served.waitForError(" /v1/chat/completions - - 404 "), served.said.constData());
        QVERIFY2(served.waitForError(" - model_not_found\n"), served.said.constData());
        QVERIFY(ask("/v1/chat/completions", "no JSON"));
        QVERIFY2(served.waitForError(" /v1/chat/completions - - 400 "), served.said.constData());
        QVERIFY(ask("/chat", R"({"message":"Hello"})"));
        QVERIFY2(served.waitForError(" /chat c x 200 "), served.said.constData());
        QVERIFY2(served.waitForError(" endpoint -\n"), served.said.constData());
        QVERIFY(ask("/v1/embeddings", R"({"model":"x","input":"Hello"})"));
        QVERIFY2(served.waitForError(" /v1/embeddings - x "), served.said.constData());
        QVERIFY(ask("/api/endpoints/x/trip", {}));
        QVERIFY2(served.waitForError(" 403 "), served.said.constData());
        QVERIFY2(served.waitForError(" token_needed\n"), served.said.constData());
        ServeClient leaves(served.port);
        QVERIFY(leaves.begin("POST", "/v1/chat/completions", chatBody("c", true)));
        QVERIFY(leaves.readUntil("\"content\""));
        leaves.leave();
        QVERIFY2(served.waitForError(" c x 499 "), served.said.constData());
        QVERIFY(!served.said.contains("Hello"));
        served.signal(SIGTERM);
        COMPARE_CODE(Cli::end(served.process, kWaitMs), 0);
    }

    void nobodyReadsStandardError()
    {
        const Cli cli;
        cli.write(QStringLiteral("w.json"), workspace("c", 3000));
        int ends[2] = {-1, -1};
        QVERIFY(::pipe2(ends, O_CLOEXEC) == 0);
        ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
        while (::write(ends[1], "x", 1) == 1) // full before it begins
            ;
        ::fcntl(ends[1], F_SETFL, 0);
        Served served(cli, onFreePort(QStringLiteral("w.json")) << QStringLiteral("--log"),
                      [&](QProcess& each) { each.setChildProcessModifier([&] { ::dup2(ends[1], STDERR_FILENO); }); });
        QVERIFY2(served.port != 0, served.line.constData());
        for (int i = 0; i < 20; ++i) {
            ServeClient client(served.port);
            QVERIFY(client.begin("POST", "/v1/chat/completions", chatBody("nobody")) && client.readToEnd());
            QCOMPARE(client.status(), 404);
        }
        ServeClient stream(served.port);
        QVERIFY(stream.begin("POST", "/v1/chat/completions", chatBody("c", true)));
        QVERIFY2(stream.readUntil("\"content\""), stream.all().constData());
        served.signal(SIGHUP);
        served.signal(SIGTERM);
        const auto isRefusing = [&] {
            ServeClient client(served.port);
            return !client.connectOnly();
        };
        QTRY_VERIFY(isRefusing());
        served.signal(SIGTERM);
        COMPARE_CODE(Cli::end(served.process, kWaitMs), 0);
        ::close(ends[0]);
        ::close(ends[1]);
    }

    void sighupSaysWhatDoesNotCount()
    {
        const Cli cli;
        cli.write(QStringLiteral("w.json"), workspace("c"));
        Served served(cli, onFreePort(QStringLiteral("w.json")));
        QVERIFY2(served.port != 0, served.line.constData());
        cli.write(QStringLiteral("w.json"), workspace("c", 5, json("'gateway':{'token':'${SG_NOT_SET}'},")));
        served.signal(SIGHUP);
        QVERIFY2(served.waitForError("none is asked for, as before"), served.said.constData());
        QVERIFY2(served.waitForError("own settings are.\n"), served.said.constData());
        QVERIFY2(!served.said.contains("requests go by the file"), served.said.constData());
        served.said.clear();
        cli.write(QStringLiteral("w.json"), json("{'version':2,'environment':'nope','endpoints':[],'chains':[]}"));
        served.signal(SIGHUP);
        QVERIFY2(served.waitForError("The environment is \"nope\" now"), served.said.constData());
        QVERIFY2(served.waitForError("There is no chain"), served.said.constData());
        served.signal(SIGTERM);
        COMPARE_CODE(Cli::end(served.process, kWaitMs), 0);
    }

    void aSecondSignalCutsOff()
    {
        const Cli cli;
        cli.write(QStringLiteral("w.json"), workspace("c", 3000)); // a minute
        Served served(cli, onFreePort(QStringLiteral("w.json")) << QStringLiteral("--log"));
        ServeClient stream(served.port), whole(served.port), small(served.port), events(served.port);
        QVERIFY(stream.begin("POST", "/v1/chat/completions", chatBody("c", true)));
        QVERIFY(whole.begin("POST", "/v1/chat/completions", chatBody("c")));
        QVERIFY(small.begin("POST", "/chat", R"({"message":"Hello"})"));
        QVERIFY(events.begin("GET", "/api/events"));
        QVERIFY2(stream.readUntil("\"content\""), stream.all().constData());
        QVERIFY(events.readUntil("retry:"));
        served.signal(SIGTERM);
        QVERIFY(served.waitForError("Stopping"));
        served.signal(SIGTERM);
        const CliResult last = Cli::end(served.process, kWaitMs);
        COMPARE_CODE(last, 0);
        QVERIFY(stream.readToEnd() && whole.readToEnd() && small.readToEnd() && events.readToEnd());
        QVERIFY(!stream.all().contains("data: [DONE]"));
        for (const ServeClient* client : {&stream, &whole, &small})
            QVERIFY2(client->all().contains("\"stopping\""), client->all().constData());
        for (const ServeClient* client : {&whole, &small})
            QVERIFY(client->status() == 503 && !client->header("Retry-After").isEmpty());
        for (const ServeClient* client : {&stream, &events})
            QVERIFY2(client->all().endsWith("0\r\n\r\n"), client->all().constData());
        const QString log = QString::fromUtf8(served.said) + last.err;
        QCOMPARE(log.count(QStringLiteral(" 503 ")), 3);
        QCOMPARE(log.count(QStringLiteral(" stopping\n")), 3);
    }

    void sighupReadsTheFileAgain()
    {
        const Cli cli;
        cli.write(QStringLiteral("w.json"), workspace("before"));
        Served served(cli, onFreePort(QStringLiteral("w.json")));
        QVERIFY2(served.port != 0, served.line.constData());
        const auto statusOf = [&](const char* chain) {
            ServeClient client(served.port);
            return client.begin("POST", "/v1/chat/completions", chatBody(chain)) && client.readToEnd() ? client.status()
                                                                                                       : 0;
        };
        QCOMPARE(statusOf("before"), 200);
        QCOMPARE(statusOf("after"), 404);
        cli.write(QStringLiteral("w.json"), workspace("after"));
        served.signal(SIGHUP);
        QVERIFY2(served.waitForError("Read again"), served.said.constData());
        QCOMPARE(statusOf("before"), 404);
        QCOMPARE(statusOf("after"), 200);

        cli.write(QStringLiteral("w.json"), "{\"version\":2,");
        served.signal(SIGHUP);
        QVERIFY2(served.waitForError("what served before goes on"), served.said.constData());
        QVERIFY2(served.said.contains("w.json: "), served.said.constData());
        QCOMPARE(statusOf("after"), 200);
        served.signal(SIGTERM);
        COMPARE_CODE(Cli::end(served.process, kWaitMs), 0);
    }

    void aTokenIsAskedFor()
    {
        Cli cli;
        cli.environment.insert(QStringLiteral("GATEWAY_TOKEN"), QStringLiteral("gt-test-0001-abcdef"));
        cli.write(QStringLiteral("w.json"), workspace("c", 5, json("'gateway':{'token':'${GATEWAY_TOKEN}'},")));
        Served served(cli, onFreePort(QStringLiteral("w.json")));
        QVERIFY2(served.port != 0, served.line.constData());
        QCOMPARE(served.ready[QLatin1String("token")].toBool(), true);
        QVERIFY(!served.line.contains("gt-test"));
        ServeClient without(served.port), wrong(served.port, "gt-test-0002-abcdef"),
            right(served.port, "gt-test-0001-abcdef");
        for (const auto& [client, status] :
             {std::pair(&without, 401), std::pair(&wrong, 401), std::pair(&right, 200)}) {
            QVERIFY(client->begin("POST", "/v1/chat/completions", chatBody("c")) && client->readToEnd());
            QCOMPARE(client->status(), status);
        }
    }

    void aFileWithoutTokenDoesNotOpenItToEverybody()
    {
        Cli cli;
        cli.environment.insert(QStringLiteral("GATEWAY_TOKEN"), QStringLiteral("gt-test-0001-abcdef"));
        cli.write(QStringLiteral("w.json"), workspace("before", 5, json("'gateway':{'token':'${GATEWAY_TOKEN}'},")));
        Served served(cli, onFreePort(QStringLiteral("w.json"))
                               << QStringLiteral("--listen") << QStringLiteral("0.0.0.0"));
        QVERIFY2(served.port != 0, served.line.constData());
        const auto statusOf = [&](const char* chain, const QByteArray& token) {
            ServeClient client(served.port, token);
            return client.begin("POST", "/v1/chat/completions", chatBody(chain)) && client.readToEnd() ? client.status()
                                                                                                       : 0;
        };
        QCOMPARE(statusOf("before", {}), 401);
        cli.write(QStringLiteral("w.json"), workspace("after"));
        for (int i = 0; i < 2; ++i) { // it is said each time
            served.said.clear();
            served.signal(SIGHUP);
            QVERIFY2(served.waitForError("own settings are.\n"), served.said.constData());
            QVERIFY2(served.waitForError("what was set before counts"), served.said.constData());
            QCOMPARE(statusOf("after", {}), 401);
            QCOMPARE(statusOf("after", "gt-test-0001-abcdef"), 200);
        }
        served.signal(SIGTERM);
        COMPARE_CODE(Cli::end(served.process, kWaitMs), 0);
    }

    void fewDescriptorsAreLeftForUpstreams()
    {
        const Cli cli;
        cli.write(QStringLiteral("w.json"), workspace("c"));
        Served served(cli, onFreePort(QStringLiteral("w.json")), [](QProcess& each) {
            each.setChildProcessModifier([] {
                const rlimit few{300, 300};
                ::setrlimit(RLIMIT_NOFILE, &few);
            });
        });
        QVERIFY2(served.port != 0, served.line.constData());
        std::vector<std::unique_ptr<ServeClient>> early;
        for (int i = 0; i < 20; ++i) {
            early.push_back(std::make_unique<ServeClient>(served.port));
            QVERIFY(early.back()->connectOnly());
        }
        std::vector<std::unique_ptr<QTcpSocket>> idle;
        for (int i = 0; i < 400; ++i) {
            idle.push_back(std::make_unique<QTcpSocket>());
            idle.back()->connectToHost(QStringLiteral("127.0.0.1"), served.port);
            QVERIFY(idle.back()->waitForConnected(kWaitMs));
        }
        for (const auto& client : early) // all at once
            QVERIFY(client->begin("POST", "/v1/chat/completions", chatBody("c", true)));
        for (const auto& client : early) {
            QVERIFY(client->readToEnd());
            QVERIFY2(client->status() == 200 && client->all().contains("data: [DONE]"), client->all().constData());
        }
        // Those whom there was no room for have been told so, and there is room when the others have left.
        idle.clear();
        const auto status = [&] {
            ServeClient late(served.port);
            return late.begin("POST", "/v1/chat/completions", chatBody("c")) && late.readToEnd() ? late.status() : 0;
        };
        QTRY_COMPARE(status(), 200);
        served.signal(SIGTERM);
        COMPARE_CODE(Cli::end(served.process, kWaitMs), 0);
    }

    void whatCannotBeServed()
    {
        Cli cli;
        cli.write(QStringLiteral("w.json"), workspace("c"));
        cli.write(QStringLiteral("bad.json"), json("{'version':2,'endpoints':[{'name':'a'}],'chains':[]}"));
        QTcpServer other;
        QVERIFY(other.listen(QHostAddress::LocalHost));
        const QString taken = QString::number(other.serverPort());
        const auto serve = [&](const QStringList& arguments) {
            return cli.run(QStringList{QStringLiteral("serve")} + arguments);
        };
        const QString w = QStringLiteral("w.json"), port = QStringLiteral("--port");

        const CliResult inUse = serve({w, port, taken});
        COMPARE_CODE(inUse, 2);
        QVERIFY2(inUse.err.contains(taken) && inUse.err.contains(QStringLiteral("--port N")), inUse.told().constData());

        const CliResult bad = serve({QStringLiteral("bad.json"), port, QStringLiteral("0")});
        COMPARE_CODE(bad, 2);
        VERIFY_SAYS(bad, "endpoints[0].model");
        QVERIFY(bad.out.isEmpty());

        const CliResult open =
            serve({w, port, QStringLiteral("0"), QStringLiteral("--listen"), QStringLiteral("0.0.0.0")});
        COMPARE_CODE(open, 2);
        VERIFY_SAYS(open, "without a token");

        const CliResult noToken =
            serve({w, port, QStringLiteral("0"), QStringLiteral("--token-env"), QStringLiteral("SG_NOT_SET")});
        COMPARE_CODE(noToken, 2);
        VERIFY_SAYS(noToken, "SG_NOT_SET");

        COMPARE_CODE(serve({}), 2);
        COMPARE_CODE(serve({w, QStringLiteral("--demo")}), 2);
        COMPARE_CODE(serve({w, port, QStringLiteral("65536")}), 2);
        COMPARE_CODE(serve({QStringLiteral("nowhere.json")}), 2);
    }

    void aServiceManagerIsTold()
    {
        Cli cli;
        cli.write(QStringLiteral("w.json"), workspace("c"));
        const QByteArray path = QFile::encodeName(cli.folder.filePath(QStringLiteral("notify")));
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        QVERIFY(static_cast<std::size_t>(path.size()) < sizeof address.sun_path);
        std::copy(path.begin(), path.end(), address.sun_path);
        const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        QVERIFY(bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
        const timeval most{kWaitMs / 1000, 0};
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
        const auto told = [fd] {
            QByteArray text(4096, '\0');
            const ssize_t size = recv(fd, text.data(), static_cast<std::size_t>(text.size()), 0);
            return text.left(std::max<ssize_t>(size, 0));
        };
        cli.environment.insert(QStringLiteral("NOTIFY_SOCKET"), QString::fromUtf8(path));
        Served served(cli, onFreePort(QStringLiteral("w.json")));
        QVERIFY(told().startsWith("READY=1\nSTATUS=Serves at http://127.0.0.1:"));
        served.signal(SIGHUP);
        QCOMPARE(told(), QByteArray("RELOADING=1\n"));
        QCOMPARE(told(), QByteArray("READY=1\n"));
        served.signal(SIGTERM);
        QCOMPARE(told(), QByteArray("STOPPING=1\n"));
        COMPARE_CODE(Cli::end(served.process, kWaitMs), 0);
        ::close(fd);
    }

    void theUnitIsOneThatSystemdUnderstands()
    {
        const QString analyze = QStandardPaths::findExecutable(QStringLiteral("systemd-analyze"));
        if (analyze.isEmpty())
            QSKIP("systemd-analyze is not on this machine: nobody has read the unit");
        QFile unit(QStringLiteral(SWITCHGEAR_BUILD_DIR "/packaging/switchgear.service"));
        QVERIFY(unit.open(QIODevice::ReadOnly));
        const QString program = QStringLiteral(SWITCHGEAR_CLI);
        QByteArray text = unit.readAll();
        // The program is not installed while it is tested.
        text.replace(text.mid(text.indexOf("ExecStart="), text.indexOf(" serve ") - text.indexOf("ExecStart=")),
                     "ExecStart=" + program.toUtf8());
        Cli cli;
        cli.environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), cli.folder.path());
        cli.write(QStringLiteral("switchgear.service"), text);
        QProcess process;
        process.setProcessEnvironment(cli.environment);
        process.start(analyze, {QStringLiteral("verify"), QStringLiteral("--user"), QStringLiteral("--man=no"),
                                cli.folder.filePath(QStringLiteral("switchgear.service"))});
        QVERIFY(process.waitForFinished(kWaitMs));
        const QByteArray said = process.readAllStandardError() + process.readAllStandardOutput();
        QVERIFY2(process.exitCode() == 0 && !said.contains("switchgear.service"), said.constData());
    }
};

QTEST_GUILESS_MAIN(TestCliServe)
#include "tst_cli_serve.moc"
