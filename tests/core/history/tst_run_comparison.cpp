// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_comparison.h"
#include "core/history/sample_csv.h"
#include "tests/support/json.h"
#include "tests/support/word.h"

#include <QBuffer>
#include <QTest>

#include <cmath>
#include <random>

using namespace sg;
using namespace sg::history;
using measure::Metric;
using measure::Outcome;
using measure::Sample;
using sg::test::word;

namespace {

Sample sampleOf(double responseMs, double atMs = 0, Outcome outcome = Outcome::Success)
{
    Sample sample;
    sample.intended = Instant(fromMs(atMs));
    sample.dispatched = sample.intended;
    sample.sent = sample.intended;
    sample.end = sample.intended + fromMs(responseMs);
    sample.outcome = outcome;
    sample.attempts = 1;
    return sample;
}

ComparedRun runOf(std::uint64_t seed, double median, int successes, int failures)
{
    std::mt19937_64 random(seed);
    std::lognormal_distribution<double> response(std::log(median), 0.4);
    ComparedRun run;
    run.rows.emplace();
    for (int i = 0; i < successes; ++i)
        run.rows->add(sampleOf(response(random)));
    for (int i = 0; i < failures; ++i)
        run.rows->add(sampleOf(5000, 0, Outcome::Failed));
    return run;
}

const ComparedFigure& figureOf(const std::vector<ComparedFigure>& figures, Metric metric, double percentile)
{
    for (const ComparedFigure& figure : figures)
        if (figure.metric == metric && figure.percentile == percentile)
            return figure;
    qFatal("no such figure");
}

} // namespace

