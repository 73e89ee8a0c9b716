// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/gateway_desk.h"
#include "ui/gateway/gateway_names.h"
#include "ui/gateway/gateway_snippets.h"
#include "ui/gateway/gateway_switch.h"
#include "ui/gateway/gateway_view.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>

using namespace sg;
using gateway::Phase;
using test::clipboard;
using test::GatewayDesk;
using test::kGatewayUrl;
using test::kPhases;
using ui::gatewaysnippets::Form;

class tst_gateway_panel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QGuiApplication::clipboard()->clear(); }

    void opensByMouseAndClosesWithEsc()
    {
        GatewayDesk desk;
        desk.open();
        QVERIFY(QApplication::activePopupWidget() == &desk.panel());
        QCOMPARE(desk.panel().focusWidget()->objectName(), QStringLiteral("gatewaySwitch"));
        QTest::keyClick(&desk.panel(), Qt::Key_Escape);
        QVERIFY(!desk.panel().isVisible());
        desk.open(); // and opens again
    }

    void opensByKeyboard_data()
    {
        QTest::addColumn<int>("key");
        QTest::newRow("Enter") << int(Qt::Key_Return);
        QTest::newRow("Space") << int(Qt::Key_Space);
    }
    void opensByKeyboard()
    {
        QFETCH(const int, key);
        GatewayDesk desk;
        const test::Keys keys(desk.window);
        keys.nextRegionTo(desk.chip()); // the first stop of the top bar
        keys.press(static_cast<Qt::Key>(key));
        QVERIFY(desk.panel().isVisible());
        QTest::keyClick(desk.panel().focusWidget(), Qt::Key_Escape);
        QVERIFY(!desk.panel().isVisible());
        QVERIFY(keys.focused() == &desk.chip());
    }

    void everythingIsReachedByTab()
    {
        GatewayDesk desk(Phase::Serving);
        desk.open();
        QSet<QString> reached;
        for (int i = 0; i < 12; ++i) {
            reached.insert(desk.panel().focusWidget()->objectName());
            QTest::keyClick(desk.panel().focusWidget(), Qt::Key_Tab);
        }
        for (const char* name : {"gatewaySwitch", "gatewaySettings", "gatewayAddress", "copyAddress", "copyAs",
                                 "setToken", "gatewayNames"})
            QVERIFY2(reached.contains(QString::fromLatin1(name)), name);
    }

    void everyControlHasAName()
    {
        GatewayDesk desk;
        desk.open();
        for (const Phase phase : kPhases) {
            desk.fake.set(phase, QStringLiteral("Port 8787 is in use."));
            for (QWidget* widget : desk.panel().findChildren<QWidget*>()) {
                if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus))
                    continue;
                QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
                QVERIFY(face);
                QVERIFY2(!face->text(QAccessible::Name).isEmpty(), qPrintable(widget->objectName()));
            }
        }
        const auto* box = QAccessible::queryAccessibleInterface(desk.find<QWidget>("gatewaySwitch"));
        QVERIFY(box->state().checkable);
    }

    void switchStartsAndStops()
    {
        GatewayDesk desk;
        desk.open();
        auto* knob = desk.find<ui::GatewaySwitch>("gatewaySwitch");
        desk.mouse.click(knob, QStringLiteral("switch"));
        QCOMPARE(desk.fake.starts, 1);
        QCOMPARE(desk.text("gatewayState"), QStringLiteral("Gateway starting"));
        QVERIFY(knob->isChecked());
        desk.fake.set(Phase::Serving);
        QCOMPARE(desk.text("gatewayState"), QStringLiteral("Gateway serving"));
        desk.mouse.click(knob, QStringLiteral("switch"));
        QCOMPARE(desk.fake.stops, 1);
        QCOMPARE(desk.text("gatewayState"), QStringLiteral("Gateway off"));
        QVERIFY(!knob->isChecked());
        QTest::keyClick(knob, Qt::Key_Return);
        QCOMPARE(desk.fake.starts, 2);
        QVERIFY(desk.panel().isVisible()); // Enter is the switch's, not a dialog's
        desk.fake.set(Phase::Serving);
        QTest::keyClick(knob, Qt::Key_Space);
        QCOMPARE(desk.fake.stops, 2);
    }

    void drainingShowsWhatIsLeftAndCutsOff()
    {
        GatewayDesk desk(Phase::Serving);
        desk.fake.now.figures.inFlight = 4;
        desk.open();
        QVERIFY(!desk.isShown("cutOff"));
        desk.mouse.click(desk.find<QWidget>("gatewaySwitch"), QStringLiteral("switch"));
        QVERIFY(desk.text("gatewaySentence").contains(QStringLiteral("4 requests are under way")));
        desk.mouse.click(desk.find<QWidget>("gatewaySwitch"), QStringLiteral("switch"));
        QCOMPARE(desk.fake.stops, 1); // a second click on the same place cuts nothing off
        desk.fake.now.figures.inFlight = 1;
        desk.beat();
        QVERIFY(desk.text("gatewaySentence").contains(QStringLiteral("1 request is under way")));
        desk.find<QWidget>("cutOff")->setFocus();
        QTest::keyClick(desk.find<QWidget>("cutOff"), Qt::Key_Space);
        QCOMPARE(desk.fake.stops, 2);
        QVERIFY(desk.fake.now.phase == Phase::Off);
        QVERIFY(!desk.isShown("cutOff"));
        QCOMPARE(desk.panel().focusWidget()->objectName(), QStringLiteral("gatewaySwitch"));
    }

    void failureSaysWhyAndOffersWaysOn()
    {
        GatewayDesk desk;
        const QString why = QStringLiteral("Port 8787 is in use by another program. Stop it or choose another port.");
        desk.fake.set(Phase::Failed, why);
        QVERIFY(desk.chip().accessibleName().contains(why));
        desk.open();
        QCOMPARE(desk.text("failureWords"), why);
        QVERIFY(desk.text("gatewaySentence").contains(QStringLiteral("get no answer at this address")));
        desk.mouse.click(desk.panel(), "tryAgain");
        QCOMPARE(desk.fake.starts, 1);
        QVERIFY(!desk.isShown("failureWords"));
        desk.fake.set(Phase::Failed, why);
        QSignalSpy wanted(&desk.window, &ui::MainWindow::gatewaySettingsRequested);
        desk.mouse.click(desk.panel(), "anotherPort");
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.first().first().toString(), QStringLiteral("port"));
        QVERIFY(!desk.panel().isVisible());
    }

    void panelIsAsHighAsWhatItShows()
    {
        GatewayDesk desk;
        desk.fake.set(Phase::Failed,
                      QStringLiteral("Port 8787 is in use by another program, perhaps by a gateway that was started in "
                                     "a shell. Stop it or choose another port."));
        desk.open();
        QCoreApplication::processEvents();
        const auto* scroll = desk.panel().findChild<QScrollArea*>();
        QVERIFY(!scroll->verticalScrollBar()->isVisible());
        QCOMPARE(scroll->viewport()->width(), scroll->contentsRect().width());
        const auto* names = desk.find<QWidget>("gatewayNames");
        const auto below = [&] {
            return desk.panel().height() - names->mapTo(&desk.panel(), QPoint(0, names->height())).y();
        };
        QVERIFY2(below() < 16, qPrintable(QString::number(below()))); // no band for words that are not said
        const int before = desk.panel().height();
        desk.mouse.click(desk.panel(), "copyAddress");
        QVERIFY(!desk.text("gatewaySaid").isEmpty());
        QVERIFY(desk.panel().height() > before);
        QVERIFY(!scroll->verticalScrollBar()->isVisible());
        desk.fake.set(Phase::Off);
        QVERIFY(desk.text("gatewaySaid").isEmpty());
    }

    void whatWentWrongIsSaidWhileItServesOn()
    {
        GatewayDesk desk(Phase::Serving);
        const QString words = QStringLiteral("Port 9000 is in use. Until then it stays at port 8787.");
        desk.fake.set(Phase::Serving, words);
        desk.open();
        QCOMPARE(desk.text("failureWords"), words);
        QVERIFY(!desk.isShown("tryAgain"));
        desk.fake.set(Phase::Serving);
        QVERIFY(!desk.isShown("failureWords"));
    }

    void wordsOfOthersAreNoMarkup()
    {
        GatewayDesk desk;
        desk.fake.set(Phase::Failed, QStringLiteral("<b>bold</b>"));
        desk.open();
        QCOMPARE(desk.find<QLabel>("failureWords")->textFormat(), Qt::PlainText);
    }

    void addressIsCopiedFromEverywhere()
    {
        GatewayDesk desk;
        desk.window.activateWindow();
        QVERIFY(QTest::qWaitFor([&] { return desk.window.isActiveWindow(); }, 2000));
        QTest::keyClick(&desk.window, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(clipboard(), kGatewayUrl); // also of one that is off
        QGuiApplication::clipboard()->clear();
        desk.open();
        desk.mouse.click(desk.panel(), "copyAddress");
        QCOMPARE(clipboard(), kGatewayUrl);
        QVERIFY(desk.text("gatewaySaid").contains(kGatewayUrl));
        QGuiApplication::clipboard()->clear();
        desk.panel().view().copy(Form::BaseUrl);
        QCOMPARE(clipboard(), kGatewayUrl);
    }

    void copyAsIsAMenu()
    {
        GatewayDesk desk(Phase::Serving);
        desk.open();
        auto* button = desk.find<QPushButton>("copyAs");
        QStringList lines;
        for (const QAction* action : button->menu()->actions())
            lines.append(action->text());
        QCOMPARE(lines, QStringList({QStringLiteral("Base URL"), QStringLiteral("OpenAI SDK, JavaScript"),
                                     QStringLiteral("OpenAI SDK, Python"), QStringLiteral("curl"),
                                     QStringLiteral("Environment variables")}));
        button->menu()->actions().at(2)->trigger();
        QVERIFY(clipboard().contains(QStringLiteral("from openai import OpenAI")));
        QVERIFY(clipboard().contains(QStringLiteral("base_url=\"%1\"").arg(kGatewayUrl)));
        QVERIFY(clipboard().contains(QStringLiteral("model=\"support\""))); // the first chain
    }

    void examplesNameTheVariableAndNeverTheToken()
    {
        GatewayDesk desk(Phase::Serving);
        desk.fake.now.hasToken = true;
        desk.window.gateway().setTokenVariable(QStringLiteral("DESK_TOKEN"));
        desk.fake.set(Phase::Serving);
        desk.open();
        for (const Form form : ui::gatewaysnippets::forms()) {
            desk.panel().view().copy(form);
            QCOMPARE(clipboard().contains(QStringLiteral("DESK_TOKEN")), form != Form::BaseUrl);
        }
        // Kept elsewhere than in the environment: a name that says what is to be put there.
        desk.window.gateway().setTokenVariable({});
        desk.panel().view().copy(Form::Curl);
        QVERIFY(clipboard().contains(QStringLiteral("Authorization: Bearer $SWITCHGEAR_TOKEN")));
    }

    void shellReadsWhatIsCopied_data()
    {
        QTest::addColumn<QString>("model");
        QTest::newRow("plain") << QStringLiteral("support");
        QTest::newRow("quotes") << QStringLiteral("it's \"new\" $HOME `id` \\");
        QTest::newRow("Thai") << QStringLiteral("แชท");
    }
    void shellReadsWhatIsCopied()
    {
        QFETCH(const QString, model);
        const ui::gatewaysnippets::Target target{kGatewayUrl, model, QStringLiteral("TOK")};
        const auto run = [](const QString& script) {
            QProcess shell;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QStringLiteral("TOK"), QStringLiteral("value of it"));
            shell.setProcessEnvironment(environment);
            shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), script});
            return shell.waitForFinished(10'000) ? shell.readAllStandardOutput() : QByteArray("timed out");
        };
        // "curl" is a function here that prints each argument on a line of its own.
        const QByteArray said =
            run(QStringLiteral("curl() { printf '%s\\n' \"$@\"; }\n") + ui::gatewaysnippets::text(Form::Curl, target));
        const QList<QByteArray> arguments = said.split('\n');
        QVERIFY(arguments.contains((kGatewayUrl + QStringLiteral("/chat/completions")).toUtf8()));
        QVERIFY(arguments.contains("Authorization: Bearer value of it"));
        const QJsonObject body = QJsonDocument::fromJson(arguments.value(arguments.indexOf("-d") + 1)).object();
        QCOMPARE(body.value(QStringLiteral("model")).toString(), model);
        QCOMPARE(run(ui::gatewaysnippets::text(Form::Environment, target) +
                     QStringLiteral("printf '%s %s' \"$OPENAI_BASE_URL\" \"$OPENAI_API_KEY\"")),
                 kGatewayUrl.toUtf8() + " value of it");
        for (const Form form : {Form::JavaScript, Form::Python}) {
            const QString text = ui::gatewaysnippets::text(form, target);
            const QString line = text.mid(text.indexOf(QStringLiteral("model")));
            const QString literal = line.mid(line.indexOf(QLatin1Char('"')),
                                             line.indexOf(QStringLiteral(",\n")) - line.indexOf(QLatin1Char('"')));
            const QJsonDocument read = QJsonDocument::fromJson("[" + literal.toUtf8() + "]");
            QCOMPARE(read[0].toString(), model);
        }
    }

    void namesAreCopiedOneByOne()
    {
        GatewayDesk desk(Phase::Serving);
        desk.fake.now.models = {QStringLiteral("support"), QStringLiteral("batch")};
        for (int i = 0; i < 98; ++i)
            desk.fake.now.models.append(QStringLiteral("model-%1").arg(i));
        desk.fake.set(Phase::Serving);
        desk.open();
        auto* names = desk.find<ui::GatewayNames>("gatewayNames");
        const QAbstractItemModelTester tester(names->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(names->model()->rowCount(), 100);
        QVERIFY(desk.panel().height() <= desk.window.height());
        const auto cell = [&](int row, int column) { return names->model()->index(row, column); };
        QCOMPARE(cell(0, 1).data().toString(), QStringLiteral("chain"));
        QCOMPARE(cell(2, 1).data().toString(), QStringLiteral("model"));
        QTest::mouseClick(names->viewport(), Qt::LeftButton, {}, names->visualRect(cell(1, 0)).center());
        QCOMPARE(clipboard(), QString()); // a row is chosen by that, not copied
        QTest::mouseClick(names->viewport(), Qt::LeftButton, {}, names->visualRect(cell(1, 2)).center());
        QCOMPARE(clipboard(), QStringLiteral("batch"));
        QCOMPARE(cell(1, 2).data().toString(), QStringLiteral("Copied"));
        names->setFocus();
        QTest::keyClick(names, Qt::Key_Down);
        QTest::keyClick(names, Qt::Key_Return);
        QCOMPARE(clipboard(), QStringLiteral("model-0"));
        QTest::keyClick(names, Qt::Key_End, Qt::ControlModifier);
        QTest::keyClick(names, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(clipboard(), QStringLiteral("model-97"));
        desk.fake.now.models.removeLast();
        desk.beat();
        QCOMPARE(names->model()->rowCount(), 99);
    }

    void figuresAreOfThisMoment()
    {
        GatewayDesk desk;
        desk.open();
        const auto valueOf = [&](const char* caption) {
            auto* figures = desk.find<QWidget>("gatewayFigures");
            const auto labels = figures->findChildren<QLabel*>();
            for (qsizetype i = 1; i < labels.size(); ++i)
                if (labels[i]->text() == QLatin1String(caption))
                    return labels[i - 1]->text();
            return QString();
        };
        QCOMPARE(valueOf("In flight"), QStringLiteral("–")); // off: unknown is not none
        QCOMPARE(valueOf("Requests"), QStringLiteral("–"));
        desk.fake.now.figures = {12, 5, 2, 3, 100, 7, 1};
        desk.fake.set(Phase::Serving);
        QCOMPARE(valueOf("Connections"), QStringLiteral("12"));
        QCOMPARE(valueOf("In flight"), QStringLiteral("5"));
        QCOMPARE(valueOf("Queued"), QStringLiteral("2"));
        QCOMPARE(valueOf("Streams"), QStringLiteral("3"));
        QCOMPARE(valueOf("Refused"), QStringLiteral("7"));
        QCOMPARE(valueOf("Clients left"), QStringLiteral("1"));
        QCOMPARE(valueOf("Requests"), QStringLiteral("–")); // a rate takes a second
        desk.beat();
        for (int i = 0; i < 4; ++i) {
            desk.fake.now.figures.requests += 10;
            desk.beat();
        }
        QCOMPARE(valueOf("Requests"), QStringLiteral("20.0\u202F/s"));
        QCOMPARE(valueOf("Total requests"), QStringLiteral("140"));
    }

    void rateForgetsWhatIsPast()
    {
        ui::RequestRate rate;
        QVERIFY(!rate.perSecond());
        for (int i = 0; i <= 20; ++i)
            rate.add(i * 500, i * 50);
        QCOMPARE(rate.perSecond().value(), 100.0);
        for (int i = 21; i <= 40; ++i)
            rate.add(i * 500, 1000);
        QCOMPARE(rate.perSecond().value(), 0.0);
        rate.add(20'500, 3); // started anew
        QVERIFY(!rate.perSecond());
        rate.add(1'000, 5); // the clock was set back
        QVERIFY(!rate.perSecond());
    }

    void tokenIsSaidWithAWayOn()
    {
        GatewayDesk desk(Phase::Serving);
        desk.open();
        QVERIFY(desk.text("gatewayToken").contains(QStringLiteral("open to this machine only")));
        desk.fake.now.hasToken = true;
        desk.beat();
        QVERIFY(desk.text("gatewayToken").startsWith(QStringLiteral("Set.")));
        desk.fake.now.isOpenToOthers = true;
        desk.beat();
        QVERIFY(desk.text("gatewayToken").contains(QStringLiteral("Other machines")));
        QSignalSpy wanted(&desk.window, &ui::MainWindow::gatewaySettingsRequested);
        desk.mouse.click(desk.panel(), "setToken");
        QCOMPARE(wanted.first().first().toString(), QStringLiteral("token"));
    }

    void panelStaysInTheWindow()
    {
        GatewayDesk desk(Phase::Failed, {960, 600});
        desk.fake.set(Phase::Failed, QString(40, QLatin1Char('x')) + QStringLiteral(" and more words ").repeated(40));
        desk.open();
        const QRect inside(desk.window.mapToGlobal(QPoint()), desk.window.size());
        QVERIFY(inside.contains(desk.panel().frameGeometry().topLeft()));
        QVERIFY(desk.panel().width() <= desk.window.width());
        QVERIFY(desk.panel().height() <= desk.window.height());
    }
};

QTEST_MAIN(tst_gateway_panel)
#include "tst_gateway_panel.moc"
