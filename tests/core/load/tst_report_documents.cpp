// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/report.h"
#include "core/load/report_documents.h"
#include "core/load/report_words.h"
#include "core/load/svg_plot.h"
#include "tests/support/json.h"

#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

#include <cmath>

using namespace sg;
using namespace sg::load;

namespace {

QJsonObject sampleReport()
{
    return test::object(R"({
        "format": "switchgear-load/2",
        "plan": {"chain": "main", "model": {"kind": "open", "words": "open, Poisson, 10/s for 60s"}},
        "measured": {"from_ms": 1000, "to_ms": 4000},
        "objectives": [
            {"objective": "p95<2s", "measured": 1840, "measured_words": "1.84 s", "met": true},
            {"objective": "success>99.5%", "measured": 98, "measured_words": "98 %", "met": false}],
        "seconds": {"slot_ms": 1000, "requested": [10, 10, 10, 10], "answered": [9, 10, 0, 8], "failed": [0, 0, 2, 0],
            "p50_ms": [100, 110, null, 120], "p95_ms": [200, 210, null, 400], "p99_ms": [300, 310, null, 900]},
        "histogram": {"low_ms": [1, 10, 100], "high_ms": [10, 100, 1000], "answered": [2, 20, 5], "failed": [0, 0, 2]},
        "outcomes": {"success": 27, "failed": 2, "cut_off": 1, "cancelled": 0},
        "by_tier": {"gpt": 27},
        "by_error_class": {"rate_limited": 2},
        "errors": [{"class": "rate_limited", "words": "rate limited", "endpoint": "gpt", "example": "slow down",
            "remedy": "Lower the concurrency"}],
        "metrics": {
            "response": {"words": "response time", "unit": "ms", "better": "lower", "formula": "end - intended",
                "success": {"count": 27, "p50": 110.5, "p90": 150, "p95": 200, "p99": 1234.6, "max": 2000, "mean": 120},
                "failed": {"count": 2, "p50": 5, "p90": 6, "p95": 6, "p99": 6, "max": 6, "mean": 5.5}},
            "tpot": {"words": "time per output token", "unit": "ms", "formula": "x", "success": {"count": 0}},
            "goodput": {"words": "goodput", "unit": "1/s", "formula": "good / time", "value": 8.25},
            "cost": {"words": "cost", "unit": "$", "formula": "sum", "value": null}},
        "verdict": {"valid": true, "word": "valid", "reasons": [], "result": "missed"}})");
}

QString problemOf(const QString& markup)
{
    QXmlStreamReader reader(markup);
    while (!reader.atEnd())
        reader.readNext();
    return reader.hasError() ? reader.errorString() : QString();
}

int countOf(const QString& text, const char* part)
{
    return static_cast<int>(text.count(QLatin1String(part)));
}

} // namespace

