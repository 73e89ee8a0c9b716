// SPDX-License-Identifier: GPL-3.0-or-later
// Random chains, random endpoints, random callers, in virtual time: what must hold whatever happens.
// SWITCHGEAR_SEED=n runs that one schedule and prints its records.
#include "tests/core/chain/auditor.h"

#include <QtTest/QtTest>

#include <set>

using namespace sg;
using namespace sg::test;
using namespace sg::chain;
using policy::BreakerState;
using policy::HintAction;
using provider::ErrorClass;

namespace {

constexpr int kSchedules = 4000;

class Dice
{
public:
    explicit Dice(std::uint64_t seed)
        : random_(seed)
    {
    }
    int upTo(int n) { return static_cast<int>(random_.next() % static_cast<std::uint64_t>(n + 1)); } ///< 0..n
    bool oneIn(int n) { return upTo(n - 1) == 0; }
    Millis ms(int from, int to) { return Millis(from + upTo(to - from)); }
    std::uint64_t seed() { return random_.next(); }

private:
    policy::SeededRandom random_;
};

policy::BreakerConfig anyBreaker(Dice& dice)
{
    policy::BreakerConfig b;
    if (dice.oneIn(2))
        b.consecutiveFailures = 1 + dice.upTo(3);
    if (dice.oneIn(3))
        b.failureRate = 0.5;
    if (dice.oneIn(4)) {
        b.rateLimitedCountsAs = policy::RateLimitedCountsAs::Share;
        b.rateLimitedShare = 0.5;
    }
    if (dice.oneIn(4)) {
        b.slowRate = 0.5;
        b.slowCall = dice.ms(50, 500);
    }
    b.minimumCalls = 1 + dice.upTo(3);
    if (dice.oneIn(2))
        b.window = policy::CountWindow{10};
    b.open = dice.ms(1, 3000);
    b.openMultiplier = 1 + dice.upTo(2);
    b.openJitter = dice.oneIn(2) ? 0.3 : 0;
    b.halfOpenMaxProbes = 1 + dice.upTo(2);
    b.halfOpenSuccesses = 1 + dice.upTo(2);
    if (dice.oneIn(2))
        b.halfOpenDeadline = dice.ms(50, 2000);
    b.metricsOnly = dice.oneIn(10);
    return b;
}

policy::BackoffPolicy anyBackoff(Dice& dice)
{
    policy::BackoffPolicy b;
    b.kind = static_cast<policy::BackoffKind>(dice.upTo(2));
    b.jitter.type = static_cast<policy::JitterType>(dice.upTo(5));
    b.jitter.r = 0.3;
    b.jitter.addMs = 100;
    b.baseMs = 1 + dice.upTo(400);
    b.capMs = 2000;
    return b;
}

MovesOn anyMovesOn(Dice& dice)
{
    return {dice.oneIn(2), dice.oneIn(2), dice.oneIn(2), dice.oneIn(2), dice.oneIn(2), false};
}

Capabilities anyCapabilities(Dice& dice)
{
    Capabilities can;
    can.jsonMode = !dice.oneIn(6);
    if (dice.oneIn(2))
        can.contextWindow = 5 + dice.upTo(60);
    return can;
}

/// Endpoints, chains over them, and how the endpoints behave: one seed, one world.
struct World
{
    policy::SeededRandom breakerRandom, runRandom;
    std::vector<std::shared_ptr<EndpointState>> endpoints;
    std::vector<std::shared_ptr<ChainState>> chains;
    std::vector<int> moods; ///< how often out of 10 an endpoint fails

    explicit World(Dice& dice)
        : breakerRandom(dice.seed())
        , runRandom(dice.seed())
    {
        std::vector<std::shared_ptr<QuotaGroup>> quotas{std::make_shared<QuotaGroup>(), std::make_shared<QuotaGroup>()};
        std::vector<std::shared_ptr<Credential>> keys;
        for (int i = 0; i < 3; ++i)
            keys.push_back(std::make_shared<Credential>());
        const int n = 1 + dice.upTo(3);
        for (int i = 0; i < n; ++i)
            endpoints.push_back(anyEndpoint(dice, i, quotas, keys));
        for (int i = 0; i < 2; ++i)
            chains.push_back(anyChain(dice, "chain" + std::to_string(i)));
    }

