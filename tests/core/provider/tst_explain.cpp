// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/explain.h"
#include "tests/support/field_cases.h"
#include "tests/support/literals.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>

using namespace sg;
using namespace sg::provider;
using test::operator""_L1;

namespace {

constexpr std::int64_t kNow = 1796000000000;

/// A field by its path, "usage.sent.input_tokens" or "tool_calls.0.name"; * is the whole document.
QJsonValue at(const QJsonObject& document, const QString& path)
{
    if (path == "*"_L1)
        return document;
    QJsonValue value = document;
    const QStringList names = path.split(QLatin1Char('.'));
    for (const QString& name : names) {
        bool isPlace = false;
        const int place = name.toInt(&isPlace);
        value = isPlace ? value.toArray().at(place) : value.toObject().value(name);
    }
    return value;
}

QString shown(const QJsonValue& value)
{
    return QString::fromUtf8(QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact));
}

/// What differs from one expectation of a sample; empty when nothing does. ~: contains, !: does not.
QString difference(const QJsonObject& document, const QString& key, const QJsonValue& wanted)
{
    const qsizetype mark = key.indexOf(QLatin1Char('!'));
    const bool contains = key.endsWith(QLatin1Char('~'));
    const QString path = mark >= 0 ? key.first(mark) : contains ? key.chopped(1) : key;
    const QJsonValue got = at(document, path);
    const bool has = (contains ? got.toString() : shown(got)).contains(wanted.toString());
    const bool fine = mark >= 0 ? !has : contains ? has : got == wanted;
    return fine ? QString() : QStringLiteral("%1: wanted %2, got %3").arg(key, shown(wanted), shown(got));
}

QJsonObject explained(const QByteArray& bytes, const ExplainOptions& options = {})
{
    return toJson(explain(readRecorded(bytes), options));
}

QByteArray field(const char* name)
{
    return test::fieldCaseBytes(QString::fromLatin1(name));
}

ExplainOptions atNow()
{
    ExplainOptions options;
    options.nowUnixMs = kNow;
    return options;
}

const QByteArray kChunk = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"},\"finish_reason\":null}]}"
                          "\n\n";

} // namespace