class TestReportDocuments : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theTableSaysLargeSeedsWhole()
    {
        QJsonObject report = sampleReport();
        const auto with = [&](const QJsonValue& seed) {
            QJsonObject plan = report[QStringLiteral("plan")].toObject();
            plan[QStringLiteral("seed")] = seed;
            report[QStringLiteral("plan")] = plan;
            return tableOf(report).section(u'\n', 0, 0);
        };
        QVERIFY(with(1184).endsWith(QStringLiteral("seed 1184")));
        QVERIFY(with(QStringLiteral("18446744073709551615")).endsWith(QStringLiteral("seed 18446744073709551615")));
    }

    void pageHoldsEverything()
    {
        const QString html = htmlOf(sampleReport(), QStringLiteral("Friday"));
        QCOMPARE(problemOf(html), QString());
        for (const char* part :
             {"<h1>Friday</h1>", "chain main: open, Poisson, 10/s for 60s", "✗ missed", "p95&lt;2s", "1.84 s",
              "end - intended", "110.5 ms", "1235 ms", "good / time", "8.25/s", "cut off", "rate limited",
              "Lower the concurrency", "prefers-color-scheme:dark", ">warm-up<", ">p99</text>"})
            QVERIFY2(html.contains(QString::fromUtf8(part)), part);
        QCOMPARE(countOf(html, "<svg "), 3);
        QVERIFY(html.indexOf(QStringLiteral("class=\"verdict bad\"")) < html.indexOf(QStringLiteral("<svg")));
        QVERIFY(!html.contains(QStringLiteral(">time per output token<"))); // nothing was measured of it
        QVERIFY(html.contains(QStringLiteral("<td class=\"n\">–</td>")));   // an unknown cost is no 0
    }

    void whatEndedTheRunAndWhatBreakersDidIsInEveryDocument()
    {
        QJsonObject report = sampleReport();
        for (const QString& text :
             {htmlOf(report, QStringLiteral("x")), markdownOf(report, QStringLiteral("x")), tableOf(report)})
            QVERIFY(!text.contains(QStringLiteral("nded early")));
        report.insert(QStringLiteral("ended_because"), QStringLiteral("error_share"));
        report.insert(QStringLiteral("wall_ms"), 7500);
        report.insert(QStringLiteral("breakers"), test::object(R"({"list": [{"endpoint": "gpt", "state": "open",
            "transitions": [{"at_ms": 1200, "from": "closed", "to": "open", "cause": "failure_share"}]}]})")
                                                      .value(QLatin1String("list")));
        for (const QString& text :
             {htmlOf(report, QStringLiteral("x")), markdownOf(report, QStringLiteral("x")), tableOf(report)}) {
            QVERIFY2(text.contains(QStringLiteral("nded early")), qPrintable(text));
            QVERIFY2(text.contains(QStringLiteral("after 7.5 s: too many requests failed")), qPrintable(text));
            QVERIFY2(text.contains(QStringLiteral("1.2 s open (failure share)")), qPrintable(text));
        }
        report.insert(QStringLiteral("ended_because"), QStringLiteral("duration"));
        QVERIFY(!tableOf(report).contains(QStringLiteral("ended early")));
    }

    void pageAsksForNothing()
    {
        QString html = htmlOf(sampleReport(), QStringLiteral("x"));
        html.remove(QStringLiteral("xmlns=\"http://www.w3.org/2000/svg\""));
        for (const char* part : {"http:", "https:", "<script", "src=", "href=", "url(", "@import", "<link"})
            QVERIFY2(!html.contains(QLatin1String(part)), part);
        QVERIFY(html.contains(QStringLiteral("default-src 'none'")));
    }

    void sweepShowsItsKnee()
    {
        QJsonObject report = sampleReport();
        report.insert(QStringLiteral("sweep"), test::object(R"({"knee_rps": 40, "sign": "latency_doubled", "steps": [
            {"requested_rps": 10, "p50_ms": 100, "p99_ms": 150}, {"requested_rps": 20, "p50_ms": 100, "p99_ms": 150},
            {"requested_rps": 30, "p50_ms": 101, "p99_ms": 152}, {"requested_rps": 40, "p50_ms": 102, "p99_ms": 160},
            {"requested_rps": 50, "p50_ms": 300, "p99_ms": 900}, {"requested_rps": 60, "p50_ms": null, "p99_ms": null}]})"));
        const QString html = htmlOf(report, QStringLiteral("x"));
        QCOMPARE(problemOf(html), QString());
        QVERIFY(html.contains(QStringLiteral("the last step that held: 40/s. At 50/s p99 is above twice that of the "
                                             "first step. Where p99 bends (Kneedle): 40/s.")));
        QVERIFY(html.contains(QStringLiteral(">beyond the knee<")));
        QCOMPARE(countOf(html, "<svg "), 4);
        QVERIFY(html.contains(QStringLiteral(">did not hold<")) && html.contains(QStringLiteral(">held<")));
        const QString markdown = markdownOf(report, QStringLiteral("x"));
        QVERIFY(markdown.contains(QStringLiteral("| Requested | Due | Achieved |")));
        QVERIFY(markdown.contains(QStringLiteral("| 40/s | – | ")) && markdown.contains(QStringLiteral("Kneedle")));
        report.insert(QStringLiteral("sweep"), test::object(R"({"knee_rps": null, "steps": []})"));
        QCOMPARE(countOf(htmlOf(report, QStringLiteral("x")), "<svg "), 3);
    }

    void textsFromOutsideAddNoMarkup()
    {
        const QString bad = QStringLiteral("<img src=x onerror=\"a\">&'\" %1 %2 | `x` [y](z)\n# h");
        QJsonObject report = sampleReport();
        report.insert(QStringLiteral("plan"), QJsonObject{{QStringLiteral("endpoint"), bad}});
        report.insert(QStringLiteral("by_tier"), QJsonObject{{bad, 1}});
        report.insert(QStringLiteral("verdict"),
                      QJsonObject{{QStringLiteral("valid"), false}, {QStringLiteral("reasons"), QJsonArray{bad}}});
        report.insert(QStringLiteral("errors"),
                      QJsonArray{QJsonObject{{QStringLiteral("example"), bad}, {QStringLiteral("words"), bad}}});
        report.insert(QStringLiteral("objectives"), QJsonArray{QJsonObject{{QStringLiteral("objective"), bad},
                                                                           {QStringLiteral("measured_words"), bad}}});
        const QString html = htmlOf(report, bad);
        QCOMPARE(problemOf(html), QString());
        QVERIFY(!html.contains(QStringLiteral("<img")));
        QVERIFY(html.contains(QStringLiteral("%1 %2")));
        const QString markdown = markdownOf(report, bad);
        QVERIFY(!markdown.contains(QRegularExpression(QStringLiteral("(?<!\\\\)[<`\\[]"))));
        QVERIFY(!markdown.contains(QStringLiteral("\n# h")));
        QVERIFY(markdown.contains(QStringLiteral("INVALID")));
        for (const QString& line : markdown.split(QLatin1Char('\n')))
            if (line.startsWith(QLatin1Char('|')) && line.contains(QStringLiteral("img")))
                QCOMPARE(line.count(QRegularExpression(QStringLiteral("(?<!\\\\)\\|"))), 4);
    }

    void anEmptyReportIsAPageToo()
    {
        for (const QJsonObject& report : {QJsonObject(), test::object(R"({"seconds": {"slot_ms": 0, "answered": [1]},
                "histogram": {"low_ms": [1]}, "metrics": 4, "objectives": {}, "verdict": []})")}) {
            const QString html = htmlOf(report, {});
            QCOMPARE(problemOf(html), QString());
            QVERIFY(!html.contains(QStringLiteral("nan")) && !html.contains(QStringLiteral("inf")));
            QVERIFY(html.contains(QStringLiteral("INVALID"))); // what does not say that it is valid is not
            QVERIFY(!markdownOf(report, {}).isEmpty());
        }
    }

    void markdownIsASummary()
    {
        const QString markdown = markdownOf(sampleReport(), QStringLiteral("Friday"));
        QVERIFY(
            markdown.startsWith(QStringLiteral("### ✗ Friday: missed\n\nchain main: open, Poisson, 10/s for 60s\n")));
        QVERIFY(markdown.contains(QStringLiteral("| p95\\<2s | 1.84 s | ✓ met |\n")));
        QVERIFY(markdown.contains(QStringLiteral("| response time | 110.5 ms | 200 ms | 1235 ms | 2000 ms | 27 |\n")));
        QVERIFY(markdown.contains(QStringLiteral("goodput 8.25/s")));
        QVERIFY(!markdown.contains(QStringLiteral("cost")));
        QVERIFY(markdown.contains(QStringLiteral("Outcomes: 1 cut off · 2 failed · 27 success\n")));
        QVERIFY(markdown.contains(QStringLiteral("Failures: 2 rate limited\n")));
    }

    void gapsStayGaps()
    {
        SvgPlot plot(QStringLiteral("w"), {4, {}}, {10, {}});
        plot.line({0, 1, 2, 3, 4}, {1, 2, std::nullopt, 3, 4}, QStringLiteral("a"), QStringLiteral("l"));
        plot.band({0, 1, 2, 3}, {1, 1, std::nullopt, 1}, {2, 2, 2, 2}, QStringLiteral("outer"));
        const QString svg = plot.svg();
        QCOMPARE(problemOf(svg), QString());
        const auto paths = QRegularExpression(QStringLiteral("class=\"line a\" d=\"([^\"]*)\"")).match(svg);
        QCOMPARE(paths.captured(1).count(QLatin1Char('M')), 2);
        const auto band = QRegularExpression(QStringLiteral("class=\"outer\" d=\"([^\"]*)\"")).match(svg);
        QCOMPARE(band.captured(1).count(QLatin1Char('Z')), 2);
    }

    void placesAreWhereTheNumbersSay()
    {
        SvgPlot plot(QStringLiteral("w"), {10, {}}, {100, {}});
        plot.bar(0, 10, 0, 100, QStringLiteral("ok"));
        plot.bar(0, 10, 50, 50, QStringLiteral("none"));
        const QString svg = plot.svg();
        QVERIFY(svg.contains(QStringLiteral("class=\"ok\" x=\"64.5\" y=\"12\" width=\"711\" height=\"208\"")));
        QVERIFY(!svg.contains(QStringLiteral("none")));
        QVERIFY(svg.contains(QStringLiteral(">20</text>")) && svg.contains(QStringLiteral(">100</text>")));
        for (const double max : {0.0, -1.0, std::nan(""), 1e-7, 3e12})
            QCOMPARE(problemOf(SvgPlot({}, {max, {}}, {max, {}}).svg()), QString());
    }

    void numbersAreShort()
    {
        QCOMPARE(plainNumber(1.500, 3), QStringLiteral("1.5"));
        QCOMPARE(plainNumber(100, 0), QStringLiteral("100"));
        QCOMPARE(plainNumber(-0.0001, 2), QStringLiteral("0"));
        QCOMPARE(valueWords(0.00123, QStringLiteral("$")), QStringLiteral("$0.0012"));
        QCOMPARE(valueWords(QJsonValue(), QStringLiteral("ms")), QStringLiteral("–"));
        QCOMPARE(valueWords(99.52, QStringLiteral("%")), QStringLiteral("99.52 %"));
    }
};

QTEST_APPLESS_MAIN(TestReportDocuments)
#include "tst_report_documents.moc"
