// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/export.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace sg;
using namespace sg::load;
using namespace std::chrono_literals;

namespace {

const ExportTarget kTarget{QStringLiteral("http://127.0.0.1:8787/v1/"), QStringLiteral("prod-chat")};

LoadPlan closedPlan()
{
    LoadPlan plan;
    plan.target = "prod-chat";
    ClosedModel closed;
    closed.users = 20;
    closed.think.kind = stats::Distribution::Kind::TwoHumped;
    closed.think.median = 500;
    closed.think.secondMedian = 3000;
    closed.think.secondShare = 0.25;
    closed.think.sigma = 0.3;
    plan.model = closed;
    plan.stop.duration = 60s;
    plan.prompts = promptsOf({QStringLiteral("say \"hi\" to 'Ünï' \\ `${x}`\u2028 # %1"), QStringLiteral("</script>")});
    return plan;
}

LoadPlan openPlan()
{
    LoadPlan plan;
    plan.target = "prod-chat";
    plan.model = OpenModel{{{60s, 10, 10}, {30s, 10, 50}, {5s, 200.5, 200.5}}, Arrivals::Poisson, 700};
    plan.objectives = *measure::parseObjectives("p95<2s,success>99.5%,ttft.p99<800ms");
    return plan;
}

LoadPlan sweepPlan()
{
    LoadPlan plan;
    plan.target = "prod-chat";
    plan.model = SweepModel{1, 10, 2, 10s, Arrivals::Constant, 100};
    plan.synthetic.emplace();
    plan.synthetic->inputTokens.kind = stats::Distribution::Kind::Lognormal;
    plan.synthetic->inputTokens.median = 300;
    plan.synthetic->inputTokens.sigma = 0.5;
    return plan;
}

QString textOf(const Exported& exported)
{
    return exported ? QString::fromUtf8(exported->text) : exported.error();
}

bool hasLine(const QString& text, const char* line)
{
    return (QLatin1Char('\n') + text).contains(QLatin1Char('\n') + QString::fromUtf8(line));
}

using ExportFunction = Exported (*)(const LoadPlan&, const ExportTarget&);

} // namespace

Q_DECLARE_METATYPE(ExportFunction)

class TestExport : public QObject
{
    Q_OBJECT

