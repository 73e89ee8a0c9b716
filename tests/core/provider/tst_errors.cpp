// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/error.h"
#include "core/provider/mask.h"
#include "tests/support/vectors_errors.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>

using namespace sg;
using namespace sg::provider;

class TestErrors : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void vectors_data();
    void vectors();
    void runnerFindsDifferences();
    void namesRoundTrip();
    void outcomeUnknownIsRetriedOnceAtMost();
    void cancelledAfterCommitStaysCancelled();
    void messageForms_data();
    void messageForms();
    void fieldCases_data();
    void fieldCases();
    void notTheCallersMovesOn();
    void redirectsSayWhereTo();
    void masks_data();
    void masks();
    void ordinaryWordsStay();
    void messageIsCutBetweenCodePoints();
    void keysNeverLeaveInFacts();
    void hintsComeWithTheFacts();
};

void TestErrors::vectors_data()
{
    QTest::addColumn<QJsonObject>("vector");
    QFile file(QStringLiteral(SWITCHGEAR_TEST_DATA "/vectors/errors.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray cases = QJsonDocument::fromJson(file.readAll())[QLatin1String("cases")].toArray();
    QVERIFY(cases.size() >= 100);
    for (const QJsonValue& vector : cases)
        QTest::newRow(qPrintable(vector[QLatin1String("id")].toString())) << vector.toObject();
}

void TestErrors::vectors()
{
    QFETCH(QJsonObject, vector);
    const auto problem = test::runErrorsCase(vector);
    QVERIFY2(!problem, problem.value_or("").c_str());
}

void TestErrors::runnerFindsDifferences()
{
    QJsonObject expect{{QStringLiteral("class"), QStringLiteral("timeout")},
                       {QStringLiteral("retry"), QStringLiteral("yes")},
                       {QStringLiteral("breaker"), QStringLiteral("failure")},
                       {QStringLiteral("fallback"), QStringLiteral("next")}};
    QJsonObject vector{{QStringLiteral("status"), 504}, {QStringLiteral("expect"), expect}};
    QVERIFY(!test::runErrorsCase(vector));
    vector[QLatin1String("status")] = 500;
    QVERIFY(test::runErrorsCase(vector));
    QVERIFY(test::runErrorsCase(QJsonObject{{QStringLiteral("expect"), expect}}));
    QVERIFY(test::runErrorsCase(QJsonObject{{QStringLiteral("transport"), QStringLiteral("pigeon")}}));
}

void TestErrors::namesRoundTrip()
{
    for (int i = 0; i < kErrorClassCount; ++i) {
        const auto c = static_cast<ErrorClass>(i);
        QVERIFY(errorClassFromString(toString(c)) == c);
        QVERIFY(dispositionOf(c).error == c);
        QVERIFY(!inWords(c).empty());
    }
    QVERIFY(!errorClassFromString("nonsense"));
    QVERIFY(!errorClassFromString(""));
}

void TestErrors::outcomeUnknownIsRetriedOnceAtMost()
{
    const Disposition d = classifyTransport(TransportError::OutcomeUnknown, false, "dropped").disposition;
    QVERIFY(d.error == ErrorClass::Connection);
    QVERIFY(d.retry == RetryAdvice::Once);
    QVERIFY(d.breaker == policy::CallOutcome::Failure);
}

void TestErrors::cancelledAfterCommitStaysCancelled()
{
    QVERIFY(classifyTransport(TransportError::Cancelled, true, {}).disposition == dispositionOf(ErrorClass::Cancelled));
    const Disposition broken = classifyTransport(TransportError::IdleTimeout, true, {}).disposition;
    QVERIFY(broken.error == ErrorClass::StreamBroken);
    QVERIFY(broken.fallback == FallbackKind::None);
}

void TestErrors::messageForms_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* name, const char* body, const char* message, const char* code) {
        QTest::newRow(name) << QByteArray(body) << QString::fromUtf8(message) << QString::fromUtf8(code);
    };
    row("openai", R"({"error":{"message":"Boom","type":"t","code":"c"}})", "Boom", "c");
    row("type only", R"({"error":{"message":"Boom","type":"t","code":null}})", "Boom", "t");
    row("number as code", R"({"error":{"message":"Boom","code":418}})", "Boom", "418");
    row("flat", R"({"object":"error","message":"Flat","type":"BadRequestError","code":null})", "Flat",
        "BadRequestError");
    row("error as text", R"({"error":"model \"nope:1b\" not found"})", "model \"nope:1b\" not found", "");
    row("detail as text", R"({"detail":"Token expired"})", "Token expired", "");
    row("detail as list", R"({"detail":[{"loc":["body","messages"],"msg":"should be a list"}]})",
        "messages: should be a list", "");
    row("message as object",
        R"({"object":"error","message":{"detail":[{"loc":["body","n"],"msg":"Extra inputs"}]},"type":"x"})",
        "n: Extra inputs", "x");
    row("list of one", R"([{"error":{"message":"In a list","code":"c"}}])", "In a list", "c");
    row("html title", "<html><head><title>502 Bad\n Gateway</title></head></html>", "502 Bad Gateway", "");
    row("plain text", "upstream gone\n", "upstream gone", "");
    row("AWS exception", R"({"__type":"com.amazon.coral.service#OddException:http://a.test/","message":"Odd"})", "Odd",
        "OddException");
    row("nothing", "", "The provider does not understand the request", "");
    row("wrong types", R"({"error":{"message":7,"code":{},"type":[1],"details":"x","metadata":3}})",
        "The provider does not understand the request", "");
}

