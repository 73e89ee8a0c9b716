// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/breaker_story.h"
#include "core/load/comparison_documents.h"
#include "core/load/target_settings.h"
#include "tests/support/json.h"

#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

using namespace sg;
using namespace sg::load;

namespace {

QJsonObject report(double p95, const char* backoff, const QByteArray& transitions)
{
    QJsonObject report =
        test::object(R"({"wall_ms": 60000, "response_ms": {"p50": 100, "p90": 150, "p95": 200, "p99": 400},
        "outcomes": {"success": 990, "failed": 10, "cut_off": 0},
        "seconds": {"slot_ms": 1000, "p95_ms": [100, null, 300]},
        "breakers": [{"endpoint": "gpt-4.1", "state": "closed", "transitions": )" +
                     transitions + R"(}, {"endpoint": "claude", "state": "closed", "transitions": []}]})");
    report.insert(QStringLiteral("metrics"),
                  QJsonObject{{QStringLiteral("response"),
                               QJsonObject{{QStringLiteral("success"), QJsonObject{{QStringLiteral("count"), 990},
                                                                                   {QStringLiteral("p50"), 100},
                                                                                   {QStringLiteral("p95"), p95},
                                                                                   {QStringLiteral("p99"), 400}}}}}});
    report.insert(QStringLiteral("target"),
                  test::object(QByteArray(R"({"chain": {"name": "support", "deadline_ms": 60000, "tiers": [
                      {"name": "first", "endpoint": "gpt-4.1", "max_attempts": 3, "backoff": {"kind": ")") +
                               backoff + R"(", "base_ms": 500}}, {"name": "second", "endpoint": "claude"}]},
                      "endpoints": [{"name": "gpt-4.1", "breaker": {"failure_share": 0.5}}]})"));
    return report;
}

const QByteArray kTripped = R"([{"at_ms": 6000, "from": "closed", "to": "open"},
    {"at_ms": 36000, "from": "open", "to": "half_open"}, {"at_ms": 38000, "from": "half_open", "to": "open"},
    {"at_ms": 48000, "from": "open", "to": "closed"}])";

std::vector<DocumentRun> two()
{
    DocumentRun a, b;
    a.summary.name = QStringLiteral("before");
    a.summary.target = QStringLiteral("support");
    a.summary.verdict = QStringLiteral("missed");
    a.plan =
        test::object(R"({"seed": 1, "warm_up_ms": 1500, "model": {"words": "open, 10/s for 60s"}, "requests": null})");
    a.compared.report = report(200, "fixed", kTripped);
    b = a;
    b.summary.name = QStringLiteral("after");
    b.summary.note = QStringLiteral("new limits");
    b.compared.report = report(180, "exponential", "[]");
    return {a, b};
}

QString problemOf(const QString& html)
{
    QXmlStreamReader xml(QString(html).remove(QStringLiteral("<!DOCTYPE html>")));
    while (!xml.atEnd())
        xml.readNext();
    return xml.hasError() ? xml.errorString() : QString();
}

} // namespace

