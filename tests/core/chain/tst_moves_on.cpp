// SPDX-License-Identifier: GPL-3.0-or-later
// What a tier may be left for; what is switched off goes straight to the caller.
#include "core/chain/moves_on.h"
#include "tests/support/chain_scene.h"

#include <QtTest/QtTest>

#include <functional>

using namespace sg;
using namespace sg::test;
using namespace sg::chain;
using policy::HintAction;
using provider::ErrorClass;

namespace {

const Instant t0 = instantAtMs(5000);

struct FailureCase
{
    const char* name;
    AttemptResult result;
    bool MovesOn::*gate; ///< null: always moves on
};

std::vector<FailureCase> failures()
{
    return {
        {"429", failure(ErrorClass::RateLimited, 429), &MovesOn::rateLimited},
        {"quota used up", failure(ErrorClass::QuotaExhausted, 429), &MovesOn::rateLimited},
        {"no capacity, said with 429", failure(ErrorClass::Overloaded, 429), &MovesOn::rateLimited},
        {"500", failure(ErrorClass::ServerError, 500), &MovesOn::serverError},
        {"529", failure(ErrorClass::Overloaded, 529), &MovesOn::serverError},
        {"connection", failure(ErrorClass::Connection), &MovesOn::serverError},
        {"tls", failure(ErrorClass::Tls), &MovesOn::serverError},
        {"broken stream", failure(ErrorClass::StreamBroken, 200), &MovesOn::serverError},
        {"nonsense", failure(ErrorClass::BadResponse, 200), &MovesOn::serverError},
        {"timeout", failure(ErrorClass::Timeout), &MovesOn::timeout},
        {"context", failure(ErrorClass::ContextTooLong, 400), &MovesOn::contextTooLong},
        {"content", failure(ErrorClass::ContentFiltered, 400), &MovesOn::contentPolicy},
        {"key", failure(ErrorClass::Authentication, 401), nullptr},
        {"paid up", failure(ErrorClass::QuotaExhausted, 402), nullptr},
        {"model not there", failure(ErrorClass::NotFound, 404), nullptr},
        {"refused here", failure(ErrorClass::LocalReject), nullptr},
    };
}

MovesOn nothing()
{
    return {false, false, false, false, false, false};
}

MovesOn everything()
{
    return {true, true, true, true, true, true};
}

/// What keeps the first tier from being asked, for a known time where there is one.
struct RefusalCase
{
    const char* name;
    std::function<void(Scene&)> configure, happen;
    bool MovesOn::*gate;
    std::optional<Nanos> retryAfter;
};

std::vector<RefusalCase> refusals()
{
    const auto nothingElse = [](Scene&) {};
    const auto used = [](Scene& s) {
        ChainRun& before = s.run();
        before.start(t0);
        before.onAttemptFinished(success(), t0);
    };
    return {
        {"breaker_open",
         [](Scene& s) { s.endpoints["a"].breaker.open = Millis(30000); },
         [](Scene& s) { s.state("a").breaker().trip(t0); },
         &MovesOn::openBreaker,
         {}},
        {"parked", nothingElse, [](Scene& s) { s.state("a").parkedUntil = t0 + Millis(7000); }, &MovesOn::rateLimited,
         Millis(7000)},
        {"rate_limited", [](Scene& s) { s.endpoints["a"].requestsPerMinute = 1; }, used, &MovesOn::rateLimited,
         Millis(60000)},
        {"bulkhead",
         [](Scene& s) { s.endpoints["a"].maxInFlight = 1; },
         [](Scene& s) { s.run().start(t0); },
         &MovesOn::rateLimited,
         {}},
        {"disabled", [](Scene& s) { s.spec.tiers[0].enabled = false; }, nothingElse, nullptr, {}},
        {"lacks_json_mode", [](Scene& s) { s.endpoints["a"].capabilities.jsonMode = false; }, nothingElse, nullptr, {}},
        {"window_too_small",
         [](Scene& s) { s.endpoints["a"].capabilities.contextWindow = 1; },
         nothingElse,
         nullptr,
         {}},
        {"credential_out", nothingElse, [](Scene& s) { s.state("a").credential().out = true; }, nullptr, {}},
    };
}

Scene twoTiers(const MovesOn& movesOn)
{
    Scene scene;
    scene.tier("a").tier("b");
    scene.endpoints["b"].capabilities.contextWindow = 1'000'000;
    scene.spec.tiers[0].movesOn = movesOn;
    return scene;
}

} // namespace

