// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/lint_rules.h"
#include "core/workspace/workspace_file.h"
#include "tests/support/lint_cases.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace sg;
using namespace sg::workspace;
using test::LintCase;

namespace {

QString told(const Findings& findings)
{
    QStringList lines;
    for (const Finding& finding : findings)
        lines << QStringLiteral("[%1] ").arg(finding.rule) + finding.toText(QStringLiteral("w"));
    return lines.join(QLatin1Char('\n'));
}

const Finding* find(const Findings& findings, const QString& rule, const QString& place)
{
    const auto found = std::find_if(findings.begin(), findings.end(), [&](const Finding& finding) {
        return finding.rule == rule && finding.place == place;
    });
    return found == findings.end() ? nullptr : &*found;
}

std::size_t errorsIn(const Findings& findings)
{
    return std::size_t(std::count_if(findings.begin(), findings.end(),
                                     [](const Finding& f) { return f.level == FindingLevel::Error; }));
}

QByteArray fileOf(const char* path)
{
    QFile file(QDir::cleanPath(QStringLiteral(SWITCHGEAR_TEST_DATA "/../../") + QString::fromLatin1(path)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Every finding with a fix: pressing it takes the finding away and makes nothing worse.
void pressEveryFix(const Workspace& workspace, const LintFacts& facts)
{
    const Findings before = lint(workspace, facts);
    for (const Finding& finding : before) {
        if (!finding.fix)
            continue;
        Workspace changed = workspace;
        finding.fix->change(changed);
        QVERIFY2(!(changed == workspace), qPrintable(finding.toText(QStringLiteral("nothing changed"))));
        const Findings after = lint(changed, facts);
        const bool isError = finding.level == FindingLevel::Error;
        const auto count = [&](const Findings& all) {
            return std::count_if(all.begin(), all.end(), [&](const Finding& f) { return f.rule == finding.rule; });
        };
        QVERIFY2(count(after) < count(before), qPrintable(finding.fix->label + QLatin1Char('\n') + told(after)));
        QVERIFY2(errorsIn(after) + (isError ? 1 : 0) <= errorsIn(before), qPrintable(told(after)));
        if (errorsIn(after) == 0)
            QVERIFY2(parseWorkspace(toJson(changed)), qPrintable(finding.fix->label));
        // Pressed again, or when its subject is gone, it does no harm.
        Workspace twice = changed;
        finding.fix->change(twice);
        QVERIFY(errorsIn(lint(twice, facts)) <= errorsIn(after));
        Workspace nothing;
        finding.fix->change(nothing);
    }
}

} // namespace

class TestLint : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aSoundWorkspaceHasNothing()
    {
        const cost::PriceBook prices;
        const Findings findings = lint(test::soundWorkspace(), {&prices, {}});
        QVERIFY2(findings.empty(), qPrintable(told(findings)));
        QVERIFY(lint({}).empty());
    }

    void everyRuleFinds_data()
    {
        QTest::addColumn<int>("number");
        const auto& cases = test::lintCases();
        for (std::size_t i = 0; i < cases.size(); ++i)
            QTest::newRow(qPrintable(QStringLiteral("%1: %2").arg(cases[i].rule).arg(i))) << int(i);
    }
    void everyRuleFinds()
    {
        QFETCH(int, number);
        const LintCase& one = test::lintCases()[std::size_t(number)];
        Workspace workspace = test::soundWorkspace();
        const cost::PriceBook prices = test::somePrices();
        LintFacts facts{&prices, {}};
        one.spoil(workspace, facts);
        const Findings findings = lint(workspace, facts);
        const Finding* found = find(findings, one.rule, one.place);
        QVERIFY2(found, qPrintable(told(findings)));
        QVERIFY2(found->problem.contains(one.words) || found->why.contains(one.words), qPrintable(told(findings)));
        QCOMPARE(found->fix.has_value(), one.hasFix);
        if (found->fix)
            QVERIFY2(found->fix->label.contains(one.fixWords), qPrintable(found->fix->label));
        const auto rules = lintRules();
        const auto rule = std::find_if(rules.begin(), rules.end(), [&](const LintRule& r) { return r.id == one.rule; });
        QVERIFY(rule != rules.end() && rule->level == found->level);
        static const QRegularExpression hole(QStringLiteral("%\\d"));
        for (const Finding& finding : findings) {
            QVERIFY2(!finding.problem.isEmpty() && !finding.remedy.isEmpty(), qPrintable(told({finding})));
            for (const QString& text : {finding.problem, finding.why, finding.remedy})
                QVERIFY2(!text.endsWith(QLatin1Char('.')) && !text.contains(hole), qPrintable(text));
        }
        pressEveryFix(workspace, facts);
    }

    void everyRuleHasACase()
    {
        QSet<QString> tried;
        for (const LintCase& one : test::lintCases())
            tried.insert(one.rule);
        for (const LintRule& rule : lintRules())
            QVERIFY2(tried.contains(rule.id), qPrintable(rule.id));
    }

    void whatIsFineIsNotTold_data()
    {
        QTest::addColumn<int>("number");
        const auto& cases = test::fineCases();
        for (std::size_t i = 0; i < cases.size(); ++i)
            QTest::newRow(cases[i].name) << int(i);
    }
    void whatIsFineIsNotTold()
    {
        QFETCH(int, number);
        Workspace workspace = test::soundWorkspace();
        const cost::PriceBook prices = test::somePrices();
        LintFacts facts{&prices, {}};
        test::fineCases()[std::size_t(number)].change(workspace, facts);
        const Findings findings = lint(workspace, facts);
        QVERIFY2(findings.empty(), qPrintable(told(findings)));
    }

    void errorsComeFirstThenByPlace()
    {
        Workspace workspace = test::soundWorkspace();
        workspace.endpoints[0].spec.breaker.metricsOnly = true;                   // note
        workspace.endpoints[1].baseUrl = QStringLiteral("http://b.example");      // warning
        workspace.endpoints[1].model.clear();                                     // error
        workspace.chains[0].spec.tiers[1].endpoint = "nobody";                    // error
        workspace.chains[0].spec.tiers[0].attemptTimeout = std::chrono::hours(1); // warning
        QStringList places;
        for (const Finding& finding : lint(workspace))
            places << finding.place;
        QCOMPARE(places,
                 QStringList({QStringLiteral("endpoints[1].model"), QStringLiteral("chains[0].tiers[1].endpoint"),
                              QStringLiteral("endpoints[1].base_url"),
                              QStringLiteral("chains[0].tiers[0].attempt_timeout_ms"),
                              QStringLiteral("endpoints[0].breaker.metrics_only")}));
    }

    void subjectsAreNamed()
    {
        Workspace workspace = test::soundWorkspace();
        workspace.chains[0].spec.tiers[1].endpoint = "nobody";
        workspace.endpoints[0].model.clear();
        const Findings findings = lint(workspace);
        QVERIFY(findings.at(0).subject == (Subject{"a", {}, -1}));
        QVERIFY(findings.at(1).subject == (Subject{{}, "c", 1}));
    }

    void findingsRepeatNoKey()
    {
        Workspace workspace = test::soundWorkspace();
        workspace.endpoints[0].model = QStringLiteral("sk-proj-abcdefghijklmnop1234");
        workspace.endpoints[0].spec.name = "sk-proj-abcdefghijklmnop1234";
        workspace.endpoints.push_back(workspace.endpoints[0]);
        workspace.chains[0].spec.tiers[1].endpoint = "sk-proj-abcdefghijklmnop1235";
        const cost::PriceBook prices;
        for (const Finding& finding : lint(workspace, {&prices, {}})) {
            const QString text = finding.toText(QString()) + (finding.fix ? finding.fix->label : QString());
            QVERIFY2(!text.contains(QLatin1String("abcdefgh")), qPrintable(text));
        }
    }

    void aPastedKeyIsOfItsTierAndIsNotSaved()
    {
        Workspace workspace = test::soundWorkspace();
        workspace.chains[0].spec.tiers[1].name = "sk-proj-abcdefghijklmnop1234";
        const Findings findings = lint(workspace);
        const Finding* found = find(findings, QStringLiteral("pasted_key"), QStringLiteral("chains[0].tiers[1].name"));
        QVERIFY2(found, qPrintable(told(findings)));
        QVERIFY(found->subject == (Subject{{}, "c", 1}));

        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("w.json"));
        const auto saved = saveWorkspace(workspace, path);
        QVERIFY(!saved && !QFile::exists(path));
        QVERIFY2(saved.error().contains(QLatin1String("chains[0].tiers[1].name looks like a key")) &&
                     !saved.error().contains(QLatin1String("abcdef")),
                 qPrintable(saved.error()));
    }

    void aKeyOfAnotherEnvironmentIsToldByItsRule()
    {
        const QByteArray file = R"({"version":2,"name":"w","environment":"a","endpoints":[],"chains":[],
            "environments":{"a":{},"b":{"unknown":"sk-proj-abcdefghijklmnop1234"}}})";
        const ReadResult read = readWorkspace(file);
        const Findings all = withLint(read.findings, lint(read.workspace));
        QVERIFY2(find(all, QStringLiteral("pasted_key"), QStringLiteral("environments.b.unknown")),
                 qPrintable(told(all)));
    }

    void breakerChecks_data()
    {
        QTest::addColumn<QJsonObject>("vector");
        const QJsonArray cases = QJsonDocument::fromJson(fileOf("tests/data/vectors/config_checks.json"))
                                     .object()[QLatin1String("cases")]
                                     .toArray();
        QVERIFY(cases.size() > 20);
        for (const QJsonValue& one : cases)
            QTest::newRow(qPrintable(one[QLatin1String("id")].toString())) << one.toObject();
    }
    void breakerChecks()
    {
        QFETCH(QJsonObject, vector);
        Workspace workspace = test::soundWorkspace();
        workspace.endpoints[0].spec.breaker = test::breakerFrom(vector[QLatin1String("config")].toObject());
        const Findings findings = lint(workspace);
        if (vector[QLatin1String("valid")].toBool()) {
            QVERIFY2(errorsIn(findings) == 0, qPrintable(told(findings)));
        } else {
            const QString place = QStringLiteral("endpoints[0].breaker.") + vector[QLatin1String("field")].toString();
            const Finding* found = find(findings, QStringLiteral("bad_breaker"), place);
            QVERIFY2(found && found->level == FindingLevel::Error, qPrintable(told(findings)));
        }
        pressEveryFix(workspace, {});
    }

    void practiceHasSensibleNotesOnly()
    {
        const LoadResult loaded = parseWorkspace(fileOf("resources/practice/workspace.json"));
        QVERIFY(loaded);
        const cost::PriceBook prices;
        const Findings findings = lint(loaded->workspace, {&prices, {}});
        for (const Finding& finding : findings)
            QVERIFY2(finding.level == FindingLevel::Note, qPrintable(told(findings)));
        QVERIFY2(findings.size() <= 3, qPrintable(told(findings)));
        // As on the mock-up.
        QVERIFY2(find(findings, QStringLiteral("window_smaller"), QStringLiteral("chains[0].tiers[3]")),
                 qPrintable(told(findings)));
        pressEveryFix(loaded->workspace, {&prices, {}});
    }

    void examplesOfTheDocumentsAreSound()
    {
        const QString text = QString::fromUtf8(fileOf("docs/workspace.md"));
        static const QRegularExpression fence(QStringLiteral("```json\\n(.*?)```"),
                                              QRegularExpression::DotMatchesEverythingOption);
        int judged = 0;
        for (auto match = fence.globalMatch(text); match.hasNext();) {
            const LoadResult loaded = parseWorkspace(match.next().captured(1).toUtf8());
            if (!loaded || loaded->workspace.chains.empty())
                continue;
            ++judged;
            const cost::PriceBook prices;
            const Findings findings = lint(loaded->workspace, {&prices, {}});
            for (const Finding& finding : findings)
                QVERIFY2(finding.level == FindingLevel::Note, qPrintable(told(findings)));
        }
        QVERIFY(judged >= 2);
    }

    void theDocumentListsTheRules()
    {
        const QString text = QString::fromUtf8(fileOf("docs/lint.md"));
        static const QRegularExpression row(QStringLiteral("^\\| `([a-z_]+)` \\| (error|warning|note) \\| (.+) \\|$"),
                                            QRegularExpression::MultilineOption);
        std::vector<LintRule> listed;
        for (auto match = row.globalMatch(text); match.hasNext();) {
            const auto cells = match.next();
            const QString level = cells.captured(2);
            listed.push_back({cells.captured(1),
                              level == QLatin1String("error")     ? FindingLevel::Error
                              : level == QLatin1String("warning") ? FindingLevel::Warning
                                                                  : FindingLevel::Note,
                              cells.captured(3)});
        }
        const std::vector<LintRule> rules = lintRules();
        for (std::size_t i = 0; i < std::min(rules.size(), listed.size()); ++i)
            QVERIFY2(rules[i] == listed[i], qPrintable(QStringLiteral("expected: | `%1` | … | %2 |, found %3")
                                                           .arg(rules[i].id, rules[i].line, listed[i].id)));
        QCOMPARE(listed.size(), rules.size());
    }

    void readAndLintedSayItOnce()
    {
        const LoadResult loaded =
            parseWorkspace("{\"version\":1,\"name\":\"w\",\"modell\":1,\"endpoints\":[{\"name\":\"a\",\"base_url\":"
                           "\"http:\\/\\/a.example\",\"model\":\"m\",\"key\":{\"source\":\"none\"}}],"
                           "\"chains\":[{\"name\":\"c\",\"tiers\":[{\"endpoint\":\"a\",\"enabled\":false}]}]}");
        QVERIFY(loaded);
        const Findings all = withLint(loaded->warnings, lint(loaded->workspace));
        const auto count = [&](const QString& place) {
            return std::count_if(all.begin(), all.end(), [&](const Finding& f) { return f.place == place; });
        };
        QCOMPARE(count(QStringLiteral("endpoints[0].base_url")), 1);
        QCOMPARE(count(QStringLiteral("chains[0].tiers")), 1);
        QCOMPARE(count(QStringLiteral("modell")), 1);
        QVERIFY(std::is_sorted(all.begin(), all.end(),
                               [](const Finding& a, const Finding& b) { return a.level < b.level; }));
    }

    void manyTiersStayCheap()
    {
        // Not a benchmark: four times the tiers must not take much more than four times as long.
        const auto timed = [](int tiers) {
            const Workspace workspace = test::largeWorkspace(tiers, 100);
            qint64 best = std::numeric_limits<qint64>::max();
            for (int round = 0; round < 3; ++round) {
                QElapsedTimer timer;
                timer.start();
                (void)lint(workspace);
                best = std::min(best, timer.nsecsElapsed());
            }
            return best;
        };
        const qint64 small = timed(500), large = timed(2000);
        QVERIFY2(large < 10 * small, qPrintable(QStringLiteral("%1 ns, then %2 ns").arg(small).arg(large)));
    }
};

QTEST_APPLESS_MAIN(TestLint)
#include "tst_lint.moc"
