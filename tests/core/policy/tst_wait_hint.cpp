// SPDX-License-Identifier: GPL-3.0-or-later
// Wait hints and the grammars under them, beyond the vectors.
#include "core/policy/exact_span.h"
#include "core/policy/http_date.h"
#include "core/policy/random.h"
#include "core/policy/wait_hint.h"

#include <QDateTime>
#include <QTimeZone>
#include <QtTest>

using namespace sg;
using namespace sg::policy;

namespace {

constexpr std::int64_t kNow = 1796000400; // 2026-11-30T01:00:00Z

std::int64_t nowMs()
{
    return QDateTime(QDate(2026, 11, 30), QTime(0, 0), QTimeZone::utc()).toMSecsSinceEpoch();
}

WaitHint read(const HeaderList& headers, std::string_view body = {}, std::optional<Nanos> own = {})
{
    return readWaitHint({nowMs(), 429, headers, body, own, Millis(60000)});
}

/// "wait 1500 by retry-after"
QString shown(const WaitHint& hint)
{
    static const char* const words[] = {"backoff", "wait", "failover", "stop"};
    return QStringLiteral("%1 %2 %3")
        .arg(QLatin1String(words[static_cast<int>(hint.action)]))
        .arg(hint.wait.count() / 1'000'000)
        .arg(QString::fromStdString(hint.source));
}

} // namespace

class TestWaitHint : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void namesItsSource_data();
    void namesItsSource();
    void words_data();
    void words();
    void decimalsAreExact();
    void numbersAreStrict_data();
    void numbersAreStrict();
    void durations_data();
    void durations();
    void httpDates_data();
    void httpDates();
    void rfc3339_data();
    void rfc3339();
    void noiseIsNoTrap();
};

void TestWaitHint::namesItsSource_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* tag, const char* name, const char* value, const char* body, const char* expected) {
        QTest::newRow(tag) << QString::fromUtf8(name) << QString::fromUtf8(value) << QString::fromUtf8(body)
                           << QString::fromUtf8(expected);
    };
    row("nothing", "", "", "", "backoff 0 ");
    row("seconds", "Retry-After", "\t2 ", "", "wait 2000 retry-after");
    row("list of three", "retry-after-ms", "5,20 , 10", "", "wait 20 retry-after-ms");
    row("list with a fraction", "retry-after-ms", "5, 1.5", "", "backoff 0 ");
    row("list with a gap", "retry-after-ms", "5,", "", "backoff 0 ");
    row("a list is no pushback", "grpc-retry-pushback-ms", "5, 10", "", "stop 0 grpc-retry-pushback-ms");
    row("a fraction is no pushback", "grpc-retry-pushback-ms", "5.5", "", "stop 0 grpc-retry-pushback-ms");
    row("empty pushback", "grpc-retry-pushback-ms", "", "", "stop 0 grpc-retry-pushback-ms");
    row("zero pushback", "grpc-retry-pushback-ms", "0", "", "backoff 0 ");
    row("pushback", "grpc-retry-pushback-ms", "25", "", "wait 25 grpc-retry-pushback-ms");
    row("amz without own backoff", "x-amz-retry-after", "9000", "", "wait 9000 x-amz-retry-after");
    row("bare bucket", "anthropic-ratelimit-unified-reset", "12", "", "wait 12000 anthropic-ratelimit-unified-reset");
    row("draft header", "RateLimit", "\"a;r=0;t=1, x\";r=0;t=3, b;r=0 ;t=2", "", "wait 3000 ratelimit");
    row("draft header, one left", "RateLimit", "\"a\";r=1;t=9,\"b\";t=2;r=0", "", "wait 2000 ratelimit");
    row("daily quota", "", "", R"({"error":{"details":[{"violations":[{"quotaId":"xPerDay"}]}]}})",
        "failover 3600000 quotaId");
    row("code", "", "", R"({"error":{"code":"insufficient_quota"}})", "stop 0 error.code");
    row("type", "", "", R"([{"error":{"type":"project_spend_limit_exceeded"}}])", "stop 0 error.type");
    row("code without a wrapper", "", "", R"({"code":"insufficient_quota"})", "stop 0 error.code");
    row("codes are exact", "", "", R"({"error":{"code":"Insufficient_quota"}})", "backoff 0 ");
    row("list of two", "", "", R"([{"error":{"code":"insufficient_quota"}},{}])", "backoff 0 ");
    row("other detail", "", "", R"({"error":{"details":[{"@type":"x/Help","retryDelay":"5s"}]}})", "backoff 0 ");
    row("reset in JSON as a number", "", "", R"({"error":{"metadata":{"headers":{"x-ratelimit-RESET":30}}}})",
        "wait 30000 error.metadata.headers.x-ratelimit-reset");
    row("reset in JSON, some left", "", "",
        R"({"error":{"metadata":{"headers":{"X-RateLimit-Reset":30,"X-RateLimit-Remaining":"2"}}}})", "backoff 0 ");
    row("retry delay first", "", "",
        R"({"error":{"message":"retry in 9s","details":[{"metadata":{"quotaResetDelay":"1m"}},{"retryDelay":"2s"}]}})",
        "wait 2000 error.details.retryDelay");
}

