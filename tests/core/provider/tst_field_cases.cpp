// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs met in the field (tests/data/field_cases): what index.json expects of each, whatever the cuts. Every id of the
// index is run here, or by a named test elsewhere, or belongs to a part that does not exist yet and is named as such.
#include "core/policy/random.h"
#include "core/provider/explain.h"
#include "core/provider/mask.h"
#include "core/provider/openai_writer.h"
#include "core/provider/recorded_answer.h"
#include "tests/support/field_cases.h"

#include <QtTest>

#include <cmath>

using namespace sg;
using namespace sg::provider;
using test::fieldCase;
using test::fieldCaseBytes;

namespace {

QJsonArray allCases()
{
    return fieldCase(QStringLiteral("index.json"))[QLatin1String("cases")].toArray();
}

QJsonObject caseOf(const QString& id)
{
    for (const QJsonValue& one : allCases())
        if (one[QLatin1String("id")] == id)
            return one.toObject();
    return {};
}

/// The index's words for a class, and the vectors' vocabulary, which is the product's.
struct ClassWord
{
    const char* theirs;
    QStringList ours;
};
const std::vector<ClassWord> kClassWords{
    {"rate_limit", {QStringLiteral("rate_limited")}},
    {"upstream_timeout", {QStringLiteral("timeout")}},
    {"empty_response", {QStringLiteral("bad_response")}}, // nothing in it that could be an answer
    {"context_length", {QStringLiteral("context_too_long")}},
    {"auth", {QStringLiteral("authentication")}},
    {"invalid_request", {QStringLiteral("bad_request")}},
    {"model_not_found", {QStringLiteral("not_found")}},
    {"content_filter", {QStringLiteral("content_filtered")}},
    {"quota_daily", {QStringLiteral("quota_exhausted")}}, // used up until tomorrow is used up
    {"billing", {QStringLiteral("quota_exhausted")}},     // no wait brings it back
    {"overloaded", {QStringLiteral("overloaded")}},
    // A 413 counts bytes, a 429 that can never pass counts tokens: the first goes on to whoever takes more bytes, the
    // second to a larger window. Neither is retried or counted.
    {"request_too_large", {QStringLiteral("payload_too_large"), QStringLiteral("context_too_long")}},
    {"account_restricted", {QStringLiteral("permission")}}, // the key may not do it; another may
};

/// Who tests a case that is not run here: the file, and words that stand in it.
struct Elsewhere
{
    QStringList ids;
    const char* file;
    const char* words;
};
const std::vector<Elsewhere> kElsewhere{
    {{QStringLiteral("FC-D01"), QStringLiteral("FC-D02"), QStringLiteral("FC-D03"), QStringLiteral("FC-D05"),
      QStringLiteral("FC-D06"), QStringLiteral("FC-D10"), QStringLiteral("FC-D11"), QStringLiteral("FC-D13"),
      QStringLiteral("FC-D14")},
     "core/provider/tst_usage_field_cases.cpp",
     ""},
    {{QStringLiteral("FC-C01"), QStringLiteral("FC-C02"), QStringLiteral("FC-C03"), QStringLiteral("FC-C05"),
      QStringLiteral("FC-C07"), QStringLiteral("FC-C09")},
     "core/policy/tst_wait_hint_field_cases.cpp",
     ""},
    {{QStringLiteral("FC-E01"), QStringLiteral("FC-E08")}, "core/workspace/tst_workspace_providers.cpp", ""},
    {{QStringLiteral("FC-E02"), QStringLiteral("FC-E06")}, "core/provider/tst_request_writer.cpp", ""},
    {{QStringLiteral("FC-E04")}, "core/secrets/tst_secrets.cpp", ""},
    {{QStringLiteral("FC-E10")}, "core/workspace/tst_workspace_field_cases.cpp", ""},
    {{QStringLiteral("FC-E11")}, "core/http/tst_connection_profile.cpp", ""},
    {{QStringLiteral("FC-E12")}, "core/http/tst_proxy_field_cases.cpp", ""},
    {{QStringLiteral("FC-E14")}, "core/workspace/tst_workspace_field_cases.cpp", ""},
    {{QStringLiteral("FC-F01"), QStringLiteral("FC-F02"), QStringLiteral("FC-F04"), QStringLiteral("FC-F06"),
      QStringLiteral("FC-F07"), QStringLiteral("FC-F09"), QStringLiteral("FC-F10")},
     "core/chain/tst_chain_field_cases.cpp",
     ""},
    // Here on the wire; a client of the gateway's that leaves is the gateway's part.
    {{QStringLiteral("FC-F11")}, "core/engine/tst_engine.cpp", "cancellingEndsTheUpstream"},
    // HTTP/2 is off, so there is no GOAWAY and no dead stream: what is left of the case is a kept connection that
    // breaks (never sent twice, outcome unknown, one retry at most) and that every reply has an idle limit.
    {{QStringLiteral("FC-F13")}, "support/transport_contract.cpp", "OutcomeUnknown"},
    {{QStringLiteral("FC-D17"), QStringLiteral("FC-G02"), QStringLiteral("FC-G06"), QStringLiteral("FC-G10"),
      QStringLiteral("FC-G14"), QStringLiteral("FC-G15")},
     "ui/tst_ui_field_cases.cpp",
     ""},
    {{QStringLiteral("FC-G01")}, "ui/tst_live_hour.cpp", ""},
    {{QStringLiteral("FC-G03")}, "core/cost/tst_spend_days.cpp", ""},
    {{QStringLiteral("FC-G12")}, "app/tst_desktop_scaling.cpp", ""},
    {{QStringLiteral("FC-H01"), QStringLiteral("FC-H02"), QStringLiteral("FC-H03"), QStringLiteral("FC-H05"),
      QStringLiteral("FC-H08")},
     "core/load/tst_load_field_cases.cpp",
     ""},
    {{QStringLiteral("FC-I01"), QStringLiteral("FC-I02")}, "core/secrets/tst_keychain.cpp", "withALockedKeychain"},
    {{QStringLiteral("FC-I03")}, "core/secrets/tst_secrets.cpp", "badKeys"},
};

/// Not here and not elsewhere, each with its reason.
struct Later
{
    QStringList ids;
    const char* why;
};
const std::vector<Later> kLater{
    {{QStringLiteral("FC-G07"), QStringLiteral("FC-G09")}, "what a table on the screen is copied as"},
    {{QStringLiteral("FC-I05"), QStringLiteral("FC-I06")}, "Windows and macOS: the product is built on Linux"},
};

QByteArray recorded(const QString& file)
{
    if (!file.endsWith(QLatin1String(".json")))
        return fieldCaseBytes(file);
    const QJsonObject recipe = fieldCase(file)[QLatin1String("recipe")].toObject();
    if (recipe.isEmpty())
        return fieldCaseBytes(file);
    return recipe[QLatin1String("prefix")].toString().toUtf8() +
           recipe[QLatin1String("repeat")].toString().toUtf8().repeated(recipe[QLatin1String("count")].toInt()) +
           recipe[QLatin1String("suffix")].toString().toUtf8();
}

QJsonObject explained(const QByteArray& bytes, Cuts cuts = {})
{
    ExplainOptions options;
    options.nowUnixMs = 1'767'225'600'000;
    options.cuts = cuts;
    return toJson(explain(readRecorded(bytes), options));
}

/// What a reader made of a stream fed in two or more pieces.
QByteArray readInPieces(const AnswerContext& context, const std::vector<QByteArray>& pieces)
{
    QString told;
    StreamReader reader([&told](const Delta& delta) { told += delta.text + delta.reasoning; }, context);
    for (const QByteArray& piece : pieces)
        reader.feed(piece);
    const auto result = reader.finish();
    const Answer answer = result ? *result : reader.partial();
    return (result ? QByteArray("complete") : QByteArray::fromStdString(result.error().message)) + '|' +
           answer.text.toUtf8() + '|' + answer.reasoning.toUtf8() + '|' +
           QJsonDocument(answer.toolCalls).toJson(QJsonDocument::Compact) + '|' +
           QByteArray::fromStdString(answer.finishReason) + '|' +
           QJsonDocument(answer.usageSent).toJson(QJsonDocument::Compact) + '|' + told.toUtf8() + '|' +
           answer.warnings.join(QLatin1Char(';')).toUtf8();
}

std::vector<QByteArray> randomPieces(const QByteArray& bytes, policy::SeededRandom& random)
{
    std::vector<QByteArray> pieces;
    for (qsizetype at = 0; at < bytes.size();) {
        const qsizetype length = 1 + static_cast<qsizetype>(random.next() % 60);
        pieces.push_back(bytes.mid(at, length));
        at += length;
    }
    return pieces;
}

bool contains(const QStringList& words, const QJsonValue& word)
{
    return words.contains(word.toString());
}

/// Compares one expected field with the explanation; an empty text: it is so.
class Comparison
{
public:
    Comparison(const QJsonObject& got, const QByteArray& bytes)
        : got_(got)
        , bytes_(bytes)
    {
    }

