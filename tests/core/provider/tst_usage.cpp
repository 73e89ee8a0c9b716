// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/answer_reader.h"
#include "core/provider/charge.h"
#include "core/provider/usage.h"
#include "tests/support/json.h"
#include "tests/support/word.h"

#include <QJsonDocument>
#include <QtTest>

#include <random>

using namespace sg;
using namespace sg::provider;
using cost::NanoDollars;

namespace {
using Count = std::optional<std::int64_t>;

std::optional<NanoDollars> usd(double amount)
{
    return NanoDollars::fromUsd(amount);
}

Usage openAi(const QByteArray& json)
{
    return readUsage(Dialect::OpenAi, test::object(json));
}
} // namespace

class TestUsage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void estimatesOnlyWhatIsMissing();
    void shapes_data();
    void shapes();
    void reported_data();
    void reported();
    void handedOnByTheReader_data();
    void handedOnByTheReader();
    void words_data();
    void words();
    void noTokenIsCountedTwice_data();
    void noTokenIsCountedTwice();
    void anythingIsReadWithoutHarm();
};

void TestUsage::estimatesOnlyWhatIsMissing()
{
    QVERIFY(withEstimate({}, 8, {}) == Usage{}); // not a word has come: nothing is known
    Answer soFar;
    soFar.text = QString(40, QLatin1Char('a'));
    soFar.reasoning = QString(40, QLatin1Char('b'));
    Usage first; // Anthropic's first event
    first.inputTokens = 25;
    first.outputTokens = 1;
    const Usage raised = withEstimate(first, 99, soFar);
    QVERIFY(raised.estimated && raised.inputTokens == 25 && raised.outputTokens == 20);
    Usage complete = first;
    complete.outputTokens = 30;
    QVERIFY(withEstimate(complete, 99, soFar) == complete);
    Answer calls;
    calls.toolCalls = {QJsonObject{
        {QStringLiteral("function"), QJsonObject{{QStringLiteral("name"), QStringLiteral("f")},
                                                 {QStringLiteral("arguments"), QStringLiteral("{\"a\":1}")}}}}};
    QVERIFY(withEstimate({}, 3, calls).outputTokens == 2);
}

