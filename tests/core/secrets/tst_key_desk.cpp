// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/secrets/key_desk.h"
#include "tests/support/private_bus.h"

#include <QSignalSpy>
#include <QTest>

#include <csignal>

using namespace sg::secrets;
using namespace sg::testing;

namespace {

constexpr int kPatience = 30000;
const QByteArray kKey = "sk-proj-Ab12Cd34Ef56Gh78";
const QByteArray kOther = "sk-proj-Zz98Yy87Xx76Ww65";
const QString kEntry = QStringLiteral("openai");

QByteArray named(KeyState state)
{
    static const QList<QByteArray> names{"not_needed", "ready",  "reading", "missing",
                                         "malformed",  "locked", "absent",  "denied"};
    return names[static_cast<int>(state)];
}

/// With the desk's event loop until the entry is not being read any more.
KeyStatus settled(KeyDesk& desk, const QString& name)
{
    KeyStatus status = desk.status(KeyHome::Keychain, name);
    if (!QTest::qWaitFor(
            [&] {
                status = desk.status(KeyHome::Keychain, name);
                return status.state != KeyState::Reading;
            },
            kPatience))
        qWarning("no answer");
    return status;
}

std::optional<WriteResult> storing(KeyDesk& desk, const QString& name, const QByteArray& key)
{
    std::optional<WriteResult> result;
    desk.store(KeyHome::Keychain, name, Secret(key), [&](const WriteResult& written) { result = written; });
    if (!QTest::qWaitFor([&] { return result.has_value(); }, kPatience))
        qWarning("no answer");
    return result;
}

bool leaks(const KeyStatus& status)
{
    return (status.words + status.remedy + status.name).contains(QLatin1String("Ab12Cd34"));
}

} // namespace