    QString check(const QString& field, const QJsonValue& wanted) const
    {
        const auto known = kFields().find(field);
        if (known == kFields().end())
            return QStringLiteral("nobody compares the field \"%1\"").arg(field);
        if ((this->*known->second)(wanted))
            return {};
        return QStringLiteral("%1: %2 is expected, but: %3")
            .arg(field, QString::fromUtf8(QJsonDocument(QJsonArray{wanted}).toJson(QJsonDocument::Compact)),
                 QString::fromUtf8(QJsonDocument(got_).toJson(QJsonDocument::Compact)).left(3000));
    }

private:
    using Test = bool (Comparison::*)(const QJsonValue&) const;
    static const std::map<QString, Test>& kFields()
    {
        static const std::map<QString, Test> fields{
            {QStringLiteral("status"), &Comparison::status},
            {QStringLiteral("text"), &Comparison::text},
            {QStringLiteral("text_length"), &Comparison::textLength},
            {QStringLiteral("reasoning"), &Comparison::reasoning},
            {QStringLiteral("finish_reason"), &Comparison::finishReason},
            {QStringLiteral("tool_calls"), &Comparison::toolCalls},
            {QStringLiteral("usage"), &Comparison::usage},
            {QStringLiteral("parse_warnings"), &Comparison::warnings},
            {QStringLiteral("warnings_min"), &Comparison::warningsAtLeast},
            {QStringLiteral("class"), &Comparison::errorClass},
            {QStringLiteral("http_status"), &Comparison::httpStatus},
            {QStringLiteral("provider_code"), &Comparison::providerCode},
            {QStringLiteral("error_type"), &Comparison::providerCode},
            {QStringLiteral("message"), &Comparison::message},
            {QStringLiteral("message_contains"), &Comparison::messageContains},
            {QStringLiteral("message_max_len"), &Comparison::messageLength},
            {QStringLiteral("ray_id"), &Comparison::rayId},
            {QStringLiteral("retryable"), &Comparison::retryable},
            {QStringLiteral("auto_replay"), &Comparison::replayed},
            {QStringLiteral("fallback_allowed"), &Comparison::fallbackAllowed},
            {QStringLiteral("counts_for_breaker"), &Comparison::countsForBreaker},
            {QStringLiteral("partial"), &Comparison::partial},
            {QStringLiteral("filtered"), &Comparison::filtered},
            {QStringLiteral("wait_s_min"), &Comparison::waitsAtLeast},
            {QStringLiteral("wait_s_max"), &Comparison::waitsAtMost},
            {QStringLiteral("must_not_contain"), &Comparison::holdsNot},
            {QStringLiteral("relay_must_not_contain"), &Comparison::relayHoldsNot},
            {QStringLiteral("cut_offsets"), &Comparison::cutsAt},
            {QStringLiteral("chunking"), &Comparison::cutsBetweenCrAndLf},
            {QStringLiteral("server_behaviour"), &Comparison::endIsSaidInTheStream},
            {QStringLiteral("max_extra_latency_ms"), &Comparison::endIsSaidInTheStream},
            {QStringLiteral("downstream_content_type"), &Comparison::isOneJsonDownstream},
        };
        return fields;
    }

