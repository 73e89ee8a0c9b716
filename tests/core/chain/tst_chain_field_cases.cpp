// SPDX-License-Identifier: GPL-3.0-or-later
// The resilience cases of tests/data/field_cases, on a chain without clock and sockets.
#include "core/chain/cache.h"
#include "tests/support/chain_scene.h"
#include "tests/support/field_cases.h"

#include <QFile>
#include <QJsonDocument>
#include <QtTest/QtTest>

#include <set>

using namespace sg;
using namespace sg::test;
using namespace sg::chain;
using policy::BreakerState;
using provider::ErrorClass;

namespace {

const Instant t0 = instantAtMs(5000);
Instant at(double seconds)
{
    return t0 + Millis(static_cast<std::int64_t>(seconds * 1000));
}

/// What the gateway will make of a body in OpenAI's form: known fields in their place, all others kept.
provider::ChatRequest requestOf(QJsonObject body)
{
    provider::ChatRequest request;
    for (const QJsonValue& message : body.take(QStringLiteral("messages")).toArray())
        request.messages.push_back({message[QLatin1String("role")].toString().toStdString(),
                                    message[QLatin1String("content")].toString(),
                                    {}});
    body.remove(QStringLiteral("model")); // names the chain
    const auto number = [&body](const char* name) -> std::optional<double> {
        const QJsonValue value = body.take(QLatin1String(name));
        return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
    };
    request.sampling.temperature = number("temperature");
    request.sampling.topP = number("top_p");
    if (const auto most = number("max_tokens"))
        request.sampling.maxTokens = static_cast<int>(*most);
    request.extra = body;
    return request;
}

} // namespace

