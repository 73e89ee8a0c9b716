// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/chain_desk.h"
#include "ui/chains/checks_strip.h"
#include "ui/chains/checks_words.h"
#include "ui/chains/counts_button.h"
#include "ui/chains/findings_dialog.h"
#include "ui/chains/strip_text.h"
#include "ui/widgets/chart_data.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include <set>

using namespace sg;
using namespace sg::test;
using ui::ChainNode;
using workspace::Finding;
using workspace::FindingLevel;

namespace {

/// Wrong in a few ways that every version of the linter knows.
workspace::Workspace troubled()
{
    workspace::Workspace workspace = sampleWorkspace();
    workspace.endpoints[0].spec.breaker.maxOpen = Millis(1000);
    workspace.endpoints[2].spec.breaker.maxOpen = Millis(1000);
    workspace.endpoints[2].baseUrl = QStringLiteral("http://gemini.example");
    return workspace;
}

struct Scene : ChainDesk
{
    explicit Scene(const workspace::Workspace& workspace = sampleWorkspace(), ui::ThemeMode mode = ui::ThemeMode::Dark,
                   QSize size = {1338, 86})
        : ChainDesk(workspace, mode)
        , strip(new ui::ChecksStrip(form.theme, editor))
    {
        editor.lintNow();
        form.fill(strip, size);
    }
    QPushButton* button(const char* name) { return strip->findChild<QPushButton*>(QLatin1String(name)); }
    ui::ChecksStrip* strip;
};

} // namespace

