// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/hide_key.h"
#include "core/provider/mask.h"

#include <QRegularExpression>
#include <QTest>

using namespace sg;

namespace {

class TestHideKey : public QObject
{
    Q_OBJECT

    /// In pieces up to three raw characters of a mention may have gone out before it was one.
    static void checkShown(QString out, const QByteArray& shown)
    {
        const QString wanted = QString::fromUtf8(shown);
        const QString raw = QStringLiteral("o|od|odd|\\\\|\\\\u|\\\\u0");
        out.replace(QRegularExpression(QStringLiteral("(%1)\\*\\*\\*").arg(raw)), QStringLiteral("***"));
        QCOMPARE(out, wanted);
    }

private Q_SLOTS:
    void hides_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char* name, const QByteArray& text, const QByteArray& shown) {
            QTest::newRow(name) << text << shown;
        };
        row("nothing", "", "");
        row("no key", "hello", "hello");
        row("alone", "odd-key-0001", "***");
        row("inside", "a odd-key-0001 b", "a *** b");
        row("twice", "odd-key-0001odd-key-0001", "******");
        row("cut", "it is odd-key-00", "it is ***");
        row("cut in the middle", "it is odd-key-0… or so", "it is ***… or so");
        row("too little of it", "an odd-key", "an odd-key");
        row("overlapping start", "odd-key-odd-key-0001", "******");
    }
    void hides()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, shown);
        const QByteArray key = "odd-key-0001";
        QCOMPARE(engine::hideKey(text, key), shown);
        QCOMPARE(engine::hideKey(QString::fromUtf8(text), key), QString::fromUtf8(shown));
        QCOMPARE(engine::hideKey(text.toStdString(), key), shown.toStdString());
        // However it comes in two pieces, one of them shows it.
        for (qsizetype at = 0; at <= text.size(); ++at)
            QCOMPARE(engine::mentionsKey(text.first(at), 0, key) || engine::mentionsKey(text, at, key), shown != text);
    }

    void hidesHoweverItIsWritten_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char* name, const QByteArray& text, const QByteArray& shown) {
            QTest::newRow(name) << text << shown;
        };
        row("as it is", "m-odd/key+00/0001=", "m-***");
        row("as in addresses", "m-odd%2Fkey%2b00%2f0001%3D.", "m-***.");
        row("as PHP's JSON", R"(m-odd\/key+00\/0001= x)", "m-*** x");
        row("as .NET's JSON", R"(m-odd/key\u002B00/0001\u003d x)", "m-*** x");
        row("all of it escaped", R"(\u006f\u0064\u0064\u002f\u006b\u0065\u0079\u002b00)", "***");
        row("cut in an escape", "odd%2Fkey%2B00%2", "***%2");
        row("escapes of others", R"(odd%2Ekey\u002E \\ %)", R"(odd%2Ekey\u002E \\ %)");
    }
    void hidesHoweverItIsWritten()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, shown);
        const QByteArray key = "odd/key+00/0001=";
        QCOMPARE(engine::hideKey(text, key), shown);
        QCOMPARE(engine::hideKey(QString::fromUtf8(text), key), QString::fromUtf8(shown));
        for (qsizetype at = 0; at <= text.size(); ++at)
            QCOMPARE(engine::mentionsKey(text.first(at), 0, key) || engine::mentionsKey(text, at, key), shown != text);
    }

    /// Signs of escapes are a matter of the key itself then, and one text can be read in more than one way.
    void hidesKeysWithSignsOfEscapes_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char* name, const QByteArray& key, const QByteArray& text, const QByteArray& shown) {
            QTest::newRow(name) << key << text << shown;
        };
        const QByteArray percent = "odd%2Fkey%0001", slash = R"(odd\key\\0001)", html = "odd&key<00>\"01'";
        row("percent as it is", percent, "a odd%2Fkey%0001 b", "a *** b");
        row("percent in an address", percent, "?k=odd%252Fkey%250001&x", "?k=***&x");
        row("percent, all in an address", percent, "%6F%64%64%25%32%46%6b%65%79%25%30%30%30%31.", "***.");
        row("percent in JSON", percent, R"("odd\u00252Fkey\u00250001")", "\"***\"");
        row("percent in HTML", percent, "odd&percnt;2Fkey&#37;0001;", "***;");
        row("backslash as it is", slash, R"(a odd\key\\0001 b)", "a *** b");
        row("backslash in JSON", slash, R"(a odd\\key\\\\0001 b)", "a *** b");
        row("backslash as a number", slash, R"(a odd\u005ckey\u005C\u005c0001 b)", "a *** b");
        row("backslash in an address", slash, "odd%5Ckey%5c%5C0001&", "***&");
        row("backslash in HTML", slash, "odd&bsol;key&#92;&#x5C;0001&", "***&");
        row("HTML as it is", html, "odd&key<00>\"01'.", "***.");
        row("HTML escaped", html, "<b>odd&amp;key&lt;00&gt;&quot;01&#x27;</b>", "<b>***</b>");
        row("HTML escaped with numbers", html, "odd&#38;key&#060;00&#x3e;&#34;01&#39;;", "***;");
        row("entities of others", html, "odd&nbsp;key &amp; &lt;b&gt; &#38;c R&D",
            "odd&nbsp;key &amp; &lt;b&gt; &#38;c R&D");
        row("cut", percent, "it is odd%252Fkey%25", "it is ***");
    }
    void hidesKeysWithSignsOfEscapes()
    {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, shown);
        QCOMPARE(engine::hideKey(text, key), shown);
        QCOMPARE(engine::hideKey(QString::fromUtf8(text), key), QString::fromUtf8(shown));
        const QString all = QString::fromUtf8(text);
        for (qsizetype at = 0; at <= text.size(); ++at) {
            QCOMPARE(engine::mentionsKey(text.first(at), 0, key) || engine::mentionsKey(text, at, key), shown != text);
            engine::KeyHider hider(key);
            QString out = hider.take(all.first(at));
            out += hider.take(all.mid(at));
            out += hider.rest();
            QCOMPARE(hider.hasHidden(), shown != text);
            for (qsizetype from = 0; shown != text && from + 4 <= key.size(); ++from)
                QVERIFY2(!out.contains(QString::fromUtf8(key.mid(from, 4))), qPrintable(out));
        }
    }

    /// However a text is cut, what is shown of it holds no four characters of the key, and nothing else is lost.
    void pieces_data() { hidesHoweverItIsWritten_data(); }
    void pieces()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, shown);
        const QByteArray key = "odd/key+00/0001=";
        const QString all = QString::fromUtf8(text);
        for (qsizetype cut = 0; cut <= all.size(); ++cut) {
            for (qsizetype second = cut; second <= all.size(); ++second) {
                engine::KeyHider hider(key);
                QString out;
                for (const QString& piece : {all.first(cut), all.mid(cut, second - cut), all.mid(second)})
                    out += hider.take(piece);
                out += hider.rest();
                checkShown(out, shown);
                if (QTest::currentTestFailed())
                    return;
            }
        }
        engine::KeyHider hider(key);
        QString out;
        for (const QChar each : all)
            out += hider.take(each);
        out += hider.rest();
        checkShown(out, shown);
    }

    void ordinaryTextIsNotHeld()
    {
        engine::KeyHider hider("sk-proj-0001");
        for (const char* piece : {"This is", " a sk", "-", "ill", " of 50%", " s", "k", "\\", "u00e9", "sk-"})
            QCOMPARE(hider.take(QString::fromLatin1(piece)), QString::fromLatin1(piece));
        QVERIFY(!hider.isHolding());
        QCOMPARE(hider.take(QStringLiteral("pr")), QString());
        QVERIFY(hider.isHolding());
        QCOMPARE(hider.take(QStringLiteral("actice")), QStringLiteral("practice"));
        QCOMPARE(hider.take(QStringLiteral("sk-proj-0001!")), QStringLiteral("***!"));
        QCOMPARE(hider.rest(), QString());
    }

    /// What looks like a key is masked before, and may end where this key goes on.
    void theRestBehindAMaskIsHidden()
    {
        const QByteArray key = "sk-testtest/SECRET~TAIL+end==";
        const std::string masked = provider::shortMessage(QStringLiteral("key %1 bad").arg(QLatin1String(key)));
        QCOMPARE(masked, std::string("key ***/SECRET~TAIL+end== bad"));
        QCOMPARE(engine::hideKey(masked, key), std::string("key *** bad"));
        QCOMPARE(engine::hideKey(QStringLiteral("***/SECRET~TAIL+end==, *** and ***TAIL+end=="), key),
                 QStringLiteral("***, *** and ***"));
        QCOMPARE(engine::hideKey(
                     QByteArray("***%2FSECRET~TAIL%2Bend%3D%3D and ***&#x2f;SECRET~TAIL&plus;end&equals;=!"), key),
                 QByteArray("*** and ***!"));
        QCOMPARE(engine::hideKey(QStringLiteral("a ***/SECRET b ***=="), key), QStringLiteral("a ***/SECRET b ***=="));
    }

    void shortKeysAreWords()
    {
        QCOMPARE(engine::hideKey(QByteArray("ollama runs"), "ollama"), QByteArray("ollama runs"));
        QCOMPARE(engine::hideKey(QByteArray("text"), ""), QByteArray("text"));
        engine::KeyHider hider("ollama");
        QVERIFY(hider.isIdle());
        QCOMPARE(hider.take(QStringLiteral("ollama")), QStringLiteral("ollama"));
    }

    void bytesThatAreNoTextStayAsTheyAre()
    {
        QByteArray all;
        for (int byte = 0; byte < 256; ++byte)
            all += static_cast<char>(byte);
        QCOMPARE(engine::maskedBytes(all, "odd-key-0001"), all);
        QCOMPARE(engine::maskedBytes("\xff sk-test-0001abcd \xfe", ""), QByteArray("\xff *** \xfe"));
    }

    void headers_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const QByteArray& name, const QByteArray& value, const QByteArray& shown) {
            QTest::newRow((name + " " + value).constData()) << name << value << shown;
        };
        row("Authorization", "Bearer odd-key-0001", "Bearer ***");
        row("authorization", "Basic dXNlcjpwdw==", "Basic ***");
        row("Authorization", "odd", "***");
        row("Proxy-Authorization", "Basic dXNlcjpwdw==", "Basic ***");
        row("X-API-Key", "short", "***");
        row("api-key", "short", "***");
        row("x-goog-api-key", "short", "***");
        row("Cookie", "a=b", "***");
        row("Set-Cookie", "a=b; Path=/", "***");
        row("X-Anything", "before odd-key-0001 after", "before *** after");
        row("X-Auth-Token", "0123456789abcdef", "***");
        row("x-ratelimit-remaining-tokens", "149984000", "149984000");
        row("Content-Type", "application/json", "application/json");
        row("x-request-id", "req_0123456789abcdef", "req_0123456789abcdef");
    }
    void headers()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, shown);
        const auto masked = engine::maskedHeaders({{name, value}}, "odd-key-0001");
        QCOMPARE(masked.size(), std::size_t(1));
        QCOMPARE(masked[0].first, name.toStdString());
        QCOMPARE(masked[0].second, shown.toStdString());
    }

    void theEndpointsOwnHeaderIsHiddenHoweverShortTheKey()
    {
        const auto masked =
            engine::maskedHeaders({{"X-Desk-Pass", "abc"}, {"X-Other", "abc"}}, "abc", QStringLiteral("x-desk-pass"));
        QCOMPARE(masked[0].second, std::string("***"));
        QCOMPARE(masked[1].second, std::string("abc"));
    }

    void addresses()
    {
        const QUrl url(QStringLiteral("https://u:p@host.test/v1/chat?key=0123456789ab&x=odd-key-0001&alt=sse"));
        QCOMPARE(engine::maskedUrl(url, "odd-key-0001"),
                 std::string("https://host.test/v1/chat?key=***&x=***&alt=sse"));
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestHideKey)
#include "tst_hide_key.moc"
