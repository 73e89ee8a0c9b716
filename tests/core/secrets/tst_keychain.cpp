// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on a private session bus of its own, so that it never meets the keychain of whoever runs the tests.
#include "core/secrets/secret_store.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace sg::secrets;

namespace {

constexpr int kPatience = 30000;
const QByteArray kKey = "sk-proj-Ab12Cd34Ef56Gh78";

template <typename Result, typename Start>
std::optional<Result> answerOf(Start start)
{
    std::optional<Result> answer;
    start([&](const Result& result) { answer = result; });
    if (!QTest::qWaitFor([&] { return answer.has_value(); }, kPatience))
        qWarning("no answer");
    return answer;
}

/// This program again, on a private bus, with a keyring daemon if asked for. The bus knows no service files, so nothing
/// is started behind the test's back.
int runOnPrivateBus(const QString& test, const QString& before)
{
    QTemporaryDir home;
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("SG_PRIVATE_BUS"), QStringLiteral("1"));
    environment.insert(QStringLiteral("HOME"), home.path());
    environment.insert(QStringLiteral("XDG_DATA_HOME"), home.filePath(QStringLiteral("data")));
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), home.path());
    environment.insert(QStringLiteral("XDG_CURRENT_DESKTOP"), QStringLiteral("GNOME"));
    environment.remove(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"));
    process.setProcessEnvironment(environment);
    const QString configuration = home.filePath(QStringLiteral("bus.conf"));
    QFile file(configuration);
    if (!file.open(QIODevice::WriteOnly))
        return -1;
    file.write("<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><policy context=\"default\">"
               "<allow send_destination=\"*\" eavesdrop=\"true\"/><allow eavesdrop=\"true\"/><allow own=\"*\"/>"
               "</policy></busconfig>");
    file.close();
    process.setProcessChannelMode(QProcess::ForwardedChannels);
    process.start(QStringLiteral("dbus-run-session"),
                  {QStringLiteral("--config-file=") + configuration, QStringLiteral("--"), QStringLiteral("sh"), QStringLiteral("-c"),
                   before + QStringLiteral("exec \"$0\" \"$1\""), QCoreApplication::applicationFilePath(), test});
    if (!process.waitForFinished(2 * kPatience)) {
        process.kill();
        process.waitForFinished();
        return -1;
    }
    return process.exitCode();
}

bool isInside()
{
    return qEnvironmentVariableIsSet("SG_PRIVATE_BUS");
}

bool has(const char* program)
{
    return !QStandardPaths::findExecutable(QString::fromLatin1(program)).isEmpty();
}

} // namespace

class TestKeychain : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void withoutAKeychain()
    {
        if (isInside())
            QSKIP("the outer test only");
        if (!has("dbus-run-session"))
            QSKIP("dbus-run-session is not installed");
        QCOMPARE(runOnPrivateBus(QStringLiteral("insideWithout"), QString()), 0);
    }

    void withAnUnlockedKeychain()
    {
        if (isInside())
            QSKIP("the outer test only");
        if (!has("dbus-run-session") || !has("gnome-keyring-daemon"))
            QSKIP("dbus-run-session or gnome-keyring-daemon is not installed");
        const QString daemon = QStringLiteral("echo -n pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null; ");
        QCOMPARE(runOnPrivateBus(QStringLiteral("insideUnlocked"), daemon), 0);
    }

    void withALockedKeychain()
    {
        if (isInside())
            QSKIP("the outer test only");
        if (!has("dbus-run-session") || !has("gnome-keyring-daemon"))
            QSKIP("dbus-run-session or gnome-keyring-daemon is not installed");
        // Made with a password, then served by a daemon that was not told it and has no screen to ask on.
        const QString daemons = QStringLiteral(
            "echo -n pw | gnome-keyring-daemon --foreground --unlock --components=secrets >/dev/null 2>&1 & first=$!; "
            "until [ -e \"$XDG_DATA_HOME/keyrings/login.keyring\" ]; do sleep 0.05; done; kill $first; wait $first; "
            "gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1; ");
        QCOMPARE(runOnPrivateBus(QStringLiteral("insideLocked"), daemons), 0);
    }

    void insideLocked()
    {
        if (!isInside())
            QSKIP("the inner test only");
        KeychainStore store(QStringLiteral("switchgear-test"));
        const auto read = answerOf<ReadResult>([&](auto done) { store.read(QStringLiteral("a"), done); });
        QVERIFY(read && !*read);
        QVERIFY2(read->error().kind == SecretErrorKind::Locked, qPrintable(read->error().words));
        QVERIFY(!read->error().remedy.isEmpty());
    }

    void insideWithout()
    {
        if (!isInside())
            QSKIP("the inner test only");
        KeychainStore store(QStringLiteral("switchgear-test"));
        const auto read = answerOf<ReadResult>([&](auto done) { store.read(QStringLiteral("a"), done); });
        QVERIFY(read && !*read);
        QVERIFY2(read->error().kind == SecretErrorKind::Absent, qPrintable(read->error().words));
        QVERIFY(!read->error().words.isEmpty() && !read->error().remedy.isEmpty());
        const auto works = answerOf<WriteResult>([&](auto done) { store.check(done); });
        QVERIFY(works && !*works);
        QVERIFY(works->error().kind == SecretErrorKind::Absent);
    }

    void insideUnlocked()
    {
        if (!isInside())
            QSKIP("the inner test only");
        KeychainStore store(QStringLiteral("switchgear-test"));
        const QString name = QStringLiteral("openai");
        const auto missing = answerOf<ReadResult>([&](auto done) { store.read(name, done); });
        QVERIFY(missing && !*missing);
        QVERIFY2(missing->error().kind == SecretErrorKind::Missing, qPrintable(missing->error().words));
        const auto refused = answerOf<WriteResult>([&](auto done) { store.write(name, Secret("sk-xxx"), done); });
        QVERIFY(refused && !*refused);
        QVERIFY(refused->error().kind == SecretErrorKind::Malformed);
        const auto written = answerOf<WriteResult>([&](auto done) { store.write(name, Secret(kKey), done); });
        QVERIFY(written && *written);
        const auto found = answerOf<ReadResult>([&](auto done) { store.read(name, done); });
        QVERIFY(found && *found);
        QCOMPARE((*found)->reveal(), kKey);
        const auto works = answerOf<WriteResult>([&](auto done) { store.check(done); });
        QVERIFY(works && *works);
        for (int i = 0; i < 2; ++i) { // the second time it is not there any more, which is fine
            const auto removed = answerOf<WriteResult>([&](auto done) { store.remove(name, done); });
            QVERIFY(removed && *removed);
        }
        const auto gone = answerOf<ReadResult>([&](auto done) { store.read(name, done); });
        QVERIFY(gone && !*gone);
        QVERIFY(gone->error().kind == SecretErrorKind::Missing);
    }
};

QTEST_GUILESS_MAIN(TestKeychain)
#include "tst_keychain.moc"