    QJsonValue at(const char* name) const { return got_[QLatin1String(name)]; }
    QString said() const { return at("message").toString(); }

    bool status(const QJsonValue& w) const { return at("status") == w; }
    bool text(const QJsonValue& w) const { return at("text").toString() == w.toString(); }
    bool textLength(const QJsonValue& w) const { return at("text").toString().size() == w.toInteger(); }
    bool reasoning(const QJsonValue& w) const { return at("reasoning") == w; }
    bool finishReason(const QJsonValue& w) const { return at("finish_reason") == w; }
    bool toolCalls(const QJsonValue& w) const
    {
        const QJsonArray calls = at("tool_calls").toArray();
        if (calls.size() != w.toArray().size())
            return false;
        for (qsizetype i = 0; i < calls.size(); ++i) {
            const QJsonObject call = calls[i].toObject();
            QJsonObject wanted = w[i].toObject();
            if (wanted.take(QStringLiteral("id_nonempty")).toBool() && call[QLatin1String("id")].toString().isEmpty())
                return false;
            for (auto field = wanted.constBegin(); field != wanted.constEnd(); ++field)
                if (call[field.key()] != field.value())
                    return false;
        }
        return true;
    }
    bool usage(const QJsonValue& w) const
    {
        const QJsonObject sent = at("usage")[QLatin1String("sent")].toObject(), wanted = w.toObject();
        for (auto field = wanted.constBegin(); field != wanted.constEnd(); ++field)
            if (sent[field.key()] != field.value())
                return false;
        return !wanted.isEmpty();
    }
    bool warnings(const QJsonValue& w) const { return at("warnings").toArray().size() == w.toInteger(); }
    bool warningsAtLeast(const QJsonValue& w) const { return at("warnings").toArray().size() >= w.toInteger(); }
    bool errorClass(const QJsonValue& w) const
    {
        for (const ClassWord& word : kClassWords)
            if (w == QLatin1String(word.theirs))
                return contains(word.ours, at("error_class"));
        return false;
    }
    bool httpStatus(const QJsonValue& w) const { return at("http_status") == w; }
    bool providerCode(const QJsonValue& w) const { return at("provider_code") == w; }
    bool message(const QJsonValue& w) const { return said() == w.toString(); }
    bool messageContains(const QJsonValue& w) const { return said().contains(w.toString()); }
    bool messageLength(const QJsonValue& w) const { return !said().isEmpty() && said().size() <= w.toInteger(); }
    bool rayId(const QJsonValue& w) const { return at("ray_id") == w; }
    bool retryable(const QJsonValue& w) const { return (at("retry") != QLatin1String("no")) == w.toBool(); }
    bool replayed(const QJsonValue& w) const
    {
        return (at("retry") != QLatin1String("no") || at("fallback") != QLatin1String("none")) == w.toBool();
    }
    bool fallbackAllowed(const QJsonValue& w) const
    {
        return (at("fallback") != QLatin1String("none") && at("fallback") != QLatin1String("stop")) == w.toBool();
    }
    bool countsForBreaker(const QJsonValue& w) const
    {
        return (at("breaker") == QLatin1String("failure")) == w.toBool();
    }
    bool partial(const QJsonValue& w) const { return at("partial") == w; }
    bool filtered(const QJsonValue& w) const { return at("filtered") == w; }
    bool waitsAtLeast(const QJsonValue& w) const { return at("wait_ms").toDouble() >= w.toDouble() * 1000; }
    bool waitsAtMost(const QJsonValue& w) const
    {
        return at("wait_ms").isDouble() && at("wait_ms").toDouble() <= w.toDouble() * 1000;
    }
    bool holdsNot(const QJsonValue& w) const
    {
        return !QString::fromUtf8(QJsonDocument(got_).toJson()).contains(w.toString());
    }
    bool relayHoldsNot(const QJsonValue& w) const
    {
        QByteArray relayed;
        openai::StreamWriter writer("id", "m", 0);
        StreamReader reader([&](const Delta& delta) { relayed += writer.write(delta); });
        reader.feed(bytes_);
        const auto answer = reader.finish();
        relayed += answer ? writer.finish(*answer) : QByteArray();
        return answer && relayed.contains("[DONE]") && !relayed.contains(w.toString().toUtf8());
    }
    bool sameInPieces(const std::vector<QByteArray>& pieces) const
    {
        return readInPieces({}, pieces) == readInPieces({}, {bytes_});
    }
    bool cutsAt(const QJsonValue& w) const
    {
        std::vector<QByteArray> all;
        qsizetype from = 0;
        for (const QJsonValue& cut : w.toArray()) {
            const qsizetype to = cut.toInteger();
            if (!sameInPieces({bytes_.left(to), bytes_.mid(to)}))
                return false;
            all.push_back(bytes_.mid(from, to - from));
            from = to;
        }
        all.push_back(bytes_.mid(from));
        return all.size() > 2 && sameInPieces(all);
    }
    bool cutsBetweenCrAndLf(const QJsonValue&) const
    {
        std::vector<QByteArray> pieces;
        qsizetype from = 0;
        for (qsizetype cr = bytes_.indexOf('\r'); cr >= 0; cr = bytes_.indexOf('\r', cr + 1)) {
            pieces.push_back(bytes_.mid(from, cr + 1 - from));
            from = cr + 1;
        }
        pieces.push_back(bytes_.mid(from));
        return pieces.size() > 4 && sameInPieces(pieces);
    }
    /// The engine ends such an exchange: aServerThatDoesNotCloseAfterDoneHoldsNobody in tst_engine.cpp.
    bool endIsSaidInTheStream(const QJsonValue&) const { return at("done_seen").toBool(); }
    bool isOneJsonDownstream(const QJsonValue&) const
    {
        const auto answer = parseWhole(readRecorded(bytes_).body);
        if (!answer || answer->warnings.isEmpty())
            return false;
        const QJsonDocument written = QJsonDocument::fromJson(openai::writeWhole(*answer, 0));
        return written[QLatin1String("choices")][0][QLatin1String("message")][QLatin1String("content")] == at("text");
    }

