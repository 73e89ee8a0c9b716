// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/canned_reply.h"
#include "tests/support/chain_scene.h"

#include <QtTest/QtTest>

using namespace sg;
using namespace sg::test;
using namespace sg::chain;

namespace {
const Instant t0 = instantAtMs(5000);
}

class TestCannedReply : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rulesMatchWholeLatinWords_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("word");
        QTest::addColumn<bool>("matches");
        const auto row = [](const char* name, const char* text, const char* word, bool matches) {
            QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(word) << matches;
        };
        row("whole", "There is an error here", "error", true);
        row("case", "ERROR!", "error", true);
        row("inside", "Show me", "how", false);
        row("prefix", "errors", "error", false);
        row("later occurrence", "show me how", "how", true);
        row("digit", "error5", "error", false);
        row("phrase", "So, what is it?", "what is", true);
        row("phrase cut", "somewhat is", "what is", false);
        row("Thai", "มีข้อผิดพลาดในระบบ", "ข้อผิดพลาด", true);
        row("Latin beside Thai", "เกิดerrorขึ้น", "error", true);
        row("accents", "Le résumé", "re\xcc\x81sume\xcc\x81", true);
        row("accent is another letter", "cafe\xcc\x81", "cafe", false);
        row("nothing", "anything", "", false);
    }
    void rulesMatchWholeLatinWords()
    {
        QFETCH(QString, text);
        QFETCH(QString, word);
        QTEST(containsWord(text, word), "matches");
    }

    void theFirstMatchingRuleAnswersTheLastUserMessage()
    {
        Scene s;
        s.tier(cannedTier({{{"error", "bug"}, "stack trace?"}, {{"how"}, "context?"}}));
        provider::ChatRequest request = userSays(QStringLiteral("how"));
        request.messages.push_back({"user", QStringLiteral("how does this bug work"), {}});
        request.messages.push_back({"assistant", QStringLiteral("nothing"), {}});
        ChainRun& run = s.run(request);
        QCOMPARE(as<Finished>(run.start(t0)).answer->text, QStringLiteral("stack trace?"));
        QCOMPARE(word(run.record().source), word(Source::CannedReply));
        QCOMPARE(run.record().tier, 0);
        QVERIFY(!run.record().endpoint.size());

        ChainRun& none = s.run(userSays(QStringLiteral("hello")));
        QVERIFY(is<Finished>(none.start(t0)));
        QCOMPARE(word(none.record().ending), word(Ending::Failed));
        QCOMPARE(reasonsOf(none.record()), std::string(": no_rule_matched"));
    }

    void aSentenceIsNoJson()
    {
        Scene s;
        s.tier(cannedTier({{{}, "later"}})).tier(cannedTier({{{}, R"({"later":true})"}}));
        provider::ChatRequest request = userSays(QStringLiteral("x"));
        request.sampling.jsonMode = true;
        ChainRun& run = s.run(request);
        QCOMPARE(as<Finished>(run.start(t0)).answer->text, QStringLiteral(R"({"later":true})"));
        QCOMPARE(word(movesOf(run.record()).at(0).reason), word(MoveReason::LacksJsonMode));
    }
};

QTEST_APPLESS_MAIN(TestCannedReply)
#include "tst_canned_reply.moc"
