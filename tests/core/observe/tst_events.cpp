// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/observe/desk.h"

#include <QTest>

using namespace sg;
using namespace sg::observe;
using namespace sg::test;
using policy::BreakerState;
using provider::ErrorClass;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

std::string newest(const SnapshotPtr& picture)
{
    return picture->events.empty() ? std::string() : picture->events.front().text;
}

void orders()
{
    QTest::addColumn<int>("order");
    QTest::newRow("transition first") << static_cast<int>(Desk::Order::TransitionFirst);
    QTest::newRow("attempt first") << static_cast<int>(Desk::Order::AttemptFirst);
}

} // namespace

/// What the activity list, the notes and the hovers say.
class TestEvents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("TZ", "UTC"); }

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

    /// As the engine tells it: the note, then what the breaker makes of it, which may be nothing.
    void everyActionOfAnOperatorIsTold()
    {
        Desk desk;
        desk.add("eu", rateRule());
        std::string expected;
        const auto act = [&](const std::string& words, void (policy::Breaker::*what)(Instant)) {
            desk.now += Millis(10);
            desk.recorder.note(EventKind::Manual, Severity::Info, "eu", words, desk.now);
            (desk.breaker("eu").*what)(desk.now);
            expected += words + "\n";
        };
        act("Probe 1", &policy::Breaker::probeNow);
        act("Reset 2", &policy::Breaker::reset);
        act("Hold 3", &policy::Breaker::holdClosed);
        act("Probe 4", &policy::Breaker::probeNow);
        COMPARE_TEXT(desk.view(desk.look(), "eu").note, "Hold 3"); // which still is so
        act("Reset 5", &policy::Breaker::reset);
        act("Release 6", &policy::Breaker::release);
        act("Trip 7", &policy::Breaker::trip);
        act("Probe 8", &policy::Breaker::probeNow);
        act("Trip 9", &policy::Breaker::trip);
        act("Hold 10", &policy::Breaker::holdClosed);
        std::string told, states;
        for (const Event& event : desk.recorder.eventsAfter(0, desk.now)) {
            told += event.text + "\n";
            states += std::to_string(static_cast<int>(event.state));
            QVERIFY(event.kind == EventKind::Manual);
        }
        COMPARE_TEXT(told, expected.c_str());
        const auto number = [](BreakerState state) { return std::to_string(static_cast<int>(state)); };
        const std::string closed = number(BreakerState::Closed), held = number(BreakerState::ForcedClosed),
                          open = number(BreakerState::ForcedOpen);
        COMPARE_TEXT(states, (closed + closed + held + held + closed + closed + open + open + open + held).c_str());
    }

    void theNoteSaysWhoTookOver()
    {
        Desk desk;
        desk.add("gpt", rateRule());
        desk.add("claude", rateRule());
        desk.add("deepseek", rateRule());
        for (int i = 0; i < 50; ++i)
            desk.movedOn("gpt", "deepseek"); // before the trip: does not count
        trip(desk, "gpt");
        for (int i = 0; i < 50; ++i)
            desk.answered("deepseek", Millis(1)); // what never came by gpt has not moved
        COMPARE_TEXT(desk.view(desk.look(), "gpt").note, "Tripped 22:13:20");
        for (int i = 0; i < 9; ++i)
            desk.movedOn("gpt", i < 5 ? "claude" : "deepseek");
        COMPARE_TEXT(desk.view(desk.look(), "gpt").note, "Tripped 22:13:20; traffic moved to claude");
        for (int i = 0; i < 9; ++i)
            desk.movedOn("gpt", "deepseek");
        COMPARE_TEXT(desk.view(desk.look(), "gpt").note, "Tripped 22:13:20; traffic moved to deepseek");
    }
};

QTEST_APPLESS_MAIN(TestEvents)
#include "tst_events.moc"
