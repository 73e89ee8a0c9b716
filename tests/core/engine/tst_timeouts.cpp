// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/attempt_guard.h"
#include "core/engine/engine_core.h"
#include "tests/support/misbehaving_server.h"
#include "tests/support/word.h"

#include <QTest>

using namespace sg;
using provider::ErrorClass;
using provider::TransportError;
using test::word;
using Peer = testing::MisbehavingServer::Peer;

namespace {

constexpr const char* kStreamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
const QByteArray kRole = "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\"}}]}\n\n";
const QByteArray kWord = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"word\"}}]}\n\n";
const QByteArray kReasoning = "data: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning_content\":\"hm\"}}]}\n\n";
const QByteArray kEnd =
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
const QByteArray kWhole = "{\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"word\"},"
                          "\"finish_reason\":\"stop\"}]}";

QByteArray wholeHead(qsizetype bytes)
{
    return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + QByteArray::number(bytes) +
           "\r\n\r\n";
}

/// One endpoint in a chain, with two attempts, against a server that does what the test says.
class Scene
{
public:
    using Change = std::function<void(workspace::Timeouts&)>;
    explicit Scene(const Change& change, int attempts = 1)
        : core({})
    {
        workspace::Workspace workspace;
        workspace::Endpoint endpoint;
        endpoint.provider = QStringLiteral("openai-compatible");
        endpoint.baseUrl = server.url(QStringLiteral("/v1")).toString();
        endpoint.model = QStringLiteral("gpt-4o");
        endpoint.spec.name = "slow";
        change(endpoint.timeouts);
        workspace.endpoints = {endpoint};
        workspace::Chain chain;
        chain.spec.name = "chain";
        chain::TierSpec tier;
        tier.name = tier.endpoint = "slow";
        tier.maxAttempts = attempts;
        tier.backoff.kind = policy::BackoffKind::None;
        chain.spec.tiers = {tier};
        workspace.chains = {chain};
        core.apply(workspace, {}, {}, [](const workspace::KeyRef&) { return QByteArray(); });
    }

    chain::RunRecord run(bool stream, std::optional<int> maxTokens = {}, const QJsonObject& extra = {})
    {
        std::optional<chain::RunRecord> ended;
        engine::Call call;
        call.target = {engine::TargetKind::Chain, "chain"};
        call.request.messages = {{"user", QStringLiteral("hello")}};
        call.request.stream = stream;
        call.request.sampling.maxTokens = maxTokens;
        call.request.extra = extra;
        call.onFinished = [&](const engine::CallResult& result) {
            ended = result.record;
            text = result.answer ? result.answer->text : QString();
        };
        core.start(std::move(call));
        if (!QTest::qWaitFor([&] { return ended.has_value(); }, 20000))
            QTest::qFail("the request did not end", __FILE__, __LINE__);
        return ended.value_or(chain::RunRecord{});
    }

    testing::MisbehavingServer server;
    engine::EngineCore core;
    QString text;
};

std::vector<chain::AttemptRecord> attemptsOf(const chain::RunRecord& record)
{
    std::vector<chain::AttemptRecord> attempts;
    for (const chain::Step& step : record.steps)
        if (const auto* attempt = std::get_if<chain::AttemptRecord>(&step))
            attempts.push_back(*attempt);
    return attempts;
}

void firstTokenWithin(workspace::Timeouts& timeouts, Millis span)
{
    timeouts.tokens.firstToken = span;
}

void atLeast(workspace::Timeouts& timeouts, double tokensPerSecond, Millis window)
{
    timeouts.tokens.slowest = policy::RateFloor{tokensPerSecond, window};
}

#define VERIFY_TIMED_OUT(record, words)                                                                                \
    QCOMPARE(word((record).ending), word(chain::Ending::Failed));                                                      \
    QCOMPARE(word((record).error.disposition.error), word(ErrorClass::Timeout));                                       \
    QVERIFY2(QByteArray::fromStdString((record).error.message).contains(words), (record).error.message.c_str())

class TestTimeouts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFirstTokenThatDoesNotComeIsATimeout_data()
    {
        QTest::addColumn<QByteArray>("trickle");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("comments") << QByteArray(": keep-alive\n\n");
        QTest::newRow("roles") << kRole;
        QTest::newRow("empty pieces") << QByteArray(
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"}}]}\n\n");
    }
    void aFirstTokenThatDoesNotComeIsATimeout()
    {
        QFETCH(QByteArray, trickle);
        Scene scene([](auto& timeouts) { firstTokenWithin(timeouts, Millis(250)); });
        scene.server.onRequest([&](Peer& peer) {
            peer.send(kStreamHead);
            if (!trickle.isEmpty())
                peer.drip(trickle, 10, 2000);
        });
        const auto record = scene.run(true);
        VERIFY_TIMED_OUT(record, "no token within 250 ms");
        const auto attempt = attemptsOf(record).at(0);
        QVERIFY(attempt.timing.end - *attempt.timing.sent >= Millis(250));
        QVERIFY(!attempt.timing.firstToken);
    }

