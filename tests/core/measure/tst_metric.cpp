// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/figures_json.h"
#include "core/measure/tally.h"
#include "core/measure/time_axis.h"
#include "core/policy/random.h"

#include <QTest>

#include <cmath>

using namespace sg;
using namespace measure;

namespace {

Instant ms(std::int64_t at)
{
    return instantAtMs(at);
}

/// Intended at 100, sent at 130, tokens from 630 to 1630, over at 1650.
Sample streamed()
{
    Sample sample;
    sample.intended = ms(100);
    sample.dispatched = ms(110);
    sample.sent = ms(130);
    sample.firstSent = ms(130);
    sample.headers = ms(300);
    sample.firstByte = ms(301);
    sample.firstToken = ms(630);
    sample.lastToken = ms(1630);
    sample.end = ms(1650);
    sample.inputTokens = 12;
    sample.outputTokens = 11;
    sample.attempts = 1;
    return sample;
}

std::vector<std::pair<double, std::int64_t>> all(const Sample& sample, Metric metric)
{
    std::vector<std::pair<double, std::int64_t>> values;
    valuesOf(sample, metric, [&](double value, std::int64_t count) { values.emplace_back(value, count); });
    return values;
}

using Values = std::vector<std::pair<double, std::int64_t>>;

class TestMetric : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyTimeIsWhatItsFormulaSays()
    {
        const Sample sample = streamed();
        QCOMPARE(valueOf(sample, Metric::Response), std::optional(1550.0));
        QCOMPARE(valueOf(sample, Metric::Service), std::optional(1500.0));
        QCOMPARE(valueOf(sample, Metric::ClientQueue), std::optional(30.0));
        QCOMPARE(valueOf(sample, Metric::ScheduleDelay), std::optional(10.0));
        QCOMPARE(valueOf(sample, Metric::Headers), std::optional(170.0));
        QCOMPARE(valueOf(sample, Metric::Ttft), std::optional(500.0));
        QCOMPARE(valueOf(sample, Metric::Tpot), std::optional(100.0)); // 1000 ms over the 10 tokens after the first
        QCOMPARE(valueOf(sample, Metric::UserTokenRate), std::optional(11 / 1.5));
        QCOMPARE(valueOf(sample, Metric::Attempts), std::optional(1.0));
        QVERIFY(!valueOf(sample, Metric::Waited));
    }

    void whatDidNotHappenHasNoValue()
    {
        Sample whole = streamed();
        whole.firstToken.reset();
        QVERIFY(!valueOf(whole, Metric::Ttft));
        QVERIFY(!valueOf(whole, Metric::Tpot));
        Sample one = streamed();
        one.outputTokens = 1;
        QVERIFY(!valueOf(one, Metric::Tpot));
        Sample estimated = streamed();
        estimated.tokensAreEstimated = true;
        QVERIFY(!valueOf(estimated, Metric::Tpot));
        QVERIFY(!valueOf(estimated, Metric::UserTokenRate));
        QVERIFY(!valueOf(estimated, Metric::OutputTokens));
        Sample cached = streamed();
        cached.attempts = 0;
        cached.sent.reset();
        cached.firstSent.reset();
        QVERIFY(!valueOf(cached, Metric::Attempts));
        QVERIFY(!valueOf(cached, Metric::ClientQueue));
    }

    void aLimitersWaitIsNotTheClientsQueue()
    {
        Sample sample = streamed();
        sample.waitedBeforeSent = Millis(25);
        QCOMPARE(valueOf(sample, Metric::ClientQueue), std::optional(5.0));
        sample.sent = ms(900); // of a second attempt
        QCOMPARE(valueOf(sample, Metric::ClientQueue), std::optional(5.0));
    }

    void gapsBetweenTokensAreWeightedByTokens()
    {
        Sample sample = streamed();
        sample.outputTokens = 8;
        sample.chunks = {{ms(630), 4}, {ms(730), 4}, {ms(1130), 16}, {ms(1630), 8}}; // 1, 1, 4 and 2 tokens
        QCOMPARE(all(sample, Metric::Itl), (Values{{100, 1}, {100, 4}, {250, 2}}));
        QCOMPARE(all(sample, Metric::ChunkGap), (Values{{100, 1}, {400, 1}, {500, 1}}));
    }

    void piecesThatCameTogetherAreOne()
    {
        Sample sample = streamed();
        sample.outputTokens = 4;
        sample.chunks = {{ms(630), 4}, {ms(730), 4}, {ms(730), 4}, {ms(830), 4}};
        QCOMPARE(all(sample, Metric::ChunkGap), (Values{{100, 1}, {100, 1}}));
        QCOMPARE(all(sample, Metric::Itl), (Values{{50, 2}, {100, 1}}));
    }

