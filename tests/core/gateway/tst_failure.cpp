// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/failures.h"
#include "core/engine/answer_budget.h"
#include "core/gateway/failure.h"
#include "tests/support/json.h"
#include "tests/support/literals.h"

#include <QTest>

using namespace sg;
using namespace sg::test;
using chain::MoveReason;
using gateway::Failure;
using gateway::failureOf;
using provider::ErrorClass;

namespace {

struct Told
{
    ErrorClass error;
    int status;
    const char* code;
};

// What an application is told of each class; the order is ErrorClass's.
constexpr Told kTold[] = {
    {ErrorClass::None, 500, "internal_error"},
    {ErrorClass::RateLimited, 429, "rate_limit_exceeded"},
    {ErrorClass::QuotaExhausted, 429, "insufficient_quota"},
    {ErrorClass::Authentication, 502, "provider_refuses_key"},
    {ErrorClass::Permission, 502, "provider_refuses_key"},
    {ErrorClass::NotFound, 502, "provider_model_not_found"},
    {ErrorClass::BadRequest, 400, "bad_request"},
    {ErrorClass::ContextTooLong, 400, "context_length_exceeded"},
    {ErrorClass::ContentFiltered, 400, "content_filter"},
    {ErrorClass::PayloadTooLarge, 413, "request_too_large"},
    {ErrorClass::Timeout, 504, "timeout"},
    {ErrorClass::Overloaded, 503, "provider_overloaded"},
    {ErrorClass::ServerError, 502, "provider_error"},
    {ErrorClass::BadResponse, 502, "provider_bad_response"},
    {ErrorClass::Connection, 502, "provider_unreachable"},
    {ErrorClass::Tls, 502, "provider_unreachable"},
    {ErrorClass::StreamBroken, 502, "stream_broken"},
    {ErrorClass::Cancelled, 499, "client_closed_request"},
    {ErrorClass::LocalReject, 503, "unavailable"},
};
static_assert(std::size(kTold) == provider::kErrorClassCount);

chain::RunRecord failed(ErrorClass error, int status = 500, const std::string& message = "the provider's words")
{
    chain::RunRecord record;
    record.chain = "chat";
    record.ending = chain::Ending::Failed;
    record.error.disposition = provider::dispositionOf(error);
    record.error.status = status;
    record.error.message = message;
    chain::AttemptRecord attempt;
    attempt.endpoint = "first";
    attempt.error = record.error;
    record.steps = {attempt};
    return record;
}

/// A run of a chain that found no tier to ask, passed over for these reasons.
chain::RunRecord passedOver(const std::vector<MoveReason>& reasons)
{
    chain::RunRecord record;
    record.chain = "chat";
    record.ending = chain::Ending::Failed;
    for (const MoveReason reason : reasons)
        record.steps.push_back(chain::MoveRecord{{}, 0, "first", reason, {}});
    record.error = chain::noTierUsable(record);
    return record;
}

chain::RunRecord ended(provider::ErrorFacts error)
{
    chain::RunRecord record;
    record.chain = "chat";
    record.ending = chain::Ending::Failed;
    record.error = std::move(error);
    return record;
}

/// Keeps what it is given.
class Kept final : public http::Responder
{
public:
    void send(int code, const http::Headers& list, const QByteArray& text) override
    {
        status = code;
        headers = list;
        body = text;
    }
    void begin(int, const http::Headers&) override {}
    void write(QByteArrayView) override {}
    void end() override {}
    void drop(bool) override {}
    bool clientGone() const override { return false; }
    qint64 bytesBuffered() const override { return 0; }
    void onClientGone(std::function<void()>) override {}
    void onWritable(std::function<void()>) override {}

    int status = 0;
    http::Headers headers;
    QByteArray body;
};

Kept sent(const Failure& failure)
{
    Kept kept;
    gateway::send(kept, failure);
    return kept;
}

Failure withWait(int status, std::optional<Nanos> wait)
{
    Failure failure;
    failure.status = status;
    failure.retryAfter = wait;
    return failure;
}

} // namespace

