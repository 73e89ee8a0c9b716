// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/chain_scene.h"

#include <QtTest/QtTest>

using namespace sg;
using namespace sg::test;
using namespace sg::chain;
using policy::BreakerState;
using policy::HintAction;
using provider::ErrorClass;
using provider::FallbackKind;
using provider::RetryAdvice;

namespace {

const Instant t0 = instantAtMs(5000);
Instant at(std::int64_t ms)
{
    return t0 + Millis(ms);
}

Scene twoTiers()
{
    Scene scene;
    scene.tier("a").tier("b");
    return scene;
}

/// One tier after the other: the first is out by `change`, the second must be started.
struct GateCase
{
    const char* name;
    std::function<void(Scene&)> configure;
    std::function<void(Scene&)> happen;
    MoveReason reason;
    std::optional<Nanos> wait;
};

} // namespace

class TestChainRun : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // ---- the straight way

    void theFirstTierAnswers()
    {
        Scene s = twoTiers();
        s.spec.tiers[0].attemptTimeout = Millis(700);
        ChainRun& run = s.run();
        const auto start = run.start(t0);
        QVERIFY(is<StartAttempt>(start));
        QCOMPARE(as<StartAttempt>(start).endpoint, std::string("a"));
        QVERIFY(as<StartAttempt>(start).deadline == at(700));
        QCOMPARE(s.state("a").inFlight, 1);
        const auto end = run.onAttemptFinished(success(), at(100));
        QCOMPARE(as<Finished>(end).answer->text, QStringLiteral("fine"));
        QVERIFY(!as<Finished>(end).leaderOf);
        QCOMPARE(word(run.record().ending), word(Ending::Answered));
        QCOMPARE(word(run.record().source), word(Source::Endpoint));
        QCOMPARE(run.record().tier, 0);
        QCOMPARE(run.record().endpoint, std::string("a"));
        QVERIFY(run.record().ended == at(100));
        QCOMPARE(s.state("a").inFlight, 0);
    }

    void anAttemptNeverOutlivesTheRequest()
    {
        Scene s = twoTiers();
        s.spec.deadline = Millis(500);
        s.spec.tiers[0].attemptTimeout = Millis(700);
        QVERIFY(as<StartAttempt>(s.run().start(t0)).deadline == at(500));
        s.spec.tiers[0].attemptTimeout.reset();
        QVERIFY(as<StartAttempt>(s.run().start(at(10))).deadline == at(510));
    }

    void eventsThatDoNotFitChangeNothing()
    {
        Scene s = twoTiers();
        ChainRun& run = s.run();
        run.start(t0);
        QVERIFY(is<Nothing>(run.start(t0)));
        QVERIFY(is<Nothing>(run.onTimerDue(at(1))));
        QVERIFY(is<Nothing>(run.onLeaderDone(nullptr, at(1))));
        QVERIFY(is<Finished>(run.onAttemptFinished(success(), at(2))));
        const QByteArray before = toJson(run.record());
        QVERIFY(is<Nothing>(run.onAttemptFinished(success(), at(3))));
        QVERIFY(is<Nothing>(run.cancel({}, at(4))));
        QVERIFY(is<Nothing>(run.onTimerDue(at(5))));
        run.onCommit(at(6));
        QCOMPARE(toJson(run.record()), before);
    }

    // ---- passing tiers over

    void aTierThatCannotServeIsPassedOver_data()
    {
        QTest::addColumn<int>("index");
        const auto all = gateCases();
        for (int i = 0; i < int(all.size()); ++i)
            QTest::newRow(all[std::size_t(i)].name) << i;
    }
    void aTierThatCannotServeIsPassedOver()
    {
        QFETCH(int, index);
        const GateCase c = gateCases()[std::size_t(index)];
        Scene s = twoTiers();
        c.configure(s);
        c.happen(s);
        provider::ChatRequest request = userSays(QString(400, QLatin1Char('x'))); // 100 tokens
        request.sampling.maxTokens = 50;
        request.sampling.jsonMode = true;
        request.tools.append(QJsonObject{});
        ChainRun& run = s.run(request);
        const auto start = run.start(t0);
        QCOMPARE(as<StartAttempt>(start).endpoint, std::string("b"));
        QCOMPARE(as<StartAttempt>(start).number, 1);
        const auto moves = movesOf(run.record());
        QCOMPARE(moves.size(), std::size_t(1));
        QCOMPARE(word(moves[0].reason), word(c.reason));
        QCOMPARE(moves[0].tier, 0);
        QVERIFY(moves[0].wait == c.wait);
        // The refused tier has lost nothing.
        const int others = c.reason == MoveReason::Bulkhead ? 1 : 0;
        QCOMPARE(s.state("a").inFlight, others);
        QCOMPARE(s.state("a").breaker().status(t0).figures.failures, 0);
    }

    static std::vector<GateCase> gateCases()
    {
        const auto none = [](Scene&) {};
        const auto can = [](auto change) { return [change](Scene& s) { change(s.endpoints.at("a").capabilities); }; };
        return {
            {"disabled", [](Scene& s) { s.spec.tiers[0].enabled = false; }, none, MoveReason::Disabled, {}},
            {"tools", can([](auto& c) { c.tools = false; }), none, MoveReason::LacksTools, {}},
            {"json", can([](auto& c) { c.jsonMode = false; }), none, MoveReason::LacksJsonMode, {}},
            {"window", can([](auto& c) { c.contextWindow = 149; }), none, MoveReason::WindowTooSmall, {}},
            {"key", none, [](Scene& s) { s.state("a").credential().out = true; }, MoveReason::CredentialOut, {}},
            {"parked", none, [](Scene& s) { s.state("a").parkedUntil = at(900); }, MoveReason::Parked, Millis(900)},
            {"quota", none, [](Scene& s) { s.state("a").quota().pausedUntil = at(1); }, MoveReason::Parked, Millis(1)},
            {"tripped", none, [](Scene& s) { s.state("a").breaker().trip(t0); }, MoveReason::BreakerOpen, {}},
            {"open", [](Scene& s) { s.endpoints.at("a").breaker.consecutiveFailures = 1; },
             [](Scene& s) {
                 s.state("a").breaker().acquire(at(-10)).finish({policy::CallOutcome::Failure, {}, {}}, at(-10));
             },
             MoveReason::BreakerOpen, Millis(29990)},
            {"bulkhead",
             [](Scene& s) { s.endpoints.at("a").maxInFlight = 1; },
             [](Scene& s) { QVERIFY(is<StartAttempt>(s.run().start(t0))); },
             MoveReason::Bulkhead,
             {}},
            {"rpm", [](Scene& s) { s.endpoints.at("a").requestsPerMinute = 60; },
             [](Scene& s) {
                 for (int i = 0; i < 60; ++i)
                     QVERIFY(s.state("a").limits().acquire(0, t0).ticket);
             },
             MoveReason::RateLimited, Millis(1000)},
            {"tpm, never",
             [](Scene& s) { s.endpoints.at("a").tokensPerMinute = 149; },
             none,
             MoveReason::RateLimited,
             {}},
        };
    }

    void aWindowThatFitsOrIsNotKnownServes()
    {
        Scene s = twoTiers();
        s.endpoints.at("a").capabilities.contextWindow = 100;
        QCOMPARE(as<StartAttempt>(s.run(userSays(QString(400, QLatin1Char('x')))).start(t0)).endpoint,
                 std::string("a"));
    }

    void aLaterRefusalGivesTheProbePlaceBack()
    {
        Scene s = twoTiers();
        auto& a = s.endpoints.at("a");
        a.breaker.consecutiveFailures = 1;
        a.requestsPerMinute = 0;
        s.state("a").breaker().acquire(t0).finish({policy::CallOutcome::Failure, {}, {}}, t0);
        ChainRun& run = s.run();
        QCOMPARE(as<StartAttempt>(run.start(at(40000))).endpoint, std::string("b"));
        QCOMPARE(word(movesOf(run.record())[0].reason), word(MoveReason::RateLimited));
        QCOMPARE(s.state("a").breaker().status(at(40000)).figures.probesInFlight, 0);
        QCOMPARE(word(s.state("a").breaker().state(at(40000))), word(BreakerState::HalfOpen));
    }

    void aProbeIsMarked()
    {
        Scene s = twoTiers();
        s.endpoints.at("a").breaker.consecutiveFailures = 1;
        s.state("a").breaker().acquire(t0).finish({policy::CallOutcome::Failure, {}, {}}, t0);
        ChainRun& run = s.run();
        QVERIFY(as<StartAttempt>(run.start(at(30000))).probe);
        run.onAttemptFinished(success(), at(30001));
        QVERIFY(attemptsOf(run.record())[0].probe);
        QCOMPARE(word(s.state("a").breaker().state(at(30001))), word(BreakerState::Closed));
    }

    // ---- retry, move on, end

    void aRetryWaitsTheLongerOfBackoffAndHint_data()
    {
        QTest::addColumn<int>("hintMs");
        QTest::addColumn<int>("waitMs");
        QTest::addColumn<QString>("source");
        QTest::newRow("no hint") << 0 << 1000 << "fixed backoff";
        QTest::newRow("shorter hint") << 400 << 1000 << "fixed backoff";
        QTest::newRow("longer hint") << 2500 << 2500 << "retry-after";
    }
    void aRetryWaitsTheLongerOfBackoffAndHint()
    {
        QFETCH(int, hintMs);
        QFETCH(int, waitMs);
        QFETCH(QString, source);
        Scene s;
        s.tier("a", 2).tier("b");
        ChainRun& run = s.run();
        run.start(t0);
        const auto hint = hintMs ? hintOf(HintAction::Wait, Millis(hintMs)) : policy::WaitHint{};
        const auto wait = run.onAttemptFinished(failure(ErrorClass::ServerError, 500, hint), at(10));
        QVERIFY(as<WaitUntil>(wait).until == at(10 + waitMs));
        QCOMPARE(s.state("a").inFlight, 0);
        QVERIFY(as<WaitUntil>(run.onTimerDue(at(9 + waitMs))).until == at(10 + waitMs));
        const auto again = as<StartAttempt>(run.onTimerDue(at(10 + waitMs)));
        QCOMPARE(again.endpoint, std::string("a"));
        QCOMPARE(again.number, 2);
        const auto record = waitsOf(run.record()).at(0);
        QCOMPARE(QString::fromStdString(record.source), source);
        QVERIFY(record.ownBackoff == Millis(1000));
        QCOMPARE(word(record.reason),
                 source == QStringLiteral("retry-after") ? QStringLiteral("server_hint") : QStringLiteral("backoff"));
    }

    void withoutBackoffTheRetryIsImmediate()
    {
        Scene s;
        s.tier("a", 2);
        s.spec.tiers[0].backoff.kind = policy::BackoffKind::None;
        ChainRun& run = s.run();
        run.start(t0);
        QCOMPARE(as<StartAttempt>(run.onAttemptFinished(failure(ErrorClass::Timeout), at(10))).number, 2);
        QVERIFY(waitsOf(run.record()).empty());
    }

    void adviceDecides_data()
    {
        QTest::addColumn<RetryAdvice>("retry");
        QTest::addColumn<FallbackKind>("fallback");
        QTest::addColumn<HintAction>("hint");
        QTest::addColumn<QString>("sequence"); // of actions after each failure: W wait, B second tier, F failed
        QTest::newRow("yes") << RetryAdvice::Yes << FallbackKind::Next << HintAction::Backoff << "WWB";
        QTest::newRow("once") << RetryAdvice::Once << FallbackKind::Next << HintAction::Backoff << "WB";
        QTest::newRow("no") << RetryAdvice::No << FallbackKind::Next << HintAction::Backoff << "B";
        QTest::newRow("server says stop") << RetryAdvice::Yes << FallbackKind::Next << HintAction::Stop << "B";
        QTest::newRow("failover") << RetryAdvice::Yes << FallbackKind::Next << HintAction::Failover << "B";
        QTest::newRow("no, stop") << RetryAdvice::No << FallbackKind::Stop << HintAction::Backoff << "F";
        QTest::newRow("yes, stop") << RetryAdvice::Yes << FallbackKind::Stop << HintAction::Backoff << "WWF";
        QTest::newRow("yes, none") << RetryAdvice::Yes << FallbackKind::None << HintAction::Backoff << "WWF";
        QTest::newRow("content, not allowed")
            << RetryAdvice::No << FallbackKind::ContentPolicy << HintAction::Backoff << "F";
    }
    void adviceDecides()
    {
        QFETCH(RetryAdvice, retry);
        QFETCH(FallbackKind, fallback);
        QFETCH(HintAction, hint);
        QFETCH(QString, sequence);
        Scene s;
        s.tier("a", 3).tier("b");
        AttemptResult result = failure(ErrorClass::ServerError, 500, hintOf(hint, Millis(90000)));
        result.error.disposition.retry = retry;
        result.error.disposition.fallback = fallback;
        ChainRun& run = s.run();
        run.start(t0);
        Instant now = t0;
        for (const QChar expected : sequence) {
            const auto action = run.onAttemptFinished(result, now);
            if (expected == QLatin1Char('W')) {
                QVERIFY(is<WaitUntil>(action));
                now = as<WaitUntil>(action).until;
                QCOMPARE(as<StartAttempt>(run.onTimerDue(now)).endpoint, std::string("a"));
            } else if (expected == QLatin1Char('B')) {
                QCOMPARE(as<StartAttempt>(action).endpoint, std::string("b"));
            } else {
                QVERIFY(is<Finished>(action));
                QCOMPARE(word(run.record().ending), word(Ending::Failed));
                QCOMPARE(run.record().error.status, 500);
                QVERIFY(!run.record().retryAfter);
            }
        }
        const bool parked = hint == HintAction::Failover;
        QVERIFY((s.state("a").parkedUntil == at(90000)) == parked);
    }

    void theBudgetHoldsOverAllTiers()
    {
        Scene s;
        s.tier("a", 2).tier("b", 5).tier(cannedTier({{{}, "later, please"}}));
        s.spec.attemptBudget = 3;
        for (auto& tier : s.spec.tiers)
            tier.backoff.kind = policy::BackoffKind::None;
        ChainRun& run = s.run();
        run.start(t0);
        run.onAttemptFinished(failure(ErrorClass::ServerError, 500), t0);
        run.onAttemptFinished(failure(ErrorClass::ServerError, 500), t0);
        QVERIFY(is<Finished>(run.onAttemptFinished(failure(ErrorClass::ServerError, 500), t0)));
        QCOMPARE(run.record().attempts, 3);
        QCOMPARE(reasonsOf(run.record()), std::string("a: attempts_used, b: attempt_budget"));
        // What costs no attempt still answers.
        QCOMPARE(word(run.record().source), word(Source::CannedReply));
    }

    void aWaitThatIsTooLongMovesOnAndParks_data()
    {
        QTest::addColumn<int>("hintMs");
        QTest::addColumn<int>("deadlineMs");
        QTest::newRow("over the cap") << 61000 << 600000;
        QTest::newRow("the time left") << 20000 << 20000;
    }
    void aWaitThatIsTooLongMovesOnAndParks()
    {
        QFETCH(int, hintMs);
        QFETCH(int, deadlineMs);
        Scene s;
        s.tier("a", 3).tier("b");
        s.spec.deadline = Millis(deadlineMs);
        ChainRun& run = s.run();
        run.start(t0);
        QCOMPARE(as<StartAttempt>(run.onAttemptFinished(tooMany(Millis(hintMs)), t0)).endpoint, std::string("b"));
        QCOMPARE(word(movesOf(run.record())[0].reason), word(MoveReason::WaitTooLong));
        QVERIFY(movesOf(run.record())[0].wait == Millis(hintMs));
        // Nobody calls it sooner, and at that moment somebody may.
        QCOMPARE(as<StartAttempt>(s.run().start(at(hintMs - 1))).endpoint, std::string("b"));
        QCOMPARE(as<StartAttempt>(s.run().start(at(hintMs))).endpoint, std::string("a"));
    }

    void noServerParksForLongerThanADay()
    {
        Scene s = twoTiers();
        ChainRun& run = s.run();
        run.start(t0);
        run.onAttemptFinished(
            failure(ErrorClass::Overloaded, 503, hintOf(HintAction::Failover, std::chrono::hours(1000))), t0);
        QVERIFY(s.state("a").parkedUntil == t0 + std::chrono::hours(24));
    }

    void a429PausesTheWholeQuotaGroupA503OnlyItsEndpoint()
    {
        Scene s;
        s.tier("a").tier("sister").tier("other");
        s.endpoints.at("sister").quotaGroup = "a";
        ChainRun& run = s.run();
        run.start(t0);
        QCOMPARE(as<StartAttempt>(run.onAttemptFinished(tooMany(Millis(5000)), t0)).endpoint, std::string("other"));
        QCOMPARE(reasonsOf(run.record()), std::string("a: attempts_used, sister: parked"));
        ChainRun& later = s.run();
        QCOMPARE(as<StartAttempt>(later.start(at(5000))).endpoint, std::string("a"));
        const auto overloaded = failure(ErrorClass::Overloaded, 503, hintOf(HintAction::Wait, Millis(5000)));
        QCOMPARE(as<StartAttempt>(later.onAttemptFinished(overloaded, at(5000))).endpoint, std::string("sister"));
    }

    void aPauseByAnotherRequestIsWaitedForToo()
    {
        Scene s;
        s.tier("a", 2);
        ChainRun& first = s.run();
        ChainRun& second = s.run();
        first.start(t0);
        second.start(t0);
        first.onAttemptFinished(tooMany(Millis(8000)), t0);
        const auto wait = second.onAttemptFinished(failure(ErrorClass::ServerError, 500), at(1));
        QVERIFY(as<WaitUntil>(wait).until == at(8000));
    }

    void aDeadKeyTakesAllItsEndpointsOut_data()
    {
        QTest::addColumn<ErrorClass>("error");
        QTest::addColumn<int>("status");
        QTest::addColumn<bool>("out");
        QTest::newRow("401") << ErrorClass::Authentication << 401 << true;
        QTest::newRow("402") << ErrorClass::QuotaExhausted << 402 << true;
        QTest::newRow("403") << ErrorClass::Permission << 403 << true;
        QTest::newRow("403 for the content") << ErrorClass::ContentFiltered << 403 << false;
        QTest::newRow("429 quota") << ErrorClass::QuotaExhausted << 429 << false;
    }
    void aDeadKeyTakesAllItsEndpointsOut()
    {
        QFETCH(ErrorClass, error);
        QFETCH(int, status);
        QFETCH(bool, out);
        Scene s;
        s.tier("a", 3).tier("sister").tier("other");
        s.endpoints.at("sister").credential = "a";
        for (chain::TierSpec& tier : s.spec.tiers)
            tier.movesOn.contentPolicy = true;
        ChainRun& run = s.run();
        run.start(t0);
        const auto next = as<StartAttempt>(run.onAttemptFinished(failure(error, status), t0));
        QCOMPARE(next.endpoint, std::string(out ? "other" : "sister"));
        QCOMPARE(s.state("sister").credential().out, out);
        QCOMPARE(s.state("a").credential().because.empty(), !out);
        QCOMPARE(s.state("a").breaker().status(t0).figures.failures, 0);
    }

    void aContextTooLongGoesOnlyToALargerKnownWindow()
    {
        Scene s;
        s.tier("a").tier("smaller").tier("unknown").tier(cannedTier({{{}, "no"}})).tier("larger");
        s.endpoints.at("a").capabilities.contextWindow = 8000;
        s.endpoints.at("smaller").capabilities.contextWindow = 8000;
        s.endpoints.at("larger").capabilities.contextWindow = 8001;
        ChainRun& run = s.run();
        run.start(t0);
        const auto next = run.onAttemptFinished(failure(ErrorClass::ContextTooLong, 400), t0);
        QCOMPARE(as<StartAttempt>(next).endpoint, std::string("larger"));
        QVERIFY(is<Finished>(run.onAttemptFinished(failure(ErrorClass::ContextTooLong, 400), t0)));
        QCOMPARE(word(run.record().error.disposition.error), word(ErrorClass::ContextTooLong));
    }

    void contentPolicyMovesOnOnlyWhereTheOperatorSaidSo()
    {
        Scene s = twoTiers();
        for (chain::TierSpec& tier : s.spec.tiers)
            tier.movesOn.contentPolicy = true;
        ChainRun& run = s.run();
        run.start(t0);
        const auto next = run.onAttemptFinished(failure(ErrorClass::ContentFiltered, 400), t0);
        QCOMPARE(as<StartAttempt>(next).endpoint, std::string("b"));
        QCOMPARE(word(movesOf(run.record())[0].reason), word(MoveReason::ContentPolicy));
    }

    void anOpenedBreakerIsNotWaitedForBehindABackoff()
    {
        Scene s;
        s.tier("a", 3).tier("b");
        s.endpoints.at("a").breaker.consecutiveFailures = 1;
        ChainRun& run = s.run();
        run.start(t0);
        const auto next = run.onAttemptFinished(failure(ErrorClass::ServerError, 500), t0);
        QCOMPARE(as<StartAttempt>(next).endpoint, std::string("b"));
        QCOMPARE(word(movesOf(run.record())[0].reason), word(MoveReason::BreakerOpen));
        QVERIFY(movesOf(run.record())[0].wait == Millis(30000));
    }

    void afterTheWaitThePermitIsAskedForAnew()
    {
        Scene s;
        s.tier("a", 3).tier("b");
        ChainRun& run = s.run();
        run.start(t0);
        QVERIFY(is<WaitUntil>(run.onAttemptFinished(failure(ErrorClass::ServerError, 500), t0)));
        s.state("a").breaker().trip(at(500));
        QCOMPARE(as<StartAttempt>(run.onTimerDue(at(1000))).endpoint, std::string("b"));
        QCOMPARE(word(movesOf(run.record())[0].reason), word(MoveReason::BreakerOpen));
    }

    void theBreakerIsFedOncePerAttemptWithTimeAndHint()
    {
        Scene s = twoTiers();
        s.endpoints.at("a").breaker.consecutiveFailures = 1;
        ChainRun& run = s.run();
        run.start(t0);
        AttemptResult result = failure(ErrorClass::Overloaded, 503, hintOf(HintAction::Wait, Millis(45000)));
        result.timing = {t0, at(5), {}, {}, {}, {}, at(100)};
        run.onAttemptFinished(result, at(100));
        QVERIFY(s.state("a").breaker().untilProbe(at(100)) == Millis(45000));
        QCOMPARE(s.state("a").breaker().status(at(100)).counters.opened, 1);
        QCOMPARE(s.state("a").breaker().status(at(100)).counters.late, 0);
    }

    void aSlowSuccessIsSeenAsSlow()
    {
        Scene s = twoTiers();
        s.endpoints.at("a").breaker.slowRate = 0.5;
        s.endpoints.at("a").breaker.slowCall = Millis(100);
        ChainRun& run = s.run();
        run.start(t0);
        AttemptResult result = success();
        result.timing = {t0, at(5), {}, {}, {}, {}, at(106)};
        run.onAttemptFinished(result, at(106));
        QCOMPARE(word(s.state("a").breaker().state(at(106))), word(BreakerState::Open));
    }
};

QTEST_APPLESS_MAIN(TestChainRun)
#include "tst_chain_run.moc"
