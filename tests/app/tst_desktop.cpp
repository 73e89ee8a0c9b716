// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/desk.h"
#include "app/desktop/desktop.h"
#include "core/workspace/edits.h"
#include "core/workspace/workspace_file.h"
#include "tests/app/cli_process.h"
#include "ui/chains/chains_page.h"
#include "ui/endpoints/endpoints_page.h"
#include "ui/load/load_page.h"
#include "ui/main_window/main_window.h"
#include "ui/opening/cannot_open_window.h"
#include "ui/overview/empty_state.h"
#include "ui/overview/overview_page.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/confirm_dialog.h"
#include "ui/widgets/segments.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSemaphore>

#include <atomic>
#include <thread>

#include <csignal>

using namespace sg;

namespace {

const QByteArray kEmpty = test::json("{'version':1,'name':'Nothing yet','endpoints':[],'chains':[]}");

QString dataFolder; ///< of the running test

app::DesktopOptions optionsFor(const QString& file)
{
    app::DesktopOptions options;
    options.dataFolder = dataFolder;
    options.session.workspaceFile = file;
    return options;
}

void click(QWidget* in, const char* button)
{
    auto* found = in->findChild<QPushButton*>(QString::fromLatin1(button));
    QVERIFY2(found && found->isEnabled(), button);
    QTest::mouseClick(found, Qt::LeftButton);
}

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

QString textOf(QWidget* in)
{
    QStringList all;
    for (const QLabel* label : in->findChildren<QLabel*>())
        all.append(label->text());
    return all.join(QLatin1Char('\n'));
}

} // namespace