void TestErrors::messageForms()
{
    QFETCH(QByteArray, body);
    const ErrorFacts facts = classifyAnswer("any", 418, {}, body.toStdString(), 0);
    QTEST(QString::fromStdString(facts.message), "message");
    QTEST(QString::fromStdString(facts.code), "code");
    QCOMPARE(facts.status, 418);
}

void TestErrors::fieldCases_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("error");
    const auto row = [](const char* name, int status, const char* body, ErrorClass error) {
        QTest::newRow(name) << status << QByteArray(body) << int(error);
    };
    row("window by text", 400, R"({"object":"error","message":"Maximum context length is 2048 tokens","code":400})",
        ErrorClass::ContextTooLong);
    row("throttling that speaks of tokens", 429, R"({"message":"Too many tokens, please wait before trying again."})",
        ErrorClass::RateLimited);
    row("request over the minute budget", 413,
        R"({"error":{"message":"Request too large on tokens per minute (TPM): Limit 12000, Requested 14137"}})",
        ErrorClass::PayloadTooLarge);
    row("status outranks type", 503,
        R"({"message":"Service tier capacity exceeded for this model.","type":"invalid_request_error"})",
        ErrorClass::Overloaded);
    row("error with its own status in a 200", 200,
        R"({"choices":null,"error":{"message":"Upstream is rate limited","code":429}})", ErrorClass::RateLimited);
    row("error without a known code in a 200", 200, R"({"error":{"message":"Oops","code":"odd"}})",
        ErrorClass::BadResponse);
    row("null error in a good answer", 200, R"({"error":null,"choices":[{"message":{"content":"hi"}}]})",
        ErrorClass::None);
    row("limit: 0 is no quota", 429, R"({"error":{"message":"Quota exceeded, limit: 0, model"}})",
        ErrorClass::QuotaExhausted);
    row("limit: 0.5 is some quota", 429, R"({"error":{"message":"Quota exceeded, limit: 0.5"}})",
        ErrorClass::RateLimited);
    // Nothing that the caller wrote: another tier may do.
    for (const int status : {300, 301, 302, 303, 304, 307, 308, 405, 410, 421, 426, 451})
        row(qPrintable(QStringLiteral("address %1").arg(status)), status, "", ErrorClass::NotFound);
    for (const int status : {406, 411, 412, 414, 415, 416, 417, 428, 431})
        row(qPrintable(QStringLiteral("form %1").arg(status)), status, "<html>No</html>", ErrorClass::BadResponse);
    row("a proxy nobody named", 407, "", ErrorClass::Connection);
    row("a code outranks it", 405, R"({"error":{"code":"invalid_api_key"}})", ErrorClass::Authentication);
    row("no final status", 102, "", ErrorClass::BadResponse);
}

