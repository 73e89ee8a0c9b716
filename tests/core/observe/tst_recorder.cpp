// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/observe/desk.h"

#include <QTest>

#include <cmath>
#include <random>
#include <set>

using namespace sg;
using namespace sg::observe;
using namespace std::chrono;
using policy::BreakerState;
using provider::ErrorClass;
using test::Desk;

namespace {

policy::BreakerConfig rateRule()
{
    policy::BreakerConfig config;
    config.failureRate = 0.5;
    config.minimumCalls = 60;
    config.halfOpenSuccesses = 3;
    config.open = seconds(15);
    config.openMultiplier = 2;
    config.maxOpen = seconds(60);
    return config;
}

policy::BreakerConfig streakRule(int failures)
{
    policy::BreakerConfig config;
    config.consecutiveFailures = failures;
    return config;
}

provider::ErrorFacts overloaded()
{
    return Desk::error(ErrorClass::Overloaded, 503);
}
provider::ErrorFacts timedOut()
{
    return Desk::error(ErrorClass::Timeout, 0);
}

std::string newest(const SnapshotPtr& picture)
{
    return picture->events.empty() ? std::string() : picture->events.front().text;
}

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

#define COMPARE_TEXT(actual, expected) QCOMPARE(QString::fromStdString(actual), QString::fromUtf8(expected))

class TestRecorder : public QObject
{
    Q_OBJECT

private:
    static void trip(Desk& desk, const std::string& name)
    {
        // 29 good, 28 × 503 and 3 × timeout: the 60th call makes 52 %.
        for (int i = 0; i < 29; ++i)
            desk.attempt(name, {}, Millis(10));
        for (int i = 0; i < 3; ++i)
            desk.attempt(name, timedOut(), Millis(10));
        for (int i = 0; i < 28; ++i)
            desk.attempt(name, overloaded(), Millis(10));
    }

    static void orders()
    {
        QTest::addColumn<int>("order");
        QTest::newRow("transition first") << static_cast<int>(Desk::Order::TransitionFirst);
        QTest::newRow("attempt first") << static_cast<int>(Desk::Order::AttemptFirst);
    }

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