    static void check(const QString& program, const QStringList& arguments, const char* file, const QByteArray& text)
    {
        const QString path = QStandardPaths::findExecutable(program);
        if (path.isEmpty())
            QSKIP("it is not installed");
        QTemporaryDir dir;
        QFile script(dir.filePath(QLatin1String(file)));
        QVERIFY(script.open(QIODevice::WriteOnly) && script.write(text) == text.size());
        script.close();
        QProcess process;
        process.start(path, arguments + QStringList{script.fileName()});
        QVERIFY(process.waitForFinished(30'000));
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 0, said.constData());
    }

private Q_SLOTS:
    void k6ClosedLoad()
    {
        const QString script = textOf(k6Of(closedPlan(), kTarget));
        QVERIFY(script.contains(QStringLiteral("executor: 'constant-vus', vus: 20, duration: '60000ms'")));
        QVERIFY(script.contains(QStringLiteral("const url = \"http://127.0.0.1:8787/v1/chat/completions\";")));
        QVERIFY(script.contains(QStringLiteral("sleep((Math.random() < 0.25 ? 3 : 0.5) * Math.exp(0.3 * ")));
        QVERIFY(script.contains(QStringLiteral("__ENV[\"OPENAI_API_KEY\"]")));
        LoadPlan counted = closedPlan();
        counted.stop.requests = 500;
        QVERIFY(textOf(k6Of(counted, kTarget))
                    .contains(QStringLiteral("executor: 'shared-iterations', vus: 20, iterations: 500, maxDuration: "
                                             "'60000ms'")));
    }

    void k6OpenLoad()
    {
        const auto exported = k6Of(openPlan(), kTarget);
        const QString script = textOf(exported);
        QVERIFY(
            script.contains(QStringLiteral("startRate: 10000, timeUnit: '1000s', preAllocatedVUs: 100, maxVUs: 700")));
        QVERIFY(script.contains(QStringLiteral("stages: [{ duration: '60000ms', target: 10000 }, { duration: "
                                               "'30000ms', target: 50000 }, { duration: '0s', "
                                               "target: 200500 }, { duration: '5000ms', target: 200500 }]")));
        QVERIFY(script.contains(QStringLiteral("http_req_duration: ['p(95)<2000']")));
        QVERIFY(script.contains(QStringLiteral("http_req_failed: ['rate<0.005']")));
        const QString lost = exported->lost.join(QLatin1Char('\n'));
        QVERIFY(lost.contains(QStringLiteral("Poisson")) && lost.contains(QStringLiteral("ttft")));
        for (const QString& line : exported->lost) // the manifest is in the script, too
            QVERIFY2(hasLine(script, ("// - " + line.toUtf8()).constData()), qPrintable(line));
    }

    void locustFiles()
    {
        const QString closed = textOf(locustOf(closedPlan(), kTarget));
        QVERIFY(closed.contains(QStringLiteral("return (20, 20) if self.get_run_time() < 60 else None")));
        QVERIFY(closed.contains(QStringLiteral("intended_ms,end_ms,outcome")));
        const auto open = locustOf(openPlan(), kTarget);
        QVERIFY(textOf(open).contains(QStringLiteral("STAGES = [(60, 50, 50), (90, 50, 250), (95, 1002.5, 1002.5)]")));
        QVERIFY(open->lost.join(QLatin1Char('\n')).contains(QStringLiteral("An open load")));
    }

    void inferencePerfConfigs()
    {
        const QString open = textOf(inferencePerfOf(openPlan(), kTarget));
        QVERIFY(open.contains(QStringLiteral("  type: poisson\n  stages:\n  - rate: 10\n    duration: 60\n  - rate: "
                                             "16.666667\n    duration: 10\n  - rate: 30\n    duration: 10\n  - rate: "
                                             "43.333333\n    duration: 10\n  - rate: 200.5\n    duration: 5\n")));
        QVERIFY(hasLine(open, "  base_url: \"http://127.0.0.1:8787\"\n"));
        QVERIFY(hasLine(open, "    per_request: true\n"));
        QVERIFY(textOf(inferencePerfOf(closedPlan(), kTarget)).contains(QStringLiteral("number of requests")));
        LoadPlan counted = closedPlan();
        counted.stop.requests = 500;
        QVERIFY(
            hasLine(textOf(inferencePerfOf(counted, kTarget)), "  - num_requests: 500\n    concurrency_level: 20\n"));
        // Log-normal: mean = median * exp(sigma^2 / 2).
        QVERIFY(hasLine(textOf(inferencePerfOf(sweepPlan(), kTarget)), "    mean: 340\n    std: 181\n"));
    }

    void everyExportIsDeterministicAndBounded_data()
    {
        QTest::addColumn<ExportFunction>("exportPlan");
        QTest::newRow("k6") << &k6Of;
        QTest::newRow("locust") << &locustOf;
        QTest::newRow("inference-perf") << &inferencePerfOf;
    }
    void everyExportIsDeterministicAndBounded()
    {
        QFETCH(ExportFunction, exportPlan);
        LoadPlan replay = openPlan();
        replay.model = ReplayModel{std::make_shared<const std::vector<Nanos>>(std::vector<Nanos>{0s, 1s})};
        QVERIFY(!exportPlan(replay, kTarget));
        for (const LoadPlan& plan : {openPlan(), sweepPlan()}) {
            const auto once = exportPlan(plan, kTarget), again = exportPlan(plan, kTarget);
            QVERIFY2(once, qPrintable(textOf(once)));
            QCOMPARE(once->text, again->text);
            QVERIFY(once->text.size() < 1'000'000 && !once->lost.isEmpty());
        }
    }

    void scriptsAreOnesOfTheirLanguage()
    {
        for (const LoadPlan& plan : {closedPlan(), openPlan(), sweepPlan()})
            check(QStringLiteral("python3"), {QStringLiteral("-m"), QStringLiteral("py_compile")}, "locustfile.py",
                  locustOf(plan, kTarget)->text);
    }

    void scriptsAreOnesOfTheirLanguageToo()
    {
        for (const LoadPlan& plan : {closedPlan(), openPlan(), sweepPlan()})
            check(QStringLiteral("node"), {QStringLiteral("--check")}, "load.mjs", k6Of(plan, kTarget)->text);
    }
};

QTEST_APPLESS_MAIN(TestExport)
#include "tst_export.moc"
