// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/simulator.h"
#include "tests/app/cli_process.h"
#include "tests/support/literals.h"

using namespace sg;
using namespace test;

namespace {

/// Arguments by blanks; a part in ' is one.
QStringList words(const QString& line)
{
    QStringList parts;
    const QStringList quoted = line.split(QLatin1Char('\''));
    for (qsizetype i = 0; i < quoted.size(); ++i)
        parts += i % 2 == 1 ? QStringList(quoted[i]) : quoted[i].split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return parts;
}

class TestCliLoad : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wrongOptionsSayWhatIsWrong_data()
    {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* options, const char* says) {
            QTest::newRow(options) << QString::fromUtf8(options) << QString::fromUtf8(says);
        };
        row("--slo p95<2", "--slo: A time needs its unit: ms, s, min or h.\n  p95<2\n       ^");
        row("--slo 'p95<2s,speed>3'", "There is no metric \"speed\"");
        row("--rate 10", "--rate needs an end");
        row("--rate 10 --duration 5s --users 3", "with --rate nobody does");
        row("--rate 10 --stages '5s at 1/s'", "Give one of --rate, --stages.");
        row("--stages '0-60s 10/s, ramp 60s'", "A ramp needs its end");
        row("--stages '5s at 0/s'", "nothing would be sent");
        row("--sweep '10/s to 5/s'", "to a higher one");
        row("--arrivals poisson", "--arrivals belongs to an open load");
        row("--rate 10 --duration 5 --arrivals steady", "--arrivals takes poisson or constant");
        row("--replay times.txt", "says no times");
        row("--replay bad.jsonl", "bad.jsonl: line 2: at_ms goes backwards");
        row("--prompts times.csv", "holds times only");
        row("--users 3 --concurrency 3", "give one");
        row("--think 2x", "--think: A time needs its unit");
        row("--duration soon", "--duration: A time is expected");
        row("--requests 5 --cool-down 1s", "whose end is known before");
        row("--duration 2s --warm-up 2s", "leave nothing to measure");
        row("--stop-slo 5s", "no objective");
        row("--stop-errors 120%", "--stop-errors takes a share");
        row("--stop-budget 0", "--stop-budget takes a number");
        row("--model m", "describe --url");
        row("--url http://127.0.0.1:1/v1", "leave out --demo");
        row("--output-tokens 5", "give --input-tokens too");
        row("--input-tokens 5 --prompts times.txt", "not both");
        row("--prompts times.txt --csv times.txt", "times.txt is read by this load");
        row("--csv rows.csv --html rows.csv", "is written by --");
        row("--prompts latin.txt", "is no UTF-8 text");
        row("--strategies full,best", "not \"best\"");
        row("--strategies full", "at least two strategies");
        row("--strategies all --endpoints all", "not both");
        row("--endpoints all --endpoint gpt-4.1", "leave out --chain and --endpoint");
        row("--endpoints gpt-4.1,gpt-9", "There is no endpoint \"gpt-9\"");
        row("--strategies all --csv rows.csv", "--keep keeps the requests");
        row("--retries 3", "about --strategies");
        row("--strategies all --retries 0", "--retries takes a whole number");
        row("--strategies all --backoff-base soon", "--backoff-base takes a time");
    }
    void wrongOptionsSayWhatIsWrong()
    {
        QFETCH(QString, options);
        QFETCH(QString, says);
        Cli cli;
        cli.write(QStringLiteral("times.txt"), "a prompt\n");
        cli.write(QStringLiteral("latin.txt"), "caf\xe9\n");
        cli.write(QStringLiteral("times.csv"), "at_ms\n0\n");
        cli.write(QStringLiteral("bad.jsonl"), "{\"at_ms\":5}\n{\"at_ms\":4}\n");
        const CliResult result =
            cli.run(QStringList{QStringLiteral("load"), QStringLiteral("--demo")} + words(options));
        COMPARE_CODE(result, 2);
        QVERIFY2(result.err.contains(says), result.told().constData());
        QVERIFY(result.out.isEmpty());
    }

    void whatLooksLikeAKeyReachesNoFile()
    {
        Cli cli;
        cli.environment.insert(QStringLiteral("XDG_DATA_HOME"), cli.folder.path());
        cli.write(QStringLiteral("s.json"), kQuick);
        const QString key = QStringLiteral("sk-proj-abcdefghijklmnop1234567890");
        const CliResult result =
            cli.run(words(QStringLiteral("load --simulate s.json --requests 5 --json --report r.json "
                                         "--html r.html --markdown r.md --keep ")) +
                    QStringList{QStringLiteral("night ") + key});
        COMPARE_LOAD_CODE(result, 0);
        QVERIFY(!result.out.contains(key));
        for (const char* file : {"r.json", "r.html", "r.md"}) {
            const QByteArray bytes = cli.read(QLatin1String(file));
            QVERIFY2(!bytes.isEmpty() && !bytes.contains(key.toUtf8()), file);
        }
        QVERIFY(cli.read(QStringLiteral("r.md")).contains("night "));
    }

    void aSeriesOfEndpoints()
    {
        Cli cli;
        cli.environment.insert(QStringLiteral("XDG_DATA_HOME"), cli.folder.path());
        cli.write(
            QStringLiteral("s.json"),
            json("{'version':1,'endpoints':[{'name':'quick','latency':{'kind':'constant','ms':5}},{'name':'broken',"
                 "'latency':{'kind':'constant','ms':5},'faults':[{'kind':'status','status':500,'share':0.5}]}]}"));
        const QString load = QStringLiteral("load --simulate s.json --requests 60 --concurrency 2 --endpoints ");
        const CliResult result = cli.run(words(load + QStringLiteral("all --json --slo success>99% --keep both --html "
                                                                     "s.html --markdown s.md --report s.report")));
        COMPARE_LOAD_CODE(result, 1); // an objective of one of them
        const QJsonObject report = result.json();
        QCOMPARE(report["format"_L1].toString(), QStringLiteral("switchgear-load-series/1"));
        const QJsonValue quick = report["table"_L1]["rows"_L1][0], broken = report["table"_L1]["rows"_L1][1];
        const auto isInvalid = [](const QJsonValue& row) { return row["verdict"_L1].toString() == u"INVALID"; };
        QVERIFY(isInvalid(quick) || quick["rank"_L1].toInt() == 1);
        QVERIFY(isInvalid(broken) || broken["verdict"_L1].toString() == u"missed");
        QCOMPARE(report["reports"_L1][0]["series"_L1]["variant"_L1].toString(), QStringLiteral("quick"));
        QCOMPARE(report["reports"_L1][1]["simulator"_L1]["endpoints"_L1]["broken"_L1]["requests"_L1].toInt(), 60);
        QVERIFY(cli.read(QStringLiteral("s.md")).contains("| quick |"));
        QVERIFY(cli.read(QStringLiteral("s.html")).contains("<th scope=\"row\""));
        QCOMPARE(QJsonDocument::fromJson(cli.read(QStringLiteral("s.report"))).object(), report);
        const CliResult kept = cli.run(words(QStringLiteral("runs list")));
        VERIFY_SAYS(kept, "both: quick");
        VERIFY_SAYS(kept, "both: broken");
        const CliResult table = cli.run(words(load + QStringLiteral("broken,quick")));
        COMPARE_LOAD_CODE(table, 0);
        QVERIFY(table.out.indexOf(QStringLiteral("broken")) < table.out.indexOf(QStringLiteral("quick")));
    }

    void anExperimentTakesOtherOptionsToo()
    {
        const CliResult result = Cli().run(words(QStringLiteral(
            "load --experiment jitters --strategies none,full --requests 4 --users 4 --ramp 1ms --json")));
        COMPARE_LOAD_CODE(result, 0);
        QCOMPARE(result.json()["table"_L1]["rows"_L1].toArray().size(), 2);
        QCOMPARE(result.json()["reports"_L1][0]["succeeded"_L1].toInt(), 4);
        VERIFY_SAYS(Cli().run(words(QStringLiteral("load --experiment jiters"))), "takes one of jitters, providers");
    }

    void anObjectiveDecidesTheExitCode()
    {
        Cli cli;
        cli.write(QStringLiteral("s.json"), kQuick);
        const QString load = QStringLiteral("load --simulate s.json --endpoint quick --requests 60 --concurrency 2 ");
        const CliResult kept = cli.runUntilValid(words(load + QStringLiteral("--slo 'p95<10s,success>99%'")));
        SKIP_WHERE_INVALID(kept);
        COMPARE_CODE(kept, 0);
        VERIFY_SAYS(kept, "Verdict: valid, objectives passed");
        const CliResult missed = cli.runUntilValid(words(load + QStringLiteral("--slo 'p95<10s,p50<1ms'")));
        SKIP_WHERE_INVALID(missed);
        COMPARE_CODE(missed, 1);
        VERIFY_SAYS(missed, "p50<1ms");
        VERIFY_SAYS(missed, "MISSED");
        VERIFY_SAYS(missed, "Verdict: valid, objectives missed");
    }

    void invalidOutranksTheObjectives()
    {
        Cli cli;
        cli.write(QStringLiteral("s.json"), kSteady);
        const CliResult result =
            cli.run(words(QStringLiteral("load --simulate s.json --endpoint steady --rate 40/s --duration 500ms "
                                         "--arrivals constant --in-flight 1 --slo p50<1ms --json")));
        COMPARE_CODE(result, 3);
        QCOMPARE(result.json()["verdict"_L1]["word"_L1].toString(), QStringLiteral("INVALID"));
        QCOMPARE(result.json()["verdict"_L1]["result"_L1].toString(), QStringLiteral("invalid"));
        QCOMPARE(result.json()["dropped"_L1].toInt(), 19);
    }

    void stagesAreSentAsWritten()
    {
        Cli cli;
        cli.write(QStringLiteral("s.json"), kQuick);
        const CliResult result = cli.run(words(QStringLiteral(
            "load --simulate s.json --endpoint quick --stages '0-500ms 20/s, ramp 1s to 60/s, spike 100/s "
            "for 200ms, pause 100ms' --arrivals constant --warm-up 500ms --json")));
        const QJsonObject report = result.json();
        QCOMPARE(report["requests"_L1].toInt(), 10 + 40 + 20);
        QCOMPARE(report["measured"_L1]["warm_up_requests"_L1].toInt(), 10);
        QCOMPARE(report["succeeded"_L1].toInt(), 60);
        QCOMPARE(report["plan"_L1]["model"_L1]["kind"_L1].toString(), QStringLiteral("open"));
        QCOMPARE(report["plan"_L1]["model"_L1]["stages"_L1].toArray().size(), 4);
    }

    void anAddressCanBeTheTarget()
    {
        simulator::Simulator simulator(*simulator::parseScript(kQuick));
        QVERIFY(simulator.start());
        Cli cli;
        const QString base = simulator.baseUrl(QStringLiteral("quick")).toString();
        const CliResult result =
            cli.run(words(QStringLiteral("load --url %1 --model prod-chat --requests 5 --json").arg(base)));
        const QJsonObject report = result.json();
        QVERIFY2(report["succeeded"_L1].toInt() == 5, result.told().constData());
        QCOMPARE(report["plan"_L1]["url"_L1]["base_url"_L1].toString(), base);
        QCOMPARE(report["plan"_L1]["url"_L1]["model"_L1].toString(), QStringLiteral("prod-chat"));
        QCOMPARE(report["breakers"_L1].toArray().size(), 0); // those behind it are not seen from here
        QCOMPARE(simulator.stats()["endpoints"_L1]["quick"_L1]["requests"_L1].toInt(), 5);
    }

    void aRecordedScheduleIsReplayed()
    {
        Cli cli;
        cli.write(QStringLiteral("s.json"), kQuick);
        cli.write(QStringLiteral("r.jsonl"), "{\"at_ms\":0,\"prompt\":\"a\"}\n{\"at_ms\":200,\"prompt\":\"b\"}\n");
        const CliResult result =
            cli.run(words(QStringLiteral("load --simulate s.json --endpoint quick --replay r.jsonl --speed 2 --json")));
        QCOMPARE(result.json()["succeeded"_L1].toInt(), 2);
        QVERIFY(result.json()["wall_ms"_L1].toDouble() >= 100);
        QCOMPARE(result.json()["plan"_L1]["model"_L1]["length_ms"_L1].toDouble(), 100.0);
    }

    void failuresStopTheRun()
    {
        Cli cli;
        cli.write(QStringLiteral("s.json"),
                  json("{'version':1,'endpoints':[{'name':'bad','latency':{'kind':'constant','ms':5},"
                       "'faults':[{'kind':'status','status':500}]}]}"));
        const CliResult result = cli.run(
            words(QStringLiteral("load --simulate s.json --endpoint bad --duration 1h --stop-errors 50% --json")));
        QCOMPARE(result.json()["ended_because"_L1].toString(), QStringLiteral("error_share"));
        QVERIFY(result.code == 1 || result.code == 3);
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestCliLoad)
#include "tst_cli_load.moc"
