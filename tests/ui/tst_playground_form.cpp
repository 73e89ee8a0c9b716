// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/playground_desk.h"
#include "ui/playground/side_by_side.h"
#include "ui/settings/preferences.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

using namespace sg;
using namespace sg::test;

class TestPlaygroundForm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void jsonIsEdited();
    void wrongFieldsSaySo();
    void draftSurvives();
    void nothingConnected();
    void unusableTargetSaysWhy();
    void sideBySide();
};

void TestPlaygroundForm::jsonIsEdited()
{
    PlayDesk desk;
    auto* modes = segments(desk, "Prompt as");
    modes->setCurrent(1);
    auto* json = desk.named<QPlainTextEdit>(QStringLiteral("Request body as JSON"));
    QVERIFY(json->isVisible());
    QVERIFY(json->toPlainText().contains(QLatin1String("\"messages\"")));
    json->setPlainText(QStringLiteral("{\n \"messages\": [\n  {\"role\": \"user\" \"content\": \"x\"}\n ]\n}"));
    auto* problem = desk.page->findChild<QLabel*>(QStringLiteral("promptProblem"));
    QVERIFY(problem->isVisible());
    QVERIFY2(problem->text().startsWith(QLatin1String("Line 3: ")), qPrintable(problem->text()));
    QCOMPARE(json->extraSelections().size(), 1);
    QVERIFY(!desk.form()->sendButton()->isEnabled());
    desk.shoot(QStringLiteral("json-1360"));
    desk.press(Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(desk.control.sent.empty());
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(json));
    modes->setCurrent(0); // would lose what is written
    QCOMPARE(modes->current(), 1);
    json->setPlainText(
        QStringLiteral(R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},)"
                       R"({"role":"user","content":"c"}],"tools":[{"type":"function"}],"seed":7,"temperature":0.5})"));
    QVERIFY(!problem->isVisible());
    modes->setCurrent(0);
    QCOMPARE(desk.user()->toPlainText(), QStringLiteral("c"));
    const auto labels = desk.form()->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
        return label->isVisible() &&
               label->text() == QLatin1String("Also sent, see JSON: 2 more messages; 1 tool; seed.");
    }));
    desk.page->send();
    const provider::ChatRequest& sent = desk.control.sent.back().second;
    QCOMPARE(sent.messages.size(), std::size_t(3));
    QCOMPARE(sent.messages[2].text, QStringLiteral("c"));
    QCOMPARE(sent.tools.size(), 1);
    QCOMPARE(sent.sampling.temperature.value_or(0), 0.5);
    QVERIFY(!sent.stream);
}

void TestPlaygroundForm::wrongFieldsSaySo()
{
    PlayDesk desk;
    auto* problem = desk.page->findChild<QLabel*>(QStringLiteral("promptProblem"));
    auto* temperature = desk.named<QLineEdit>(QStringLiteral("Temperature"));
    for (const char* wrong : {"warm", "-1", "2.5", "nan"}) {
        temperature->setText(QLatin1String(wrong));
        QVERIFY2(problem->isVisible(), wrong);
        QVERIFY(temperature->property("wrong").toBool());
        QCOMPARE(temperature->accessibleDescription(), problem->text());
    }
    temperature->setText(QStringLiteral("0,7")); // a comma is a point here
    QVERIFY(!problem->isVisible());
    QCOMPARE(desk.form()->request()->sampling.temperature.value_or(0), 0.7);
    auto* most = desk.named<QLineEdit>(QStringLiteral("Max tokens"));
    most->setText(QStringLiteral("0"));
    desk.press(Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(desk.control.sent.empty());
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(most));
    most->clear();
    desk.user()->clear();
    desk.named<QPlainTextEdit>(QStringLiteral("System"))->clear();
    QVERIFY(!problem->isVisible() && !desk.form()->sendButton()->isEnabled()); // empty is not wrong, but not ready
    QVERIFY(!desk.page->findChild<QLabel*>(QStringLiteral("estimate"))->text().contains(QLatin1Char('$')));
}

void TestPlaygroundForm::draftSurvives()
{
    const QTemporaryDir dir;
    Preferences preferences(dir.filePath(QStringLiteral("p.ini")));
    {
        const PlayDesk desk({}, &preferences);
        QVERIFY(preferences.playgroundDraft().isEmpty());
        desk.user()->setPlainText(QStringLiteral("My key is sk-test-0001-abcdefghijklmnopqrstuvwx, why?"));
        desk.named<QComboBox>(QStringLiteral("Send through"))->setCurrentIndex(2);
    }
    QVERIFY(!preferences.playgroundDraft().contains("sk-test-0001"));
    const PlayDesk desk({}, &preferences);
    QCOMPARE(desk.user()->toPlainText(), QStringLiteral("My key is ***, why?"));
    QCOMPARE(desk.form()->target()->name, std::string("claude-sonnet-4.5"));
    preferences.setPlaygroundDraft("{\"body\":\"no json\"");
    const PlayDesk other({}, &preferences);
    QVERIFY(other.form()->problem().isEmpty());
}

