// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QProcess>
#include <QStandardPaths>
#include <QString>
#include <QStringList>

/// Prometheus' own checker, where the machine has it.
namespace sg::test {

inline QString promtool()
{
    return QStandardPaths::findExecutable(QStringLiteral("promtool"));
}

/// What it complains about; empty: nothing.
inline QString promtoolSays(const QStringList& arguments, const QByteArray& input = {})
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(promtool(), arguments);
    if (!process.waitForStarted())
        return QStringLiteral("promtool did not start");
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(30'000)) {
        process.kill();
        process.waitForFinished();
        return QStringLiteral("promtool did not end");
    }
    const QString said = QString::fromUtf8(process.readAll());
    const bool fine = process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
    return fine ? QString() : QStringLiteral("exit code %1\n%2").arg(process.exitCode()).arg(said);
}

} // namespace sg::test
