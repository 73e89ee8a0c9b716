// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/desktop_folder.h"
#include "ui/endpoints/endpoints_page.h"
#include "ui/load/load_page.h"
#include "ui/main_window/main_window.h"
#include "ui/opening/cannot_open_window.h"
#include "ui/overview/empty_state.h"
#include "ui/overview/overview_page.h"
#include "ui/widgets/banner.h"

#include <QApplication>
#include <QClipboard>
#include <QSemaphore>

#include <atomic>
#include <thread>

#include <csignal>

using namespace sg;
using test::click;
using test::kEmpty;
using test::textOf;

class tst_desktop : public QObject, test::DesktopFolder
{
    Q_OBJECT

private:
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
    void init() { beginAnew(); }

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
};

int main(int argc, char** argv)
{
    return test::runDesktopTest<tst_desktop>(argc, argv);
}
#include "tst_desktop.moc"