class TestFailure : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyClass_data();
    void everyClass();
    void whoseFaultItIsDecides();
    void keysAreTheOperators();
    void addressesAreTheOperators();
    void whatTheChainRefuses_data();
    void whatTheChainRefuses();
    void whatNoTierCanDo();
    void waitsAreTold();
    void withoutDescriptorsItIsSoonOver();
    void withoutRoomForAnswersItIsSoonOver();
    void clientsComeAgainOnlyWhereAWaitIsTold_data();
    void clientsComeAgainOnlyWhereAWaitIsTold();
    void bodyIsOpenAis();
};

void TestFailure::withoutDescriptorsItIsSoonOver()
{
    const auto none = provider::classifyTransport(provider::TransportError::NoDescriptors, false, "as many as it may");
    QVERIFY(none.disposition.breaker == policy::CallOutcome::Neutral);
    const Failure failure = failureOf(ended(none));
    QCOMPARE(failure.status, 503);
    QCOMPARE(failure.code, QStringLiteral("out_of_descriptors"));
    QCOMPARE(sent(failure).headers.size(), sent(withWait(503, std::chrono::seconds(1))).headers.size());
    QVERIFY(failure.retryAfter == Nanos(std::chrono::seconds(1)));
}

void TestFailure::withoutRoomForAnswersItIsSoonOver()
{
    const engine::AnswerBudget budget(512 * 1024 * 1024);
    const auto full = engine::noRoom(budget);
    QVERIFY(full.disposition.breaker == policy::CallOutcome::Neutral);
    const Failure failure = failureOf(ended(full));
    QCOMPARE(failure.status, 503);
    QCOMPARE(failure.code, QStringLiteral("answers_full"));
    QVERIFY(failure.message.contains(QStringLiteral("512 MiB")));
    QVERIFY(failure.retryAfter == Nanos(std::chrono::seconds(1)));
}

void TestFailure::everyClass_data()
{
    QTest::addColumn<int>("index");
    for (int i = 0; i < provider::kErrorClassCount; ++i) {
        const std::string_view name = provider::toString(static_cast<ErrorClass>(i));
        QTest::newRow(std::string(name).c_str()) << i;
    }
}

void TestFailure::everyClass()
{
    QFETCH(int, index);
    const Told& told = kTold[index];
    QCOMPARE(static_cast<int>(told.error), index);
    const Failure failure = failureOf(failed(told.error));
    QCOMPARE(failure.status, told.status);
    QCOMPARE(failure.code, QString::fromLatin1(told.code));
    QVERIFY(!failure.message.isEmpty());
    const bool isCallers = failure.status < 500 && failure.status != 429;
    QCOMPARE(failure.type == QStringLiteral("invalid_request_error"), isCallers);
}

void TestFailure::whoseFaultItIsDecides()
{
    // The provider's number never decides: its 401 and 404 are the operator's, whatever they look like.
    for (const Told& told : kTold)
        for (const int status : {0, 200, 400, 401, 404, 429, 500, 503})
            if (told.error != ErrorClass::BadRequest || status != 0) // nobody has read that one
                QCOMPARE(failureOf(failed(told.error, status)).status / 100, told.status / 100);
}

