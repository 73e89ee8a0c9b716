// SPDX-License-Identifier: GPL-3.0-or-later
// What is edited on a desk: drafts that outlive the program, environments, versions, files that others change.
#include "core/workspace/edits.h"
#include "core/workspace/workspace_file.h"
#include "tests/app/desktop_folder.h"
#include "ui/chains/chains_page.h"
#include "ui/endpoints/endpoints_page.h"
#include "ui/load/load_page.h"
#include "ui/main_window/main_window.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/confirm_dialog.h"
#include "ui/widgets/segments.h"

#include <QLineEdit>
#include <QMessageBox>

using namespace sg;
using test::click;
using test::kEmpty;
using test::textOf;

namespace {

/// A change that can be applied.
void addChain(app::Desktop& desktop)
{
    desktop.desk()->draft().edit(QStringLiteral("New chain"), [](workspace::Workspace& workspace) {
        workspace::Chain chain;
        chain.spec.name = "support";
        chain.spec.tiers = {workspace::cannedTier()};
        workspace::addChain(workspace, chain);
    });
}

const QByteArray kThree = test::json("{'version':2,'name':'W','environment':'development','endpoints':[],'chains':[],"
                                     "'environments':{'development':{},'staging':{},'production':{}}}");

/// As by the choice in the top bar, and the question behind it.
void switchTo(app::Desktop& desktop, const char* environment)
{
    Q_EMIT desktop.window()->topBar().environmentSelected(QString::fromLatin1(environment));
    if (auto* question = desktop.window()->findChild<QMessageBox*>(QStringLiteral("switchEnvironment"))) {
        for (QAbstractButton* button : question->buttons())
            if (question->buttonRole(button) == QMessageBox::AcceptRole)
                button->click();
    }
    QCOMPARE(desktop.session()->workspace().environment, QString::fromLatin1(environment));
    QCoreApplication::processEvents(); // the desk that was left goes
}

void answerProduction(app::Desktop& desktop)
{
    auto* dialog = desktop.window()->findChild<ui::ConfirmDialog*>();
    QVERIFY(dialog);
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("reason")), QStringLiteral("a try"));
    click(dialog, "confirmAction");
}

void saveAs(app::Desktop& desktop)
{
    for (const ui::PaletteCommand& command : desktop.commands())
        if (command.words.startsWith(QStringLiteral("Save the workspace as")))
            return command.run();
    QFAIL("no command");
}

} // namespace

class tst_desktop_drafts : public QObject, test::DesktopFolder
{
    Q_OBJECT

private Q_SLOTS:
    void init() { beginAnew(); }

    void anUnappliedDraftIsKeptAndOfferedAgain()
    {
        const QString file = write("empty.json", kEmpty);
        {
            app::Desktop desktop(optionsFor(file));
            QVERIFY(desktop.open());
            addChain(desktop);
        }
        app::Desktop desktop(optionsFor(file));
        QVERIFY(desktop.open());
        QVERIFY(desktop.desk()->draft().workspace().chains.empty());
        const QString said = desktop.window()->banner().text();
        QVERIFY2(said.contains(QStringLiteral("A draft from before was not applied: 1 change")), qPrintable(said));
        click(&desktop.window()->banner(), "bannerWay1");
        QCOMPARE(desktop.desk()->draft().workspace().chains.size(), 1u);
        QCOMPARE(desktop.window()->currentPage(), QStringLiteral("chains"));
        desktop.desk()->draft().undoStack().undo();
        QVERIFY(desktop.desk()->keepDraft());
        desktop.openFile(file); // nothing is left of it
        QVERIFY(!desktop.window()->banner().isVisible());
    }

    void anUnfinishedDraftIsOfferedAgainToo()
    {
        const QString file = write("empty.json", kEmpty);
        {
            app::Desktop desktop(optionsFor(file));
            QVERIFY(desktop.open());
            desktop.desk()->draft().edit(QStringLiteral("New chain"), [](workspace::Workspace& w) {
                workspace::Chain chain; // without a tier no file may say so
                chain.spec.name = "half";
                workspace::addChain(w, chain);
            });
            QVERIFY(desktop.desk()->keepDraft());
        }
        app::Desktop desktop(optionsFor(file));
        QVERIFY(desktop.open());
        const QString said = desktop.window()->banner().text();
        QVERIFY2(said.contains(QStringLiteral("A draft from before was not applied: 1 change")), qPrintable(said));
        click(&desktop.window()->banner(), "bannerWay1");
        QVERIFY(desktop.desk()->draft().workspace().chain("half"));
    }

