// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/endpoints_desk.h"
#include "ui/endpoints/endpoint_form.h"
#include "ui/endpoints/endpoint_sections.h"
#include "ui/overview/empty_state.h"
#include "ui/widgets/banner.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QDir>
#include <QElapsedTimer>
#include <QMenu>
#include <QScrollArea>
#include <QSignalSpy>

using namespace sg;
using namespace sg::test;
using secrets::KeyHome;
using secrets::KeyState;
using workspace::KeySource;

class TestEndpointsPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void modelIsSound();
    void testShowsItsResultAndFillsTheModels();
    void slowTestCanBeCancelled();
    void allAreTestedAtOnce();
    void removalSaysWhatItTakesAndIsUndone();
    void keysOfThePage();
    void addsByProvider();
    void emptyHasThreeWaysOn();
    void liveOnlyWhileVisible();
    void filterWithoutAMatchSaysSo();
    void everyControlHasANameAndIsReached();
    void narrowAndExtremeFit();
    void textsTakeTheRoomThereIs();
    void hundredEndpointsStayFluid();
    void pictures();
};

void TestEndpointsPage::modelIsSound()
{
    EndpointsDesk desk;
    QAbstractItemModelTester source(&desk.page->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QAbstractItemModelTester shown(desk.table()->filter(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    desk.table()->sortByColumn(ui::EndpointsModel::PriceIn, Qt::DescendingOrder);
    desk.page->setSnapshot(std::make_shared<const observe::Snapshot>(normalSnapshot()), sampleNowMs());
    desk.select("deepseek-v3.2");
    desk.press(Qt::Key_Delete);
    QCOMPARE(desk.page->model().rowCount(), 5);
    desk.press(Qt::Key_Z, Qt::ControlModifier);
    desk.press(Qt::Key_D, Qt::ControlModifier);
    desk.type("filter", QStringLiteral("deep"));
    QCOMPARE(desk.table()->filter()->rowCount(), 2);
    desk.page->editor().rename(QStringLiteral("zzz"));
    desk.type("filter", QString());
    QCOMPARE(desk.table()->filter()->rowCount(), 7);
}

void TestEndpointsPage::testShowsItsResultAndFillsTheModels()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    desk.tester.results["gpt-4.1"] =
        FakeTester::working({QStringLiteral("gpt-4.1"), QStringLiteral("gpt-4.1-mini"), QStringLiteral("o3")});
    desk.press(Qt::Key_T, Qt::ControlModifier);
    QCOMPARE(desk.tester.asked, std::vector<std::string>{"gpt-4.1"});
    QVERIFY(desk.words("testResult").contains(QStringLiteral("120\u202Fms")));
    QVERIFY(desk.words("testResult").contains(QStringLiteral("3 models")));
    auto* model = desk.named<QComboBox>("model");
    QVERIFY(model->findText(QStringLiteral("o3")) >= 0);
    QCOMPARE(model->currentText(), QStringLiteral("gpt-4.1"));
    model->setFocus();
    desk.press(Qt::Key_Down);
    QCOMPARE(desk.steps(), 1);
    QVERIFY(desk.selected().model != QStringLiteral("gpt-4.1"));
    QCOMPARE(desk.words("testResult"), QString()); // of another model nothing is known

    engine::ConnectionResult refused;
    refused.kind = engine::ConnectionResult::Kind::KeyRefused;
    refused.words = QStringLiteral("The provider refused the key (401).");
    refused.remedy = QStringLiteral("Store another one.");
    desk.tester.results["claude-sonnet-4.5"] = refused;
    desk.select("claude-sonnet-4.5");
    desk.button("testConnection")->setFocus();
    desk.press(Qt::Key_Space);
    QCOMPARE(desk.words("testResult"), QStringLiteral("The provider refused the key (401). Store another one."));
    QCOMPARE(desk.page->model().rows()[1].test, QStringLiteral("refused"));
}

void TestEndpointsPage::slowTestCanBeCancelled()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    desk.tester.answersLate = true;
    desk.button("testConnection")->setFocus();
    desk.press(Qt::Key_Space);
    QCOMPARE(desk.button("testConnection")->text(), QStringLiteral("Testing…"));
    QVERIFY(!desk.button("cancelTest")->isVisible());
    QTRY_VERIFY(desk.button("cancelTest")->isVisible());
    QVERIFY(desk.words("testResult").startsWith(QStringLiteral("Waiting for an answer")));
    QVERIFY(desk.button("cancelTests")->isVisible());
    desk.button("cancelTest")->setFocus();
    desk.press(Qt::Key_Space);
    QCOMPARE(desk.button("testConnection")->text(), QStringLiteral("Test connection"));
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(desk.button("testConnection")));
    QVERIFY(!desk.button("cancelTests")->isVisible());
    desk.tester.finishAll(); // too late
    QCOMPARE(desk.words("testResult"), QString());
}

