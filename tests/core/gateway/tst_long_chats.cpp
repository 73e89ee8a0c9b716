// SPDX-License-Identifier: GPL-3.0-or-later
// Long chats and long answers are written and read beside the engine thread; what comes of them is the same.
#include "core/chain/cache.h"
#include "core/gateway/chat_request.h"
#include "core/gateway/long_bodies.h"
#include "tests/core/gateway/served_scene.h"
#include "tests/support/json.h"
#include "tests/support/strict_client.h"

#include <QTest>

using namespace sg;
using namespace sg::test;

namespace {

const QByteArray kText(1024 * 1024, 'x');
const QByteArray kLongChat = chatBody({}, "chat", kText);

/// Keeps what it was asked, and answers the length of the text.
struct Listening
{
    QList<QByteArray> asked;
    ChatServer::Handler handler(int status = 200)
    {
        return [this, status](const http::ServerRequest& request, std::shared_ptr<http::Responder> responder) {
            asked << object(request.body)["messages"_L1][0]["content"_L1].toString().toUtf8();
            if (status != 200)
                return responder->send(status, {}, "{}");
            ChatServer::answers(QByteArray::number(asked.back().size()))(request, std::move(responder));
        };
    }
};

QString contentOf(const WireAnswer& answer)
{
    return answer.json()["choices"_L1][0]["message"_L1]["content"_L1].toString();
}

} // namespace

class TestLongChats : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void comesWholeAlsoToTheNextTier()
    {
        ServedScene scene;
        Listening first, second;
        scene.server.on("first", first.handler(503));
        scene.server.on("second", second.handler());
        const WireAnswer answer = scene.ask(kLongChat);
        QCOMPARE(contentOf(answer), QString::number(kText.size()));
        QVERIFY(!first.asked.isEmpty());
        QVERIFY(first.asked.back() == kText && second.asked.back() == kText);
        QCOMPARE(answer.header("x-switchgear-endpoint"), QByteArray("second"));
    }

    void isStreamed()
    {
        ServedScene scene;
        scene.server.on("first", ChatServer::streams({"a", "b"}));
        const WireAnswer answer = scene.ask(chatBody(kStream, "chat", kText));
        QCOMPARE(answer.status, 200);
        QCOMPARE(strictProblem(answer.body, false, {}), QString());
    }

    void factsAreThoseOfTheRequest()
    {
        const auto plain = gateway::readChat(kLongChat), cached = gateway::readLongChatForCache(kLongChat);
        QVERIFY(plain && cached && cached->facts);
        QVERIFY(!plain->facts && !gateway::readLongChat(chatBody())->facts);
        QCOMPARE(cached->facts->needs.estimatedInputTokens, provider::needsOf(plain->request).estimatedInputTokens);
        QCOMPARE(chain::cacheKey("chat", plain->request, cached->facts->digest),
                 chain::cacheKey("chat", plain->request));
    }

    void isFoundInTheCache()
    {
        workspace::Workspace workspace = gatewayWorkspace();
        workspace.chains[0].spec.cache.emplace();
        ServedScene scene(workspace);
        scene.server.on("first", ChatServer::answers("kept"));
        QCOMPARE(scene.ask(kLongChat).header("x-switchgear-cache"), QByteArray("miss"));
        QCOMPARE(scene.ask(kLongChat).header("x-switchgear-cache"), QByteArray("hit"));
        QCOMPARE(scene.ask(chatBody({}, "chat", kText + 'y')).header("x-switchgear-cache"), QByteArray("miss"));
        QCOMPARE(scene.server.requests("first"), 2);
    }

    void whoLeavesAsItIsWrittenAsksNobody()
    {
        ServedScene scene;
        Listening first;
        scene.server.on("first", first.handler());
        for (int turns = 0; turns < 12; ++turns) { // each at another moment of the way
            GatewayClient client(scene.port);
            client.post(kLongChat);
            for (int i = 0; i < turns; ++i)
                QTest::qWait(1);
            client.socket.abort();
        }
        QTRY_COMPARE(scene.gateway->figures().connections, 0);
        QTRY_COMPARE(scene.gateway->figures().inFlight, 0);
        QCOMPARE(contentOf(scene.ask(kLongChat)), QString::number(kText.size()));
        for (const gateway::Ended& each : scene.ended)
            QVERIFY2(each.status == gateway::kClientLeft || each.status == 200,
                     qPrintable(QString::number(each.status)));
    }

    void endsWithOneThatIsWritten()
    {
        auto scene = std::make_unique<ServedScene>();
        std::vector<std::shared_ptr<http::Responder>> unanswered; // so that it is there whenever one looks
        scene->server.on("first", [&](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            unanswered.push_back(std::move(responder));
        });
        GatewayClient client(scene->port);
        client.post(kLongChat);
        QTRY_VERIFY(scene->core.inFlight() == 1);
        scene->gateway.reset();
        unanswered.clear();
        scene.reset();
    }

    void longAnswersComeWhole()
    {
        ServedScene scene;
        scene.server.on("first", ChatServer::answers(kText));
        for (const QByteArray& more : {QByteArray(), kStream}) {
            const WireAnswer answer = scene.ask(chatBody(more));
            QCOMPARE(answer.status, 200);
            QVERIFY(answer.body.size() > kText.size());
            if (more.isEmpty())
                QVERIFY(contentOf(answer).toUtf8() == kText);
        }
    }

    void longAnswersToSmallChatsComeWhole()
    {
        ServedScene scene;
        scene.server.on("first", ChatServer::answers(kText));
        GatewayClient client(scene.port);
        client.post(R"({"message":"hi"})", {}, "/chat");
        const WireAnswer answer = client.answer();
        QCOMPARE(answer.status, 200);
        QVERIFY(answer.json()["response"_L1].toString().toUtf8() == kText);
        QCOMPARE(answer.header("x-switchgear-endpoint"), QByteArray("first"));
    }

    void whoLeavesAsItsAnswerIsWritten()
    {
        ServedScene scene;
        scene.server.on("first", ChatServer::answers(kText));
        for (int turns = 0; turns < 12; ++turns) { // each at another moment of the way
            GatewayClient client(scene.port);
            client.post(chatBody());
            QTRY_VERIFY(scene.server.requests("first") == turns + 1);
            for (int i = 0; i < turns; ++i)
                QTest::qWait(1);
            client.socket.abort();
        }
        QTRY_COMPARE(scene.gateway->figures().connections, 0);
        QTRY_COMPARE(scene.gateway->figures().inFlight, 0);
        QCOMPARE(scene.core.arriving().bytes(), 0);
        QVERIFY(contentOf(scene.ask()).toUtf8() == kText);
    }

    void longAnswersThatAreNone()
    {
        ServedScene scene;
        const auto cut = [](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->send(200, {{"Content-Type", "application/json"}}, "{\"choices\":[\"" + kText);
        };
        scene.server.on("first", cut);
        scene.server.on("second", cut);
        QCOMPARE(scene.ask().status, 502);
    }
};

QTEST_GUILESS_MAIN(TestLongChats)
#include "tst_long_chats.moc"
