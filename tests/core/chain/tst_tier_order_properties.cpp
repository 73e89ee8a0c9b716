// SPDX-License-Identifier: GPL-3.0-or-later
// Random chains and requests: what holds of every order, by the rules and not by the code under test.
#include "core/chain/canned_reply.h"
#include "core/chain/tier_order.h"
#include "tests/support/chain_scene.h"

#include <QtTest/QtTest>

#include <numeric>
#include <set>

using namespace sg;
using namespace sg::test;
using namespace sg::chain;

namespace {

class Counting final : public policy::RandomSource
{
public:
    explicit Counting(std::uint64_t seed)
        : random_(seed)
    {
    }
    double uniform() override
    {
        ++asked;
        return random_.uniform();
    }
    int asked = 0;

private:
    policy::SeededRandom random_;
};

ChainSpec anyChain(policy::SeededRandom& dice)
{
    const auto upTo = [&](std::uint64_t n) { return dice.next() % (n + 1); };
    const char* splits[] = {"", "x", "x", "y"};
    const double weights[] = {
        0, 0, 1, 2.5, 1e300, -1, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
    ChainSpec spec;
    const std::uint64_t tiers = upTo(7);
    for (std::uint64_t i = 0; i < tiers; ++i) {
        TierSpec tier = tierOn("t" + std::to_string(upTo(8)));
        tier.split = splits[upTo(3)];
        tier.weight = weights[upTo(7)];
        tier.enabled = upTo(3) != 0;
        tier.endpoint = "e" + std::to_string(upTo(3));
        spec.tiers.push_back(std::move(tier));
    }
    if (upTo(1) == 0) {
        spec.router.emplace();
        for (std::uint64_t i = upTo(3); i > 0; --i) {
            RouteClass c{"class" + std::to_string(i), {}, int(upTo(3)), upTo(1) == 0, "t" + std::to_string(upTo(8))};
            for (std::uint64_t n = upTo(3); n > 0; --n)
                c.words.push_back(std::string(1, char('a' + upTo(5))));
            spec.router->classes.push_back(std::move(c));
        }
    }
    return spec;
}

provider::ChatRequest anyRequest(policy::SeededRandom& dice)
{
    QString text;
    for (std::uint64_t n = dice.next() % 5; n > 0; --n)
        text += QString(QLatin1Char(char('a' + dice.next() % 7))) + QLatin1Char(' ');
    provider::ChatRequest request = userSays(text);
    if (dice.next() % 3 == 0)
        request.preferredTier = (dice.next() % 2 ? "t" : "e") + std::to_string(dice.next() % 9);
    return request;
}

/// The class by the rules as they are written, word by word.
const RouteClass* classByRule(const ChainSpec& spec, const provider::ChatRequest& request)
{
    if (!spec.router)
        return nullptr;
    std::set<std::string> earlier;
    for (const RouteClass& c : spec.router->classes) {
        if (c.words.empty())
            return &c;
        std::set<std::string> counted(c.words.begin(), c.words.end());
        if (c.countsEarlier)
            counted.insert(earlier.begin(), earlier.end());
        const auto said = std::count_if(counted.begin(), counted.end(), [&](const std::string& word) {
            return containsWord(request.messages.back().text, QString::fromStdString(word));
        });
        if (said >= c.atLeast)
            return &c;
        earlier.insert(c.words.begin(), c.words.end());
    }
    return nullptr;
}

bool followsTheRules(const ChainSpec& spec, const provider::ChatRequest& request, const Route& route,
                     const std::vector<int>& order)
{
    const auto tier = [&](int i) -> const TierSpec& { return spec.tiers[std::size_t(i)]; };
    if (order.size() != spec.tiers.size() || std::set(order.begin(), order.end()).size() != order.size())
        return false;
    const auto matching = [&](auto matches) { return std::any_of(spec.tiers.begin(), spec.tiers.end(), matches); };
    const std::string& asked = request.preferredTier;
    const bool byName = !asked.empty() && matching([&](const TierSpec& t) { return t.name == asked; });
    const bool byEndpoint = !asked.empty() && matching([&](const TierSpec& t) { return t.endpoint == asked; });
    int first = -1;
    if (byName || byEndpoint) {
        first = order.front();
        if (!route.name.empty() || (byName ? tier(first).name : tier(first).endpoint) != asked)
            return false;
    } else {
        const RouteClass* c = classByRule(spec, request);
        if (route.name != (c ? c->name : std::string()))
            return false;
        if (c && matching([&](const TierSpec& t) { return t.name == c->tier; })) {
            first = order.front();
            if (tier(first).name != c->tier)
                return false;
        }
    }
    // Without the one in front, groups stand where they stand in the chain.
    const auto usable = [&](int i) { return std::isfinite(tier(i).weight) && tier(i).weight > 0; };
    std::size_t place = first >= 0 ? 1 : 0;
    for (int begin = 0, end = 0; begin < int(order.size()); begin = end) {
        end = begin + 1;
        while (end < int(order.size()) && !tier(begin).split.empty() && tier(end).split == tier(begin).split)
            ++end;
        std::vector<int> group;
        for (int i = begin; i < end; ++i)
            if (i != first)
                group.push_back(order.at(place++));
        if (std::any_of(group.begin(), group.end(), [&](int i) { return i < begin || i >= end; }))
            return false;
        const bool choice =
            std::any_of(group.begin(), group.end(), [&](int i) { return tier(i).enabled && usable(i); });
        if (choice && !(tier(group.front()).enabled && usable(group.front())))
            return false;
        const auto rest = group.begin() + (choice ? 1 : 0);
        if (!std::is_sorted(rest, group.end(),
                            [&](int a, int b) { return std::pair(!usable(a), a) < std::pair(!usable(b), b); }))
            return false;
    }
    return true;
}
} // namespace

class TestTierOrderProperties : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyOrderHoldsEachTierOnceAndKeepsItsRules()
    {
        policy::SeededRandom dice(7);
        int routed = 0, reordered = 0, drawn = 0;
        for (int round = 0; round < 20000; ++round) {
            const ChainSpec spec = anyChain(dice);
            const provider::ChatRequest request = anyRequest(dice);
            Counting random(dice.next());
            const Route route = TierOrder(spec).routeFor(request, random);
            std::vector<int> order = route.tiers;
            if (order.empty()) {
                order.resize(spec.tiers.size());
                std::iota(order.begin(), order.end(), 0);
            }
            QVERIFY2(followsTheRules(spec, request, route, order), qPrintable(QString::number(round)));
            routed += route.name.empty() ? 0 : 1;
            reordered += std::is_sorted(order.begin(), order.end()) ? 0 : 1;
            drawn += random.asked;
        }
        QVERIFY2(routed > 2000 && reordered > 3000 && drawn > 1000,
                 qPrintable(QStringLiteral("%1 %2 %3").arg(routed).arg(reordered).arg(drawn)));
    }
};

QTEST_APPLESS_MAIN(TestTierOrderProperties)
#include "tst_tier_order_properties.moc"