void TestWaitHint::namesItsSource()
{
    QFETCH(QString, name);
    QFETCH(QString, value);
    QFETCH(QString, body);
    HeaderList headers;
    if (!name.isEmpty())
        headers.emplace_back(name.toStdString(), value.toStdString());
    const std::string text = body.toStdString();
    QTEST(shown(read(headers, text)), "expected");
}

void TestWaitHint::words_data()
{
    QTest::addColumn<QString>("message");
    QTest::addColumn<int>("ms");
    const auto row = [](const char* text, int ms) { QTest::newRow(text) << QString::fromUtf8(text) << ms; };
    row("Please retry in 37.206434417s.", 37207);
    row("retry after 1 second", 1000);
    row("RETRY AFTER 2.5 Seconds, please", 2500);
    row("Retry in 1m30.5s", 0); // over the limit: no wait
    row("retry after 20ms!", 20);
    row("do not retry in a loop; retry after 4 seconds", 4000);
    row("retry after 5 minutes", 0);
    row("retry after 33", 0);
    row("retry after33 seconds", 0);
    row("retry in 5secondsish", 0);
    row("retry in 5sx", 0);
    row("please try again in 6s", 0);
    row("preretry in 6s", 0);
    row("retry after 0 seconds or retry after 3 seconds", 3000);
    row("retry in 250\xC2\xB5s", 1);
}

void TestWaitHint::words()
{
    QFETCH(QString, message);
    QFETCH(int, ms);
    const QByteArray quoted =
        QJsonDocument(QJsonObject{{QStringLiteral("error"), QJsonObject{{QStringLiteral("message"), message}}}})
            .toJson();
    for (const std::string& body : {message.toStdString(), quoted.toStdString()}) {
        const WaitHint hint = read({}, body);
        QCOMPARE(hint.action == HintAction::Wait ? int(hint.wait.count() / 1'000'000) : 0, ms);
    }
}

void TestWaitHint::decimalsAreExact()
{
    // Every whole ms written in seconds is that many ms, never one more.
    for (int ms = 1; ms <= 20000; ++ms) {
        const auto text = QStringLiteral("%1.%2").arg(ms / 1000).arg(ms % 1000, 3, 10, QLatin1Char('0')).toStdString();
        QCOMPARE(ExactSpan::fromNumber(text, kNanosPerSecond)->ceilMs(), std::int64_t(ms));
        QCOMPARE(ExactSpan::fromNumber(text + "00000000000000000000000001", kNanosPerSecond)->ceilMs(),
                 std::int64_t(ms + 1));
    }
    QCOMPARE(parseDuration("0.1s0.2s0.7s")->ceilMs(), std::int64_t(1000));
}

void TestWaitHint::numbersAreStrict_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("legal");
    for (const char* legal : {"0", "00012", "1.0", "0.0000000000000000000000000000000000001",
                              "999999999999999999999999999999999999999999999999999.9"})
        QTest::newRow(legal) << QString::fromLatin1(legal) << true;
    for (const char* illegal : {"", " 1", "1 ", "1.", ".5", "+1", "-1", "1e3", "0x1", "1,5", "1.2.3", "inf", "1s"})
        QTest::newRow(illegal[0] ? illegal : "empty") << QString::fromLatin1(illegal) << false;
}

void TestWaitHint::numbersAreStrict()
{
    QFETCH(QString, text);
    QFETCH(bool, legal);
    QCOMPARE(ExactSpan::fromNumber(text.toStdString(), kNanosPerSecond).has_value(), legal);
}

void TestWaitHint::durations_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("ms"); // -1: illegal
    const auto row = [](const char* text, int ms) { QTest::newRow(text) << QByteArray(text) << ms; };
    row("1d", 86400000);
    row("1h2m3.5s", 3723500);
    row("1.5m", 90000);
    row("1us", 1);
    row("1000\xC2\xB5s", 1);
    row("1001\xCE\xBCs", 2);
    row("1000000ns", 1);
    row("1000001ns", 2);
    row("5", -1);
    row("5 s", -1);
    row("s", -1);
    row("5S", -1);
    row("-5s", -1);
    row("5s5", -1);
    row("1m-5s", -1);
}

void TestWaitHint::durations()
{
    QFETCH(QByteArray, text);
    const auto span = parseDuration(text.toStdString());
    QTEST(span ? int(span->ceilMs()) : -1, "ms");
}

