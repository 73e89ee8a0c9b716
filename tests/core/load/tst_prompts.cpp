// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/prompts.h"

#include <QTest>

#include <set>

using namespace sg;
using namespace load;

namespace {

QString userText(const provider::ChatRequest& request)
{
    return request.messages.back().text;
}

QString fileError(const char* name, const QByteArray& bytes)
{
    const auto file = readPromptFile(QString::fromUtf8(name), bytes);
    return file ? QString() : file.error();
}

class TestPrompts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void givenOnesAreAskedInTurn()
    {
        LoadPlan plan;
        std::vector<Prompt> given = promptsOf({QStringLiteral("a"), QStringLiteral("b")});
        given[1].maxTokens = 7;
        plan.prompts = given;
        PromptSource prompts(plan);
        const auto first = prompts.next(), second = prompts.next();
        QCOMPARE(userText(first), QStringLiteral("a"));
        QCOMPARE(*first.sampling.maxTokens, 200);
        QCOMPARE(userText(second), QStringLiteral("b"));
        QCOMPARE(*second.sampling.maxTokens, 7);
        QCOMPARE(userText(prompts.next()), QStringLiteral("a"));
    }

    void copiesOfAPlanShareThem()
    {
        QVERIFY(LoadPlan().prompts.empty()); // also those that nobody set
        LoadPlan plan;
        plan.prompts = promptsOf({QStringLiteral("a"), QStringLiteral("b")});
        const LoadPlan copy = plan;
        QVERIFY(copy.prompts.isSharedWith(plan.prompts));
        QCOMPARE(&copy.prompts[1], &plan.prompts[1]);
        QVERIFY(!PromptList(plan.prompts.all()).isSharedWith(plan.prompts));
    }

    void syntheticOnesHaveTheirLength()
    {
        LoadPlan plan;
        plan.synthetic = SyntheticPrompts{};
        plan.synthetic->inputTokens = {stats::Distribution::Kind::Uniform, 0, 100, 900, 0, 0, 0, 0, {}};
        plan.synthetic->outputTokens = {stats::Distribution::Kind::Lognormal, 0, 0, 0, 300, 0.5, 0, 0, {}};
        plan.synthetic->sharedPrefixTokens = 50;
        PromptSource prompts(plan);
        const QString prefix = userText(PromptSource(plan).next()).left(200);
        double tokens = 0, limits = 0;
        std::set<QString> different;
        constexpr int kMany = 2000;
        for (int i = 0; i < kMany; ++i) {
            const auto request = prompts.next();
            const auto needs = provider::needsOf(request);
            QVERIFY(needs.estimatedInputTokens >= 100 && needs.estimatedInputTokens <= 900);
            QVERIFY(userText(request).startsWith(prefix));
            different.insert(userText(request));
            tokens += static_cast<double>(needs.estimatedInputTokens);
            limits += static_cast<double>(needs.maxOutputTokens);
        }
        QCOMPARE(different.size(), std::size_t(kMany));
        QVERIFY(std::abs(tokens / kMany - 500) < 20); // five of its standard errors
        QVERIFY(std::abs(limits / kMany - 300 * std::exp(0.125)) < 20);
    }

    void repeatsAreAsManyAsAsked()
    {
        LoadPlan plan;
        plan.repeatShare = 0.3;
        PromptSource prompts(plan);
        std::set<QString> different;
        for (int i = 0; i < 5000; ++i)
            different.insert(userText(prompts.next()));
        QVERIFY(std::abs(static_cast<double>(different.size()) - 3500) < 150);
    }

    void theSeedDecides()
    {
        LoadPlan plan;
        plan.synthetic = SyntheticPrompts{};
        const auto texts = [&](std::uint64_t seed) {
            plan.seed = seed;
            PromptSource prompts(plan);
            return userText(prompts.next()) + userText(prompts.next());
        };
        QCOMPARE(texts(3), texts(3));
        QVERIFY(texts(3) != texts(4));
    }

    void jsonLines()
    {
        const auto file = readPromptFile(QStringLiteral("p.jsonl"),
                                         "\xef\xbb\xbf{\"prompt\":\"one\",\"max_tokens\":5,\"at_ms\":0}\n\n"
                                         "{\"messages\":[{\"role\":\"system\",\"content\":\"s\"},{\"role\":\"user\","
                                         "\"content\":\"two\"}],\"at_ms\":12.5}\n");
        QVERIFY2(file, qPrintable(file ? QString() : file.error()));
        QCOMPARE(file->prompts.size(), std::size_t(2));
        QCOMPARE(*file->prompts[0].maxTokens, 5);
        QCOMPARE(file->prompts[1].messages.size(), std::size_t(2));
        QCOMPARE(file->prompts[1].messages[1].text, QStringLiteral("two"));
        QVERIFY(file->offsets == (std::vector<Nanos>{Nanos(0), fromMs(12.5)}));
    }

    void csv()
    {
        const auto file =
            readPromptFile(QStringLiteral("P.CSV"),
                           "at_ms,Prompt,max_tokens\r\n0,\"a \"\"quoted\"\", two-line\nprompt\",\r\n3,b,9\r\n");
        QVERIFY2(file, qPrintable(file ? QString() : file.error()));
        QCOMPARE(file->prompts[0].text, QStringLiteral("a \"quoted\", two-line\nprompt"));
        QVERIFY(!file->prompts[0].maxTokens);
        QCOMPARE(*file->prompts[1].maxTokens, 9);
        QCOMPARE(file->offsets.back(), Nanos(Millis(3)));
    }

    void timesAlone()
    {
        const auto file = readPromptFile(QStringLiteral("t.csv"), "at_ms\n0\n10\n");
        QVERIFY(file && file->prompts.empty());
        QCOMPARE(file->offsets.size(), std::size_t(2));
    }

    void wrongFilesNameTheirLine()
    {
        QVERIFY(
            fileError("a.jsonl", "{\"prompt\":\"x\"}\nnonsense\n").startsWith(QStringLiteral("line 2: is no JSON")));
        QVERIFY(fileError("a.jsonl", "{\"text\":\"x\"}\n").startsWith(QStringLiteral("line 1: has neither")));
        QVERIFY(fileError("a.jsonl", "{\"prompt\":\"x\",\"at_ms\":5}\n{\"prompt\":\"y\",\"at_ms\":4}\n")
                    .startsWith(QStringLiteral("line 2: at_ms goes backwards")));
        QVERIFY(fileError("a.jsonl", "{\"prompt\":\"x\",\"at_ms\":5}\n{\"prompt\":\"y\"}\n")
                    .startsWith(QStringLiteral("line 2: some rows have a time")));
        QVERIFY(fileError("a.jsonl", "{\"prompt\":\"x\",\"max_tokens\":0}\n")
                    .contains(QStringLiteral("max_tokens must be")));
        QVERIFY(fileError("a.csv", "question\nx\n").startsWith(QStringLiteral("line 1: the head names no column")));
        QVERIFY(fileError("a.csv", "prompt\n\"open\n").startsWith(QStringLiteral("line 2: a quotation mark")));
        QVERIFY(
            fileError("a.csv", "prompt,max_tokens\nx,many\n").startsWith(QStringLiteral("line 2: max_tokens is no")));
        QVERIFY(fileError("a.csv", "").contains(QStringLiteral("names no column")));
        QVERIFY(fileError("a.txt", "\n \n").startsWith(QStringLiteral("holds no prompt")));
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestPrompts)
#include "tst_prompts.moc"