    void appliedWorkspacesAreSavedAndServe()
    {
        const QString file = write("empty.json", kEmpty);
        app::Desktop desktop(optionsFor(file));
        QVERIFY(desktop.open());
        addChain(desktop);
        desktop.chains()->flow().apply(QStringLiteral("first"));
        QTRY_COMPARE_WITH_TIMEOUT(desktop.desk()->serving().version().number, 2, 10000);
        QTRY_COMPARE(desktop.session()->engine().directory()->chains.size(), 1u);
        QVERIFY(!desktop.desk()->hasUnappliedDraft());
        const auto saved = workspace::loadWorkspace(file);
        QVERIFY(saved);
        QCOMPARE(saved->workspace.chains.size(), 1u);
        QCOMPARE(desktop.desk()->serving().versions().front().note, QStringLiteral("first"));

        desktop.chains()->flow().rollBack();
        QTRY_COMPARE_WITH_TIMEOUT(desktop.desk()->serving().version().number, 3, 10000);
        QVERIFY(workspace::loadWorkspace(file)->workspace.chains.empty());

        desktop.openFile(file); // the newest is known by its number
        QCOMPARE(desktop.desk()->serving().version().number, 3);
    }

    void aFileChangedByOthersIsNoticed()
    {
        const QString file = write("empty.json", kEmpty);
        app::Desktop desktop(optionsFor(file));
        QVERIFY(desktop.open());
        write("empty.json", test::json("{'version':2,'name':'Theirs','endpoints':[],'chains':[]}"));
        QTRY_VERIFY_WITH_TIMEOUT(
            desktop.window()->banner().text().contains(QStringLiteral("was changed by another program")), 10000);
        addChain(desktop);
        desktop.chains()->flow().apply();
        QVERIFY(desktop.chains()->banner().text().contains(QStringLiteral("Read it again, or keep yours")));
        click(&desktop.window()->banner(), "bannerWay2"); // keep mine
        desktop.chains()->flow().apply();
        QTRY_COMPARE_WITH_TIMEOUT(desktop.desk()->serving().version().number, 2, 10000);
        QCOMPARE(workspace::loadWorkspace(file)->workspace.name, QStringLiteral("Nothing yet"));

        write("empty.json", test::json("{'version':2,'name':'Theirs','endpoints':[],'chains':[]}"));
        QTRY_VERIFY_WITH_TIMEOUT(
            desktop.window()->banner().text().contains(QStringLiteral("was changed by another program")), 10000);
        click(&desktop.window()->banner(), "bannerWay1"); // read it again
        QCOMPARE(desktop.session()->workspace().name, QStringLiteral("Theirs"));
        QCoreApplication::processEvents();
    }

    void environmentsAreAChoice()
    {
        const QString file =
            write("w.json", test::json("{'version':2,'name':'W','environment':'development',"
                                       "'endpoints':[],'chains':[],'environments':{'production':{}}}"));
        app::DesktopOptions options = optionsFor(file);
        options.session.environment = QStringLiteral("production");
        app::Desktop desktop(options);
        QVERIFY(desktop.open());
        QCOMPARE(desktop.session()->workspace().environment, QStringLiteral("production"));
        ui::Segments* choice = nullptr;
        for (auto* one : desktop.window()->topBar().findChildren<ui::Segments*>()) {
            if (one->accessibleName() == QStringLiteral("Environment"))
                choice = one;
        }
        QVERIFY(choice);
        choice->setCurrent(choice->current() == 0 ? 1 : 0); // asks nothing
        QCOMPARE(desktop.session()->workspace().environment, QStringLiteral("development"));
        QCoreApplication::processEvents();

        addChain(desktop); // now there is something to lose
        Q_EMIT desktop.window()->topBar().environmentSelected(QStringLiteral("production"));
        auto* question = desktop.window()->findChild<QMessageBox*>(QStringLiteral("switchEnvironment"));
        QVERIFY(question);
        question->button(QMessageBox::Cancel)->click();
        QCOMPARE(desktop.session()->workspace().environment, QStringLiteral("development"));
    }

    void eachEnvironmentKeepsItsDraft()
    {
        app::Desktop desktop(optionsFor(write("w.json", kThree)));
        QVERIFY(desktop.open());
        addChain(desktop);
        const workspace::WorkspacePtr draft = desktop.desk()->draft().pointer();
        switchTo(desktop, "production");
        QVERIFY2(!desktop.window()->banner().text().contains(QStringLiteral("A draft from before")), "another's");
        switchTo(desktop, "development");
        QVERIFY(desktop.window()->banner().text().contains(QStringLiteral("A draft from before was not applied")));
        switchTo(desktop, "production"); // unanswered
        addChain(desktop);
        switchTo(desktop, "development");
        click(&desktop.window()->banner(), "bannerWay1"); // take it up
        QVERIFY(desktop.desk()->draft().workspace() == *draft);
    }

