// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/tally.h"
#include "core/policy/random.h"
#include "tests/support/misspelt.h"

#include <QTest>

using namespace sg;
using namespace measure;

namespace {

Sample answer(int tookMs, std::optional<int> firstTokenMs = {}, Outcome outcome = Outcome::Success)
{
    Sample sample;
    sample.outcome = outcome;
    sample.sent = sample.intended;
    sample.end = instantAtMs(tookMs);
    if (firstTokenMs)
        sample.firstToken = instantAtMs(*firstTokenMs);
    return sample;
}

std::vector<Objective> read(std::string_view text)
{
    const auto objectives = parseObjectives(text);
    return objectives ? *objectives : std::vector<Objective>{};
}

class TestObjective : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsWhatTheIssueWrites()
    {
        const auto objectives =
            read("p95<2s, success>99.5% ,ttft.p99<=800ms,goodput>9/s,user_tokens.p5>=20/s,cost<$1.5");
        const std::vector<Objective> expected{
            {Metric::Response, Statistic::Percentile, 95, Relation::Less, 2000},
            {Metric::SuccessRate, Statistic::Whole, 0, Relation::Greater, 99.5},
            {Metric::Ttft, Statistic::Percentile, 99, Relation::AtMost, 800},
            {Metric::Goodput, Statistic::Whole, 0, Relation::Greater, 9},
            {Metric::UserTokenRate, Statistic::Percentile, 5, Relation::AtLeast, 20},
            {Metric::Cost, Statistic::Whole, 0, Relation::Less, 1.5},
        };
        QVERIFY(objectives == expected);
    }

    void aShareOfGoodputIsTheGoodShare()
    {
        QCOMPARE(read("goodput>95%").front().metric, Metric::GoodShare);
        QCOMPARE(read("goodput>95/s,failed<1%").front().metric, Metric::Goodput);
    }

    void errorsKnowTheirPlace_data()
    {
        test::addMisspelt({
            {"", 0, "An objective is expected"},
            {"p95<2s,", 7, "An objective is expected"},
            {"p95<2", 5, "needs its unit"},
            {"p95<2x", 5, "needs its unit"},
            {"p95<", 4, "A time is expected"},
            {"p95 2s", 4, "A comparison is expected"},
            {"p101<2s", 0, "A percentile is above 0"},
            {"p0<2s", 0, "A percentile is above 0"},
            {"tttf.p99<1s", 0, "There is no metric \"tttf\""},
            {"ttft<1s", 4, "needs a statistic"},
            {"ttft.avg<1s", 5, "A statistic is expected"},
            {"p95<2s success>9%", 7, "A comma or the end"},
            {"success.p95>9%", 8, "takes no statistic"},
            {"p95<2s,success>99.5", 15, "written like 99.5%"},
            {"success>101%", 8, "at most 100%"},
            {"goodput>5", 9, "needs its unit"},
            {"p95<-2s", 4, "A time is expected"},
            {"p95<nan", 4, "A time is expected"},
            {"p95<1e3s", 5, "needs its unit"},
        });
    }
    void errorsKnowTheirPlace() { test::checkMisspelt(parseObjectives); }

    void whatIsWrittenReadsBack()
    {
        policy::SeededRandom random(3);
        const auto pick = [&](int below) { return static_cast<int>(random.uniform() * below); };
        for (int round = 0; round < 2000; ++round) {
            Objective objective;
            objective.metric = static_cast<Metric>(pick(kMetricCount));
            objective.statistic = isDistribution(objective.metric) ? static_cast<Statistic>(pick(4)) : Statistic::Whole;
            objective.percentile = objective.statistic == Statistic::Percentile
                                       ? std::array{50.0, 95.0, 99.9, 5.0}[std::size_t(pick(4))]
                                       : 0;
            objective.relation = static_cast<Relation>(pick(4));
            const bool isTime = infoOf(objective.metric).unit == Unit::Milliseconds; // nothing below a nanosecond
            objective.bound = pick(100'000) / (isTime || pick(2) == 0 ? 1000.0 : 1e8);
            const auto back = parseObjectives(textOf(objective).toStdString());
            QVERIFY2(back, qPrintable(textOf(objective)));
            QVERIFY2(back->front() == objective, qPrintable(textOf(objective)));
        }
    }

    void anErrorIsShownWithItsPlace()
    {
        const auto wrong = parseObjectives("p95<2s,ttft<1s");
        QVERIFY(shown(wrong.error(), "p95<2s,ttft<1s").endsWith(QStringLiteral("\n  p95<2s,ttft<1s\n             ^")));
    }

    void goodKeepsEveryBound()
    {
        const auto objectives = read("p95<2s,ttft.p99<800ms,success>99%");
        QVERIFY(isGood(answer(1900, 700), objectives));
        QVERIFY(!isGood(answer(2000, 700), objectives));
        QVERIFY(!isGood(answer(1900, 800), objectives));
        QVERIFY(!isGood(answer(10, 5, Outcome::Failed), objectives));
    }

    void whatIsNotKnownOfAnAnswerKeepsNoBound()
    {
        for (const char* one : {"ttft.p99<800ms", "service.p95<9s", "headers.p95<9s", "tpot.p95<9s", "itl.p99<9s",
                                "chunk_gap.max<9s", "user_tokens.p5>=0/s"})
            QVERIFY2(!isGood(answer(1900), read(one)), one);
        QVERIFY(isGood(answer(1900), read("waited.p99<1s,attempts.max<2")));
        Sample oneToken = answer(1900, 700);
        oneToken.outputTokens = 1;
        oneToken.chunks = {{instantAtMs(700), 4}};
        QVERIFY(isGood(oneToken, read("tpot.p95<1ms,itl.p99<1ms,chunk_gap.max<1ms")));
    }

    void theLongestGapOfARequestKeepsTheBound()
    {
        Sample halting = answer(1900, 100);
        halting.outputTokens = 3;
        halting.chunks = {{instantAtMs(100), 4}, {instantAtMs(110), 4}, {instantAtMs(900), 4}};
        QVERIFY(!isGood(halting, read("itl.p99<500ms")));
        QVERIFY(!isGood(halting, read("chunk_gap.p50<500ms")));
        QVERIFY(isGood(halting, read("itl.p99<800ms,chunk_gap.p50<800ms")));
    }

    void verdictsHaveWhatWasMeasured()
    {
        Tally tally(read("p95<2s,success>99%,ttft.p50<1s,goodput>0.4/s"));
        for (int i = 0; i < 10; ++i)
            tally.add(answer(i == 9 ? 3000 : 100));
        const auto verdicts = judge(tally, tally.figures(std::chrono::seconds(20)));
        QCOMPARE(verdicts.size(), std::size_t(4));
        QVERIFY(!verdicts[0].met());
        QVERIFY(std::abs(*verdicts[0].measured - 3000) < 3);
        QVERIFY(verdicts[1].met());
        QVERIFY(!verdicts[2].measured && !verdicts[2].met()); // no data is no success
        QCOMPARE(verdicts[3].measured, std::optional(0.0));   // without a first token none kept its bound
        QVERIFY(!verdicts[3].met());
        QVERIFY(!allMet(verdicts));
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestObjective)
#include "tst_objective.moc"