class TestMovesOn : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void failuresLeaveATierByItsSwitches()
    {
        for (const FailureCase& c : failures()) {
            for (const bool on : {false, true}) {
                // All others stand against it: only its own switch may matter.
                MovesOn movesOn = on ? nothing() : everything();
                if (c.gate)
                    movesOn.*c.gate = on;
                Scene s = twoTiers(movesOn);
                ChainRun& run = s.run();
                run.start(t0);
                const Action next = run.onAttemptFinished(c.result, t0 + Millis(10));
                if (on || !c.gate) {
                    QVERIFY2(as<StartAttempt>(next).endpoint == "b", c.name);
                    continue;
                }
                QVERIFY2(is<Finished>(next), c.name);
                QCOMPARE(word(run.record().ending), word(Ending::Failed));
                QCOMPARE(word(run.record().error.disposition.error), word(c.result.error.disposition.error));
                QVERIFY2(movesOf(run.record()).empty(), c.name);
            }
        }
    }

    void whatNoTierCanHelpEndsWhateverIsOn()
    {
        for (const ErrorClass error : {ErrorClass::BadRequest, ErrorClass::PayloadTooLarge}) {
            Scene s = twoTiers(everything());
            ChainRun& run = s.run();
            run.start(t0);
            QVERIFY(is<Finished>(run.onAttemptFinished(failure(error, 400), t0)));
            QVERIFY(!run.record().retryAfter);
        }
    }

    void retriesComeBeforeTheCallerHearsOfIt()
    {
        Scene s = twoTiers(nothing());
        s.spec.tiers[0].maxAttempts = 3;
        ChainRun& run = s.run();
        run.start(t0);
        QVERIFY(is<WaitUntil>(run.onAttemptFinished(failure(ErrorClass::ServerError, 500), t0)));
        QCOMPARE(as<StartAttempt>(run.onTimerDue(t0 + Millis(1000))).endpoint, std::string("a"));
        QVERIFY(is<WaitUntil>(run.onAttemptFinished(failure(ErrorClass::ServerError, 500), t0 + Millis(1000))));
        run.onTimerDue(t0 + Millis(2000));
        QVERIFY(is<Finished>(run.onAttemptFinished(failure(ErrorClass::ServerError, 503), t0 + Millis(2000))));
        QCOMPARE(run.record().attempts, 3);
        QCOMPARE(run.record().error.status, 503);
    }

    void aWaitTooLongToSleepIsToldToTheCaller()
    {
        Scene s = twoTiers(nothing());
        s.spec.tiers[0].maxAttempts = 3;
        ChainRun& run = s.run();
        run.start(t0);
        auto limited = failure(ErrorClass::RateLimited, 429, hintOf(HintAction::Failover, Millis(90000)));
        QVERIFY(is<Finished>(run.onAttemptFinished(limited, t0)));
        QCOMPARE(run.record().error.status, 429);
        QVERIFY(run.record().retryAfter == Millis(90000));
    }

    void theFailureThatOpensTheBreakerDecides()
    {
        for (const bool serverError : {true, false}) {
            MovesOn movesOn = nothing();
            movesOn.serverError = serverError;
            Scene s = twoTiers(movesOn);
            s.spec.tiers[0].maxAttempts = 3;
            s.endpoints["a"].breaker.consecutiveFailures = 1;
            s.endpoints["a"].breaker.open = Millis(30000);
            ChainRun& run = s.run();
            run.start(t0);
            const Action next = run.onAttemptFinished(failure(ErrorClass::ServerError, 500), t0);
            QCOMPARE(is<StartAttempt>(next), serverError);
            QCOMPARE(is<Finished>(next), !serverError);
            if (!serverError)
                QVERIFY(run.record().retryAfter == Millis(30000));
        }
    }

    void refusalsLeaveATierByItsSwitches()
    {
        for (const RefusalCase& c : refusals()) {
            for (const bool on : {false, true}) {
                MovesOn movesOn = on ? nothing() : everything();
                if (c.gate)
                    movesOn.*c.gate = on;
                Scene s = twoTiers(movesOn);
                c.configure(s);
                c.happen(s);
                provider::ChatRequest request = userSays(QStringLiteral("hello there"));
                request.sampling.jsonMode = true;
                ChainRun& run = s.run(request);
                const Action action = run.start(t0);
                QVERIFY2(reasonsOf(run.record()) == std::string("a: ") + c.name, c.name);
                if (on || !c.gate) {
                    QVERIFY2(as<StartAttempt>(action).endpoint == "b", c.name);
                    continue;
                }
                QVERIFY2(is<Finished>(action), c.name);
                const provider::ErrorFacts& error = run.record().error;
                QCOMPARE(word(error.disposition.error), word(ErrorClass::LocalReject));
                QCOMPARE(error.code, std::string(c.name));
                QVERIFY2(error.message.rfind("a ", 0) == 0, error.message.c_str());
                QCOMPARE(run.record().attempts, 0);
                QVERIFY2(run.record().retryAfter == c.retryAfter, c.name);
            }
        }
    }

    void anOpenBreakerSaysWhenToComeAgain()
    {
        Scene s = twoTiers(nothing());
        s.endpoints["a"].breaker.consecutiveFailures = 1;
        s.endpoints["a"].breaker.open = Millis(30000);
        ChainRun& first = s.run();
        first.start(t0);
        first.onAttemptFinished(failure(ErrorClass::ServerError, 500), t0);
        ChainRun& second = s.run();
        QVERIFY(is<Finished>(second.start(t0 + Millis(10000))));
        QCOMPARE(second.record().error.code, std::string("breaker_open"));
        QVERIFY(second.record().retryAfter == Millis(20000));
        QCOMPARE(second.record().attempts, 0);
    }

    void afterARetryThatIsRefusedTheLastAnswerIsTold()
    {
        Scene s = twoTiers(nothing());
        s.spec.tiers[0].maxAttempts = 2;
        ChainRun& run = s.run();
        run.start(t0);
        QVERIFY(is<WaitUntil>(run.onAttemptFinished(failure(ErrorClass::Overloaded, 503), t0)));
        s.state("a").parkedUntil = t0 + Millis(9000);
        QVERIFY(is<Finished>(run.onTimerDue(t0 + Millis(1000))));
        QCOMPARE(run.record().error.status, 503);
        QVERIFY(run.record().retryAfter == Millis(8000));
    }

    void theSmallestWaitOfTheTiersThatWereLeftIsTold()
    {
        Scene s = twoTiers(everything());
        s.spec.tiers[1].movesOn = nothing();
        s.state("a").parkedUntil = t0 + Millis(3000);
        s.state("b").parkedUntil = t0 + Millis(9000);
        ChainRun& run = s.run();
        QVERIFY(is<Finished>(run.start(t0)));
        QCOMPARE(run.record().error.code, std::string("parked"));
        QVERIFY(run.record().retryAfter == Millis(3000));
    }

    void contextTooLongGoesToALargerWindowWhereverItStands()
    {
        Scene s = twoTiers(everything());
        s.tier("c");
        s.endpoints["a"].capabilities.contextWindow = 100;
        s.endpoints["b"].capabilities.contextWindow = 200;
        s.endpoints["c"].capabilities.contextWindow = 300;
        provider::ChatRequest request = userSays(QStringLiteral("hello"));
        request.preferredTier = "b";
        ChainRun& run = s.run(request);
        QCOMPARE(as<StartAttempt>(run.start(t0)).endpoint, std::string("b"));
        const Action next = run.onAttemptFinished(failure(ErrorClass::ContextTooLong, 400), t0);
        QCOMPARE(as<StartAttempt>(next).endpoint, std::string("c"));
        QCOMPARE(QString::fromStdString(reasonsOf(run.record())),
                 QStringLiteral("b: context_too_long, a: window_too_small"));
    }
};

QTEST_APPLESS_MAIN(TestMovesOn)
#include "tst_moves_on.moc"