void TestEndpointsPage::allAreTestedAtOnce()
{
    EndpointsDesk desk;
    engine::ConnectionResult silent;
    silent.kind = engine::ConnectionResult::Kind::NoAnswer;
    silent.words = QStringLiteral("Nothing answers at 10.4.0.7:8000.");
    desk.tester.results["llama-lab"] = silent;
    desk.tester.answersLate = true;
    desk.press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(desk.words("tested"), QStringLiteral("Testing 6…"));
    desk.tester.finishAll();
    QCOMPARE(desk.words("tested"), QStringLiteral("5 of 6 work, 1 did not answer"));
    QCOMPARE(desk.page->model().rows()[5].test, QStringLiteral("no answer"));
}

void TestEndpointsPage::removalSaysWhatItTakesAndIsUndone()
{
    EndpointsDesk desk;
    const workspace::Workspace before = desk.draft.workspace();
    desk.select("gpt-4.1");
    QVERIFY(desk.button("remove")->accessibleDescription().contains(QStringLiteral("prod-chat and batch")));
    desk.press(Qt::Key_Delete);
    QCOMPARE(desk.page->model().rowCount(), 5);
    QCOMPARE(desk.draft.workspace().chains[0].spec.tiers.size(), std::size_t(3));
    auto* notice = desk.page->findChild<ui::Banner*>();
    QVERIFY(notice->isVisible());
    QCOMPARE(notice->text(), QStringLiteral("gpt-4.1 is removed. The chains prod-chat and batch lose a tier each."));
    for (QPushButton* button : notice->findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Undo"))
            QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(desk.draft.workspace() == before);
    QCOMPARE(desk.page->editor().selectedName(), std::string("gpt-4.1"));
    QVERIFY(!notice->isVisible());
}

void TestEndpointsPage::keysOfThePage()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(desk.table()));
    desk.press(Qt::Key_Down);
    QCOMPARE(desk.page->editor().selectedName(), std::string("claude-sonnet-4.5"));
    QCOMPARE(desk.field("name")->text(), QStringLiteral("claude-sonnet-4.5"));
    desk.press(Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(desk.page->model().rowCount(), 7);
    QCOMPARE(desk.page->editor().selectedName(), std::string("claude-sonnet-4.5 2"));
    QCOMPARE(desk.table()->currentName(), std::string("claude-sonnet-4.5 2"));
    desk.press(Qt::Key_Return);
    QVERIFY(desk.page->form()->isAncestorOf(QApplication::focusWidget()));
    // Del in a field is the field's.
    desk.press(Qt::Key_Delete);
    QCOMPARE(desk.page->model().rowCount(), 7);
    desk.press(Qt::Key_F, Qt::ControlModifier);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(desk.field("filter")));
}

void TestEndpointsPage::addsByProvider()
{
    EndpointsDesk desk;
    desk.keys.set(KeyHome::Environment, QStringLiteral("GROQ_API_KEY"), KeyState::Ready);
    auto* menu = desk.named<QMenu>("addMenu");
    const auto choose = [&](const QString& id) {
        for (QAction* action : menu->actions())
            if (action->objectName() == id)
                action->trigger();
    };
    desk.page->addEndpoint();
    QVERIFY(menu->isVisible());
    menu->close();
    choose(QStringLiteral("groq"));
    QCOMPARE(desk.selected().spec.name, std::string("groq"));
    QVERIFY(desk.selected().key.source == KeySource::Environment);
    QCOMPARE(desk.selected().key.name, QStringLiteral("GROQ_API_KEY"));
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(desk.field("name")));
    choose(QStringLiteral("groq"));
    QCOMPARE(desk.selected().spec.name, std::string("groq 2"));
    choose(QStringLiteral("mistral"));
    QVERIFY(desk.selected().key.source == KeySource::Keychain);
    desk.keys.works = false;
    choose(QStringLiteral("xai"));
    QVERIFY(desk.selected().key.source == KeySource::Environment);
    choose(QStringLiteral("ollama"));
    QVERIFY(desk.selected().key.source == KeySource::None && desk.selected().key.saysNone);
    QCOMPARE(desk.steps(), 5);
}

