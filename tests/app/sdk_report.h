// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/app/gateway_rig.h"

#include <QStandardPaths>

#include <optional>

/// Clients that are not ours: how they are got, and what they say of a gateway.
namespace sg::test {

constexpr int kFetchMs = 120000;

inline bool isInstalled(const char* program)
{
    return !QStandardPaths::findExecutable(QString::fromLatin1(program)).isEmpty();
}

inline QString clientsFolder(const char* language)
{
    return QStringLiteral(SWITCHGEAR_SOURCE_DIR "/tests/clients/") + QLatin1String(language);
}

/// Runs a program that fetches something; empty, or why there is nothing.
inline QString fetch(const QString& folder, const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(program, arguments, QIODevice::ReadOnly);
    if (!process.waitForFinished(kFetchMs)) {
        process.kill();
        process.waitForFinished(5000);
        return QStringLiteral("%1 did not end within %2 s").arg(program).arg(kFetchMs / 1000);
    }
    const QString words = QString::fromUtf8(process.readAllStandardError()).trimmed();
    return process.exitCode() == 0 ? QString() : program + QStringLiteral(": ") + words.left(300);
}

/// The packages that the folder's lock file names, below the build; `node_modules`, or why there are none.
inline tl::expected<QString, QString> nodeModules(const char* language)
{
    if (!isInstalled("node") || !isInstalled("npm"))
        return tl::unexpected(QStringLiteral("node or npm is not installed"));
    const QString folder = QStringLiteral(SWITCHGEAR_BUILD_DIR "/clients-") + QLatin1String(language);
    QDir().mkpath(folder);
    const QString lock = QStringLiteral("package-lock.json"), own = folder + QStringLiteral("/node_modules");
    const auto bytesOf = [](const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QString wanted = clientsFolder(language) + QLatin1Char('/');
    const bool isThere = QDir(own).exists() && bytesOf(folder + QLatin1Char('/') + lock) == bytesOf(wanted + lock);
    if (isThere)
        return own;
    for (const QString& name : {lock, QStringLiteral("package.json")}) {
        QFile::remove(folder + QLatin1Char('/') + name);
        QFile::copy(wanted + name, folder + QLatin1Char('/') + name);
    }
    const QString problem =
        fetch(folder, QStringLiteral("npm"),
              {QStringLiteral("ci"), QStringLiteral("--ignore-scripts"), QStringLiteral("--no-audit"),
               QStringLiteral("--no-fund"), QStringLiteral("--fetch-retries=0")});
    if (!problem.isEmpty()) {
        QFile::remove(folder + QLatin1Char('/') + lock);
        return tl::unexpected(problem);
    }
    return own;
}

/// A Python that has the SDK: the machine's, or one below the build; or why there is none.
inline tl::expected<QString, QString> pythonWithSdk()
{
    const QString python = QStringLiteral("python3");
    if (!isInstalled("python3"))
        return tl::unexpected(QStringLiteral("python3 is not installed"));
    const QStringList probe{QStringLiteral("-c"), QStringLiteral("import openai")};
    if (fetch(QDir::tempPath(), python, probe).isEmpty())
        return python;
    const QString folder = QStringLiteral(SWITCHGEAR_BUILD_DIR "/clients-python");
    const QString own = folder + QStringLiteral("/bin/python3");
    if (QFile::exists(own) && fetch(folder, own, probe).isEmpty())
        return own;
    QString problem = fetch(QDir::tempPath(), python, {QStringLiteral("-m"), QStringLiteral("venv"), folder});
    if (problem.isEmpty())
        problem = fetch(folder, own,
                        {QStringLiteral("-m"), QStringLiteral("pip"), QStringLiteral("install"),
                         QStringLiteral("--quiet"), QStringLiteral("--retries=0"), QStringLiteral("-r"),
                         clientsFolder("python") + QStringLiteral("/requirements.txt")});
    if (!problem.isEmpty())
        return tl::unexpected(problem);
    return own;
}

/// Two gateways, one that asks for a token, and a script that runs its checks against them.
class SdkReport
{
public:
    static constexpr const char* kToken = "sgt-test-0123456789abcdef";

    /// Empty, or why there is no report.
    QString run(const QString& program, const QStringList& arguments, const QString& modules)
    {
        if (const QString problem = open_.serve(); !problem.isEmpty())
            return problem;
        locked_.cli.environment.insert(QStringLiteral("SWITCHGEAR_TEST_TOKEN"), QLatin1String(kToken));
        const QJsonObject token{{QStringLiteral("token"), QStringLiteral("${SWITCHGEAR_TEST_TOKEN}")}};
        if (const QString problem = locked_.serve(token); !problem.isEmpty())
            return problem;
        const QJsonObject settings{{QStringLiteral("url"), open_.url()},
                                   {QStringLiteral("locked"), locked_.url()},
                                   {QStringLiteral("token"), QLatin1String(kToken)},
                                   {QStringLiteral("simulator"), open_.simulatorUrl()},
                                   {QStringLiteral("modules"), modules}};
        QProcess process;
        process.setProcessEnvironment(open_.cli.environment);
        process.start(
            program, arguments + QStringList{QString::fromUtf8(QJsonDocument(settings).toJson(QJsonDocument::Compact))},
            QIODevice::ReadOnly);
        const CliResult result = Cli::end(process, 120000);
        checks = QJsonDocument::fromJson(result.out.toUtf8()).array();
        return result.code == 0 && !checks.isEmpty() ? QString() : QString::fromUtf8(result.told());
    }

    void addRows() const
    {
        QTest::addColumn<QString>("problem");
        for (const QJsonValue& check : checks)
            QTest::newRow(check[QStringLiteral("name")].toString().toUtf8().constData())
                << check[QStringLiteral("problem")].toString();
    }

    QJsonArray checks;

private:
    GatewayRig open_, locked_;
};

} // namespace sg::test