    void aDraftOutlivesAChangeOfTheFile()
    {
        const QString file = write("empty.json", kEmpty);
        {
            app::Desktop desktop(optionsFor(file));
            QVERIFY(desktop.open());
            addChain(desktop);
        }
        write("empty.json", test::json("{'version':2,'name':'Theirs','endpoints':[],'chains':[]}"));
        app::Desktop desktop(optionsFor(file));
        QVERIFY(desktop.open());
        const QString said = desktop.window()->banner().text();
        QVERIFY2(said.contains(QStringLiteral("The file has changed since")), qPrintable(said));
        click(&desktop.window()->banner(), "bannerWay1");
        QCOMPARE(desktop.desk()->draft().workspace().chains.size(), 1u);
    }

    void anOfferedDraftIsNotWrittenOver()
    {
        const QString file = write("empty.json", kEmpty);
        const auto rename = [](app::Desktop& desktop, const char* name) {
            desktop.desk()->draft().edit(QStringLiteral("Name it"),
                                         [&](workspace::Workspace& w) { w.name = QString::fromLatin1(name); });
        };
        {
            app::Desktop desktop(optionsFor(file));
            QVERIFY(desktop.open());
            rename(desktop, "first");
        }
        {
            app::Desktop desktop(optionsFor(file));
            QVERIFY(desktop.open());
            QVERIFY(desktop.window()->banner().text().contains(QStringLiteral("A draft from before")));
            rename(desktop, "second"); // without an answer
        }
        app::Desktop desktop(optionsFor(file));
        QVERIFY(desktop.open());
        for (const char* name : {"first", "second"}) {
            QVERIFY(desktop.window()->banner().text().contains(QStringLiteral("A draft from before")));
            click(&desktop.window()->banner(), "bannerWay1");
            QCOMPARE(desktop.desk()->draft().workspace().name, QString::fromLatin1(name));
        }
        QVERIFY(!desktop.window()->banner().isVisible());
        QVERIFY(desktop.desk()->keepDraft());
        desktop.openFile(file);
        click(&desktop.window()->banner(), "bannerWay2"); // drop it
        QVERIFY(!desktop.window()->banner().isVisible());
        desktop.openFile(file);
        QVERIFY(!desktop.window()->banner().isVisible());
    }

    void aDraftThatCannotBeKeptIsSaidOnce()
    {
        dataFolder = QStringLiteral("/dev/null/x");
        const QString file = write("empty.json", kEmpty);
        app::Desktop desktop(optionsFor(file));
        QVERIFY(desktop.open());
        addChain(desktop);
        ui::Banner& banner = desktop.window()->banner();
        QTRY_VERIFY_WITH_TIMEOUT(banner.text().startsWith(QStringLiteral("The draft was not saved: ")), 10000);
        const ui::MainWindow* before = desktop.window();
        desktop.openFile(file); // nothing is thrown away
        QCOMPARE(desktop.window(), before);
        QVERIFY2(banner.text().startsWith(QStringLiteral("The draft cannot be kept: ")), qPrintable(banner.text()));
        desktop.desk()->draft().undoStack().undo();
        desktop.openFile(file);
        QVERIFY(desktop.window() != before);
        QCoreApplication::processEvents();
    }

    void versionsAreOfOneEnvironment()
    {
        app::Desktop desktop(optionsFor(write("w.json", kThree)));
        QVERIFY(desktop.open());
        desktop.desk()->serving().setChangesOnlyHere(true);
        addChain(desktop);
        desktop.chains()->flow().apply();
        QTRY_COMPARE_WITH_TIMEOUT(desktop.desk()->serving().versions().size(), 2u, 10000);
        const workspace::WorkspacePtr theirs = desktop.desk()->serving().serving();
        switchTo(desktop, "production");
        QVERIFY(desktop.desk()->serving().versions().empty());
        QCOMPARE(desktop.chains()->flow().versionBefore(), 0);
        // Whatever a draft came from, it serves here as what is here.
        desktop.desk()->draft().replace(QStringLiteral("Theirs"), theirs);
        desktop.desk()->serving().apply(desktop.desk()->draft().pointer(), {}, [](const auto& done) { QVERIFY(done); });
        QTRY_COMPARE_WITH_TIMEOUT(desktop.desk()->serving().versions().size(), 2u, 10000);
        QCOMPARE(desktop.session()->workspace().environment, QStringLiteral("production"));
        QCOMPARE(desktop.desk()->serving().versions().front().environment, QStringLiteral("production"));
    }

    void whatTheEnvironmentsShareIsNamed()
    {
        app::Desktop desktop(optionsFor(write("w.json", kThree)));
        QVERIFY(desktop.open());
        app::DesktopServing& serving = desktop.desk()->serving();
        QVERIFY(serving.environmentsChangedBy(desktop.desk()->draft().workspace()).isEmpty());
        addChain(desktop);
        const QStringList changed = serving.environmentsChangedBy(desktop.desk()->draft().workspace());
        QCOMPARE(QSet<QString>(changed.begin(), changed.end()),
                 (QSet<QString>{QStringLiteral("staging"), QStringLiteral("production")}));
        serving.setChangesOnlyHere(true);
        QVERIFY(serving.environmentsChangedBy(desktop.desk()->draft().workspace()).isEmpty());
        serving.setChangesOnlyHere(false);
        desktop.chains()->flow().apply(); // where what all share is edited, nothing is asked
        QTRY_COMPARE_WITH_TIMEOUT(serving.version().number, 2, 10000);
    }