class tst_desktop : public QObject
{
    Q_OBJECT

private:
    QString write(const char* name, const QByteArray& bytes)
    {
        QFile file(folder_->filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("the test cannot write its own file");
        return file.fileName();
    }

    /// Bit of `signal` in a mask of /proc/PID/status.
    static bool isCaught(qint64 pid, int signal)
    {
        QFile status(QStringLiteral("/proc/%1/status").arg(pid));
        if (!status.open(QIODevice::ReadOnly))
            return false;
        for (const QByteArray& line : status.readAll().split('\n'))
            if (line.startsWith("SigCgt:"))
                return line.mid(7).trimmed().toULongLong(nullptr, 16) >> (signal - 1) & 1;
        return false;
    }

private Q_SLOTS:
    void init()
    {
        folder_ = std::make_unique<QTemporaryDir>();
        dataFolder = folder_->filePath(QStringLiteral("data"));
    }

    void unopenableFileIsAWindowWithTheFindings()
    {
        const QString file = write("broken.json", "{\"version\":1,\n \"endpoints\": [ }");
        app::Desktop desktop(optionsFor(file));
        const auto opened = desktop.open();
        QVERIFY(!opened);
        QVERIFY(opened.error().first().startsWith(file + QStringLiteral(": line 2, column ")));
        QVERIFY(!desktop.window());
        ui::CannotOpenWindow* window = desktop.problemWindow();
        QVERIFY(window && window->isVisible());
        const QString said = textOf(window);
        QVERIFY2(said.contains(file + QStringLiteral(" cannot be opened")), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("\nline 2, column ")), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("Mend the text at this place")), qPrintable(said));
        click(window, "copyFindings");
        QCOMPARE(QGuiApplication::clipboard()->text(), opened.error().join(QLatin1Char('\n')));
    }

    void everyFindingIsShown()
    {
        const QString file =
            write("two.json", test::json("{'version':1,'chains':[],'endpoints':["
                                         "{'name':'a','base_url':'ftp://x','model':'m'},{'name':'a','base_url':'http://"
                                         "127.0.0.1:1','model':''}]}"));
        app::Desktop desktop(optionsFor(file));
        QVERIFY(!desktop.open());
        const QString said = textOf(desktop.problemWindow());
        for (const char* place : {"endpoints[0].base_url", "endpoints[1].name", "endpoints[1].model"})
            QVERIFY2(said.contains(QLatin1String(place)), qPrintable(said));
    }

    void mendedFileOpensAtTheNextTry()
    {
        const QString file = write("w.json", "{");
        app::Desktop desktop(optionsFor(file));
        QVERIFY(!desktop.open());
        click(desktop.problemWindow(), "retry");
        QVERIFY(desktop.problemWindow());
        write("w.json", kEmpty);
        click(desktop.problemWindow(), "retry");
        QVERIFY(!desktop.problemWindow());
        QVERIFY(desktop.window() && desktop.window()->isVisible());
        QCoreApplication::processEvents(); // the window that was left goes
    }

    void anotherFileMayBeChosen()
    {
        const QString good = write("good.json", kEmpty);
        app::Desktop desktop(optionsFor(folder_->filePath(QStringLiteral("missing.json"))));
        QVERIFY(!desktop.open());
        desktop.askFile = [](QWidget*) { return QString(); };
        click(desktop.problemWindow(), "otherFile");
        QVERIFY(!desktop.window()); // nothing chosen, nothing happens
        desktop.askFile = [&](QWidget*) { return good; };
        click(desktop.problemWindow(), "otherFile");
        QVERIFY(desktop.window());
        QCOMPARE(desktop.options().session.workspaceFile.value(), good);
        QVERIFY(!desktop.options().practiceTraffic);
    }

    void simulatorIsAWayOn()
    {
        app::Desktop desktop(optionsFor(folder_->filePath(QStringLiteral("missing.json"))));
        QVERIFY(!desktop.open());
        click(desktop.problemWindow(), "startSimulator");
        QVERIFY(desktop.window() && !desktop.problemWindow());
        QTRY_VERIFY_WITH_TIMEOUT(!desktop.overview()->isEmpty(), 10000); // endpoints, and traffic through them
    }

    void withoutAWindowOnlyTheAnswerSaysIt()
    {
        app::DesktopOptions options = optionsFor(folder_->filePath(QStringLiteral("missing.json")));
        options.showsProblems = false;
        app::Desktop desktop(options);
        const auto opened = desktop.open();
        QVERIFY(!opened);
        QVERIFY(
            opened.error().first().contains(QStringLiteral("missing.json: the file does not exist. Check the path")));
        QVERIFY(!desktop.problemWindow());
    }

    void emptyWorkspaceShowsTheEmptyState()
    {
        const QString file = write("empty.json", kEmpty);
        app::Desktop desktop(optionsFor(file));
        QVERIFY(desktop.open());
        desktop.window()->tick();
        desktop.window()->tick(); // what stays empty is empty
        QVERIFY(desktop.overview()->isEmpty());
        QVERIFY(desktop.overview()->emptyState().isVisible());
        QVERIFY(!desktop.window()->banner().isVisible());

        click(&desktop.overview()->emptyState(), "startSimulator");
        QVERIFY(!desktop.options().session.workspaceFile);
        QTRY_VERIFY_WITH_TIMEOUT(!desktop.overview()->isEmpty(), 10000);
    }

    void addEndpointOpensItsPage()
    {
        app::Desktop desktop(optionsFor(write("empty.json", kEmpty)));
        QVERIFY(desktop.open());
        click(&desktop.overview()->emptyState(), "addEndpoint");
        QCOMPARE(desktop.window()->currentPage(), QStringLiteral("endpoints"));
        QWidget* menu = QApplication::activePopupWidget();
        QVERIFY(menu);
        menu->close();
    }

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

    void newWorkspacesBeginEmpty()
    {
        const QString file = folder_->filePath(QStringLiteral("fresh.json"));
        QVERIFY(app::Desktop::createFile(file));
        QVERIFY(!app::Desktop::createFile(file)); // nothing is written over
        app::Desktop desktop(optionsFor(folder_->filePath(QStringLiteral("missing.json"))));
        QVERIFY(!desktop.open());
        desktop.askNewFile = [&](QWidget*, const QString&) { return folder_->filePath(QStringLiteral("other.json")); };
        click(desktop.problemWindow(), "newWorkspace");
        QVERIFY(desktop.window());
        QCOMPARE(desktop.session()->workspace().name, QStringLiteral("other"));
        QVERIFY(desktop.overview());
    }

    void brokenFileLeavesTheOpenDeskAlone()
    {
        const QString file = write("empty.json", kEmpty);
        app::Desktop desktop(optionsFor(file));
        QVERIFY(desktop.open());
        ui::MainWindow* before = desktop.window();
        desktop.openFile(write("broken.json", "{"));
        QCOMPARE(desktop.window(), before);
        QVERIFY(before->isVisible());
        QVERIFY2(before->banner().text().contains(QStringLiteral("broken.json: line 1, column ")),
                 qPrintable(before->banner().text()));
        QCOMPARE(desktop.options().session.workspaceFile.value(), file);
    }

    void anotherDeskOpensWhileTheEngineIsBusy()
    {
        const QString file = write("empty.json", kEmpty);
        QSemaphore gate, isDone; // outlive the desktop, whose engine waits at the gate
        app::DesktopOptions options;
        options.practiceTraffic = true;
        app::Desktop desktop(options);
        QVERIFY(desktop.open());
        auto* page = desktop.window()->findChild<ui::LoadPage*>();
        desktop.window()->showPage(QStringLiteral("load"));
        page->start(); // a load run is on
        desktop.session()->engine().post([&gate](engine::EngineCore&) { gate.acquire(); });
        std::atomic<bool> isLate = false;
        std::thread watchdog([&] {
            if (isDone.tryAcquire(1, 20'000))
                return;
            isLate = true;
            gate.release();
        });
        desktop.openFile(file);
        QCoreApplication::processEvents(); // the desk that was left goes
        isDone.release();
        watchdog.join();
        gate.release();
        QVERIFY2(!isLate, "the GUI thread waited for the engine");
        QCOMPARE(desktop.session()->file(), file);
        QVERIFY(desktop.overview()->isEmpty());
    }

    void badKeyIsABanner()
    {
        qputenv("SG_TEST_KEY", "sk-abcd efghijklmn");
        const QString file =
            write("w.json",
                  test::workspaceWith(QStringLiteral("http://127.0.0.1:%1").arg(test::closedPort()),
                                      test::json(",'key':{'source':'environment','name':'SG_TEST_KEY'},'limtis':{}")));
        app::Desktop desktop(optionsFor(file));
        QVERIFY(desktop.open());
        const QString said = desktop.window()->banner().text();
        QVERIFY2(desktop.window()->banner().isVisible(), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("endpoints[0].key: SG_TEST_KEY: The key holds a blank")),
                 qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("Did you mean \"limits\"?")), qPrintable(said));
        QVERIFY(!said.contains(QStringLiteral("sk-ab")));
        qunsetenv("SG_TEST_KEY");
    }

    void programSaysWhatIsWrong_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("said");
        QTest::newRow("missing") << QStringLiteral("--workspace missing.json")
                                 << QStringLiteral("missing.json: the file does not exist. Check the path");
        QTest::newRow("missing, pictures") << QStringLiteral("missing.json --shots . --after 0")
                                           << QStringLiteral("missing.json: the file does not exist. Check the path");
        QTest::newRow("unknown option") << QStringLiteral("--dmeo")
                                        << QStringLiteral("Unknown option 'dmeo'. See: switchgear --help");
        QTest::newRow("both") << QStringLiteral("--demo a.json") << QStringLiteral("Give one workspace, or --demo");
        QTest::newRow("seed") << QStringLiteral("--seed x") << QStringLiteral("--seed takes a whole number");
        QTest::newRow("after") << QStringLiteral("--after x") << QStringLiteral("--after takes seconds");
    }
    void programSaysWhatIsWrong()
    {
        QFETCH(QString, line);
        QFETCH(QString, said);
        test::Cli program;
        program.program = QStringLiteral(SWITCHGEAR_DESKTOP);
        program.environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        const test::CliResult result = program.run(line.split(QLatin1Char(' ')));
        COMPARE_CODE(result, 2);
        QVERIFY2(result.err.contains(said), result.told().constData());
    }

    void programWithoutADisplaySaysSo()
    {
        test::Cli program;
        program.program = QStringLiteral(SWITCHGEAR_DESKTOP);
        for (const char* name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
            program.environment.remove(QString::fromLatin1(name));
        const test::CliResult result = program.run({QStringLiteral("--demo")});
        COMPARE_CODE(result, 2);
        VERIFY_SAYS(result, "There is no display. Start it in a desktop session, use switchgear-cli, or let --shots");
        const test::CliResult shots =
            program.run({QStringLiteral("--demo"), QStringLiteral("--shots"), QStringLiteral("out"),
                         QStringLiteral("--after"), QStringLiteral("0")});
        COMPARE_CODE(shots, 0);
        QVERIFY(QFileInfo::exists(program.folder.filePath(QStringLiteral("out/overview-dark.png"))));
    }

    void signalsEndTheProgramInOrder_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("Ctrl+C") << SIGINT;
        QTest::newRow("logout") << SIGTERM;
    }
    void signalsEndTheProgramInOrder()
    {
        QFETCH(int, signal);
        test::Cli program;
        program.program = QStringLiteral(SWITCHGEAR_DESKTOP);
        program.environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        QProcess process;
        program.begin(process, {QStringLiteral("--demo")});
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(isCaught(process.processId(), signal), 30000);
        QCOMPARE(kill(static_cast<pid_t>(process.processId()), signal), 0);
        const test::CliResult result = test::Cli::end(process);
        COMPARE_CODE(result, 0);
    }

private:
    std::unique_ptr<QTemporaryDir> folder_;
};

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QApplication::setQuitOnLastWindowClosed(false);
    ui::prepareApplication(application);
    tst_desktop test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_desktop.moc"
