// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/answer_reader.h"
#include "core/provider/json_text.h"
#include "core/provider/openai_writer.h"
#include "tests/support/literals.h"
#include "tests/support/random_answer.h"
#include "tests/support/sample_streams.h"
#include "tests/support/strict_client.h"
#include "tests/support/word.h"

#include <QJsonDocument>
#include <QtTest>

using namespace sg;
using namespace sg::provider;
using namespace sg::test;
using openai::StreamWriter;
using openai::writeWhole;

namespace {
constexpr std::int64_t kCreated = kStrictCreated;
constexpr int kAnswers = 3000;
using Random = policy::SeededRandom;

struct Read
{
    tl::expected<Answer, ErrorFacts> answer;
    std::vector<Delta> deltas;
};

/// Reads the stream in random cuts; with `random` null at once.
Read readStream(const QByteArray& stream, Random* random, Dialect dialect = Dialect::OpenAi)
{
    std::vector<Delta> deltas;
    AnswerContext context;
    context.dialect = dialect;
    StreamReader reader([&deltas](const Delta& delta) { deltas.push_back(delta); }, context);
    for (qsizetype at = 0; at < stream.size();) {
        const qsizetype wanted = random ? 1 + static_cast<qsizetype>(random->next() % 400) : stream.size();
        const qsizetype size = std::min(wanted, stream.size() - at);
        reader.feed(QByteArrayView(stream).sliced(at, size));
        at += size;
    }
    return {reader.finish(), std::move(deltas)};
}

QByteArray written(const Answer& answer, const std::vector<Delta>& deltas, bool includeUsage = true)
{
    StreamWriter writer(answer.id, answer.model, kCreated);
    QByteArray stream;
    for (const Delta& delta : deltas)
        stream += writer.write(delta);
    return stream + writer.finish(answer, includeUsage);
}

/// Streams of a filtered answer without a word end as an error on purpose.
bool hasStreamForm(const Answer& answer)
{
    return !answer.text.isEmpty() || !answer.reasoning.isEmpty() || !answer.toolCalls.isEmpty() ||
           answer.finishReason == "length";
}

bool hasNamelessCall(const Answer& answer)
{
    return std::any_of(answer.toolCalls.begin(), answer.toolCalls.end(),
                       [](const QJsonValue& call) { return call["function"_L1]["name"_L1].toString().isEmpty(); });
}

QJsonDocument json(const char* text)
{
    return QJsonDocument::fromJson(text);
}

QString wellFormed(const QString& text)
{
    return QString::fromUcs4(text.toStdU32String().data());
}
} // namespace

class TestOpenAiWriter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyCharacter();
    void longStrings();
    void numbers();
    void anyValue();
    void wholeReadsBack();
    void wholeHasTheFieldsOfTheApi();
    void filteredWhole();
    void refusalStaysText();
    void streamReadsBack();
    void samplesReadBack_data();
    void samplesReadBack();
    void fieldStreams_data();
    void fieldStreams();
    void writingIsStable();
    void firstChunks();
    void idsThatComeLate();
    void callsBeginInOrder();
    void splitSurrogates();
    void usageOnlyWhenAskedForAndKnown();
    void answersThatWereNotStreamed();
    void emptyDeltasSayNothing();
    void brokenStream();
};

void TestOpenAiWriter::everyCharacter()
{
    for (char32_t point = 0; point <= 0x10FFFF; point += point < 0x3000 || point > 0x10FF00 ? 1 : 7) {
        const bool surrogate = QChar::isSurrogate(point);
        const QString text = surrogate ? QString(QChar(static_cast<char16_t>(point))) : QString::fromUcs4(&point, 1);
        QByteArray json("[");
        appendJsonString(json, text + QLatin1Char('.'));
        const QJsonDocument read = QJsonDocument::fromJson(json + ']');
        const QString expected = (surrogate ? QString(QChar::ReplacementCharacter) : text) + QLatin1Char('.');
        if (read[0].toString() != expected)
            QFAIL(qPrintable(QStringLiteral("U+%1: %2").arg(uint(point), 0, 16).arg(QString::fromUtf8(json))));
        for (const char c : std::as_const(json))
            QVERIFY(static_cast<unsigned char>(c) >= 0x20);
    }
}

