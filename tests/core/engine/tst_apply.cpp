// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_core.h"
#include "tests/support/chat_server.h"
#include "tests/support/word.h"

#include <QTest>

using namespace sg;
using test::ChatServer;
using test::word;

namespace {

using ResponderPtr = std::shared_ptr<http::Responder>;

workspace::Endpoint endpointNamed(const std::string& name)
{
    workspace::Endpoint endpoint;
    endpoint.provider = QStringLiteral("openai-compatible");
    endpoint.baseUrl = QStringLiteral("sim:") + QString::fromStdString(name);
    endpoint.model = QStringLiteral("m-") + QString::fromStdString(name);
    endpoint.spec.name = name;
    endpoint.spec.breaker.consecutiveFailures = 2;
    endpoint.price = cost::Price{cost::NanoDollars(1'000'000'000), cost::NanoDollars(2'000'000'000), {}, {}, {}};
    return endpoint;
}

chain::TierSpec tierOn(const std::string& name)
{
    chain::TierSpec tier;
    tier.name = tier.endpoint = name;
    tier.backoff.baseMs = 1;
    return tier;
}

workspace::Workspace twoTiers()
{
    workspace::Workspace workspace;
    workspace.name = QStringLiteral("test");
    workspace.endpoints = {endpointNamed("first"), endpointNamed("second")};
    workspace::Chain chain;
    chain.spec.name = "chain";
    chain.spec.tiers = {tierOn("first"), tierOn("second")};
    workspace.chains = {chain};
    return workspace;
}

struct Seen
{
    bool done = false;
    chain::RunRecord record;
    QString text;
    std::optional<std::int64_t> cost;
    bool costIsLowerBound = false;
};

class Bench
{
public:
    explicit Bench(workspace::Workspace first = twoTiers())
        : now(std::move(first))
        , core({})
    {
        apply();
    }
    /// Serves what `change` made of the workspace.
    template <typename Change>
    void apply(Change change)
    {
        change(now);
        apply();
    }
    void apply()
    {
        core.apply(now, {}, server.base(), [this](const workspace::KeyRef&) { return key; });
    }
    void start(Seen& seen, const QString& prompt = QStringLiteral("hello"))
    {
        engine::Call call;
        call.target = {engine::TargetKind::Chain, "chain"};
        call.request.messages = {{"user", prompt}};
        call.intended = http::steadyNow();
        call.onFinished = [&seen](const engine::CallResult& result) {
            seen.done = true;
            seen.record = result.record;
            seen.text = result.answer ? result.answer->text : QString();
            seen.cost = result.costNanoUsd;
            seen.costIsLowerBound = result.costIsLowerBound;
        };
        core.start(std::move(call));
    }
    Seen run(const QString& prompt = QStringLiteral("hello"))
    {
        Seen seen;
        start(seen, prompt);
        if (!QTest::qWaitFor([&] { return seen.done; }))
            QTest::qFail("the request did not end", __FILE__, __LINE__);
        return seen;
    }
    chain::EndpointState& state(const char* name) { return *core.switchboard().endpoint(name)->state; }
    policy::BreakerState breaker(const char* name) { return state(name).breaker().state(http::steadyNow()); }
    void trip(const char* name)
    {
        for (int i = 0; i < 2; ++i) {
            policy::Permit permit = state(name).breaker().acquire(http::steadyNow());
            permit.finish({policy::CallOutcome::Failure, Nanos(0), {}}, http::steadyNow());
        }
        QCOMPARE(word(breaker(name)), word(policy::BreakerState::Open));
    }
    int transitions() { return transitions_; }
    void countTransitions()
    {
        core.setTransitionListener([this](const std::string&, const policy::BreakerTransition&) { ++transitions_; });
    }

    workspace::Workspace now;
    ChatServer server;
    engine::EngineCore core;
    tl::expected<QByteArray, QString> key = QByteArray("secret");

private:
    int transitions_ = 0;
};

/// Answers later, when the test says so.
ChatServer::Handler keeps(std::vector<ResponderPtr>& kept)
{
    return [&kept](const http::ServerRequest&, ResponderPtr responder) { kept.push_back(std::move(responder)); };
}

} // namespace