    void itIsRetriedBecauseNothingReachedTheCaller()
    {
        Scene scene([](auto& timeouts) { firstTokenWithin(timeouts, Millis(150)); }, 2);
        scene.server.onRequest([&](Peer& peer) {
            peer.send(kStreamHead);
            if (scene.server.requests() == 1)
                return peer.drip(kRole, 10, 2000);
            peer.send(kRole + kWord + kEnd);
            peer.close();
        });
        const auto record = scene.run(true);
        QCOMPARE(word(record.ending), word(chain::Ending::Answered));
        QCOMPARE(record.attempts, 2);
        QCOMPARE(word(attemptsOf(record).at(0).error.disposition.error), word(ErrorClass::Timeout));
        QVERIFY(attemptsOf(record).at(0).error.disposition.breaker == policy::CallOutcome::Failure);
    }

    void aTokenOfAnyKindEndsTheLimit_data()
    {
        QTest::addColumn<QByteArray>("first");
        QTest::newRow("text") << kWord;
        QTest::newRow("reasoning") << kReasoning;
    }
    void aTokenOfAnyKindEndsTheLimit()
    {
        QFETCH(QByteArray, first);
        Scene scene([](auto& timeouts) { firstTokenWithin(timeouts, Millis(200)); });
        scene.server.onRequest([&](Peer& peer) {
            peer.send(kStreamHead + first);
            peer.drip(": on\n\n", 50, 8, [&peer] { // twice the limit
                peer.send(kWord + kEnd);
                peer.close();
            });
        });
        const auto record = scene.run(true);
        QCOMPARE(word(record.ending), word(chain::Ending::Answered));
        QVERIFY(scene.text.endsWith(QLatin1String("word")));
    }

    void anAnswerSentWholeHasNoFirstToken_data()
    {
        QTest::addColumn<bool>("stream");
        QTest::newRow("asked for whole") << false;
        QTest::newRow("asked for a stream") << true;
    }
    void anAnswerSentWholeHasNoFirstToken()
    {
        QFETCH(bool, stream);
        Scene scene([](auto& timeouts) { firstTokenWithin(timeouts, Millis(200)); });
        scene.server.onRequest([&](Peer& peer) {
            peer.send(wholeHead(kWhole.size() + 8));
            peer.drip(" ", 50, 8, [&peer] { peer.send(kWhole); });
        });
        QCOMPARE(word(scene.run(stream).ending), word(chain::Ending::Answered));
    }

    void aSlowBodyIsATimeout()
    {
        Scene scene([](auto& timeouts) { atLeast(timeouts, 100, Millis(200)); }, 2);
        scene.server.onRequest([&](Peer& peer) {
            peer.send(wholeHead(4000));
            peer.drip("    ", 20, 1000); // one token in 20 ms is half of what is asked
        });
        const auto record = scene.run(false);
        VERIFY_TIMED_OUT(record, "less than 100 tokens a second for 200 ms");
        QCOMPARE(record.attempts, 2);
    }

    void aBodyThatGetsSlowIsATimeout()
    {
        Scene scene([](auto& timeouts) { atLeast(timeouts, 100, Millis(150)); });
        scene.server.onRequest([&](Peer& peer) {
            peer.send(wholeHead(100000) + QByteArray(90000, ' '));
            peer.drip(" ", 20, 1000);
        });
        VERIFY_TIMED_OUT(scene.run(false), "less than 100 tokens");
    }

    void aBodyFastEnoughIsLeftAlone()
    {
        Scene scene([](auto& timeouts) { atLeast(timeouts, 100, Millis(200)); });
        scene.server.onRequest([&](Peer& peer) {
            const QByteArray piece(400, ' '); // 100 tokens, ten times in each window if the machine is quiet
            peer.send(wholeHead(kWhole.size() + 30 * piece.size()));
            peer.drip(piece, 20, 30, [&peer] { peer.send(kWhole); });
        });
        QCOMPARE(word(scene.run(false).ending), word(chain::Ending::Answered));
    }

