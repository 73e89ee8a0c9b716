// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/series_documents.h"
#include "core/load/series_table.h"
#include "tests/support/literals.h"
#include "tests/support/word.h"

#include <QJsonArray>
#include <QTest>

using namespace sg;
using namespace test;
using C = load::SeriesColumn;
using load::SeriesKind;
using load::SeriesRow;
using load::SeriesRunState;
using load::SeriesTable;
using load::Standing;

namespace {

struct Figures
{
    double success = 100, p99 = 100;
    std::optional<double> cost = 1;
    double spread = 1; ///< half of the intervals' width
};

SeriesRow rowOf(const QString& name, const Figures& figures)
{
    SeriesRow row{name, name, {}, SeriesRunState::Finished, {}, QStringLiteral("valid"), {}, {}};
    const auto set = [&](C column, double value) {
        row.cell(column) = {value, stats::Estimate{value, value - figures.spread, value + figures.spread},
                            Standing::None};
    };
    set(C::Success, figures.success);
    set(C::P50, figures.p99 / 2);
    set(C::P99, figures.p99);
    row.cell(C::CostPerMillion).value = figures.cost;
    return row;
}

SeriesTable judged(std::vector<SeriesRow> rows)
{
    SeriesTable table{SeriesKind::Endpoints, std::move(rows), {}};
    load::judge(table);
    return table;
}

std::optional<double> rankOf(const SeriesTable& table, std::size_t row)
{
    return table.rows[row].cell(C::Rank).value;
}

class TestSeriesTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranksByTheMeanOfPlaces()
    {
        // Places in success, p99, cost: 1 1 2 · 2 2 3 · 3 3 1.
        const SeriesTable table =
            judged({rowOf("a"_L1, {99, 50, 2.0}), rowOf("b"_L1, {95, 100, 8.0}), rowOf("c"_L1, {90, 200, 0.5})});
        QCOMPARE(rankOf(table, 0), std::optional(1.0));
        QCOMPARE(rankOf(table, 1), std::optional(2.0));
        QCOMPARE(rankOf(table, 2), std::optional(2.0)); // 7 each: shared
        QCOMPARE(table.rankedBy.size(), 3);
    }

    void whatChanceExplainsSharesAPlace()
    {
        const SeriesTable table = judged({rowOf("a"_L1, {99, 50, 1.0, 10}), rowOf("b"_L1, {97, 55, 1.0, 10})});
        QCOMPARE(rankOf(table, 0), std::optional(1.0));
        QCOMPARE(rankOf(table, 1), std::optional(1.0));
        QCOMPARE(word(table.rows[0].cell(C::P99).standing), word(Standing::Best));
        QCOMPARE(word(table.rows[1].cell(C::P99).standing), word(Standing::MaybeBest));
    }

    void anInvalidRunIsNotRanked()
    {
        std::vector<SeriesRow> rows{rowOf("a"_L1, {99, 1, 0.1}), rowOf("b"_L1, {95, 100, 8.0}),
                                    rowOf("c"_L1, {90, 200, 9.0})};
        rows[0].verdict = QStringLiteral("INVALID");
        const SeriesTable table = judged(rows);
        QVERIFY(!rankOf(table, 0));
        QCOMPARE(word(table.rows[0].cell(C::P99).standing), word(Standing::None));
        QCOMPARE(rankOf(table, 1), std::optional(1.0));
        QCOMPARE(rankOf(table, 2), std::optional(2.0));
    }

    void oneThatWasCutShortIsNot()
    {
        std::vector<SeriesRow> rows{rowOf("a"_L1, {99, 50, 1.0}), rowOf("b"_L1, {95, 100, 8.0}), rowOf("c"_L1, {})};
        rows[2].state = SeriesRunState::Stopped;
        QVERIFY(!rankOf(judged(rows), 2));
    }

    void anUnknownCostCountsForNobody()
    {
        const SeriesTable table = judged({rowOf("a"_L1, {90, 100, std::nullopt}), rowOf("b"_L1, {90, 200, 0.1})});
        QCOMPARE(rankOf(table, 0), std::optional(1.0));
        QCOMPARE(rankOf(table, 1), std::optional(2.0));
        QCOMPARE(table.rankedBy, QStringList({"Success"_L1, "p99"_L1}));
        QVERIFY(!table.rows[0].cell(C::CostPerMillion).value);
    }