    void tripIsToldWithItsFailures_data() { orders(); }
    void tripIsToldWithItsFailures()
    {
        QFETCH(int, order);
        Desk desk(static_cast<Desk::Order>(order));
        desk.add("gpt", rateRule());
        trip(desk, "gpt");
        const auto picture = desk.look();
        QCOMPARE(picture->events.size(), 1U);
        const Event& event = picture->events.front();
        COMPARE_TEXT(event.text, "Tripped: 52 % failed (503 × 28, timeout × 3)");
        COMPARE_TEXT(event.subject, "gpt");
        QVERIFY(event.kind == EventKind::BreakerChanged && event.state == BreakerState::Open);
        QVERIFY(event.severity == Severity::Bad);
        COMPARE_TEXT(picture->lanes.front().segments.back().cause,
                     "Tripped: 52 % failed (503 × 28, timeout × 3). Next probe in 15 s");

        const EndpointView& view = desk.view(picture, "gpt");
        QVERIFY(view.state == BreakerState::Open && view.rule == TripRule::FailureRate);
        QVERIFY(std::abs(*view.gaugeAtTrip - 31.0 / 60) < 1e-9);
        QCOMPARE(*view.gauge, *view.gaugeAtTrip);
        QCOMPARE(view.openForMs, 15'000.0);
        QCOMPARE(*view.nextProbeUnixMs, view.sinceUnixMs + 15'000);
        QCOMPARE(view.attempts, 60);
        QCOMPARE(view.failures, 31);
    }

    void failuresOutsideTheWindowAreNotTold()
    {
        Desk desk;
        auto config = rateRule();
        config.minimumCalls = 4;
        config.failureRate = 0.9;
        desk.add("gpt", config);
        desk.attempt("gpt", {});
        desk.attempt("gpt", timedOut());
        desk.now += minutes(2);
        for (int i = 0; i < 4; ++i)
            desk.attempt("gpt", overloaded());
        COMPARE_TEXT(newest(desk.look()), "Tripped: 100 % failed (503 × 4)");
    }

    void streakTripTellsTheStreak_data() { orders(); }
    void streakTripTellsTheStreak()
    {
        QFETCH(int, order);
        Desk desk(static_cast<Desk::Order>(order));
        desk.add("gpt", streakRule(3));
        desk.attempt("gpt", overloaded());
        desk.attempt("gpt", {});
        desk.attempt("gpt", timedOut());
        desk.attempt("gpt", overloaded());
        desk.attempt("gpt", overloaded());
        const auto picture = desk.look();
        COMPARE_TEXT(newest(picture), "Tripped: 3 failures in a row (503 × 2, timeout × 1)");
        QCOMPARE(*desk.view(picture, "gpt").gaugeAtTrip, 3.0);
    }

    void probesAreToldOneByOne_data() { orders(); }
    void probesAreToldOneByOne()
    {
        QFETCH(int, order);
        Desk desk(static_cast<Desk::Order>(order));
        desk.add("gpt", rateRule());
        trip(desk, "gpt");

        desk.now += seconds(15);
        desk.attempt("gpt", overloaded(), Millis(212));
        auto picture = desk.look();
        COMPARE_TEXT(picture->events[0].text, "Probe 1 failed (503). Next probe in 30 s");
        COMPARE_TEXT(picture->events[1].text, "Wait over, testing with single requests");
        const auto& segments = picture->lanes.front().segments;
        QCOMPARE(segments.size(), 4U);
        QVERIFY(segments[2].state == BreakerState::HalfOpen);
        COMPARE_TEXT(segments[2].cause,
                     ("Probe 1 failed after 212 ms: 503 " + std::string(provider::inWords(ErrorClass::Overloaded)) +
                      ". Breaker reopened, next probe 30 s later")
                         .c_str());
        COMPARE_TEXT(segments[3].cause, "Probe 1 failed (503). Next probe in 30 s");
        QVERIFY(desk.view(picture, "gpt").lastError->words.ends_with("1 probe failed; wait grew from 15 s to 30 s"));

        desk.now += seconds(30);
        desk.attempt("gpt", {}, Millis(500));
        desk.attempt("gpt", {}, Millis(640));
        picture = desk.look();
        COMPARE_TEXT(newest(picture), "Probe 2 of 3 passed in 640 ms");
        QVERIFY(picture->events.front().state == BreakerState::HalfOpen);
        const EndpointView& testing = desk.view(picture, "gpt");
        QVERIFY(testing.state == BreakerState::HalfOpen);
        QCOMPARE(testing.figures.probeSuccesses, 2);
        QCOMPARE(testing.probesNeeded, 3);
        QCOMPARE(*testing.gauge, 0.0);
        QVERIFY(testing.gaugeAtTrip);

        desk.attempt("gpt", {}, Millis(700));
        picture = desk.look();
        COMPARE_TEXT(newest(picture), "Closed: 3 of 3 probes passed");
        QVERIFY(picture->events.front().severity == Severity::Good);
        QVERIFY(!desk.view(picture, "gpt").gaugeAtTrip);
        QVERIFY(desk.view(picture, "gpt").note.empty());
    }

    void aProbeThatIsAskedToWaitSaysSo_data() { orders(); }
    void aProbeThatIsAskedToWaitSaysSo()
    {
        QFETCH(int, order);
        Desk desk(static_cast<Desk::Order>(order));
        auto config = rateRule();
        config.maxOpen = seconds(300);
        config.halfOpenSuccesses = 1;
        desk.add("gemini", config);
        trip(desk, "gemini");
        desk.now += seconds(15);
        desk.attempt("gemini", Desk::error(ErrorClass::RateLimited, 429, seconds(180)), Millis(90));
        COMPARE_TEXT(newest(desk.look()), "Probe got 429. Waiting 180 s as asked");
        desk.now += seconds(180);
        desk.attempt("gemini", {}, Millis(1234));
        COMPARE_TEXT(newest(desk.look()), "Closed: the probe passed in 1.23 s");
    }

    void lookingMayEndAWait()
    {
        Desk desk;
        desk.add("gpt", rateRule());
        trip(desk, "gpt");
        desk.now += seconds(15);
        const auto picture = desk.look();
        QVERIFY(desk.view(picture, "gpt").state == BreakerState::HalfOpen);
        QVERIFY(picture->lanes.front().segments.back().state == BreakerState::HalfOpen);
        COMPARE_TEXT(newest(picture), "Wait over, testing with single requests");
    }

    void requestsThatMetFailuresAreTold()
    {
        Desk desk;
        desk.add("claude", rateRule());
        desk.add("deepseek", rateRule());

        auto run = desk.begin();
        desk.step(run, desk.attempt("claude", Desk::error(ErrorClass::Overloaded, 529), Millis(600)));
        desk.step(run, desk.attempt("claude", {}, Millis(1500)));
        desk.end(run, chain::Ending::Answered, chain::Source::Endpoint, "claude");
        auto picture = desk.look();
        COMPARE_TEXT(newest(picture), "529, retried once, answered after 2.10 s");
        COMPARE_TEXT(picture->events.front().subject, "claude");
        QVERIFY(desk.view(picture, "claude").lastError->words.ends_with(". Retried, answered after 2.10 s"));

        run = desk.begin();
        desk.step(run, desk.attempt("claude", overloaded(), Millis(20)));
        desk.step(run, desk.attempt("deepseek", {}, Millis(980)));
        desk.end(run, chain::Ending::Answered, chain::Source::Endpoint, "deepseek");
        picture = desk.look();
        COMPARE_TEXT(newest(picture), "503, moved to deepseek, answered after 1.00 s");
        QVERIFY(desk.view(picture, "claude").lastError->words.ends_with(". Moved to deepseek, answered after 1.00 s"));
        QCOMPARE(*desk.view(picture, "claude").answeredShare, 0.5);
        QCOMPARE(*desk.view(picture, "deepseek").answeredShare, 0.5);

        run = desk.begin();
        desk.step(run, desk.attempt("deepseek", timedOut(), seconds(10)));
        desk.end(run, chain::Ending::Answered, chain::Source::CannedReply);
        picture = desk.look();
        COMPARE_TEXT(newest(picture), "No first token in 10 s. Canned reply sent");
        COMPARE_TEXT(picture->events.front().subject, "deepseek");
        QVERIFY(picture->events.front().kind == EventKind::CannedReply);
        COMPARE_TEXT(desk.view(picture, "deepseek").lastError->words, "No first token in 10 s. Canned reply sent");
        QCOMPARE(picture->tiles.canned, 1);

        run = desk.begin();
        desk.step(run, desk.attempt("claude", timedOut(), seconds(2)));
        desk.step(run, desk.attempt("deepseek", overloaded(), Millis(300)));
        run.error = overloaded();
        desk.end(run, chain::Ending::Failed, chain::Source::None);
        picture = desk.look();
        COMPARE_TEXT(newest(picture), "No answer after 2 tries in 2.30 s: 503");
        COMPARE_TEXT(picture->events.front().subject, "assist");
        QVERIFY(picture->events.front().kind == EventKind::RequestFailed);
        QCOMPARE(*picture->tiles.successShare, 0.75);

        run = desk.begin();
        desk.end(run, chain::Ending::Cancelled, chain::Source::None);
        picture = desk.look();
        QCOMPARE(picture->tiles.cancelled, 1);
        QCOMPARE(*picture->tiles.successShare, 0.75);
        QCOMPARE(picture->events.size(), 4U);
        QCOMPARE(picture->inFlight, 0);
        QCOMPARE(picture->requestsTotal, 5);
    }

    void aRefusedKeyIsToldOnce()
    {
        Desk desk;
        desk.add("gpt", rateRule());
        desk.attempt("gpt", Desk::error(ErrorClass::Authentication, 401));
        desk.attempt("gpt", Desk::error(ErrorClass::Authentication, 401));
        const auto picture = desk.look();
        QCOMPARE(picture->events.size(), 1U);
        QVERIFY(picture->events.front().kind == EventKind::CredentialOut);
        QVERIFY(picture->events.front().text.starts_with("Key taken out (401): "));
        QCOMPARE(picture->events.front().repeats, 2);
    }

    void aStormIsAFewLines()
    {
        Desk desk;
        auto config = rateRule();
        config.failureRate.reset();
        desk.add("a", config);
        desk.add("b", config);
        std::int64_t told = 0;
        for (int i = 0; i < 20'000; ++i) {
            auto run = desk.begin();
            const std::string first = i % 2 == 0 ? "a" : "b", second = i % 2 == 0 ? "b" : "a";
            desk.step(run, desk.attempt(first, i % 3 == 0 ? timedOut() : overloaded(), Millis(1 + i % 5)));
            desk.step(run, desk.attempt(second, {}, Millis(1 + i % 7)));
            desk.end(run, chain::Ending::Answered, chain::Source::Endpoint, second);
        }
        const auto picture = desk.look();
        for (const Event& event : picture->events)
            told += event.repeats;
        QCOMPARE(told, 20'000);
        QVERIFY(picture->events.size() <= 4 * 4); // four kinds, a new line a minute, under four minutes
        QCOMPARE(picture->eventsDropped, 0U);
    }

    void eventsAreBoundedAndDroppedOnesCounted()
    {
        Desk desk;
        for (int i = 0; i < 2500; ++i)
            desk.recorder.note(EventKind::Workspace, Severity::Info, "w", "Saved " + std::to_string(i), desk.now);
        const auto picture = desk.look();
        QCOMPARE(picture->eventsTotal, 2500U);
        QCOMPARE(picture->eventsDropped, 1500U);
        QCOMPARE(picture->events.size(), 200U);
        COMPARE_TEXT(picture->events[0].text, "Saved 2499");
        QCOMPARE(picture->events[0].sequence, 2500U);
        QCOMPARE(picture->events[199].sequence, 2301U);
    }

    void manualActionsAreOneLineWithTheReason_data()
    {
        QTest::addColumn<bool>("noteFirst");
        QTest::newRow("note first") << true;
        QTest::newRow("transition first") << false;
    }
    void manualActionsAreOneLineWithTheReason()
    {
        QFETCH(bool, noteFirst);
        const std::string words = "operator locked it open: “Key rotation, 4821”";
        Desk desk;
        desk.add("eu", rateRule());
        desk.now += seconds(5);
        if (noteFirst)
            desk.recorder.note(EventKind::Manual, Severity::Info, "eu", words, desk.now);
        desk.breaker("eu").trip(desk.now);
        if (!noteFirst)
            desk.recorder.note(EventKind::Manual, Severity::Info, "eu", words, desk.now);
        const auto picture = desk.look();
        QCOMPARE(picture->events.size(), 1U);
        COMPARE_TEXT(picture->events.front().text, words.c_str());
        QVERIFY(picture->events.front().kind == EventKind::Manual);
        QVERIFY(picture->events.front().state == BreakerState::ForcedOpen);
        const EndpointView& view = desk.view(picture, "eu");
        QVERIFY(view.state == BreakerState::ForcedOpen);
        COMPARE_TEXT(view.note, words.c_str());
        QVERIFY(!view.gauge);
        QCOMPARE(view.sinceUnixMs, test::kStartUnixMs + 5000);
        COMPARE_TEXT(picture->lanes.front().segments.back().cause, words.c_str());
    }

    void theNoteSaysWhoTookOver()
    {
        Desk desk;
        desk.add("gpt", rateRule());
        desk.add("claude", rateRule());
        desk.add("deepseek", rateRule());
        for (int i = 0; i < 50; ++i)
            desk.answered("deepseek", Millis(1)); // before the trip: does not count
        trip(desk, "gpt");
        COMPARE_TEXT(desk.view(desk.look(), "gpt").note, "Tripped 22:13:20");
        for (int i = 0; i < 9; ++i)
            desk.answered(i < 5 ? "claude" : "deepseek", Millis(1));
        COMPARE_TEXT(desk.view(desk.look(), "gpt").note, "Tripped 22:13:20; traffic moved to claude");
        for (int i = 0; i < 9; ++i)
            desk.answered("deepseek", Millis(1));
        COMPARE_TEXT(desk.view(desk.look(), "gpt").note, "Tripped 22:13:20; traffic moved to deepseek");
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
        desk.add("gpt", rateRule(), 500.0);
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
        QCOMPARE(*view.rpmLimit, 500.0);

        desk.now += minutes(20); // a long silence
        const auto later = desk.look();
        QCOMPARE(later->tiles.requestsPerSecond, 0.0);
        QCOMPARE(later->tiles.peakRequestsPerSecond, 0.0);
        QCOMPARE(later->tiles.requestsSpark.size(), kSparkSeconds);
        QCOMPARE(*desk.view(later, "gpt").rpmUsed, 0.0);
        QVERIFY(!later->tiles.successShare);
        QCOMPARE(desk.look(hours(1))->tiles.peakRequestsPerSecond, 50.0);
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
        QCOMPARE(desk.look(hours(24))->heatmap.columnMs, 1'440'000);
        QCOMPARE(desk.look(minutes(5))->heatmap.columns, 60);

        Desk fresh;
        fresh.add("gpt", rateRule());
        fresh.now += seconds(40);
        fresh.answered("gpt", Millis(100));
        const Heatmap young = fresh.look()->heatmap;
        QCOMPARE(young.columns, 3); // what was not recorded is not shown as empty
        QCOMPARE(young.firstColumnUnixMs, test::kStartUnixMs);
        QCOMPARE(young.counts[2 * rows + 12], 1U); // 100 ms begins the thirteenth row
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