void TestUsage::shapes_data()
{
    QTest::addColumn<Dialect>("dialect");
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<Usage>("expected");
    struct Expected
    {
        Count input{}, output{}, cached{}, written{}, hour{}, reasoning{}, audioIn{}, audioOut{};
        bool odd = false;
    };
    const auto row = [](const char* name, Dialect dialect, const char* json, const Expected& e) {
        Usage usage;
        usage.inputTokens = e.input;
        usage.outputTokens = e.output;
        usage.cachedInputTokens = e.cached;
        usage.cacheWriteTokens = e.written;
        usage.cacheWriteHourTokens = e.hour;
        usage.reasoningTokens = e.reasoning;
        usage.audioInputTokens = e.audioIn;
        usage.audioOutputTokens = e.audioOut;
        usage.inconsistent = e.odd;
        QTest::newRow(name) << dialect << QByteArray(json) << usage;
    };
    using enum Dialect;
    row("nothing", OpenAi, "{}", {});
    row("openai", OpenAi,
        R"({"prompt_tokens":100,"completion_tokens":50,"total_tokens":150,
            "prompt_tokens_details":{"cached_tokens":60,"audio_tokens":10},
            "completion_tokens_details":{"reasoning_tokens":20,"audio_tokens":5,"accepted_prediction_tokens":3,
            "rejected_prediction_tokens":2}})",
        {.input = 100, .output = 50, .cached = 60, .reasoning = 20, .audioIn = 10, .audioOut = 5});
    row("azure", Azure, R"({"prompt_tokens":9,"completion_tokens":3,"total_tokens":12})", {.input = 9, .output = 3});
    row("responses", OpenAi,
        R"({"input_tokens":100,"input_tokens_details":{"cached_tokens":60},"output_tokens":50,
            "output_tokens_details":{"reasoning_tokens":20},"total_tokens":150})",
        {.input = 100, .output = 50, .cached = 60, .reasoning = 20});
    row("embeddings", OpenAi, R"({"prompt_tokens":8,"total_tokens":8})", {.input = 8, .output = 0});
    row("deepseek", OpenAi,
        R"({"prompt_tokens":100,"completion_tokens":5,"total_tokens":105,"prompt_cache_hit_tokens":64,
            "prompt_cache_miss_tokens":36})",
        {.input = 100, .output = 5, .cached = 64});
    row("deepseek, only hit and miss", OpenAi,
        R"({"completion_tokens":5,"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36})",
        {.input = 100, .output = 5, .cached = 64});
    row("moonshot", OpenAi, R"({"prompt_tokens":19,"completion_tokens":21,"total_tokens":40,"cached_tokens":10})",
        {.input = 19, .output = 21, .cached = 10});
    row("mistral", OpenAi,
        R"({"prompt_tokens":19,"completion_tokens":21,"total_tokens":40,"num_cached_tokens":16,
            "prompt_audio_seconds":null})",
        {.input = 19, .output = 21, .cached = 16});
    row("cohere", OpenAi,
        R"({"billed_units":{"input_tokens":5,"output_tokens":418},"tokens":{"input_tokens":71,"output_tokens":418}})",
        {.input = 5, .output = 418});
    row("cohere without billed units", OpenAi, R"({"tokens":{"input_tokens":71,"output_tokens":418}})",
        {.input = 71, .output = 418});
    row("openrouter cache write", OpenAi,
        R"({"prompt_tokens":100,"completion_tokens":5,"total_tokens":105,
            "prompt_tokens_details":{"cached_tokens":20,"cache_write_tokens":70}})",
        {.input = 100, .output = 5, .cached = 20, .written = 70});
    row("xai: reasoning beside the completion", OpenAi,
        R"({"prompt_tokens":32,"completion_tokens":9,"total_tokens":135,
            "completion_tokens_details":{"reasoning_tokens":94}})",
        {.input = 32, .output = 103, .reasoning = 94});
    row("xai, as much cached as reasoned", OpenAi,
        R"({"prompt_tokens":32,"completion_tokens":9,"total_tokens":61,"prompt_tokens_details":{"cached_tokens":20},
            "completion_tokens_details":{"reasoning_tokens":20}})",
        {.input = 32, .output = 29, .cached = 20, .reasoning = 20});
    row("reasoning above the completion", OpenAi,
        R"({"prompt_tokens":30,"completion_tokens":110,"completion_tokens_details":{"reasoning_tokens":260}})",
        {.input = 30, .output = 370, .reasoning = 260, .odd = true});
    row("ollama", OpenAi, R"({"prompt_eval_count":26,"eval_count":298})", {.input = 26, .output = 298});
    row("llama.cpp", OpenAi, R"({"timings":{"cache_n":10,"prompt_n":3,"predicted_n":35,"predicted_ms":661.064}})",
        {.input = 13, .output = 35, .cached = 10});
    row("llama.cpp beside usage", OpenAi,
        R"({"prompt_tokens":13,"completion_tokens":35,"total_tokens":48,
            "timings":{"cache_n":10,"prompt_n":3,"predicted_n":35}})",
        {.input = 13, .output = 35, .cached = 10});
    row("filled by one name only", OpenAi,
        R"({"prompt_tokens":0,"completion_tokens":0,"input_tokens":12,"output_tokens":4,"total_tokens":16})",
        {.input = 12, .output = 4});

    row("anthropic", Anthropic, R"({"input_tokens":7,"output_tokens":400})", {.input = 7, .output = 400});
    row("anthropic cache", Anthropic,
        R"({"input_tokens":7,"cache_creation_input_tokens":10000,"cache_read_input_tokens":500,"output_tokens":400,
            "cache_creation":{"ephemeral_5m_input_tokens":9000,"ephemeral_1h_input_tokens":1000},
            "service_tier":"standard"})",
        {.input = 10507, .output = 400, .cached = 500, .written = 10000, .hour = 1000});
    row("anthropic, only the split", Anthropic,
        R"({"input_tokens":7,"output_tokens":1,"cache_creation":{"ephemeral_5m_input_tokens":90,
            "ephemeral_1h_input_tokens":10}})",
        {.input = 107, .output = 1, .written = 100, .hour = 10});
    row("anthropic with a total that does not know the cache", Anthropic,
        R"({"input_tokens":700,"cache_read_input_tokens":500,"output_tokens":4,"total_tokens":704})",
        {.input = 1200, .output = 4, .cached = 500});
    row("anthropic's fields in openai's dialect", OpenAi,
        R"({"input_tokens":7,"cache_read_input_tokens":500,"output_tokens":4})",
        {.input = 507, .output = 4, .cached = 500});
    row("relay that counts the cache in", OpenAi,
        R"({"prompt_tokens":507,"completion_tokens":4,"total_tokens":511,"cache_read_input_tokens":500,
            "cache_creation_input_tokens":0,"prompt_tokens_details":{"cached_tokens":500}})",
        {.input = 507, .output = 4, .cached = 500, .written = 0});
    row("relay whose total has the cache beside the prompt", OpenAi,
        R"({"prompt_tokens":700,"completion_tokens":4,"total_tokens":1204,"cache_read_input_tokens":500})",
        {.input = 1200, .output = 4, .cached = 500});
    row("relay that counts only the writes apart", OpenAi,
        R"({"prompt_tokens":1000,"completion_tokens":4,"cache_creation_input_tokens":900,
            "prompt_tokens_details":{"cached_tokens":600}})",
        {.input = 1900, .output = 4, .cached = 600, .written = 900, .odd = true});

    row("gemini", Gemini,
        R"({"promptTokenCount":100,"candidatesTokenCount":50,"totalTokenCount":180,"cachedContentTokenCount":60,
            "thoughtsTokenCount":20,"toolUsePromptTokenCount":10,
            "promptTokensDetails":[{"modality":"TEXT","tokenCount":80},{"modality":"AUDIO","tokenCount":20}],
            "candidatesTokensDetails":[{"modality":"AUDIO","tokenCount":7}]})",
        {.input = 110, .output = 70, .cached = 60, .reasoning = 20, .audioIn = 20, .audioOut = 7});
    row("gemini, only thoughts", Gemini, R"({"promptTokenCount":30,"thoughtsTokenCount":70,"totalTokenCount":100})",
        {.input = 30, .output = 70, .reasoning = 70});
    row("gemini, thoughts already in", Gemini,
        R"({"promptTokenCount":30,"candidatesTokenCount":370,"thoughtsTokenCount":260,"totalTokenCount":400})",
        {.input = 30, .output = 370, .reasoning = 260});
    row("gemini, as much cached as thought", Gemini,
        R"({"promptTokenCount":30,"candidatesTokenCount":5,"thoughtsTokenCount":20,"cachedContentTokenCount":20,
            "totalTokenCount":55})",
        {.input = 30, .output = 25, .cached = 20, .reasoning = 20});
    row("gemini without a total", Gemini,
        R"({"promptTokenCount":30,"candidatesTokenCount":110,"thoughtsTokenCount":260})",
        {.input = 30, .output = 370, .reasoning = 260});
    row("gemini, a count that is none", Gemini, R"({"promptTokenCount":-1,"candidatesTokenCount":5})",
        {.output = 5, .odd = true});
    row("audio above the prompt", OpenAi,
        R"({"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"audio_tokens":11}})",
        {.input = 10, .output = 5, .audioIn = 11, .odd = true});
}

