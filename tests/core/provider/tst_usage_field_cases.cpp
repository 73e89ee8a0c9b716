// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/catalogue_prices.h"
#include "core/provider/answer_reader.h"
#include "core/provider/charge.h"
#include "core/provider/usage.h"
#include "tests/support/field_cases.h"
#include "tests/support/json.h"
#include "tests/support/word.h"

#include <QJsonDocument>
#include <QtTest>

using namespace sg;
using namespace sg::provider;
using cost::NanoDollars;

namespace {
using Count = std::optional<std::int64_t>;

QJsonObject caseOf(const char* name)
{
    return test::fieldCase(QLatin1String(name));
}

std::optional<NanoDollars> usd(double amount)
{
    return NanoDollars::fromUsd(amount);
}

std::optional<NanoDollars> usdIn(const QJsonValue& value)
{
    return value.isDouble() ? usd(value.toDouble()) : std::nullopt;
}

cost::Rates ratesIn(const QJsonValue& json)
{
    cost::Rates rates;
    rates.input = usdIn(json[QLatin1String("input")]);
    rates.output = usdIn(json[QLatin1String("output")]);
    rates.cachedInput = usdIn(json[QLatin1String("cache_read")]);
    rates.cacheWrite = usdIn(json[QLatin1String("cache_write")]);
    return rates;
}

cost::Price priceIn(const QJsonObject& fieldCase)
{
    return {ratesIn(fieldCase[QLatin1String("prices_per_mtok")]), {}};
}

Usage usageIn(const QJsonObject& fieldCase)
{
    const Dialect dialect =
        dialectFromString(fieldCase[QLatin1String("api")].toString().toStdString()).value_or(Dialect::OpenAi);
    const QLatin1String name(dialect == Dialect::Gemini ? "usageMetadata" : "usage");
    return readUsage(dialect, fieldCase[name].toObject());
}

std::int64_t costIn(const QJsonObject& fieldCase)
{
    const UsageCharge charge = chargeOf(usageIn(fieldCase), priceIn(fieldCase));
    return charge.total ? charge.total->count() : -1;
}

Usage openAi(const QByteArray& json)
{
    return readUsage(Dialect::OpenAi, test::object(json));
}
} // namespace

/// What providers count and what it costs, in cases met in the field.
class TestUsageFieldCases : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fieldCaseCosts_data();
    void fieldCaseCosts();
    void gapIsBilledAsOutput();
    void longPromptsHaveAnotherPrice();
    void cumulativeStream();
    void cataloguePrices();
    void reportedCostWins();
    void oddCounts();
    void missingUsageIsEstimated();
};

void TestUsageFieldCases::fieldCaseCosts_data()
{
    QTest::addColumn<double>("costUsd");
    QTest::addColumn<Count>("input");
    QTest::addColumn<Count>("output");
    QTest::addColumn<Count>("cached");
    QTest::addColumn<Count>("reasoning");
    QTest::addColumn<bool>("inconsistent");
    const auto row = [](const char* file, double costUsd, Count input, Count output, Count cached, Count reasoning,
                        bool inconsistent) {
        QTest::newRow(file) << costUsd << input << output << cached << reasoning << inconsistent;
    };
    row("FC-D01.json", 0.043521, 10007, 400, 0, {}, false);
    row("FC-D02.json", 0.007375, 10000, 500, 9000, {}, false);
    row("FC-D03.json", 0.0063, 13000, 100, 8000, {}, true);
    row("FC-D05-a.json", 0.0037375, 30, 370, {}, 260, false);
    row("FC-D05-b.json", 0.0037375, 30, 370, {}, 260, false);
    row("FC-D05-c.json", 0.0037375, 30, 370, {}, {}, true);
}

void TestUsageFieldCases::fieldCaseCosts()
{
    const QJsonObject fieldCase = caseOf(QTest::currentDataTag());
    QVERIFY(!fieldCase.isEmpty());
    QFETCH(double, costUsd);
    QFETCH(bool, inconsistent);
    const Usage usage = usageIn(fieldCase);
    QTEST(usage.inputTokens, "input");
    QTEST(usage.outputTokens, "output");
    QTEST(usage.cachedInputTokens, "cached");
    QTEST(usage.reasoningTokens, "reasoning");
    QCOMPARE(usage.inconsistent, inconsistent);
    const UsageCharge charge = chargeOf(usage, priceIn(fieldCase));
    QCOMPARE(costIn(fieldCase), usd(costUsd)->count());
    QCOMPARE(charge.inconsistent, inconsistent);
    QCOMPARE(test::word(charge.basis), QStringLiteral("price_book"));
}

