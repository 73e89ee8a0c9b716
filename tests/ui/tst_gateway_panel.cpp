// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/gui_hand.h"
#include "tests/support/fake_gateway.h"
#include "tests/ui/overview_desk.h"
#include "ui/gateway/gateway_chip.h"
#include "ui/gateway/gateway_names.h"
#include "ui/gateway/gateway_notice.h"
#include "ui/gateway/gateway_panel.h"
#include "ui/gateway/gateway_snippets.h"
#include "ui/gateway/gateway_switch.h"
#include "ui/gateway/gateway_view.h"
#include "ui/gateway/gateway_words.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPainter>
#include <QProcess>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>

using namespace sg;
using gateway::Phase;
using ui::gatewaysnippets::Form;

namespace {

const QString kUrl = QStringLiteral("http://127.0.0.1:8787/v1");

/// A window with a gateway in its top bar.
struct GatewayDesk : test::Desk
{
    explicit GatewayDesk(Phase phase = Phase::Off, QSize size = {1440, 900})
        : test::Desk(test::normalSnapshot(), size)
        , fake(phase)
    {
        window.gateway().setChains({QStringLiteral("support"), QStringLiteral("batch")});
        window.setGateway(&fake);
        QCoreApplication::processEvents();
    }
    ~GatewayDesk() { window.setGateway(nullptr); }
    ui::GatewayButton& chip() { return window.topBar().gatewayChip().button(); }
    ui::GatewayPanel& panel() { return window.gatewayPanel(); }
    void open()
    {
        mouse.click(&chip(), QStringLiteral("chip"));
        QVERIFY(panel().isVisible());
    }
    template <class T>
    T* find(const char* name)
    {
        return panel().findChild<T*>(QString::fromLatin1(name));
    }
    QString text(const char* name)
    {
        auto* label = find<QLabel>(name);
        return label && label->isVisible() ? label->text() : QString();
    }
    bool isShown(const char* name)
    {
        auto* found = find<QWidget>(name);
        return found && found->isVisible();
    }
    /// A beat of the window, half a second later.
    void beat()
    {
        now += 500;
        window.tick();
    }
    test::FakeGateway fake;
    test::Mouse mouse;
};

QString clipboard()
{
    return QGuiApplication::clipboard()->text();
}

QImage markOf(Phase phase)
{
    QImage image(24, 24, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter p(&image);
    ui::gatewaywords::phaseMark(p, QPointF(12, 12), 20, phase, ui::darkTokens());
    p.end();
    return image.convertToFormat(QImage::Format_Alpha8); // its shape, without colour
}

constexpr Phase kPhases[] = {Phase::Off, Phase::Starting, Phase::Serving, Phase::Draining, Phase::Failed};

} // namespace

class tst_gateway_panel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QGuiApplication::clipboard()->clear(); }

    void withoutAGatewayThereIsNoChip()
    {
        test::Desk desk(test::normalSnapshot());
        QVERIFY(desk.window.topBar().gatewayChip().isHidden());
        desk.window.openGateway();
        QVERIFY(!desk.window.gatewayPanel().isVisible());
    }

    void everyPhaseHasAWordAndAShapeOfItsOwn()
    {
        GatewayDesk desk;
        QSet<QString> words;
        QList<QImage> marks;
        for (const Phase phase : kPhases) {
            desk.fake.set(phase, QStringLiteral("Port 8787 is in use."));
            const QString word = desk.chip().words();
            QVERIFY(!word.isEmpty());
            words.insert(word);
            QVERIFY2(desk.chip().accessibleName().contains(word), qPrintable(desk.chip().accessibleName()));
            const QImage mark = markOf(phase);
            for (const QImage& other : marks)
                QVERIFY2(mark != other, qPrintable(word));
            marks.append(mark);
        }
        QCOMPARE(words.size(), 5);
    }

    void chipSaysTheAddressOnlyWhileSomebodyAnswersThere()
    {
        GatewayDesk desk(Phase::Serving);
        QCOMPARE(desk.chip().url(), kUrl);
        const auto& copy = *desk.window.topBar().gatewayChip().findChild<QWidget*>(QStringLiteral("iconButton"));
        QVERIFY(copy.isVisible());
        for (const Phase phase : {Phase::Off, Phase::Starting, Phase::Failed}) {
            desk.fake.set(phase);
            QCOMPARE(desk.chip().url(), QString());
            QVERIFY(!copy.isVisible());
        }
        desk.fake.set(Phase::Draining);
        QVERIFY(copy.isVisible());
    }

    void chipSaysHowManyAreLeft()
    {
        GatewayDesk desk(Phase::Serving);
        desk.fake.now.figures.inFlight = 2;
        desk.fake.now.figures.queued = 1;
        desk.fake.set(Phase::Draining);
        QCOMPARE(desk.chip().words(), QStringLiteral("draining, 3 left"));
        QVERIFY(desk.chip().accessibleName().contains(QStringLiteral("3 requests are under way")));
        desk.fake.now.figures = {};
        desk.fake.now.figures.inFlight = 1; // figures change silently: the next beats show it
        desk.beat();
        QCOMPARE(desk.chip().words(), QStringLiteral("draining, 1 left"));
    }

    void narrowWindowsAndLongAddressesKeepTheWord()
    {
        GatewayDesk desk(Phase::Serving);
        const int wide = desk.chip().width();
        desk.window.resize(1100, 700);
        QCoreApplication::processEvents();
        QCOMPARE(desk.chip().url(), QString());
        QVERIFY(desk.chip().width() < wide);
        QCOMPARE(desk.chip().words(), QStringLiteral("serving"));

        desk.window.resize(1440, 900);
        QCoreApplication::processEvents();
        QCOMPARE(desk.chip().url(), kUrl);
        desk.fake.now.url = QStringLiteral("http://%1.example:8787/v1").arg(QString(200, QLatin1Char('a')));
        desk.fake.set(Phase::Serving);
        QCoreApplication::processEvents();
        QCOMPARE(desk.chip().url(), QString());
        QVERIFY(desk.window.width() <= 1440);
        test::Mouse().click(desk.window.topBar().gatewayChip(), "iconButton");
        QCOMPARE(clipboard(), desk.fake.now.url);
    }

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
        QVERIFY(!desk.isShown("gatewaySentence"));
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
        QCOMPARE(clipboard(), kUrl); // also of one that is off
        QGuiApplication::clipboard()->clear();
        desk.open();
        desk.mouse.click(desk.panel(), "copyAddress");
        QCOMPARE(clipboard(), kUrl);
        QVERIFY(desk.text("gatewaySaid").contains(kUrl));
        QGuiApplication::clipboard()->clear();
        desk.panel().view().copy(Form::BaseUrl);
        QCOMPARE(clipboard(), kUrl);
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
        QVERIFY(clipboard().contains(QStringLiteral("base_url=\"%1\"").arg(kUrl)));
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
        const ui::gatewaysnippets::Target target{kUrl, model, QStringLiteral("TOK")};
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
        QVERIFY(arguments.contains((kUrl + QStringLiteral("/chat/completions")).toUtf8()));
        QVERIFY(arguments.contains("Authorization: Bearer value of it"));
        const QJsonObject body = QJsonDocument::fromJson(arguments.value(arguments.indexOf("-d") + 1)).object();
        QCOMPARE(body.value(QStringLiteral("model")).toString(), model);
        QCOMPARE(run(ui::gatewaysnippets::text(Form::Environment, target) +
                     QStringLiteral("printf '%s %s' \"$OPENAI_BASE_URL\" \"$OPENAI_API_KEY\"")),
                 kUrl.toUtf8() + " value of it");
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
        QCOMPARE(valueOf("Since start"), QStringLiteral("140"));
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

    void paletteKnowsTheGateway()
    {
        GatewayDesk desk;
        const test::Keys keys(desk.window);
        desk.window.openPalette();
        keys.pick(QStringLiteral("Start the gateway"));
        QCOMPARE(desk.fake.starts, 1);
        desk.fake.set(Phase::Serving);
        desk.window.openPalette();
        keys.pick(QStringLiteral("Copy the gateway"));
        QCOMPARE(clipboard(), kUrl);
        desk.fake.now.figures.inFlight = 1;
        desk.window.openPalette();
        keys.pick(QStringLiteral("Stop the gateway"));
        QVERIFY(desk.fake.now.phase == Phase::Draining);
        desk.window.openPalette();
        keys.pick(QStringLiteral("cut off"));
        QVERIFY(desk.fake.now.phase == Phase::Off);
    }

    void pausedWindowStillSeesTheGateway()
    {
        GatewayDesk desk(Phase::Serving);
        desk.window.setPaused(true);
        desk.fake.now.figures.inFlight = 3;
        desk.fake.set(Phase::Draining);
        desk.fake.now.figures.inFlight = 2;
        desk.beat();
        QCOMPARE(desk.chip().words(), QStringLiteral("draining, 2 left"));
    }

    void quietOverviewOffersTheGateway()
    {
        observe::Snapshot quiet = test::normalSnapshot();
        quiet.requestsTotal = 0;
        test::Desk desk(quiet);
        test::FakeGateway fake;
        desk.page->offerGateway(desk.window.gateway());
        desk.window.setGateway(&fake);
        desk.now = quiet.startedUnixMs + 1000;
        desk.window.tick();
        auto* notice = desk.page->findChild<ui::GatewayNotice*>();
        QVERIFY(!notice->isVisible()); // traffic may be about to come
        desk.now = quiet.startedUnixMs + 5000;
        desk.window.tick();
        QVERIFY(notice->isVisible() && notice->text().contains(QStringLiteral("No traffic yet")));
        const test::Mouse mouse;
        mouse.click(*notice, QStringLiteral("Start the gateway"));
        QCOMPARE(fake.starts, 1);
        fake.set(Phase::Serving);
        QVERIFY(notice->text().contains(kUrl));
        mouse.click(*notice, QStringLiteral("Copy the address"));
        QCOMPARE(clipboard(), kUrl);
        mouse.click(*notice, QStringLiteral("Dismiss"));
        desk.now += 1000;
        desk.window.tick();
        QVERIFY(!notice->isVisible());
        observe::Snapshot busy = quiet;
        busy.requestsTotal = 1;
        desk.show(busy);
        desk.window.tick();
        fake.set(Phase::Off);
        QVERIFY(!notice->isVisible());
        desk.window.setGateway(nullptr);
    }
};

QTEST_MAIN(tst_gateway_panel)
#include "tst_gateway_panel.moc"
