// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli_process.h"
#include "tests/support/literals.h"

#include <csignal>

using namespace sg;
using namespace test;

namespace {

QStringList words(const char* line)
{
    return QString::fromLatin1(line).split(QLatin1Char(' '));
}

/// A program that keeps its runs below its own folder.
class Scene : public Cli
{
public:
    Scene()
    {
        environment.insert(QStringLiteral("XDG_DATA_HOME"), folder.filePath(QStringLiteral("data")));
        write(QStringLiteral("s.json"), kQuick);
    }
    CliResult load(const char* line) const { return run(words("load --simulate s.json") + words(line)); }
    CliResult runs(const char* line) const { return run(words("runs") + words(line)); }
    QDir keptIn() const { return QDir(folder.filePath(QStringLiteral("data/switchgear/runs"))); }
};

} // namespace

class TestCliKeptRuns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPlanIsRunAgain()
    {
        const Scene cli;
        COMPARE_LOAD_CODE(cli.load("--rate 40/s --duration 1s --seed 77 --slo p95<20s --keep first"), 0);
        const CliResult shown = cli.runs("show 1 --plan");
        COMPARE_CODE(shown, 0);
        cli.write(QStringLiteral("plan.json"), shown.out.toUtf8());
        COMPARE_CODE(cli.runs("show 1 --json"), 0);
        const QJsonObject first = cli.runs("show 1 --json").json();
        cli.write(QStringLiteral("report.json"), QJsonDocument(first).toJson());
        for (const char* named : {"--plan 1 --json", "--plan plan.json --json", "--plan report.json --json"}) {
            const CliResult again = cli.load(named);
            COMPARE_LOAD_CODE(again, 0);
            // The same seed sent as many at the same moments, second by second.
            QCOMPARE(again.json()["plan"_L1].toObject(), first["plan"_L1].toObject());
            QCOMPARE(again.json()["requests"_L1], first["requests"_L1]);
            QCOMPARE(again.json()["seconds"_L1]["requested"_L1], first["seconds"_L1]["requested"_L1]);
        }
        const CliResult both = cli.load("--plan 1 --rate 5/s");
        COMPARE_CODE(both, 2);
        VERIFY_SAYS(both, "leave out --rate");
        const CliResult none = cli.load("--plan 7");
        COMPARE_CODE(none, 2);
        VERIFY_SAYS(none, "There is no run \"7\"");
        cli.write(QStringLiteral("newer.json"), "{\"format\":\"switchgear-plan/9\"}");
        const CliResult newer = cli.load("--plan newer.json");
        COMPARE_CODE(newer, 2);
        VERIFY_SAYS(newer, "switchgear-plan/9");
    }

    void promptsComeWithTheRunAndNotWithTheReport()
    {
        const Scene cli;
        cli.write(QStringLiteral("p.txt"), "how is the weather\nand tomorrow\n");
        COMPARE_LOAD_CODE(cli.load("--prompts p.txt --requests 4 --keep asked --report r.json"), 0);
        QVERIFY(!cli.read(QStringLiteral("r.json")).contains("weather"));
        COMPARE_LOAD_CODE(cli.load("--plan 1"), 0);
        const CliResult bare = cli.load("--plan r.json");
        COMPARE_CODE(bare, 2);
        VERIFY_SAYS(bare, "--prompts FILE");
        COMPARE_LOAD_CODE(cli.load("--plan r.json --prompts p.txt"), 0);
        cli.write(QStringLiteral("other.txt"), "something else\n");
        const CliResult other = cli.load("--plan r.json --prompts other.txt");
        COMPARE_CODE(other, 2);
        VERIFY_SAYS(other, "other than those");
    }

    void rowsThatCannotBeWrittenDoNotEndTheRun()
    {
        Scene cli;
        cli.write(QStringLiteral("file"), "no folder");
        cli.environment.insert(QStringLiteral("XDG_DATA_HOME"), cli.folder.filePath(QStringLiteral("file")));
        const CliResult result = cli.load("--requests 10 --keep lost --json");
        COMPARE_CODE(result, 2); // what was asked for is not there
        QCOMPARE(result.json()["succeeded"_L1].toInt(), 10);
        QCOMPARE(result.json()["rows"_L1]["dropped"_L1].toInt(), 10);
        QVERIFY(result.json()["rows"_L1]["problem"_L1].toString().contains(QStringLiteral("goes on")));
        QCOMPARE(result.err.count(QStringLiteral("goes on without them")), 1);
        if (!QFile::exists(QStringLiteral("/dev/full")))
            return;
        const CliResult full = cli.load("--requests 10 --csv /dev/full --json");
        COMPARE_CODE(full, 2);
        QCOMPARE(full.json()["succeeded"_L1].toInt(), 10);
        QCOMPARE(full.err.count(QStringLiteral("/dev/full: the requests cannot be written")), 1);
    }

    void aKilledRunIsInTheList()
    {
        const Scene cli;
        QProcess process;
        cli.begin(process, words("load --simulate s.json --rate 50/s --duration 10min --keep killed"));
        const auto rows = [&]() -> qint64 {
            const QFileInfoList files = cli.keptIn().entryInfoList({QStringLiteral("*.csv")});
            return files.isEmpty() ? 0 : files.front().size();
        };
        QTRY_VERIFY_WITH_TIMEOUT(rows() > 2000, 30'000);
        QCOMPARE(cli.runs("list --json").json()["total"_L1].toInt(), 0); // it runs
        ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
        QVERIFY(process.waitForFinished(30'000));
        const CliResult list = cli.runs("list");
        VERIFY_SAYS(list, "cut off");
        VERIFY_SAYS(list, "killed");
        const QJsonObject report = cli.runs("show 1 --json").json();
        QVERIFY(report["requests"_L1].toInt() > 10);
        QVERIFY(report["response_ms"_L1]["p50"_L1].toDouble() > 0);
        VERIFY_SAYS(cli.runs("show 1"), "before the run did");
        VERIFY_SAYS(cli.runs("show 1 --html"), "cut off");
        COMPARE_CODE(cli.runs("note 1 power"), 0);
        COMPARE_CODE(cli.runs("compare 1 1"), 0);
        QCOMPARE(cli.runs("show 1 --plan").json()["model"_L1]["kind"_L1].toString(), QStringLiteral("open"));
        COMPARE_CODE(cli.runs("delete 1"), 0);
        QVERIFY(cli.keptIn().entryList({QStringLiteral("2*")}).isEmpty());
    }

    void aKilledSeriesLeavesTheRunsThatHadEnded()
    {
        const Scene cli;
        cli.write(QStringLiteral("s.json"),
                  json("{'version':1,'endpoints':[{'name':'quick','latency':{'kind':'constant','ms':5}},"
                       "{'name':'slow','latency':{'kind':'constant','ms':60000}}]}"));
        QProcess process;
        cli.begin(process, words("load --simulate s.json --requests 20 --endpoints quick,slow --keep both"));
        const auto kept = [&] { return cli.keptIn().entryList({QStringLiteral("*.run.json")}).size(); };
        const auto begun = [&] { return cli.keptIn().entryList({QStringLiteral("*.begun.json")}).size(); };
        QTRY_VERIFY_WITH_TIMEOUT(kept() == 1 && begun() == 1, 30'000);
        const CliResult during = cli.runs("list");
        VERIFY_SAYS(during, "both: quick");
        QVERIFY(!during.out.contains(QStringLiteral("cut off")));
        ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
        QVERIFY(process.waitForFinished(30'000));
        QCOMPARE(cli.runs("list").out.count(QStringLiteral("cut off")), 1);
        const QJsonObject quick = cli.runs("show 2 --json").json();
        QCOMPARE(quick["series"_L1]["variant"_L1].toString(), QStringLiteral("quick"));
        QCOMPARE(quick["succeeded"_L1].toInt(), 20);
    }

    void limitsAreSetAndPinsHold()
    {
        const Scene cli;
        COMPARE_CODE(cli.run(words("runs limit --runs 2 --bytes") + QStringList{QStringLiteral("1 GB")}), 0);
        COMPARE_CODE(cli.runs("limit --bytes 5"), 2);
        VERIFY_SAYS(cli.runs("limit"), "At most 2 runs and 1 GB");
        COMPARE_LOAD_CODE(cli.load("--requests 5 --keep one"), 0);
        COMPARE_CODE(cli.runs("pin 1"), 0);
        COMPARE_LOAD_CODE(cli.load("--requests 5 --keep two"), 0);
        VERIFY_SAYS(cli.load("--requests 5 --keep three"), "When the next run is kept, the oldest are deleted");
        VERIFY_SAYS(cli.load("--requests 5 --keep four"), "runs were deleted");
        const CliResult list = cli.runs("list");
        VERIFY_SAYS(list, "pinned one");
        VERIFY_SAYS(list, "2 of at most 2 runs");
        QVERIFY(!list.out.contains(QStringLiteral("two")) && !list.out.contains(QStringLiteral("three")));
    }

    void requestsArePrintedForMachinesAndForPeople()
    {
        Scene cli;
        COMPARE_LOAD_CODE(cli.load("--requests 5 --keep rows"), 0);
        const CliResult plain = cli.runs("show 1 --csv");
        COMPARE_CODE(plain, 0);
        QVERIFY(plain.out.startsWith(QStringLiteral("intended_ms,dispatched_ms,")));
        cli.environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("de_DE.UTF-8"));
        const CliResult local = cli.runs("show 1 --csv-local");
        COMPARE_CODE(local, 0);
        QVERIFY(local.out.contains(QStringLiteral("\"intended_ms\";\"dispatched_ms\";")));
        static const QRegularExpression decimal(QStringLiteral("\"[0-9]+,[0-9]+\";"));
        QVERIFY(decimal.match(local.out).hasMatch());
        QCOMPARE(local.out.count(QLatin1Char('\n')), plain.out.count(QLatin1Char('\n')));
    }
};

QTEST_GUILESS_MAIN(TestCliKeptRuns)
#include "tst_cli_kept_runs.moc"