    void p50StandsForAP99OfTooFew()
    {
        std::vector<SeriesRow> rows{rowOf("a"_L1, {90, 400, 1.0}), rowOf("b"_L1, {90, 200, 1.0})};
        rows[0].cell(C::P99).estimate.reset();
        const SeriesTable table = judged(rows);
        QCOMPARE(table.rankedBy, QStringList({"Success"_L1, "p50"_L1, "Cost per 1M tokens"_L1}));
        QCOMPARE(word(table.rows[0].cell(C::P99).standing), word(Standing::TooFew));
        QCOMPARE(rankOf(table, 1), std::optional(1.0));
    }

    void figuresOfAReport()
    {
        QJsonObject report{
            {"success_rate"_L1, 0.75},
            {"requests"_L1, 200},
            {"cancelled"_L1, 0},
            {"measured"_L1, QJsonObject{{"requests"_L1, 200}}},
            {"response_ms"_L1, QJsonObject{{"p50"_L1, 12.5}, {"p99"_L1, QJsonValue::Null}}},
            {"cost_usd"_L1, 0.5},
            {"attempts_blocked_again"_L1, 7},
            {"tokens"_L1, QJsonObject{{"input"_L1, 20000}, {"output"_L1, 30000}, {"requests_without_usage"_L1, 0}}},
            {"verdict"_L1, QJsonObject{{"valid"_L1, true}, {"result"_L1, "passed"_L1}}}};
        const load::SeriesVariant variant{"full"_L1, "full jitter"_L1, {}, {}, {}};
        SeriesRow row = load::finishedRow(variant, report, {});
        QCOMPARE(row.verdict, QStringLiteral("passed"));
        QCOMPARE(row.cell(C::Success).value, std::optional(75.0));
        QVERIFY(!row.cell(C::P99).value);
        QCOMPARE(row.cell(C::CostPer1000).value, std::optional(2.5));
        QCOMPARE(row.cell(C::CostPerMillion).value, std::optional(10.0));
        QCOMPARE(row.cell(C::BlockedAgain).value, std::optional(7.0));
        report["cost_usd"_L1] = QJsonValue::Null;
        row = load::finishedRow(variant, report, {});
        QVERIFY(!row.cell(C::CostPer1000).value);
        QVERIFY(!row.cell(C::CostPerMillion).value);
        report["cost_usd"_L1] = 0.5;
        report["measured"_L1] = QJsonObject{{"requests"_L1, 150}}; // a warm-up was paid, and its tokens are not counted
        QVERIFY(!load::finishedRow(variant, report, {}).cell(C::CostPerMillion).value);
    }

    void documentsSayWhatIsUnknownAndInjectNothing()
    {
        load::SeriesProgress series;
        load::SeriesPlan plan;
        plan.kind = SeriesKind::Endpoints;
        series.plan = std::make_shared<const load::SeriesPlan>(plan);
        series.state = load::SeriesState::Cancelled;
        series.table = judged({rowOf("a|<b>"_L1, {99, 50, std::nullopt}), rowOf("b"_L1, {95, 100, 8.0})});
        series.table.rows.push_back({"c"_L1, "c"_L1, {}, SeriesRunState::Skipped, {}, {}, {}, {}});
        const QString markdown = load::markdownOf(series, "t"_L1), html = load::htmlOf(series, "t"_L1);
        QVERIFY(markdown.contains("a\\|\\<b\\>"_L1));
        QVERIFY(html.contains("a|&lt;b&gt;"_L1));
        for (const QString& text : {markdown, html, load::tableOf(series)}) {
            QVERIFY(text.contains(u'–'));
            QVERIFY(text.contains("skipped"_L1));
            QVERIFY(text.contains("Stopped by hand"_L1));
        }
        const QJsonObject report = load::reportOf(series);
        QCOMPARE(report["format"_L1].toString(), QStringLiteral("switchgear-load-series/1"));
        const QJsonArray rows = report["table"_L1]["rows"_L1].toArray();
        QCOMPARE(rows.size(), 3);
        QVERIFY(rows[0]["cost_per_million_tokens_usd"_L1].isNull());
        QCOMPARE(rows[1]["rank"_L1].toInt(), 2);
        QCOMPARE(rows[2]["state"_L1].toString(), QStringLiteral("skipped"));
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestSeriesTable)
#include "tst_series_table.moc"
