// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli_process.h"

using namespace sg;
using test::Cli;
using test::CliResult;
using test::json;

namespace {

QStringList words(const char* line)
{
    return QString::fromUtf8(line).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

/// One remote endpoint whose key is in GOOD_KEY, without price and breaker.
const QByteArray kRemote = json(
    "{'version':1,'name':'w','endpoints':[{'name':'a','base_url':'https:\\/\\/a.example/v1','model':'gpt-unheard-of',"
    "'key':{'source':'environment','name':'GOOD_KEY'}}],"
    "'chains':[{'name':'c','tiers':[{'endpoint':'a'}]}]}");

} // namespace

class tst_cli_check : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void keysOfTheEnvironmentAreLookedAt_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("words");
        QTest::newRow("not set") << QString() << QStringLiteral("the environment variable GOOD_KEY is not set");
        QTest::newRow("placeholder") << QStringLiteral("your-key-here") << QStringLiteral("placeholder");
        QTest::newRow("line break") << QStringLiteral("sk-Ab12Cd34\nEf56Gh78") << QStringLiteral("line break");
        QTest::newRow("two keys") << QStringLiteral("sk-Ab12Cd34Ef56Gh78,sk-Ab12Cd34Ef56Gh79")
                                  << QStringLiteral("2 keys");
    }
    void keysOfTheEnvironmentAreLookedAt()
    {
        QFETCH(QString, key);
        QFETCH(QString, words);
        Cli cli;
        cli.environment.remove(QStringLiteral("GOOD_KEY"));
        if (!key.isEmpty())
            cli.environment.insert(QStringLiteral("GOOD_KEY"), key);
        cli.write(QStringLiteral("w.json"), kRemote);
        const CliResult result = cli.run({QStringLiteral("check"), QStringLiteral("w.json")});
        COMPARE_CODE(result, 0);
        QVERIFY2(result.out.contains(words), result.told().constData());
        QVERIFY2(!result.out.contains(QLatin1String("Ab12Cd34")), result.told().constData());
        VERIFY_SAYS(result, "w.json: endpoints[0].key: ");
        VERIFY_SAYS(result, "there is no price for the model \"gpt-unheard-of\"");
    }

    void findingsStandUnderTheirLevel()
    {
        Cli cli;
        cli.environment.insert(QStringLiteral("GOOD_KEY"), QStringLiteral("sk-test-0001"));
        cli.write(QStringLiteral("w.json"), kRemote);
        const CliResult result = cli.run(words("check w.json"));
        COMPARE_CODE(result, 0);
        const QStringList lines = result.out.trimmed().split(QLatin1Char('\n'));
        QVERIFY2(lines.size() == 5, result.told().constData());
        QCOMPARE(lines[0], QStringLiteral("1 warning:"));
        QVERIFY(lines[1].startsWith(QLatin1String("w.json: endpoints[0].price: ")));
        QCOMPARE(lines[2], QStringLiteral("1 note:"));
        QVERIFY(lines[3].startsWith(QLatin1String("w.json: endpoints[0].breaker: ")));
        QCOMPARE(lines[4], QStringLiteral("w.json: fine, with 1 warning and 1 note"));
    }

    void jsonHasTheRules()
    {
        Cli cli;
        cli.environment.insert(QStringLiteral("GOOD_KEY"), QStringLiteral("sk-test-0001"));
        cli.write(QStringLiteral("w.json"), kRemote);
        const CliResult result = cli.run(words("check --json w.json"));
        COMPARE_CODE(result, 0);
        QCOMPARE(result.json()[QLatin1String("valid")].toBool(), true);
        const QJsonArray findings = result.json()[QLatin1String("findings")].toArray();
        QVERIFY2(findings.size() == 2, result.told().constData());
        QCOMPARE(findings[0][QLatin1String("rule")].toString(), QStringLiteral("unpriced"));
        QCOMPARE(findings[0][QLatin1String("level")].toString(), QStringLiteral("warning"));
        QCOMPARE(findings[1][QLatin1String("rule")].toString(), QStringLiteral("breaker_without_rule"));
        QCOMPARE(findings[1][QLatin1String("level")].toString(), QStringLiteral("note"));
        QCOMPARE(findings[1][QLatin1String("fix")].toString(), QStringLiteral("Open after 5 failures in a row"));
        for (const QJsonValue& finding : findings)
            for (const char* field : {"place", "problem", "why", "remedy"})
                QVERIFY2(!finding[QLatin1String(field)].toString().isEmpty(), result.told().constData());
    }

    void onlyErrorsAreRefused()
    {
        Cli cli;
        cli.write(QStringLiteral("w.json"), QByteArray(kRemote).replace("\"endpoint\":\"a\"", "\"endpoint\":\"b\""));
        const CliResult result = cli.run(words("check w.json"));
        COMPARE_CODE(result, 2);
        VERIFY_SAYS(result, "1 error:\nw.json: chains[0].tiers[0].endpoint: there is no endpoint \"b\", which tier \"b\" calls.");
        QVERIFY2(!result.out.contains(QLatin1String(": fine")), result.told().constData());
    }

    void theScriptIsAskedOnce()
    {
        Cli cli;
        cli.write(QStringLiteral("w.json"), test::workspaceWith(QStringLiteral("sim:steddy")));
        const CliResult result = cli.run(words("check w.json"));
        COMPARE_CODE(result, 2);
        QCOMPARE(result.out.count(QLatin1String("base_url")), 1);
    }

    void anEnvironmentIsChosen()
    {
        Cli cli;
        cli.write(QStringLiteral("w.json"), kRemote);
        const CliResult result = cli.run(words("check w.json --environment nowhere"));
        COMPARE_CODE(result, 2);
        QVERIFY2(result.out.contains(QLatin1String("nowhere")), result.told().constData());
    }
};

QTEST_GUILESS_MAIN(tst_cli_check)
#include "tst_cli_check.moc"