void TestOpenAiWriter::longStrings()
{
    // Pairs on both sides of every place where the writer might start anew.
    for (int before = 4090; before < 4100; ++before) {
        const QString text = QString(before, QLatin1Char('a')) + QStringLiteral("😀").repeated(5000) +
                             QString(before, QLatin1Char('\x01')) + QStringLiteral("é").repeated(5000);
        QByteArray json("[");
        appendJsonString(json, text);
        QCOMPARE(QJsonDocument::fromJson(json + ']')[0].toString(), text);
    }
}

void TestOpenAiWriter::numbers()
{
    for (const std::int64_t number : {std::int64_t(0), std::int64_t(-1), std::numeric_limits<std::int64_t>::min(),
                                      std::numeric_limits<std::int64_t>::max()}) {
        QByteArray json;
        appendJsonNumber(json, number);
        QCOMPARE(json, QByteArray::number(qlonglong(number)));
    }
}

/// What QJsonDocument writes, byte by byte, and the same again when it is read.
void TestOpenAiWriter::anyValue()
{
    const QByteArray texts[] = {
        R"({"a":[1,-2,0.5,1e+300,-0.001,9007199254740993,9223372036854775807,-9223372036854775808,true,false,null,"x"]})",
        R"({"":{},"b":[],"c":[[],{}],"ü":"\"\\\n\u001f😀","z":{"y":{"x":[{"w":1.25}]}}})",
        "[]",
        "{}",
    };
    for (const QByteArray& text : texts) {
        const QJsonDocument document = QJsonDocument::fromJson(text);
        QByteArray json;
        appendJson(json, document.isArray() ? QJsonValue(document.array()) : QJsonValue(document.object()));
        QCOMPARE(json, document.toJson(QJsonDocument::Compact));
        QCOMPARE(QJsonDocument::fromJson(json), document);
    }
    QByteArray json;
    appendJson(json, QJsonArray{std::numeric_limits<double>::infinity(), std::nan(""), QJsonValue()});
    QCOMPARE(json, QByteArray("[null,null,null]"));
    json.clear();
    appendJson(json, QJsonValue(QJsonValue::Undefined));
    QCOMPARE(json, QByteArray("null"));
}

void TestOpenAiWriter::wholeReadsBack()
{
    Random random(1);
    int read = 0;
    for (int i = 0; i < kAnswers; ++i) {
        const Answer answer = randomAnswer(random);
        if (answer.finishReason == "content_filter")
            continue;
        const auto back = parseWhole(writeWhole(answer, kCreated));
        QVERIFY2(back, qPrintable(QString::number(i)));
        QCOMPARE(difference(*back, answer), QString());
        ++read;
    }
    QVERIFY(read > kAnswers / 2);
}

void TestOpenAiWriter::wholeHasTheFieldsOfTheApi()
{
    Answer answer;
    answer.toolCalls = {QJsonObject{{"id"_L1, "a"_L1}}};
    answer.finishReason = "tool_calls";
    answer.finishReasonSent = "TOOL";
    answer.model = "m";
    answer.id = "i";
    answer.usage.inputTokens = 10;
    answer.usage.outputTokens = 5;
    answer.usage.cachedInputTokens = 4;
    answer.usage.reasoningTokens = 3;
    answer.usage.cacheWriteTokens = 2;
    answer.usage.cacheWriteHourTokens = 1;
    answer.usage.audioInputTokens = 1;
    answer.usage.audioOutputTokens = 0;
    answer.usage.reportedCost = cost::NanoDollars(1'234'567'890);
    answer.usage.estimated = true;
    const QJsonObject whole = QJsonDocument::fromJson(writeWhole(answer, kCreated)).object();
    const auto expected = json(R"({"id":"i","object":"chat.completion","created":1700000000,"model":"m",
        "choices":[{"index":0,"message":{"role":"assistant","content":null,"refusal":null,"tool_calls":[{"id":"a"}]},
        "logprobs":null,"finish_reason":"tool_calls","native_finish_reason":"TOOL"}],
        "usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,
            "prompt_tokens_details":{"cached_tokens":4,"cache_write_tokens":2,"audio_tokens":1},
            "completion_tokens_details":{"reasoning_tokens":3,"audio_tokens":0},
            "cache_creation":{"ephemeral_1h_input_tokens":1},"cost":1.23456789,"estimated":true}})")
                              .object();
    QCOMPARE(whole, expected);
    const QJsonObject bare = QJsonDocument::fromJson(writeWhole({}, kCreated)).object();
    QVERIFY(!bare.contains("usage"_L1));
    QCOMPARE(bare["choices"_L1][0]["message"_L1]["content"_L1], QJsonValue(QString()));
    QVERIFY(bare["choices"_L1][0]["finish_reason"_L1].isNull());
}

