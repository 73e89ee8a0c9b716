// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/litellm_prices.h"

#include <QTest>

using namespace sg::cost;

namespace {

// The form of LiteLLM's table; figures are this test's own.
const char* const kTable = R"({
  "sample_spec": {"input_cost_per_token": 0.0, "litellm_provider": "one of the providers", "mode": "chat"},
  "plain": {"input_cost_per_token": 2e-06, "output_cost_per_token": 8e-06, "cache_read_input_token_cost": 5e-07,
            "litellm_provider": "openai", "mode": "chat", "max_input_tokens": 1047576},
  "long": {"input_cost_per_token": 1.25e-06, "output_cost_per_token": 1e-05,
           "input_cost_per_token_above_128k_tokens": 2e-06, "input_cost_per_token_above_200k_tokens": 2.5e-06,
           "output_cost_per_token_above_200k_tokens": 1.5e-05,
           "cache_creation_input_token_cost": 3.75e-06, "cache_creation_input_token_cost_above_1hr": 6e-06,
           "cache_creation_input_token_cost_above_200k_tokens": 7.5e-06, "litellm_provider": "x", "mode": "chat"},
  "free": {"input_cost_per_token": 0, "output_cost_per_token": 0, "litellm_provider": "ollama", "mode": "chat"},
  "image": {"output_cost_per_image": 0.04, "litellm_provider": "openai", "mode": "image_generation"},
  "per million by mistake": {"input_cost_per_token": 2, "output_cost_per_token": 8, "litellm_provider": "x"},
  "half bad": {"input_cost_per_token": "3e-06", "output_cost_per_token": -1, "litellm_provider": "x"},
  "not an object": 7
})";

PriceBook::Loaded table()
{
    return pricesOfLiteLlm(kTable, QStringLiteral("LiteLLM"), QDate(2026, 11, 30));
}

PriceBook bookOf(int models)
{
    PriceBook book;
    for (int i = 0; i < models; ++i)
        book.add({QString::number(i), {}, QStringLiteral("LiteLLM"), {}, {}});
    return book;
}

std::optional<NanoDollars> usd(double perMillion)
{
    return NanoDollars::fromUsd(perMillion);
}

} // namespace

