// SPDX-License-Identifier: GPL-3.0-or-later
// Random chains, random endpoints, random callers, in virtual time: what must hold whatever happens.
// SWITCHGEAR_SEED=n runs that one schedule and prints its records.
#include "tests/support/chain_scene.h"
#include "tests/support/virtual_driver.h"

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
        const bool overContent = dice.oneIn(2);
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
            tier.movesOn.contentPolicy = overContent;
            ofTiers.push_back(tier.kind == TierKind::Endpoint ? byName(tier.endpoint) : nullptr);
            spec.tiers.push_back(std::move(tier));
        }
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

/// Keeps its own books, by the rules and not by the code under test, and notes the first breach.
class Auditor : public virtualtime::Watcher
{
public:
    explicit Auditor(const World& world)
        : world_(world)
    {
    }
    QString breach;

    void onStart(const ChainRun& run, const StartAttempt& attempt, Instant now) override
    {
        const ChainSpec& chain = run.chain().spec();
        const TierSpec& tier = chain.tiers.at(std::size_t(attempt.tier));
        EndpointState& endpoint = *run.chain().endpoint(attempt.tier);
        Books& books = runs_[run.record().id];
        const Instant deadline = run.record().started + chain.deadline;
        check(!books.finished, "attempt after the end");
        check(++books.attempts <= chain.attemptBudget, "more attempts than the budget");
        check(attempt.number == books.attempts, "attempt number");
        check(++books.perTier[attempt.tier] <= tier.maxAttempts, "more attempts than the tier allows");
        check(now < deadline && attempt.deadline <= deadline, "past the deadline");
        check(!tier.attemptTimeout || attempt.deadline <= now + *tier.attemptTimeout, "longer than the tier allows");
        check(tier.enabled, "on a disabled tier");
        check(attempt.tier >= books.tier, "back to an earlier tier");
        books.tier = attempt.tier;
        if (!run.record().steps.empty())
            if (const auto* wait = std::get_if<WaitRecord>(&run.record().steps.back()))
                check(wait->from < wait->until && now >= wait->until, "before its own wait is over");

        const BreakerState state = endpoint.breaker().state(now);
        check(state != BreakerState::Open && state != BreakerState::ForcedOpen, "on an open breaker");
        check(attempt.probe == (state == BreakerState::HalfOpen), "probe and half-open do not go together");
        check(now >= asked_[endpoint.spec().name], "before the server's wait is over");
        check(now >= asked_[endpoint.spec().quotaGroup], "before the quota group's wait is over");
        check(!deadKeys_.contains(endpoint.spec().credential), "with a dead key");

        const int inFlight = ++inFlight_[endpoint.spec().name];
        check(endpoint.inFlight == inFlight, "in-flight count is wrong");
        check(!endpoint.spec().maxInFlight || inFlight <= *endpoint.spec().maxInFlight, "bulkhead overfilled");
        checkWindow(endpoint, now);
        ++started;
        probes += attempt.probe ? 1 : 0;
    }

    void onEnd(const ChainRun& run, const StartAttempt& attempt, const AttemptResult& result, Instant now) override
    {
        const EndpointSpec& endpoint = run.chain().endpoint(attempt.tier)->spec();
        --inFlight_[endpoint.name];
        const ErrorClass error = result.error.disposition.error;
        if (run.record().committed)
            runs_[run.record().id].committed = true;
        const bool brokenStream = run.record().committed && error != ErrorClass::None;
        if (!brokenStream && (error == ErrorClass::Authentication || error == ErrorClass::Permission))
            deadKeys_.insert(endpoint.credential);
        const bool asks =
            result.error.hint.action == HintAction::Wait || result.error.hint.action == HintAction::Failover;
        if (!asks || error == ErrorClass::Cancelled)
            return;
        const bool quota = error == ErrorClass::RateLimited || result.error.status == 429;
        Instant& until = asked_[quota ? endpoint.quotaGroup : endpoint.name];
        until = std::max(until, now + std::min<Nanos>(result.error.hint.wait, std::chrono::hours(24)));
    }

    void onAbort(const ChainRun& run, const StartAttempt& attempt, Instant) override
    {
        --inFlight_[run.chain().endpoint(attempt.tier)->spec().name];
    }

    void onFinished(const ChainRun& run, const Finished& finished, Instant now) override
    {
        const RunRecord& record = run.record();
        Books& books = runs_[record.id];
        check(!books.finished, "finished twice");
        books.finished = true;
        check(record.ended == now, "ended at another time");
        check(record.ended <= record.started + run.chain().spec().deadline, "ended past the deadline");
        check(record.attempts == books.attempts, "attempts miscounted");
        check(attemptsOf(record).size() == std::size_t(record.attempts), "attempt without a record");
        check((record.ending == Ending::Answered) == (finished.answer != nullptr), "answer and ending differ");
        check((record.ending == Ending::Answered) == (record.source != Source::None), "source and ending differ");
        check((record.ending == Ending::Failed) == (record.error.disposition.error != ErrorClass::None),
              "error and ending differ");
        check(!record.retryAfter || *record.retryAfter >= Nanos(0), "negative wait");
        if (books.committed && record.ending == Ending::Failed)
            check(record.error.disposition.error == ErrorClass::StreamBroken, "committed, but not a broken stream");
        ++endings[std::size_t(record.ending)];
    }

    /// After the last event.
    void close(const virtualtime::VirtualDriver& driver, std::size_t submitted)
    {
        check(driver.unfinished() == 0 && driver.records().size() == submitted, "a run without an end");
        for (const auto& endpoint : world_.endpoints) {
            check(endpoint->inFlight == 0, "in flight at the end");
            check(endpoint->breaker().status(driver.now()).figures.probesInFlight == 0, "probe in flight at the end");
        }
        for (const auto& chain : world_.chains)
            if (policy::TokenBucket* bucket = chain->bucket())
                check(bucket->available(driver.now()) >= 0, "a reservation nobody waits for");
    }

    int started = 0, probes = 0;
    std::array<int, 4> endings{};

private:
    struct Books
    {
        int attempts = 0, tier = 0;
        std::map<int, int> perTier;
        bool finished = false, committed = false;
    };

    void check(bool holds, const char* what)
    {
        if (!holds && breach.isEmpty())
            breach = QString::fromLatin1(what);
    }

    /// A bucket of rpm that starts full lets at most 2 rpm through in a minute.
    void checkWindow(EndpointState& endpoint, Instant now)
    {
        if (!endpoint.spec().requestsPerMinute)
            return;
        std::multiset<Instant>& starts = starts_[endpoint.spec().name];
        starts.insert(now);
        const auto lastMinute = std::distance(starts.upper_bound(now - std::chrono::minutes(1)), starts.end());
        check(double(lastMinute) <= 2 * *endpoint.spec().requestsPerMinute, "own limit overrun");
    }

    const World& world_;
    std::map<std::uint64_t, Books> runs_;
    std::map<std::string, Instant> asked_;
    std::map<std::string, int> inFlight_;
    std::map<std::string, std::multiset<Instant>> starts_;
    std::set<std::string> deadKeys_;
};

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
    return request;
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
    Auditor auditor(world);
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
    auditor.close(driver, std::size_t(runs));

    Outcome outcome{auditor.breach, {}, auditor.started, auditor.probes, auditor.endings, {}};
    for (const RunRecord& record : driver.records()) {
        outcome.records += toJson(record) + '\n';
        for (const MoveRecord& move : movesOf(record))
            ++outcome.reasons[std::string(toString(move.reason))];
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
