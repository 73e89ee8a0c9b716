// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/canned_reply.h"
#include "core/chain/tier_order.h"
#include "tests/support/chain_scene.h"

#include <QJsonDocument>
#include <QtTest/QtTest>

#include <numeric>
#include <set>

using namespace sg;
using namespace sg::test;
using namespace sg::chain;
using provider::ErrorClass;

namespace {

const Instant t0 = instantAtMs(5000);

/// Gives what it was told to and counts how often it was asked.
class Loaded final : public policy::RandomSource
{
public:
    explicit Loaded(std::vector<double> draws = {})
        : draws_(std::move(draws))
    {
    }
    double uniform() override
    {
        const double draw = asked < int(draws_.size()) ? draws_[std::size_t(asked)] : 0.0;
        ++asked;
        return draw;
    }
    int asked = 0;

private:
    std::vector<double> draws_;
};

TierSpec sharing(const std::string& name, const std::string& split, double weight = 1, bool enabled = true)
{
    TierSpec tier = tierOn(name);
    tier.split = split;
    tier.weight = weight;
    tier.enabled = enabled;
    return tier;
}

ChainSpec chainOf(std::vector<TierSpec> tiers)
{
    ChainSpec spec;
    spec.name = "chain";
    spec.tiers = std::move(tiers);
    return spec;
}

ChainSpec plainChain(const std::vector<std::string>& names)
{
    ChainSpec spec = chainOf({});
    for (const std::string& name : names)
        spec.tiers.push_back(tierOn(name));
    return spec;
}

std::string inLetters(const ChainSpec& spec, const Route& route)
{
    std::vector<int> order = route.tiers;
    if (order.empty()) {
        order.resize(spec.tiers.size());
        std::iota(order.begin(), order.end(), 0);
    }
    std::string letters;
    for (const int tier : order)
        letters += (letters.empty() ? "" : " ") + spec.tiers[std::size_t(tier)].name;
    return letters;
}

std::string orderOf(const ChainSpec& spec, std::vector<double> draws = {}, const std::string& preferred = {})
{
    Loaded random(std::move(draws));
    provider::ChatRequest request = userSays(QStringLiteral("hello"));
    request.preferredTier = preferred;
    return inLetters(spec, TierOrder(spec).routeFor(request, random));
}

std::vector<std::string> words(std::initializer_list<const char*> list)
{
    return {list.begin(), list.end()};
}

/// Choice of a model by task words, English.
ChainSpec englishRouter()
{
    ChainSpec spec = plainChain({"gemini-2.5-flash", "gpt-4.1", "deepseek-v3.2"});
    spec.router = RouterSpec{{
        {"complex",
         words({"code", "programming", "algorithm", "optimize", "analyze thoroughly", "complex", "architect",
                "implement", "design", "debug"}),
         1, false, "gpt-4.1"},
        {"simple", words({"what is", "define", "list", "simple", "brief", "quick", "one word", "translate"}), 1, false,
         "deepseek-v3.2"},
        {"moderate", {}, 1, false, "gemini-2.5-flash"},
    }};
    return spec;
}

/// Two complex words; one, or a moderate one; all others. Thai.
ChainSpec thaiRouter()
{
    ChainSpec spec = plainChain({"gpt-4.1", "claude-sonnet-4.5", "gemini-2.5-flash", "deepseek-v3.2"});
    spec.router = RouterSpec{{
        {"complex", words({"ออกแบบ", "วางแผน", "ค้นคว้า", "วิจัย", "ประเมิน", "กลยุทธ์"}), 2, false, "gpt-4.1"},
        {"moderate", words({"เขียน", "อธิบาย", "สร้าง", "วิเคราะห์", "เปรียบเทียบ", "บทความ"}), 1, true, "claude-sonnet-4.5"},
        {"simple", {}, 1, false, "deepseek-v3.2"},
    }};
    return spec;
}

} // namespace