class TestExplain : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void samples_data()
    {
        QTest::addColumn<QJsonObject>("sample");
        QFile file(QStringLiteral(SWITCHGEAR_TEST_DATA "/explain/samples.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonArray samples = QJsonDocument::fromJson(file.readAll())["samples"_L1].toArray();
        QVERIFY(samples.size() >= 80);
        for (const QJsonValue& sample : samples)
            QTest::newRow(qPrintable(sample["id"_L1].toString())) << sample.toObject();
    }
    void samples()
    {
        QFETCH(QJsonObject, sample);
        const QByteArray raw = sample.value("raw"_L1).toString().toUtf8();
        ExplainOptions options = atNow();
        const QString now = sample.value("options"_L1)["now"_L1].toString();
        if (!now.isEmpty())
            options.nowUnixMs = QDateTime::fromString(now, Qt::ISODate).toMSecsSinceEpoch();
        const QJsonObject whole = explained(raw, options);
        const QJsonObject expect = sample.value("expect"_L1).toObject();
        QVERIFY(!expect.isEmpty());
        QStringList differences;
        for (auto it = expect.begin(); it != expect.end(); ++it)
            differences += difference(whole, it.key(), it.value());
        differences.removeAll(QString());
        QVERIFY2(differences.isEmpty(), qPrintable(differences.join(QLatin1Char('\n'))));

        options.cuts.kind = Cuts::Kind::EveryByte;
        QCOMPARE(explained(raw, options), whole);
        options.cuts.kind = Cuts::Kind::Random;
        for (options.cuts.seed = 0; options.cuts.seed < 8; ++options.cuts.seed)
            QCOMPARE(explained(raw, options), whole);
    }

    void everyFieldIsAlwaysThere()
    {
        const QStringList expected = explained("").keys();
        for (const QByteArray& bytes :
             {kChunk, QByteArray("{}"), QByteArray("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 2\r\n\r\n{}"),
              field("FC-A15.sse"), field("FC-A29.http"), field("FC-D08.sse")}) {
            QVERIFY(!bytes.isEmpty());
            QCOMPARE(explained(bytes, atNow()).keys(), expected);
        }
    }

    void placesInAStream()
    {
        const QByteArray role = "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\"}}]}\n\n";
        const QByteArray more = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"!\"}}]}\n\n";
        const QByteArray end = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
        const QByteArray ping = ": ping\n\n";
        const QByteArray body = ping + role + kChunk + more + end + "data: [DONE]\n\n";
        const StreamFacts facts = explain(readRecorded("HTTP/1.1 200 OK\r\n\r\n" + body)).stream;
        const qint64 first = ping.size() + role.size();
        QCOMPARE(facts.firstEvent.value_or(-1), first);
        QCOMPARE(facts.firstToken.value_or(-1), first + kChunk.size());
        QCOMPARE(facts.commit.value_or(-1), first + kChunk.size());
        QCOMPARE(facts.lastToken.value_or(-1), first + kChunk.size() + more.size());
        QCOMPARE(facts.terminal.value_or(-1), first + kChunk.size() + more.size() + end.size());
        QCOMPARE(facts.bytes, qint64(body.size()));
        QCOMPARE(facts.events, qint64(5));
        QCOMPARE(facts.comments, qint64(1));
    }

    void toolCallIsTheCommitPointButNoToken()
    {
        const QByteArray call = "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\","
                                "\"function\":{\"name\":\"f\",\"arguments\":\"\"}}]}}]}\n\n";
        const StreamFacts facts = explain(readRecorded(call)).stream;
        QCOMPARE(facts.commit.value_or(-1), qint64(call.size()));
        QVERIFY(!facts.firstToken);
    }

    void dialectIsGivenOrFound()
    {
        ExplainOptions options;
        QVERIFY(!setDialect(options, QStringLiteral("nonsense")));
        QVERIFY(setDialect(options, QStringLiteral("Groq")));
        QVERIFY(options.dialect == Dialect::OpenAi);
        const QJsonObject given = explained(kChunk, options);
        QCOMPARE(given["dialect_source"_L1].toString(), QStringLiteral("given"));
        QCOMPARE(given["provider"_L1].toString(), QStringLiteral("groq"));

        QVERIFY(setDialect(options, QStringLiteral("anthropic")));
        const QJsonObject wrong = explained(kChunk, options);
        QCOMPARE(wrong["status"_L1].toString(), QStringLiteral("truncated"));
        QVERIFY(shown(wrong["warnings"_L1]).contains("looks like openai's"_L1));
        for (const QString& name : dialectNames())
            QVERIFY(setDialect(options, name));
    }

    void aGatewayOfManyIsNamedByItsHeaders()
    {
        // The body decides how it is read, the head who sent it.
        const QJsonObject found = explained("HTTP/1.1 200 OK\r\nx-ms-region: East US\r\n\r\n{\"type\":\"message\","
                                            "\"content\":[{\"type\":\"text\",\"text\":\"Hi\"}],"
                                            "\"stop_reason\":\"end_turn\"}");
        QCOMPARE(found["dialect"_L1].toString(), QStringLiteral("anthropic"));
        QCOMPARE(found["provider"_L1].toString(), QStringLiteral("azure"));
        QCOMPARE(found["text"_L1].toString(), QStringLiteral("Hi"));
    }

    void costHasItsBasis()
    {
        const QByteArray answer =
            "{\"model\":\"m-1\",\"choices\":[{\"message\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}],"
            "\"usage\":{\"prompt_tokens\":1000,\"completion_tokens\":100,\"total_tokens\":1100}}";
        ExplainOptions options;
        QCOMPARE(at(explained(answer, options), QStringLiteral("cost.basis")).toString(), QStringLiteral("unknown"));
        const auto book = cost::PriceBook::load(
            "{\"format\":\"switchgear-prices/1\",\"currency\":\"USD\",\"unit\":\"per_1m_tokens\",\"source\":\"a "
            "list\",\"entries\":["
            "{\"model\":\"m-1\",\"input\":2,\"output\":10},{\"model\":\"other\",\"input\":1,\"output\":1}]}");
        options.prices = &book.book;
        const QJsonObject priced = explained(answer, options);
        QCOMPARE(at(priced, QStringLiteral("cost.usd")).toDouble(), 0.003);
        QCOMPARE(at(priced, QStringLiteral("cost.basis")).toString(), QStringLiteral("price_book"));
        QCOMPARE(at(priced, QStringLiteral("cost.source")).toString(), QStringLiteral("a list"));
        options.model = "other";
        QCOMPARE(at(explained(answer, options), QStringLiteral("cost.usd")).toDouble(), 0.0011);
        options.model = "nobody's";
        const QJsonObject unknown = explained(answer, options);
        QVERIFY(at(unknown, QStringLiteral("cost.usd")).isNull());
        QVERIFY(at(unknown, QStringLiteral("cost.words")).toString().contains("no entry"_L1));
    }

    void unknownUsageIsNotZero()
    {
        const QJsonObject usage =
            explained("{\"choices\":[{\"message\":{\"content\":\"Hi\"}}]}")["usage"_L1].toObject();
        QVERIFY(usage["sent"_L1].isNull());
        for (const auto* name : {"input_tokens", "output_tokens", "total_tokens", "reported_cost_usd"})
            QVERIFY(usage["normalised"_L1][QLatin1String(name)].isNull());
    }

    void ownBackoffHoldsAmazonsWait()
    {
        ExplainOptions options = atNow();
        const QByteArray answer = "HTTP/1.1 429 Too Many Requests\r\nx-amz-retry-after: 100\r\n\r\n{}";
        QCOMPARE(explained(answer, options)["wait_ms"_L1].toInt(), 100);
        options.ownBackoff = Millis(2000);
        QCOMPARE(explained(answer, options)["wait_ms"_L1].toInt(), 2000);
    }

    void longWaitIsAFailover()
    {
        ExplainOptions options = atNow();
        const QByteArray answer = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 30\r\n\r\n{}";
        QCOMPARE(explained(answer, options)["wait_action"_L1].toString(), QStringLiteral("wait"));
        options.maxServerWait = Millis(29999);
        const QJsonObject parked = explained(answer, options);
        QCOMPARE(parked["wait_action"_L1].toString(), QStringLiteral("failover"));
        QVERIFY(at(parked, QStringLiteral("quota.group")).toString().contains("rests for 30 s"_L1));
    }

    void aDateHeaderStandsForTheClock()
    {
        const QByteArray answer = "HTTP/1.1 429 Too Many Requests\r\nDate: Mon, 30 Nov 2026 12:00:00 GMT\r\n"
                                  "Retry-After: Mon, 30 Nov 2026 12:00:07 GMT\r\n\r\n{}";
        QCOMPARE(explained(answer)["wait_ms"_L1].toInt(), 7000);
        QCOMPARE(explained(answer, atNow())["wait_ms"_L1].toInt(), 7000);
    }

    void aPastDateIsNoWaitButSaid()
    {
        const QByteArray answer =
            "HTTP/1.1 429 Too Many Requests\r\nRetry-After: Sun, 29 Nov 2020 12:00:07 GMT\r\n\r\n{}";
        const QJsonObject late = explained(answer, atNow());
        QVERIFY(late["wait_ms"_L1].isNull());
        QVERIFY(late["warnings"_L1].toArray().first().toString().contains("--now"_L1));
        QVERIFY(late["next"_L1].toString().contains("own backoff"_L1));
    }

    void onlyTheLastOfSeveralAnswersIsExplained()
    {
        const QByteArray two = "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 2\r\n\r\n{}"
                               "HTTP/1.1 200 OK\r\n\r\n{\"choices\":[{\"message\":{\"content\":\"Hi\"}}]}";
        const QJsonObject last = explained(two);
        QCOMPARE(last["text"_L1].toString(), QStringLiteral("Hi"));
        QVERIFY(last["warnings"_L1].toArray().first().toString().contains("only the last"_L1));
    }

    void aCutAnswerIsPricedByWhatItSaid()
    {
        const QByteArray start =
            "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"model\":\"m\",\"usage\":"
            "{\"input_tokens\":1000000,\"output_tokens\":1}}}\n\nevent: content_block_delta\ndata: {\"type\":"
            "\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"0123456789abcdef\"}}"
            "\n\n";
        ExplainOptions options = atNow();
        const auto book = cost::PriceBook::load(R"({"format":"switchgear-prices/1","source":"s",
            "entries":[{"model":"m","input":1,"output":1000000}]})");
        options.prices = &book.book;
        const QJsonObject cut = explained(start, options);
        QCOMPARE(at(cut, QStringLiteral("cost.basis")).toString(), QStringLiteral("estimated"));
        QCOMPARE(at(cut, QStringLiteral("cost.usd")).toDouble(), 5.0);                  // 4 tokens were said, not 1
        QCOMPARE(at(cut, QStringLiteral("usage.normalised.output_tokens")).toInt(), 1); // as sent
    }

    void errorAfterTextKeepsItsCause()
    {
        const QJsonObject broken = explained(field("FC-A15.sse"), atNow());
        QCOMPARE(broken["error_class"_L1].toString(), QStringLiteral("stream_broken"));
        QCOMPARE(at(broken, QStringLiteral("error.cause_class")).toString(), QStringLiteral("overloaded"));
        QCOMPARE(broken["text"_L1].toString(), QStringLiteral("Part"));
    }

    void numbersInCodesKeepTheirType()
    {
        QVERIFY(explained(field("FC-A12.http"))["provider_code"_L1] == QJsonValue(429));
        QVERIFY(explained(field("FC-A13.sse"))["provider_code"_L1] == QJsonValue(502));
    }

    void pageBecomesOneLine()
    {
        const QJsonObject page = explained(field("FC-A29.http"), atNow());
        QCOMPARE(page["message"_L1].toString(),
                 QStringLiteral("HTTP 524 from edge (cloudflare): A timeout occurred, ray 0123456789abcdef"));
        QCOMPARE(page["ray_id"_L1].toString(), QStringLiteral("0123456789abcdef-AMS"));
        const QByteArray giant = "HTTP/1.1 502 Bad Gateway\r\nServer: " + QByteArray(5000, 's') +
                                 "\r\n\r\n<html><title>" + QByteArray(100000, 't') + "</title></html>";
        QVERIFY(explained(giant)["message"_L1].toString().size() <= 200);
    }

    void secretsInArgumentsAndText()
    {
        const QByteArray answer = "{\"choices\":[{\"message\":{\"content\":\"Use "
                                  "sk-test-0001-abcdef\",\"tool_calls\":[{\"id\":\"a\",\"function\":"
                                  "{\"name\":\"f\",\"arguments\":\"{\\\"api_key\\\":\\\"0123456789abcdef\\\","
                                  "\\\"city\\\":\\\"Rome\\\"}\"}}]},"
                                  "\"finish_reason\":\"stop\"}],\"model\":\"m\"}";
        const QString all = shown(explained(answer));
        QVERIFY2(!all.contains("test-0001"_L1) && !all.contains("0123456789"_L1), qPrintable(all));
        QVERIFY(all.contains("Rome"_L1));
    }

    void rubbishIsExplained_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("zeros") << QByteArray(1000, '\0');
        QTest::newRow("open brackets") << QByteArray(100000, '[');
        QTest::newRow("open objects") << QByteArray("{\"a\":").repeated(20000);
        QTest::newRow("quotes") << QByteArray("\"").repeated(10001);
        QTest::newRow("number") << QByteArray("12");
        QTest::newRow("null") << QByteArray("null");
        QTest::newRow("empty list") << QByteArray("[]");
        QTest::newRow("empty object") << QByteArray("{}");
        QTest::newRow("choices of nothing") << QByteArray("{\"choices\":[]}");
        QTest::newRow("wrong types") << QByteArray(
            "{\"choices\":{\"0\":1},\"usage\":\"x\",\"error\":false,\"model\":[]}");
        QTest::newRow("events of nothing") << QByteArray("data:\n\ndata: null\n\n");
        QTest::newRow("bad UTF-8") << QByteArray("{\"error\":\"\xC3\x28\xFF\"}");
    }
    void rubbishIsExplained()
    {
        QFETCH(QByteArray, bytes);
        const QJsonObject out = explained(bytes, atNow());
        QVERIFY(out["status"_L1].toString() != "complete"_L1);
        QVERIFY(!out["message"_L1].toString().isEmpty());
        QVERIFY(out["message"_L1].toString().size() <= 300);
    }
};

QTEST_APPLESS_MAIN(TestExplain)
#include "tst_explain.moc"