void TestEndpointsPage::emptyHasThreeWaysOn()
{
    EndpointsDesk desk(workspace::Workspace{});
    auto* empty = desk.page->findChild<ui::EmptyState*>();
    QVERIFY(empty->isVisible());
    QVERIFY(!desk.table()->isVisible());
    QVERIFY(!desk.button("remove")->isEnabled());
    QSignalSpy imports(desk.page, &ui::EndpointsPage::importRequested);
    desk.click("import");
    QCOMPARE(imports.size(), 1);
    desk.click("addEndpoint");
    QVERIFY(desk.named<QMenu>("addMenu")->isVisible());
    desk.named<QMenu>("addMenu")->close();
    desk.click("startSimulator");
    QVERIFY(!empty->isVisible());
    QCOMPARE(desk.selected().baseUrl, QStringLiteral("sim:gpt-4.1"));
    QVERIFY(desk.selected().key.saysNone);
    QVERIFY(cost::isFree(*desk.selected().price));
    desk.press(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(empty->isVisible());
}

void TestEndpointsPage::liveOnlyWhileVisible()
{
    EndpointsDesk desk;
    const auto snapshot = std::make_shared<const observe::Snapshot>(normalSnapshot());
    desk.page->hide();
    QSignalSpy changes(&desk.page->model(), &QAbstractItemModel::dataChanged);
    desk.page->setSnapshot(snapshot, sampleNowMs());
    desk.draft.edit(QStringLiteral("x"),
                    [](workspace::Workspace& all) { all.endpoints[0].model = QStringLiteral("gpt-5"); });
    QCOMPARE(changes.size(), 0);
    desk.page->show();
    QVERIFY(changes.size() > 0);
    QCOMPARE(desk.page->model().rows()[0].model, QStringLiteral("gpt-5"));
    QCOMPARE(desk.page->model().rows()[1].inFlight.value_or(0), 24);
}

void TestEndpointsPage::filterWithoutAMatchSaysSo()
{
    EndpointsDesk desk;
    desk.type("filter", QStringLiteral("nobody"));
    QVERIFY(desk.named<QLabel>("noMatch")->isVisible());
    QVERIFY(!desk.table()->isVisible());
    desk.page->showEndpoint("llama-lab"); // another page asks for it
    QVERIFY(desk.table()->isVisible());
    QCOMPARE(desk.table()->currentName(), std::string("llama-lab"));
    desk.page->showEndpoint("nobody");
    QCOMPARE(desk.table()->currentName(), std::string("llama-lab"));
}

void TestEndpointsPage::everyControlHasANameAndIsReached()
{
    EndpointsDesk desk;
    desk.select("gpt-4.1");
    QSet<QWidget*> missing;
    for (QWidget* widget : desk.page->findChildren<QWidget*>()) {
        const bool isControl = qobject_cast<QLineEdit*>(widget) || qobject_cast<QComboBox*>(widget) ||
                               qobject_cast<QPushButton*>(widget) || qobject_cast<QCheckBox*>(widget) ||
                               qobject_cast<QTableView*>(widget);
        if (!isControl || !widget->isVisible() || !widget->isEnabled())
            continue;
        const auto* button = qobject_cast<QAbstractButton*>(widget);
        const QString name = button && widget->accessibleName().isEmpty() ? button->text() : widget->accessibleName();
        QVERIFY2(!name.isEmpty(), qPrintable(widget->objectName() + QLatin1String(widget->metaObject()->className())));
        if (!qobject_cast<QComboBox*>(widget->parentWidget())) // an editable box's field has its focus
            missing.insert(widget);
    }
    QVERIFY(missing.size() > 30);
    desk.button("add")->setFocus();
    for (int i = 0; i < 80; ++i) {
        QWidget* at = QApplication::focusWidget();
        missing.remove(at);
        if (at && qobject_cast<QComboBox*>(at->parentWidget()))
            missing.remove(at->parentWidget());
        desk.press(Qt::Key_Tab);
    }
    for (const QWidget* widget : missing)
        qWarning() << "not reached:" << widget->objectName() << widget->accessibleName();
    QVERIFY(missing.isEmpty());
}

void TestEndpointsPage::narrowAndExtremeFit()
{
    EndpointsDesk desk(sample::manyEndpoints(100));
    for (const int width : {1360, 1040, 900}) {
        desk.page->setNarrow(width < 1200);
        desk.window.resize(width, 700);
        QApplication::processEvents();
        QCOMPARE(desk.page->width(), width); // nothing pushes the window wider
        const auto* area = desk.page->form()->findChild<QScrollArea*>();
        QVERIFY(area->widget()->width() <= area->viewport()->width());
        QVERIFY(desk.table()->columnWidth(ui::EndpointsModel::Name) >= 90);
    }
}

/// Words are cut only where there is no room for them.
void TestEndpointsPage::textsTakeTheRoomThereIs()
{
    EndpointsDesk desk(sample::fiveEndpoints());
    desk.window.resize(1900, 800);
    QApplication::processEvents();
    const auto* table = desk.table();
    const ui::Theme& theme = desk.context.theme();
    const auto fits = [&](ui::EndpointsModel::Column column, const QFont& font, int mark) {
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QString text = QString(table->model()->index(row, column).data().toString())
                                     .remove(QStringLiteral("https://"))
                                     .section(QLatin1Char('/'), 0, 0);
            if (QFontMetricsF(font).horizontalAdvance(text) + 8 + mark > table->columnWidth(column))
                return false;
        }
        return !table->isColumnHidden(column);
    };
    QVERIFY(fits(ui::EndpointsModel::Name, theme.font(11.5, true), 0));
    QVERIFY(fits(ui::EndpointsModel::Provider, theme.font(11.5), 0));
    QVERIFY(fits(ui::EndpointsModel::Model, theme.font(11.5), 0));
    QVERIFY(fits(ui::EndpointsModel::Address, theme.mono(10.5), 0));
    QVERIFY(fits(ui::EndpointsModel::Key, theme.font(11.5), 17));
}