    /// Whatever the pieces: their gaps times their tokens add up to the span, and no token is lost.
    void gapsAddUp()
    {
        policy::SeededRandom random(7);
        for (int round = 0; round < 500; ++round) {
            Sample sample = streamed();
            sample.outputTokens = 2 + static_cast<std::int64_t>(random.uniform() * 300);
            Instant at = ms(630);
            const int pieces = 2 + static_cast<int>(random.uniform() * 60);
            for (int i = 0; i < pieces; ++i) {
                sample.chunks.push_back({at, 1 + static_cast<std::int64_t>(random.uniform() * 20)});
                at += fromMs(1 + random.uniform() * 100);
            }
            double span = 0;
            std::int64_t tokens = 0;
            for (const auto& [gap, count] : all(sample, Metric::Itl)) {
                span += gap * static_cast<double>(count);
                tokens += count;
            }
            QVERIFY(tokens < *sample.outputTokens);
            if (*sample.outputTokens < pieces * 2)
                continue; // then the last piece may hold no token of its own
            const double whole = toMs(sample.chunks.back().at - sample.chunks.front().at);
            QVERIFY(span <= whole + 1e-6);
            QVERIFY(span >= whole * 0.5);
        }
    }

    void everyMetricIsDescribed()
    {
        QCOMPARE(metrics().size(), std::size_t(kMetricCount));
        for (int i = 0; i < kMetricCount; ++i) {
            const MetricInfo& info = infoOf(static_cast<Metric>(i));
            QCOMPARE(static_cast<int>(info.metric), i);
            QVERIFY(QByteArray(info.formula).size() > 5);
            QCOMPARE(metricNamed(info.name), std::optional(info.metric));
        }
    }

    void outcomesAreKeptApart()
    {
        Tally tally;
        for (const auto& [outcome, span] : {std::pair{Outcome::Success, 100},
                                            {Outcome::Success, 300},
                                            {Outcome::Failed, 5},
                                            {Outcome::Cancelled, 9000},
                                            {Outcome::CutOff, 700}}) {
            Sample sample;
            sample.intended = ms(0);
            sample.end = ms(span);
            sample.outcome = outcome;
            tally.add(sample);
        }
        QCOMPARE(tally.finished(), 5);
        QCOMPARE(tally.judged(), 4);
        QCOMPARE(tally.of(Metric::Response).count(), 2);
        QCOMPARE(toMs(*tally.of(Metric::Response).max()), 300.0);
        QCOMPARE(toMs(*tally.of(Metric::Response, Outcome::Cancelled).max()), 9000.0);
        QCOMPARE(toMs(*tally.of(Metric::Response, Outcome::CutOff).min()), 700.0);
        QCOMPARE(toMs(*tally.of(Metric::Response, Outcome::Failed).min()), 5.0);
        const Figures figures = tally.figures(std::chrono::seconds(2));
        QCOMPARE(figures[static_cast<std::size_t>(Metric::SuccessRate)], std::optional(50.0));
        QCOMPARE(figures[static_cast<std::size_t>(Metric::AchievedRate)], std::optional(2.5));
        QVERIFY(!figures[static_cast<std::size_t>(Metric::TokenRate)]); // nobody counted: unknown, not 0
    }

    void aRateOfTokensNeedsAllOfThem()
    {
        Tally tally;
        Sample counted;
        counted.end = ms(1000);
        counted.outputTokens = 100;
        tally.add(counted);
        Sample canned = counted;
        canned.outputTokens.reset();
        canned.source = "canned_reply"; // no provider made it
        tally.add(canned);
        const auto rateOf = [&] {
            return tally.figures(std::chrono::seconds(2))[static_cast<std::size_t>(Metric::TokenRate)];
        };
        QCOMPARE(rateOf(), std::optional(50.0));
        Sample unknown = counted;
        unknown.tokensAreEstimated = true;
        tally.add(unknown);
        QVERIFY(!rateOf());
        const auto told = metricsJson(tally, tally.figures(std::chrono::seconds(2)))[QLatin1String("tokens")];
        QVERIFY(told[QLatin1String("value")].isNull());
        QCOMPARE(told[QLatin1String("at_least")].toDouble(), 50.0);
    }

    void percentilesAreNearestRank()
    {
        Tally tally;
        for (int i = 1; i <= 1000; ++i) {
            Sample sample;
            sample.end = ms(i);
            tally.add(sample);
        }
        for (const double p : {50.0, 95.0, 99.0, 99.9}) {
            const auto value = tally.statistic({Metric::Response, Statistic::Percentile, p, Relation::Less, 0});
            QVERIFY(std::abs(*value - p * 10) <= p * 10 / 1000 + 0.001);
        }
    }

    void theAxisGetsCoarserInsteadOfLonger()
    {
        TimeAxis axis(ms(0));
        for (int second = 0; second < 4000; ++second) {
            ++axis.at(ms(second * 1000)).answered;
            axis.at(ms(second * 1000)).latency.record(Millis(10));
        }
        QVERIFY(axis.slots().size() <= TimeAxis::kMostSlots);
        QCOMPARE(axis.slotWidth(), Nanos(std::chrono::seconds(8)));
        int sum = 0;
        std::int64_t values = 0;
        for (const TimeAxis::Slot& slot : axis.slots()) {
            sum += slot.answered;
            values += slot.latency.count();
        }
        QCOMPARE(sum, 4000);
        QCOMPARE(values, 4000);
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestMetric)
#include "tst_metric.moc"
