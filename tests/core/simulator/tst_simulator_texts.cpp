// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/transport.h"
#include "tests/core/simulator/simulator_client.h"

#include <QJsonArray>
#include <QTest>
#include <QtEndian>

using namespace sg;
using namespace sg::test;

/// What the simulator's answers say.
class tst_simulator_texts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void echoSaysWhichAnswerItIs()
    {
        Simulator simulator(scriptOf(kQuick + R"(,"text":"echo","chunk_tokens":1)"));
        QVERIFY(simulator.start());
        const auto bodyOf = [](bool stream) {
            return QByteArray(R"({"model":"m","stream":)") + (stream ? "true" : "false") +
                   R"(,"messages":[{"role":"user","content":"no"},{"role":"user","content":"id-7 \u0022x\u0022 \u00e4"}]})";
        };
        const auto whole = provider::parseWhole(call(simulator, "POST", kChatPath, bodyOf(false)).body);
        QVERIFY(whole);
        QCOMPARE(whole->text, QStringLiteral("a#0 id-7 \"x\" ä"));
        const auto streamed = read(call(simulator, "POST", kChatPath, bodyOf(true)).body)->finish();
        QVERIFY(streamed);
        QCOMPARE(streamed->text, QStringLiteral("a#1 id-7 \"x\" ä"));
    }

    void timeSaysWhenAPieceWasSent()
    {
        Simulator simulator(scriptOf(R"("latency":{"kind":"constant","ms":30},"text":"time")" + kFiveTokens));
        QVERIFY(simulator.start());
        const qint64 before = http::steadyNow().time_since_epoch().count() / 1000;
        const auto answer = read(chat(simulator, true).body)->finish();
        const qint64 after = http::steadyNow().time_since_epoch().count() / 1000;
        QVERIFY(answer);
        const QStringList times = answer->text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        QCOMPARE(times.size(), 3); // pieces of two tokens
        QVERIFY(times[0].toLongLong() >= before && times[1].toLongLong() >= times[0].toLongLong());
        QVERIFY(times[2].toLongLong() >= before + 30000 && times[2].toLongLong() <= after);
    }

    void toolIsCalledWhereOneIsBrought()
    {
        Simulator simulator(
            scriptOf(kQuick + R"(,"chunk_tokens":1,"tool_call":{"name":"sky","arguments":{"at":"\u00c5s","days":3}})"));
        QVERIFY(simulator.start());
        QVERIFY(provider::parseWhole(chat(simulator).body)->toolCalls.isEmpty());
        for (const bool stream : {false, true}) {
            const QByteArray body =
                chat(simulator, stream, R"(,"tools":[{"type":"function","function":{"name":"sky"}}])").body;
            const auto answer = stream ? read(body)->finish() : provider::parseWhole(body);
            QVERIFY(answer);
            QCOMPARE(answer->finishReason, std::string("tool_calls"));
            QCOMPARE(answer->toolCalls.size(), 1);
            const QJsonValue function = answer->toolCalls[0][QStringLiteral("function")];
            QCOMPARE(function[QStringLiteral("name")].toString(), QStringLiteral("sky"));
            QCOMPARE(function[QStringLiteral("arguments")].toString(), QStringLiteral("{\"at\":\"Ås\",\"days\":3}"));
        }
    }

    void embeddingsDependOnTheText()
    {
        Simulator simulator(scriptOf(kQuick));
        QVERIFY(simulator.start());
        const QJsonObject answer =
            call(simulator, "POST", "/a/v1/embeddings", R"({"model":"e","input":["one","two","one"]})").json();
        const QJsonArray data = answer[QStringLiteral("data")].toArray();
        QCOMPARE(data.size(), 3);
        const auto vectorOf = [&](int i) { return data[i][QStringLiteral("embedding")].toArray(); };
        QCOMPARE(vectorOf(0).size(), 8);
        QCOMPARE(vectorOf(0), vectorOf(2));
        QVERIFY(vectorOf(0) != vectorOf(1));
        QCOMPARE(answer[QStringLiteral("model")].toString(), QStringLiteral("e"));
        const QByteArray packed = QByteArray::fromBase64(
            call(simulator, "POST", "/a/v1/embeddings", R"({"model":"e","input":"two","encoding_format":"base64"})")
                .json()[QStringLiteral("data")][0][QStringLiteral("embedding")]
                .toString()
                .toLatin1());
        QCOMPARE(packed.size(), 8 * 4);
        QCOMPARE(qFromLittleEndian<float>(packed.constData() + 4), float(vectorOf(1)[1].toDouble()));
        QCOMPARE(call(simulator, "POST", "/a/v1/embeddings", "{}").status, 400);
    }
};

QTEST_GUILESS_MAIN(tst_simulator_texts)
#include "tst_simulator_texts.moc"