void TestUsage::shapes()
{
    QFETCH(Dialect, dialect);
    QFETCH(QByteArray, json);
    QFETCH(Usage, expected);
    const QJsonObject sent = test::object(json);
    QVERIFY(json == "{}" || !sent.isEmpty());
    const Usage usage = readUsage(dialect, sent);
    QCOMPARE(usage.inputTokens, expected.inputTokens);
    QCOMPARE(usage.outputTokens, expected.outputTokens);
    QVERIFY(usage == expected);
}

void TestUsage::reported_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<std::int64_t>("nanos"); // -1: none
    const auto row = [](const char* json, std::int64_t nanos) { QTest::newRow(json) << QByteArray(json) << nanos; };
    row(R"({"cost":0.00123})", 1'230'000);
    row(R"({"cost":"0.00123"})", 1'230'000);
    row(R"({"cost":0})", 0);
    row(R"({"cost":-1})", -1);
    row(R"({"cost":"n/a"})", -1);
    row(R"({"cost":null})", -1);
    row(R"({"cost":1e300})", -1);
    row(R"({"cost":0.95,"cost_details":{"upstream_inference_cost":19}})", 950'000'000);
    row(R"({"cost":0.95,"is_byok":true,"cost_details":{"upstream_inference_cost":19}})", 19'950'000'000);
    row(R"({"cost_details":{"upstream_inference_cost":"0.5"}})", 500'000'000);
    row(R"({"cost_details":{"upstream_inference_prompt_cost":0.25,"upstream_inference_completions_cost":0.5}})",
        750'000'000);
    row(R"({"cost_in_usd_ticks":37756000})", 3'775'600);                          // xAI
    row(R"({"cost":{"input_tokens_cost":0.001,"total_cost":0.006}})", 6'000'000); // Perplexity
    row(R"({"estimated_cost":2.5e-05})", 25'000);                                 // DeepInfra
}

void TestUsage::reported()
{
    QFETCH(QByteArray, json);
    QFETCH(std::int64_t, nanos);
    const Usage usage = openAi(json);
    QCOMPARE(usage.reportedCost ? usage.reportedCost->count() : -1, nanos);
}

void TestUsage::handedOnByTheReader_data()
{
    QTest::addColumn<QByteArray>("chunk");
    QTest::newRow("usage only") << QByteArray(R"({"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":4}})");
    QTest::newRow("groq") << QByteArray(
        R"({"choices":[],"x_groq":{"id":"r","usage":{"prompt_tokens":12,"completion_tokens":4,"queue_time":0.1}}})");
    QTest::newRow("moonshot") << QByteArray(
        R"({"choices":[{"index":0,"delta":{},"usage":{"prompt_tokens":12,"completion_tokens":4}}]})");
    QTest::newRow("llama.cpp") << QByteArray(R"({"choices":[],"timings":{"prompt_n":12,"predicted_n":4}})");
}

void TestUsage::handedOnByTheReader()
{
    QFETCH(QByteArray, chunk);
    StreamReader reader({});
    QVERIFY(reader.feed("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}],"
                        "\"usage\":null}\n\ndata: " +
                        chunk + "\n\ndata: [DONE]\n\n"));
    const auto answer = reader.finish();
    QVERIFY(answer);
    QVERIFY(answer->usage.inputTokens == 12 && answer->usage.outputTokens == 4);
}

void TestUsage::words_data()
{
    QTest::addColumn<Usage>("usage");
    QTest::addColumn<cost::Price>("price");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* words, const Usage& usage, const cost::Price& price) {
        QTest::newRow(words) << usage << price << QString::fromUtf8(words);
    };
    Usage plain;
    plain.inputTokens = 612;
    plain.outputTokens = 148;
    const cost::Price price{usd(2), usd(8), {}, {}, {}};
    row("612 in × $2.00/M + 148 out × $8.00/M", plain, price);
    row("free: 612 in × $0.00/M + 148 out × $0.00/M", plain, cost::Price{usd(0), usd(0), {}, {}, {}});
    row("no price for this model", plain, cost::Price());
    row("no price for out tokens", plain, cost::Price{usd(2), {}, {}, {}, {}});
    row("no usage", {}, price);
    Usage split = plain;
    split.cachedInputTokens = 112;
    split.reasoningTokens = 148;
    row("500 in × $2.00/M + 112 cached × $0.075/M + 148 reasoning × $8.00/M", split,
        cost::Price{usd(2), usd(8), usd(0.075), {}, {}});
    Usage guess = plain;
    guess.estimated = true;
    row("estimated: 612 in × $2.00/M + 148 out × $8.00/M", guess, price);
    Usage told = guess;
    told.reportedCost = NanoDollars(5);
    row("reported by the provider", told, price);
    cost::Price tiered = price;
    tiered.tiers.push_back({600, {usd(4), {}, {}, {}, {}}});
    row("612 in × $4.00/M + 148 out × $8.00/M (price above 600 input tokens)", plain, tiered);
    Usage none = plain;
    none.inputTokens = none.outputTokens = 0;
    row("0 in × $2.00/M + 0 out × $8.00/M", none, price);
}

