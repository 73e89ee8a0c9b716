// SPDX-License-Identifier: GPL-3.0-or-later
// The gateway of a desk: whether it is on again, what leaving cuts off, its settings.
#include "core/workspace/edits.h"
#include "core/workspace/workspace_file.h"
#include "tests/app/desktop_folder.h"
#include "tests/app/gui_hand.h"
#include "tests/support/fake_gateway.h"
#include "ui/gateway/gateway_form.h"
#include "ui/gateway/gateway_page.h"
#include "ui/gateway/gateway_panel.h"
#include "ui/gateway/gateway_view.h"
#include "ui/settings/preferences.h"

#include <QMessageBox>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QSignalSpy>

using namespace sg;
using gateway::Phase;
using test::click;
using test::kEmpty;

namespace {

/// Desks with a gateway that opens no port, and what the program remembers.
struct Fakes
{
    explicit Fakes(const QString& preferencesFile)
        : preferences(preferencesFile)
    {
    }
    app::DesktopOptions with(app::DesktopOptions options)
    {
        options.preferences = &preferences;
        options.makeGateway = [this](app::Session&) {
            auto made = std::make_unique<test::FakeGateway>();
            newest = made.get();
            return made;
        };
        return options;
    }
    ui::Preferences preferences;
    test::FakeGateway* newest = nullptr; ///< of the desk that was opened last
};

QMessageBox* leaveQuestion(app::Desktop& desktop)
{
    return desktop.window()->findChild<QMessageBox*>(QStringLiteral("leaveWorkspace"));
}

void answer(QMessageBox* question, const QString& words)
{
    for (QAbstractButton* button : question->buttons())
        if (button->text() == words)
            return button->click();
    QFAIL(qPrintable(words));
}

} // namespace

class tst_desktop_gateway : public QObject, test::DesktopFolder
{
    Q_OBJECT

    QString preferencesFile() const { return folder_->filePath(QStringLiteral("switchgear.ini")); }

private Q_SLOTS:
    void init() { beginAnew(); }

