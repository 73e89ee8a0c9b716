// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/literals.h"
#include "ui/playground/request_json.h"

#include <QTest>

using namespace sg;
using namespace sg::test;

class TestRequestJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writtenIsReadAgain();
    void unknownFieldsStay();
    void ownFieldsAreLeftOut();
    void problemsNameTheirLine_data();
    void problemsNameTheirLine();
};

void TestRequestJson::writtenIsReadAgain()
{
    provider::ChatRequest request;
    request.messages = {{"system", QStringLiteral("Be brief."), {}}, {"user", QStringLiteral("Zürich?\n\"x\""), {}}};
    request.sampling.temperature = 0.2;
    request.sampling.maxTokens = 77;
    request.stream = true;
    request.tools = {QJsonObject{{QStringLiteral("type"), QStringLiteral("function")}}};
    request.extra = {{QStringLiteral("seed"), 7}};
    const QString text = ui::requestjson::write(request);
    QVERIFY(!text.contains(QLatin1String("\"model\"")) && !text.contains(QLatin1String("stream_options")));
    const auto read = ui::requestjson::read(text);
    QVERIFY(read);
    QCOMPARE(read->messages.size(), std::size_t(2));
    QCOMPARE(read->messages[1].text, request.messages[1].text);
    QCOMPARE(read->messages[0].role, std::string("system"));
    QVERIFY(read->sampling == request.sampling);
    QVERIFY(read->stream);
    QCOMPARE(read->tools, request.tools);
    QCOMPARE(read->extra, request.extra);
    QCOMPARE(ui::requestjson::write(*read), text);
}

void TestRequestJson::unknownFieldsStay()
{
    const auto read = ui::requestjson::read(QStringLiteral(
        R"({"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x/y.png"}}]},)"
        R"({"role":"assistant","content":null,"tool_calls":[{"id":"1"}]}],"response_format":{"type":"json_object"}})"));
    QVERIFY(read);
    QVERIFY(provider::needsOf(*read).images);
    QVERIFY(provider::needsOf(*read).jsonMode);
    QVERIFY(read->messages[1].fields.contains("tool_calls"_L1));
}

void TestRequestJson::ownFieldsAreLeftOut()
{
    const auto read = ui::requestjson::read(QStringLiteral(
        R"({"model":"gpt-9","stream_options":{"include_usage":true},"messages":[{"role":"user","content":"x"}]})"));
    QVERIFY(read);
    QVERIFY(read->extra.isEmpty());
}

void TestRequestJson::problemsNameTheirLine_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("line");
    const auto row = [](const char* name, const char* text, int line) {
        QTest::newRow(name) << QString::fromUtf8(text) << line;
    };
    row("empty", "", 1);
    row("a comma too many", "{\n\"messages\": [\n],\n}", 4);
    row("cut", "{\"messages\": [", 1);
    row("a list", "[1]", 1);
    row("no messages", "{}", 0);
    row("messages no list", "{\n \"stream\": true,\n \"messages\": 1}", 3);
    row("temperature", "{\n\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\n\"temperature\": 3}", 3);
    row("max tokens", "{\n\"max_tokens\": 1.5,\n\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}", 2);
    row("stream", "{\n\n\"stream\": 1,\n\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}", 3);
    row("no role", "{\n\"messages\":[{\"content\":\"x\"}]}", 2);
    row("no content", "{\n\"messages\":[{\"role\":\"user\"}]}", 2);
}

void TestRequestJson::problemsNameTheirLine()
{
    QFETCH(QString, text);
    QFETCH(int, line);
    const auto read = ui::requestjson::read(text);
    QVERIFY(!read);
    QCOMPARE(read.error().line, line);
    QVERIFY(read.error().words.endsWith(QLatin1Char('.')));
}

QTEST_GUILESS_MAIN(TestRequestJson)
#include "tst_request_json.moc"