class TestTierOrder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // ---- split by weight

    void oneOfASplitIsDrawnByWeight_data()
    {
        QTest::addColumn<double>("draw");
        QTest::addColumn<QString>("order");
        // a 1, b 2, c 1: shares up to 0.25, 0.75, 1.
        QTest::newRow("lowest") << 0.0 << "a b c";
        QTest::newRow("end of a") << 0.2499999 << "a b c";
        QTest::newRow("begin of b") << 0.25 << "b a c";
        QTest::newRow("end of b") << 0.7499999 << "b a c";
        QTest::newRow("begin of c") << 0.75 << "c a b";
        QTest::newRow("highest") << std::nextafter(1.0, 0.0) << "c a b";
    }
    void oneOfASplitIsDrawnByWeight()
    {
        QFETCH(double, draw);
        QFETCH(QString, order);
        const ChainSpec spec = chainOf({sharing("a", "s", 1), sharing("b", "s", 2), sharing("c", "s", 1)});
        QCOMPARE(QString::fromStdString(orderOf(spec, {draw})), order);
        // The scale of weights says nothing.
        ChainSpec huge = spec;
        for (TierSpec& tier : huge.tiers)
            tier.weight *= 8e307;
        QCOMPARE(QString::fromStdString(orderOf(huge, {draw})), order);
    }

    void evenDrawsShareExactlyByWeight()
    {
        const ChainSpec spec = chainOf({sharing("a", "s", 3), sharing("b", "s", 0), sharing("c", "s", 1)});
        std::map<std::string, int> first;
        for (int i = 0; i < 1000; ++i)
            ++first[orderOf(spec, {(i + 0.5) / 1000}).substr(0, 1)];
        QCOMPARE(first["a"], 750);
        QCOMPARE(first["b"], 0);
        QCOMPARE(first["c"], 250);
    }

    void weightZeroComesAfterTheOthersOfItsSplit()
    {
        QCOMPARE(
            orderOf(chainOf({sharing("a", "s", 0), sharing("b", "s", 1), sharing("c", "s", 1), tierOn("d")}), {0.9}),
            std::string("c b a d"));
        QCOMPARE(orderOf(chainOf({sharing("a", "s", 0), sharing("b", "s", 0), tierOn("c")})), std::string("a b c"));
        QCOMPARE(orderOf(chainOf({sharing("a", "s", -3), sharing("b", "s", 1), tierOn("c")})), std::string("b a c"));
        // Alone it is no part of a split.
        QCOMPARE(orderOf(chainOf({sharing("a", "s", 0), tierOn("b")})), std::string("a b"));
    }

    void whatIsOffTakesNoPartInTheDraw()
    {
        const ChainSpec spec =
            chainOf({sharing("a", "s", 98, false), sharing("b", "s", 1), sharing("c", "s", 1), tierOn("d")});
        QCOMPARE(orderOf(spec, {0.0}), std::string("b a c d"));
        QCOMPARE(orderOf(spec, {0.5}), std::string("c a b d"));
    }

    void onlyNeighboursShare()
    {
        const ChainSpec spec = chainOf({sharing("a", "s"), tierOn("b"), sharing("c", "s"), sharing("d", "t"),
                                        sharing("e", "t"), sharing("f", "u"), sharing("g", "u")});
        QCOMPARE(orderOf(spec, {0.9, 0.1}), std::string("a b c e d f g"));
        QCOMPARE(orderOf(spec, {0.1, 0.9}), std::string("a b c d e g f"));
    }

    void nothingIsDrawnWithoutAChoice()
    {
        const std::vector<ChainSpec> without = {
            plainChain({"a", "b"}),
            chainOf({}),
            chainOf({sharing("a", "s"), sharing("b", "t")}),
            chainOf({sharing("a", "s"), sharing("b", "s", 1, false)}),
            chainOf({sharing("a", "s", 0), sharing("b", "s", 5), sharing("c", "s", 0)}),
            englishRouter(),
        };
        for (const ChainSpec& spec : without) {
            Loaded random;
            TierOrder(spec).routeFor(userSays(QStringLiteral("debug")), random);
            QCOMPARE(random.asked, 0);
        }
        Loaded random;
        const ChainSpec spec = chainOf({sharing("a", "s"), sharing("b", "s"), sharing("c", "t"), sharing("d", "t")});
        TierOrder(spec).routeFor(userSays(QStringLiteral("x")), random);
        QCOMPARE(random.asked, 2);
    }

    // ---- router

    void englishTaskWordsChooseTheTier_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("route");
        QTest::addColumn<QString>("first");
        const auto row = [](const char* text, const char* route, const char* first) {
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(route) << QString::fromUtf8(first);
        };
        row("Debug this function", "complex", "gpt-4.1");
        row("Please ANALYZE THOROUGHLY what happened", "complex", "gpt-4.1");
        row("Please analyze what happened", "moderate", "gemini-2.5-flash");
        row("What is a circuit breaker?", "simple", "deepseek-v3.2");
        row("Translate: good morning", "simple", "deepseek-v3.2");
        row("What is a good design?", "complex", "gpt-4.1"); // the first class that fits
        row("Undefined behaviour was listed", "moderate", "gemini-2.5-flash");
        row("decode and redesign", "moderate", "gemini-2.5-flash");
        row("Write a letter to my landlord", "moderate", "gemini-2.5-flash");
        row("ช่วย debug ให้หน่อย", "complex", "gpt-4.1");
        row("", "moderate", "gemini-2.5-flash");
    }
    void englishTaskWordsChooseTheTier() { routesAs(englishRouter()); }

    void thaiTaskWordsChooseTheTier_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("route");
        QTest::addColumn<QString>("first");
        const auto row = [](const char* name, const char* text, const char* route, const char* first) {
            QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(route) << QString::fromUtf8(first);
        };
        row("two complex", "ช่วยออกแบบและวางแผนระบบสำหรับร้านค้า", "complex", "gpt-4.1");
        row("two complex, apart", "วิจัยตลาดก่อน แล้วประเมินความเสี่ยง", "complex", "gpt-4.1");
        row("one complex twice", "ออกแบบโลโก้ แล้วออกแบบเว็บ", "moderate", "claude-sonnet-4.5");
        row("one complex", "ช่วยออกแบบโลโก้", "moderate", "claude-sonnet-4.5");
        row("one moderate", "เขียนบทความเรื่องแมว", "moderate", "claude-sonnet-4.5");
        row("one of each", "อธิบายกลยุทธ์นี้", "moderate", "claude-sonnet-4.5");
        row("simple words", "แปลประโยคนี้เป็นภาษาอังกฤษ", "simple", "deepseek-v3.2");
        row("FAQ", "สอบถาม FAQ เรื่องการคืนสินค้า", "simple", "deepseek-v3.2");
        row("other words", "hello", "simple", "deepseek-v3.2");
    }
    void thaiTaskWordsChooseTheTier() { routesAs(thaiRouter()); }

    void theOthersFollowInTheChainsOrder()
    {
        Loaded random;
        const ChainSpec spec = englishRouter();
        const TierOrder order(spec);
        QCOMPARE(inLetters(spec, order.routeFor(userSays(QStringLiteral("list them")), random)),
                 std::string("deepseek-v3.2 gemini-2.5-flash gpt-4.1"));
        QCOMPARE(inLetters(spec, order.routeFor(userSays(QStringLiteral("implement it")), random)),
                 std::string("gpt-4.1 gemini-2.5-flash deepseek-v3.2"));
    }

    void classesAreFoundByTheirWords_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("route");
        QTest::newRow("one of two") << "red"
                                    << "";
        QTest::newRow("the same word twice") << "red RED"
                                             << "";
        QTest::newRow("two of two") << "red green"
                                    << "two";
        QTest::newRow("own word alone") << "blue"
                                        << "";
        QTest::newRow("own and earlier") << "blue green"
                                         << "counting";
        QTest::newRow("own only") << "black blue"
                                  << "own";
        QTest::newRow("skipped classes count too") << "black green grey"
                                                   << "last";
        QTest::newRow("none") << "nothing"
                              << "";
    }
    void classesAreFoundByTheirWords()
    {
        QFETCH(QString, text);
        QFETCH(QString, route);
        ChainSpec spec = plainChain({"a", "b"});
        spec.router = RouterSpec{{{"two", words({"red", "green", "Red", "RED"}), 2, false, "b"},
                                  {"counting", words({"blue"}), 2, true, "b"},
                                  {"own", words({"blue", "black"}), 2, false, "b"},
                                  {"last", words({"grey"}), 3, true, "b"}}};
        Loaded random;
        const Route found = TierOrder(spec).routeFor(userSays(text), random);
        QCOMPARE(QString::fromStdString(found.name), route);
        QCOMPARE(inLetters(spec, found), std::string(route.isEmpty() ? "a b" : "b a"));
    }

    void onlyTheLastUserMessageIsRead()
    {
        provider::ChatRequest request;
        request.messages = {{"system", QStringLiteral("debug"), {}},
                            {"user", QStringLiteral("debug"), {}},
                            {"assistant", QStringLiteral("debug"), {}},
                            {"user", QStringLiteral("define it"), {}},
                            {"assistant", QStringLiteral("debug"), {}}};
        Loaded random;
        const TierOrder order(englishRouter());
        QCOMPARE(order.routeFor(request, random).name, std::string("simple"));
        // Parts stand for the text.
        const QByteArray parts =
            R"([{"type":"text","text":"see"},{"type":"image_url"},{"type":"text","text":"debug"}])";
        request.messages[3].fields = {{QStringLiteral("content"), QJsonDocument::fromJson(parts).array()}};
        QCOMPARE(order.routeFor(request, random).name, std::string("complex"));
        QCOMPARE(order.routeFor({}, random).name, std::string("moderate"));
    }

    void aClassWithoutItsTierStillDecides()
    {
        ChainSpec spec = englishRouter();
        spec.router->classes[0].tier = "gone";
        Loaded random;
        const Route route = TierOrder(spec).routeFor(userSays(QStringLiteral("debug")), random);
        QCOMPARE(route.name, std::string("complex"));
        QCOMPARE(inLetters(spec, route), std::string("gemini-2.5-flash gpt-4.1 deepseek-v3.2"));
    }

    // ---- the tier a request asks for

    void theRequestsTierWinsOverTheRouter()
    {
        ChainSpec spec = englishRouter();
        spec.tiers[2].name = "cheap";
        spec.tiers.push_back(tierOn("cheap"));
        spec.tiers.back().name = "spare";
        provider::ChatRequest request = userSays(QStringLiteral("debug"));
        Loaded random;
        const TierOrder order(spec);
        const auto with = [&](const char* name) {
            request.preferredTier = name;
            const Route route = order.routeFor(request, random);
            return inLetters(spec, route) + (route.name.empty() ? "" : " by " + route.name);
        };
        QCOMPARE(with("cheap"), std::string("cheap gemini-2.5-flash gpt-4.1 spare")); // the name before the endpoint
        QCOMPARE(with("deepseek-v3.2"), std::string("cheap gemini-2.5-flash gpt-4.1 spare"));
        QCOMPARE(with("gemini-2.5-flash"), std::string("gemini-2.5-flash gpt-4.1 cheap spare"));
        QCOMPARE(with("nobody"), std::string("gpt-4.1 gemini-2.5-flash cheap spare by complex"));
        QCOMPARE(with(""), std::string("gpt-4.1 gemini-2.5-flash cheap spare by complex"));
    }

    void ofTwoTiersOnOneEndpointTheOneThatIsOnIsMeant()
    {
        ChainSpec spec = plainChain({"a", "shared", "shared"});
        spec.tiers[1].name = "off";
        spec.tiers[1].enabled = false;
        spec.tiers[2].name = "on";
        QCOMPARE(orderOf(spec, {}, "shared"), std::string("on a off"));
        QCOMPARE(orderOf(spec, {}, "off"), std::string("off a on"));
    }

    void aMemberPutFirstLeavesTheRestOfItsSplitToShare()
    {
        const ChainSpec spec = chainOf({tierOn("a"), sharing("b", "s", 1), sharing("c", "s", 1), sharing("d", "s", 2),
                                        sharing("e", "s", 0), tierOn("f")});
        QCOMPARE(orderOf(spec, {0.3}, "b"), std::string("b a c d e f"));
        QCOMPARE(orderOf(spec, {0.4}, "b"), std::string("b a d c e f"));
        QCOMPARE(orderOf(spec, {0.4}, "f"), std::string("f a c b d e"));
        QCOMPARE(orderOf(spec, {0.3}, "e"), std::string("e a c b d f"));
        Loaded random;
        provider::ChatRequest request = userSays(QStringLiteral("x"));
        request.preferredTier = "a";
        TierOrder(chainOf({sharing("a", "s"), sharing("b", "s")})).routeFor(request, random);
        QCOMPARE(random.asked, 0); // one is left
    }

    // ---- in a run

    void theRouteIsDecidedAfterTheCacheAndRecorded()
    {
        Scene s;
        s.spec = englishRouter();
        for (const TierSpec& tier : s.spec.tiers)
            s.endpoints.emplace(tier.endpoint, plainEndpoint(tier.endpoint));
        s.spec.cache = CacheSpec{};
        ChainRun& run = s.run(userSays(QStringLiteral("debug it")));
        QCOMPARE(as<StartAttempt>(run.start(t0)).endpoint, std::string("gpt-4.1"));
        QCOMPARE(as<StartAttempt>(run.onAttemptFinished(failure(ErrorClass::ServerError, 500), t0)).tier, 0);
        run.onAttemptFinished(success(), t0);
        QCOMPARE(run.record().route, std::string("complex"));
        QCOMPARE(run.record().tier, 0);
        QCOMPARE(movesOf(run.record()).at(0).tier, 1); // by its place in the chain, not in the order
        QVERIFY(toJson(run.record()).contains(R"("route":"complex")"));

        ChainRun& again = s.run(userSays(QStringLiteral("debug it")));
        QVERIFY(is<Finished>(again.start(t0)));
        QCOMPARE(again.record().route, std::string());
        QVERIFY(!toJson(again.record()).contains("route"));

        // Another tier asked for is another question to the cache.
        provider::ChatRequest forced = userSays(QStringLiteral("debug it"));
        forced.preferredTier = "deepseek-v3.2";
        QCOMPARE(as<StartAttempt>(s.run(forced).start(t0)).endpoint, std::string("deepseek-v3.2"));
    }

    void aFollowerThatGoesItsOwnWayIsRoutedToo()
    {
        Scene s;
        s.spec = englishRouter();
        for (const TierSpec& tier : s.spec.tiers)
            s.endpoints.emplace(tier.endpoint, plainEndpoint(tier.endpoint));
        s.spec.cache = CacheSpec{};
        ChainRun& leader = s.run(userSays(QStringLiteral("debug it")));
        ChainRun& follower = s.run(userSays(QStringLiteral("debug it")));
        leader.start(t0);
        QVERIFY(is<AwaitLeader>(follower.start(t0)));
        leader.cancel({}, t0);
        QCOMPARE(as<StartAttempt>(follower.onLeaderDone(nullptr, t0)).endpoint, std::string("gpt-4.1"));
        QCOMPARE(follower.record().route, std::string("complex"));
    }

    void everyTierIsTriedOnceWhereverItBegins()
    {
        Scene s;
        s.spec = thaiRouter();
        for (const TierSpec& tier : s.spec.tiers)
            s.endpoints.emplace(tier.endpoint, plainEndpoint(tier.endpoint));
        ChainRun& run = s.run(userSays(QString::fromUtf8("แปลประโยคนี้")));
        Action action = run.start(t0);
        for (int i = 0; is<StartAttempt>(action); ++i)
            action = run.onAttemptFinished(failure(ErrorClass::ServerError, 500), t0 + Millis(i));
        QCOMPARE(QString::fromStdString(reasonsOf(run.record())),
                 QStringLiteral("deepseek-v3.2: attempts_used, gpt-4.1: attempts_used, claude-sonnet-4.5: "
                                "attempts_used, gemini-2.5-flash: attempts_used"));
        QCOMPARE(word(run.record().ending), word(Ending::Failed));
    }

    void aSplitRunsOnTheRequestsOwnRandomness()
    {
        Scene s;
        s.tier(sharing("a", "s", 1)).tier(sharing("b", "s", 3));
        int first = 0;
        for (int i = 0; i < 400; ++i) {
            ChainRun& run = s.run();
            first += as<StartAttempt>(run.start(t0)).endpoint == "a" ? 1 : 0;
            run.onAttemptFinished(success(), t0);
        }
        policy::SeededRandom same(1);
        int expected = 0;
        for (int i = 0; i < 400; ++i)
            expected += same.uniform() < 0.25 ? 1 : 0;
        QCOMPARE(first, expected);
    }

private:
    static void routesAs(const ChainSpec& spec)
    {
        QFETCH(QString, text);
        QFETCH(QString, route);
        QFETCH(QString, first);
        Loaded random;
        const Route found = TierOrder(spec).routeFor(userSays(text), random);
        QCOMPARE(QString::fromStdString(found.name), route);
        QCOMPARE(QString::fromStdString(spec.tiers[std::size_t(found.tiers.at(0))].name), first);
    }
};

QTEST_APPLESS_MAIN(TestTierOrder)
#include "tst_tier_order.moc"