    void leavingAPendingWayBackAsks()
    {
        app::Desktop desktop(optionsFor(write("w.json", kThree)));
        QVERIFY(desktop.open());
        switchTo(desktop, "production");
        addChain(desktop);
        desktop.chains()->flow().apply();
        answerProduction(desktop);
        QTRY_VERIFY_WITH_TIMEOUT(!desktop.chains()->flow().goesBackAt().isEmpty(), 10000);
        QVERIFY(!desktop.window()->close());
        QVERIFY(desktop.window()->isVisible());
        auto* question = desktop.window()->findChild<QMessageBox*>(QStringLiteral("leaveWorkspace"));
        QVERIFY(question);
        question->button(QMessageBox::Cancel)->click();
        Q_EMIT desktop.window()->topBar().environmentSelected(QStringLiteral("staging"));
        question = desktop.window()->findChild<QMessageBox*>(QStringLiteral("switchEnvironment"));
        QVERIFY(question && question->text().contains(QStringLiteral("stays for good")));
        question->button(QMessageBox::Cancel)->click();
        click(&desktop.chains()->banner(), "bannerWay2"); // keep it
        QVERIFY(desktop.window()->close());
    }

    void aDraftWithErrorsIsNotSavedElsewhere()
    {
        const QString other = folder_->filePath(QStringLiteral("other.json"));
        app::Desktop desktop(optionsFor(write("empty.json", kEmpty)));
        QVERIFY(desktop.open());
        addChain(desktop);
        desktop.askNewFile = [&](QWidget*, const QString&) { return other; };
        const auto breakIt = [](workspace::Workspace& w) { w.chains[0].spec.tiers = {workspace::tierFor("nobody")}; };
        desktop.desk()->draft().edit(QStringLiteral("Break it"), breakIt);
        saveAs(desktop);
        QVERIFY(!QFileInfo::exists(other));
        const QString said = desktop.window()->banner().text();
        QVERIFY2(said.startsWith(QStringLiteral("Not saved: mend this first.")), qPrintable(said));
        desktop.desk()->draft().undoStack().undo();
        saveAs(desktop);
        QCOMPARE(desktop.session()->file(), other);
        QCOMPARE(desktop.session()->workspace().chains.size(), 1u);
        QCoreApplication::processEvents();
    }

    void practiceTrafficFollowsTheChains()
    {
        app::DesktopOptions options;
        options.dataFolder = dataFolder;
        options.practiceTraffic = true;
        app::Desktop desktop(options);
        QVERIFY(desktop.open());
        const auto rename = [](workspace::Workspace& w) { w.chains[0].spec.name = "renamed"; };
        desktop.desk()->draft().edit(QStringLiteral("Rename"), rename);
        desktop.desk()->serving().apply(desktop.desk()->draft().pointer(), {}, [](const auto& done) { QVERIFY(done); });
        const auto answered = [&] {
            const observe::SnapshotPtr snapshot = desktop.session()->engine().latest();
            for (const observe::ChainView& chain : snapshot->chainsMinute)
                if (chain.name == "renamed" && chain.answered > 0)
                    return true;
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(answered(), 20000);
    }

    void endpointsAreAppliedOnTheirPage()
    {
        app::Desktop desktop(optionsFor(write("empty.json", kEmpty)));
        QVERIFY(desktop.open());
        desktop.window()->showPage(QStringLiteral("endpoints"));
        QWidget* page = desktop.desk()->endpoints()->widget();
        QVERIFY(!page->findChild<QPushButton*>(QStringLiteral("apply"))->isEnabled());
        addChain(desktop);
        QVERIFY(page->findChild<QLabel*>(QStringLiteral("draftState"))->text().startsWith(QStringLiteral("Draft, 1")));
        desktop.window()->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(desktop.window())); // shortcuts are heard there only
        QTest::keyClick(page, Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(desktop.desk()->serving().version().number, 2, 10000);
        QVERIFY(textOf(page).contains(QStringLiteral("v2 serves since ")));
        addChain(desktop);
        click(page, "apply");
        QTRY_COMPARE_WITH_TIMEOUT(desktop.desk()->serving().version().number, 3, 10000);
    }
};

int main(int argc, char** argv)
{
    return test::runDesktopTest<tst_desktop_drafts>(argc, argv);
}
#include "tst_desktop_drafts.moc"
