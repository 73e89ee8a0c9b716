// SPDX-License-Identifier: GPL-3.0-or-later
// What the recorder tells of chains and tiers, from the records of real runs in virtual time.
#include "core/observe/chain_track.h"
#include "tests/core/observe/desk.h"
#include "tests/support/chain_scene.h"

#include <QtTest/QtTest>

#include <functional>
#include <numeric>

using namespace sg;
using namespace sg::test;
using namespace sg::observe;
using chain::Action;
using chain::ChainRun;
using chain::MoveReason;
using chain::StartAttempt;
using policy::HintAction;
using provider::ErrorClass;

namespace {

constexpr Nanos kWindow = std::chrono::minutes(15);

/// One chain's runs, told to a recorder.
struct ChainDesk
{
    Scene scene;
    Instant now = instantAtMs(0);
    Recorder recorder{{instantAtMs(0), kStartUnixMs}};
    std::vector<chain::RunRecord> records;

    void open() { recorder.setChains({scene.chain()}); }

    using Reply = std::function<chain::AttemptResult(const StartAttempt&)>;
    /// To its end; each attempt takes `took`.
    const chain::RunRecord& play(ChainRun& run, const Reply& reply, Nanos took = Millis(100))
    {
        recorder.onRequestStarted(now);
        Action action = run.start(now);
        while (!is<chain::Finished>(action)) {
            if (is<chain::WaitUntil>(action)) {
                now = as<chain::WaitUntil>(action).until;
                action = run.onTimerDue(now);
                continue;
            }
            const StartAttempt attempt = as<StartAttempt>(action);
            chain::AttemptResult result = reply(attempt);
            result.timing.dispatched = now;
            now += took;
            result.timing.end = now;
            if (result.error.disposition.error == ErrorClass::Cancelled)
                action = run.cancel(result.timing, now);
            else
                action = run.onAttemptFinished(result, now);
        }
        return tell(run);
    }

    const chain::RunRecord& tell(ChainRun& run)
    {
        recorder.onRequestFinished(run.record(), run.record().started, {}, now, &run.chain().spec());
        records.push_back(run.record());
        return records.back();
    }

    const chain::RunRecord& play(const Reply& reply, Nanos took = Millis(100))
    {
        return play(scene.run(), reply, took);
    }
    const chain::RunRecord& answered(Nanos took = Millis(100))
    {
        return play([](const StartAttempt&) { return success(); }, took);
    }

    ChainView minute() { return recorder.snapshot(kWindow, now)->chainsMinute.at(0); }
    ChainView window(Nanos span = kWindow) { return recorder.snapshot(span, now)->chainsWindow.at(0); }
};

struct ThreeTiers : ChainDesk
{
    ThreeTiers() { scene.tier("a").tier("b").tier("c"); }
};

/// The first tier answers with this, the others well.
ChainDesk::Reply firstFails(ErrorClass error, int status)
{
    return [error, status](const StartAttempt& attempt) {
        return attempt.endpoint == "a" ? failure(error, status) : success();
    };
}

std::int64_t movedBy(const TierView& tier, MovedBy why)
{
    return tier.moved[static_cast<std::size_t>(why)];
}

std::int64_t movedAll(const TierView& tier)
{
    return std::accumulate(tier.moved.begin(), tier.moved.end(), std::int64_t(0));
}

QString figures(const TierView& tier)
{
    return QStringLiteral("%1 entered, %2 answered, %3 failed, %4 moved")
        .arg(tier.entered)
        .arg(tier.answered)
        .arg(tier.failedHere)
        .arg(movedAll(tier));
}

} // namespace