    std::shared_ptr<EndpointState> anyEndpoint(Dice& dice, int index,
                                               const std::vector<std::shared_ptr<QuotaGroup>>& quotas,
                                               const std::vector<std::shared_ptr<Credential>>& keys)
    {
        moods.push_back(dice.upTo(10));
        const auto quota = std::size_t(dice.upTo(1)), key = std::size_t(dice.upTo(2));
        EndpointSpec spec = plainEndpoint("e" + std::to_string(index));
        spec.quotaGroup = "quota" + std::to_string(quota);
        spec.credential = "key" + std::to_string(key);
        spec.capabilities = anyCapabilities(dice);
        spec.breaker = anyBreaker(dice);
        if (dice.oneIn(4))
            spec.requestsPerMinute = 1 + dice.upTo(60);
        if (dice.oneIn(4))
            spec.tokensPerMinute = 20 + dice.upTo(500);
        if (dice.oneIn(3))
            spec.maxInFlight = 1 + dice.upTo(2);
        return std::make_shared<EndpointState>(spec, quotas[quota], keys[key], &breakerRandom, nullptr);
    }

    std::shared_ptr<ChainState> anyChain(Dice& dice, const std::string& name)
    {
        ChainSpec spec;
        spec.name = name;
        spec.deadline = dice.oneIn(4) ? dice.ms(0, 500) : dice.ms(500, 15000);
        spec.attemptBudget = dice.oneIn(20) ? 0 : 1 + dice.upTo(6);
        spec.maxServerWait = dice.ms(0, 5000);
        const bool overContent = dice.oneIn(2), choosy = dice.oneIn(3);
        if (dice.oneIn(3)) {
            spec.limiter = LimiterSpec{double(dice.upTo(20)), 1.0 + dice.upTo(3), dice.ms(0, 1000), {}, Millis(1000)};
            if (dice.oneIn(2))
                spec.limiter->windowLimit = dice.upTo(5);
        }
        if (dice.oneIn(3))
            spec.cache = CacheSpec{std::size_t(dice.upTo(4)), 1 << 16, dice.ms(0, 2000)};
        std::vector<std::shared_ptr<EndpointState>> ofTiers;
        const int tiers = dice.oneIn(20) ? 0 : 1 + dice.upTo(3);
        for (int i = 0; i < tiers; ++i) {
            TierSpec tier = dice.oneIn(8) ? cannedTier({{{"hello"}, "later"}}) : anyTier(dice);
            tier.enabled = !dice.oneIn(8);
            tier.name = "t" + std::to_string(i);
            if (choosy)
                tier.movesOn = anyMovesOn(dice);
            tier.movesOn.contentPolicy = overContent;
            if (dice.oneIn(3)) {
                tier.split = dice.oneIn(2) ? "x" : "y";
                tier.weight = dice.upTo(3);
            }
            ofTiers.push_back(tier.kind == TierKind::Endpoint ? byName(tier.endpoint) : nullptr);
            spec.tiers.push_back(std::move(tier));
        }
        if (dice.oneIn(3))
            spec.router = RouterSpec{{{"greets", {"hello"}, 1, false, "t" + std::to_string(dice.upTo(3))},
                                      {"goes on", {"now"}, 1, true, "t" + std::to_string(dice.upTo(3))}}};
        return std::make_shared<ChainState>(spec, std::move(ofTiers));
    }

    TierSpec anyTier(Dice& dice)
    {
        const auto& endpoint = endpoints[std::size_t(dice.upTo(int(endpoints.size()) - 1))];
        TierSpec tier = tierOn(endpoint->spec().name, 1 + dice.upTo(3));
        tier.backoff = anyBackoff(dice);
        if (dice.oneIn(2))
            tier.attemptTimeout = dice.ms(1, 1500);
        return tier;
    }