/// Whoever reads it again must see that it was filtered, as the first reader did.
void TestOpenAiWriter::filteredWhole()
{
    Answer answer;
    answer.text = QStringLiteral("Half a");
    answer.finishReason = "content_filter";
    const QByteArray body = writeWhole(answer, kCreated);
    const auto back = parseWhole(body);
    QVERIFY(!back);
    QCOMPARE(word(back.error().disposition.error), word(ErrorClass::ContentFiltered));
    QVERIFY(body.contains("Half a"));
}

void TestOpenAiWriter::refusalStaysText()
{
    const auto refused = parseWhole(R"({"choices":[{"message":{"content":null,"refusal":"I can't."},
                                        "finish_reason":"stop"}]})");
    QVERIFY(refused);
    const auto back = parseWhole(writeWhole(*refused, kCreated));
    QVERIFY(back);
    QCOMPARE(difference(*back, *refused), QString());
    QCOMPARE(back->text, QStringLiteral("I can't."));
}

void TestOpenAiWriter::streamReadsBack()
{
    Random random(2);
    for (int i = 0; i < kAnswers; ++i) {
        const Answer answer = randomAnswer(random);
        const QByteArray stream = written(answer, randomDeltas(answer, random));
        const bool hasUsage = answer.usage != Usage();
        QCOMPARE(strictProblem(stream, hasUsage), QString());
        const Read back = readStream(stream, &random);
        QCOMPARE(back.answer.has_value(), hasStreamForm(answer));
        if (back.answer)
            QCOMPARE(difference(*back.answer, answer), QString());
    }
}

void TestOpenAiWriter::samplesReadBack_data()
{
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<int>("dialect");
    for (const SampleStream& sample : sampleStreams())
        QTest::newRow(sample.name) << sample.bytes << int(sample.dialect);
}

void TestOpenAiWriter::samplesReadBack()
{
    QFETCH(QByteArray, stream);
    QFETCH(int, dialect);
    Random random(3);
    for (int round = 0; round < 20; ++round) {
        const Read first = readStream(stream, round == 0 ? nullptr : &random, static_cast<Dialect>(dialect));
        QVERIFY2(first.answer, first.answer ? "" : first.answer.error().message.c_str());
        const QByteArray relayed = written(*first.answer, first.deltas);
        QCOMPARE(strictProblem(relayed, first.answer->usage != Usage()), QString());
        const Read back = readStream(relayed, round == 0 ? nullptr : &random);
        QVERIFY(back.answer);
        QCOMPARE(difference(*back.answer, *first.answer), QString());
        if (first.answer->finishReason == "content_filter")
            continue;
        const auto whole = parseWhole(writeWhole(*first.answer, kCreated));
        QVERIFY(whole);
        QCOMPARE(difference(*whole, *first.answer), QString());
    }
}