    void aStreamWithoutATokenForAWindowIsTooSlow()
    {
        Scene scene([](auto& timeouts) { atLeast(timeouts, 1, Millis(200)); });
        scene.server.onRequest([&](Peer& peer) {
            peer.send(kStreamHead);
            peer.drip(": thinking\n\n", 10, 2000);
        });
        VERIFY_TIMED_OUT(scene.run(true), "less than 1 tokens a second for 200 ms");
    }

    void aRefusalStaysWhatItIsHoweverSlow()
    {
        Scene scene([](auto& timeouts) { atLeast(timeouts, 1000, Millis(100)); });
        scene.server.onRequest([&](Peer& peer) {
            peer.send("HTTP/1.1 503 No\r\nContent-Length: 1000\r\n\r\n");
            peer.drip(" ", 20, 1000);
        });
        const auto record = scene.run(false);
        QCOMPARE(word(record.error.disposition.error), word(ErrorClass::Overloaded));
        QCOMPARE(record.error.status, 503);
    }

    void aRefusedKeyWhoseBodyTricklesEndsByTheFirstByte()
    {
        Scene scene([](auto& timeouts) { timeouts.firstByte = Millis(200); });
        scene.server.onRequest([&](Peer& peer) {
            peer.send("HTTP/1.1 401 No\r\nContent-Length: 1000\r\n\r\n");
            peer.drip(" ", 20, 1000);
        });
        VERIFY_TIMED_OUT(scene.run(false), "no answer within 200 ms");
    }

    void afterTheCommitPointASlowStreamIsLeftAlone()
    {
        Scene scene([](auto& timeouts) { atLeast(timeouts, 1000, Millis(100)); });
        scene.server.onRequest([&](Peer& peer) {
            peer.send(kStreamHead + kWord);
            peer.drip(kWord, 50, 6, [&peer] {
                peer.send(kEnd);
                peer.close();
            });
        });
        QCOMPARE(word(scene.run(true).ending), word(chain::Ending::Answered));
    }

    void unlessTheOperatorWantsItBroken()
    {
        Scene scene(
            [](auto& timeouts) {
                atLeast(timeouts, 1000, Millis(100));
                timeouts.tokens.abortsSlowStreams = true;
            },
            2);
        scene.server.onRequest([&](Peer& peer) {
            peer.send(kStreamHead + kWord);
            peer.drip(kWord, 20, 1000);
        });
        const auto record = scene.run(true);
        QCOMPARE(word(record.ending), word(chain::Ending::Failed));
        QCOMPARE(word(record.error.disposition.error), word(ErrorClass::StreamBroken));
        QCOMPARE(record.attempts, 1); // the caller has had a part of it
        QVERIFY(record.committed);
    }

    void theTaskCutsTheTotalShorter()
    {
        Scene scene([](auto& timeouts) {
            timeouts.byTask = policy::TaskTimeout{std::chrono::seconds(60), Millis(100), Millis(50)};
        });
        scene.server.onRequest([](Peer&) {});
        const auto record = scene.run(false, 200);
        VERIFY_TIMED_OUT(record, "not complete within 250 ms");
    }

    void theNewerNameOfTheTokenLimitCountsToo()
    {
        Scene scene([](auto& timeouts) {
            timeouts.byTask = policy::TaskTimeout{std::chrono::seconds(5), Millis(100), Millis(50)};
        });
        scene.server.onRequest([](Peer&) {});
        const auto record = scene.run(false, {}, {{QStringLiteral("max_completion_tokens"), 200}});
        VERIFY_TIMED_OUT(record, "not complete within 250 ms");
    }

    void theShortestTotalCounts()
    {
        Scene scene([](auto& timeouts) {
            timeouts.total = Millis(200);
            timeouts.byTask = policy::TaskTimeout{std::chrono::seconds(60), Millis(100), std::chrono::seconds(10)};
        });
        scene.server.onRequest([](Peer&) {});
        VERIFY_TIMED_OUT(scene.run(false, 200), "not complete within 200 ms");
    }

    void aCancelLeavesNoTimerBehind()
    {
        Scene scene([](auto& timeouts) {
            firstTokenWithin(timeouts, Millis(10000));
            atLeast(timeouts, 1, Millis(10000));
        });
        bool asked = false, ended = false;
        scene.server.onRequest([&](Peer& peer) {
            peer.send(kStreamHead);
            asked = true;
        });
        engine::Call call;
        call.target = {engine::TargetKind::Chain, "chain"};
        call.request.stream = true;
        call.onFinished = [&](const engine::CallResult&) { ended = true; };
        const engine::CallId id = scene.core.start(std::move(call));
        QTRY_VERIFY(asked);
        QTRY_COMPARE(scene.core.timers().size(), std::size_t(2));
        scene.core.cancel(id);
        QVERIFY(ended);
        QCOMPARE(scene.core.timers().size(), std::size_t(0));
    }