void TestUsage::words()
{
    QFETCH(Usage, usage);
    QFETCH(cost::Price, price);
    const UsageCharge charge = chargeOf(usage, price);
    QTEST(inWords(charge), "words");
    QCOMPARE(charge.total.has_value(), charge.basis != CostBasis::Unknown);
}

void TestUsage::noTokenIsCountedTwice_data()
{
    QTest::addColumn<QString>("shape");
    for (const char* shape : {"openai", "responses", "deepseek", "moonshot", "xai", "anthropic", "gemini"})
        QTest::newRow(shape) << QString::fromLatin1(shape);
}

/// One true split of tokens, written as each provider writes it, is read back as it was, and bills each token once.
void TestUsage::noTokenIsCountedTwice()
{
    QFETCH(QString, shape);
    std::mt19937_64 dice(20260101);
    const auto upTo = [&dice](qint64 most) {
        return static_cast<qint64>(dice() % static_cast<std::uint64_t>(most + 1));
    };
    const cost::Price price{usd(3), usd(15), usd(0.3), usd(3.75), usd(20)};
    for (int round = 0; round < 500; ++round) {
        const qint64 fresh = 1 + upTo(5000), cached = upTo(5000), spoken = 1 + upTo(2000), thought = upTo(2000);
        const bool writes = shape == QLatin1String("anthropic");
        const qint64 written = writes ? upTo(5000) : 0;
        const qint64 input = fresh + cached + written, output = spoken + thought;
        QJsonObject sent;
        Dialect dialect = Dialect::OpenAi;
        const QJsonObject cacheDetails{{QStringLiteral("cached_tokens"), cached}};
        const QJsonObject thoughtDetails{{QStringLiteral("reasoning_tokens"), thought}};
        const QString details = QStringLiteral("completion_tokens_details");
        sent = {{QStringLiteral("prompt_tokens"), input},
                {QStringLiteral("completion_tokens"), output},
                {QStringLiteral("total_tokens"), input + output},
                {details, thoughtDetails}};
        if (shape == QLatin1String("openai")) {
            sent[QLatin1String("prompt_tokens_details")] = cacheDetails;
        } else if (shape == QLatin1String("responses")) {
            sent = {{QStringLiteral("input_tokens"), input},
                    {QStringLiteral("output_tokens"), output},
                    {QStringLiteral("total_tokens"), input + output},
                    {QStringLiteral("input_tokens_details"), cacheDetails},
                    {QStringLiteral("output_tokens_details"), thoughtDetails}};
        } else if (shape == QLatin1String("deepseek")) {
            sent[QLatin1String("prompt_cache_hit_tokens")] = cached;
            sent[QLatin1String("prompt_cache_miss_tokens")] = fresh;
        } else if (shape == QLatin1String("moonshot")) {
            sent[QLatin1String("cached_tokens")] = cached;
        } else if (shape == QLatin1String("xai")) {
            sent[QLatin1String("completion_tokens")] = spoken;
            sent[QLatin1String("prompt_tokens_details")] = cacheDetails;
        } else if (shape == QLatin1String("anthropic")) {
            dialect = Dialect::Anthropic;
            sent = {{QStringLiteral("input_tokens"), fresh},
                    {QStringLiteral("output_tokens"), output},
                    {QStringLiteral("cache_read_input_tokens"), cached},
                    {QStringLiteral("cache_creation_input_tokens"), written},
                    {QStringLiteral("output_tokens_details"), thoughtDetails}};
        } else {
            dialect = Dialect::Gemini;
            sent = {{QStringLiteral("promptTokenCount"), input},
                    {QStringLiteral("candidatesTokenCount"), spoken},
                    {QStringLiteral("thoughtsTokenCount"), thought},
                    {QStringLiteral("cachedContentTokenCount"), cached},
                    {QStringLiteral("totalTokenCount"), input + output}};
        }
        const Usage usage = readUsage(dialect, sent);
        QVERIFY2(!usage.inconsistent, QJsonDocument(sent).toJson().constData());
        QCOMPARE(usage.inputTokens.value(), input);
        QCOMPARE(usage.outputTokens.value(), output);
        const std::int64_t parts = fresh * price.input->count() + cached * price.cachedInput->count() +
                                   written * price.cacheWrite->count() + spoken * price.output->count() +
                                   thought * price.reasoning->count();
        QCOMPARE(chargeOf(usage, price).total->count(), (parts + 500'000) / 1'000'000);
    }
}

/// Whatever a server writes: no count and no cost is negative, and what is billed is at least what was said.
void TestUsage::anythingIsReadWithoutHarm()
{
    std::mt19937_64 dice(7);
    const QStringList names{QStringLiteral("prompt_tokens"),
                            QStringLiteral("completion_tokens"),
                            QStringLiteral("total_tokens"),
                            QStringLiteral("input_tokens"),
                            QStringLiteral("output_tokens"),
                            QStringLiteral("cached_tokens"),
                            QStringLiteral("cache_read_input_tokens"),
                            QStringLiteral("cache_creation_input_tokens"),
                            QStringLiteral("reasoning_tokens"),
                            QStringLiteral("promptTokenCount"),
                            QStringLiteral("totalTokenCount"),
                            QStringLiteral("candidatesTokenCount"),
                            QStringLiteral("thoughtsTokenCount"),
                            QStringLiteral("cost"),
                            QStringLiteral("prompt_tokens_details"),
                            QStringLiteral("timings"),
                            QStringLiteral("cost_details")};
    const QJsonArray values{0,
                            1,
                            7,
                            8000,
                            9e15,
                            1e300,
                            -1,
                            -0.5,
                            12.5,
                            true,
                            QStringLiteral("12"),
                            QStringLiteral("x"),
                            QStringLiteral("-3"),
                            QJsonValue(),
                            QJsonArray{1},
                            QJsonObject{{QStringLiteral("cached_tokens"), 9}}};
    const cost::Price price{usd(3), usd(15), usd(0.3), usd(3.75), usd(20)};
    for (int round = 0; round < 20'000; ++round) {
        QJsonObject sent;
        for (int i = 0; i < 5; ++i)
            sent[names[static_cast<qsizetype>(dice() % static_cast<std::uint64_t>(names.size()))]] =
                values[static_cast<qsizetype>(dice() % static_cast<std::uint64_t>(values.size()))];
        for (const Dialect dialect : {Dialect::OpenAi, Dialect::Anthropic, Dialect::Gemini}) {
            const Usage usage = readUsage(dialect, sent);
            const auto fine = [](Count count) { return count.value_or(0) >= 0; };
            QVERIFY2(fine(usage.inputTokens) && fine(usage.outputTokens) && fine(usage.cachedInputTokens) &&
                         fine(usage.reasoningTokens) && fine(usage.cacheWriteTokens),
                     QJsonDocument(sent).toJson().constData());
            // After normalisation every part fits into its whole.
            if (usage.inputTokens)
                QVERIFY2(usage.cachedInputTokens.value_or(0) + usage.cacheWriteTokens.value_or(0) <= *usage.inputTokens,
                         QJsonDocument(sent).toJson().constData());
            if (usage.outputTokens)
                QVERIFY2(usage.reasoningTokens.value_or(0) <= *usage.outputTokens,
                         QJsonDocument(sent).toJson().constData());
            const UsageCharge charge = chargeOf(usage, price);
            QVERIFY(charge.total.value_or(NanoDollars()).count() >= 0);
            QVERIFY(!inWords(charge).isEmpty());
        }
    }
}

QTEST_GUILESS_MAIN(TestUsage)
#include "tst_usage.moc"