    std::shared_ptr<EndpointState> byName(const std::string& name) const
    {
        for (const auto& e : endpoints)
            if (e->spec().name == name)
                return e;
        return nullptr;
    }
};

policy::WaitHint anyHint(Dice& dice)
{
    switch (dice.upTo(5)) {
    case 0:
        return hintOf(HintAction::Wait, dice.ms(1, 4000));
    case 1:
        return hintOf(HintAction::Failover, dice.oneIn(2) ? Nanos(dice.ms(1, 9000)) : std::chrono::hours(90));
    case 2:
        return hintOf(HintAction::Stop);
    default:
        return {};
    }
}

AttemptResult anyFailure(Dice& dice)
{
    auto error = static_cast<ErrorClass>(1 + dice.upTo(provider::kErrorClassCount - 2));
    // A dead key ends everything for its endpoints; now and then is enough.
    const bool kills = error == ErrorClass::Authentication || error == ErrorClass::Permission;
    if (kills && !dice.oneIn(5))
        error = ErrorClass::RateLimited;
    AttemptResult result = failure(error, error == ErrorClass::RateLimited ? 429 : dice.oneIn(2) ? 500 : 0);
    result.error.hint = anyHint(dice);
    if (dice.oneIn(8))
        result.error.disposition.retry = provider::RetryAdvice::Yes; // x-should-retry
    return result;
}

virtualtime::Played anyPlay(Dice& dice, int mood)
{
    virtualtime::Played played;
    played.duration = dice.oneIn(8) ? dice.ms(1000, 20000) : dice.ms(0, 600);
    if (dice.oneIn(2))
        played.commitAfter = played.duration / 2;
    played.result = dice.upTo(9) < mood ? anyFailure(dice) : success();
    if (dice.oneIn(2)) {
        played.result.usage.inputTokens = dice.upTo(50);
        played.result.usage.outputTokens = dice.upTo(50);
    }
    return played;
}

void operate(Dice& dice, policy::Breaker& breaker, Instant now)
{
    switch (dice.upTo(4)) {
    case 0:
        return breaker.trip(now);
    case 1:
        return breaker.holdClosed(now);
    case 2:
        return breaker.reset(now);
    case 3:
        return breaker.release(now);
    default:
        return breaker.probeNow(now);
    }
}

provider::ChatRequest anyRequest(Dice& dice)
{
    provider::ChatRequest request = userSays(dice.oneIn(2) ? QStringLiteral("hello there") : QStringLiteral("and now"));
    request.sampling.jsonMode = dice.oneIn(6);
    if (dice.oneIn(3))
        request.sampling.maxTokens = dice.upTo(40);
    if (dice.oneIn(6))
        request.preferredTier = "t" + std::to_string(dice.upTo(4));
    return request;
}

/// False: a tier's switch sent it to the caller.
bool movesOn(const RunRecord& record)
{
    const std::set<std::string> codes{"breaker_open", "parked", "rate_limited", "bulkhead"};
    return record.ending != Ending::Failed || !codes.contains(record.error.code);
}

struct Outcome
{
    QString breach;
    QByteArray records;
    int started = 0, probes = 0;
    std::array<int, 4> endings{};
    std::map<std::string, int> reasons;
};

Outcome play(std::uint64_t seed)
{
    Dice dice(seed);
    World world(dice);
    Auditor auditor;
    Dice behaviour(dice.seed());
    virtualtime::VirtualDriver driver(
        [&](const ChainRun&, const StartAttempt& attempt, Instant) {
            return anyPlay(behaviour, world.moods.at(std::size_t(std::stoi(attempt.endpoint.substr(1)))));
        },
        &auditor);
    const int runs = 1 + dice.upTo(20);
    const int spread = dice.oneIn(2) ? 300 : 15000;
    for (int id = 1; id <= runs; ++id) {
        const Instant at = instantAtMs(1000 + dice.upTo(spread));
        driver.submit(at, world.chains[std::size_t(dice.upTo(1))], anyRequest(dice), std::uint64_t(id),
                      world.runRandom);
        if (dice.oneIn(5))
            driver.cancel(at + dice.ms(-100, 3000), std::uint64_t(id));
    }
    for (int i = dice.oneIn(3) ? 3 : 0; i > 0; --i) {
        EndpointState& endpoint = *world.endpoints[std::size_t(dice.upTo(int(world.endpoints.size()) - 1))];
        driver.call(instantAtMs(1000 + dice.upTo(spread)), [&, what = dice.seed()](Instant now) {
            Dice choice(what);
            operate(choice, endpoint.breaker(), now);
        });
    }
    driver.run();
    auditor.close(driver, std::size_t(runs), world.endpoints, world.chains);

    Outcome outcome{auditor.breach, {}, auditor.started, auditor.probes, auditor.endings, {}};
    for (const RunRecord& record : driver.records()) {
        outcome.records += toJson(record) + '\n';
        for (const MoveRecord& move : movesOf(record))
            ++outcome.reasons[std::string(toString(move.reason))];
        outcome.reasons["routed"] += record.route.empty() ? 0 : 1;
        outcome.reasons["not left"] += movesOn(record) ? 0 : 1;
        outcome.reasons["source " + std::string(toString(record.source))]++;
        for (const WaitRecord& wait : waitsOf(record))
            ++outcome.reasons["wait " + std::string(toString(wait.reason))];
    }
    return outcome;
}

} // namespace