void TestUsageFieldCases::gapIsBilledAsOutput()
{
    const Usage usage = usageIn(caseOf("FC-D05-c.json"));
    QVERIFY(usage.inconsistent);
    // The gap itself is no reasoning: nobody said what it was.
    QVERIFY(!usage.reasoningTokens);
    // A total below its parts is odd too, and takes nothing away.
    const Usage low = openAi(R"({"prompt_tokens":30,"completion_tokens":110,"total_tokens":100})");
    QVERIFY(low.inconsistent && low.inputTokens == 30 && low.outputTokens == 110);
}

void TestUsageFieldCases::longPromptsHaveAnotherPrice()
{
    const QJsonObject fieldCase = caseOf("FC-D06.json");
    cost::Price price = priceIn(fieldCase);
    const std::int64_t threshold = fieldCase[QLatin1String("threshold")].toInteger();
    price.tiers.push_back({threshold, ratesIn(fieldCase[QLatin1String("above")])});
    const QJsonArray rows = fieldCase[QLatin1String("rows")].toArray();
    QCOMPARE(rows.size(), 3);
    for (const QJsonValue& row : rows) {
        QJsonObject sent{{QStringLiteral("input_tokens"), row[QLatin1String("prompt")]},
                         {QStringLiteral("output_tokens"), row[QLatin1String("completion")]}};
        if (const QJsonValue cached = row[QLatin1String("extra_cache_read")]; cached.isDouble())
            sent[QLatin1String("cache_read_input_tokens")] = cached;
        const UsageCharge charge = chargeOf(readUsage(Dialect::Anthropic, sent), price);
        if (const QJsonValue costUsd = row[QLatin1String("cost_usd")]; costUsd.isDouble())
            QCOMPARE(charge.total->count(), usdIn(costUsd)->count());
        else
            QVERIFY(charge.invoice->above == threshold); // 150,000 and 60,000 from the cache
    }
}

void TestUsageFieldCases::cumulativeStream()
{
    AnswerContext context;
    context.dialect = Dialect::Anthropic;
    StreamReader reader({}, context);
    QVERIFY(reader.feed(test::fieldCaseBytes(QStringLiteral("FC-D08.sse"))));
    const auto answer = reader.finish();
    QVERIFY(answer);
    QCOMPARE(answer->text, QStringLiteral("Hello!"));
    QCOMPARE(answer->usageSent[QLatin1String("input_tokens")].toInt(), 25);
    const Usage& usage = answer->usage;
    QVERIFY(usage.inputTokens == 125 && usage.cachedInputTokens == 100 && usage.outputTokens == 15);
    QVERIFY(!usage.inconsistent);
}

void TestUsageFieldCases::cataloguePrices()
{
    const auto loaded = cost::pricesOfCatalogue(test::fieldCaseBytes(QStringLiteral("FC-D10.json")),
                                                QStringLiteral("catalogue"), {2026, 1, 2});
    QCOMPARE(loaded.book.entries().size(), std::size_t(2));
    QCOMPARE(loaded.findings.size(), 1);
    QVERIFY(loaded.findings[0].contains(QLatin1String("vendor/bad")));
    const cost::PriceEntry* dear = loaded.book.find("vendor/model-a");
    QVERIFY(dear && dear->price.input == usd(5) && dear->price.output == usd(25) &&
            dear->price.cachedInput == usd(0.5));
    QCOMPARE(dear->source, QStringLiteral("catalogue"));
    QCOMPARE(dear->date, QDate(2026, 1, 2));
    const cost::PriceEntry* free = loaded.book.find("vendor/free");
    QVERIFY(free && cost::isFree(free->price));
    QCOMPARE(free->note, QStringLiteral("free"));
    QVERIFY(!loaded.book.find("vendor/bad"));
}