void TestFailure::keysAreTheOperators()
{
    const std::string words = "Incorrect API key provided: sk-***. Find yours at the provider's page.";
    for (const int status : {401, 402, 403}) {
        const Failure failure = failureOf(failed(ErrorClass::Authentication, status, words));
        QCOMPARE(failure.status, 502);
        QVERIFY(failure.message.contains(QStringLiteral("first")));
        QVERIFY(!failure.message.contains(QStringLiteral("API key provided")));
    }
    QCOMPARE(failureOf(failed(ErrorClass::Authentication, 0)).status, 503);
    QCOMPARE(failureOf(failed(ErrorClass::QuotaExhausted, 402)).status, 502);

    chain::RunRecord missing = passedOver({MoveReason::CredentialOut});
    std::get<chain::MoveRecord>(missing.steps[0]).because = "OPENAI_API_KEY is not set. Export it.";
    missing.error = chain::noTierUsable(missing);
    const Failure failure = failureOf(missing);
    QCOMPARE(failure.status, 503);
    QCOMPARE(failure.code, QStringLiteral("key_unusable"));
    QCOMPARE(failure.message, QStringLiteral("No tier could be used (first: OPENAI_API_KEY is not set. Export it)"));
    QCOMPARE(
        failureOf(passedOver({MoveReason::BreakerOpen, MoveReason::CredentialOut})).message,
        QStringLiteral("No tier could be used (first is paused by its circuit breaker; first had its key refused)"));
    QCOMPARE(QString::fromStdString(chain::tierRefused(MoveReason::BreakerOpen, "first", true).message),
             QStringLiteral("first is paused by its circuit breaker"));
}

void TestFailure::addressesAreTheOperators()
{
    for (const int status : {301, 308, 405, 421, 426}) {
        const Failure failure = failureOf(failed(ErrorClass::NotFound, status));
        QCOMPARE(failure.status, 502);
        QCOMPARE(failure.code, QStringLiteral("provider_wrong_address"));
    }
    const Failure unread = failureOf(failed(ErrorClass::BadRequest, 0));
    QCOMPARE(unread.status, 502);
    QCOMPARE(unread.type, QStringLiteral("api_error"));
}

void TestFailure::whatTheChainRefuses_data()
{
    QTest::addColumn<chain::RunRecord>("record");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* name, const chain::RunRecord& record, int status, const char* code) {
        QTest::newRow(name) << record << status << QString::fromLatin1(code);
    };
    row("limiter", ended(chain::limiterRefused()), 429, "chain_limiter");
    row("deadline before an attempt", ended(chain::deadlinePast({})), 504, "deadline");
    row("deadline after one", ended(chain::deadlinePast(failed(ErrorClass::ServerError).error)), 504, "deadline");
    row("no tiers", passedOver({}), 503, "no_tiers");
    row("all breakers open", passedOver({MoveReason::BreakerOpen, MoveReason::BreakerOpen}), 503, "all_tiers_out");
    row("all limited", passedOver({MoveReason::RateLimited, MoveReason::Parked}), 429, "all_tiers_out");
    row("one limited, one open", passedOver({MoveReason::RateLimited, MoveReason::BreakerOpen}), 503, "all_tiers_out");
    row("one limited, one unable", passedOver({MoveReason::LacksTools, MoveReason::RateLimited}), 429, "all_tiers_out");
    row("full", passedOver({MoveReason::Bulkhead}), 503, "all_tiers_out");
    row("keys out", passedOver({MoveReason::CredentialOut, MoveReason::LacksTools}), 503, "key_unusable");
    row("all off", passedOver({MoveReason::Disabled}), 503, "no_tier_usable");
    row("stays at an open breaker", ended(chain::tierRefused(MoveReason::BreakerOpen, "first")), 503, "breaker_open");
    row("stays at a full one", ended(chain::tierRefused(MoveReason::Bulkhead, "first")), 503, "bulkhead");
    row("stays at a limit", ended(chain::tierRefused(MoveReason::RateLimited, "first")), 429, "rate_limited");
    row("stays at a pause", ended(chain::tierRefused(MoveReason::Parked, "first")), 429, "parked");
}

void TestFailure::whatTheChainRefuses()
{
    QFETCH(chain::RunRecord, record);
    record.retryAfter = Millis(1500);
    const Failure failure = failureOf(record);
    QTEST(failure.status, "status");
    QTEST(failure.code, "code");
    QCOMPARE(failure.retryAfter.value(), Nanos(Millis(1500)));
}