    QJsonObject got_;
    QByteArray bytes_;
};

/// Where index.json's outcome is a judgement or cannot be ours, and why.
struct Differs
{
    const char* id;
    const char* field;
    QJsonValue ours;
    const char* part = ""; ///< of a case with several files
};
const std::vector<Differs> kDiffers{
    // An answer that says nothing has a word of its own; for retry, breaker and statistics it is an error like others.
    {"FC-A28", "status", QStringLiteral("empty"), "b"},
};

QJsonObject expectedOf(const QJsonObject& one, const QString& part)
{
    QJsonObject expected = one[QLatin1String("expected")].toObject();
    if (!part.isEmpty())
        expected = expected[part].toObject();
    for (const Differs& differs : kDiffers)
        if (one[QLatin1String("id")] == QLatin1String(differs.id) && part == QLatin1String(differs.part))
            expected.insert(QLatin1String(differs.field), differs.ours);
    return expected;
}

bool isRecording(const QJsonObject& one)
{
    static const QStringList kinds{QStringLiteral("stream"), QStringLiteral("body"), QStringLiteral("error")};
    const QString id = one[QLatin1String("id")].toString();
    return id == QLatin1String("FC-D08") ||
           (kinds.contains(one[QLatin1String("kind")].toString()) && id != QLatin1String("FC-A34"));
}
} // namespace