void TestPlaygroundForm::nothingConnected()
{
    FakeWatchControl control;
    control.known.clear();
    control.estimates.clear();
    PlayDesk desk(control);
    const QSignalSpy simulator(desk.page, &PlaygroundPage::simulatorRequested);
    auto* start = desk.page->findChild<QPushButton*>(QStringLiteral("startSimulator"));
    QVERIFY(start->isVisible() && !desk.form()->isVisible());
    QTest::mouseClick(start, Qt::LeftButton);
    QCOMPARE(simulator.count(), 1);
    desk.page->send();
    desk.page->sendToAll();
    QVERIFY(desk.control.sent.empty() && desk.page->paletteCommands().empty());
}

void TestPlaygroundForm::unusableTargetSaysWhy()
{
    FakeWatchControl control;
    control.known[0].unusable = QStringLiteral("The chain has no enabled tier.");
    PlayDesk desk(control);
    QCOMPARE(desk.form()->problem(), control.known[0].unusable);
    QVERIFY(!desk.form()->sendButton()->isEnabled());
    desk.named<QComboBox>(QStringLiteral("Send through"))->setCurrentIndex(1);
    QVERIFY(desk.form()->sendButton()->isEnabled());
}

void TestPlaygroundForm::sideBySide()
{
    FakeWatchControl control;
    control.known[3].unusable = QStringLiteral("No key for gemini: set GEMINI_API_KEY.");
    PlayDesk desk(control);
    QTest::mouseClick(desk.button(QStringLiteral("Send to all endpoints")), Qt::LeftButton);
    QCOMPARE(desk.control.sent.size(), std::size_t(3));
    for (const auto& [target, request] : desk.control.sent)
        QVERIFY(target.kind == engine::TargetKind::Endpoint);
    auto* all = desk.page->findChild<SideBySide*>();
    const QAbstractItemModelTester tester(const_cast<RowsModel*>(&all->model()),
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto cell = [&](int row, int column) { return all->model().index(row, column).data().toString(); };
    QCOMPARE(all->model().rowCount(), 4);
    QCOMPARE(cell(0, 2), QStringLiteral("running"));
    QCOMPARE(cell(2, 2), QStringLiteral("not sent"));
    QCOMPARE(cell(2, 7), control.known[3].unusable);
    const auto put = [&](std::uint64_t id, engine::WatchView view) {
        view.id = id;
        view.target.kind = engine::TargetKind::Endpoint;
        desk.control.views[id] = scene::shared(std::move(view));
    };
    put(1, scene::quick());
    put(2, scene::failed());
    put(3, scene::running());
    desk.page->poll();
    QCOMPARE(cell(0, 2), QStringLiteral("200 OK"));
    QCOMPARE(cell(0, 3), QStringLiteral("61\u202Fms"));
    QCOMPARE(cell(0, 7), QStringLiteral("Yes."));
    QCOMPARE(cell(1, 2), QStringLiteral("failed: 503 overloaded"));
    QVERIFY(cell(1, 7).startsWith(QLatin1String("overloaded_error")));
    QCOMPARE(desk.response()->text(), QStringLiteral("Yes."));
    desk.shoot(QStringLiteral("all-1360"));
    auto* table = desk.named<QTableView>(QStringLiteral("Endpoints side by side"));
    table->setFocus();
    desk.press(Qt::Key_Down);
    QVERIFY(desk.response()->status().look == words::Look::Failed);
    desk.press(Qt::Key_Return); // its attempts, in full
    QVERIFY(desk.waterfall()->isVisible() && !all->isVisible());
    QCOMPARE(desk.waterfall()->scene().id, std::uint64_t(2));
    QTest::mouseClick(desk.button(QStringLiteral("Side by side")), Qt::LeftButton);
    QVERIFY(all->isVisible());
    desk.press(Qt::Key_Escape); // ends the one that still runs
    QCOMPARE(desk.control.cancelled, std::vector<std::uint64_t>{3});
}

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    prepareApplication(application);
    TestPlaygroundForm test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_playground_form.moc"