class TestChecksStrip : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        ui::prepareApplication(*qApp);
    }

    void titlesNameWhatPathsCount_data()
    {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("title");
        const auto row = [](const char* place, const char* title) {
            QTest::newRow(place) << QString::fromLatin1(place) << QString::fromLatin1(title);
        };
        row("chains[0].router.classes[0].words[1]", "main, class complex word 2: it is empty");
        row("chains[0].router.classes[7].tier", "main, class 8 tier: it is empty");
        row("chains[0].caller.retries", "main, caller's retries: it is empty");
        row("chains[0].limiter.window_ms", "main, limiter window: it is empty");
        row("chains[0]", "main: it is empty");
    }
    void titlesNameWhatPathsCount()
    {
        QFETCH(QString, place);
        workspace::Workspace workspace = sampleWorkspace();
        workspace.chains.front().spec.name = "main";
        workspace.chains.front().spec.router.emplace().classes.resize(1);
        workspace.chains.front().spec.router->classes.front().name = "complex";
        Finding finding;
        finding.place = place;
        finding.problem = QStringLiteral("it is empty");
        finding.subject.chain = "main";
        QTEST(ui::checkswords::title(finding, workspace), "title");
    }

    void findingsAreShownOneAfterTheOther()
    {
        Scene scene(troubled());
        const auto& all = scene.editor.findings();
        QVERIFY(all.size() >= 2);
        QVERIFY(scene.strip->current());
        std::set<QString> seen;
        for (std::size_t i = 0; i < all.size(); ++i) {
            seen.insert(scene.strip->current()->place + scene.strip->current()->problem);
            scene.strip->next();
        }
        QCOMPARE(seen.size(), all.size());
        const QString first = scene.strip->finding().title();
        scene.strip->next();
        scene.strip->previous();
        QCOMPARE(scene.strip->finding().title(), first);
        QVERIFY(!scene.strip->finding().detail().isEmpty());
    }

    void theWorstComesFirst()
    {
        Scene scene(troubled());
        int before = -1;
        for (std::size_t i = 0; i < scene.editor.findings().size(); ++i) {
            const int level = static_cast<int>(scene.strip->current()->level);
            QVERIFY(level >= before);
            before = level;
            scene.strip->next();
        }
    }

    void countsAreSaid()
    {
        Scene scene(troubled());
        auto* counts = scene.strip->findChild<ui::CountsButton*>();
        const auto errors = std::ranges::count(scene.editor.findings(), FindingLevel::Error, &Finding::level);
        QVERIFY(errors > 0);
        QVERIFY2(counts->accessibleName().contains(QStringLiteral("%1 error").arg(errors)),
                 qPrintable(counts->accessibleName()));
    }

    void showSelectsWhatItIsAbout()
    {
        Scene scene(troubled());
        QSignalSpy wanted(scene.strip, &ui::ChecksStrip::endpointWanted);
        for (std::size_t i = 0; i < scene.editor.findings().size(); ++i, scene.strip->next()) {
            const auto about = scene.strip->current()->subject;
            if (about.endpoint != "gemini-2.5-flash" || !about.chain.empty())
                continue;
            QTest::keyClick(scene.button("show"), Qt::Key_Space);
            QCOMPARE(scene.editor.selected(), ChainNode::ofTier(2));
            QCOMPARE(wanted.count(), 0);
            return;
        }
        QFAIL("no finding about the endpoint");
    }

    void endpointsWithoutATierAreAskedFor()
    {
        workspace::Workspace workspace = sampleWorkspace();
        workspace::Endpoint spare = workspace.endpoints[0];
        spare.spec.name = "spare";
        spare.spec.breaker.maxOpen = Millis(1);
        workspace.endpoints.push_back(spare);
        Scene scene(workspace);
        QSignalSpy wanted(scene.strip, &ui::ChecksStrip::endpointWanted);
        for (std::size_t i = 0; i < scene.editor.findings().size() && wanted.isEmpty(); ++i, scene.strip->next())
            if (scene.strip->current()->subject.endpoint == "spare" && scene.strip->current()->subject.chain.empty())
                scene.button("show")->click();
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted[0][0].toString(), QStringLiteral("spare"));
    }

    void fixesAreOneUndoableEdit()
    {
        Scene scene(troubled());
        const QByteArray first = scene.bytes();
        for (std::size_t i = 0; i < scene.editor.findings().size(); ++i, scene.strip->next()) {
            if (!scene.strip->current()->fix)
                continue;
            const auto before = scene.editor.findings().size();
            QVERIFY(scene.button("fix")->isVisible());
            QCOMPARE(scene.button("fix")->text(), scene.strip->current()->fix->label);
            QTest::keyClick(scene.button("fix"), Qt::Key_Space);
            QCOMPARE(scene.steps(), 1);
            QVERIFY(scene.editor.findings().size() < before);
            scene.undoAll();
            QVERIFY(scene.bytes() == first);
            return;
        }
        QFAIL("nothing to fix");
    }

    void theSlowestWayIsSaid()
    {
        Scene scene;
        scene.editor.editChain(QStringLiteral("waits"), {}, [](workspace::Chain& c) {
            c.caller.waits = std::chrono::seconds(60);
            c.spec.attemptBudget = 100;
            c.spec.deadline = std::chrono::hours(1);
        });
        QVERIFY2(scene.strip->worst().title().contains(QStringLiteral("clients give up at 60\u202Fs")),
                 qPrintable(scene.strip->worst().title()));
        QTest::keyClick(scene.button("path"), Qt::Key_Space);
        auto* dialog = scene.form.window.findChild<ui::DataTableDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        const auto worst = workspace::worstCaseOf(scene.chain(), scene.draft.workspace(), nullptr);
        const auto table = ui::checkswords::pathTable(worst, *scene.editor.chain());
        QVERIFY(table.rows.size() > worst.tiers.size());
        dialog->close();
    }

    void alikeTiersAreMultiplied()
    {
        workspace::WorstCase worst;
        for (int i = 0; i < 4; ++i)
            worst.tiers.push_back({i, 6, Millis(60000), Millis(15500), {}});
        worst.attempts = 24;
        worst.wall = worst.bounded = Millis(302000);
        workspace::Chain chain = sampleWorkspace().chains.front();
        chain.spec.deadline = std::chrono::minutes(10);
        chain.caller.waits = std::chrono::seconds(60);
        const auto said = ui::checkswords::worst(worst, chain);
        QCOMPARE(said.title, QStringLiteral("Slowest path takes 302\u202Fs; clients give up at 60\u202Fs"));
        QCOMPARE(said.detail,
                 QStringLiteral("4 tiers × (6 tries × 10\u202Fs + 15.5\u202Fs of waits) · no price is known"));
        QVERIFY(said.isTooLong);
        chain.caller.waits.reset();
        chain.spec.deadline = std::chrono::minutes(2);
        QVERIFY(
            ui::checkswords::worst(worst, chain).title.contains(QStringLiteral("the deadline ends it at 120\u202Fs")));
    }

    void theWholeListCanBeWalked()
    {
        Scene scene(troubled());
        QTest::mouseClick(scene.strip->findChild<ui::CountsButton*>(), Qt::LeftButton);
        auto* dialog = scene.form.window.findChild<ui::FindingsDialog*>();
        QVERIFY(dialog);
        auto& table = dialog->table();
        QCOMPARE(table.model()->rowCount(), static_cast<int>(scene.editor.findings().size()));
        QTest::keyClick(&table, Qt::Key_Down);
        QCOMPARE(table.currentIndex().row(), 1);
        dialog->close();
    }

    void aSoundDraftSaysSo()
    {
        Scene scene(workspace::emptyWorkspace(QStringLiteral("new")));
        if (scene.editor.findings().empty())
            QVERIFY(!scene.strip->finding().title().isEmpty());
        QVERIFY(!scene.strip->worst().title().isEmpty());
    }

    void pictures()
    {
        for (const auto mode : {ui::ThemeMode::Dark, ui::ThemeMode::Light}) {
            Scene scene(troubled(), mode);
            scene.form.shoot("checks");
            Scene clean(sampleWorkspace(), mode);
            clean.form.shoot("checks-sample");
            Scene narrow(troubled(), mode, {900, 86});
            narrow.form.shoot("checks-narrow");
            scene.strip->showAll();
            auto* dialog = scene.form.window.findChild<ui::FindingsDialog*>();
            QCoreApplication::processEvents();
            if (const QString folder = qEnvironmentVariable("SWITCHGEAR_SHOTS"); !folder.isEmpty())
                dialog->grab().save(folder + (mode == ui::ThemeMode::Dark ? QStringLiteral("/findings-dark.png")
                                                                          : QStringLiteral("/findings-light.png")));
            QVERIFY(dialog->isVisible());
        }
    }
};

QTEST_MAIN(TestChecksStrip)
#include "tst_checks_strip.moc"