class TestApply : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anOpenBreakerStays_data()
    {
        using Change = std::function<void(workspace::Workspace&)>;
        QTest::addColumn<Change>("change");
        const auto row = [](const char* name, const Change& change) { QTest::newRow(name) << change; };
        row("nothing changed", [](workspace::Workspace&) {});
        row("capabilities", [](workspace::Workspace& w) { w.endpoints[0].spec.capabilities.tools = false; });
        row("limits", [](workspace::Workspace& w) { w.endpoints[0].spec.requestsPerMinute = 100; });
        row("bulkhead", [](workspace::Workspace& w) { w.endpoints[0].spec.maxInFlight = 4; });
        row("quota group", [](workspace::Workspace& w) { w.endpoints[0].spec.quotaGroup = "shared"; });
        row("timeouts", [](workspace::Workspace& w) { w.endpoints[0].timeouts.total = Millis(900); });
        row("another endpoint", [](workspace::Workspace& w) { w.endpoints.push_back(endpointNamed("third")); });
        row("its tier left",
            [](workspace::Workspace& w) { w.chains[0].spec.tiers.erase(w.chains[0].spec.tiers.begin()); });
        row("other order", [](workspace::Workspace& w) { std::swap(w.endpoints[0], w.endpoints[1]); });
    }
    void anOpenBreakerStays()
    {
        QFETCH(std::function<void(workspace::Workspace&)>, change);
        Bench bench;
        bench.trip("first");
        bench.apply(change);
        QCOMPARE(word(bench.breaker("first")), word(policy::BreakerState::Open));
    }

    void aBreakerSetOtherwiseBeginsAnewAndALockStays()
    {
        Bench bench;
        bench.trip("first");
        bench.core.command("second", observe::BreakerCommand::ForceOpen, "maintenance");
        bench.countTransitions();
        bench.apply([](workspace::Workspace& w) {
            w.endpoints[0].spec.breaker.consecutiveFailures = 9;
            w.endpoints[1].spec.breaker.consecutiveFailures = 9;
        });
        QCOMPARE(word(bench.breaker("first")), word(policy::BreakerState::Closed));
        QCOMPARE(word(bench.breaker("second")), word(policy::BreakerState::ForcedOpen));
        QCOMPARE(bench.transitions(), 0); // nobody has locked it again
        bench.core.command("second", observe::BreakerCommand::Release, "");
        QCOMPARE(bench.transitions(), 1); // what happens from now on is told
    }

    void anotherModelOrAddressIsAnotherService()
    {
        for (const bool isModel : {true, false}) {
            Bench bench;
            bench.trip("first");
            bench.state("first").parkedUntil = http::steadyNow() + std::chrono::hours(1);
            bench.apply([&](workspace::Workspace& w) {
                (isModel ? w.endpoints[0].model : w.endpoints[0].baseUrl) = QStringLiteral("sim:other");
            });
            QCOMPARE(word(bench.breaker("first")), word(policy::BreakerState::Closed));
            QVERIFY(bench.state("first").parkedUntil < http::steadyNow());
        }
    }

    void whatServersAskedForStays()
    {
        workspace::Workspace workspace = twoTiers();
        workspace.endpoints[0].key = {workspace::KeySource::Environment, QStringLiteral("SOME_KEY")};
        Bench bench(workspace);
        const Instant until = http::steadyNow() + std::chrono::hours(1);
        bench.state("first").parkedUntil = until;
        bench.state("first").quota().pausedUntil = until;
        bench.state("first").credential() = {true, "401"};
        bench.apply([](workspace::Workspace& w) {
            w.endpoints[0].spec.breaker.consecutiveFailures = 9;
            w.endpoints[0].spec.requestsPerMinute = 9;
        });
        QVERIFY(bench.state("first").parkedUntil == until);
        QVERIFY(bench.state("first").quota().pausedUntil == until);
        QVERIFY(bench.state("first").credential().out);
    }

    void whatWasTakenOfTheLimitsStaysTaken()
    {
        workspace::Workspace workspace = twoTiers();
        workspace.endpoints[0].spec.requestsPerMinute = 3;
        Bench bench(workspace);
        for (int i = 0; i < 2; ++i)
            QVERIFY(bench.state("first").limits().acquire(0, http::steadyNow()).ticket);
        const auto left = [&] { return *bench.state("first").limits().available(http::steadyNow()).requests; };
        QVERIFY(left() < 1.5);
        bench.apply([](workspace::Workspace& w) { w.endpoints[0].spec.requestsPerMinute = 4; });
        QVERIFY(left() > 1.9 && left() < 2.5); // one more than before
        bench.apply([](workspace::Workspace& w) { w.endpoints[0].spec.requestsPerMinute = 1; });
        QVERIFY(left() < 0); // more is taken than may be
        bench.apply([](workspace::Workspace& w) { w.endpoints[0].spec.tokensPerMinute = 1000; });
        QCOMPARE(*bench.state("first").limits().available(http::steadyNow()).tokens, 1000.0);
    }

    void anEndpointThatComesBackGoesOnWhereItWas()
    {
        Bench bench;
        bench.trip("first");
        const Instant until = http::steadyNow() + std::chrono::hours(1);
        bench.state("first").parkedUntil = until;
        const workspace::Workspace before = bench.now;
        bench.apply([](workspace::Workspace& w) {
            w.endpoints.erase(w.endpoints.begin());
            w.chains[0].spec.tiers.erase(w.chains[0].spec.tiers.begin());
        });
        QVERIFY(!bench.core.switchboard().endpoint("first"));
        bench.apply([&](workspace::Workspace& w) { w = before; });
        QCOMPARE(word(bench.breaker("first")), word(policy::BreakerState::Open));
        QVERIFY(bench.state("first").parkedUntil == until);
    }

    void theLimiterRemembersWhoPassed()
    {
        workspace::Workspace workspace = twoTiers();
        workspace.chains[0].spec.limiter = chain::LimiterSpec{0.001, 2, Nanos(0), 5, std::chrono::minutes(5)};
        Bench bench(workspace);
        bench.server.on("first", ChatServer::answers("one"));
        for (int i = 0; i < 2; ++i)
            QCOMPARE(bench.run().text, QStringLiteral("one"));
        bench.apply([](workspace::Workspace& w) { w.chains[0].spec.tiers.pop_back(); });
        QCOMPARE(word(bench.run().record.ending), word(chain::Ending::Failed)); // both are still taken
        bench.apply([](workspace::Workspace& w) { w.chains[0].spec.limiter->burst = 3; });
        QCOMPARE(bench.run().text, QStringLiteral("one"));
        QCOMPARE(word(bench.run().record.ending), word(chain::Ending::Failed));
        bench.apply([](workspace::Workspace& w) { w.chains[0].spec.limiter->ratePerSecond = 0; });
        for (int i = 0; i < 2; ++i) // of five in the window three are taken
            QCOMPARE(bench.run().text, QStringLiteral("one"));
        QCOMPARE(word(bench.run().record.ending), word(chain::Ending::Failed));
    }

    void theCacheStaysFilledWhenTiersChange()
    {
        workspace::Workspace workspace = twoTiers();
        workspace.chains[0].spec.cache = chain::CacheSpec{};
        Bench bench(workspace);
        bench.server.on("first", ChatServer::answers("one"));
        QCOMPARE(bench.run().text, QStringLiteral("one"));
        bench.apply([](workspace::Workspace& w) {
            w.chains[0].spec.tiers[0].maxAttempts = 3;
            w.chains[0].spec.cache->ttl = std::chrono::minutes(1);
        });
        const Seen again = bench.run();
        QCOMPARE(word(again.record.source), word(chain::Source::Cache));
        QCOMPARE(bench.server.requests("first"), 1);
        bench.apply([](workspace::Workspace& w) { w.chains[0].spec.cache->maxEntries = 0; });
        QCOMPARE(bench.run().text, QStringLiteral("one"));
        QCOMPARE(bench.server.requests("first"), 2);
    }

    void theCacheIsEmptiedWhenAnotherServiceAnswers_data()
    {
        using Change = std::function<void(workspace::Workspace&)>;
        QTest::addColumn<Change>("change");
        QTest::addColumn<int>("requests");
        const auto row = [](const char* name, const Change& change, int requests) {
            QTest::newRow(name) << change << requests;
        };
        row(
            "model", [](workspace::Workspace& w) { w.endpoints[0].model = QStringLiteral("m-other"); }, 2);
        row(
            "another tier's model", [](workspace::Workspace& w) { w.endpoints[1].model = QStringLiteral("m-x"); }, 2);
        row(
            "a tier is gone", [](workspace::Workspace& w) { w.chains[0].spec.tiers.pop_back(); }, 2);
        row(
            "the order",
            [](workspace::Workspace& w) { std::swap(w.chains[0].spec.tiers[0], w.chains[0].spec.tiers[1]); }, 1);
        row(
            "another tier", [](workspace::Workspace& w) { w.chains[0].spec.tiers.push_back(tierOn("first")); }, 1);
        row(
            "limits", [](workspace::Workspace& w) { w.endpoints[0].spec.requestsPerMinute = 100; }, 1);
    }
    void theCacheIsEmptiedWhenAnotherServiceAnswers()
    {
        QFETCH(std::function<void(workspace::Workspace&)>, change);
        QFETCH(int, requests);
        workspace::Workspace workspace = twoTiers();
        workspace.chains[0].spec.cache = chain::CacheSpec{};
        Bench bench(workspace);
        bench.server.on("first", ChatServer::answers("one"));
        QCOMPARE(bench.run().text, QStringLiteral("one"));
        bench.apply(change);
        QCOMPARE(bench.run().text, QStringLiteral("one"));
        QCOMPARE(bench.server.requests("first"), requests);
    }

    void aFollowerOfTheNewChainHearsTheLeaderOfTheOldOne()
    {
        workspace::Workspace workspace = twoTiers();
        workspace.chains[0].spec.cache = chain::CacheSpec{};
        Bench bench(workspace);
        std::vector<ResponderPtr> open;
        bench.server.on("first", keeps(open));
        Seen leader, follower;
        bench.start(leader);
        QTRY_COMPARE(open.size(), 1u);
        bench.apply([](workspace::Workspace& w) { w.chains[0].spec.tiers[0].maxAttempts = 3; });
        bench.start(follower);
        QTest::qWait(0);
        ChatServer::answers("one")({}, open[0]);
        QTRY_VERIFY(leader.done && follower.done);
        QCOMPARE(follower.text, QStringLiteral("one"));
        QCOMPARE(word(follower.record.source), word(chain::Source::SharedCall));
        QCOMPARE(bench.server.requests("first"), 1);
    }

    void aRequestUnderWayEndsOnItsOwnChain()
    {
        workspace::Workspace workspace = twoTiers();
        workspace.chains[0].spec.tiers[0].maxAttempts = 2;
        Bench bench(workspace);
        std::vector<ResponderPtr> open;
        bench.server.on("first", keeps(open));
        bench.server.on("third", ChatServer::answers("three"));
        Seen old;
        bench.start(old);
        QTRY_COMPARE(open.size(), 1u);
        bench.apply([](workspace::Workspace& w) { // neither chain nor endpoints stay
            w.endpoints = {endpointNamed("third")};
            w.chains[0].spec.tiers = {tierOn("third")};
        });
        QCOMPARE(bench.run().text, QStringLiteral("three"));
        QVERIFY(!old.done);
        ChatServer::fails(503)({}, open[0]); // also its next attempt goes where its chain says
        QTRY_COMPARE(open.size(), 2u);
        ChatServer::answers("one")({}, open[1]);
        QTRY_VERIFY(old.done);
        QCOMPARE(old.text, QStringLiteral("one"));
        QVERIFY(old.cost && !old.costIsLowerBound); // the price of the endpoint that is gone is known
    }

    void theBulkheadCountsRequestsUnderWay()
    {
        Bench bench;
        std::vector<ResponderPtr> open;
        bench.server.on("first", keeps(open));
        bench.server.on("second", ChatServer::answers("two"));
        Seen old;
        bench.start(old);
        QTRY_COMPARE(open.size(), 1u);
        bench.apply([](workspace::Workspace& w) { w.endpoints[0].spec.maxInFlight = 1; });
        QCOMPARE(bench.run().text, QStringLiteral("two"));
        ChatServer::answers("one")({}, open[0]);
        QTRY_VERIFY(old.done);
        QCOMPARE(bench.state("first").inFlight, 0);
    }

    void theLastWordOfAnOldKeyIsNotHeldAgainstTheNewOne()
    {
        workspace::Workspace workspace = twoTiers();
        workspace.endpoints[0].key = {workspace::KeySource::Environment, QStringLiteral("SOME_KEY")};
        Bench bench(workspace);
        std::vector<ResponderPtr> open;
        bench.server.on("first", keeps(open));
        bench.server.on("second", ChatServer::answers("two"));
        Seen old;
        bench.start(old);
        QTRY_COMPARE(open.size(), 1u);
        bench.key = QByteArray("better");
        bench.apply();
        ChatServer::fails(401)({}, open[0]);
        QTRY_VERIFY(old.done);
        QVERIFY(!bench.state("first").credential().out);
    }

    void aReplacedBreakerIsSilent()
    {
        workspace::Workspace workspace = twoTiers();
        workspace.endpoints[0].spec.breaker.consecutiveFailures = 1;
        Bench bench(workspace);
        std::vector<ResponderPtr> open;
        bench.server.on("first", keeps(open));
        bench.server.on("second", ChatServer::answers("two"));
        bench.countTransitions();
        Seen old;
        bench.start(old);
        QTRY_COMPARE(open.size(), 1u);
        bench.apply([](workspace::Workspace& w) { w.endpoints[0].spec.breaker.consecutiveFailures = 5; });
        ChatServer::fails(503)({}, open[0]);
        QTRY_VERIFY(old.done);
        QCOMPARE(old.text, QStringLiteral("two"));
        QCOMPARE(bench.transitions(), 0);
        QCOMPARE(word(bench.breaker("first")), word(policy::BreakerState::Closed));
    }
};

QTEST_GUILESS_MAIN(TestApply)
#include "tst_apply.moc"