void TestEndpointsPage::hundredEndpointsStayFluid()
{
    EndpointsDesk desk(sample::manyEndpoints(100));
    desk.page->setSnapshot(std::make_shared<const observe::Snapshot>(normalSnapshot()), sampleNowMs());
    desk.page->showEndpoint(desk.draft.workspace().endpoints[50].spec.name);
    QElapsedTimer timer;
    timer.start();
    desk.type("rpm", QStringLiteral("123456"));
    const double each = static_cast<double>(timer.nsecsElapsed()) / 7e6;
    qInfo("a key in a field with 100 endpoints: %.1f ms", each);
    QCOMPARE(desk.selected().spec.requestsPerMinute.value_or(0), 123456.0);
    QCOMPARE(desk.steps(), 1);
}

void TestEndpointsPage::pictures()
{
    const QString folder = qEnvironmentVariable("SWITCHGEAR_SHOTS");
    if (folder.isEmpty())
        QSKIP("set SWITCHGEAR_SHOTS to a folder");
    QVERIFY(QDir().mkpath(folder));
    const auto save = [&](EndpointsDesk& desk, const QString& name) {
        for (const auto& [mode, word] :
             {std::pair(ui::ThemeMode::Dark, "dark"), std::pair(ui::ThemeMode::Light, "light")}) {
            desk.context.setMode(mode);
            QApplication::processEvents();
            QApplication::processEvents();
            QVERIFY(desk.window.grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, name, QLatin1String(word))));
        }
    };
    const auto live = std::make_shared<const observe::Snapshot>(normalSnapshot());
    {
        EndpointsDesk desk;
        desk.page->setSnapshot(live, sampleNowMs());
        desk.select("gpt-4.1");
        desk.tester.results["gpt-4.1"] = FakeTester::working({QStringLiteral("gpt-4.1"), QStringLiteral("o3")});
        desk.tester.results["claude-sonnet-4.5"].kind = engine::ConnectionResult::Kind::KeyRefused;
        desk.press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        save(desk, QStringLiteral("normal"));
        desk.select("gemini-2.5-flash");
        desk.page->form()->findChild<QScrollArea*>()->ensureWidgetVisible(desk.field("caFile"));
        desk.field("rpm")->setFocus();
        save(desk, QStringLiteral("scrolled"));
        desk.field("proxy")->setFocus();
        desk.type("total", QStringLiteral("0"));
        desk.type("proxy", QStringLiteral("nonsense"));
        save(desk, QStringLiteral("wrong"));
        desk.select("gpt-4.1");
        desk.press(Qt::Key_Delete);
        save(desk, QStringLiteral("removed"));
        desk.page->setNarrow(true);
        desk.window.resize(1024, 700);
        save(desk, QStringLiteral("narrow"));
    }
    {
        EndpointsDesk desk(workspace::Workspace{});
        save(desk, QStringLiteral("empty"));
    }
    {
        EndpointsDesk desk(sample::manyEndpoints(100));
        desk.page->setSnapshot(std::make_shared<const observe::Snapshot>(extremeSnapshot()), sampleNowMs());
        save(desk, QStringLiteral("hundred"));
    }
}

int main(int argc, char** argv)
{
    return runEndpointsTest<TestEndpointsPage>(argc, argv);
}
#include "tst_endpoints_page.moc"
