// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/cache.h"

#include <QtTest/QtTest>

#include <set>

using namespace sg;
using chain::ResponseCache;
using Role = chain::ResponseCache::Role;

namespace {

ResponseCache::Entry answer(const QString& text)
{
    auto a = std::make_shared<provider::Answer>();
    a->text = text;
    return a;
}

provider::ChatRequest request(const QString& text = QStringLiteral("hello"))
{
    provider::ChatRequest r;
    r.messages = {{"user", text, {}}};
    return r;
}

/// Fills the cache the way a leader does.
void put(ResponseCache& cache, const std::string& key, const QString& text, Instant now)
{
    QCOMPARE(cache.lookup(key, now).role, Role::Leader);
    cache.leaderDone(key, answer(text), now);
}

const Instant t0 = instantAtMs(1000);

} // namespace

class TestCache : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aStoredAnswerIsFound()
    {
        ResponseCache cache({});
        put(cache, "a", QStringLiteral("one"), t0);
        const auto found = cache.lookup("a", t0 + Millis(1));
        QCOMPARE(found.role, Role::Hit);
        QCOMPARE(found.entry->text, QStringLiteral("one"));
        QCOMPARE(cache.figures().hits, 1);
        QCOMPARE(cache.figures().misses, 1);
        QCOMPARE(cache.figures().entries, std::size_t(1));
    }

    void anEntryLivesUntilItsTimeAndNotALonger()
    {
        ResponseCache cache({10, 1 << 20, Millis(100)});
        put(cache, "a", QStringLiteral("one"), t0);
        QCOMPARE(cache.lookup("a", t0 + Millis(100) - Nanos(1)).role, Role::Hit);
        QCOMPARE(cache.lookup("a", t0 + Millis(100)).role, Role::Leader);
        QCOMPARE(cache.figures().entries, std::size_t(0));
        QCOMPARE(cache.figures().bytes, std::size_t(0));
    }

    void aTimeToLiveWithoutEndDoesNotOverflow()
    {
        ResponseCache cache({10, 1 << 20, Nanos::max()});
        put(cache, "a", QStringLiteral("one"), t0);
        QCOMPARE(cache.lookup("a", t0 + std::chrono::hours(24 * 365)).role, Role::Hit);
    }

    void theLeastRecentlyUsedGoesFirst()
    {
        ResponseCache cache({2, 1 << 20, Millis(10000)});
        put(cache, "a", QStringLiteral("one"), t0);
        put(cache, "b", QStringLiteral("two"), t0);
        QCOMPARE(cache.lookup("a", t0).role, Role::Hit);
        put(cache, "c", QStringLiteral("three"), t0);
        QCOMPARE(cache.lookup("a", t0).role, Role::Hit);
        QCOMPARE(cache.lookup("c", t0).role, Role::Hit);
        QCOMPARE(cache.lookup("b", t0).role, Role::Leader);
        QCOMPARE(cache.figures().evicted, 1);
        QCOMPARE(cache.figures().entries, std::size_t(2));
    }

    void bytesAreBounded()
    {
        const std::size_t limit = 8000;
        ResponseCache cache({1000, limit, Millis(10000)});
        for (int i = 0; i < 50; ++i) {
            put(cache, "key" + std::to_string(i), QString(500, QLatin1Char('x')), t0);
            QVERIFY(cache.figures().bytes <= limit);
        }
        QVERIFY(cache.figures().evicted > 0);
        QVERIFY(cache.figures().entries > 1);
        QCOMPARE(cache.lookup("key49", t0).role, Role::Hit);
    }

    void whatIsLargerThanTheCacheIsNotKeptAndDisplacesNothing()
    {
        ResponseCache cache({1000, 8000, Millis(10000)});
        put(cache, "small", QStringLiteral("one"), t0);
        put(cache, "large", QString(8000, QLatin1Char('x')), t0);
        QCOMPARE(cache.lookup("large", t0).role, Role::Leader);
        QCOMPARE(cache.lookup("small", t0).role, Role::Hit);
        QCOMPARE(cache.figures().evicted, 0);
    }

    void aCacheOfNoEntriesKeepsNone()
    {
        ResponseCache cache({0, 1 << 20, Millis(10000)});
        put(cache, "a", QStringLiteral("one"), t0);
        QCOMPARE(cache.lookup("a", t0).role, Role::Leader);
    }

    void resizedItKeepsWhatHasRoom()
    {
        ResponseCache cache({10, 1 << 20, Millis(100)});
        for (const char* key : {"a", "b", "c"})
            put(cache, key, QString::fromLatin1(key), t0);
        QCOMPARE(cache.lookup("d", t0).role, Role::Leader);
        cache.resize({2, 1 << 20, Millis(5000)});
        QCOMPARE(cache.lookup("a", t0).role, Role::Leader); // the oldest had to go
        QCOMPARE(cache.lookup("b", t0).role, Role::Hit);
        QCOMPARE(cache.lookup("d", t0).role, Role::Follower); // calls under way are still shared
        QCOMPARE(cache.lookup("c", t0 + Millis(101)).role, Role::Leader); // kept as long as it was to be
        put(cache, "e", QStringLiteral("e"), t0);
        QCOMPARE(cache.lookup("e", t0 + Millis(4000)).role, Role::Hit);
        cache.resize({0, 1 << 20, Millis(5000)});
        QCOMPARE(cache.figures().entries, std::size_t(0));
    }

    void equalRequestsInFlightFollowOne()
    {
        ResponseCache cache({});
        QCOMPARE(cache.lookup("a", t0).role, Role::Leader);
        QCOMPARE(cache.lookup("a", t0).role, Role::Follower);
        QCOMPARE(cache.lookup("a", t0).role, Role::Follower);
        QCOMPARE(cache.lookup("b", t0).role, Role::Leader);
        QCOMPARE(cache.figures().shared, 2);
        cache.leaderDone("a", answer(QStringLiteral("one")), t0);
        QCOMPARE(cache.lookup("a", t0).role, Role::Hit);
    }

    void aFailedLeaderLeavesTheKeyFreeAndNothingStored()
    {
        ResponseCache cache({});
        QCOMPARE(cache.lookup("a", t0).role, Role::Leader);
        cache.leaderDone("a", nullptr, t0);
        QCOMPARE(cache.lookup("a", t0).role, Role::Leader);
        QCOMPARE(cache.figures().entries, std::size_t(0));
    }

    void theKeyCoversEverythingThatChangesTheAnswer()
    {
        std::vector<std::pair<const char*, std::string>> keys{{"base", chain::cacheKey("c", request())}};
        const auto with = [&](const char* what, auto change) {
            provider::ChatRequest r = request();
            change(r);
            keys.emplace_back(what, chain::cacheKey("c", r));
        };
        keys.emplace_back("chain", chain::cacheKey("d", request()));
        with("text", [](auto& r) { r.messages[0].text = QStringLiteral("hello "); });
        with("role", [](auto& r) { r.messages[0].role = "system"; });
        with("fields", [](auto& r) { r.messages[0].fields.insert(QStringLiteral("name"), QStringLiteral("x")); });
        with("second message", [](auto& r) { r.messages.push_back({"user", QString(), {}}); });
        with("split differently", [](auto& r) {
            r.messages = {{"user", QStringLiteral("hel"), {}}, {"user", QStringLiteral("lo"), {}}};
        });
        with("temperature", [](auto& r) { r.sampling.temperature = 0; });
        with("another temperature", [](auto& r) { r.sampling.temperature = 0.1; });
        with("top p", [](auto& r) { r.sampling.topP = 0; });
        with("max tokens", [](auto& r) { r.sampling.maxTokens = 0; });
        with("json mode", [](auto& r) { r.sampling.jsonMode = true; });
        with("tools", [](auto& r) {
            r.tools.append(QJsonObject{{QStringLiteral("type"), QStringLiteral("function")}});
        });
        with("extra", [](auto& r) { r.extra.insert(QStringLiteral("seed"), 7); });
        with("tier asked for", [](auto& r) { r.preferredTier = "gpt"; });
        std::set<std::string> different;
        for (const auto& [what, key] : keys) {
            QCOMPARE(key.size(), std::size_t(64));
            QVERIFY2(different.insert(key).second, what);
        }
    }

    void theKeyIgnoresHowTheAnswerTravels()
    {
        provider::ChatRequest streamed = request();
        streamed.stream = true;
        QCOMPARE(chain::cacheKey("c", streamed), chain::cacheKey("c", request()));
        provider::ChatRequest minusZero = request(), zero = request();
        minusZero.sampling.temperature = -0.0;
        zero.sampling.temperature = 0.0;
        QCOMPARE(chain::cacheKey("c", minusZero), chain::cacheKey("c", zero));
    }
};

QTEST_APPLESS_MAIN(TestCache)
#include "tst_cache.moc"
