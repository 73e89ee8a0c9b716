// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/secrets/secret_store.h"
#include "tests/support/private_bus.h"

#include <QTest>

using namespace sg::secrets;
using namespace sg::testing;

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

} // namespace

class TestKeychain : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void onPrivateBusses_data()
    {
        QTest::addColumn<QByteArray>("test");
        QTest::addColumn<Keyring>("keyring");
        QTest::newRow("withoutAKeychain") << QByteArray("insideWithout") << Keyring::None;
        QTest::newRow("withAnUnlockedKeychain") << QByteArray("insideUnlocked") << Keyring::Unlocked;
        QTest::newRow("withALockedKeychain") << QByteArray("insideLocked") << Keyring::Locked;
    }
    void onPrivateBusses()
    {
        QFETCH(QByteArray, test);
        QFETCH(Keyring, keyring);
        RUN_ON_PRIVATE_BUS(test.constData(), keyring);
    }

    void insideLocked()
    {
        ONLY_INSIDE;
        KeychainStore store(QStringLiteral("switchgear-test"));
        const auto read = answerOf<ReadResult>([&](auto done) { store.read(QStringLiteral("a"), done); });
        QVERIFY(read && !*read);
        QVERIFY2(read->error().kind == SecretErrorKind::Locked, qPrintable(read->error().words));
        QVERIFY(!read->error().remedy.isEmpty());
    }

    void insideWithout()
    {
        ONLY_INSIDE;
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
        ONLY_INSIDE;
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