    void trafficOfApplicationsIsSeen()
    {
        workspace::Workspace made = workspace::emptyWorkspace(QStringLiteral("desk"));
        workspace::Chain chain;
        chain.spec.name = "support";
        chain.spec.tiers = {workspace::cannedTier()};
        workspace::addChain(made, chain);
        made.gateway.port = 0;
        const QString file = folder_->filePath(QStringLiteral("desk.json"));
        QVERIFY(workspace::saveWorkspace(made, file));
        app::Desktop desktop(optionsFor(file));
        QVERIFY(desktop.open());
        const ui::GatewayFeed& feed = desktop.window()->gateway();
        test::Mouse().click(*desktop.window(), "gateway");
        test::Mouse().click(desktop.window()->gatewayPanel(), "gatewaySwitch");
        QTRY_VERIFY2_WITH_TIMEOUT(feed.status().phase == Phase::Serving, qPrintable(feed.status().words), 10'000);
        QCOMPARE(feed.status().models, QStringList{QStringLiteral("support")});

        QNetworkAccessManager network;
        QNetworkRequest request(QUrl(feed.status().url + QStringLiteral("/chat/completions")));
        request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
        const auto ask = [&] {
            std::unique_ptr<QNetworkReply> reply(network.post(
                request, test::json("{'model':'support','messages':[{'role':'user','content':'Hello'}]}")));
            QSignalSpy finished(reply.get(), &QNetworkReply::finished);
            if (!reply->isFinished())
                finished.wait(10'000);
            return reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
        };
        QCOMPARE(ask(), 200);
        QTRY_VERIFY_WITH_TIMEOUT(
            desktop.session()->engine().latest() && desktop.session()->engine().latest()->requestsTotal == 1, 10'000);
        QTRY_COMPARE_WITH_TIMEOUT(feed.status().figures.requests, qint64(1), 10'000);
        test::Mouse().click(desktop.window()->gatewayPanel(), "gatewaySwitch");
        QTRY_VERIFY_WITH_TIMEOUT(feed.status().phase == Phase::Off, 10'000);
        QCOMPARE(ask(), 0); // nobody answers there any more
    }

    void isOnAgainWhenItWasOn()
    {
        const QString file = write("w.json", kEmpty);
        {
            Fakes fakes(preferencesFile());
            app::Desktop desktop(fakes.with(optionsFor(file)));
            QVERIFY(desktop.open());
            QCOMPARE(fakes.newest->starts, 0); // a file that is opened the first time is not served by itself
            desktop.desk()->gateway().control().start();
            fakes.newest->set(Phase::Serving);
        }
        {
            Fakes fakes(preferencesFile());
            app::Desktop desktop(fakes.with(optionsFor(file)));
            QVERIFY(desktop.open());
            QCOMPARE(fakes.newest->starts, 1);
            fakes.newest->set(Phase::Serving);
            desktop.desk()->gateway().control().stop();
        }
        Fakes fakes(preferencesFile());
        app::Desktop desktop(fakes.with(optionsFor(file)));
        QVERIFY(desktop.open());
        QCOMPARE(fakes.newest->starts, 0); // it was switched off
    }

    void anotherFileIsAnotherGateway()
    {
        const QString one = write("one.json", kEmpty), other = write("other.json", kEmpty);
        Fakes fakes(preferencesFile());
        app::Desktop desktop(fakes.with(optionsFor(one)));
        QVERIFY(desktop.open());
        fakes.newest->set(Phase::Serving);
        desktop.openFile(other);
        QCOMPARE(desktop.options().session.workspaceFile.value(), other);
        QCOMPARE(fakes.newest->starts, 0);
        QCoreApplication::processEvents();
        desktop.openFile(one);
        QCOMPARE(fakes.newest->starts, 1);
        QCoreApplication::processEvents();
    }

    void aPortThatIsNotFreeYetIsTriedAgain()
    {
        const QString file = write("w.json", kEmpty);
        Fakes fakes(preferencesFile());
        app::Desktop first(fakes.with(optionsFor(file)));
        QVERIFY(first.open());
        fakes.newest->set(Phase::Serving);
        app::Desktop desktop(fakes.with(optionsFor(file)));
        QVERIFY(desktop.open());
        fakes.newest->set(Phase::Failed, QStringLiteral("Port 8787 is in use."));
        QTRY_COMPARE_WITH_TIMEOUT(fakes.newest->starts, 2, 5000);
        fakes.newest->set(Phase::Serving);
        fakes.newest->set(Phase::Failed); // later failures are said, not tried again
        QCOMPARE(fakes.newest->starts, 2);
    }

    void closingAsksWhileRequestsAreUnderWay()
    {
        Fakes fakes(preferencesFile());
        app::Desktop desktop(fakes.with(optionsFor(write("w.json", kEmpty))));
        QVERIFY(desktop.open());
        fakes.newest->now.figures.inFlight = 2;
        fakes.newest->now.figures.queued = 1;
        fakes.newest->set(Phase::Serving);
        desktop.window()->close();
        QVERIFY(desktop.window()->isVisible());
        QMessageBox* question = leaveQuestion(desktop);
        QVERIFY(question && question->text().contains(QStringLiteral("3 requests are under way")));
        question->reject();
        QCoreApplication::processEvents();
        QVERIFY(desktop.window()->isVisible());
        fakes.newest->now.figures = {};
        desktop.window()->close();
        QVERIFY(!desktop.window()->isVisible());
    }

    void closingMayCutOff()
    {
        Fakes fakes(preferencesFile());
        app::Desktop desktop(fakes.with(optionsFor(write("w.json", kEmpty))));
        QVERIFY(desktop.open());
        fakes.newest->now.figures.inFlight = 1;
        fakes.newest->set(Phase::Serving);
        desktop.window()->close();
        answer(leaveQuestion(desktop), QStringLiteral("Cut off and leave"));
        QVERIFY(!desktop.window()->isVisible());
    }

    void closingMayWaitForTheLast()
    {
        const QString file = write("w.json", kEmpty);
        Fakes fakes(preferencesFile());
        app::Desktop desktop(fakes.with(optionsFor(file)));
        QVERIFY(desktop.open());
        fakes.newest->now.figures.inFlight = 1;
        fakes.newest->set(Phase::Serving);
        desktop.window()->close();
        answer(leaveQuestion(desktop), QStringLiteral("Let them end, then leave"));
        QCoreApplication::processEvents();
        QVERIFY(fakes.newest->now.phase == Phase::Draining);
        QVERIFY(desktop.window()->isVisible());
        fakes.newest->now.figures.inFlight = 0;
        fakes.newest->set(Phase::Off);
        QVERIFY(!desktop.window()->isVisible());
        app::Desktop again(fakes.with(optionsFor(file)));
        QVERIFY(again.open());
        QCOMPARE(fakes.newest->starts, 1); // leaving is no switching off
    }

    void anotherPortIsChosenOnThePage()
    {
        Fakes fakes(preferencesFile());
        app::Desktop desktop(fakes.with(optionsFor(write("w.json", kEmpty))));
        QVERIFY(desktop.open());
        desktop.window()->openGateway();
        fakes.newest->set(Phase::Failed, QStringLiteral("Port 8787 is in use."));
        click(&desktop.window()->gatewayPanel(), "anotherPort");
        QCOMPARE(desktop.window()->currentPage(), QStringLiteral("gateway"));
        QVERIFY(!desktop.window()->gatewayPanel().isVisible());
        auto* port = desktop.desk()->gatewayPage()->findChild<QLineEdit*>(QStringLiteral("port"));
        QVERIFY(desktop.window()->focusWidget() == port);
        QCOMPARE(port->selectedText(), QStringLiteral("8787"));
    }

    void anotherPortIsTriedAtOnceWhenItServes()
    {
        Fakes fakes(preferencesFile());
        app::Desktop desktop(fakes.with(optionsFor(write("w.json", kEmpty))));
        QVERIFY(desktop.open());
        fakes.newest->set(Phase::Failed, QStringLiteral("Port 8787 is in use."));
        desktop.desk()->draft().edit(QStringLiteral("Port"), [](workspace::Workspace& w) { w.gateway.port = 8788; });
        QCOMPARE(fakes.newest->starts, 0);
        desktop.window()->showPage(QStringLiteral("gateway"));
        click(desktop.desk()->gatewayPage(), "apply");
        QTRY_COMPARE(fakes.newest->starts, 1);
    }

    void examplesNameTheVariableThatServes()
    {
        Fakes fakes(preferencesFile());
        app::Desktop desktop(fakes.with(optionsFor(write("w.json", kEmpty))));
        QVERIFY(desktop.open());
        desktop.desk()->draft().edit(QStringLiteral("Token"), [](workspace::Workspace& w) {
            w.gateway.token = {workspace::KeySource::Environment, QStringLiteral("DESK_TOKEN"), false};
        });
        fakes.newest->now.hasToken = true;
        fakes.newest->set(Phase::Serving);
        QCOMPARE(desktop.window()->gateway().tokenVariable(), QStringLiteral("SWITCHGEAR_TOKEN"));
        desktop.window()->showPage(QStringLiteral("gateway"));
        click(desktop.desk()->gatewayPage(), "apply");
        QTRY_COMPARE(desktop.window()->gateway().tokenVariable(), QStringLiteral("DESK_TOKEN"));
    }
};

int main(int argc, char** argv)
{
    return test::runDesktopTest<tst_desktop_gateway>(argc, argv);
}

#include "tst_desktop_gateway.moc"