class TestKeyDesk : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void onPrivateBusses_data()
    {
        QTest::addColumn<QByteArray>("test");
        QTest::addColumn<Keyring>("keyring");
        QTest::newRow("no bus") << QByteArray("insideAbsent") << Keyring::NoBus;
        QTest::newRow("no service") << QByteArray("insideAbsent") << Keyring::None;
        QTest::newRow("locked") << QByteArray("insideLocked") << Keyring::Locked;
        QTest::newRow("unlocked") << QByteArray("insideUnlocked") << Keyring::Unlocked;
        QTest::newRow("killed") << QByteArray("insideKilled") << Keyring::Unlocked;
    }
    void onPrivateBusses()
    {
        QFETCH(QByteArray, test);
        QFETCH(Keyring, keyring);
        RUN_ON_PRIVATE_BUS(test.constData(), keyring);
    }

    void environment()
    {
        KeyDesk desk;
        QSignalSpy changed(&desk, &KeyControl::changed);
        const QString variable = QStringLiteral("SG_TEST_DESK_KEY");
        qunsetenv("SG_TEST_DESK_KEY");
        const KeyStatus missing = desk.status(KeyHome::Environment, variable);
        QCOMPARE(named(missing.state), named(KeyState::Missing));
        QCOMPARE(missing.name, variable);
        QVERIFY(missing.words.contains(variable) && !missing.remedy.isEmpty());
        QVERIFY(!desk.key(KeyHome::Environment, variable));

        qputenv("SG_TEST_DESK_KEY", kKey);
        QCOMPARE(named(desk.status(KeyHome::Environment, variable).state), named(KeyState::Missing)); // not asked again
        QCOMPARE(changed.count(), 0);
        desk.readAgain();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(named(desk.status(KeyHome::Environment, variable).state), named(KeyState::Ready));
        QCOMPARE(desk.key(KeyHome::Environment, variable)->reveal(), kKey);
        desk.readAgain();
        QCOMPARE(changed.count(), 1); // as it was

        qputenv("SG_TEST_DESK_KEY", "sk-proj-Ab12Cd34 Ef56Gh78");
        desk.readAgain();
        const KeyStatus malformed = desk.status(KeyHome::Environment, variable);
        QCOMPARE(named(malformed.state), named(KeyState::Malformed));
        QVERIFY(!leaks(malformed));
        QVERIFY(!desk.key(KeyHome::Environment, variable));
        qunsetenv("SG_TEST_DESK_KEY");

        std::optional<WriteResult> stored;
        desk.store(KeyHome::Environment, variable, Secret(kKey), [&](const WriteResult& result) { stored = result; });
        QVERIFY(stored && !*stored);
        QVERIFY(!stored->error().remedy.isEmpty());
        QVERIFY(!qEnvironmentVariableIsSet("SG_TEST_DESK_KEY"));
    }

    void forThisRun()
    {
        KeyDesk desk;
        QSignalSpy changed(&desk, &KeyControl::changed);
        QCOMPARE(named(desk.status(KeyHome::Session, kEntry).state), named(KeyState::Missing));
        std::optional<WriteResult> stored;
        const auto note = [&](const WriteResult& result) { stored = result; };
        desk.store(KeyHome::Session, kEntry, Secret(kKey + '\n'), note);
        QVERIFY(stored && *stored);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(named(desk.status(KeyHome::Session, kEntry).state), named(KeyState::Ready));
        QCOMPARE(desk.key(KeyHome::Session, kEntry)->reveal(), kKey);

        desk.store(KeyHome::Session, kEntry, Secret("your-key-here"), note);
        QVERIFY(!*stored);
        QVERIFY(stored->error().kind == SecretErrorKind::Malformed);
        QCOMPARE(desk.key(KeyHome::Session, kEntry)->reveal(), kKey); // the good one stays
        QCOMPARE(changed.count(), 1);

        desk.remove(KeyHome::Session, kEntry, note);
        QVERIFY(*stored);
        QCOMPARE(changed.count(), 2);
        QCOMPARE(named(desk.status(KeyHome::Session, kEntry).state), named(KeyState::Missing));
    }

    void ofAProxyMayBeShort()
    {
        KeyDesk desk;
        std::optional<WriteResult> stored;
        desk.store(KeyHome::Session, kEntry, Secret("bob:pw"), [&](const WriteResult& result) { stored = result; });
        QVERIFY(stored && *stored);
        desk.store(KeyHome::Session, kEntry, Secret("bobpw:"), [&](const WriteResult& result) { stored = result; });
        QVERIFY(!*stored);
    }

    void oddPrefixes()
    {
        KeyDesk desk;
        QSignalSpy changed(&desk, &KeyControl::changed);
        desk.store(KeyHome::Session, kEntry, Secret(kKey), [](const WriteResult&) {});
        desk.expect(KeyHome::Session, kEntry, {QStringLiteral("hs_")});
        QCOMPARE(changed.count(), 2);
        const KeyStatus odd = desk.status(KeyHome::Session, kEntry);
        QCOMPARE(named(odd.state), named(KeyState::Ready)); // a warning and no verdict
        QVERIFY(odd.isOdd);
        QVERIFY(odd.words.contains(QLatin1String("hs_")) && !odd.remedy.isEmpty() && !leaks(odd));
        desk.expect(KeyHome::Session, kEntry, {QStringLiteral("hs_"), QStringLiteral("sk-")});
        QVERIFY(!desk.status(KeyHome::Session, kEntry).isOdd);
        QCOMPARE(changed.count(), 3);
    }

    void withoutHomeOrName()
    {
        KeyDesk desk;
        QCOMPARE(named(desk.status(KeyHome::None, QString()).state), named(KeyState::NotNeeded));
        for (const KeyHome home : {KeyHome::Environment, KeyHome::Keychain, KeyHome::Session}) {
            QCOMPARE(named(desk.status(home, QStringLiteral(" ")).state), named(KeyState::Missing));
            std::optional<WriteResult> stored;
            desk.store(home, QString(), Secret(kKey), [&](const WriteResult& result) { stored = result; });
            QVERIFY(stored && !*stored);
        }
        int calls = 0;
        desk.whenIdle([&] { ++calls; });
        QCOMPARE(calls, 1);
    }

    void insideAbsent()
    {
        ONLY_INSIDE;
        KeyDesk desk(QStringLiteral("switchgear-test"));
        QSignalSpy changed(&desk, &KeyControl::changed);
        QVERIFY(desk.keychainWorks());
        QCOMPARE(named(desk.status(KeyHome::Keychain, kEntry).state), named(KeyState::Reading));
        QCOMPARE(changed.count(), 0); // nothing changes inside a question
        const KeyStatus status = settled(desk, kEntry);
        QVERIFY2(status.state == KeyState::Absent, qPrintable(status.words));
        QVERIFY(!status.words.isEmpty() && !status.remedy.isEmpty());
        QVERIFY(!desk.keychainWorks());
        QVERIFY(changed.count() > 0);

        const auto stored = storing(desk, kEntry, kKey);
        QVERIFY(stored && !*stored);
        QVERIFY(stored->error().kind == SecretErrorKind::Absent);
        QVERIFY(!(stored->error().words + stored->error().remedy).contains(QLatin1String("Ab12Cd34")));
        QVERIFY(!desk.key(KeyHome::Keychain, kEntry)); // kept nowhere else
        // The way on: it works for this run.
        std::optional<WriteResult> typed;
        desk.store(KeyHome::Session, kEntry, Secret(kKey), [&](const WriteResult& result) { typed = result; });
        QVERIFY(typed && *typed);
        QCOMPARE(desk.key(KeyHome::Session, kEntry)->reveal(), kKey);
    }

    void insideLocked()
    {
        ONLY_INSIDE;
        KeyDesk desk(QStringLiteral("switchgear-test"));
        const KeyStatus status = settled(desk, kEntry);
        QVERIFY2(status.state == KeyState::Locked, qPrintable(status.words));
        QVERIFY(!status.remedy.isEmpty());
        QVERIFY(!desk.keychainWorks());
        // Once closed, further entries open no further window.
        const KeyStatus second = settled(desk, QStringLiteral("anthropic"));
        QCOMPARE(named(second.state), named(KeyState::Locked));

        QSignalSpy changed(&desk, &KeyControl::changed);
        desk.readAgain();
        QCOMPARE(named(desk.status(KeyHome::Keychain, kEntry).state), named(KeyState::Reading));
        QCOMPARE(changed.count(), 1);
        QCOMPARE(named(settled(desk, kEntry).state), named(KeyState::Locked));
        const auto stored = storing(desk, kEntry, kKey);
        QVERIFY(stored && !*stored);
        QVERIFY(!desk.key(KeyHome::Keychain, kEntry));
    }

    void insideUnlocked()
    {
        ONLY_INSIDE;
        KeyDesk desk(QStringLiteral("switchgear-test"));
        QCOMPARE(named(settled(desk, kEntry).state), named(KeyState::Missing));
        QVERIFY(desk.keychainWorks());
        QSignalSpy changed(&desk, &KeyControl::changed);
        const auto stored = storing(desk, kEntry, kKey);
        QVERIFY(stored && *stored);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(named(desk.status(KeyHome::Keychain, kEntry).state), named(KeyState::Ready));
        QCOMPARE(desk.key(KeyHome::Keychain, kEntry)->reveal(), kKey);

        KeyDesk next(QStringLiteral("switchgear-test")); // as the next start finds it
        QCOMPARE(named(next.key(KeyHome::Keychain, kEntry).error().state), named(KeyState::Reading));
        QCOMPARE(named(settled(next, kEntry).state), named(KeyState::Ready));
        QCOMPARE(next.key(KeyHome::Keychain, kEntry)->reveal(), kKey);

        // What another program puts there is found when asked again, and used until then.
        KeychainStore directly(QStringLiteral("switchgear-test"));
        std::optional<WriteResult> written;
        directly.write(kEntry, Secret(kOther), [&](const WriteResult& result) { written = result; });
        QVERIFY(QTest::qWaitFor([&] { return written.has_value(); }, kPatience) && *written);
        QCOMPARE(next.key(KeyHome::Keychain, kEntry)->reveal(), kKey);
        next.readAgain();
        QCOMPARE(named(next.status(KeyHome::Keychain, kEntry).state), named(KeyState::Ready));
        QVERIFY(QTest::qWaitFor([&] { return next.key(KeyHome::Keychain, kEntry)->reveal() == kOther; }, kPatience));

        // Orders are done in their order, and the last one stands.
        int done = 0;
        for (const QByteArray& key : {kOther, kKey})
            desk.store(KeyHome::Keychain, kEntry, Secret(key),
                       [&](const WriteResult& result) { done += result.has_value(); });
        bool idle = false;
        desk.whenIdle([&] { idle = true; });
        QVERIFY(!idle);
        QVERIFY(QTest::qWaitFor([&] { return idle; }, kPatience));
        QCOMPARE(done, 2);
        QCOMPARE(desk.key(KeyHome::Keychain, kEntry)->reveal(), kKey);

        std::optional<WriteResult> removed;
        desk.remove(KeyHome::Keychain, kEntry, [&](const WriteResult& result) { removed = result; });
        QVERIFY(QTest::qWaitFor([&] { return removed.has_value(); }, kPatience) && *removed);
        QVERIFY(QTest::qWaitFor([&] { return desk.status(KeyHome::Keychain, kEntry).state == KeyState::Missing; },
                                kPatience));
    }

    void insideKilled()
    {
        ONLY_INSIDE;
        const auto service = static_cast<pid_t>(qEnvironmentVariableIntValue("SG_KEYRING_PID"));
        QVERIFY(service > 1);
        KeyDesk desk(QStringLiteral("switchgear-test"));
        QVERIFY(*storing(desk, kEntry, kKey));

        QCOMPARE(kill(service, SIGSTOP), 0); // so that it has the order and does not answer
        std::optional<WriteResult> stored;
        desk.store(KeyHome::Keychain, kEntry, Secret(kOther), [&](const WriteResult& result) { stored = result; });
        desk.status(KeyHome::Keychain, QStringLiteral("second"));
        QCoreApplication::processEvents();
        QVERIFY(!stored);
        QCOMPARE(kill(service, SIGKILL), 0);
        QVERIFY(QTest::qWaitFor([&] { return stored.has_value(); }, kPatience));
        QVERIFY(!*stored); // not read back, so not said to be kept
        QVERIFY2(stored->error().kind == SecretErrorKind::Absent, qPrintable(stored->error().words));
        QVERIFY(!(stored->error().words + stored->error().remedy).contains(QLatin1String("Zz98Yy87")));
        QCOMPARE(named(settled(desk, QStringLiteral("second")).state), named(KeyState::Absent));
        QVERIFY(!desk.keychainWorks());
        QCOMPARE(desk.key(KeyHome::Keychain, kEntry)->reveal(), kKey); // what was read before still serves
    }

    void endsInTheMiddle()
    {
        int calls = 0;
        {
            KeyDesk desk(QStringLiteral("switchgear-test"));
            desk.status(KeyHome::Keychain, kEntry);
            desk.store(KeyHome::Keychain, kEntry, Secret(kKey), [&](const WriteResult&) { ++calls; });
            desk.whenIdle([&] { ++calls; });
        }
        QCoreApplication::processEvents();
        QCOMPARE(calls, 0);
    }
};

QTEST_GUILESS_MAIN(TestKeyDesk)
#include "tst_key_desk.moc"
