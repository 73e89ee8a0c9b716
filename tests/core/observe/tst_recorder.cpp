// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/observe/desk.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace sg;
using namespace sg::observe;
using namespace std::chrono;
using policy::BreakerState;
using provider::ErrorClass;
using namespace sg::test;

namespace {

std::vector<std::string> texts(const SnapshotPtr& picture)
{
    std::vector<std::string> list;
    for (const Event& event : picture->events)
        list.push_back(event.text);
    return list;
}

bool isUnknown(float value)
{
    return std::isnan(value);
}

constexpr std::int64_t operator""_usd(unsigned long long dollars)
{
    return static_cast<std::int64_t>(dollars) * 1'000'000'000;
}

} // namespace

class TestRecorder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("TZ", "UTC"); }

    void nothingIsUnknownNotZero()
    {
        Desk desk;
        desk.add("gpt", rateRule());
        desk.now += seconds(3);
        const auto picture = desk.look();
        QVERIFY(!picture->tiles.successShare && !picture->tiles.p50Ms && !picture->tiles.p95Ms &&
                !picture->tiles.p99Ms);
        QVERIFY(!picture->tiles.costPerHourUsd && !picture->tiles.costDeltaPerHourUsd);
        QVERIFY(!picture->tiles.cacheHitShare && !picture->tiles.cacheSavesPerHourUsd);
        const EndpointView& view = desk.view(picture, "gpt");
        QVERIFY(!view.gauge && !view.gaugeAtTrip && !view.p50Ms && !view.answeredShare && !view.lastError);
        QVERIFY(!view.rpmLimit && !view.nextProbeUnixMs && !view.parkedUntilUnixMs);
        QCOMPARE(view.gaugeLimit, 0.5);
        QCOMPARE(view.lastAttemptUnixMs, 0);
        QCOMPARE(view.sinceUnixMs, test::kStartUnixMs);
        QVERIFY(view.note.empty());
        QVERIFY(picture->latency.empty());
        QCOMPARE(picture->heatmap.maxCount, 0U);
        QCOMPARE(picture->lanes.front().segments.size(), 1U);
        QVERIFY(picture->events.empty());
        QCOMPARE(picture->lastRequestUnixMs, 0);
    }

    void theGaugeShowsTheNearestRule()
    {
        Desk desk;
        policy::BreakerConfig config;
        config.failureRate = 0.9;
        config.consecutiveFailures = 4;
        config.minimumCalls = 1000;
        desk.add("gpt", config);
        for (int i = 0; i < 8; ++i)
            desk.attempt("gpt", {});
        desk.attempt("gpt", overloaded());
        desk.attempt("gpt", {});
        auto view = desk.view(desk.look(), "gpt");
        QVERIFY(view.rule == TripRule::FailureRate);
        QCOMPARE(*view.gauge, 0.1);
        desk.attempt("gpt", overloaded());
        desk.attempt("gpt", overloaded());
        view = desk.view(desk.look(), "gpt");
        QVERIFY(view.rule == TripRule::ConsecutiveFailures);
        QCOMPARE(*view.gauge, 2.0);
        QCOMPARE(view.gaugeLimit, 4.0);
    }

    void countsAndPercentilesAreOfTheWindow()
    {
        Desk desk;
        desk.add("gpt", rateRule());
        std::mt19937_64 random(2);
        std::vector<std::pair<Instant, Nanos>> all;
        for (int i = 0; i < 4000; ++i) {
            const Nanos took = Millis(50 + static_cast<std::int64_t>(random() % 900));
            desk.answered("gpt", took);
            all.emplace_back(desk.now, took);
        }
        for (const Nanos window : {Nanos(minutes(5)), Nanos(minutes(15)), Nanos(hours(1))}) {
            const Nanos slot = window > minutes(15) ? seconds(15) : seconds(1);
            const std::int64_t first = desk.now.time_since_epoch() / slot - window / slot + 1;
            std::vector<Nanos> inside;
            for (const auto& [at, took] : all) {
                if (at.time_since_epoch() / slot >= first)
                    inside.push_back(took);
            }
            std::sort(inside.begin(), inside.end());
            const auto picture = desk.look(window);
            QCOMPARE(picture->tiles.answered, static_cast<std::int64_t>(inside.size()));
            QCOMPARE(picture->tiles.latencySamples, static_cast<std::int64_t>(inside.size()));
            const auto rank = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(inside.size())));
            const double exact = toMs(inside[rank - 1]);
            QVERIFY(*picture->tiles.p95Ms >= exact && *picture->tiles.p95Ms <= exact * 1.01);
            std::int64_t inBins = 0;
            for (const LatencyBin& bin : picture->latency)
                inBins += bin.answered + bin.cached;
            QCOMPARE(inBins, picture->tiles.latencySamples);
        }
    }

    void p99NeedsAHundredRequests()
    {
        Desk desk;
        desk.add("gpt", rateRule());
        for (int i = 0; i < 99; ++i)
            desk.answered("gpt", Millis(5));
        QVERIFY(desk.look()->tiles.p95Ms && !desk.look()->tiles.p99Ms);
        desk.answered("gpt", Millis(5));
        QVERIFY(desk.look()->tiles.p99Ms);
    }

    void latencyCountsFromWhenTheRequestWasDue()
    {
        Desk desk;
        desk.add("gpt", rateRule());
        auto run = desk.begin();
        const Instant due = run.started - seconds(3);
        desk.step(run, desk.attempt("gpt", {}, seconds(1)));
        run.ending = chain::Ending::Answered;
        run.source = chain::Source::Endpoint;
        run.endpoint = "gpt";
        run.ended = desk.now;
        desk.recorder.onRequestFinished(run, due, {}, desk.now);
        QCOMPARE(*desk.look()->tiles.p50Ms, 4000.0);
        QCOMPARE(*desk.view(desk.look(), "gpt").p50Ms, 1000.0);
    }

    void ratesAreOfWholeSeconds()
    {
        Desk desk;
        desk.add("gpt", rateRule());
        for (int second = 0; second < 130; ++second) {
            desk.now = instantAtMs(second * 1000);
            const int n = second == 40 ? 30 : second == 129 ? 50 : second >= 100 && second < 110 ? 0 : 4;
            for (int i = 0; i < n; ++i)
                desk.answered("gpt", Millis(1));
        }
        const auto picture = desk.look();
        const Tiles& tiles = picture->tiles;
        QCOMPARE(tiles.requestsPerSecond, 4.0); // the second under way is not in it
        QCOMPARE(tiles.peakRequestsPerSecond, 30.0);
        QCOMPARE(tiles.requestsSpark.size(), kSparkSeconds);
        QCOMPARE(tiles.requestsSpark.back(), 4.0F);
        QCOMPARE(tiles.requestsSpark[120 - 129 + 105], 0.0F);
        QVERIFY(isUnknown(tiles.successSpark[120 - 129 + 105]));
        QCOMPARE(tiles.successSpark.back(), 1.0F);
        QVERIFY(isUnknown(tiles.p99Spark.back()));
        QVERIFY(tiles.p50Spark.back() > 0.9F && tiles.p50Spark.back() < 1.1F);
        QVERIFY(isUnknown(tiles.p50Spark[120 - 129 + 109]));
        QVERIFY(isUnknown(tiles.costSpark.back()) && isUnknown(tiles.cacheSpark.back()));

        const EndpointView& view = desk.view(picture, "gpt");
        QCOMPARE(*view.rpmUsed, 50.0 * 4 - 10 * 4 + 9 * 4 + 50); // seconds 70 to 129
        QVERIFY(!view.rpmLimit);

        desk.now += minutes(20); // a long silence
        const auto later = desk.look();
        QCOMPARE(later->tiles.requestsPerSecond, 0.0);
        QCOMPARE(later->tiles.peakRequestsPerSecond, 0.0);
        QCOMPARE(later->tiles.requestsSpark.size(), kSparkSeconds);
        QCOMPARE(*desk.view(later, "gpt").rpmUsed, 0.0);
        QVERIFY(!later->tiles.successShare);
        QCOMPARE(desk.look(hours(1))->tiles.peakRequestsPerSecond, 50.0);
    }

    void aLimitShowsWhatIsTakenOfIt()
    {
        Desk desk;
        desk.add("gpt", rateRule(), 60.0);
        const auto take = [&](int n) {
            for (int i = 0; i < n; ++i)
                QVERIFY(desk.states.at("gpt")->limits().acquire(0, desk.now).ticket);
        };
        take(45);
        QCOMPARE(*desk.view(desk.look(), "gpt").rpmUsed, 45.0);
        QCOMPARE(*desk.view(desk.look(), "gpt").rpmLimit, 60.0);
        desk.now += seconds(30); // one a second comes back
        QCOMPARE(*desk.view(desk.look(), "gpt").rpmUsed, 15.0);
        take(45); // 90 in this minute: the bucket had started full
        QCOMPARE(*desk.view(desk.look(), "gpt").rpmUsed, 60.0);
    }

    void costIsARateAndAFailoverShows()
    {
        Desk desk;
        desk.add("gpt", streakRule(1));
        desk.add("claude", rateRule());
        for (int second = 0; second < 600; ++second) {
            desk.now = instantAtMs(second * 1000);
            desk.answered("gpt", Millis(1), {1_usd / 100, {}});
        }
        auto tiles = desk.look()->tiles;
        QVERIFY(std::abs(*tiles.costPerHourUsd - 36) < 0.2);
        QVERIFY(!tiles.costIsLowerBound && !tiles.costDeltaPerHourUsd);
        QVERIFY(std::abs(tiles.costSpark.back() - 36.0F) < 0.01F);

        desk.attempt("gpt", overloaded());
        for (int second = 600; second < 1000; ++second) {
            desk.now = instantAtMs(second * 1000);
            desk.answered("claude", Millis(1), {1_usd / 50, {}});
        }
        tiles = desk.look()->tiles;
        QVERIFY(std::abs(*tiles.costPerHourUsd - 72) < 0.5);
        QVERIFY(std::abs(*tiles.costDeltaPerHourUsd - 36) < 0.5);
        QVERIFY(!desk.look(minutes(5))->tiles.costDeltaPerHourUsd); // no trip in that window

        desk.answered("claude", Millis(1));
        QVERIFY(desk.look()->tiles.costIsLowerBound);
        desk.now += minutes(6);
        tiles = desk.look()->tiles;
        QCOMPARE(*tiles.costPerHourUsd, 0.0); // no traffic costs nothing
        QVERIFY(!tiles.costIsLowerBound);
        desk.answered("claude", Millis(1));
        QVERIFY(!desk.look()->tiles.costPerHourUsd); // only traffic without a price
    }

    void aYoungRecorderDoesNotUnderstateTheRate()
    {
        Desk desk;
        desk.add("gpt", rateRule());
        for (int second = 0; second <= 60; ++second) {
            desk.now = instantAtMs(second * 1000);
            desk.answered("gpt", Millis(1), {1_usd / 100, {}});
        }
        QVERIFY(std::abs(*desk.look()->tiles.costPerHourUsd - 36) < 1);
    }

    void cacheFigures()
    {
        Desk desk;
        desk.recorder.setWorkspace("acme", "prod", true, true);
        desk.add("gpt", rateRule());
        for (int i = 0; i < 300; ++i) {
            desk.now = instantAtMs(i * 1000);
            if (i % 4 != 0) {
                desk.answered("gpt", Millis(500), {1_usd / 100, {}});
                continue;
            }
            auto run = desk.begin();
            desk.now += Millis(9);
            desk.end(run, chain::Ending::Answered, i % 8 == 0 ? chain::Source::Cache : chain::Source::SharedCall, {},
                     {0, 1_usd / 100});
        }
        const auto picture = desk.look();
        QCOMPARE(*picture->tiles.cacheHitShare, 0.25);
        QVERIFY(std::abs(*picture->tiles.cacheSavesPerHourUsd - 9) < 0.2);
        QCOMPARE(*desk.view(picture, "gpt").answeredShare, 0.75);
        std::int64_t cached = 0, answered = 0;
        for (const LatencyBin& bin : picture->latency) {
            cached += bin.cached;
            answered += bin.answered;
            QVERIFY(bin.cached == 0 || bin.highMs < 20);
        }
        QCOMPARE(cached, 75);
        QCOMPARE(answered, 225);
        QCOMPARE(picture->tiles.answered, 300);
        COMPARE_TEXT(picture->workspace, "acme");
        QVERIFY(picture->simulated);
    }

    void heatmapPutsEachRequestInItsCell()
    {
        Desk desk;
        desk.add("gpt", rateRule());
        std::mt19937_64 random(6);
        for (int i = 0; i < 3000; ++i)
            desk.answered("gpt", Millis(1 + static_cast<std::int64_t>(random() % 590)));
        const auto picture = desk.look();
        const Heatmap& map = picture->heatmap;
        QCOMPARE(map.columnMs, 15'000);
        QCOMPARE(map.columns, std::min<int>(60, static_cast<int>(toMs(desk.now - instantAtMs(0)) / 15'000) + 1));
        const std::size_t rows = map.rowEdgesMs.size() - 1;
        QCOMPARE(map.counts.size(), rows * static_cast<std::size_t>(map.columns));
        std::int64_t sum = 0;
        std::uint32_t most = 0;
        for (std::size_t cell = 0; cell < map.counts.size(); ++cell) {
            sum += map.counts[cell];
            most = std::max(most, map.counts[cell]);
            if (map.counts[cell] > 0)
                QVERIFY(map.rowEdgesMs[cell % rows] <= 590);
        }
        QCOMPARE(map.maxCount, most);
        QVERIFY(std::abs(static_cast<double>(sum - picture->tiles.answered)) <= 60); // the first column may be cut
        QCOMPARE(desk.look(hours(24))->heatmap.columnMs, 15'000); // the finest that holds what was recorded
        QCOMPARE(desk.look(minutes(5))->heatmap.columns, 60);

        Desk fresh;
        fresh.add("gpt", rateRule());
        fresh.now += seconds(40);
        fresh.answered("gpt", Millis(100));
        const Heatmap young = fresh.look()->heatmap;
        QCOMPARE(young.columnMs, 5'000);
        QCOMPARE(young.columns, 9); // what was not recorded is not shown as empty
        QCOMPARE(young.firstColumnUnixMs, test::kStartUnixMs);
        QCOMPARE(young.counts[8 * rows + 12], 1U); // 100 ms begins the thirteenth row
    }

    void lanesHaveNoGapsAndFitTheWindow()
    {
        Desk desk;
        auto config = streakRule(1);
        config.open = seconds(5);
        desk.add("gpt", config);
        for (int i = 0; i < 900; ++i) {
            desk.attempt("gpt", overloaded());
            desk.now += seconds(5);
            desk.attempt("gpt", {});
            desk.now += seconds(4);
        }
        for (const Nanos window : {Nanos(minutes(5)), Nanos(minutes(15)), Nanos(hours(1)), Nanos(hours(6))}) {
            const auto picture = desk.look(window);
            const auto& segments = picture->lanes.front().segments;
            QVERIFY(segments.size() >= 30 && segments.size() <= 400);
            QVERIFY(segments.front().fromUnixMs >= picture->takenUnixMs - picture->windowMs);
            QCOMPARE(segments.back().toUnixMs, picture->takenUnixMs);
            for (std::size_t i = 0; i < segments.size(); ++i) {
                QVERIFY(segments[i].toUnixMs >= segments[i].fromUnixMs);
                QVERIFY(!segments[i].cause.empty());
                if (i > 0)
                    QCOMPARE(segments[i].fromUnixMs, segments[i - 1].toUnixMs);
            }
        }
    }

    void endpointsKeepTheirHistoryByName()
    {
        Desk desk;
        desk.add("gpt", streakRule(1));
        desk.add("claude", rateRule());
        desk.answered("gpt", Millis(10));
        desk.attempt("gpt", overloaded());
        std::swap(desk.infos[0], desk.infos[1]);
        desk.recorder.setEndpoints(desk.infos);
        auto picture = desk.look();
        COMPARE_TEXT(picture->endpoints[0].name, "claude");
        QCOMPARE(picture->endpoints[1].attempts, 2);
        QVERIFY(picture->endpoints[1].state == BreakerState::Open);

        desk.infos.erase(desk.infos.begin() + 1);
        desk.recorder.setEndpoints(desk.infos);
        desk.now += seconds(1);
        desk.add("gpt", streakRule(1)); // a new breaker, and its name was gone
        picture = desk.look();
        QCOMPARE(picture->endpoints[1].attempts, 0);
        QVERIFY(picture->endpoints[1].state == BreakerState::Closed);
        desk.recorder.onAttemptStarted("nobody", desk.now);
        desk.recorder.onBreaker("nobody", {});
        QCOMPARE(desk.look()->endpoints.size(), 2U);
    }

    void aReplacedBreakerKeepsTheLaneAndSaysWhy()
    {
        Desk desk;
        desk.add("gpt", streakRule(1));
        desk.attempt("gpt", overloaded());
        desk.infos.clear();
        desk.now += seconds(2);
        desk.look();
        desk.add("gpt", streakRule(5));
        const auto picture = desk.look();
        const auto& segments = picture->lanes.front().segments;
        QCOMPARE(segments.size(), 3U);
        QVERIFY(segments[1].state == BreakerState::Open && segments[2].state == BreakerState::Closed);
        COMPARE_TEXT(segments[2].cause, "Settings changed");
        QCOMPARE(picture->endpoints.front().attempts, 1);
    }

    void parkedAndCredentialComeFromTheState()
    {
        Desk desk;
        desk.add("gpt", rateRule());
        desk.states["gpt"]->parkedUntil = desk.now + seconds(40);
        desk.states["gpt"]->quota().pausedUntil = desk.now + seconds(90);
        desk.states["gpt"]->credential().out = true;
        desk.states["gpt"]->inFlight = 7;
        auto view = desk.view(desk.look(), "gpt");
        QCOMPARE(*view.parkedUntilUnixMs, test::kStartUnixMs + 90'000);
        QVERIFY(view.credentialOut);
        QCOMPARE(view.inFlight, 7);
        desk.now += seconds(90);
        QVERIFY(!desk.view(desk.look(), "gpt").parkedUntilUnixMs);
    }

    void snapshotsDoNotChangeLater()
    {
        Desk desk;
        desk.add("gpt", rateRule());
        desk.answered("gpt", Millis(10));
        const auto before = desk.look();
        const auto events = texts(before);
        trip(desk, "gpt");
        const auto after = desk.look();
        QCOMPARE(before->tiles.answered, 1);
        QVERIFY(texts(before) == events && texts(after) != events);
        QVERIFY(after->sequence == before->sequence + 1);
    }
};

QTEST_APPLESS_MAIN(TestRecorder)
#include "tst_recorder.moc"