void TestFailure::whatNoTierCanDo()
{
    const auto told = [](MoveReason reason) {
        const Failure failure = failureOf(passedOver({MoveReason::Disabled, reason}));
        return QStringLiteral("%1 %2 %3").arg(failure.status).arg(failure.code, failure.param);
    };
    QCOMPARE(told(MoveReason::LacksTools), QStringLiteral("400 unsupported_by_chain tools"));
    QCOMPARE(told(MoveReason::LacksImages), QStringLiteral("400 unsupported_by_chain messages"));
    QCOMPARE(told(MoveReason::LacksJsonMode), QStringLiteral("400 unsupported_by_chain response_format"));
    QCOMPARE(told(MoveReason::WindowTooSmall), QStringLiteral("400 context_length_exceeded messages"));
}

void TestFailure::waitsAreTold()
{
    chain::RunRecord record = failed(ErrorClass::RateLimited, 429);
    QVERIFY(!failureOf(record).retryAfter);
    record.error.hint = {policy::HintAction::Wait, Millis(7000), "retry-after"};
    QCOMPARE(failureOf(record).retryAfter.value(), Nanos(Millis(7000)));
    record.retryAfter = Millis(2000); // of another tier, which is back earlier
    QCOMPARE(failureOf(record).retryAfter.value(), Nanos(Millis(2000)));
    record.error.disposition = provider::dispositionOf(ErrorClass::BadRequest);
    QVERIFY(!failureOf(record).retryAfter);

    const Kept kept = sent(withWait(429, Millis(1201)));
    QCOMPARE(http::headerValue(kept.headers, "Retry-After"), QByteArray("2"));
    QCOMPARE(http::headerValue(kept.headers, "retry-after-ms"), QByteArray("1201"));
}

void TestFailure::clientsComeAgainOnlyWhereAWaitIsTold_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<qint64>("waitMs");
    QTest::addColumn<QByteArray>("advice");
    QTest::newRow("429 with a wait") << 429 << qint64(500) << QByteArray();
    QTest::newRow("503 with a wait") << 503 << qint64(60'000) << QByteArray();
    QTest::newRow("429 with a wait clients do not heed") << 429 << qint64(60'001) << QByteArray("false");
    QTest::newRow("429") << 429 << qint64(-1) << QByteArray("false");
    QTest::newRow("500") << 500 << qint64(-1) << QByteArray("false");
    QTest::newRow("502") << 502 << qint64(-1) << QByteArray("false");
    QTest::newRow("504") << 504 << qint64(-1) << QByteArray("false");
    QTest::newRow("408") << 408 << qint64(-1) << QByteArray("false");
    QTest::newRow("400") << 400 << qint64(-1) << QByteArray();
    QTest::newRow("404") << 404 << qint64(-1) << QByteArray();
}

void TestFailure::clientsComeAgainOnlyWhereAWaitIsTold()
{
    QFETCH(int, status);
    QFETCH(qint64, waitMs);
    const auto wait = waitMs < 0 ? std::nullopt : std::optional<Nanos>(Millis(waitMs));
    const Kept kept = sent(withWait(status, wait));
    QTEST(http::headerValue(kept.headers, "x-should-retry"), "advice");
    QCOMPARE(http::headerValue(kept.headers, "Retry-After").isEmpty(), !wait.has_value());
}

void TestFailure::bodyIsOpenAis()
{
    const Kept plain = sent(gateway::badRequest(QStringLiteral("Zürich \"x\".")));
    QCOMPARE(plain.status, 400);
    QCOMPARE(http::headerValue(plain.headers, "content-type"), QByteArray("application/json"));
    const QByteArray expected = "{\"error\":{\"message\":\"Zürich \\\"x\\\".\",\"type\":\"invalid_request_error\","
                                "\"param\":null,\"code\":null}}";
    QCOMPARE(object(plain.body), object(expected));
    const QJsonObject named =
        object(gateway::errorBody(failureOf(passedOver({MoveReason::LacksTools}))))["error"_L1].toObject();
    QCOMPARE(named["param"_L1].toString(), QStringLiteral("tools"));
    QCOMPARE(named["code"_L1].toString(), QStringLiteral("unsupported_by_chain"));
}

QTEST_APPLESS_MAIN(TestFailure)
#include "tst_failure.moc"