class TestFieldCases : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyCaseHasItsPlace();
    void recordings_data();
    void recordings();
    void halfACharacterIsRelayedAsItCame();
    void secretsInWords();
    void whatFuzzersFound();
};

void TestFieldCases::everyCaseHasItsPlace()
{
    QMap<QString, QString> places;
    const auto place = [&places](const QString& id, const QString& where) {
        QVERIFY2(!places.contains(id), qPrintable(id + QStringLiteral(" has two places")));
        places.insert(id, where);
    };
    for (const QJsonValue& one : allCases())
        if (isRecording(one.toObject()))
            place(one[QLatin1String("id")].toString(), QStringLiteral("here"));
    for (const char* id : {"FC-A34", "FC-F14"})
        place(QLatin1String(id), QStringLiteral("here"));
    for (const Elsewhere& other : kElsewhere) {
        QFile source(QStringLiteral(SWITCHGEAR_TEST_DATA "/../") + QLatin1String(other.file));
        QVERIFY2(source.open(QIODevice::ReadOnly), other.file);
        const QByteArray text = source.readAll();
        for (const QString& id : other.ids) {
            // A test that was renamed or deleted proves nothing any more.
            const QByteArray words = *other.words ? QByteArray(other.words) : id.toUtf8();
            QVERIFY2(text.contains(words), qPrintable(id + QStringLiteral(" is not in ") + QLatin1String(other.file)));
            place(id, QLatin1String(other.file));
        }
    }
    for (const Later& later : kLater)
        for (const QString& id : later.ids)
            place(id, QLatin1String(later.why));
    const QJsonArray cases = allCases();
    QCOMPARE(cases.size(), 88);
    for (const QJsonValue& one : cases)
        QVERIFY2(places.contains(one[QLatin1String("id")].toString()), qPrintable(one[QLatin1String("id")].toString()));
    QCOMPARE(places.size(), cases.size());
}

void TestFieldCases::recordings_data()
{
    QTest::addColumn<QJsonObject>("one");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QJsonObject>("expected");
    for (const QJsonValue& value : allCases()) {
        const QJsonObject one = value.toObject();
        if (!isRecording(one))
            continue;
        const QJsonArray files = one[QLatin1String("files")].toArray();
        for (const QJsonValue& file : files) {
            const QString name = file.toString();
            const QString part = files.size() > 1 ? name.section(QLatin1Char('.'), 0, 0).right(1) : QString();
            QTest::newRow(qPrintable(name)) << one << name << expectedOf(one, part);
        }
    }
}