void TestOpenAiWriter::fieldStreams_data()
{
    QTest::addColumn<QByteArray>("stream");
    const QDir cases(QStringLiteral(SWITCHGEAR_TEST_DATA "/field_cases"));
    const QStringList names = cases.entryList({QStringLiteral("*.sse")});
    QVERIFY(names.size() >= 3);
    for (const QString& name : names) {
        QFile file(cases.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QTest::newRow(qPrintable(name)) << file.readAll();
    }
}

/// Whatever a stream holds: a good one stays what it is, and a broken one stays broken with all that was said before.
void TestOpenAiWriter::fieldStreams()
{
    QFETCH(QByteArray, stream);
    const Dialect dialect = stream.contains("message_start") ? Dialect::Anthropic
                            : stream.contains("candidates")  ? Dialect::Gemini
                                                             : Dialect::OpenAi;
    const Read first = readStream(stream, nullptr, dialect);
    if (first.answer) {
        const Read back = readStream(written(*first.answer, first.deltas), nullptr);
        QVERIFY(back.answer);
        QCOMPARE(difference(*back.answer, *first.answer), QString());
        return;
    }
    StreamWriter writer("i", "m", kCreated);
    QByteArray relayed;
    for (const Delta& delta : first.deltas)
        relayed += writer.write(delta);
    relayed += writer.fail("upstream_error", first.answer.error().message);
    QVERIFY(!relayed.contains("[DONE]"));
    const Read back = readStream(relayed, nullptr);
    QVERIFY(!back.answer);
    QCOMPARE(back.deltas.size(), first.deltas.size());
}

/// A second relay behind the first changes nothing more. (It waits longer for a name that never comes.)
void TestOpenAiWriter::writingIsStable()
{
    Random random(4);
    for (int i = 0; i < 500; ++i) {
        const Answer answer = randomAnswer(random);
        if (!hasStreamForm(answer) || answer.finishReason == "content_filter")
            continue;
        const QByteArray whole = writeWhole(answer, kCreated);
        QCOMPARE(writeWhole(*parseWhole(whole), kCreated), whole);
        if (hasNamelessCall(answer))
            continue;
        const QByteArray stream = written(answer, randomDeltas(answer, random));
        const Read back = readStream(stream, nullptr);
        QCOMPARE(written(*back.answer, back.deltas), stream);
    }
}

void TestOpenAiWriter::firstChunks()
{
    StreamWriter writer("i\"d", "m", kCreated);
    const QByteArray head = R"(data: {"id":"i\"d","object":"chat.completion.chunk","created":1700000000,"model":"m",)";
    QCOMPARE(writer.write({QStringLiteral("Hi"), {}, {}}),
             head + "\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"Hi\"},"
                    "\"finish_reason\":null}]}\n\n");
    QCOMPARE(writer.write({QStringLiteral("!"), QStringLiteral("hm"), {}}),
             head + "\"choices\":[{\"index\":0,\"delta\":{\"reasoning_content\":\"hm\",\"content\":\"!\"},"
                    "\"finish_reason\":null}]}\n\n");
    Answer answer;
    answer.finishReason = answer.finishReasonSent = "stop";
    answer.usage.outputTokens = 0;
    QCOMPARE(writer.finish(answer), head + "\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n" +
                                        head +
                                        "\"choices\":[],\"usage\":{\"completion_tokens\":0}}\n\ndata: [DONE]\n\n");
}

void TestOpenAiWriter::idsThatComeLate()
{
    StreamWriter writer("i", "m", kCreated);
    QVERIFY(writer.write({{}, {}, {{0, {}, QStringLiteral("f"), QStringLiteral("{\"a\"")}}}).isEmpty());
    QVERIFY(writer.write({{}, {}, {{0, {}, {}, QStringLiteral(":")}}}).isEmpty());
    const auto text = chunksOf(writer.write({QStringLiteral("meanwhile"), {}, {}}));
    QCOMPARE(text.size(), 1u);
    QCOMPARE(text[0]["choices"_L1][0]["delta"_L1].toObject().keys(), (QStringList{"content"_L1, "role"_L1}));
    const auto call = chunksOf(writer.write({{}, {}, {{0, QStringLiteral("id-1"), {}, QStringLiteral("1}")}}}));
    QCOMPARE(call.size(), 1u);
    const auto expected = json(R"([{"index":0,"id":"id-1","type":"function",
                                          "function":{"name":"f","arguments":"{\"a\":1}"}}])")
                              .array();
    QCOMPARE(call[0]["choices"_L1][0]["delta"_L1]["tool_calls"_L1].toArray(), expected);
}