void TestErrors::fieldCases()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    const ErrorFacts facts = classifyAnswer("any", status, {}, body.toStdString(), 0);
    QTEST(int(facts.disposition.error), "error");
}

void TestErrors::notTheCallersMovesOn()
{
    for (int status = 300; status < 500; ++status) {
        const Disposition told = classifyAnswer("any", status, {}, "", 0).disposition;
        const bool isAddress = status < 400 || told.error == ErrorClass::NotFound ||
                               (told.error == ErrorClass::BadResponse && told.retry == RetryAdvice::No);
        if (isAddress)
            QVERIFY(told.fallback == FallbackKind::Next && told.breaker == policy::CallOutcome::Neutral);
    }
}

void TestErrors::redirectsSayWhereTo()
{
    const auto told = [](const char* location) {
        const policy::HeaderList headers{{"Location", location}};
        return QString::fromStdString(classifyAnswer("any", 301, headers, "<html>Moved</html>", 0).message);
    };
    const QString full = told("https://user:password-0001@api.example.com:8443/v1?key=sk-test-0001");
    QVERIFY2(full.contains(QLatin1String("https://api.example.com:8443,")), qPrintable(full));
    QVERIFY2(!full.contains(QLatin1String("0001")), qPrintable(full));
    QVERIFY(told("//other.example/v1").contains(QLatin1String("other.example")));
    QVERIFY(told("/login?token=sk-test-0001").contains(QLatin1String("another path")));
    QVERIFY(!told("/login?token=sk-test-0001").contains(QLatin1String("0001")));
    QVERIFY(told("").contains(QLatin1String("HTTP 301")));
    QVERIFY(told("http://[broken").contains(QLatin1String("HTTP 301")));
}

void TestErrors::masks_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("secret");
    const auto row = [](const char* text, const char* secret) {
        QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(secret);
    };
    row("Incorrect API key provided: sk-test-0001.", "test-0001");
    row("Incorrect API key provided: sk-proj-****ab12", "ab12");
    row("key hs_live_9f8e7d6c5b is unknown", "9f8e");
    row("gsk_abcdEFGH1234 refused", "abcdEFGH");
    row("Authorization: Bearer abc.DEF-123", "abc.DEF");
    row("authorization: bearer   abcdef==", "abcdef");
    row("GET /v1beta/m?alt=sse&key=AIzaTESTTESTTEST0001 failed", "TESTTEST");
    row("GET /x?api_key=0123456789abcdef&y=1", "0123456789");
    row("x-goog-api-key: 0123456789abcdef", "0123456789");
    row(R"({"api_key": "0123456789abcdef"})", "0123456789");
    row("https://h/x?alt=sse&key=short failed", "short");
    row("https://h/x?sig=a%2Fb%3D&sv=1", "a%2Fb");
    row("https://h/x?token=abc", "abc");
    row("proxy http://user:pass@proxy.test:3128 refused", "pass");
    row("Proxy-Authorization: Basic dXNlcjpwYXNz", "dXNlcjpw");
    row("X-Amz-Signature of /m?X-Amz-Signature=0a1b&x=1", "0a1b");
    row("x-api-key: abcdefgh%2Fijk==", "ijk==");
    row("token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.c2ln", "eyJzdWIi");
    row("{'x-api-key': '0123456789abcdef'}", "0123456789");
    row("{b'api-key': b'0123456789abcdef'}", "0123456789");
    row(R"(body was {\"api_key\": \"0123456789abcdef\"})", "0123456789");
    row("authorization=Bearer%20sk-test-0001", "test-0001");
    row("sent Bearer%200123456789abcdef", "0123456789");
    row("api_key%3D0123456789abcdef", "0123456789");
    row("form name%3Dsk-test-0001", "test-0001");
    row(R"(keys:\nsk-test-0001)", "test-0001");
    row(R"(keys:\u0022sk-test-0001)", "test-0001");
}