class TestComparisonDocuments : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void breakersTellTheirStory()
    {
        const auto stories = breakerStoriesIn(report(200, "fixed", kTripped));
        QCOMPARE(stories.size(), std::size_t(2));
        QCOMPARE(stories[0].firstOpen, std::optional(6.0));
        QCOMPARE(stories[0].openSeconds, 40.0);
        QCOMPARE(stories[0].trips, 2);
        QCOMPARE(stories[0].spans.size(), std::size_t(5));
        QCOMPARE(stories[0].spans.back().to, 60.0);
        QVERIFY(!stories[1].firstOpen && stories[1].spans.size() == 1);
        QVERIFY(breakerStoriesIn({}).empty());
        // Times that cannot be: no span runs backwards.
        const auto odd = breakerStoriesIn(report(1, "x", R"([{"at_ms": 9e9, "from": "closed", "to": "open"},
            {"at_ms": -5, "from": "open", "to": "nonsense"}])"));
        for (const auto& span : odd[0].spans)
            QVERIFY(span.from <= span.to && span.to <= 60);
    }

    void settingsAreLinesWithUnits()
    {
        const auto run = two().front();
        const auto lines = settingLines(run.plan, run.compared.report.value(QStringLiteral("target")).toObject());
        const auto has = [&](const char* name, const char* value) {
            return std::ranges::find(lines, std::pair(QString::fromUtf8(name), QString::fromUtf8(value))) !=
                   lines.end();
        };
        QVERIFY(has("warm up", "1500ms"));
        QVERIFY(has("model", "open, 10/s for 60s"));
        QVERIFY(has("chain order", "first → second"));
        QVERIFY(has("tier first, backoff", "base 500ms, kind fixed"));
        QVERIFY(has("endpoint gpt-4.1, breaker", "failure share 0.5"));
        for (const auto& [name, value] : lines)
            QVERIFY(name != QLatin1String("requests")); // nothing was asked
    }

    void thePageHoldsEverything()
    {
        const QString html = comparisonHtml(two());
        QCOMPARE(problemOf(html), QString());
        for (const char* part :
             {"<h1>Comparison with before</h1>", "new limits", "response time p95",
              "no interval without all of its requests", "95 % interval", ">Latency by percentile<",
              ">p95 over time, aligned<", ">Breakers, aligned<", "− A base 500ms, kind fixed",
              "+ B base 500ms, kind exponential", "The same: ", ">never<", ">40 s<", "default-src 'none'"})
            QVERIFY2(html.contains(QString::fromUtf8(part)), part);
        QCOMPARE(html.count(QStringLiteral("<svg ")), 3);
        QString rest = html;
        rest.remove(QStringLiteral("xmlns=\"http://www.w3.org/2000/svg\""));
        for (const char* part : {"http:", "https:", "<script", "src=", "href=", "url("})
            QVERIFY2(!rest.contains(QLatin1String(part)), part);
    }

    void theMarkdownIsTables()
    {
        const QString text = comparisonMarkdown(two());
        QVERIFY(text.startsWith(QStringLiteral("### Comparison with before\n")));
        QVERIFY(text.contains(QStringLiteral("| B | after | support |")));
        QVERIFY(text.contains(
            QStringLiteral("| tier first, backoff | base 500ms, kind fixed | base 500ms, kind exponential |")));
        QVERIFY(text.contains(QStringLiteral("| gpt-4.1 | A | 6 s | 40 s | 2 |")));
    }

    void whatIsNotKnownIsNoDifference()
    {
        auto runs = two();
        runs[0].compared.report.remove(QStringLiteral("target"));
        const QString html = comparisonHtml(runs);
        QVERIFY(html.contains(QStringLiteral("not kept with every one of them")));
        QVERIFY(!html.contains(QStringLiteral("kind exponential")));
    }

    void textsFromOutsideAddNoMarkup()
    {
        auto runs = two();
        const QString bad = QStringLiteral("<img src=x onerror=\"a\">&'\" %1 %2 | `x` [y](z)\n# h");
        runs[1].summary.name = runs[1].summary.note = bad;
        runs[1].plan.insert(QStringLiteral("note"), bad);
        runs[1].compared.report.insert(QStringLiteral("breakers"),
                                       QJsonArray{QJsonObject{{QStringLiteral("endpoint"), bad},
                                                              {QStringLiteral("state"), QStringLiteral("open")}}});
        const QString html = comparisonHtml(runs);
        QCOMPARE(problemOf(html), QString());
        QVERIFY(!html.contains(QStringLiteral("<img")));
        const QString markdown = comparisonMarkdown(runs);
        QVERIFY(!markdown.contains(QRegularExpression(QStringLiteral("(?<!\\\\)[<`]"))));
        QVERIFY(!markdown.contains(QStringLiteral("\n# h")));
    }

    void nothingIsAPageToo()
    {
        QCOMPARE(problemOf(comparisonHtml({})), QString());
        QCOMPARE(problemOf(comparisonHtml({DocumentRun{}, DocumentRun{}})), QString());
        QVERIFY(!comparisonHtml({DocumentRun{}, DocumentRun{}}).contains(QStringLiteral("nan")));
        QVERIFY(!comparisonMarkdown({DocumentRun{}}).isEmpty());
    }
};

QTEST_APPLESS_MAIN(TestComparisonDocuments)
#include "tst_comparison_documents.moc"
