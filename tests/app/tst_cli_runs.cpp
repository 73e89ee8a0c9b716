// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/sample_csv.h"
#include "tests/app/cli_process.h"

#include <QBuffer>
#include <QXmlStreamReader>

#include <algorithm>

using namespace sg;
using namespace test;

namespace {

QStringList load(const QStringList& more)
{
    return QStringList{QStringLiteral("load"), QStringLiteral("--simulate"), QStringLiteral("s.json"),
                       QStringLiteral("--requests"), QStringLiteral("40")} +
           more;
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
    CliResult runs(const QString& line) const
    {
        return run(QStringList{QStringLiteral("runs")} + line.split(QLatin1Char(' ')));
    }
    QStringList files() const
    {
        return QDir(folder.filePath(QStringLiteral("data/switchgear/runs"))).entryList(QDir::Files);
    }
};

} // namespace

class TestCliRuns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void loadWritesWhatIsAskedFor()
    {
        const Scene cli;
        COMPARE_LOAD_CODE(cli.run(load({QStringLiteral("--html"), QStringLiteral("r.html"), QStringLiteral("--markdown"),
                                   QStringLiteral("r.md"), QStringLiteral("--csv"), QStringLiteral("r.csv"),
                                   QStringLiteral("--report"), QStringLiteral("r.json")})),
                     0);
        QXmlStreamReader page(cli.read(QStringLiteral("r.html")));
        while (!page.atEnd())
            page.readNext();
        QVERIFY2(!page.hasError(), qPrintable(page.errorString()));
        QVERIFY(cli.read(QStringLiteral("r.html")).count("<svg ") >= 2);
        QVERIFY(cli.read(QStringLiteral("r.md")).contains("| response time |"));
        const QJsonObject report = QJsonDocument::fromJson(cli.read(QStringLiteral("r.json"))).object();
        QCOMPARE(report[QLatin1String("rows")][QLatin1String("written")].toInt(), 40);
        qint64 inBars = 0;
        for (const QJsonValue& bar : report[QLatin1String("histogram")][QLatin1String("answered")].toArray())
            inBars += bar.toInteger();
        QCOMPARE(inBars, 40);
        QByteArray csv = cli.read(QStringLiteral("r.csv"));
        QBuffer buffer(&csv);
        QVERIFY(buffer.open(QIODevice::ReadOnly));
        auto reader = history::SampleReader::open(buffer);
        QVERIFY(reader);
        int rows = 0;
        for (auto row = reader->next(); row && *row; row = reader->next(), ++rows)
            QVERIFY((*row)->intended >= Instant() && (*row)->end > (*row)->intended);
        QCOMPARE(rows, 40);
        QVERIFY(cli.files().isEmpty()); // nobody asked to keep it
    }

    void keptRunsAreListedComparedAndDeleted()
    {
        const Scene cli;
        for (const char* name : {"before", "after"})
            COMPARE_LOAD_CODE(cli.run(load({QStringLiteral("--keep"), QLatin1String(name)})), 0);
        const CliResult list = cli.runs(QStringLiteral("list --json"));
        COMPARE_CODE(list, 0);
        QCOMPARE(list.json()[QLatin1String("total")].toInt(), 2);
        const QJsonObject newest = list.json()[QLatin1String("runs")][0].toObject();
        QCOMPARE(newest[QLatin1String("name")].toString(), QStringLiteral("after"));
        QCOMPARE(newest[QLatin1String("figures")][QLatin1String("requests")].toInt(), 40);
        QCOMPARE(cli.files().filter(QStringLiteral(".csv")).size(), 2);

        const CliResult compared = cli.runs(QStringLiteral("compare 2 1 --json"));
        COMPARE_CODE(compared, 0);
        const QJsonObject success = compared.json()[QLatin1String("figures")][0].toObject();
        QCOMPARE(success[QLatin1String("figure")].toString(), QStringLiteral("success"));
        const QJsonArray kept = list.json()[QLatin1String("runs")].toArray();
        const bool areValid = std::ranges::none_of(
            kept, [](const QJsonValue& run) { return run[QLatin1String("verdict")].toString() == u"INVALID"; });
        QCOMPARE(success[QLatin1String("runs")][1][QLatin1String("means")].toString(),
                 areValid ? QStringLiteral("none") : QStringLiteral("not_judged"));
        QVERIFY(
            compared.json()[QLatin1String("figures")][1][QLatin1String("runs")][1][QLatin1String("change_interval_95")]
                .isArray());
        VERIFY_SAYS(cli.runs(QStringLiteral("compare 2 1")), "response.p50");
        VERIFY_SAYS(cli.runs(QStringLiteral("compare 2 1 --html")), "<h2>What was different</h2>");
        VERIFY_SAYS(cli.runs(QStringLiteral("compare 2 1 --markdown")), "### Comparison with");
        VERIFY_SAYS(cli.runs(QStringLiteral("show 1")), "response");
        VERIFY_SAYS(cli.runs(QStringLiteral("show 1 --html")), "<!DOCTYPE html>");

        COMPARE_CODE(cli.runs(QStringLiteral("note 1 faster")), 0);
        COMPARE_CODE(cli.runs(QStringLiteral("baseline 2")), 0);
        const CliResult table = cli.runs(QStringLiteral("list"));
        VERIFY_SAYS(table, "after faster");
        VERIFY_SAYS(table, "baseline before");
        COMPARE_CODE(cli.runs(QStringLiteral("delete 1")), 0);
        QCOMPARE(cli.runs(QStringLiteral("list --json")).json()[QLatin1String("total")].toInt(), 1);
        QCOMPARE(cli.files().filter(QStringLiteral(".csv")).size(), 1);
        const CliResult missing = cli.runs(QStringLiteral("show 2"));
        COMPARE_CODE(missing, 2);
        VERIFY_SAYS(missing, "There is no run \"2\"");
    }

    void filesOfOtherGeneratorsAreCompared()
    {
        const Scene cli;
        QByteArray fast = "intended_ms,end_ms,outcome\n", slow = fast;
        for (int i = 0; i < 400; ++i) {
            const QByteArray at = QByteArray::number(i * 1000);
            fast += at + ',' + QByteArray::number(i * 1000 + 100 + i % 50) + ",success\n";
            slow += at + ',' + QByteArray::number(i * 1000 + 300 + i % 50) + ",success\n";
        }
        cli.write(QStringLiteral("fast.csv"), fast);
        cli.write(QStringLiteral("slow.csv"), slow);
        const CliResult result = cli.runs(QStringLiteral("compare fast.csv slow.csv --json"));
        COMPARE_CODE(result, 0);
        const QJsonValue slower = result.json()[QLatin1String("figures")][1][QLatin1String("runs")][1];
        QVERIFY(qAbs(slower[QLatin1String("value")].toDouble() - 324) < 1);
        QVERIFY(qAbs(slower[QLatin1String("change")].toDouble() - 200) < 1);
        QCOMPARE(slower[QLatin1String("means")].toString(), QStringLiteral("worse"));
        cli.write(QStringLiteral("stats.csv"), "Type,Name,Request Count,50%,99%\nPOST,chat,10,1,2\n");
        const CliResult refused = cli.runs(QStringLiteral("compare fast.csv stats.csv"));
        COMPARE_CODE(refused, 2);
        VERIFY_SAYS(refused, "percentiles cannot be put together");
    }

    void aPlanIsExported()
    {
        const Scene cli;
        const QString line =
            QStringLiteral("load --url http://127.0.0.1:8787/v1 --model chat --key-variable GATEWAY_KEY "
                           "--rate 10/s --duration 60s --export ");
        const CliResult result = cli.run((line + QStringLiteral("k6")).split(QLatin1Char(' ')));
        COMPARE_CODE(result, 0);
        QVERIFY(result.out.contains(QStringLiteral("ramping-arrival-rate")));
        QVERIFY(result.out.contains(QStringLiteral("__ENV[\"GATEWAY_KEY\"]")));
        QVERIFY(result.err.contains(QStringLiteral("- Poisson arrivals")));
        const CliResult wrong = cli.run((line + QStringLiteral("jmeter")).split(QLatin1Char(' ')));
        COMPARE_CODE(wrong, 2);
        VERIFY_SAYS(wrong, "--export takes k6, locust or inference-perf");
        const QStringList without = QStringLiteral("load --demo --export k6").split(QLatin1Char(' '));
        VERIFY_SAYS(cli.run(without), "--export needs --url");
    }

    void whatIsAskedWronglyIsSaid()
    {
        const Scene cli;
        for (const char* line : {"", "fly", "show", "compare 1", "note 1", "list --most 0", "delete ../x"})
            COMPARE_CODE(cli.runs(QLatin1String(line)), 2);
        QVERIFY(cli.runs(QStringLiteral("list")).out.contains(QStringLiteral("0 of 0 runs.")));
    }
};

QTEST_GUILESS_MAIN(TestCliRuns)
#include "tst_cli_runs.moc"