    void aRequestNotYetOutIsNotBlamedOnTheModel()
    {
        engine::TimerQueue timers;
        std::optional<TransportError> broken;
        policy::TokenLimits limits;
        limits.firstToken = Millis(50);
        engine::AttemptGuard guard(timers, limits, [&](TransportError error, const std::string&) { broken = error; });
        const Instant start = http::steadyNow();
        std::optional<Instant> sent;
        int asked = 0;
        guard.expectFirstToken([&] {
            if (++asked == 2) // the second time it is out
                sent = http::steadyNow();
            return sent;
        });
        QTRY_VERIFY(broken);
        QCOMPARE(static_cast<int>(*broken), static_cast<int>(TransportError::FirstTokenTimeout));
        QCOMPARE(asked, 3);
        QVERIFY(http::steadyNow() - start >= Millis(150));
        QVERIFY(http::steadyNow() - *sent >= Millis(50));
    }

    void limitsStandStillWhileNobodyTakesTheAnswer()
    {
        engine::TimerQueue timers;
        std::optional<TransportError> broken;
        policy::TokenLimits limits;
        limits.firstToken = Millis(60);
        limits.slowest = policy::RateFloor{1000, Millis(80)};
        engine::AttemptGuard guard(timers, limits, [&](TransportError error, const std::string&) { broken = error; });
        const Instant sent = http::steadyNow();
        guard.expectFirstToken([&] { return sent; });
        guard.answerBegins(true, sent);
        guard.setPaused(true);
        QCOMPARE(timers.size(), std::size_t(0));
        bool isOver = false, wasBroken = false;
        timers.at(later(sent, Millis(200)), [&] {
            wasBroken = broken.has_value();
            guard.setPaused(false);
            isOver = true;
        });
        QTRY_VERIFY(isOver);
        QVERIFY(!wasBroken);
        QTRY_VERIFY(broken);
        QCOMPARE(static_cast<int>(*broken), static_cast<int>(TransportError::FirstTokenTimeout));
        QVERIFY(http::steadyNow() - sent >= Millis(250)); // what was left of the 60 ms came after the pause
        QCOMPARE(timers.size(), std::size_t(0));
    }

    void whatEndsInAPauseStaysEnded()
    {
        engine::TimerQueue timers;
        policy::TokenLimits limits;
        limits.firstToken = Millis(60);
        limits.slowest = policy::RateFloor{1000, Millis(60)};
        engine::AttemptGuard guard(timers, limits, [](TransportError, const std::string&) { QFAIL("broken"); });
        guard.expectFirstToken([] { return http::steadyNow(); });
        guard.setPaused(true);
        guard.answerBegins(true, http::steadyNow());
        guard.committed();
        guard.setPaused(false);
        QCOMPARE(timers.size(), std::size_t(0));
    }

    void aPausedRequestReadsNoFurther()
    {
        Scene scene([](auto& timeouts) { timeouts.idle = Millis(100); });
        Peer* peer = nullptr;
        scene.server.onRequest([&](Peer& each) {
            peer = &each;
            peer->send(kStreamHead + kWord);
        });
        int words = 0;
        std::optional<chain::RunRecord> ended;
        engine::Call call;
        call.target = {engine::TargetKind::Chain, "chain"};
        call.request.stream = true;
        engine::CallId id = 0;
        call.onDelta = [&](const provider::Delta&, Instant) {
            if (++words == 1)
                scene.core.setPaused(id, true); // from within
        };
        call.onFinished = [&](const engine::CallResult& result) { ended = result.record; };
        id = scene.core.start(std::move(call));
        QTRY_COMPARE(words, 1);
        peer->send(kWord + kEnd);
        bool isOver = false;
        scene.core.timers().at(later(http::steadyNow(), Millis(250)), [&] { isOver = true; });
        QTRY_VERIFY(isOver); // longer than the idle limit, which stands still
        QCOMPARE(words, 1);
        QVERIFY(!ended);
        scene.core.setPaused(id, false);
        QTRY_VERIFY(ended);
        QCOMPARE(words, 2);
        QCOMPARE(word(ended->ending), word(chain::Ending::Answered));
        scene.core.setPaused(id, true); // over: nothing happens
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestTimeouts)
#include "tst_timeouts.moc"
