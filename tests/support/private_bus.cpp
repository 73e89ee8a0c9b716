// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/private_bus.h"

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

namespace sg::testing {

namespace {

constexpr int kPatience = 60000;

QString startOf(Keyring keyring)
{
    switch (keyring) {
    case Keyring::Unlocked:
        return QStringLiteral(
            "mkfifo \"$HOME/pw\"; gnome-keyring-daemon --foreground --unlock --components=secrets <\"$HOME/pw\" "
            ">/dev/null 2>&1 & SG_KEYRING_PID=$!; export SG_KEYRING_PID; printf pw >\"$HOME/pw\"; "
            "until [ -e \"$XDG_DATA_HOME/keyrings/login.keyring\" ]; do sleep 0.05; done; ");
    case Keyring::Locked:
        return QStringLiteral(
            "echo -n pw | gnome-keyring-daemon --foreground --unlock --components=secrets >/dev/null 2>&1 & first=$!; "
            "until [ -e \"$XDG_DATA_HOME/keyrings/login.keyring\" ]; do sleep 0.05; done; kill $first; wait $first; "
            "gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1; ");
    case Keyring::None:
    case Keyring::NoBus:
        break;
    }
    return {};
}

QProcessEnvironment environmentIn(const QTemporaryDir& home)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("SG_PRIVATE_BUS"), QStringLiteral("1"));
    environment.insert(QStringLiteral("HOME"), home.path());
    environment.insert(QStringLiteral("XDG_DATA_HOME"), home.filePath(QStringLiteral("data")));
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), home.path());
    environment.insert(QStringLiteral("XDG_CURRENT_DESKTOP"), QStringLiteral("GNOME"));
    environment.remove(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"));
    return environment;
}

bool has(const char* program)
{
    return !QStandardPaths::findExecutable(QString::fromLatin1(program)).isEmpty();
}

} // namespace

int runOnPrivateBus(const char* test, Keyring keyring)
{
    const QTemporaryDir home;
    QProcess process;
    process.setProcessEnvironment(environmentIn(home));
    process.setProcessChannelMode(QProcess::ForwardedChannels);
    const QString program = QCoreApplication::applicationFilePath();
    const QString name = QString::fromLatin1(test);
    if (keyring == Keyring::NoBus) {
        process.start(program, {name});
    } else {
        const QString configuration = home.filePath(QStringLiteral("bus.conf"));
        QFile file(configuration);
        if (!file.open(QIODevice::WriteOnly))
            return -1;
        file.write("<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><policy context=\"default\">"
                   "<allow send_destination=\"*\" eavesdrop=\"true\"/><allow eavesdrop=\"true\"/><allow own=\"*\"/>"
                   "</policy></busconfig>");
        file.close();
        process.start(QStringLiteral("dbus-run-session"),
                      {QStringLiteral("--config-file=") + configuration, QStringLiteral("--"), QStringLiteral("sh"),
                       QStringLiteral("-c"), startOf(keyring) + QStringLiteral("exec \"$0\" \"$1\""), program, name});
    }
    if (!process.waitForFinished(kPatience)) {
        process.kill();
        process.waitForFinished();
        return -1;
    }
    return process.exitCode();
}

bool isOnPrivateBus()
{
    return qEnvironmentVariableIsSet("SG_PRIVATE_BUS");
}

QString missingForPrivateBus(Keyring keyring)
{
    if (keyring == Keyring::NoBus)
        return {};
    if (!has("dbus-run-session"))
        return QStringLiteral("dbus-run-session is not installed");
    if (keyring != Keyring::None && !has("gnome-keyring-daemon"))
        return QStringLiteral("gnome-keyring-daemon is not installed");
    return {};
}

} // namespace sg::testing
