// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/simulator.h"
#include "tests/app/cli_process.h"

#include <QNetworkAccessManager>
#include <QNetworkReply>

#include <csignal>

using namespace sg;
using test::Cli;
using test::CliResult;

namespace {

QStringList words(const char* line)
{
    return QString::fromUtf8(line).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

QJsonObject objectIn(const QJsonObject& object, const char* name)
{
    return object.value(QLatin1String(name)).toObject();
}

/// `simulate` as a process; ended when the test leaves.
class Simulate
{
public:
    Simulate(const Cli& cli, const QStringList& arguments)
    {
        cli.begin(process, QStringList{QStringLiteral("simulate"), QStringLiteral("--json")} + arguments);
        QByteArray said;
        while (!said.contains("\n}\n") && process.waitForReadyRead(20000))
            said += process.readAllStandardOutput();
        hello = QJsonDocument::fromJson(said).object();
    }
    ~Simulate()
    {
        process.kill();
        process.waitForFinished(5000);
    }
    QProcess process;
    QJsonObject hello;
};

} // namespace

class tst_cli : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSchemaIsPrinted()
    {
        const Cli cli;
        const CliResult result = cli.run(words("schema"));
        COMPARE_CODE(result, 0);
        QCOMPARE(result.json().value(QLatin1String("title")).toString(), QStringLiteral("Switchgear workspace"));
        const CliResult tooMuch = cli.run(words("schema w.json"));
        COMPARE_CODE(tooMuch, 2);
    }

    void helpAndVersionAreFine()
    {
        const Cli cli;
        for (const char* line : {"--help", "--version", "load --help", "simulate --help", "check --help"}) {
            const CliResult result = cli.run(words(line));
            COMPARE_CODE(result, 0);
            QVERIFY(!result.out.isEmpty());
            QVERIFY2(result.err.isEmpty(), result.told().constData());
        }
    }

