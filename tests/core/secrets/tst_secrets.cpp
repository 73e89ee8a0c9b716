// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/secrets/secret_store.h"
#include "tests/support/field_cases.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace sg::secrets;

namespace {

const QString kKey = QStringLiteral("sk-proj-Ab12Cd34Ef56Gh78");

ReadResult readNow(SecretStore& store, const QString& name)
{
    ReadResult result = tl::unexpected(SecretError());
    int calls = 0;
    store.read(name, [&](const ReadResult& found) {
        result = found;
        ++calls;
    });
    if (calls != 1)
        qFatal("answered %d times", calls);
    return result;
}

} // namespace

class TestSecrets : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aSecretDoesNotPrintItself()
    {
        QString printed;
        QDebug(&printed) << Secret(kKey.toUtf8()) << Secret();
        QCOMPARE(printed.simplified(), QStringLiteral("Secret(***) Secret(empty)"));
    }

    void aSecretKeepsItsOwnCopy()
    {
        QByteArray typed = kKey.toUtf8();
        const Secret secret(typed);
        typed.fill('x');
        QCOMPARE(secret.reveal(), kKey.toUtf8());
        QByteArray shown;
        {
            const Secret inner(kKey.toUtf8());
            shown = inner.reveal();
        }
        QCOMPARE(shown, kKey.toUtf8()); // what was revealed outlives the secret unharmed
        QVERIFY(secret == Secret(kKey.toUtf8()));
        QVERIFY(!(secret == Secret("other-key-0000")));
        QVERIFY(Secret("").isEmpty());
    }

    void goodKeys_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("prefix");
        const auto row = [](const char* key, const char* prefix) {
            QTest::newRow(key) << QString::fromUtf8(key) << QString::fromUtf8(prefix);
        };
        row("sk-proj-Ab12Cd34Ef56Gh78", "sk-");
        row("hs_0123456789abcdef", "hs_");
        row("0123456789abcdef0123456789abcdef", "");
        row("AIzaSyA-1234567890_abcdef", "");
        row("local-llm", ""); // servers on the own machine take any word
        row("sk-or-v1-0xxa1xxb2", "sk-");
        row("sk-te$t-literal", ""); // a dollar sign alone is no placeholder
        row("environment-1", "");
    }
    void goodKeys()
    {
        QFETCH(QString, key);
        QFETCH(QString, prefix);
        const auto problem = checkKey(key);
        QVERIFY2(!problem, problem ? qPrintable(problem->words) : "");
        QVERIFY(!checkKeyPrefix(key, prefix.isEmpty() ? QStringList() : QStringList{QStringLiteral("zz"), prefix}));
    }

    void badKeys_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const QString& key, const char* words) {
            QTest::newRow(name) << key << QString::fromUtf8(words);
        };
        row("empty", QString(), "empty");
        row("blanks", QStringLiteral("  \n"), "empty");
        row("blank inside", QStringLiteral("sk-Ab12Cd34 Ef56Gh78"), "holds a blank");
        row("newline inside", QStringLiteral("sk-Ab12Cd34\nEf56Gh78"), "line break");
        row("header injection", kKey + QStringLiteral("\r\nX-Evil: 1"), "line break");
        row("control character", QStringLiteral("sk-Ab12Cd34") + QChar(7) + QStringLiteral("Ef56Gh78"), "no key has");
        row("${VAR}", QStringLiteral("${GOOD_KEY}"), "placeholder");
        row("${VAR} in a key", QStringLiteral("sk-${GOOD_KEY}-x"), "placeholder");
        row("$VAR", QStringLiteral("$GOOD_KEY"), "placeholder");
        row("{{VAR}}", QStringLiteral("Bearer {{ GOOD_KEY }}"), "placeholder");
        row("{env:VAR}", QStringLiteral("{env:GOOD_KEY}"), "placeholder");
        row("%VAR%", QStringLiteral("%OPENAI_API_KEY%"), "placeholder");
        row("os.environ", QStringLiteral("os.environ/GOOD_KEY"), "placeholder");
        row("process.env", QStringLiteral("process.env.GOOD_KEY"), "placeholder");
        row("two lines", kKey + QLatin1Char('\n') + kKey, "2 keys");
        row("comma", kKey + QLatin1Char(',') + kKey + QLatin1Char(',') + kKey, "3 keys");
        row("xxx", QStringLiteral("sk-xxx"), "placeholder");
        row("long xxx", QStringLiteral("sk-xxxxxxxxxxxxxxxxxxxx"), "placeholder");
        row("your key here", QStringLiteral("your-key-here"), "placeholder");
        row("YOUR_API_KEY", QStringLiteral("YOUR_API_KEY"), "placeholder");
        row("your holy key", QStringLiteral("YOUR_HOLYSHEEP_API_KEY"), "placeholder");
        row("angle", QStringLiteral("<api key from dashboard>"), "placeholder");
        row("dots", QStringLiteral("sk-..."), "placeholder");
        row("stars", QStringLiteral("sk-****************abcd"), "placeholder");
        row("changeme", QStringLiteral("changeme"), "placeholder");
        row("prefix alone", QStringLiteral("sk-"), "placeholder");
        row("bearer", QStringLiteral("Bearer ") + kKey, "Bearer");
        row("quotes", QLatin1Char('"') + kKey + QLatin1Char('"'), "quotes");
        row("dash", QStringLiteral("sk\u2013proj-Ab12Cd34Ef56Gh78"), "no key has");
        row("short", QStringLiteral("abc12"), "5 characters");
    }
    void badKeys()
    {
        QFETCH(QString, key);
        QFETCH(QString, words);
        const auto problem = checkKey(key);
        QVERIFY(problem);
        QVERIFY(problem->kind == SecretErrorKind::Malformed);
        QVERIFY2(problem->words.contains(words), qPrintable(problem->words));
        QVERIFY(!problem->remedy.isEmpty());
        QVERIFY(!problem->remedy.contains(QLatin1String("provider"))); // the gateway's token is judged here, too
        QVERIFY(!problem->words.contains(QLatin1String("Ab12Cd34")));
        QVERIFY(!problem->remedy.contains(QLatin1String("Ab12Cd34")));
    }

    void fieldCaseKeys() // FC-E04
    {
        const QJsonArray rows = sg::test::fieldCase(QStringLiteral("FC-E04.json"))[QLatin1String("rows")].toArray();
        QCOMPARE(rows.size(), 6);
        for (const QJsonValue& row : rows) {
            const QString key = row[QLatin1String("key")].toString();
            SessionStore store;
            const WriteResult written = store.write(QStringLiteral("a"), Secret(key.toUtf8()));
            const QString stored = row[QLatin1String("stored")].toString();
            // "Bearer …" is told to the operator rather than stripped: what else was pasted along nobody knows.
            QCOMPARE(written.has_value(), !stored.isEmpty());
            if (written)
                QCOMPARE(readNow(store, QStringLiteral("a"))->reveal(), stored.toUtf8());
            else
                QVERIFY(!(written.error().words + written.error().remedy).contains(QLatin1String("test")));
        }
    }

    void wrongPrefix()
    {
        const auto problem = checkKeyPrefix(kKey, {QStringLiteral("hs_"), QStringLiteral("hq_")});
        QVERIFY(problem);
        QVERIFY(problem->words.contains(QLatin1String("\"hs_\" or \"hq_\"")));
        QVERIFY(!problem->words.contains(QLatin1String("Ab12Cd34")));
    }

    void environment()
    {
        EnvironmentStore store;
        qunsetenv("SG_TEST_KEY");
        const auto missing = readNow(store, QStringLiteral("SG_TEST_KEY"));
        QVERIFY(!missing);
        QVERIFY(missing.error().kind == SecretErrorKind::Missing);
        QVERIFY(missing.error().words.contains(QLatin1String("SG_TEST_KEY")));

        qputenv("SG_TEST_KEY", kKey.toUtf8());
        const auto found = readNow(store, QStringLiteral("SG_TEST_KEY"));
        QVERIFY(found);
        QCOMPARE(found->reveal(), kKey.toUtf8());

        qputenv("SG_TEST_KEY", kKey.toUtf8() + "\n");
        QCOMPARE(readNow(store, QStringLiteral("SG_TEST_KEY"))->reveal(), kKey.toUtf8()); // as pasted keys come

        qputenv("SG_TEST_KEY", "sk-Ab12 Cd34Ef56");
        const auto malformed = readNow(store, QStringLiteral("SG_TEST_KEY"));
        QVERIFY(!malformed);
        QVERIFY(malformed.error().kind == SecretErrorKind::Malformed);
        QVERIFY(malformed.error().words.startsWith(QLatin1String("SG_TEST_KEY")));
        qputenv("SG_TEST_KEY", "");
        QVERIFY(!readNow(store, QStringLiteral("SG_TEST_KEY")));
        qunsetenv("SG_TEST_KEY");
    }

    void session()
    {
        SessionStore store;
        QVERIFY(readNow(store, QStringLiteral("a")).error().kind == SecretErrorKind::Missing);
        QVERIFY(store.write(QStringLiteral("a"), Secret(kKey.toUtf8())));
        QCOMPARE(readNow(store, QStringLiteral("a"))->reveal(), kKey.toUtf8());
        const auto refused = store.write(QStringLiteral("a"), Secret("your-key-here"));
        QVERIFY(!refused);
        QCOMPARE(readNow(store, QStringLiteral("a"))->reveal(), kKey.toUtf8()); // the good one stays
        store.remove(QStringLiteral("a"));
        QVERIFY(!readNow(store, QStringLiteral("a")));
    }
};

QTEST_APPLESS_MAIN(TestSecrets)
#include "tst_secrets.moc"
