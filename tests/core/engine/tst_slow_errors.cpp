// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_core.h"
#include "tests/support/both_transports.h"
#include "tests/support/misbehaving_server.h"
#include "tests/support/word.h"

#include <QTest>

using namespace sg;
using test::word;
using testing::MisbehavingServer;

namespace {

constexpr std::chrono::seconds kSoon{4}; // the endpoints' own limits are far beyond

workspace::Endpoint endpointOn(const MisbehavingServer& server, const std::string& name)
{
    workspace::Endpoint endpoint;
    endpoint.provider = QStringLiteral("openai-compatible");
    endpoint.baseUrl = server.url(QStringLiteral("/v1")).toString();
    endpoint.model = QStringLiteral("m");
    endpoint.spec.name = name;
    return endpoint;
}

engine::EngineOptions optionsFor(http::TransportKind kind)
{
    engine::EngineOptions options;
    options.transport = kind;
    return options;
}

/// Chain "chain" over two servers, each asked once.
class Bench
{
public:
    explicit Bench(http::TransportKind kind)
        : core(optionsFor(kind))
    {
        workspace::Workspace workspace;
        workspace.endpoints = {endpointOn(first, "first"), endpointOn(second, "second")};
        workspace::Chain chain;
        chain.spec.name = "chain";
        for (const char* name : {"first", "second"}) {
            chain::TierSpec tier;
            tier.name = tier.endpoint = name;
            tier.maxAttempts = 1;
            chain.spec.tiers.push_back(tier);
        }
        workspace.chains = {chain};
        core.apply(workspace, {}, {}, [](const workspace::KeyRef&) { return QByteArray(); });
        second.onRequest([](MisbehavingServer::Peer& peer) {
            peer.send(testing::answer(200,
                                      R"({"choices":[{"index":0,"message":{"role":"assistant","content":"hi"},)"
                                      R"("finish_reason":"stop"}]})",
                                      "Content-Type: application/json\r\n"));
        });
    }

    void chat(bool stream)
    {
        engine::Call call;
        call.target = {engine::TargetKind::Chain, "chain"};
        call.request.messages = {{"user", QStringLiteral("hello")}};
        call.request.stream = stream;
        call.intended = http::steadyNow();
        bool done = false;
        call.onFinished = [&](const engine::CallResult& result) {
            record = result.record;
            done = true;
        };
        core.start(std::move(call));
        QVERIFY(QTest::qWaitFor([&] { return done; }, 20000));
    }

    void embed()
    {
        bool done = false;
        engine::PassCall call{"first", engine::PassOperation::Embeddings, R"({"input":"x"})"};
        call.intended = http::steadyNow();
        call.onFinished = [&](const engine::PassResult& result) {
            record = result.record;
            done = true;
        };
        core.pass(std::move(call));
        QVERIFY(QTest::qWaitFor([&] { return done; }, 20000));
    }

    const chain::AttemptRecord& firstAttempt() const
    {
        for (const chain::Step& step : record.steps)
            if (const auto* attempt = std::get_if<chain::AttemptRecord>(&step))
                return *attempt;
        qFatal("no attempt");
    }

    MisbehavingServer first, second;
    engine::EngineCore core;
    chain::RunRecord record;
};

/// Says what is wrong at once, and never comes to the end of it.
void answerSlowly(MisbehavingServer& server, int status, const QByteArray& headers = {})
{
    server.onRequest([=](MisbehavingServer::Peer& peer) {
        peer.send("HTTP/1.1 " + QByteArray::number(status) + " X\r\nContent-Type: application/json\r\n" + headers +
                  "Content-Length: 100000\r\n\r\n" + R"({"error":{"message":"not today","code":null}})");
        peer.drip(" ", 20, 2000);
    });
}

class TestSlowErrors : public QObject
{
    Q_OBJECT
public:
    explicit TestSlowErrors(http::TransportKind kind)
        : kind_(kind)
    {
    }

private Q_SLOTS:
    void theNextTierDoesNotWaitForTheRest_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<bool>("stream");
        std::vector<int> statuses{403, 503, 529};
        if (kind_ == http::TransportKind::Curl)
            statuses.push_back(401); // of which Qt tells nothing before its body has ended
        for (const int status : statuses)
            for (const bool stream : {false, true})
                QTest::addRow("%d %s", status, stream ? "streamed" : "whole") << status << stream;
    }
    void theNextTierDoesNotWaitForTheRest()
    {
        QFETCH(int, status);
        QFETCH(bool, stream);
        Bench bench(kind_);
        answerSlowly(bench.first, status);
        bench.chat(stream);
        QCOMPARE(word(bench.record.ending), word(chain::Ending::Answered));
        QCOMPARE(bench.record.endpoint, std::string("second"));
        QVERIFY(bench.record.ended - bench.record.started < kSoon);
        QCOMPARE(bench.firstAttempt().error.status, status);
        QCOMPARE(bench.firstAttempt().error.message, std::string("not today")); // what came of it counts
        QTRY_COMPARE(bench.first.open(), 0);
    }

    void aWaitThatHeadersAskForIsHeeded()
    {
        Bench bench(kind_);
        answerSlowly(bench.first, 429, "Retry-After: 33\r\n");
        bench.chat(false);
        QCOMPARE(bench.record.endpoint, std::string("second"));
        QVERIFY(bench.record.ended - bench.record.started < kSoon);
        QCOMPARE(word(bench.firstAttempt().error.disposition.error), word(provider::ErrorClass::RateLimited));
        QVERIFY(bench.firstAttempt().error.hint.asked() == Nanos(std::chrono::seconds(33)));
    }

    void whatIsPassedOnDoesNotWaitEither()
    {
        Bench bench(kind_);
        answerSlowly(bench.first, 403);
        bench.embed();
        QCOMPARE(word(bench.record.ending), word(chain::Ending::Failed));
        QCOMPARE(bench.record.error.status, 403);
        QVERIFY(bench.record.ended - bench.record.started < kSoon);
    }

    void ofAnErrorThatIsPassedOnOnlyTheMessageIsRead()
    {
        Bench bench(kind_);
        bench.first.onRequest([](MisbehavingServer::Peer& peer) {
            peer.send("HTTP/1.1 503 Busy\r\n\r\n");
            peer.flood(60 << 20);
        });
        bench.embed();
        QCOMPARE(bench.record.error.status, 503);
        QVERIFY2(bench.first.lastPeer()->flooded() < 32 << 20, "read on");
    }

private:
    http::TransportKind kind_;
};

} // namespace

int main(int argc, char** argv)
{
    return testing::runForBoth<TestSlowErrors>(argc, argv);
}
#include "tst_slow_errors.moc"