void TestErrors::masks()
{
    QFETCH(QString, text);
    QFETCH(QString, secret);
    const QString masked = maskSecrets(text);
    QVERIFY2(!masked.contains(secret), qPrintable(masked));
    QVERIFY2(masked.contains(QLatin1String("***")), qPrintable(masked));
}

void TestErrors::ordinaryWordsStay()
{
    for (const auto* text :
         {"Write to ops@example.test, see https://example.test/a?alt=sse&page=2",
          "https://example.test/path@1?monkey=1", "Rate limit reached, try again in 6 seconds",
          "task-based ask-me risk-free desk-top", "tokens per min (TPM): Limit 30000, Requested 42000",
          "The paths_hs are fine", R"(C:\new\nothing, 100%20off, a key: 'value' and 'token': 'abc')"}) {
        QCOMPARE(maskSecrets(QString::fromUtf8(text)), QString::fromUtf8(text));
    }
}

void TestErrors::messageIsCutBetweenCodePoints()
{
    const QString pair = QString::fromUtf8("🌍");
    for (int before : {298, 299, 300}) {
        const QString cut =
            QString::fromStdString(shortMessage(QString(before, QLatin1Char('a')) + pair + QStringLiteral("tail")));
        QVERIFY(cut.size() <= 300);
        QVERIFY(cut.size() >= 299);
        QVERIFY(!cut.contains(QChar(QChar::ReplacementCharacter)));
    }
    // A key that lies across the cut must not show its beginning.
    const QString keyAtCut = QString(290, QLatin1Char('a')) + QStringLiteral(" sk-0123456789abcdef");
    QVERIFY(!QString::fromStdString(shortMessage(keyAtCut)).contains(QLatin1String("sk-0")));
    QVERIFY(shortMessage(QString(5'000'000, QLatin1Char('x'))).size() == 300);
    QCOMPARE(shortMessage(QStringLiteral("\r\n\uFEFFta: 0\uFEFF")),
             std::string("ta: 0")); // byte order marks say nothing
}

void TestErrors::keysNeverLeaveInFacts()
{
    const std::string body = R"({"error":{"message":"bad key sk-live-12345678","code":"sk-live-12345678"}})";
    const ErrorFacts facts = classifyAnswer("any", 401, {}, body, 0);
    QVERIFY(facts.disposition.error == ErrorClass::Authentication);
    QVERIFY(facts.message.find("12345678") == std::string::npos);
    QVERIFY(facts.code.find("12345678") == std::string::npos);
    QVERIFY(classifyTransport(TransportError::Dns, false, "https://h/?key=abcdefgh1").message.find("abcdefgh1") ==
            std::string::npos);
}

void TestErrors::hintsComeWithTheFacts()
{
    const policy::HeaderList headers{{"Retry-After", "12"}};
    const ErrorFacts facts = classifyAnswer("openai", 429, headers, "", 1796000000000);
    QVERIFY(facts.hint.action == policy::HintAction::Wait);
    QVERIFY(facts.hint.wait == std::chrono::seconds(12));
    QVERIFY(classifyAnswer("openai", 429, headers, "", 1796000000000, Millis(5000)).hint.action ==
            policy::HintAction::Failover);

    const std::string_view event =
        R"({"error":{"code":429,"message":"x","metadata":{"headers":{"X-RateLimit-Reset":"1796000030000"}}}})";
    AnswerContext context{"openrouter", {}, 1796000000000};
    QVERIFY(classifyStreamError(context, "message", event, false).hint.wait == std::chrono::seconds(30));
    context.nowUnixMs = 0; // without a clock the same words would mean half a century
    QVERIFY(classifyStreamError(context, "message", event, false).hint.action == policy::HintAction::Backoff);
}

QTEST_GUILESS_MAIN(TestErrors)
#include "tst_errors.moc"
