// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/both_transports.h"
#include "tests/support/endpoint_at.h"
#include "tests/support/gateway_scene.h"
#include "tests/support/misbehaving_server.h"
#include "tests/support/word.h"

#include <QTimer>

using namespace sg;
using namespace test;

namespace {

constexpr qint64 kMiB = 1024 * 1024;
constexpr qint64 kBudget = 16 * kMiB;

engine::EngineOptions optionsFor(http::TransportKind kind)
{
    engine::EngineOptions options;
    options.transport = kind;
    options.maxArrivingBytes = kBudget;
    return options;
}

QByteArray vectors(qint64 bytes)
{
    return R"({"object":"list","data":[")" + QByteArray(bytes, 'x') + R"("],"usage":{"prompt_tokens":1}})";
}

QByteArray words(qint64 bytes)
{
    return R"({"choices":[{"index":0,"message":{"role":"assistant","content":")" + QByteArray(bytes, 'x') +
           R"("},"finish_reason":"stop"}]})";
}

/// Endpoint "peer" on a server that a test makes, and how much has arrived at the most.
class Bench
{
public:
    explicit Bench(http::TransportKind kind)
        : core(optionsFor(kind))
    {
        core.apply(sg::test::endpointAt(QStringLiteral("peer"), server.url(QStringLiteral("/v1")).toString()), {}, {},
                   [](const workspace::KeyRef&) { return QByteArray(); });
        look.start(1);
        QObject::connect(&look, &QTimer::timeout, &look, [this] {
            most = std::max(most, core.arriving().bytes());
            waited = std::max(waited, core.arriving().waiting());
        });
    }

    void answerWith(const QByteArray& body, bool isAnnounced)
    {
        server.onRequest([=](testing::MisbehavingServer::Peer& peer) {
            if (isAnnounced)
                return peer.send(testing::answer(200, body, "Content-Type: application/json\r\n"));
            peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n" + body);
            peer.close();
        });
    }

    void embed()
    {
        engine::PassCall call{"peer", engine::PassOperation::Embeddings, R"({"input":"x"})"};
        call.intended = http::steadyNow();
        call.onFinished = [this](const engine::PassResult& result) {
            ended.push_back(result.record);
            bytes += result.body.size();
        };
        core.pass(std::move(call));
    }

    void chat()
    {
        engine::Call call;
        call.target = {engine::TargetKind::Endpoint, "peer"};
        call.request.messages = {{"user", QStringLiteral("hello")}};
        call.intended = http::steadyNow();
        call.onFinished = [this](const engine::CallResult& result) {
            ended.push_back(result.record);
            bytes += result.answer ? result.answer->text.size() : 0;
        };
        core.start(std::move(call));
    }

    testing::MisbehavingServer server;
    engine::EngineCore core;
    QTimer look;
    qint64 most = 0, bytes = 0;
    int waited = 0;
    std::vector<chain::RunRecord> ended;
};

class TestArriving : public QObject
{
    Q_OBJECT
public:
    explicit TestArriving(http::TransportKind kind)
        : kind_(kind)
    {
    }

private Q_SLOTS:
    void manyLargeAnswersWaitForEachOther_data()
    {
        QTest::addColumn<bool>("isAnnounced");
        QTest::addColumn<bool>("chat");
        QTest::newRow("vectors, with a length") << true << false;
        QTest::newRow("vectors, until close") << false << false;
        QTest::newRow("chats, with a length") << true << true;
        QTest::newRow("chats, until close") << false << true;
    }
    void manyLargeAnswersWaitForEachOther()
    {
        QFETCH(bool, isAnnounced);
        QFETCH(bool, chat);
        constexpr int count = 16;
        constexpr qint64 each = 4 * kMiB;
        Bench bench(kind_);
        bench.answerWith(chat ? words(each) : vectors(each), isAnnounced);
        for (int i = 0; i < count; ++i)
            chat ? bench.chat() : bench.embed();
        QTRY_COMPARE_WITH_TIMEOUT(int(bench.ended.size()), count, 30000);
        for (const chain::RunRecord& record : bench.ended)
            QVERIFY2(record.ending == chain::Ending::Answered, record.error.message.c_str());
        QVERIFY(bench.bytes >= count * each);
        QVERIFY2(bench.most <= kBudget, qPrintable(QString::number(bench.most)));
        QVERIFY2(bench.most > kBudget / 2, "nothing had to wait: the test shows nothing");
        QVERIFY(bench.waited > 0);
        QCOMPARE(bench.core.arriving().bytes(), 0);
        QCOMPARE(bench.core.arriving().refusedTotal(), 0);
    }

    void whatNeverHasRoomIsGivenUpHere()
    {
        Bench bench(kind_);
        bench.answerWith(vectors(24 * kMiB), true);
        bench.embed();
        QTRY_COMPARE_WITH_TIMEOUT(int(bench.ended.size()), 1, 30000);
        const chain::RunRecord& record = bench.ended.front();
        QCOMPARE(word(record.ending), word(chain::Ending::Failed));
        QCOMPARE(word(record.error.disposition.error), word(provider::ErrorClass::LocalReject));
        QCOMPARE(record.error.code, std::string(provider::kAnswersFull));
        QVERIFY(record.error.message.find("16 MiB") != std::string::npos);
        QVERIFY(record.error.disposition.breaker == policy::CallOutcome::Neutral);
        QCOMPARE(bench.core.arriving().bytes(), 0);
        QCOMPARE(bench.core.arriving().refusedTotal(), 1);
    }

    void whoLeavesMakesRoom()
    {
        Bench bench(kind_);
        bench.server.onRequest([](testing::MisbehavingServer::Peer& peer) {
            peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12582912\r\n\r\n");
            peer.flood(9 * kMiB);
        });
        engine::PassCall call{"peer", engine::PassOperation::Embeddings, R"({"input":"x"})"};
        call.intended = http::steadyNow();
        const engine::CallId stuck = bench.core.pass(std::move(call));
        QTRY_VERIFY_WITH_TIMEOUT(bench.core.arriving().bytes() == 9 * kMiB, 20000);
        bench.answerWith(vectors(12 * kMiB), true);
        bench.embed();
        QTRY_COMPARE_WITH_TIMEOUT(bench.core.arriving().waiting(), 1, 20000);
        bench.core.cancel(stuck);
        QTRY_COMPARE_WITH_TIMEOUT(int(bench.ended.size()), 1, 20000);
        QCOMPARE(word(bench.ended.front().ending), word(chain::Ending::Answered));
    }

private:
    http::TransportKind kind_;
};

} // namespace

int main(int argc, char** argv)
{
    return testing::runForBoth<TestArriving>(argc, argv);
}
#include "tst_arriving.moc"