class TestRunComparison : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void realChangesAreClearAndChanceIsNot()
    {
        const auto figures = compareRuns(
            {runOf(1, 100, 1000, 10), runOf(2, 100, 1000, 12), runOf(3, 130, 1000, 100), runOf(4, 70, 1000, 0)});
        for (const double p : {50.0, 95.0, 99.0}) {
            const ComparedFigure& response = figureOf(figures, Metric::Response, p);
            QVERIFY(!response.runs[0].change);
            QCOMPARE(word(changeOf(response, 0)), QStringLiteral("unknown"));
            QCOMPARE(word(changeOf(response, 1)), QStringLiteral("none"));
            QCOMPARE(word(changeOf(response, 2)), QStringLiteral("worse"));
            QCOMPARE(word(changeOf(response, 3)), QStringLiteral("better"));
        }
        const ComparedFigure& success = figureOf(figures, Metric::SuccessRate, 0);
        QCOMPARE(*success.runs[0].value, 100000.0 / 1010);
        QCOMPARE(word(changeOf(success, 1)), QStringLiteral("none"));
        QCOMPARE(word(changeOf(success, 2)), QStringLiteral("worse"));
        QCOMPARE(word(changeOf(success, 3)), QStringLiteral("better"));
        const auto& change = *figureOf(figures, Metric::Response, 50).runs[2].change;
        QVERIFY(change.low < 30 && 30 < change.high && change.high - change.low < 15);
    }

    void failuresAreInNoPercentile()
    {
        const auto figures = compareRuns({runOf(1, 100, 1000, 0), runOf(1, 100, 1000, 500)});
        const ComparedFigure& response = figureOf(figures, Metric::Response, 99);
        QCOMPARE(*response.runs[0].value, *response.runs[1].value);
    }

    void fewRequestsHaveAValueWithoutInterval()
    {
        const auto figures = compareRuns({runOf(1, 100, 1000, 0), runOf(2, 300, 50, 0)});
        const ComparedFigure& response = figureOf(figures, Metric::Response, 99);
        QVERIFY(response.runs[1].value && !response.runs[1].estimate && !response.runs[1].change);
        QCOMPARE(word(changeOf(response, 1)), QStringLiteral("unknown"));
        QCOMPARE(word(changeOf(figureOf(figures, Metric::Response, 50), 1)), QStringLiteral("worse"));
    }

    void reportAloneHasValues()
    {
        ComparedRun told;
        told.report = test::object(R"({"outcomes": {"success": 990, "failed": 6, "cut_off": 4, "cancelled": 50},
            "metrics": {"response": {"success": {"p50": 101.5, "p95": null}}, "itl": {"success": {"p50": 20}}}})");
        const auto figures = compareRuns({told, runOf(1, 100, 1000, 0)});
        const ComparedFigure& response = figureOf(figures, Metric::Response, 50);
        QCOMPARE(*response.runs[0].value, 101.5);
        QVERIFY(!response.runs[0].estimate && !response.runs[1].change);
        QVERIFY(!figureOf(figures, Metric::Response, 95).runs[0].value);
        QCOMPARE(*figureOf(figures, Metric::Itl, 50).runs[0].value, 20.0);
        const ComparedFigure& success = figureOf(figures, Metric::SuccessRate, 0);
        QCOMPARE(*success.runs[0].value, 99.0); // cancelled ones are nobody's failure
        QCOMPARE(word(changeOf(success, 1)), QStringLiteral("better"));
        for (const ComparedFigure& figure : figures)
            QVERIFY(figure.metric != Metric::Ttft); // nobody has one
        QVERIFY(compareRuns({}).empty());
        QVERIFY(compareRuns({ComparedRun{}, ComparedRun{}}).empty());
    }

    void whatIsNotValidIsNotJudged()
    {
        ComparedRun valid = runOf(1, 100, 1000, 0), invalid = runOf(2, 300, 1000, 0);
        valid.report = test::object(R"({"verdict": {"valid": true, "word": "valid"}})");
        invalid.report = test::object(R"({"verdict": {"valid": false, "word": "INVALID"}})");
        const auto figures = compareRuns({valid, invalid});
        const ComparedFigure& p95 = figureOf(figures, Metric::Response, 95);
        QVERIFY(p95.runs[1].change);
        QCOMPARE(word(changeOf(p95, 1)), QStringLiteral("not_judged"));
        QCOMPARE(meaningWords(p95, 1), QStringLiteral("INVALID: not judged"));
        const auto turned = compareRuns({invalid, valid});
        QCOMPARE(meaningWords(figureOf(turned, Metric::Response, 95), 1), QStringLiteral("not judged: A is INVALID"));
    }

    void rowsThatAreNotAllReplaceNothing()
    {
        ComparedRun part = runOf(1, 100, 1000, 0);
        part.report = test::object(R"({"outcomes": {"success": 9000, "failed": 1000}, "rows": {"left_out": 8000,
            "dropped": 1000}, "metrics": {"response": {"success": {"p50": 250}}}})");
        const auto figures = compareRuns({runOf(2, 100, 1000, 0), part});
        const ComparedFigure& p50 = figureOf(figures, Metric::Response, 50);
        QCOMPARE(p50.runs[1].value, std::optional(250.0));
        QVERIFY(!p50.runs[1].estimate && !p50.runs[1].change);
        QVERIFY(meaningWords(p50, 1).startsWith(QStringLiteral("no interval")));
        QCOMPARE(*figureOf(figures, Metric::SuccessRate, 0).runs[1].value, 90.0);
        QVERIFY(rowsNote(part).startsWith(QStringLiteral("9000 of its requests")));
        QVERIFY(rowsNote(runOf(2, 100, 10, 0)).isEmpty());
    }

    void costAndBlocksAreCompared()
    {
        ComparedRun cheap, dear;
        cheap.report = test::object(R"({"requests": 2000, "cost_usd": 1, "attempts_blocked_again": 10,
            "outcomes": {"success": 900, "failed": 100}})");
        dear.report = test::object(R"({"requests": 1000, "cost_usd": null, "attempts_blocked_again": 0,
            "outcomes": {"success": 1000}})");
        const auto figures = compareRuns({cheap, dear});
        const ComparedFigure& cost = figureOf(figures, Metric::Cost, 0);
        QCOMPARE(cost.name, QStringLiteral("cost_per_1000"));
        QCOMPARE(cost.runs[0].value, std::optional(0.5));
        QVERIFY(!cost.runs[1].value);
        const ComparedFigure& blocked = figureOf(figures, Metric::Attempts, 0);
        QCOMPARE(blocked.runs[0].value, std::optional(10.0));
        QCOMPARE(blocked.runs[1].value, std::optional(0.0));
        QCOMPARE(meaningWords(blocked, 1), QStringLiteral("no interval"));
    }

    void rowsOfTheMeasuredPartAreTaken()
    {
        std::string text = csvHead();
        for (int i = 0; i < 100; ++i)
            appendCsvRow(text, sampleOf(i, i * 10, i % 10 == 0 ? Outcome::Failed : Outcome::Success), Instant());
        QByteArray bytes = QByteArray::fromStdString(text);
        QBuffer buffer(&bytes);
        QVERIFY(buffer.open(QIODevice::ReadOnly));
        const auto tally = tallyOfRows(buffer, Millis(200), Millis(500));
        QVERIFY(tally);
        QCOMPARE(tally->finished(), 30);
        QCOMPARE(tally->count(Outcome::Failed), 3);
        QCOMPARE(toMs(*tally->of(Metric::Response).min()), 21.0);
        QBuffer empty;
        QVERIFY(empty.open(QIODevice::ReadOnly));
        QVERIFY(!tallyOfRows(empty, Nanos(0), Nanos::max()));
    }
};

QTEST_APPLESS_MAIN(TestRunComparison)
#include "tst_run_comparison.moc"
