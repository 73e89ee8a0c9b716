// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

namespace sg::test {

/// How a run of switchgear-cli ended.
struct CliResult
{
    int code = -1; ///< -1: it crashed or did not end
    QString out, err;
    QJsonObject json() const { return QJsonDocument::fromJson(out.toUtf8()).object(); }
    bool isInvalid() const
    {
        return code == 3 && (out.contains(QLatin1String("INVALID")) || out.contains(QLatin1String("\"invalid\"")));
    }
    QByteArray told() const { return QStringLiteral("code %1\n%2%3").arg(code).arg(out, err).toUtf8(); }
};

/// The real program in a folder of its own, without keys, proxies or settings of the machine.
class Cli
{
public:
    QTemporaryDir folder;

    Cli()
    {
        for (const char* name : {"OPENAI_API_KEY", "http_proxy", "https_proxy", "all_proxy"})
            environment.remove(QString::fromLatin1(name));
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder.path());
    }

    QString write(const QString& name, const QByteArray& bytes) const
    {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("the test cannot write its own file");
        return name;
    }
    QByteArray read(const QString& name) const
    {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    void begin(QProcess& process, const QStringList& arguments) const
    {
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(folder.path());
        process.start(program, arguments, QIODevice::ReadOnly);
    }
    static CliResult end(QProcess& process, int withinMs = 60000)
    {
        CliResult result;
        if (process.state() != QProcess::NotRunning && !process.waitForFinished(withinMs)) {
            process.kill();
            process.waitForFinished(5000);
        } else if (process.exitStatus() == QProcess::NormalExit) {
            result.code = process.exitCode();
        }
        result.out = QString::fromUtf8(process.readAllStandardOutput());
        result.err = QString::fromUtf8(process.readAllStandardError());
        return result;
    }
    CliResult run(const QStringList& arguments) const
    {
        QProcess process;
        begin(process, arguments);
        return end(process);
    }

    /// Again while it is INVALID, four times at most.
    CliResult runUntilValid(const QStringList& arguments) const
    {
        CliResult result = run(arguments);
        for (int tries = 1; tries < 4 && result.isInvalid(); ++tries)
            result = run(arguments);
        return result;
    }

    QString program = QStringLiteral(SWITCHGEAR_CLI);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
};

/// JSON written with ' for ": moc (6.4) loses its way among many raw strings.
inline QByteArray json(const char* text)
{
    return QByteArray(text).replace('\'', '"');
}

inline const QByteArray kSteady =
    R"({"version":1,"endpoints":[{"name":"steady","latency":{"kind":"constant","ms":500}}]})";
inline const QByteArray kQuick = R"({"version":1,"endpoints":[{"name":"quick","latency":{"kind":"constant","ms":5}}]})";

/// A workspace of one endpoint "x" and one chain "c". `more` is put into the endpoint.
inline QByteArray workspaceWith(const QString& baseUrl, const QByteArray& more = {})
{
    return R"({"version":1,"name":"Test","endpoints":[{"name":"x","model":"m","base_url":")" + baseUrl.toUtf8() + '"' +
           more + R"(}],"chains":[{"name":"c","tiers":[{"endpoint":"x"}]}]})";
}

/// A loopback port on which nobody listens.
inline quint16 closedPort()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    return server.serverPort();
}

#define COMPARE_CODE(result, expected)                                                                                 \
    do {                                                                                                               \
        const auto& ended = (result);                                                                                  \
        QVERIFY2(ended.code == (expected), ended.told().constData());                                                  \
    } while (false)
/// Of a load whose figures are not what is tested: on a machine that has no time for it, it is INVALID, which outranks
/// what else there is to say.
#define COMPARE_LOAD_CODE(result, expected)                                                                            \
    do {                                                                                                               \
        const auto& ended = (result);                                                                                  \
        QVERIFY2(ended.code == (expected) || ended.isInvalid(), ended.told().constData());                             \
    } while (false)
/// Of a load whose verdict is tested.
#define SKIP_WHERE_INVALID(result)                                                                                     \
    if ((result).isInvalid())                                                                                          \
    QSKIP("no run of four was valid: this machine has no time for it")
#define VERIFY_SAYS(result, text)                                                                                      \
    QVERIFY2(((result).out + (result).err).contains(QStringLiteral(text)), (result).told().constData())

} // namespace sg::test