void TestOpenAiWriter::callsBeginInOrder()
{
    StreamWriter writer("i", "m", kCreated);
    const auto piece = [](int index, const char* id, const char* arguments) {
        return Delta{
            {}, {}, {{index, QString::fromUtf8(id), QString::fromUtf8(*id ? "f" : ""), QString::fromUtf8(arguments)}}};
    };
    QVERIFY(writer.write(piece(0, "", "[")).isEmpty());
    QVERIFY(writer.write(piece(1, "b", "1")).isEmpty());
    QVERIFY(writer.write(piece(1, "", "2")).isEmpty());
    const QByteArray rest = writer.finish({});
    const auto chunks = chunksOf(rest);
    QCOMPARE(chunks.size(), 2u);
    const auto expected = json(R"([{"index":0,"id":"call_0","type":"function","function":{"name":"","arguments":"["}},
                {"index":1,"id":"b","type":"function","function":{"name":"f","arguments":"12"}}])")
                              .array();
    QCOMPARE(chunks[0]["choices"_L1][0]["delta"_L1]["tool_calls"_L1].toArray(), expected);
}

void TestOpenAiWriter::splitSurrogates()
{
    const QString smile = QStringLiteral("😀");
    const QString high = smile.first(1), low = smile.last(1);
    const auto call = [](const QString& arguments) {
        return ToolCallPiece{0, QStringLiteral("i"), QStringLiteral("f"), arguments};
    };
    StreamWriter writer("i", "m", kCreated);
    QByteArray stream = writer.write({high, high, {call(high)}});
    stream += writer.write({low, low, {call(low)}});
    stream += writer.write({low + QLatin1Char('a') + high, {}, {}}); // neither has its other half
    stream += writer.write({{}, {}, {call(high)}});
    Answer answer;
    answer.finishReason = "stop";
    const Read back = readStream(stream + writer.finish(answer), nullptr);
    QVERIFY(back.answer);
    QCOMPARE(back.answer->text, wellFormed(smile + low + QLatin1Char('a') + high));
    QCOMPARE(back.answer->reasoning, smile);
    QCOMPARE(back.answer->toolCalls[0]["function"_L1]["arguments"_L1].toString(), smile + QChar::ReplacementCharacter);
}

void TestOpenAiWriter::usageOnlyWhenAskedForAndKnown()
{
    Answer answer;
    answer.text = QStringLiteral("x");
    answer.finishReason = "stop";
    answer.usage.inputTokens = 3;
    QCOMPARE(strictProblem(written(answer, {{answer.text, {}, {}}}, false), false), QString());
    QCOMPARE(strictProblem(written(answer, {{answer.text, {}, {}}}, true), true), QString());
    answer.usage = {};
    QCOMPARE(strictProblem(written(answer, {{answer.text, {}, {}}}, true), false), QString());
}

void TestOpenAiWriter::answersThatWereNotStreamed()
{
    Random random(5);
    for (int i = 0; i < 300; ++i) {
        const Answer answer = randomAnswer(random);
        const QByteArray stream = written(answer, {});
        QCOMPARE(strictProblem(stream, answer.usage != Usage()), QString());
        const Read back = readStream(stream, nullptr);
        if (hasStreamForm(answer))
            QCOMPARE(difference(back.answer.value(), answer), QString());
    }
}

void TestOpenAiWriter::emptyDeltasSayNothing()
{
    StreamWriter writer("i", "m", kCreated);
    QVERIFY(writer.write({}).isEmpty());
    QVERIFY(chunksOf(writer.write({QStringLiteral("a"), {}, {}}))[0]["choices"_L1][0]["delta"_L1].toObject().contains(
        "role"_L1));
}

void TestOpenAiWriter::brokenStream()
{
    StreamWriter writer("i", "m", kCreated);
    QByteArray stream = writer.write({QStringLiteral("Half"), {}, {}});
    stream += writer.fail("upstream_error", "The connection\nbroke \"here\"");
    QVERIFY(!stream.contains("[DONE]"));
    const auto chunks = chunksOf(stream);
    QCOMPARE(chunks.size(), 2u);
    const auto expected = json(R"({"error":{"message":"The connection\nbroke \"here\"",
        "type":"upstream_error","param":null,"code":null}})")
                              .object();
    QCOMPARE(chunks[1], expected);
    const Read back = readStream(stream, nullptr);
    QVERIFY(!back.answer);
    QCOMPARE(word(back.answer.error().disposition.error), word(ErrorClass::StreamBroken));
}

QTEST_APPLESS_MAIN(TestOpenAiWriter)
#include "tst_openai_writer.moc"
