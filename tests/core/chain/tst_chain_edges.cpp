// SPDX-License-Identifier: GPL-3.0-or-later
// Before the first tier and after the last: limiter, cache, deadlines, endings.
#include "tests/support/chain_scene.h"

#include <QtTest/QtTest>

using namespace sg;
using namespace sg::test;
using namespace sg::chain;
using policy::HintAction;
using provider::ErrorClass;

namespace {

const Instant t0 = instantAtMs(5000);
Instant at(std::int64_t ms)
{
    return t0 + Millis(ms);
}

Scene limited(double rate, double burst, Nanos maxWait, std::optional<std::int64_t> windowLimit = {})
{
    Scene s;
    s.tier("a");
    s.spec.limiter = LimiterSpec{rate, burst, maxWait, windowLimit, Millis(1000)};
    return s;
}

Scene cached()
{
    Scene s;
    s.tier("a").tier("b");
    s.spec.cache = CacheSpec{};
    return s;
}

} // namespace

class TestChainEdges : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // ---- limiter

    void theLimiterHoldsBackForTheExactTime()
    {
        Scene s = limited(10, 1, Millis(200));
        QVERIFY(is<StartAttempt>(s.run().start(t0)));
        ChainRun& second = s.run();
        QVERIFY(as<WaitUntil>(second.start(t0)).until == at(100));
        ChainRun& third = s.run();
        QVERIFY(as<WaitUntil>(third.start(t0)).until == at(200));
        QVERIFY(is<WaitUntil>(second.onTimerDue(at(99))));
        QVERIFY(is<StartAttempt>(second.onTimerDue(at(100))));
        const auto wait = waitsOf(second.record()).at(0);
        QCOMPARE(word(wait.reason), word(WaitReason::Limiter));
        QVERIFY(wait.from == t0 && wait.until == at(100));
    }

    void whatWouldWaitTooLongIsRefusedAndTakesNothing()
    {
        Scene s = limited(10, 1, Millis(99));
        s.run().start(t0);
        for (int i = 0; i < 5; ++i) {
            ChainRun& refused = s.run();
            QVERIFY(is<Finished>(refused.start(t0)));
            QCOMPARE(word(refused.record().ending), word(Ending::Failed));
            QCOMPARE(word(refused.record().error.disposition.error), word(ErrorClass::LocalReject));
            QVERIFY(refused.record().retryAfter == Millis(100));
        }
        QCOMPARE(s.chain()->bucket()->available(t0), 0.0);
        QVERIFY(is<StartAttempt>(s.run().start(at(100))));
    }

    void aFullWindowTakesNothingFromTheBucket()
    {
        Scene s = limited(10, 5, Millis(10), 2);
        s.run().start(t0);
        s.run().start(at(400));
        const double before = s.chain()->bucket()->available(at(400));
        ChainRun& refused = s.run();
        QVERIFY(is<Finished>(refused.start(at(400))));
        QVERIFY(refused.record().retryAfter == Millis(600));
        QCOMPARE(s.chain()->bucket()->available(at(400)), before);
    }

    void anEmptyBucketTakesNothingFromTheWindow()
    {
        Scene s = limited(1, 1, Millis(10), 5);
        s.run().start(t0);
        QVERIFY(is<Finished>(s.run().start(at(1))));
        QCOMPARE(s.chain()->window()->available(at(1)), 4);
    }

    void bothAreWaitedForAndTheWindowIsNeverOverfilled()
    {
        Scene s = limited(10, 5, Millis(2000), 1);
        s.run().start(t0);
        ChainRun& first = s.run();
        ChainRun& second = s.run();
        QVERIFY(as<WaitUntil>(first.start(at(1))).until == at(1000));
        QVERIFY(as<WaitUntil>(second.start(at(2))).until == at(1000));
        QVERIFY(is<StartAttempt>(first.onTimerDue(at(1000))));
        QVERIFY(as<WaitUntil>(second.onTimerDue(at(1000))).until == at(2000));
        QVERIFY(is<StartAttempt>(second.onTimerDue(at(2000))));
    }

    void aSecondWaitEndsAtTheSameLimit()
    {
        Scene s = limited(10, 5, Millis(1500), 1);
        s.run().start(t0);
        ChainRun& first = s.run();
        ChainRun& second = s.run();
        first.start(at(1));
        second.start(at(2));
        first.onTimerDue(at(1000));
        QVERIFY(is<Finished>(second.onTimerDue(at(1000))));
        QVERIFY(second.record().retryAfter == Millis(1000));
        // Its reservation of the bucket has come back: full again but for nothing, after a second of refill.
        QCOMPARE(s.chain()->bucket()->available(at(1000)), 5.0);
    }

    void neverIsNotAWait()
    {
        Scene s = limited(0, 0, Millis(5000), 0);
        ChainRun& run = s.run();
        QVERIFY(is<Finished>(run.start(t0)));
        QVERIFY(!run.record().retryAfter);
    }

    void cancelAtTheLimiterGivesTheReservationBack()
    {
        Scene s = limited(10, 1, Millis(500));
        s.run().start(t0);
        ChainRun& waiting = s.run();
        waiting.start(t0);
        QCOMPARE(s.chain()->bucket()->available(t0), -1.0);
        QVERIFY(is<Finished>(waiting.cancel({}, t0)));
        QCOMPARE(s.chain()->bucket()->available(t0), 0.0);
        QCOMPARE(word(waiting.record().ending), word(Ending::Cancelled));
        QVERIFY(waitsOf(waiting.record()).at(0).until == t0);
    }

    // ---- cache

    void theSecondRequestIsAHit()
    {
        Scene s = cached();
        ChainRun& first = s.run();
        first.start(t0);
        const auto end = as<Finished>(first.onAttemptFinished(success(), at(5)));
        QVERIFY(end.leaderOf.has_value());
        ChainRun& second = s.run();
        const auto hit = as<Finished>(second.start(at(6)));
        QCOMPARE(hit.answer, end.answer);
        QVERIFY(!hit.leaderOf);
        QCOMPARE(word(second.record().source), word(Source::Cache));
        QCOMPARE(second.record().attempts, 0);
    }

    void followersShareTheLeadersAnswer()
    {
        Scene s = cached();
        ChainRun& leader = s.run();
        ChainRun& follower = s.run();
        leader.start(t0);
        const auto await = as<AwaitLeader>(follower.start(at(1)));
        QVERIFY(await.deadline == at(1) + s.spec.deadline);
        const auto end = as<Finished>(leader.onAttemptFinished(success(), at(5)));
        QCOMPARE(*end.leaderOf, await.key);
        const auto shared = as<Finished>(follower.onLeaderDone(end.answer, at(5)));
        QCOMPARE(shared.answer, end.answer);
        QCOMPARE(word(follower.record().source), word(Source::SharedCall));
    }

    void followersOfACancelledLeaderGoTheirOwnWay()
    {
        Scene s = cached();
        ChainRun& leader = s.run();
        ChainRun& first = s.run();
        ChainRun& second = s.run();
        leader.start(t0);
        first.start(t0);
        second.start(t0);
        const auto end = as<Finished>(leader.cancel({}, at(5)));
        QVERIFY(end.leaderOf.has_value());
        QVERIFY(!end.answer);
        QVERIFY(is<StartAttempt>(first.onLeaderDone(nullptr, at(5))));
        QVERIFY(is<StartAttempt>(second.onLeaderDone(nullptr, at(5))));
        // Those that come now follow the first.
        ChainRun& late = s.run();
        QVERIFY(is<AwaitLeader>(late.start(at(6))));
        QVERIFY(!as<Finished>(second.onAttemptFinished(success(), at(7))).leaderOf);
        QVERIFY(as<Finished>(first.onAttemptFinished(success(), at(8))).leaderOf.has_value());
    }

    void aFollowerDoesNotWaitPastItsDeadline()
    {
        Scene s = cached();
        s.spec.deadline = Millis(100);
        ChainRun& leader = s.run();
        ChainRun& follower = s.run();
        leader.start(at(50));
        const auto await = as<AwaitLeader>(follower.start(at(60)));
        QVERIFY(is<Finished>(follower.onTimerDue(await.deadline)));
        QCOMPARE(word(follower.record().error.disposition.error), word(ErrorClass::LocalReject));
        QVERIFY(is<Nothing>(follower.onLeaderDone(nullptr, at(170))));
    }

    void failuresAndReadyMadeRepliesAreNotKept()
    {
        Scene s;
        s.tier("a").tier(cannedTier({{{}, "later, please"}}));
        s.spec.cache = CacheSpec{};
        ChainRun& run = s.run();
        run.start(t0);
        const auto end = as<Finished>(run.onAttemptFinished(failure(ErrorClass::ServerError, 500), t0));
        QCOMPARE(end.answer->text, QStringLiteral("later, please"));
        QVERIFY(end.leaderOf.has_value());
        QVERIFY(is<StartAttempt>(s.run().start(at(1))));
    }

    void aLeaderThatIsDestroyedLeavesTheKeyFree()
    {
        Scene s = cached();
        {
            ChainRun leader(s.chain(), userSays(QStringLiteral("hello")), 99, s.random);
            leader.start(t0);
            QCOMPARE(s.state("a").inFlight, 1);
        }
        QCOMPARE(s.state("a").inFlight, 0);
        QVERIFY(is<StartAttempt>(s.run().start(at(1))));
    }

    // ---- endings

    void whenEveryTierIsOutTheSmallestWaitIsSaid()
    {
        Scene s;
        s.tier("a").tier("b").tier("c");
        s.spec.tiers[2].enabled = false;
        s.state("b").parkedUntil = at(4000);
        ChainRun& run = s.run();
        run.start(t0);
        QVERIFY(is<Finished>(run.onAttemptFinished(tooMany(Millis(9000)), at(1000))));
        QCOMPARE(word(run.record().error.disposition.error), word(ErrorClass::RateLimited));
        QCOMPARE(run.record().error.status, 429);
        QVERIFY(run.record().retryAfter == Millis(3000));
        // Without any attempt it is the product that refuses.
        ChainRun& next = s.run();
        QVERIFY(is<Finished>(next.start(at(2000))));
        QCOMPARE(word(next.record().error.disposition.error), word(ErrorClass::LocalReject));
        QVERIFY(next.record().retryAfter == Millis(2000));
        const QString words = QString::fromStdString(next.record().error.message);
        for (const char* why : {"a has asked to be left alone", "b has asked to be left alone", "c is switched off"})
            QVERIFY2(words.contains(QLatin1String(why)), qPrintable(words));
    }

    void aParkedEndpointBehindAnOpenBreakerTakesTheLongerOfBoth()
    {
        Scene s;
        s.tier("a");
        s.endpoints.at("a").breaker.consecutiveFailures = 1;
        s.state("a").breaker().acquire(t0).finish({policy::CallOutcome::Failure, {}, {}}, t0);
        s.state("a").parkedUntil = at(10);
        ChainRun& run = s.run();
        run.start(t0);
        QVERIFY(run.record().retryAfter == Millis(30000));
    }

    void chainsWithNothingToAsk_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("no tiers") << 0;
        QTest::newRow("all disabled") << 1;
        QTest::newRow("no budget") << 2;
        QTest::newRow("no attempts") << 3;
        QTest::newRow("no rules") << 4;
    }
    void chainsWithNothingToAsk()
    {
        QFETCH(int, kind);
        Scene s;
        if (kind > 0 && kind < 4)
            s.tier("a").tier("b");
        if (kind == 1)
            s.spec.tiers[0].enabled = s.spec.tiers[1].enabled = false;
        if (kind == 2)
            s.spec.attemptBudget = 0;
        if (kind == 3)
            s.spec.tiers[0].maxAttempts = s.spec.tiers[1].maxAttempts = 0;
        if (kind == 4)
            s.tier(cannedTier({}));
        ChainRun& run = s.run();
        QVERIFY(is<Finished>(run.start(t0)));
        QCOMPARE(word(run.record().ending), word(Ending::Failed));
        QCOMPARE(word(run.record().error.disposition.error), word(ErrorClass::LocalReject));
        QVERIFY(!run.record().error.message.empty());
        QVERIFY(!run.record().retryAfter);
    }

    void aDeadlineWithoutTimeStartsNothing()
    {
        Scene s;
        s.tier("a");
        s.spec.deadline = Nanos(0);
        ChainRun& run = s.run();
        QVERIFY(is<Finished>(run.start(t0)));
        QCOMPARE(word(run.record().error.disposition.error), word(ErrorClass::LocalReject));
    }

    void afterTheDeadlineNothingIsTried()
    {
        Scene s;
        s.tier("a", 5).tier("b");
        s.spec.deadline = Millis(100);
        ChainRun& run = s.run();
        run.start(t0);
        QVERIFY(is<Finished>(run.onAttemptFinished(failure(ErrorClass::ServerError, 500), at(100))));
        QCOMPARE(word(run.record().error.disposition.error), word(ErrorClass::Timeout));
        QVERIFY(run.record().error.message.size() <= 300);
    }

    void aTimerThatComesLateMeetsTheDeadline()
    {
        Scene s;
        s.tier("a", 2);
        s.spec.deadline = Millis(2000);
        ChainRun& run = s.run();
        run.start(t0);
        QVERIFY(is<WaitUntil>(run.onAttemptFinished(failure(ErrorClass::ServerError, 500), t0)));
        QVERIFY(is<Finished>(run.onTimerDue(at(2500))));
        QCOMPARE(word(run.record().error.disposition.error), word(ErrorClass::Timeout));
    }

    void aStreamBrokenAfterTheCommitIsFinal()
    {
        Scene s;
        s.tier("a", 3).tier("b");
        s.endpoints.at("a").breaker.consecutiveFailures = 1;
        ChainRun& run = s.run();
        run.start(t0);
        run.onCommit(at(1));
        AttemptResult result = failure(ErrorClass::Timeout);
        result.usage.outputTokens = 7;
        const auto end = run.onAttemptFinished(result, at(2));
        QVERIFY(is<Finished>(end));
        QCOMPARE(word(run.record().error.disposition.error), word(ErrorClass::StreamBroken));
        QVERIFY(run.record().committed);
        QCOMPARE(run.record().attempts, 1);
        const auto attempt = attemptsOf(run.record()).at(0);
        QVERIFY(attempt.committed);
        QVERIFY(attempt.usage.outputTokens == 7);
        QCOMPARE(s.state("a").breaker().status(at(2)).counters.opened, 1);
    }

    void aCancelIsNoFailureOfTheEndpoint()
    {
        Scene s;
        s.tier("a");
        s.endpoints.at("a").breaker.consecutiveFailures = 1;
        s.endpoints.at("a").requestsPerMinute = 10;
        s.endpoints.at("a").tokensPerMinute = 1000;
        ChainRun& unsent = s.run();
        unsent.start(t0);
        QVERIFY(is<Finished>(unsent.cancel({}, t0)));
        QCOMPARE(*s.state("a").limits().available(t0).requests, 10.0);
        QCOMPARE(*s.state("a").limits().available(t0).tokens, 1000.0);
        QCOMPARE(word(attemptsOf(unsent.record()).at(0).error.disposition.error), word(ErrorClass::Cancelled));
        // What has been sent the provider has counted.
        ChainRun& sent = s.run();
        sent.start(t0);
        sent.cancel({t0, t0, {}, {}, {}, {}, t0}, t0);
        QCOMPARE(*s.state("a").limits().available(t0).requests, 9.0);
        QCOMPARE(s.state("a").inFlight, 0);
        QCOMPARE(word(s.state("a").breaker().state(t0)), word(policy::BreakerState::Closed));
        QCOMPARE(s.state("a").breaker().status(t0).figures.streak, 0);
    }

    void aCancelBeforeTheStartEndsTheRun()
    {
        Scene s;
        s.tier("a");
        ChainRun& run = s.run();
        QVERIFY(is<Finished>(run.cancel({}, t0)));
        QVERIFY(is<Nothing>(run.start(t0)));
    }

    void limitsAreSettledByUsage_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("tokens");
        QTest::addColumn<double>("requests");
        QTest::newRow("reported") << 0 << 970.0 << 9.0;
        QTest::newRow("not reported: the estimate stands") << 1 << 950.0 << 9.0;
        QTest::newRow("an error answer used nothing") << 2 << 1000.0 << 9.0;
        QTest::newRow("a broken connection is not known") << 3 << 950.0 << 9.0;
        QTest::newRow("never sent") << 4 << 1000.0 << 10.0;
    }
    void limitsAreSettledByUsage()
    {
        QFETCH(int, kind);
        Scene s;
        s.tier("a");
        s.endpoints.at("a").requestsPerMinute = 10;
        s.endpoints.at("a").tokensPerMinute = 1000;
        provider::ChatRequest request = userSays(QString(160, QLatin1Char('x'))); // 40 tokens
        request.sampling.maxTokens = 10;
        ChainRun& run = s.run(request);
        run.start(t0);
        AttemptResult result = kind < 2 ? success() : failure(ErrorClass::Connection, kind == 2 ? 503 : 0);
        if (kind == 0) {
            result.usage.inputTokens = 25;
            result.usage.outputTokens = 5;
        }
        if (kind == 3)
            result.timing.sent = t0;
        run.onAttemptFinished(result, t0);
        QTEST(*s.state("a").limits().available(t0).tokens, "tokens");
        QTEST(*s.state("a").limits().available(t0).requests, "requests");
    }

    void aChainMayBeReplacedWhileARequestIsUnderWay()
    {
        auto s = std::make_unique<Scene>();
        s->tier("a");
        policy::SeededRandom random(1);
        ChainRun run(s->chain(), userSays(QStringLiteral("hello")), 1, random);
        run.start(t0);
        s.reset();
        QVERIFY(is<Finished>(run.onAttemptFinished(success(), at(1))));
    }

    void theRecordIsStableJson()
    {
        Scene s;
        s.tier("a", 2).tier("b");
        s.spec.tiers[1].enabled = false;
        ChainRun& run = s.run();
        run.start(t0);
        AttemptResult result = failure(ErrorClass::ServerError, 500);
        result.timing = {t0, at(1), {}, {}, {}, {}, at(10)};
        result.usage.inputTokens = 3;
        run.onAttemptFinished(result, at(10));
        run.onTimerDue(at(1010));
        run.onAttemptFinished(failure(ErrorClass::NotFound, 404), at(1020));
        const QJsonObject json = QJsonDocument::fromJson(toJson(run.record())).object();
        QCOMPARE(json[QLatin1String("ending")].toString(), QStringLiteral("failed"));
        QCOMPARE(json[QLatin1String("ended_ns")].toInteger(), 1020000000);
        QCOMPARE(json[QLatin1String("error")][QLatin1String("class")].toString(), QStringLiteral("not_found"));
        QVERIFY(json[QLatin1String("retry_after_ns")].isNull());
        const QJsonArray steps = json[QLatin1String("steps")].toArray();
        QStringList kinds;
        for (const QJsonValue& step : steps)
            kinds.append(step[QLatin1String("step")].toString());
        QCOMPARE(kinds.join(QLatin1Char(' ')), QStringLiteral("attempt wait attempt move move"));
        QCOMPARE(steps[0][QLatin1String("timing")][QLatin1String("sent_ns")].toInteger(), 1000000);
        QVERIFY(steps[0][QLatin1String("timing")][QLatin1String("headers_ns")].isNull());
        QCOMPARE(steps[0][QLatin1String("usage")][QLatin1String("input_tokens")].toInteger(), 3);
        QVERIFY(steps[0][QLatin1String("usage")][QLatin1String("output_tokens")].isNull());
        QCOMPARE(steps[1][QLatin1String("until_ns")].toInteger(), 1010000000);
    }
};

QTEST_APPLESS_MAIN(TestChainEdges)
#include "tst_chain_edges.moc"
