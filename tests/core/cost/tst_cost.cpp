// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/cost.h"

#include <QtTest>

#include <cmath>

using namespace sg::cost;

namespace {
constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
constexpr auto kMin = std::numeric_limits<std::int64_t>::min();

std::optional<NanoDollars> usd(double amount)
{
    return NanoDollars::fromUsd(amount);
}
Price flat(double amount)
{
    return {usd(amount), usd(amount), {}, {}, {}};
}
} // namespace

class TestCost : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void money();
    void formats_data();
    void formats();
    void formatsInALocale();
    void costs_data();
    void costs();
    void unknownIsNotZero_data();
    void unknownIsNotZero();
    void roundsOnceHalvesUp();
    void neverOverflows();
    void worst();
};

void TestCost::money()
{
    QCOMPARE(usd(0.42)->count(), 420'000'000);
    QCOMPARE(usd(0.0000000015)->count(), 2);
    QCOMPARE(usd(-1)->count(), -1'000'000'000);
    QVERIFY(!usd(std::nan("")));
    QVERIFY(!usd(1e10));
    QVERIFY(!usd(-HUGE_VAL));
    QCOMPARE(usd(9e9)->toUsd(), 9e9);

    QVERIFY(NanoDollars(2) + NanoDollars(3) == NanoDollars(5));
    QVERIFY(NanoDollars(2) - NanoDollars(3) == NanoDollars(-1));
    QVERIFY(NanoDollars(kMax) + NanoDollars(1) == NanoDollars::max());
    QVERIFY(NanoDollars(kMin) + NanoDollars(-1) == NanoDollars::min());
    QVERIFY(NanoDollars(kMin) - NanoDollars(1) == NanoDollars::min());
    QVERIFY(NanoDollars(1) - NanoDollars(kMin) == NanoDollars::max());
    QVERIFY(NanoDollars(kMax) + NanoDollars(kMin) == NanoDollars(-1));
    NanoDollars sum;
    sum += NanoDollars(7);
    sum -= NanoDollars(2);
    QVERIFY(sum == NanoDollars(5) && sum > NanoDollars(4));
}

void TestCost::formats_data()
{
    QTest::addColumn<std::int64_t>("nanos");
    QTest::addColumn<QString>("text");
    const auto row = [](std::int64_t nanos, const char* text) {
        QTest::addRow("%lld", static_cast<long long>(nanos)) << nanos << QString::fromUtf8(text);
    };
    row(0, "$0.00");
    row(1, "< $0.0001");
    row(49'999, "< $0.0001");
    row(50'000, "$0.0001");
    row(1'234'500, "$0.0012");
    row(9'949'999, "$0.0099");
    row(9'950'000, "$0.01"); // rounds to a cent, which has two decimals
    row(10'000'000, "$0.01");
    row(14'999'999, "$0.01");
    row(15'000'000, "$0.02");
    row(41'100'000'000, "$41.10");
    row(99'994'999'999, "$99.99");
    row(99'995'000'000, "$100");
    row(100'499'999'999, "$100");
    row(100'500'000'000, "$101");
    row(1'043'834'000'000, "$1\u2009044");
    row(1'234'567'890'000'000, "$1\u2009234\u2009568");
    row(-41'100'000'000, "\u2212$41.10");
    row(-1, "> \u2212$0.0001");
    row(kMax, "$9\u2009223\u2009372\u2009037");
    row(kMin, "\u2212$9\u2009223\u2009372\u2009037");
}

void TestCost::formats()
{
    QFETCH(std::int64_t, nanos);
    QTEST(formatUsd(NanoDollars(nanos)), "text");
}

void TestCost::formatsInALocale()
{
    const QLocale german(QLocale::German, QLocale::Germany);
    QCOMPARE(formatUsd(NanoDollars(41'100'000'000), german), QStringLiteral("$41,10"));
    QCOMPARE(formatUsd(NanoDollars(1'043'834'000'000), german), QStringLiteral("$1\u2009044"));
    QCOMPARE(formatUsd(std::optional<NanoDollars>()), QStringLiteral("unknown"));
    QCOMPARE(formatUsd(std::optional(NanoDollars(0))), QStringLiteral("$0.00"));
}

void TestCost::costs_data()
{
    QTest::addColumn<TokenCounts>("tokens");
    QTest::addColumn<Price>("price");
    QTest::addColumn<double>("cost");
    QTest::addColumn<bool>("inconsistent");
    const auto row = [](const char* name, TokenCounts tokens, Price price, double cost, bool inconsistent = false) {
        QTest::newRow(name) << tokens << price << cost << inconsistent;
    };
    row("flat", {500, 200, {}, {}, {}}, flat(8), 0.0056);
    row("nothing used", {0, 0, {}, {}, {}}, flat(8), 0);
    row("free", {500, 200, {}, {}, {}}, flat(0), 0);
    row("cached is part of input", {10000, 500, 9000, {}, {}}, {usd(1.25), usd(10), usd(0.125), {}, {}}, 0.007375);
    row("cached without a price of its own", {10000, 0, 9000, {}, {}}, {usd(1.25), usd(10), {}, {}, {}}, 0.0125);
    row("cache write is part of input", {10007, 400, 0, 10000, {}}, {usd(3), usd(15), usd(0.3), usd(3.75), {}},
        0.043521);
    row("more cached than input", {5000, 100, 8000, {}, {}}, {usd(1), usd(5), usd(0.1), {}, {}}, 0.0063, true);
    row("reasoning is part of output", {30, 370, {}, {}, 260}, {usd(1.25), usd(10), {}, {}, {}}, 0.0037375);
    row("reasoning at its own price", {0, 370, {}, {}, 260}, {usd(1.25), usd(10), {}, {}, usd(20)}, 0.0063);
    row("more reasoning than output", {30, 110, {}, {}, 260}, {usd(1.25), usd(10), {}, {}, {}}, 0.0037375, true);
    row("no output, no output price", {1000, 0, {}, {}, {}}, {usd(1), {}, {}, {}, {}}, 0.001);
}

void TestCost::costs()
{
    QFETCH(TokenCounts, tokens);
    QFETCH(Price, price);
    QFETCH(double, cost);
    QFETCH(bool, inconsistent);
    const auto got = costOf(tokens, price);
    QVERIFY(got);
    QCOMPARE(got->total.count(), usd(cost)->count());
    QCOMPARE(got->inconsistentUsage, inconsistent);
}

void TestCost::unknownIsNotZero_data()
{
    QTest::addColumn<TokenCounts>("tokens");
    QTest::addColumn<Price>("price");
    const auto row = [](const char* name, TokenCounts tokens, Price price) { QTest::newRow(name) << tokens << price; };
    row("no usage", {}, flat(1));
    row("no input", {{}, 1, {}, {}, {}}, flat(1));
    row("no output", {1, {}, {}, {}, {}}, flat(1));
    row("negative", {-1, 1, {}, {}, {}}, flat(1));
    row("no price", {1, 1, {}, {}, {}}, Price());
    row("no output price", {1, 1, {}, {}, {}}, {usd(1), {}, {}, {}, {}});
    row("no input price", {1, 0, {}, {}, {}}, {{{}, usd(1), {}, {}, {}}, {}});
    row("negative price", {1, 1, {}, {}, {}}, flat(-1));
}

void TestCost::unknownIsNotZero()
{
    QFETCH(TokenCounts, tokens);
    QFETCH(Price, price);
    QVERIFY(!costOf(tokens, price));
}

void TestCost::roundsOnceHalvesUp()
{
    const Price price{NanoDollars(500'000), NanoDollars(250'000), {}, {}, {}}; // 0.5 and 0.25 nano-dollars a token
    const auto total = [&price](std::int64_t in, std::int64_t out) {
        return costOf({in, out, {}, {}, {}}, price)->total.count();
    };
    QCOMPARE(total(0, 1), 0);
    QCOMPARE(total(1, 0), 1);
    QCOMPARE(total(1, 1), 1);
    QCOMPARE(total(1, 2), 1); // 1.0 exactly, not 1 + 1 from two roundings
    QCOMPARE(total(3, 0), 2);
    QCOMPARE(total(2, 1), 1);
}

void TestCost::neverOverflows()
{
    const Price dear{NanoDollars::max(), NanoDollars::max(), NanoDollars::max(), NanoDollars::max(),
                     NanoDollars::max()};
    QVERIFY(costOf({kMax, kMax, kMax, kMax, kMax}, dear)->total == NanoDollars::max());
    QVERIFY(costOf({kMax, 0, {}, {}, {}}, flat(8))->total == NanoDollars::max());
    QCOMPARE(costOf({1'000'000'000'000, 0, {}, {}, {}}, flat(8))->total.count(), 8'000'000'000'000'000);
}

void TestCost::worst()
{
    QCOMPARE(worstCase(500, 200, flat(8))->total.count(), 5'600'000);
    QCOMPARE(worstCase(1000, 100, {usd(3), usd(15), usd(0.3), usd(3.75), usd(20)})->total.count(), 5'750'000);
    QVERIFY(!worstCase(500, 200, {usd(1), {}, {}, {}, {}}));
    QVERIFY(!worstCase(-1, 200, flat(1)));
    // No split of the real usage is dearer.
    const Price price{usd(3), usd(15), usd(0.3), usd(3.75), usd(20)};
    for (std::int64_t cached = 0; cached <= 1000; cached += 250) {
        for (std::int64_t written = 0; written + cached <= 1000; written += 250)
            QVERIFY(costOf({1000, 100, cached, written, 50}, price)->total <= worstCase(1000, 100, price)->total);
    }
}

QTEST_GUILESS_MAIN(TestCost)
#include "tst_cost.moc"