class TestChainFieldCases : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void retriesDoNotMultiply() // FC-F01
    {
        const QJsonObject one = test::fieldCase(QStringLiteral("FC-F01.json"));
        const int most = one[QLatin1String("max_attempts")].toInt();
        Scene s;
        s.tier("a", 5).tier("b", 5).tier("c", 5); // 15 tries, were each tier asked alone
        s.spec.attemptBudget = most;
        ChainRun& run = s.run();
        Action action = run.start(t0);
        int calls = 0;
        for (double now = 0; !is<Finished>(action); ++now) {
            QVERIFY(now < 100);
            if (is<WaitUntil>(action)) {
                action = run.onTimerDue(as<WaitUntil>(action).until);
                continue;
            }
            ++calls;
            action = run.onAttemptFinished(failure(ErrorClass::RateLimited, 429), at(now));
        }
        QCOMPARE(calls, most);
        QVERIFY(calls <= one[QLatin1String("expect_upstream_calls_max")].toInt());
        QCOMPARE(run.record().attempts, calls);
    }

    void aHungProbeIsALease() // FC-F02
    {
        const QJsonObject one = test::fieldCase(QStringLiteral("FC-F02.json"));
        QCOMPARE(one[QLatin1String("expect_last_call")].toString(), QStringLiteral("admitted"));
        Scene s;
        s.tier("a");
        policy::BreakerConfig& breaker = s.endpoints.at("a").breaker;
        breaker.consecutiveFailures = 5;
        breaker.open = std::chrono::seconds(one[QLatin1String("reset_timeout_s")].toInt());
        breaker.halfOpenDeadline = std::chrono::seconds(one[QLatin1String("probe_timeout_s")].toInt());
        for (int i = 0; i < 12; ++i) {
            ChainRun& run = s.run();
            if (is<StartAttempt>(run.start(t0)))
                run.onAttemptFinished(failure(ErrorClass::ServerError, 500), t0);
        }
        QCOMPARE(word(s.state("a").breaker().state(t0)), word(BreakerState::Open));
        ChainRun& probe = s.run();
        QVERIFY(as<StartAttempt>(probe.start(at(30))).probe); // and nothing is ever heard of it
        QVERIFY(is<Finished>(s.run().start(at(40))));
        QVERIFY(is<StartAttempt>(s.run().start(at(81))));
    }

    void eachTargetHasItsOwnBreaker() // FC-F04
    {
        const QJsonObject expect = test::fieldCase(QStringLiteral("FC-F04.json"))[QLatin1String("expect")].toObject();
        QCOMPARE(expect[QLatin1String("A")].toString() + expect[QLatin1String("B")].toString(),
                 QStringLiteral("openclosed"));
        Scene s;
        s.tier("a").tier("b");
        for (auto& [name, endpoint] : s.endpoints)
            endpoint.breaker.consecutiveFailures = 5;
        for (int i = 0; i < 5; ++i) {
            ChainRun& run = s.run();
            run.start(t0);
            QCOMPARE(as<StartAttempt>(run.onAttemptFinished(failure(ErrorClass::Overloaded, 503), t0)).endpoint,
                     std::string("b"));
            run.onAttemptFinished(success(), t0);
        }
        QCOMPARE(word(s.state("a").breaker().state(t0)), word(BreakerState::Open));
        QCOMPARE(word(s.state("b").breaker().state(t0)), word(BreakerState::Closed));
        QCOMPARE(as<StartAttempt>(s.run().start(t0)).endpoint, std::string("b"));
    }

    void everyExitGivesItsPlaceBack() // FC-F06
    {
        const QJsonObject one = test::fieldCase(QStringLiteral("FC-F06.json"));
        const int places = one[QLatin1String("max_parallel")].toInt();
        Scene s;
        s.tier("a");
        s.endpoints.at("a").maxInFlight = places;
        std::vector<ChainRun*> runs;
        const auto fill = [&](int count) {
            runs.clear();
            for (int i = 0; i < count; ++i) {
                runs.push_back(&s.run());
                QVERIFY(is<StartAttempt>(runs.back()->start(t0)));
            }
        };
        fill(10);
        QVERIFY(is<Finished>(s.run().start(t0))); // full
        for (ChainRun* run : runs)
            run->onAttemptFinished(failure(ErrorClass::Timeout), t0);
        fill(5);
        for (ChainRun* run : runs)
            run->cancel({}, t0);
        fill(5);
        for (ChainRun* run : runs)
            run->onAttemptFinished(failure(ErrorClass::BadResponse, 200), t0);
        QCOMPARE(s.state("a").inFlight, one[QLatin1String("expect_in_flight")].toInt());
        { // a driver that dies in the middle
            auto lost = std::make_unique<ChainRun>(s.chain(), userSays(QStringLiteral("x")), 99, s.random);
            QVERIFY(is<StartAttempt>(lost->start(t0)));
        }
        QCOMPARE(s.state("a").inFlight, 0);
        QVERIFY(is<StartAttempt>(s.run().start(t0)));
    }

    void aRefusedCallEatsNoBudget() // FC-F07
    {
        const QJsonObject one = test::fieldCase(QStringLiteral("FC-F07.json"));
        Scene s;
        s.tier("a");
        s.endpoints.at("a").requestsPerMinute = one[QLatin1String("rpm")].toDouble();
        s.endpoints.at("a").maxInFlight = one[QLatin1String("max_parallel")].toInt();
        ChainRun& a = s.run();
        QVERIFY(is<StartAttempt>(a.start(t0)));
        QVERIFY(is<Finished>(s.run().start(t0)));
        QCOMPARE(*s.state("a").limits().available(t0).requests, 1.0);
        a.onAttemptFinished(success(), t0);
        QVERIFY(is<StartAttempt>(s.run().start(t0)));
    }

    void streamsFallBackOnlyBeforeTheFirstToken() // FC-F09
    {
        const QJsonArray rows = test::fieldCase(QStringLiteral("FC-F09.json"))[QLatin1String("rows")].toArray();
        QCOMPARE(rows.size(), 3);
        for (const QJsonValue& row : rows) {
            const QString primary = row[QLatin1String("primary")].toString();
            const bool spoke = primary.startsWith(QLatin1String("20 tokens"));
            Scene s;
            s.tier("a").tier("b");
            ChainRun& run = s.run();
            run.start(t0);
            if (spoke)
                run.onCommit(at(1));
            const Action next =
                run.onAttemptFinished(primary.startsWith(QLatin1String("429")) ? failure(ErrorClass::RateLimited, 429)
                                                                               : failure(ErrorClass::StreamBroken, 200),
                                      at(2));
            QCOMPARE(is<StartAttempt>(next), row[QLatin1String("expect")] == QLatin1String("fallback"));
            QCOMPARE(is<Finished>(next), spoke);
            QCOMPARE(run.record().committed, spoke);
            if (spoke)
                QCOMPARE(word(run.record().error.disposition.error), word(ErrorClass::StreamBroken));
        }
    }

    void theCacheKeyForgetsNothing() // FC-F10
    {
        const QJsonObject one = test::fieldCase(QStringLiteral("FC-F10.json"));
        const QJsonObject base = one[QLatin1String("base")].toObject();
        const QJsonArray changes = one[QLatin1String("must_differ")].toArray();
        QCOMPARE(changes.size(), 8);
        std::set<std::string> keys{cacheKey("m", requestOf(base)), cacheKey("n", requestOf(base))};
        for (const QJsonValue& change : changes) {
            QJsonObject changed = base;
            const QJsonObject fields = change.toObject();
            for (auto field = fields.constBegin(); field != fields.constEnd(); ++field)
                changed.insert(field.key(), field.value());
            keys.insert(cacheKey("m", requestOf(changed)));
        }
        QJsonObject absent = base, explicitDefault = base;
        absent.remove(QStringLiteral("temperature"));
        explicitDefault.insert(QStringLiteral("temperature"), 1);
        keys.insert(cacheKey("m", requestOf(absent)));
        keys.insert(cacheKey("m", requestOf(explicitDefault)));
        QCOMPARE(keys.size(), static_cast<std::size_t>(changes.size()) + 4);

        const char* orders[] = {R"({"a":{"x":1,"y":[1,2]},"b":2})", "{ \"b\" : 2,\n\"a\" : {\"y\":[1,2], \"x\":1 } }"};
        QStringList same;
        for (const char* order : orders) {
            provider::ChatRequest request = requestOf(base);
            request.extra = QJsonDocument::fromJson(order).object();
            request.tools = {request.extra};
            same += QString::fromStdString(cacheKey("m", request));
        }
        QCOMPARE(same[0], same[1]);
    }

    /// The case would not keep answers to requests that name no temperature, unless the operator has opted in. Here a
    /// chain has a cache only where the operator has put one, and that is the opting in: applications that leave the
    /// temperature out are most of them, and the caches of the source systems are for them.
    void aCacheIsOptedInto() // FC-F10
    {
        QVERIFY(!ChainSpec{}.cache);
        for (const bool cached : {false, true}) {
            Scene s;
            s.tier("a");
            if (cached)
                s.spec.cache = CacheSpec{};
            ChainRun& first = s.run();
            first.start(t0);
            first.onAttemptFinished(success(), t0);
            QCOMPARE(is<Finished>(s.run().start(at(1))), cached);
        }
    }
};

QTEST_APPLESS_MAIN(TestChainFieldCases)
#include "tst_chain_field_cases.moc"
