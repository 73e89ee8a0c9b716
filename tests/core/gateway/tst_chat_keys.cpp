// SPDX-License-Identifier: GPL-3.0-or-later
// A provider that repeats the operator's key in an answer tells no application of it.
#include "tests/core/gateway/chat_scene.h"
#include "tests/support/json.h"
#include "tests/support/strict_client.h"

#include <QTest>

using namespace sg;
using namespace sg::test;

namespace {

const QByteArray kKey = "odd-key-0123456789";
QByteArray quoted(QByteArray json)
{
    return json.replace('\'', '"');
}

const QByteArray kStreamDone =
    quoted("data: {'choices':[{'index':0,'delta':{},'finish_reason':'odd-key-0123456789'}]}\n\ndata: [DONE]\n\n");

class KeyScene : public ChatScene
{
public:
    KeyScene()
    {
        workspace::Workspace keyed = oneTier();
        keyed.endpoints[0].key = {workspace::KeySource::Session, QStringLiteral("first")};
        core.apply(keyed, {}, server.base(), [](const workspace::KeyRef&) { return kKey; });
    }
    void say(const QByteArray& body)
    {
        server.on("first", [body](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->send(200, {{"Content-Type", "application/json"}}, body);
        });
    }
    /// Each part of the text in an event of its own.
    void stream(const QByteArrayList& parts)
    {
        server.on("first", [parts](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->begin(200, kEvents);
            for (const QByteArray& part : parts)
                responder->write(quoted("data: {'id':'a-odd-key-0123456789','model':'m-odd-key-0123456789','choices':"
                                        "[{'index':0,'delta':{'content':'" +
                                        part + "'}}]}\n\n"));
            responder->write(kStreamDone);
            responder->end();
        });
    }
};

QString textOf(const QByteArray& events)
{
    QString text;
    for (const QJsonObject& chunk : chunksOf(events))
        text += chunk["choices"_L1][0]["delta"_L1]["content"_L1].toString();
    return text;
}

} // namespace

class TestChatKeys : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whole()
    {
        KeyScene scene;
        scene.say(quoted("{'id':'a-odd-key-0123456789','model':'m-odd-key-0123456789','choices':[{'index':0,"
                         "'finish_reason':'odd-key-0123456789','message':{'role':'assistant',"
                         "'content':'is odd-key-0123456789.','reasoning_content':'odd-key-\\u0030123456789?',"
                         "'tool_calls':[{'id':'c-odd-key-0123456789','type':'function','function':"
                         "{'name':'odd-key-0123456789','arguments':'a: odd-key-0123456789'}}]}}]}"));
        const WireAnswer answer = scene.ask();
        QCOMPARE(answer.status, 200);
        QVERIFY2(!answer.body.contains("0123456789"), answer.body.constData());
        QCOMPARE(answer.json()["id"_L1].toString(), QStringLiteral("a-***"));
        QCOMPARE(answer.json()["model"_L1].toString(), QStringLiteral("m-***"));
        const QJsonValue message = answer.json()["choices"_L1][0]["message"_L1];
        QCOMPARE(message["content"_L1].toString(), QStringLiteral("is ***."));
        QCOMPARE(message["tool_calls"_L1][0]["function"_L1]["arguments"_L1].toString(), QStringLiteral("a: ***"));
    }

    void streamed_data()
    {
        QTest::addColumn<QByteArrayList>("parts");
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const QByteArrayList& parts, const QString& text) {
            QTest::newRow(name) << parts << text;
        };
        row("in one piece", {"is ", "odd-key-0123456789", "."}, QStringLiteral("is ***."));
        row("in two", {"is odd-key", "-0123456789."}, QStringLiteral("is ***."));
        row("in two, at the end", {"is odd-key-01", "23456789"}, QStringLiteral("is ***"));
        row("cut early", {"is o", "dd-key-0123456789."}, QStringLiteral("is o***."));
        row("in many", {"is odd-", "key", "-", "01", "2345", "67", "89", "."}, QStringLiteral("is ***."));
        row("enough of it", {"odd-", "key-0", " and so on"}, QStringLiteral("*** and so on"));
        row("none at all", {"odd-", "keyed", " odd-k"}, QStringLiteral("odd-keyed odd-k"));
    }
    void streamed()
    {
        QFETCH(QByteArrayList, parts);
        QFETCH(QString, text);
        KeyScene scene;
        scene.stream(parts);
        const WireAnswer answer = scene.ask(chatBody(kStream));
        QCOMPARE(answer.status, 200);
        QVERIFY2(!answer.body.contains("-0"), answer.body.constData());
        QCOMPARE(textOf(answer.body), text);
        const QJsonObject first = chunksOf(answer.body).front();
        QCOMPARE(first["id"_L1].toString(), QStringLiteral("a-***"));
        QCOMPARE(first["model"_L1].toString(), QStringLiteral("m-***"));
        QVERIFY(answer.body.contains("[DONE]"));
    }

    /// What was held back comes before the error.
    void brokenOff()
    {
        KeyScene scene;
        scene.server.on("first", [](const http::ServerRequest&, std::shared_ptr<http::Responder> responder) {
            responder->begin(200, kEvents);
            responder->write(ChatServer::chunk("is odd-"));
            responder->write(ChatServer::chunk("key"));
            responder->end();
        });
        const WireAnswer answer = scene.ask(chatBody(kStream));
        QCOMPARE(textOf(answer.body), QStringLiteral("is odd-key"));
        QVERIFY(answer.body.contains("\"error\""));
    }

    void cachedAnswersHoldNone()
    {
        KeyScene scene;
        workspace::Workspace keyed = oneTier([](workspace::Workspace& next) {
            next.endpoints[0].key = {workspace::KeySource::Session, QStringLiteral("first")};
            next.chains[0].spec.cache.emplace();
        });
        scene.core.apply(keyed, {}, scene.server.base(), [](const workspace::KeyRef&) { return kKey; });
        scene.stream({"is odd-key", "-0123456789."});
        (void)scene.ask(chatBody(kStream));
        const WireAnswer again = scene.ask();
        QCOMPARE(again.header("x-switchgear-cache"), QByteArray("hit"));
        QCOMPARE(again.json()["choices"_L1][0]["message"_L1]["content"_L1].toString(), QStringLiteral("is ***."));
    }
};

QTEST_GUILESS_MAIN(TestChatKeys)
#include "tst_chat_keys.moc"