void TestFieldCases::recordings()
{
    QFETCH(QJsonObject, one);
    QFETCH(QString, file);
    QFETCH(QJsonObject, expected);
    QVERIFY(!expected.isEmpty());
    const QByteArray bytes = recorded(file);
    const QJsonObject whole = explained(bytes);
    const Comparison comparison(whole, bytes);
    for (auto field = expected.constBegin(); field != expected.constEnd(); ++field) {
        const QString wrong = comparison.check(field.key(), field.value());
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }

    QVERIFY(explained(bytes, {Cuts::Kind::EveryByte}) == whole);
    const std::uint32_t seeds = bytes.size() > 100'000 ? 2 : 20;
    for (std::uint32_t seed = 1; seed <= seeds; ++seed)
        QVERIFY2(explained(bytes, {Cuts::Kind::Random, seed}) == whole, QByteArray::number(seed).constData());

    if (!file.endsWith(QLatin1String(".sse")))
        return;
    AnswerContext context;
    context.dialect = dialectFromString(whole[QLatin1String("dialect")].toString().toStdString()).value();
    const QByteArray read = readInPieces(context, {bytes});
    for (qsizetype cut = 1; cut < bytes.size(); ++cut)
        QVERIFY2(readInPieces(context, {bytes.left(cut), bytes.mid(cut)}) == read, QByteArray::number(cut).constData());
    policy::SeededRandom random(7);
    for (int round = 0; round < 50; ++round)
        QCOMPARE(readInPieces(context, randomPieces(bytes, random)), read);
}

void TestFieldCases::halfACharacterIsRelayedAsItCame() // FC-A34
{
    // The request is the gateway's to relay; what the provider room adds is that no answer or message of ours is cut
    // within a character, and that half a character in an answer is read, kept and written again.
    const QString half = QJsonDocument::fromJson(fieldCaseBytes(
        QStringLiteral("FC-A34.json")))[QLatin1String("messages")][0][QLatin1String("content")]
                             .toString();
    QVERIFY(std::ranges::any_of(half, [](QChar c) { return c.isHighSurrogate(); }));
    const QByteArray body = R"({"choices":[{"message":{"content":"half: \ud83c end"},"finish_reason":"stop"}]})";
    const auto answer = parseWhole(body);
    QVERIFY(answer);
    QVERIFY(answer->text.startsWith(QStringLiteral("half: ")));
    QVERIFY(answer->text.endsWith(QStringLiteral(" end")));
    QCOMPARE(parseWhole(openai::writeWhole(*answer, 0))->text.size(), answer->text.size());
    const std::string message = shortMessage(QString(299, QLatin1Char('a')) + QString::fromUtf8("🌍"));
    QCOMPARE(message.size(), std::size_t(299));
    const ErrorFacts refused = classifyAnswer("openai", 400, {}, R"({"error":{"message":"bad surrogate"}})", 0);
    QVERIFY(refused.disposition.retry == RetryAdvice::No);
}

void TestFieldCases::secretsInWords() // FC-F14
{
    const QJsonValue expected = caseOf(QStringLiteral("FC-F14"))[QLatin1String("expected")];
    const QString text = QString::fromUtf8(fieldCaseBytes(QStringLiteral("FC-F14.txt")));
    for (const QString& masked : {maskSecrets(text), QString::fromStdString(shortMessage(text))}) {
        for (const QJsonValue& secret : expected[QLatin1String("must_not_contain")].toArray()) {
            QVERIFY(text.contains(secret.toString()));
            QVERIFY2(!masked.contains(secret.toString()), qPrintable(masked));
        }
        for (const QJsonValue& word : expected[QLatin1String("must_contain")].toArray())
            QVERIFY2(masked.contains(word.toString()), qPrintable(masked));
    }
    // Keys without any form are known to those who send them: tst_hide_key.cpp and tst_secret_scan.cpp.
}

void TestFieldCases::whatFuzzersFound()
{
    // A status line whose rest is shorter than a status and has blanks around it.
    for (const char* line : {"HTTP/1.1  OK\r\n", "HTTP/1.1   \r\n", "HTTP/1.1 2 \r\n\r\n", "HTTP/1.1 "})
        QVERIFY(!readRecorded(line).status);
}

QTEST_APPLESS_MAIN(TestFieldCases)
#include "tst_field_cases.moc"
