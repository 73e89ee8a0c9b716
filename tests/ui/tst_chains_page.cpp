// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/draft_desk.h"
#include "ui/chains/chain_tree.h"
#include "ui/chains/chains_page.h"
#include "ui/edit/compare_dialog.h"
#include "ui/shots.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/confirm_dialog.h"

#include <QApplication>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QTimer>

using namespace sg;

namespace {

struct Desk : test::DraftDesk
{
    explicit Desk(workspace::Workspace start = test::draftDesk())
        : DraftDesk(std::move(start))
    {
        context.applyTo(&window);
        window.setCentralWidget(&page);
        window.resize(1300, 780);
        window.show();
        if (!QTest::qWaitForWindowExposed(&window))
            QTest::qFail("the page does not show", __FILE__, __LINE__);
    }
    template <typename Widget = QPushButton>
    Widget* find(const char* name) const
    {
        return page.findChild<Widget*>(QString::fromLatin1(name));
    }
    void click(const char* name) const
    {
        auto* button = find(name);
        QVERIFY2(button && button->isVisible() && button->isEnabled(), name);
        QTest::mouseClick(button, Qt::LeftButton);
    }
    QString state() const { return find<QLabel>("draftState")->text(); }
    /// Runs a line of the chain switcher's menu.
    void choose(const QString& line)
    {
        auto* menu = find<QMenu>("chainMenu");
        Q_EMIT menu->aboutToShow();
        for (QAction* action : menu->actions()) {
            if (action->text() == line)
                return action->trigger();
        }
        QFAIL(qPrintable(line));
    }
    void give(int number)
    {
        const auto base = QDateTime::fromSecsSinceEpoch(1'790'000'000, Qt::UTC);
        serving.kept.insert(serving.kept.begin(), {number, base.addSecs(number), {}, {}});
        serving.contents[number] = serving.now;
        serving.tellServing();
    }
    void change(const QString& words = QStringLiteral("Change"))
    {
        page.editor().editTier(0, words, {}, [](chain::TierSpec& tier) { ++tier.maxAttempts; });
    }

    ui::ThemeContext context;
    QMainWindow window;
    ui::ChainsPage& page = *new ui::ChainsPage(context, draft, serving);
};

QString labelsOf(const QWidget* in)
{
    QStringList all;
    for (const QLabel* label : in->findChildren<QLabel*>())
        all.append(label->text());
    return all.join(QLatin1Char('\n'));
}

/// Gives the reason that production wants.
void answer(Desk& desk)
{
    auto* dialog = desk.window.findChildren<ui::ConfirmDialog*>().constLast();
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("reason")), QStringLiteral("a try"));
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("confirmAction")), Qt::LeftButton);
}

void applyAsked(Desk& desk)
{
    desk.change();
    desk.click("apply");
    answer(desk);
}

} // namespace

class TestChainsPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutAChainThereAreThreeWaysOn()
    {
        Desk desk(workspace::emptyWorkspace(QStringLiteral("nothing yet")));
        const QSignalSpy preset(&desk.page, &ui::ChainsPage::presetRequested);
        const QSignalSpy import(&desk.page, &ui::ChainsPage::importRequested);
        desk.click("fromPreset");
        desk.click("import");
        QCOMPARE(preset.size(), 1);
        QCOMPARE(import.size(), 1);
        desk.click("newChain");
        QCOMPARE(desk.draft.workspace().chains.size(), 1u);
        QVERIFY(desk.page.tree()->isVisibleTo(&desk.page) || desk.page.editor().chain());
        QTest::keyClick(&desk.page, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(desk.draft.workspace().chains.empty());
        QVERIFY(desk.find("newChain")->isVisible());
    }

    void theChainSwitcherHasAllOfThem()
    {
        Desk desk;
        desk.choose(QStringLiteral("Duplicate"));
        QCOMPARE(desk.draft.workspace().chains.size(), 2u);
        const std::string copy = desk.page.editor().chainName();
        QVERIFY(copy != "support");
        desk.choose(QStringLiteral("Rename…"));
        auto* dialog = desk.page.findChild<QInputDialog*>();
        QVERIFY(dialog);
        dialog->setTextValue(QStringLiteral("support"));
        dialog->accept(); // taken
        QCOMPARE(desk.page.editor().chainName(), copy);
        QVERIFY(desk.page.banner().text().contains(QStringLiteral("already")));
        desk.choose(QStringLiteral("Rename…"));
        dialog = desk.page.findChildren<QInputDialog*>().constLast();
        dialog->setTextValue(QStringLiteral("sales"));
        dialog->accept();
        QCOMPARE(desk.find("chainSwitcher")->text(), QStringLiteral("sales"));
        desk.choose(QStringLiteral("support"));
        QCOMPARE(desk.page.editor().chainName(), std::string("support"));
        desk.choose(QStringLiteral("Remove"));
        QCOMPARE(desk.page.editor().chainName(), std::string("sales"));
        desk.draft.undoStack().setIndex(0);
        QVERIFY(desk.draft.workspace() == *desk.serving.now);
    }

    void saysHowTheDraftStands()
    {
        Desk desk;
        QCOMPARE(desk.state(), QStringLiteral("No changes to what serves"));
        QVERIFY(!desk.find("apply")->isEnabled());
        desk.give(14);
        QCOMPARE(desk.state(), QStringLiteral("v14 serves, no changes"));
        desk.change();
        QCOMPARE(desk.state(), QStringLiteral("v15 draft, 1 change since v14 (serving)"));
        QCOMPARE(desk.find("compare")->text(), QStringLiteral("Compare with v14"));
        QVERIFY(desk.find("apply")->isEnabled());
        QTest::keyClick(&desk.page, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(desk.state(), QStringLiteral("v14 serves, no changes"));
        QTest::keyClick(&desk.page, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(desk.find("undo")->toolTip().contains(QStringLiteral("Change")));
    }

    void appliesAndRollsBack()
    {
        Desk desk;
        desk.give(1);
        const workspace::WorkspacePtr first = desk.serving.now;
        desk.change();
        desk.serving.answersLate = true;
        desk.click("apply");
        QCOMPARE(desk.state(), QStringLiteral("Applying…"));
        QVERIFY(!desk.find("apply")->isEnabled());
        desk.serving.finishApply();
        QVERIFY(*desk.serving.now == desk.draft.workspace());
        QVERIFY2(desk.page.banner().text().startsWith(QStringLiteral("v2 serves since ")),
                 qPrintable(desk.page.banner().text()));
        desk.serving.contents[1] = first;
        desk.click("bannerWay1"); // roll back
        desk.serving.finishApply();
        QVERIFY(*desk.serving.now == *first);
        QCOMPARE(desk.serving.applied.back().note, QStringLiteral("Rolled back to v1"));
        QVERIFY(desk.draft.workspace() == *first);
        desk.draft.undoStack().undo(); // the draft from before is not lost
        QVERIFY(!(desk.draft.workspace() == *first));
    }

    void aRefusalIsSaidAndChangesNothing()
    {
        Desk desk;
        desk.change();
        desk.serving.refusal = QStringLiteral("No space left on device.");
        desk.click("apply");
        QVERIFY(desk.page.banner().text().contains(QStringLiteral("No space left on device")));
        QVERIFY(desk.find("apply")->isEnabled());
    }

    void productionAsksFirst()
    {
        workspace::Workspace workspace = test::draftDesk();
        workspace.environment = QStringLiteral("production");
        Desk desk(workspace);
        desk.serving.environmentName = workspace.environment;
        desk.give(1);
        desk.change();
        desk.click("apply");
        QVERIFY(desk.serving.applied.empty());
        auto* dialog = desk.window.findChild<ui::ConfirmDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        auto* act = dialog->findChild<QPushButton*>(QStringLiteral("confirmAction"));
        QVERIFY(!act->isEnabled()); // a reason is needed
        QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("reason")), QStringLiteral("fewer tries"));
        dialog->findChild<QSpinBox*>(QStringLiteral("undoMinutes"))->setValue(7);
        QTest::mouseClick(act, Qt::LeftButton);
        QCOMPARE(desk.serving.applied.size(), 1u);
        QCOMPARE(desk.serving.applied.back().note, QStringLiteral("fewer tries"));
        QVERIFY2(desk.page.banner().text().contains(QStringLiteral("goes back by itself at ")),
                 qPrintable(desk.page.banner().text()));
        desk.click("bannerWay2"); // keep it
        QVERIFY(!desk.page.banner().text().contains(QStringLiteral("goes back")));
    }

    void whatProductionSharesAsksFirst()
    {
        Desk desk;
        desk.give(1);
        desk.serving.environmentName = QStringLiteral("staging");
        desk.serving.alsoChanged = QStringList{QStringLiteral("production")};
        desk.change();
        desk.click("compare");
        auto* compare = desk.window.findChild<ui::CompareDialog*>();
        QVERIFY(labelsOf(compare).contains(QStringLiteral("makes production another too")));
        QTest::mouseClick(compare->findChild<QPushButton*>(QStringLiteral("applyDraft")), Qt::LeftButton);
        QVERIFY(desk.serving.applied.empty());
        auto* dialog = desk.window.findChild<ui::ConfirmDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        QVERIFY2(labelsOf(dialog).contains(QStringLiteral("staging and production")), qPrintable(labelsOf(dialog)));
        dialog->reject();
        desk.serving.alsoChanged = QStringList{QStringLiteral("development")}; // does no harm
        desk.click("apply");
        QCOMPARE(desk.serving.applied.size(), 1u);
    }

    void whatIsNotKeptAsAVersionServesAnyway()
    {
        Desk desk;
        desk.give(1);
        const workspace::WorkspacePtr first = desk.serving.now;
        desk.serving.contents[1] = first;
        desk.change();
        desk.serving.notKept = QStringLiteral("No space left on device.");
        desk.click("apply");
        const QString said = desk.page.banner().text();
        QVERIFY2(said.startsWith(QStringLiteral("Applied, but not kept as a version: No space left on device.")),
                 qPrintable(said));
        QVERIFY2(desk.state().startsWith(QStringLiteral("No changes to what serves")), qPrintable(desk.state()));
        desk.serving.notKept.clear();
        desk.click("bannerWay1"); // the way back is the newest that is kept
        QVERIFY(*desk.serving.now == *first);
    }

    void goesBackByItself_data()
    {
        QTest::addColumn<bool>("isEdited");
        QTest::newRow("with the draft") << false;
        QTest::newRow("past a draft that is edited on") << true;
    }
    void goesBackByItself()
    {
        QFETCH(bool, isEdited);
        workspace::Workspace workspace = test::draftDesk();
        workspace.environment = QStringLiteral("production");
        Desk desk(workspace);
        desk.serving.environmentName = workspace.environment;
        desk.give(1);
        const workspace::WorkspacePtr first = desk.serving.now;
        applyAsked(desk);
        QVERIFY(!desk.page.flow().goesBackAt().isEmpty());
        if (isEdited)
            desk.change(QStringLiteral("Go on"));
        const workspace::WorkspacePtr draft = desk.draft.pointer();
        auto* timer = desk.page.flow().findChild<QTimer*>(QStringLiteral("goesBack"));
        timer->start(0);
        QTRY_VERIFY(*desk.serving.now == *first);
        QVERIFY(desk.page.flow().goesBackAt().isEmpty());
        if (isEdited) {
            QVERIFY(desk.draft.pointer() == draft);
            QVERIFY(desk.page.banner().text().contains(QStringLiteral("The draft is left as it was")));
        } else {
            QVERIFY(desk.draft.workspace() == *first);
        }
    }

    void whileSomethingIsUnderWayGoingBackWaits()
    {
        workspace::Workspace workspace = test::draftDesk();
        workspace.environment = QStringLiteral("production");
        Desk desk(workspace);
        desk.serving.environmentName = workspace.environment;
        desk.give(1);
        const workspace::WorkspacePtr first = desk.serving.now;
        applyAsked(desk);
        desk.change(QStringLiteral("Go on"));
        desk.serving.answersLate = true;
        desk.page.flow().apply();
        answer(desk);
        QVERIFY(desk.page.flow().isBusy());
        auto* timer = desk.page.flow().findChild<QTimer*>(QStringLiteral("goesBack"));
        timer->start(0);
        QTRY_VERIFY(timer->interval() > 0); // tries again
        desk.serving.refusal = QStringLiteral("No space left on device.");
        desk.serving.answersLate = false;
        desk.serving.finishApply();
        QTRY_VERIFY(*desk.serving.now == *first);
    }

    void errorsKeepADraftOut()
    {
        Desk desk;
        desk.page.editor().editTier(0, QStringLiteral("Break it"), {},
                                    [](chain::TierSpec& tier) { tier.endpoint = "nobody"; });
        desk.click("apply");
        QVERIFY(desk.serving.applied.empty());
        QVERIFY(desk.page.banner().text().startsWith(QStringLiteral("Not applied: mend this first.")));
    }

    void comparesLineByLine()
    {
        Desk desk;
        desk.give(1);
        desk.change();
        desk.click("compare");
        auto* dialog = desk.window.findChild<ui::CompareDialog*>();
        QVERIFY(dialog);
        QCOMPARE(dialog->rows().rows().size(), 1u);
        QCOMPARE(dialog->rows().rows()[0][1].text, QStringLiteral("tries"));
        QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("note")), QStringLiteral("one more try"));
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("applyDraft")), Qt::LeftButton);
        QCOMPARE(desk.serving.applied.back().note, QStringLiteral("one more try"));
    }

    void regionsHaveSomethingToStopAt()
    {
        Desk desk;
        desk.page.setAsTree(true);
        for (QWidget* region : desk.page.regions())
            QVERIFY(region->isVisible());
        desk.page.setNarrow(true);
        QVERIFY(!desk.find<QLabel>("draftState")->isVisible());
    }

    void pictures()
    {
        const QString folder = qEnvironmentVariable("SG_SHOTS");
        if (folder.isEmpty())
            QSKIP("SG_SHOTS names the folder for pictures");
        for (const ui::ThemeMode mode : {ui::ThemeMode::Dark, ui::ThemeMode::Light}) {
            const QString name = mode == ui::ThemeMode::Dark ? QStringLiteral("dark") : QStringLiteral("light");
            for (const char* what : {"tree", "canvas", "empty", "narrow"}) {
                const bool isEmpty = qstrcmp(what, "empty") == 0;
                Desk desk(isEmpty ? workspace::emptyWorkspace(QStringLiteral("x")) : test::draftDesk());
                desk.context.setMode(mode);
                desk.context.applyTo(&desk.window);
                if (!isEmpty) {
                    desk.give(14);
                    desk.page.editor().addLimiter();
                    desk.page.editor().addCache();
                    desk.change();
                    desk.page.editor().select(ui::ChainNode::ofTier(1));
                }
                desk.page.setAsTree(qstrcmp(what, "canvas") != 0);
                desk.page.tree()->expand(desk.page.tree()->chainModel().indexOf(ui::ChainNode::ofTier(1)));
                if (qstrcmp(what, "narrow") == 0) {
                    desk.window.resize(900, 600);
                    desk.page.setNarrow(true);
                }
                QTest::qWait(300);
                desk.window.grab().save(QStringLiteral("%1/chains-%2-%3.png").arg(folder, QLatin1String(what), name));
            }
        }
    }
};

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    ui::prepareApplication(application);
    TestChainsPage test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_chains_page.moc"