class TestChainViews : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anUnusedChainIsThereWithoutFigures()
    {
        ThreeTiers desk;
        desk.open();
        const ChainView view = desk.minute();
        QCOMPARE(view.name, std::string("chain"));
        QCOMPARE(view.windowMs, std::int64_t(60000));
        QCOMPARE(desk.window().windowMs, std::int64_t(15 * 60000));
        QCOMPARE(view.requests, 0);
        QCOMPARE(view.tiers.size(), std::size_t(3));
        QCOMPARE(view.tiers[1].name, std::string("b"));
        QCOMPARE(view.tiers[1].endpoint, std::string("b"));
        QVERIFY(!view.tiers[1].p95Ms);
        QVERIFY(!view.limiterLimit && !view.limiterUsed);
    }

    void requestsAreCountedWhereTheyCameTo()
    {
        ThreeTiers desk;
        desk.open();
        for (int i = 0; i < 3; ++i)
            desk.answered();
        desk.play(firstFails(ErrorClass::ServerError, 500));
        desk.play(firstFails(ErrorClass::Timeout, 0));
        desk.play([](const StartAttempt&) { return failure(ErrorClass::Overloaded, 503); });
        desk.play(firstFails(ErrorClass::BadRequest, 400));
        desk.play([](const StartAttempt& attempt) {
            return failure(attempt.endpoint == "a" ? ErrorClass::RateLimited : ErrorClass::Cancelled, 429);
        });
        for (const ChainView& view : {desk.minute(), desk.window()}) {
            QCOMPARE(view.requests, 8);
            QCOMPARE(view.answered, 5);
            QCOMPARE(view.failed, 2);
            QCOMPARE(view.cancelled, 1);
            QCOMPARE(figures(view.tiers[0]), QStringLiteral("8 entered, 3 answered, 1 failed, 4 moved"));
            QCOMPARE(figures(view.tiers[1]), QStringLiteral("4 entered, 2 answered, 0 failed, 1 moved"));
            QCOMPARE(figures(view.tiers[2]), QStringLiteral("1 entered, 0 answered, 1 failed, 0 moved"));
            QCOMPARE(movedBy(view.tiers[0], MovedBy::ServerError), 2);
            QCOMPARE(movedBy(view.tiers[0], MovedBy::Timeout), 1);
            QCOMPARE(movedBy(view.tiers[0], MovedBy::RateLimited), 1);
        }
    }

    void retriesOnATierAreOneRequest()
    {
        ChainDesk desk;
        desk.scene.tier("a", 3).tier("b");
        desk.open();
        int tries = 0;
        desk.play([&](const StartAttempt&) { return ++tries < 3 ? failure(ErrorClass::ServerError, 500) : success(); });
        QCOMPARE(figures(desk.minute().tiers[0]), QStringLiteral("1 entered, 1 answered, 0 failed, 0 moved"));
        QCOMPARE(desk.minute().tiers[1].entered, 0);
    }

    void whyATierWasLeft_data()
    {
        QTest::addColumn<int>("reason");
        QTest::addColumn<int>("error");
        QTest::addColumn<int>("why");
        const auto row = [](const char* name, MoveReason reason, std::optional<ErrorClass> error, MovedBy why) {
            QTest::newRow(name) << int(reason) << (error ? int(*error) : -1) << int(why);
        };
        row("off", MoveReason::Disabled, {}, MovedBy::Disabled);
        row("tools", MoveReason::LacksTools, {}, MovedBy::Unsuited);
        row("images", MoveReason::LacksImages, {}, MovedBy::Unsuited);
        row("json", MoveReason::LacksJsonMode, {}, MovedBy::Unsuited);
        row("window", MoveReason::WindowTooSmall, {}, MovedBy::Unsuited);
        row("key", MoveReason::CredentialOut, {}, MovedBy::Credential);
        row("key after 401", MoveReason::CredentialOut, ErrorClass::Authentication, MovedBy::Credential);
        row("parked", MoveReason::Parked, {}, MovedBy::RateLimited);
        row("own limit", MoveReason::RateLimited, {}, MovedBy::RateLimited);
        row("bulkhead", MoveReason::Bulkhead, {}, MovedBy::RateLimited);
        row("breaker", MoveReason::BreakerOpen, {}, MovedBy::OpenBreaker);
        row("failure that opened it", MoveReason::BreakerOpen, ErrorClass::ServerError, MovedBy::ServerError);
        row("429", MoveReason::WaitTooLong, ErrorClass::RateLimited, MovedBy::RateLimited);
        row("quota", MoveReason::NotRetryable, ErrorClass::QuotaExhausted, MovedBy::RateLimited);
        row("timeout", MoveReason::AttemptsUsed, ErrorClass::Timeout, MovedBy::Timeout);
        row("connection", MoveReason::AttemptsUsed, ErrorClass::Connection, MovedBy::ServerError);
        row("stream", MoveReason::AttemptsUsed, ErrorClass::StreamBroken, MovedBy::ServerError);
        row("no model", MoveReason::NotRetryable, ErrorClass::NotFound, MovedBy::Other);
        row("budget", MoveReason::AttemptBudget, {}, MovedBy::Other);
        row("budget after 5xx", MoveReason::AttemptBudget, ErrorClass::ServerError, MovedBy::ServerError);
        row("context", MoveReason::ContextTooLong, ErrorClass::ContextTooLong, MovedBy::ContextTooLong);
        row("content", MoveReason::ContentPolicy, ErrorClass::ContentFiltered, MovedBy::ContentPolicy);
        row("rule", MoveReason::NoRuleMatched, {}, MovedBy::NoRule);
    }
    void whyATierWasLeft()
    {
        QFETCH(int, reason);
        QFETCH(int, error);
        QFETCH(int, why);
        const provider::ErrorFacts facts = failure(static_cast<ErrorClass>(std::max(error, 0))).error;
        const provider::ErrorFacts* last = error < 0 ? nullptr : &facts;
        QCOMPARE(int(observe::movedBy(static_cast<MoveReason>(reason), last)), why);
    }

    void theErrorOfAnotherTierExplainsNothing()
    {
        ThreeTiers desk;
        desk.open();
        desk.scene.state("b").breaker().trip(desk.now);
        desk.play(firstFails(ErrorClass::ServerError, 500));
        QCOMPARE(movedBy(desk.minute().tiers[0], MovedBy::ServerError), 1);
        QCOMPARE(movedBy(desk.minute().tiers[1], MovedBy::OpenBreaker), 1);
        QCOMPARE(desk.minute().tiers[2].answered, 1);
    }

    void whereTheChainMayNotMoveOnItFailed()
    {
        ThreeTiers desk;
        desk.scene.spec.tiers[0].movesOn.openBreaker = false;
        desk.open();
        desk.scene.state("a").breaker().trip(desk.now);
        desk.answered();
        QCOMPARE(figures(desk.minute().tiers[0]), QStringLiteral("1 entered, 0 answered, 1 failed, 0 moved"));
        QCOMPARE(desk.minute().tiers[1].entered, 0);
    }

    void cannedRepliesAnswerAtTheirTier()
    {
        ChainDesk desk;
        desk.scene.tier("a").tier(cannedTier({{{"never"}, "x"}})).tier(cannedTier({{{}, "later"}}));
        desk.scene.spec.tiers[2].name = "last words";
        desk.open();
        desk.play(firstFails(ErrorClass::Connection, 0));
        const ChainView view = desk.minute();
        QCOMPARE(movedBy(view.tiers[1], MovedBy::NoRule), 1);
        QCOMPARE(view.tiers[2].name, std::string("last words"));
        QCOMPARE(figures(view.tiers[2]), QStringLiteral("1 entered, 1 answered, 0 failed, 0 moved"));
        QVERIFY(!view.tiers[2].p95Ms);
    }

    void anotherOrderIsCountedByTier()
    {
        ThreeTiers desk;
        desk.open();
        provider::ChatRequest request = userSays(QStringLiteral("hello"));
        request.preferredTier = "c";
        desk.play(desk.scene.run(request), [](const StartAttempt& attempt) {
            return attempt.endpoint == "b" ? success() : failure(ErrorClass::ServerError, 500);
        });
        const ChainView view = desk.minute();
        QCOMPARE(figures(view.tiers[0]), QStringLiteral("1 entered, 0 answered, 0 failed, 1 moved"));
        QCOMPARE(figures(view.tiers[1]), QStringLiteral("1 entered, 1 answered, 0 failed, 0 moved"));
        QCOMPARE(figures(view.tiers[2]), QStringLiteral("1 entered, 0 answered, 0 failed, 1 moved"));
    }

    void theCacheAndTheLimiterAnswerBeforeTheTiers()
    {
        ThreeTiers desk;
        desk.scene.spec.cache = chain::CacheSpec{};
        desk.scene.spec.limiter = chain::LimiterSpec{5, 3, Nanos(0), 600, Millis(60000)};
        desk.open();
        ChainRun& leader = desk.scene.run();
        ChainRun& follower = desk.scene.run();
        leader.start(desk.now);
        QVERIFY(is<chain::AwaitLeader>(follower.start(desk.now)));
        const Action end = leader.onAttemptFinished(success(), desk.now);
        follower.onLeaderDone(as<chain::Finished>(end).answer, desk.now);
        desk.tell(leader);
        desk.tell(follower);
        desk.answered(); // from the cache
        desk.answered(); // the bucket is empty
        const ChainView view = desk.minute();
        QCOMPARE(view.requests, 4);
        QCOMPARE(view.answered, 3);
        QCOMPARE(view.fromCache, 2);
        QCOMPARE(view.refusedByLimiter, 1);
        QCOMPARE(view.failed, 1);
        QCOMPARE(view.tiers[0].entered, 1);
        QCOMPARE(view.cacheEntries, 1);
        QCOMPARE(view.limiterLimit.value(), 300.0);
        QCOMPARE(view.limiterUsed.value(), 3.0);
    }

    void whoGoesAwayWhileTheLimiterHoldsHimHasNotPassed()
    {
        ThreeTiers desk;
        desk.scene.spec.limiter = chain::LimiterSpec{1, 1, Millis(5000), {}, Millis(60000)};
        desk.open();
        desk.answered();
        ChainRun& waiting = desk.scene.run();
        QVERIFY(is<chain::WaitUntil>(waiting.start(desk.now)));
        waiting.cancel({}, desk.now);
        desk.tell(waiting);
        QCOMPARE(desk.minute().limiterUsed.value(), 1.0);
        QCOMPARE(desk.minute().limiterLimit.value(), 60.0);
        QCOMPARE(desk.minute().cancelled, 1);
    }

    void percentilesComeFromTwentyAnswersOn()
    {
        ThreeTiers desk;
        desk.open();
        for (int i = 1; i <= 19; ++i)
            desk.answered(Millis(10));
        QVERIFY(!desk.minute().tiers[0].p95Ms);
        desk.answered(Millis(1000));
        QVERIFY(std::abs(desk.minute().tiers[0].p95Ms.value() - 10) < 0.2);
        desk.answered(Millis(1000));
        QVERIFY(std::abs(desk.minute().tiers[0].p95Ms.value() - 1000) < 10);
        // The time of an attempt that failed is not an answer's.
        for (int i = 0; i < 40; ++i)
            desk.play(firstFails(ErrorClass::ServerError, 500), Millis(3000));
        QVERIFY(desk.window().tiers[0].p95Ms.value() < 1010);
        QVERIFY(std::abs(desk.window().tiers[1].p95Ms.value() - 3000) < 30);
    }

    void aMinuteForgetsWhatTheWindowKeeps()
    {
        ThreeTiers desk;
        desk.open();
        for (int i = 0; i < 30; ++i)
            desk.answered();
        desk.now = instantAtMs(30000);
        QVERIFY(std::abs(desk.minute().requestsPerSecond - 1) < 0.01); // 30 in the 30 s so far
        desk.now = instantAtMs(59000);
        QCOMPARE(desk.minute().requests, 30);
        desk.now = instantAtMs(63000);
        QCOMPARE(desk.minute().requests, 0);
        QCOMPARE(desk.minute().tiers[0].entered, 0);
        QCOMPARE(desk.window().requests, 30);
        QCOMPARE(desk.window().tiers[0].answered, 30);
        desk.now = instantAtMs(16 * 60000);
        QCOMPARE(desk.window().requests, 0);
        QCOMPARE(desk.window(std::chrono::hours(1)).requests, 30);
        QCOMPARE(desk.window(std::chrono::hours(24)).tiers[0].answered, 30);
        desk.now += std::chrono::hours(25);
        QCOMPARE(desk.window(std::chrono::hours(24)).tiers[0].answered, 0);
    }

    void historySurvivesAnApplyByName()
    {
        ThreeTiers desk;
        desk.open();
        desk.answered();
        desk.play(firstFails(ErrorClass::ServerError, 500));
        Scene next;
        next.tier("c").tier("new").tier("a");
        desk.recorder.setChains({next.chain()});
        ChainView view = desk.minute();
        QCOMPARE(view.requests, 2);
        QCOMPARE(view.tiers.size(), std::size_t(3));
        QCOMPARE(view.tiers[0].entered, 0);
        QCOMPARE(view.tiers[1].entered, 0);
        QCOMPARE(figures(view.tiers[2]), QStringLiteral("2 entered, 1 answered, 0 failed, 1 moved"));

        // A request that set out before the apply: counted at the tiers it names, wherever they stand now.
        desk.play(firstFails(ErrorClass::Timeout, 0));
        view = desk.minute();
        QCOMPARE(view.requests, 3);
        QCOMPARE(movedBy(view.tiers[2], MovedBy::Timeout), 1);
        QCOMPARE(view.tiers[0].entered, 0);

        Scene other;
        other.spec.name = "other";
        other.tier("a");
        desk.recorder.setChains({other.chain(), next.chain()});
        QCOMPARE(desk.minute().name, std::string("other"));
        QCOMPARE(desk.minute().requests, 0);
        QCOMPARE(desk.recorder.snapshot(kWindow, desk.now)->chainsMinute.at(1).requests, 3);
    }

    void tiersOfOneNameKeepTheirPlaces()
    {
        ChainDesk desk;
        desk.scene.tier("a").tier("b");
        desk.scene.spec.tiers[0].name = desk.scene.spec.tiers[1].name = "same";
        desk.open();
        desk.play(firstFails(ErrorClass::ServerError, 500));
        desk.recorder.setChains({desk.scene.chain()});
        QCOMPARE(movedAll(desk.minute().tiers[0]), 1);
        QCOMPARE(desk.minute().tiers[1].answered, 1);
    }

    void aDirectCallIsOfNoChain()
    {
        ThreeTiers desk;
        desk.open();
        ChainRun& run = desk.scene.run();
        run.start(desk.now);
        run.onAttemptFinished(success(), desk.now);
        desk.recorder.onRequestFinished(run.record(), desk.now, {}, desk.now);
        QCOMPARE(desk.minute().requests, 0);
    }

    void whateverHappensTheSharesAddUp()
    {
        ChainDesk desk;
        desk.scene.tier("a", 2).tier("b").tier("c", 2).tier(cannedTier({{{"odd"}, "canned"}}));
        for (std::size_t i = 1; i < 3; ++i)
            desk.scene.spec.tiers[i].split = "s";
        desk.scene.spec.tiers[2].movesOn = {true, false, true, false, true, false};
        desk.scene.spec.router =
            chain::RouterSpec{{{"odd", {"odd"}, 1, false, "c"}, {"even", {"even"}, 1, false, "rules"}}};
        desk.scene.spec.limiter = chain::LimiterSpec{8, 2, Millis(10), {}, Millis(60000)};
        desk.scene.spec.cache = chain::CacheSpec{20, 1 << 20, Millis(5000)};
        desk.scene.endpoints["b"].breaker.consecutiveFailures = 2;
        desk.scene.endpoints["b"].breaker.open = Millis(3000);
        desk.open();
        policy::SeededRandom dice(3);
        const ErrorClass errors[] = {ErrorClass::ServerError, ErrorClass::Timeout,    ErrorClass::RateLimited,
                                     ErrorClass::BadRequest,  ErrorClass::Connection, ErrorClass::Cancelled};
        for (int i = 0; i < 4000; ++i) {
            const bool odd = dice.next() % 2 == 0;
            const QString text = QString::number(dice.next() % 200) + QLatin1String(odd ? " odd" : " even");
            desk.play(
                desk.scene.run(userSays(text)),
                [&](const StartAttempt&) {
                    return dice.next() % 2 ? success() : failure(errors[dice.next() % std::size(errors)], 0);
                },
                Millis(dice.next() % 150));
            desk.now += Millis(dice.next() % 100);
            if (i % 97 == 0)
                QVERIFY2(addsUp(desk), qPrintable(QString::number(i)));
        }
        QVERIFY(desk.window().refusedByLimiter > 50 && desk.window().fromCache > 50);
    }

