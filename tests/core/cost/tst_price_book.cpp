// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/catalogue_prices.h"

#include <QJsonDocument>
#include <QtTest>

using namespace sg::cost;

namespace {
QByteArray book(const QByteArray& entries, const QByteArray& head = {})
{
    return R"({"format":"switchgear-prices/1",)" + head + R"("entries":[)" + entries + "]}";
}

std::int64_t inputOf(const PriceBook& prices, std::string_view model)
{
    const PriceEntry* entry = prices.find(model);
    return entry && entry->price.input ? entry->price.input->count() : -1;
}
} // namespace

class TestPriceBook : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shippedBook_data();
    void shippedBook();
    void shippedBookIsMarkedPractice();
    void units();
    void badEntriesCostNoOthers();
    void badPricesAreUnknown();
    void unknownFieldsAreNamed();
    void noBook_data();
    void noBook();
    void patterns();
    void laterDateWins();
    void roundTrip();
    void tiers();
    void catalogue();
    void noCatalogue();

private:
    static PriceBook::Loaded shipped();
};

PriceBook::Loaded TestPriceBook::shipped()
{
    QFile file(QStringLiteral(SWITCHGEAR_TEST_DATA "/../../resources/prices/prices.json"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return PriceBook::load(file.readAll());
}

void TestPriceBook::shippedBook_data()
{
    QTest::addColumn<double>("usd");
    QTest::newRow("gpt-4.1") << 8.0;
    QTest::newRow("claude-sonnet-4.5") << 15.0;
    QTest::newRow("gemini-2.5-flash") << 2.5;
    QTest::newRow("deepseek-v3.2") << 0.42;
    QTest::newRow("gpt-4o") << 8.0;
    QTest::newRow("gpt-4o-mini") << 0.6;
    QTest::newRow("gpt-4-turbo") << 30.0;
    QTest::newRow("claude-3-5-sonnet") << 15.0;
}

void TestPriceBook::shippedBook()
{
    QFETCH(double, usd);
    const PriceBook::Loaded loaded = shipped();
    const PriceEntry* entry = loaded.book.find(QTest::currentDataTag());
    QVERIFY(entry);
    QVERIFY(entry->price.input == NanoDollars::fromUsd(usd));
    QVERIFY(entry->price.output == NanoDollars::fromUsd(usd));
}

void TestPriceBook::shippedBookIsMarkedPractice()
{
    const PriceBook::Loaded loaded = shipped();
    QCOMPARE(loaded.findings, QStringList());
    QVERIFY(!loaded.book.entries().empty());
    for (const PriceEntry& entry : loaded.book.entries())
        QCOMPARE(entry.source, QStringLiteral("practice"));
    QVERIFY(!loaded.book.find("gpt-4o-2024-08-06")); // a neighbour's price is not guessed
}

void TestPriceBook::units()
{
    const auto loaded = PriceBook::load(book(R"(
        {"model":"m","input":0.075,"output":0.3,"cached_input":0.0125,"reasoning":3,"cache_write":1},
        {"model":"k","input":0.002,"unit":"per_1k_tokens","source":"list"},
        {"model":"t","input":"0.000005","output":"0","unit":"per_token","date":"2026-01-02"})",
                                             R"("source":"s","date":"2026-01-01",)"));
    QCOMPARE(loaded.findings, QStringList());
    const PriceEntry* m = loaded.book.find("m");
    QVERIFY((m->price == Price{NanoDollars(75'000'000), NanoDollars(300'000'000), NanoDollars(12'500'000),
                               NanoDollars(1'000'000'000), NanoDollars(3'000'000'000)}));
    QCOMPARE(m->date, QDate(2026, 1, 1));
    QCOMPARE(m->source, QStringLiteral("s"));
    QCOMPARE(inputOf(loaded.book, "k"), 2'000'000'000);
    QCOMPARE(loaded.book.find("k")->source, QStringLiteral("list"));
    QCOMPARE(inputOf(loaded.book, "t"), 5'000'000'000);
    QVERIFY(loaded.book.find("t")->price.output == NanoDollars(0)); // free is a price
    QCOMPARE(loaded.book.find("t")->date, QDate(2026, 1, 2));
}

void TestPriceBook::badEntriesCostNoOthers()
{
    const auto loaded = PriceBook::load(book(R"(
        {"model":"good","input":1,"source":"s"}, 7, {"input":1,"source":"s"}, {"model":"nosource","input":1},
        {"model":"euro","input":1,"source":"s","currency":"EUR"}, {"model":"odd","input":1,"source":"s","unit":"per_page"},
        {"model":"bad","input":"n/a","source":"s"}, {"model":"empty","source":"s"}, {"model":"also","input":2,"source":"s"})"));
    QCOMPARE(loaded.book.entries().size(), std::size_t(2));
    QCOMPARE(inputOf(loaded.book, "also"), 2'000'000'000);
    QCOMPARE(loaded.findings.size(), 7);
    QVERIFY(loaded.findings[3].contains(QLatin1String("euro")) && loaded.findings[3].contains(QLatin1String("EUR")));
}

void TestPriceBook::badPricesAreUnknown()
{
    QStringList findings;
    const QJsonObject json =
        QJsonDocument::fromJson(R"({"input":-1,"output":true,"cached_input":1e9,"cache_write":"nan","reasoning":0.5})")
            .object();
    QVERIFY((priceFromJson(json, &findings) == Price{{{}, {}, {}, {}, NanoDollars(500'000'000)}, {}}));
    QCOMPARE(findings.size(), 4);
    QVERIFY(priceFromJson({}) == Price{});
}

void TestPriceBook::unknownFieldsAreNamed()
{
    const auto loaded = PriceBook::load(book(R"({"model":"m","input":1,"outptu":8,"source":"s"})"));
    QVERIFY(loaded.book.find("m"));
    QCOMPARE(loaded.findings.size(), 1);
    QVERIFY(loaded.findings.first().contains(QStringLiteral("outptu")));
}

void TestPriceBook::noBook_data()
{
    QTest::addColumn<QByteArray>("json");
    for (const char* json :
         {"", "[]", "{}", "{\"format\":\"other/1\",\"entries\":[]}", "{\"format\":\"switchgear-prices/1\"", "\xff\xfe"})
        QTest::newRow(json) << QByteArray(json);
}

void TestPriceBook::noBook()
{
    QFETCH(QByteArray, json);
    const auto loaded = PriceBook::load(json);
    QVERIFY(loaded.book.entries().empty());
    QCOMPARE(loaded.findings.size(), 1);
}

void TestPriceBook::patterns()
{
    const auto loaded = PriceBook::load(book(R"({"model":"*","input":1},{"model":"gpt-4o*","input":2},
        {"model":"gpt-4o-mini*","input":3},{"model":"gpt-4o","input":4},{"model":"*/m.x","input":5})",
                                             R"("source":"s",)"));
    QCOMPARE(inputOf(loaded.book, "gpt-4o"), 4'000'000'000);
    QCOMPARE(inputOf(loaded.book, "GPT-4o"), 4'000'000'000);
    QCOMPARE(inputOf(loaded.book, "gpt-4o-2024"), 2'000'000'000);
    QCOMPARE(inputOf(loaded.book, "gpt-4o-mini-2024"), 3'000'000'000);
    QCOMPARE(inputOf(loaded.book, "a/b/m.x"), 5'000'000'000);
    QCOMPARE(inputOf(loaded.book, "a/b/m-x"), 1'000'000'000); // the dot is a dot
    QVERIFY(!PriceBook().find("gpt-4o"));
}

void TestPriceBook::laterDateWins()
{
    const auto loaded = PriceBook::load(book(R"({"model":"m","input":1,"date":"2026-03-01"},
        {"model":"m","input":2,"date":"2026-01-01"},{"model":"m","input":3},
        {"model":"n","input":4},{"model":"n","input":5})",
                                             R"("source":"s",)"));
    QCOMPARE(inputOf(loaded.book, "m"), 1'000'000'000);
    QCOMPARE(inputOf(loaded.book, "n"), 5'000'000'000);
}

void TestPriceBook::roundTrip()
{
    PriceBook prices = shipped().book;
    prices.add({QStringLiteral("x*"),
                {NanoDollars(12'500'000), {}, NanoDollars(1), {}, {}},
                QStringLiteral("list"),
                QDate(2026, 2, 3),
                QStringLiteral("note")});
    const auto again = PriceBook::load(prices.toJson());
    QCOMPARE(again.findings, QStringList());
    QVERIFY(again.book.entries() == prices.entries());
}

void TestPriceBook::tiers()
{
    const auto loaded = PriceBook::load(book(R"(
        {"model":"m","input":1,"output":10,"cache_write_1h":2,"audio_input":3,"audio_output":4,"tiers":[
            {"above_input_tokens":200000,"input":4,"cached_input":"0.4"},
            {"above_input_tokens":128000,"input":2,"output":15}]},
        {"model":"k","input":0.001,"unit":"per_1k_tokens","tiers":[{"above_input_tokens":5,"input":0.002}]},
        {"model":"bad","input":1,"tiers":[{"input":2},{"above_input_tokens":-5,"input":2},{"above_input_tokens":9},
            {"above_input_tokens":7,"input":-1},"x",{"above_input_tokens":8,"input":3}]})",
                                             R"("source":"s",)"));
    const auto usd = [](double amount) { return NanoDollars::fromUsd(amount); };
    const Price& price = loaded.book.find("m")->price;
    QVERIFY(price.cacheWriteHour == usd(2) && price.audioInput == usd(3) && price.audioOutput == usd(4));
    QCOMPARE(price.tiers.size(), std::size_t(2)); // in order, whatever the file's
    QVERIFY((price.tiers[0] == LongContextRates{128'000, {usd(2), usd(15), {}, {}, {}}}));
    QVERIFY((price.tiers[1] == LongContextRates{200'000, {usd(4), {}, usd(0.4), {}, {}}}));
    QVERIFY(loaded.book.find("k")->price.tiers[0].rates.input == usd(2));
    QCOMPARE(loaded.book.find("bad")->price.tiers.size(), std::size_t(1));
    QCOMPARE(loaded.findings.size(), 1);
    QCOMPARE(loaded.findings[0].count(QLatin1String("tier")), 5);

    PriceBook good;
    good.add(*loaded.book.find("m"));
    const auto again = PriceBook::load(good.toJson());
    QCOMPARE(again.findings, QStringList());
    QVERIFY(again.book.entries() == good.entries());
}

void TestPriceBook::catalogue()
{
    const auto loaded = pricesOfCatalogue(R"({"data":[
        {"id":"a/b","pricing":{"prompt":"0.00000125","completion":"0.00001","request":"0","image":"0",
            "internal_reasoning":"0","input_cache_read":"0.000000125","input_cache_write":"0","audio":"0.000001"}},
        {"id":"half","pricing":{"prompt":"0.000001","completion":"free"}},
        {"id":"router","pricing":{"prompt":"-1","completion":"-1"}},
        {"id":"million","pricing":{"prompt":0.88,"completion":0.88}},
        {"id":"fee","pricing":{"prompt":"0.000001","completion":0.000002,"request":"0.005"}},
        {"id":"unpriced"},7,{"pricing":{"prompt":"1"}}]})",
                                          QStringLiteral("list"), {});
    const auto usd = [](double amount) { return NanoDollars::fromUsd(amount); };
    QCOMPARE(loaded.book.entries().size(), std::size_t(3));
    // "0" for reasoning or a cache write says that it has no price of its own, not that it is free.
    QVERIFY((loaded.book.find("a/b")->price == Price{{usd(1.25), usd(10), usd(0.125), {}, {}, {}, usd(1), {}}, {}}));
    QVERIFY((loaded.book.find("half")->price == Price{usd(1), {}, {}, {}, {}}));
    QVERIFY(!loaded.book.find("router") && !loaded.book.find("million") && !loaded.book.find("unpriced"));
    QVERIFY(loaded.book.find("fee")->note.contains(QLatin1String("request")));
    QCOMPARE(loaded.findings.size(), 3);
    QVERIFY(loaded.findings[1].contains(QLatin1String("varies")));
}

void TestPriceBook::noCatalogue()
{
    for (const char* json : {"", "[]", "{}", R"({"data":7})", "<html>"}) {
        const auto loaded = pricesOfCatalogue(json, QStringLiteral("list"), {});
        QVERIFY(loaded.book.entries().empty());
        QCOMPARE(loaded.findings.size(), 1);
    }
}

QTEST_GUILESS_MAIN(TestPriceBook)
#include "tst_price_book.moc"
