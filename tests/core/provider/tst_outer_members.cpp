// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/outer_members.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using sg::provider::OuterMembers;

namespace {

constexpr std::string_view kA = "a", kB = "b";

struct Found
{
    bool isWhole = false;
    QByteArray a, b;
    bool operator==(const Found&) const = default;
};

Found inPieces(const QByteArray& json, qsizetype length)
{
    OuterMembers members({kA, kB});
    for (qsizetype at = 0; at < json.size(); at += length) {
        const qsizetype count = std::min(length, json.size() - at);
        members.feed({json.constData() + at, static_cast<std::size_t>(count)});
    }
    const auto value = [&](std::string_view name) {
        const auto& found = members[name];
        return found.to < 0 ? QByteArray() : json.mid(found.from, found.to - found.from);
    };
    return {members.isWhole(), value(kA), value(kB)};
}

} // namespace

class TestOuterMembers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void finds_data();
    void finds();
    void refuses_data();
    void refuses();
    void tellsWhatAValueIs();
    void escapesAreRead();
};

void TestOuterMembers::finds_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    const auto row = [](const char* name, const char* json, const char* a, const char* b) {
        QTest::newRow(name) << QByteArray(json) << QByteArray(a) << QByteArray(b);
    };
    row("none", "{}", "", "");
    row("objects", R"({"a":{"x":[1,{"b":2}]},"b":[]})", R"({"x":[1,{"b":2}]})", "[]");
    row("words", R"({"b":-1.5e+3,"a":true})", "true", "-1.5e+3");
    row("blanks", " \r\n{ \"a\" : null ,\t\"b\" : \"x\" } \n", "null", R"("x")");
    row("byte order mark", "\xEF\xBB\xBF{\"a\":1}", "1", "");
    row("nested names", R"({"z":{"a":1,"b":2},"b":3})", "", "3");
    row("brackets in strings", R"({"z":["]}","\"]"],"a":"}\\","b":"\"{"})", R"("}\\")", R"("\"{")");
    row("names in strings", R"({"z":"\"a\":1","b":2})", "", "2");
    row("the last counts", R"({"a":1,"a":{"x":2}})", R"({"x":2})", "");
    row("escaped names", R"({"\u0061":1,"\"a":2,"b":3})", "", "3");
    row("empty strings", R"({"a":"","z":["",""],"b":""})", R"("")", R"("")");
}

void TestOuterMembers::finds()
{
    QFETCH(const QByteArray, json);
    QFETCH(const QByteArray, a);
    QFETCH(const QByteArray, b);
    const Found wanted{true, a, b};
    QVERIFY(QJsonDocument::fromJson(json).isObject());
    for (const qsizetype length : {qsizetype(1), qsizetype(2), qsizetype(3), qsizetype(7), json.size()}) {
        const Found found = inPieces(json, length);
        QVERIFY2(found == wanted, qPrintable(QStringLiteral("pieces of %1: %2, a %3, b %4")
                                                 .arg(length)
                                                 .arg(found.isWhole)
                                                 .arg(QString::fromUtf8(found.a), QString::fromUtf8(found.b))));
    }
}

void TestOuterMembers::refuses_data()
{
    QTest::addColumn<QByteArray>("json");
    const QByteArrayList all = {"",
                                "[]",
                                "null",
                                "\"a\"",
                                "{",
                                "{\"a\"}",
                                "{\"a\":}",
                                "{\"a\":1",
                                "{\"a\":1,}",
                                "{\"a\":1}}",
                                "{\"a\":1} x",
                                "{\"a\":1}{}",
                                "{,\"a\":1}",
                                "{\"a\" 1}",
                                "{\"a\":1 2}",
                                "{\"a\":[}",
                                "{\"a\":[1}]",
                                "{\"a\":{]}",
                                "{\"a\":\"x}",
                                "{\"a\":\"x\\\"}",
                                "{a:1}",
                                "<html>",
                                QByteArray("{\"a\":") + QByteArray(2000, '[') + QByteArray(2000, ']') + '}'};
    for (const QByteArray& json : all)
        QTest::addRow("%s", json.left(20).constData()) << json;
}

void TestOuterMembers::refuses()
{
    QFETCH(const QByteArray, json);
    QVERIFY(!QJsonDocument::fromJson(json).isObject());
    for (const qsizetype length : {qsizetype(1), std::max(json.size(), qsizetype(1))})
        QVERIFY(!inPieces(json, length).isWhole);
}

void TestOuterMembers::tellsWhatAValueIs()
{
    OuterMembers members({kA, kB});
    members.feed(R"({"a":[1],"b":{}})");
    QCOMPARE(members[kA].first, '[');
    QCOMPARE(members[kB].first, '{');
    QVERIFY(members["nobody"].to < 0);
}

/// Many escapes must not make each look for the same quote again.
void TestOuterMembers::escapesAreRead()
{
    const QByteArray text = QByteArray("\\\\").repeated(2'000'000);
    const Found found = inPieces("{\"z\":\"" + text + "\",\"a\":1}", 64 * 1024);
    QVERIFY(found.isWhole);
    QCOMPARE(found.a, QByteArray("1"));
}

QTEST_APPLESS_MAIN(TestOuterMembers)
#include "tst_outer_members.moc"