private:
    /// The minute's view against the records of the seconds it covers.
    static bool addsUp(ChainDesk& desk)
    {
        const ChainView view = desk.minute();
        const std::int64_t from = stats::slotIndex(desk.now, std::chrono::seconds(1)) - 59;
        std::vector<TierView> tiers(view.tiers.size());
        std::vector<std::int64_t> cancelled(view.tiers.size());
        std::int64_t requests = 0, cached = 0, refused = 0, entered = 0;
        for (const chain::RunRecord& record : desk.records) {
            if (stats::slotIndex(record.ended, std::chrono::seconds(1)) < from)
                continue;
            ++requests;
            cached += record.source == chain::Source::Cache || record.source == chain::Source::SharedCall ? 1 : 0;
            refused += record.error.code == "chain_limiter" ? 1 : 0;
            std::vector<int> way;
            for (const chain::Step& step : record.steps) {
                const auto* attempt = std::get_if<chain::AttemptRecord>(&step);
                const auto* move = std::get_if<chain::MoveRecord>(&step);
                const int tier = attempt ? attempt->tier : move ? move->tier : -1;
                if (tier >= 0 && (way.empty() || way.back() != tier))
                    way.push_back(tier);
            }
            if (record.tier >= 0 && (way.empty() || way.back() != record.tier))
                way.push_back(record.tier);
            for (const int tier : way)
                ++tiers[std::size_t(tier)].entered;
            if (way.empty())
                continue;
            ++entered;
            const auto last = std::size_t(way.back());
            tiers[last].answered += record.ending == chain::Ending::Answered ? 1 : 0;
            tiers[last].failedHere += record.ending == chain::Ending::Failed ? 1 : 0;
            cancelled[last] += record.ending == chain::Ending::Cancelled ? 1 : 0;
        }
        bool same = view.requests == requests && view.fromCache == cached && view.refusedByLimiter == refused &&
                    view.requests == view.answered + view.failed + view.cancelled &&
                    requests == entered + cached + refused;
        for (std::size_t i = 0; i < tiers.size(); ++i) {
            const TierView& tier = view.tiers[i];
            same = same && tier.entered == tiers[i].entered && tier.answered == tiers[i].answered &&
                   tier.failedHere == tiers[i].failedHere &&
                   tier.entered == tier.answered + tier.failedHere + movedAll(tier) + cancelled[i];
        }
        return same;
    }
};

QTEST_APPLESS_MAIN(TestChainViews)
#include "tst_chain_views.moc"