void TestUsageFieldCases::reportedCostWins()
{
    const QJsonObject fieldCase = caseOf("FC-D11.json");
    const QJsonArray models{QJsonObject{{QStringLiteral("id"), QStringLiteral("vendor/routed-model")},
                                        {QStringLiteral("pricing"), fieldCase[QLatin1String("pricing")]}}};
    const auto loaded = cost::pricesOfCatalogue(QJsonDocument(QJsonObject{{QStringLiteral("data"), models}}).toJson(),
                                                QStringLiteral("catalogue"), {});
    QVERIFY(!loaded.book.find("vendor/routed-model"));
    QJsonObject sent = fieldCase[QLatin1String("response")][QLatin1String("usage")].toObject();
    const UsageCharge charge = chargeOf(readUsage(Dialect::OpenAi, sent), std::nullopt);
    QCOMPARE(charge.total->count(), 1'230'000);
    QCOMPARE(test::word(charge.basis), QStringLiteral("provider"));
    // A price changes nothing about it.
    const cost::Price price{usd(5), usd(25), {}, {}, {}};
    QCOMPARE(chargeOf(readUsage(Dialect::OpenAi, sent), price).total->count(), 1'230'000);
    for (const QJsonValue& none : {QJsonValue(), QJsonValue(-1), QJsonValue(true), QJsonValue(QStringLiteral("n/a"))}) {
        sent[QLatin1String("cost")] = none;
        const UsageCharge unknown = chargeOf(readUsage(Dialect::OpenAi, sent), std::nullopt);
        QVERIFY(!unknown.total);
        QCOMPARE(test::word(unknown.basis), QStringLiteral("unknown"));
    }
}

void TestUsageFieldCases::oddCounts()
{
    const QJsonArray rows = caseOf("FC-D13.json")[QLatin1String("rows")].toArray();
    QCOMPARE(rows.size(), 5);
    for (const QJsonValue& row : rows) {
        const Usage usage = readUsage(Dialect::OpenAi, row[QLatin1String("usage")].toObject());
        const auto expected = [&](const char* name) -> Count {
            const QJsonValue value = row[QLatin1String(name)];
            return value.isDouble() ? Count(value.toInteger()) : std::nullopt;
        };
        if (const Count about = expected("completion_approx")) {
            QVERIFY(usage.inputTokens == 57 && usage.outputTokens == about);
            QVERIFY(!usage.inconsistent); // the rounded total may differ from the rounded parts
            continue;
        }
        QVERIFY(usage.inputTokens == expected("prompt"));
        QVERIFY(usage.outputTokens == expected("completion"));
        QCOMPARE(usage.inconsistent, row[QLatin1String("flag")].toBool());
    }
    for (const char* garbage : {R"({"prompt_tokens":"abc","completion_tokens":7})", R"({"prompt_tokens":"NaN"})",
                                R"({"prompt_tokens":5,"completion_tokens":[1],"total_tokens":9})"}) {
        const Usage usage = openAi(garbage);
        QVERIFY(usage.inconsistent);
        QVERIFY(!usage.inputTokens || !usage.outputTokens); // never made up from a total beside it
    }
    const auto answer = parseWhole(
        R"({"choices":[{"message":{"content":"kept"}}],"usage":{"prompt_tokens":-5,"completion_tokens":true}})");
    QVERIFY(answer && answer->text == QLatin1String("kept"));
}

void TestUsageFieldCases::missingUsageIsEstimated()
{
    const QJsonObject fieldCase = caseOf("FC-D14.json");
    ChatRequest request;
    for (const QJsonValue& message : fieldCase[QLatin1String("request_messages")].toArray())
        request.messages.push_back(
            {message[QLatin1String("role")].toString().toStdString(), message[QLatin1String("content")].toString()});
    Answer soFar;
    soFar.text = fieldCase[QLatin1String("received_text")].toString();
    const Usage usage = withEstimate({}, needsOf(request).estimatedInputTokens, soFar);
    QVERIFY(usage.estimated && usage.inputTokens == 8 && usage.outputTokens == 4); // 30 and 14 characters
    const UsageCharge charge = chargeOf(usage, cost::Price{usd(2), usd(8), {}, {}, {}});
    QCOMPARE(test::word(charge.basis), QStringLiteral("estimated"));
    QCOMPARE(charge.total->count(), 48'000);
    QVERIFY(!chargeOf(usage, std::nullopt).total);
}

QTEST_APPLESS_MAIN(TestUsageFieldCases)
#include "tst_usage_field_cases.moc"