class TestChainProperties : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whateverHappensTheRulesHold()
    {
        bool one = false;
        const quint64 only = qEnvironmentVariable("SWITCHGEAR_SEED").toULongLong(&one);
        Outcome sum;
        for (std::uint64_t seed = one ? only : 1; seed <= (one ? only : kSchedules); ++seed) {
            const Outcome outcome = play(seed);
            if (one)
                qInfo().noquote() << outcome.records;
            QVERIFY2(outcome.breach.isEmpty(),
                     qPrintable(QStringLiteral("SWITCHGEAR_SEED=%1: %2").arg(seed).arg(outcome.breach)));
            sum.started += outcome.started;
            sum.probes += outcome.probes;
            for (std::size_t i = 0; i < sum.endings.size(); ++i)
                sum.endings[i] += outcome.endings[i];
            for (const auto& [reason, n] : outcome.reasons)
                sum.reasons[reason] += n;
        }
        if (one)
            return;
        qInfo() << "attempts" << sum.started << "probes" << sum.probes << "answered" << sum.endings[1] << "failed"
                << sum.endings[2] << "cancelled" << sum.endings[3];
        for (const auto& [reason, n] : sum.reasons)
            qInfo().noquote() << QString::fromStdString(reason) << n;
        // Schedules that never come to a rule prove nothing about it.
        QVERIFY(sum.started > kSchedules && sum.probes > 100);
        for (int i = 0; i <= int(MoveReason::NoRuleMatched); ++i) {
            const auto reason = static_cast<MoveReason>(i);
            if (reason != MoveReason::LacksTools && reason != MoveReason::LacksImages)
                QVERIFY2(sum.reasons[std::string(toString(reason))] > 10, qPrintable(word(reason)));
        }
        QVERIFY(sum.reasons["routed"] > 1000 && sum.reasons["not left"] > 100);
        for (const Source source : {Source::Endpoint, Source::Cache, Source::SharedCall, Source::CannedReply})
            QVERIFY2(sum.reasons["source " + std::string(toString(source))] > 10, qPrintable(word(source)));
        for (const WaitReason reason : {WaitReason::Backoff, WaitReason::ServerHint, WaitReason::Limiter})
            QVERIFY2(sum.reasons["wait " + std::string(toString(reason))] > 10, qPrintable(word(reason)));
    }

    void theSameSeedGivesTheSameBytes()
    {
        std::set<QByteArray> different;
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            const QByteArray first = play(seed).records;
            QVERIFY2(first == play(seed).records, qPrintable(QStringLiteral("SWITCHGEAR_SEED=%1").arg(seed)));
            different.insert(first);
        }
        QVERIFY(different.size() > 290);
    }
};

QTEST_APPLESS_MAIN(TestChainProperties)
#include "tst_chain_properties.moc"