void TestWaitHint::httpDates_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("seconds"); // -1: illegal
    const auto row = [](const char* text, qint64 seconds) {
        QTest::newRow(text) << QString::fromLatin1(text) << seconds;
    };
    const auto at = [](int year, int month, int day, int h, int m, int s) {
        return QDateTime(QDate(year, month, day), QTime(h, m, s), QTimeZone::utc()).toSecsSinceEpoch();
    };
    row("Sun, 06 Nov 1994 08:49:37 GMT", at(1994, 11, 6, 8, 49, 37));
    row("Sunday, 06-Nov-94 08:49:37 GMT", at(1994, 11, 6, 8, 49, 37));
    row("Sun Nov  6 08:49:37 1994", at(1994, 11, 6, 8, 49, 37));
    row("Sun Nov 06 08:49:37 1994", at(1994, 11, 6, 8, 49, 37));
    row("Sunday, 06-Nov-76 08:49:37 GMT", at(2076, 11, 6, 8, 49, 37)); // 50 years ahead are not more than 50
    row("Sunday, 06-Nov-77 08:49:37 GMT", at(1977, 11, 6, 8, 49, 37));
    row("Tue, 29 Feb 2028 00:00:00 GMT", at(2028, 2, 29, 0, 0, 0));
    row("Mon, 30 Nov 2026 23:59:60 GMT", at(2026, 12, 1, 0, 0, 0));
    row("Mon, 29 Feb 2027 00:00:00 GMT", -1);
    row("Mon, 31 Nov 2026 00:00:00 GMT", -1);
    row("Mon, 00 Nov 2026 00:00:00 GMT", -1);
    row("Mon, 30 Nov 2026 23:59:61 GMT", -1);
    row("Mon, 30 Nov 2026 23:60:00 GMT", -1);
    row("Abc, 30 Nov 2026 00:00:20 GMT", -1);
    row("Mon, 30 Nov 2026 00:00:20 PST", -1);
    row("Mon, 30 Nov 2026 00:00:20 +0100", -1);
    row("Mon, 30 Nov 2026 00:00:20 GMT+1", -1);
    row("Mon, 3 Nov 2026 00:00:20 GMT", -1);
    row("Mon, 30 Nov 26 00:00:20 GMT", -1);
    row("Mon, 30 Nov 2026 0:00:20 GMT", -1);
    row("Mon Nov 30 00:00:20 2026 GMT", -1);
    row("30 Nov 2026 00:00:20 GMT", -1);
}

void TestWaitHint::httpDates()
{
    QFETCH(QString, text);
    QTEST(qint64(parseHttpDate(text.toStdString(), kNow).value_or(-1)), "seconds");
}

void TestWaitHint::rfc3339_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("ms"); // -1: illegal
    const auto row = [](const char* text, qint64 ms) { QTest::newRow(text) << QString::fromLatin1(text) << ms; };
    row("2026-11-30T00:00:00Z", nowMs());
    row("2026-11-30t00:00:00.0001z", nowMs() + 1);
    row("2026-11-30T05:30:00+05:30", nowMs());
    row("2026-11-29T23:59:60Z", nowMs());
    row("9999-12-31T23:59:59Z", std::numeric_limits<std::int64_t>::max() / 1'000'000'000 * 1000);
    row("2026-11-30T00:00:00", -1);
    row("2026-11-30 00:00:00Z", -1);
    row("2026-11-30T00:00:00.Z", -1);
    row("2026-11-30T00:00:00+0530", -1);
    row("2026-11-30T00:00:00+24:00", -1);
    row("2026-13-30T00:00:00Z", -1);
    row("2026-02-30T00:00:00Z", -1);
    row("2026-11-30T00:00Z", -1);
    row("2026-11-30T00:00:00Zx", -1);
}

void TestWaitHint::rfc3339()
{
    QFETCH(QString, text);
    const auto span = parseRfc3339(text.toStdString());
    QTEST(span ? qint64(span->ceilMs()) : qint64(-1), "ms");
}

void TestWaitHint::noiseIsNoTrap()
{
    // Whatever a server sends: an answer, no waits below zero, none in whole days, and nothing that sanitizers see.
    const char* const names[] = {
        "retry-after", "retry-after-ms",    "x-amz-retry-after",        "date",
        "ratelimit",   "x-ratelimit-reset", "x-ratelimit-reset-tokens", "anthropic-ratelimit-tokens-reset"};
    const char alphabet[] = "0123456789.,-+:; =\"\\TZGMTsmhdunr[]{}e\xC2\xB5\x00\xff";
    SeededRandom random(21);
    for (int round = 0; round < 20000; ++round) {
        HeaderList headers{{"x-ratelimit-remaining-tokens", "0"}, {"anthropic-ratelimit-tokens-remaining", "0"}};
        std::string text;
        for (auto n = random.next() % 24; n > 0; --n)
            text.push_back(alphabet[random.next() % (sizeof alphabet - 1)]);
        headers.emplace_back(names[random.next() % std::size(names)], text);
        const std::string body =
            random.uniform() < 0.5 ? "retry in " + text : "{\"error\":{\"message\":\"retry after " + text;
        const WaitHint hint = read(headers, body, Millis(100));
        QVERIFY(hint.wait >= Nanos::zero() && hint.wait <= Nanos(std::chrono::hours(24)));
        QCOMPARE(hint.wait > Nanos::zero(), hint.action == HintAction::Wait || hint.action == HintAction::Failover);
        QCOMPARE(hint.source.empty(), hint.action == HintAction::Backoff);
    }
}

QTEST_APPLESS_MAIN(TestWaitHint)
#include "tst_wait_hint.moc"
