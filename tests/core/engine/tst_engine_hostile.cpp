// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_core.h"
#include "tests/support/endpoint_at.h"
#include "tests/support/misbehaving_server.h"
#include "tests/support/word.h"

#include <QTest>

using namespace sg;
using test::word;
using testing::MisbehavingServer;

namespace {

const QByteArray kStreamHead =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

QByteArray chunk(const QByteArray& bytes)
{
    return QByteArray::number(bytes.size(), 16) + "\r\n" + bytes + "\r\n";
}

QByteArray delta(const QByteArray& text, const QByteArray& finish = "null")
{
    return chunk("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + text +
                 "\"},\"finish_reason\":" + finish + "}]}\n\n");
}

/// A request straight to one endpoint on a server that does what the script says.
class Bench
{
public:
    Bench()
        : core({})
    {
        core.apply(sg::test::endpointAt(QStringLiteral("peer"), server.url(QStringLiteral("/v1")).toString()), {}, {},
                   [](const workspace::KeyRef&) { return QByteArray(); });
    }

    void run()
    {
        engine::Call call;
        call.target = {engine::TargetKind::Endpoint, "peer"};
        call.request.messages = {{"user", QStringLiteral("hello")}};
        call.request.stream = true;
        call.intended = http::steadyNow();
        bool done = false;
        call.onFinished = [&](const engine::CallResult& result) {
            record = result.record;
            text = result.answer ? result.answer->text : QString();
            done = true;
        };
        core.start(std::move(call));
        QVERIFY(QTest::qWaitFor([&] { return done; }, 20000));
    }

    MisbehavingServer server;
    engine::EngineCore core;
    chain::RunRecord record;
    QString text;
};

class TestEngineHostile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aServerThatKeepsTheStreamOpenAfterDoneHasAnswered()
    {
        Bench bench;
        bench.server.onRequest([](MisbehavingServer::Peer& peer) {
            peer.send(kStreamHead + delta("hi") + delta("!", "\"stop\"") + chunk("data: [DONE]\n\n"));
        });
        bench.run();
        QCOMPARE(word(bench.record.ending), word(chain::Ending::Answered));
        QCOMPARE(bench.text, QStringLiteral("hi!"));
        QVERIFY(bench.record.ended - bench.record.started < std::chrono::seconds(10)); // and not at the idle limit
        QTRY_COMPARE(bench.server.open(), 0); // a response without an end spoils its connection
    }

    void aStreamCutAfterItsLastWordHasAnswered()
    {
        Bench bench;
        bench.server.onRequest([](MisbehavingServer::Peer& peer) {
            peer.send(kStreamHead + delta("hi", "\"stop\""));
            peer.close();
        });
        bench.run();
        QCOMPARE(word(bench.record.ending), word(chain::Ending::Answered));
        QCOMPARE(bench.text, QStringLiteral("hi"));
    }

    void aStreamCutBeforeItsLastWordHasFailed()
    {
        Bench bench;
        bench.server.onRequest([](MisbehavingServer::Peer& peer) {
            peer.send(kStreamHead + delta("hi"));
            peer.close();
        });
        bench.run();
        QCOMPARE(word(bench.record.ending), word(chain::Ending::Failed));
        QCOMPARE(word(bench.record.error.disposition.error), word(provider::ErrorClass::StreamBroken));
    }

    void anErrorWithoutEndIsReadForItsMessageOnly()
    {
        Bench bench;
        bench.server.onRequest([](MisbehavingServer::Peer& peer) {
            peer.send("HTTP/1.1 503 Busy\r\n\r\n");
            peer.flood(1 << 30);
        });
        bench.run();
        QCOMPARE(bench.record.error.status, 503);
        QCOMPARE(word(bench.record.error.disposition.error), word(provider::ErrorClass::Overloaded));
        QVERIFY2(bench.server.lastPeer()->flooded() < 64 << 20, "read on");
    }

    void aWholeAnswerWithoutEndIsRefused()
    {
        Bench bench;
        bench.server.onRequest([](MisbehavingServer::Peer& peer) {
            peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n");
            peer.flood(1 << 30);
        });
        bench.run();
        QCOMPARE(word(bench.record.error.disposition.error), word(provider::ErrorClass::BadResponse));
        QCOMPARE(bench.record.error.status, 200);
        QVERIFY2(bench.server.lastPeer()->flooded() < 128 << 20, "read on");
    }

    void aStreamOfWordsWithoutEndIsRefused()
    {
        Bench bench;
        bench.server.onRequest([](MisbehavingServer::Peer& peer) {
            peer.send(kStreamHead);
            peer.drip(delta(QByteArray(64 * 1024, 'a')), 1, 400);
        });
        bench.run();
        QCOMPARE(word(bench.record.error.disposition.error), word(provider::ErrorClass::StreamBroken));
        QVERIFY(bench.record.error.message.find("longer than allowed") != std::string::npos);
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestEngineHostile)
#include "tst_engine_hostile.moc"