    void badUsageIsTwoAndSaysWhereToRead_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char* line, const char* problem) {
            QTest::newRow(*line ? line : "nothing") << QString::fromUtf8(line) << QString::fromUtf8(problem);
        };
        row("", "switchgear-cli COMMAND --help");
        row("loda", "There is no command \"loda\"");
        row("load", "--demo, --workspace FILE or --simulate SCRIPT");
        row("load --demo --requets 3", "Unknown option 'requets'");
        row("load --demo --requests", "Missing value after '--requests'");
        row("load --demo --requests ten", "--requests takes a whole number");
        row("load --demo --requests 0", "--requests takes a whole number");
        row("load --demo --concurrency -1", "--concurrency takes a whole number");
        row("load --demo --concurrency 1.5", "--concurrency takes a whole number");
        row("load --demo --seed x", "--seed takes a whole number");
        row("load --demo --min-success 99", "--min-success takes a number from 0 to 1");
        row("load --demo --workspace a.json", "leave out --workspace");
        row("load --demo --chain a --endpoint b", "Give --chain or --endpoint, not both");
        row("load --demo --chain suport", "Did you mean \"support\"?");
        row("load --demo --endpoint gpt-4", "Did you mean \"gpt-4.1\"?");
        row("load --demo extra", "\"extra\" is not an option of load");
        row("load --demo --prompts nowhere.txt", "nowhere.txt: the file does not exist");
        row("load --demo --report no-such-folder/report.json", "there is no folder");
        row("load --demo --report .", "this is a folder");
        row("simulate --port 70000", "--port takes a number from 0 to 65535");
        row("simulate --seed -3", "--seed takes a whole number");
        row("simulate a.json b.json", "simulate takes one script");
        row("check", "check takes one file");
    }
    void badUsageIsTwoAndSaysWhereToRead()
    {
        QFETCH(QString, line);
        QFETCH(QString, problem);
        const CliResult result = Cli().run(line.split(QLatin1Char(' '), Qt::SkipEmptyParts));
        COMPARE_CODE(result, 2);
        QVERIFY2(result.err.contains(problem), result.told().constData());
        QVERIFY2(result.err.contains(QStringLiteral("--help")), result.told().constData());
        QVERIFY2(!result.err.contains(QStringLiteral("..")), result.told().constData());
        QVERIFY2(result.out.isEmpty(), result.told().constData());
    }

    void reportHasEveryPromisedField()
    {
        Cli cli;
        cli.write(QStringLiteral("s.json"), test::kQuick);
        const CliResult result =
            cli.run(words("load --simulate s.json --endpoint quick --requests 50 --json --seed 3"));
        COMPARE_LOAD_CODE(result, 0);
        const QJsonObject report = result.json();
        for (const char* field :
             {"requests",   "succeeded",      "failed",        "cancelled",    "success_rate", "response_ms",
              "service_ms", "ttft_ms",        "requested_rps", "achieved_rps", "attempts",     "attempts_per_request",
              "by_tier",    "by_error_class", "tokens",        "cost_usd",     "cache",        "breakers",
              "transport",  "verdict"})
            QVERIFY2(report.contains(QLatin1String(field)), field);
        for (const char* distribution : {"response_ms", "service_ms"})
            for (const char* field : {"p50", "p90", "p95", "p99", "max", "mean"})
                QVERIFY2(objectIn(report, distribution).value(QLatin1String(field)).isDouble(), field);
        QCOMPARE(report.value(QLatin1String("requests")).toInt(), 50);
        QCOMPARE(report.value(QLatin1String("succeeded")).toInt(), 50);
        QVERIFY(report.value(QLatin1String("cost_usd")).isNull()); // no price: unknown, not 0
        QCOMPARE(objectIn(report, "plan").value(QLatin1String("seed")).toInt(), 3);
        QCOMPARE(objectIn(objectIn(objectIn(report, "simulator"), "endpoints"), "quick")
                     .value(QLatin1String("requests"))
                     .toInt(),
                 50);
    }

    void tableAndSavedReportSayTheSame()
    {
        Cli cli;
        cli.write(QStringLiteral("s.json"), test::kQuick);
        const CliResult result = cli.run(words("load --simulate s.json --requests 20 --report r.json"));
        COMPARE_LOAD_CODE(result, 0);
        VERIFY_SAYS(result, "20 (20 succeeded, 0 failed (0 throttled), 0 cancelled)");
        const QJsonObject saved = QJsonDocument::fromJson(cli.read(QStringLiteral("r.json"))).object();
        QCOMPARE(saved.value(QLatin1String("succeeded")).toInt(), 20);
        QCOMPARE(objectIn(saved, "plan").value(QLatin1String("chain")).toString(), QStringLiteral("all"));
    }

    void demoTakesAChainOrAnEndpoint()
    {
        const Cli cli;
        const QJsonObject chain = cli.run(words("load --demo --chain support --requests 10 --json")).json();
        QCOMPARE(objectIn(chain, "plan").value(QLatin1String("chain")).toString(), QStringLiteral("support"));
        const CliResult result = cli.run(words("load --demo --endpoint gpt-4.1 --requests 10 --json"));
        COMPARE_LOAD_CODE(result, 0);
        QCOMPARE(objectIn(result.json(), "plan").value(QLatin1String("endpoint")).toString(),
                 QStringLiteral("gpt-4.1"));
        QCOMPARE(result.json().value(QLatin1String("attempts")).toInt(), 10); // one each, no retry
    }

    void workspaceMayBeServedByAnotherScript()
    {
        Cli cli;
        cli.write(QStringLiteral("w.json"), test::workspaceWith(QStringLiteral("sim:quick")));
        cli.write(QStringLiteral("s.json"), test::kQuick);
        const CliResult result = cli.run(words("load --workspace w.json --simulate s.json --requests 10 --json"));
        COMPARE_LOAD_CODE(result, 0);
        QCOMPARE(objectIn(result.json(), "by_tier").value(QLatin1String("x")).toInt(), 10);
    }

    void resultThatSaysNoIsOne()
    {
        Cli cli;
        cli.write(QStringLiteral("s.json"), R"({"version":1,"endpoints":[{"name":"half",
            "latency":{"kind":"constant","ms":2},"faults":[{"kind":"status","status":500,"share":0.5}]}]})");
        const QStringList load = words("load --simulate s.json --endpoint half --requests 60 --json");
        COMPARE_LOAD_CODE(cli.run(load), 0);
        const CliResult no = cli.runUntilValid(load + words("--min-success 0.99"));
        SKIP_WHERE_INVALID(no);
        COMPARE_CODE(no, 1);
        QVERIFY(objectIn(no.json(), "by_error_class").value(QLatin1String("server_error")).toInt() > 0);
        const QJsonObject error = no.json().value(QLatin1String("errors")).toArray().first().toObject();
        QCOMPARE(error.value(QLatin1String("class")).toString(), QStringLiteral("server_error"));
        QCOMPARE(error.value(QLatin1String("status")).toInt(), 500);
        QVERIFY(!error.value(QLatin1String("remedy")).toString().isEmpty());
    }

    void sameSeedGivesTheSameDraws()
    {
        Cli cli;
        // A drop goes with one user: Qt 6.8 may lose a neighbour of a dropped connection (docs/transport.md).
        cli.write(QStringLiteral("s.json"), R"({"version":1,"endpoints":[
            {"name":"dice","latency":{"kind":"uniform","min_ms":1,"max_ms":3},
             "output_tokens":{"kind":"uniform","min":1,"max":90},
             "faults":[{"kind":"status","status":503,"share":0.3}]},
            {"name":"drops","latency":{"kind":"uniform","min_ms":1,"max_ms":3},
             "faults":[{"kind":"drop_before_headers","share":0.1}]}]})");
        const auto drawsOf = [&](const char* endpoint, int concurrency, int seed) {
            const QJsonObject report =
                cli.run(words("load --simulate s.json --requests 200 --json --endpoint")
                        << QString::fromLatin1(endpoint) << QStringLiteral("--concurrency")
                        << QString::number(concurrency) << QStringLiteral("--seed") << QString::number(seed))
                    .json();
            const QJsonObject truth = objectIn(objectIn(objectIn(report, "simulator"), "endpoints"), endpoint);
            // Not the input: which prompt meets which draw is up to the order of arrival.
            const QJsonObject all{
                {QStringLiteral("faults"), truth.value(QLatin1String("faults"))},
                {QStringLiteral("output"), report.value(QLatin1String("tokens"))[QLatin1String("output")]}};
            return QJsonDocument(all).toJson(QJsonDocument::Compact);
        };
        const auto draws = [&](int seed) { return drawsOf("dice", 10, seed) + drawsOf("drops", 1, seed); };
        const QByteArray first = draws(7);
        QVERIFY2(first.contains("status") && first.contains("drop_before_headers"), first.constData());
        QCOMPARE(draws(7), first);
        QVERIFY(draws(8) != first);
    }

    void simulateServesItsScriptAndItsTruth()
    {
        Cli cli;
        cli.write(QStringLiteral("s.json"), test::kQuick);
        Simulate simulate(cli, words("s.json"));
        const QString base = objectIn(simulate.hello, "endpoints").value(QLatin1String("quick")).toString();
        QVERIFY2(base.startsWith(QStringLiteral("http://127.0.0.1:")),
                 simulate.process.readAllStandardError().constData());
        cli.write(QStringLiteral("w.json"), test::workspaceWith(base));
        COMPARE_LOAD_CODE(cli.run(words("load --workspace w.json --requests 7")), 0);

        QNetworkAccessManager manager;
        const QUrl stats(simulate.hello.value(QLatin1String("stats")).toString());
        QCOMPARE(stats.path(), QStringLiteral("/stats"));
        QNetworkReply* reply = manager.get(QNetworkRequest(stats));
        QTRY_VERIFY(reply->isFinished());
        const QJsonObject truth = QJsonDocument::fromJson(reply->readAll()).object();
        QCOMPARE(objectIn(objectIn(truth, "endpoints"), "quick").value(QLatin1String("requests")).toInt(), 7);
        delete reply;

        ::kill(static_cast<pid_t>(simulate.process.processId()), SIGTERM);
        const CliResult end = Cli::end(simulate.process);
        COMPARE_CODE(end, 0);
        QCOMPARE(objectIn(objectIn(end.json(), "endpoints"), "quick").value(QLatin1String("complete")).toInt(), 7);
    }

    void simulateRunsThePracticeScriptByItself()
    {
        const Cli cli;
        const Simulate simulate(cli, {});
        QVERIFY(objectIn(simulate.hello, "endpoints").contains(QLatin1String("gpt-4.1")));
    }

    void interruptedLoadStillReports()
    {
        auto script = simulator::parseScript(test::kQuick);
        QVERIFY(script);
        simulator::Simulator simulator(*std::move(script));
        QVERIFY(simulator.start());
        Cli cli;
        cli.write(QStringLiteral("w.json"), test::workspaceWith(simulator.baseUrl(QStringLiteral("quick")).toString()));
        QProcess process;
        cli.begin(process, words("load --workspace w.json --duration 600 --concurrency 4 --json --report r.json"));
        QTRY_VERIFY_WITH_TIMEOUT(
            objectIn(objectIn(simulator.stats(), "endpoints"), "quick").value(QLatin1String("requests")).toInt() > 20,
            20000);
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        const CliResult result = Cli::end(process);
        COMPARE_CODE(result, 0);
        const QJsonObject report = result.json();
        QVERIFY(report.value(QLatin1String("requests")).toInt() > 20);
        QCOMPARE(report.value(QLatin1String("succeeded")), report.value(QLatin1String("requests")));
        QCOMPARE(QJsonDocument::fromJson(cli.read(QStringLiteral("r.json"))).object(), report);
    }

    void checkFindsNothingWrongWithItsOwnFiles()
    {
        Cli cli;
        cli.write(QStringLiteral("s.json"), test::kSteady);
        cli.write(QStringLiteral("w.json"), test::workspaceWith(QStringLiteral("https://api.example.com/v1")));
        for (const char* line : {"check s.json", "check w.json"}) {
            const CliResult result = cli.run(words(line));
            COMPARE_CODE(result, 0);
            VERIFY_SAYS(result, ": fine");
        }
        const CliResult json = cli.run(words("check --json w.json"));
        COMPARE_CODE(json, 0);
        QCOMPARE(json.json().value(QLatin1String("valid")).toBool(), true);
    }
};

QTEST_GUILESS_MAIN(tst_cli)
#include "tst_cli.moc"
