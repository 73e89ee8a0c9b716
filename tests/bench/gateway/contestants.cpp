// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/gateway/contestants.h"
#include "tests/support/http_wire.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTcpServer>
#include <QThread>

#include <csignal>
#include <cstdio>
#include <sys/prctl.h>
#include <unistd.h>

namespace sg::bench {

namespace {

constexpr int kStartMs = 30000;
/// As many threads of HTTP as it likes, and no key of anybody's.
const QByteArray kNoKey = "Authorization: Bearer sk-test-0001\r\n";

QByteArray readAll(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

quint16 freePort()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    return server.serverPort();
}

void writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        giveUp(QStringLiteral("%1 cannot be written").arg(path));
}

} // namespace

void giveUp(const QString& words)
{
    std::fprintf(stderr, "%s\n", qPrintable(words));
    std::exit(2);
}

Usage usageOf(qint64 pid)
{
    const QString folder = QStringLiteral("/proc/%1/").arg(pid);
    const QByteArray stat = readAll(folder + QStringLiteral("stat"));
    const QByteArrayList fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
    Usage usage;
    if (fields.size() < 22)
        return usage;
    const double tickUs = 1e6 / double(::sysconf(_SC_CLK_TCK));
    usage.cpuUs = (fields[11].toDouble() + fields[12].toDouble()) * tickUs;
    usage.rssMib = fields[21].toDouble() * double(::sysconf(_SC_PAGESIZE)) / (1024 * 1024);
    usage.descriptors = int(
        QDir(folder + QStringLiteral("fd")).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot).size());
    return usage;
}

Contestant::~Contestant()
{
    if (process_.state() == QProcess::NotRunning)
        return;
    process_.terminate();
    if (!process_.waitForFinished(5000)) {
        process_.kill();
        process_.waitForFinished(5000);
    }
}

std::optional<QJsonObject> Contestant::startForJson(const QString& program, const QStringList& arguments)
{
    process_.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGTERM); }); // nothing stays behind a Ctrl+C
    process_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process_.start(program, arguments, QIODevice::ReadOnly);
    QByteArray said;
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < kStartMs && process_.waitForReadyRead(1000) | (process_.state() == QProcess::Running)) {
        said += process_.readAllStandardOutput();
        const QJsonDocument document = QJsonDocument::fromJson(said);
        if (document.isObject())
            return document.object();
    }
    return std::nullopt;
}

Direct::Direct(const QString& cli, const QByteArray& script)
    : Contestant(QStringLiteral("direct"))
{
    const QString file = folder_.filePath(QStringLiteral("script.json"));
    writeFile(file, script);
    const auto said = startForJson(cli, {QStringLiteral("simulate"), file, QStringLiteral("--json")});
    if (!said)
        giveUp(QStringLiteral("the simulator did not start"));
    port_ = quint16(said->value(QStringLiteral("port")).toInt());
}

Ask Direct::ask(const QByteArray& endpoint, const QByteArray& body) const
{
    return {port_, test::requestBytes("POST", "/" + endpoint.toStdString() + "/v1/chat/completions",
                                      kNoKey.toStdString(), body.toStdString())};
}

Ours::Ours(const QString& cli, quint16 simulator, const QByteArrayList& names, const QString& transport)
    : Contestant(QStringLiteral("switchgear, ") + transport)
{
    QJsonArray endpoints, chains;
    for (const QByteArray& bytes : names) {
        const QString name = QString::fromLatin1(bytes);
        endpoints.append(QJsonObject{
            {QStringLiteral("name"), name},
            {QStringLiteral("base_url"), QStringLiteral("http://127.0.0.1:%1/%2/v1").arg(simulator).arg(name)},
            {QStringLiteral("model"), QStringLiteral("gpt-4.1")},
            {QStringLiteral("breaker"), QStringLiteral("five-failures")}});
        chains.append(
            QJsonObject{{QStringLiteral("name"), name},
                        {QStringLiteral("tiers"), QJsonArray{QJsonObject{{QStringLiteral("endpoint"), name}}}}});
    }
    const QJsonObject workspace{{QStringLiteral("version"), 2},
                                {QStringLiteral("name"), QStringLiteral("Bench")},
                                {QStringLiteral("endpoints"), endpoints},
                                {QStringLiteral("chains"), chains},
                                {QStringLiteral("gateway"), QJsonObject{{QStringLiteral("max_in_flight"), 4096}}}};
    const QString file = folder_.filePath(QStringLiteral("workspace.json"));
    writeFile(file, QJsonDocument(workspace).toJson());
    const auto said = startForJson(cli, {QStringLiteral("serve"), file, QStringLiteral("--port"), QStringLiteral("0"),
                                         QStringLiteral("--json"), QStringLiteral("--transport"), transport});
    if (!said)
        giveUp(QStringLiteral("switchgear-cli serve did not start"));
    port_ = quint16(said->value(QStringLiteral("port")).toInt());
}

Ask Ours::ask(const QByteArray& endpoint, const QByteArray& body) const
{
    QByteArray named = body;
    named.replace("\"gpt-4.1\"", '"' + endpoint + '"');
    return {port_, test::requestBytes("POST", "/v1/chat/completions", kNoKey.toStdString(), named.toStdString())};
}

Portkey::Portkey(const QString& modules, quint16 simulator)
    : Contestant(QStringLiteral("@portkey-ai/gateway"))
    , port_(freePort())
    , simulator_(simulator)
{
    const QString folder = modules + QStringLiteral("/@portkey-ai/gateway/");
    version = QJsonDocument::fromJson(readAll(folder + QStringLiteral("package.json")))
                  .object()
                  .value(QStringLiteral("version"))
                  .toString();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("NODE_ENV"), QStringLiteral("production"));
    process_.setProcessEnvironment(environment);
    process_.setStandardOutputFile(QProcess::nullDevice());
    process_.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGTERM); });
    process_.start(QStringLiteral("node"),
                   {folder + QStringLiteral("build/start-server.js"), QStringLiteral("--port=%1").arg(port_),
                    QStringLiteral("--headless")},
                   QIODevice::ReadOnly);
    QElapsedTimer clock;
    clock.start();
    for (int fd = -1; fd < 0; fd = test::connectTo(port_)) {
        if (clock.elapsed() > kStartMs || process_.waitForFinished(100))
            giveUp(QStringLiteral("@portkey-ai/gateway did not start"));
    }
}

Ask Portkey::ask(const QByteArray& endpoint, const QByteArray& body) const
{
    const QByteArray headers = kNoKey + "x-portkey-provider: openai\r\nx-portkey-custom-host: http://127.0.0.1:" +
                               QByteArray::number(simulator_) + '/' + endpoint + "/v1\r\n";
    return {port_, test::requestBytes("POST", "/v1/chat/completions", headers.toStdString(), body.toStdString())};
}

} // namespace sg::bench