class TestLiteLlmPrices : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aTableBecomesABook()
    {
        const auto loaded = table();
        QCOMPARE(loaded.book.entries().size(), std::size_t(4));
        const PriceEntry* plain = loaded.book.find("plain");
        QVERIFY(plain);
        QCOMPARE(plain->price.input, usd(2));
        QCOMPARE(plain->price.output, usd(8));
        QCOMPARE(plain->price.cachedInput, usd(0.5));
        QCOMPARE(plain->source, QStringLiteral("LiteLLM"));
        QCOMPARE(plain->date, QDate(2026, 11, 30));
        QVERIFY(isFree(loaded.book.find("free")->price));
        QVERIFY(!loaded.book.find("image") && !loaded.book.find("sample_spec"));
        QVERIFY(!loaded.book.find("per million by mistake"));
        QCOMPARE(loaded.book.find("half bad")->price.input, usd(3));
        QVERIFY(!loaded.book.find("half bad")->price.output);
    }

    void tiersBeginAboveTheirThreshold()
    {
        const auto loaded = table();
        const Price& price = loaded.book.find("long")->price;
        QCOMPARE(price.tiers.size(), std::size_t(2));
        QCOMPARE(ratesFor(price, 128000).input, usd(1.25));
        QCOMPARE(ratesFor(price, 128001).input, usd(2));
        QCOMPARE(ratesFor(price, 128001).output, usd(10));
        QCOMPARE(ratesFor(price, 200001).input, usd(2.5));
        QCOMPARE(ratesFor(price, 200001).output, usd(15));
        QCOMPARE(ratesFor(price, 200001).cacheWrite, usd(7.5));
        QCOMPARE(price.cacheWriteHour, usd(6));
        // And as the book writes it, it reads it.
        const auto again = PriceBook::load(loaded.book.toJson());
        QCOMPARE(again.book.find("long")->price, price);
    }

    void whatIsWrongIsNamed()
    {
        const QString findings = table().findings.join(QLatin1Char('\n'));
        for (const char* what : {"per million by mistake", "too large", "half bad", "negative", "left out: 1"})
            QVERIFY2(findings.contains(QLatin1String(what)), what);
    }

    void moneyThatHasNoPlaceIsNamed()
    {
        const auto loaded = pricesOfLiteLlm(
            R"({"a": {"litellm_provider": "x", "input_cost_per_token": 1e-06, "output_cost_per_token": 2e-06,
                 "input_cost_per_token_batches": 5e-07, "tiered_pricing": [], "input_cost_per_image": 0},
                "b": {"litellm_provider": "x", "input_cost_per_token": 1e-06, "input_cost_per_token_batches": 5e-07}})",
            QStringLiteral("LiteLLM"), {});
        QCOMPARE(loaded.findings, (QStringList{QStringLiteral("input_cost_per_token_batches: not counted with; models "
                                                              "that have it: 2."),
                                               QStringLiteral("tiered_pricing: not counted with; models that have it: "
                                                              "1.")}));
    }

    void aMillionTokensAreAThresholdToo()
    {
        const auto loaded = pricesOfLiteLlm(
            R"({"a": {"litellm_provider": "x", "input_cost_per_token": 1e-06, "output_cost_per_token": 2e-06,
                 "input_cost_per_token_above_1m_tokens": 3e-06}})",
            QStringLiteral("LiteLLM"), {});
        QVERIFY(loaded.findings.isEmpty());
        QCOMPARE(ratesFor(loaded.book.find("a")->price, 1000001).input, usd(3));
        QCOMPARE(ratesFor(loaded.book.find("a")->price, 1000000).input, usd(1));
    }

    void whatRoundsToNothingIsNotFree()
    {
        const auto loaded = pricesOfLiteLlm(
            R"({"a": {"litellm_provider": "x", "input_cost_per_token": 1e-30, "output_cost_per_token": 2e-06}})",
            QStringLiteral("LiteLLM"), {});
        QVERIFY(!loaded.book.find("a")->price.input);
        QVERIFY(loaded.findings.constFirst().contains(QLatin1String("too small")));
    }

    void whatIsNoTableGivesNothing_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("broken") << QByteArray("{\"a\": ");
        QTest::newRow("a page") << QByteArray("<html>not found</html>");
        QTest::newRow("a list") << QByteArray("[]");
        QTest::newRow("an error") << QByteArray("{\"error\": {\"message\": \"rate limited\"}}");
        QTest::newRow("a price book") << QByteArray("{\"format\": \"switchgear-prices/1\", \"entries\": []}");
    }
    void whatIsNoTableGivesNothing()
    {
        QFETCH(QByteArray, json);
        const auto loaded = pricesOfLiteLlm(json, QStringLiteral("LiteLLM"), {});
        QVERIFY(loaded.book.entries().empty());
        QCOMPARE(loaded.findings.size(), 1);
    }

    void aTableThatShrankByHalfIsRefused_data()
    {
        QTest::addColumn<int>("before");
        QTest::addColumn<int>("after");
        QTest::addColumn<bool>("refused");
        QTest::newRow("first") << 0 << 10 << false;
        QTest::newRow("grown") << 10 << 20 << false;
        QTest::newRow("a little smaller") << 10 << 6 << false;
        QTest::newRow("half") << 10 << 5 << true;
        QTest::newRow("nothing left") << 10 << 0 << true;
    }
    void aTableThatShrankByHalfIsRefused()
    {
        QFETCH(int, before);
        QFETCH(int, after);
        QFETCH(bool, refused);
        const QString words = refusalOfTable(bookOf(before), bookOf(after));
        QCOMPARE(!words.isEmpty(), refused);
        if (refused)
            QVERIFY(words.contains(QString::number(before)));
    }

    void aNewTableTakesThePlaceOfItsSourceOnly()
    {
        PriceBook book = bookOf(3);
        book.add({QStringLiteral("own"), {}, QStringLiteral("contract"), {}, {}});
        const PriceBook merged = withTable(book, bookOf(2), QStringLiteral("LiteLLM"));
        QCOMPARE(merged.entries().size(), std::size_t(3));
        QVERIFY(merged.find("own"));
        QVERIFY(!merged.find("2"));
    }
};

QTEST_APPLESS_MAIN(TestLiteLlmPrices)
#include "tst_litellm_prices.moc"
