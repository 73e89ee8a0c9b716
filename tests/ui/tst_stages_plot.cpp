// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/form_desk.h"
#include "ui/load/stages/plan_preview.h"
#include "ui/load/stages/stages_editor.h"

#include <QLineEdit>
#include <QPushButton>

using namespace sg;
using namespace sg::test;
using ui::StagePoint;
using ui::Stages;

namespace {

const Stages kPlan{{0, 0}, {120, 40}, {420, 40}, {480, 80}, {780, 80}, {900, 0}};

/// "0:10 60:20": second, colon, rate.
ui::StagesEditor::Language language()
{
    const auto read = [](const QString& text) -> tl::expected<Stages, QString> {
        Stages stages;
        for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
            const QStringList parts = word.split(QLatin1Char(':'));
            bool isSecond = false, isRate = false;
            const StagePoint point{parts.value(0).toDouble(&isSecond), parts.value(1).toDouble(&isRate)};
            if (!isSecond || !isRate)
                return tl::unexpected(QStringLiteral("What is %1?").arg(word));
            stages.push_back(point);
        }
        return stages;
    };
    const auto write = [](const Stages& stages) {
        QStringList words;
        for (const StagePoint& point : stages)
            words << QStringLiteral("%1:%2").arg(point.second).arg(point.perSecond);
        return words.join(QLatin1Char(' '));
    };
    return {read, write, QStringLiteral("0:10 60:20")};
}

struct Scene
{
    explicit Scene(const Stages& stages = kPlan)
        : plot(new ui::StagesPlot(desk.theme))
    {
        plot->setStages(stages);
        desk.put(plot, {316, 220});
        plot->setFocus(Qt::OtherFocusReason);
    }
    void drag(std::size_t point, QPointF by)
    {
        const QPointF from = plot->placeOf(point);
        QTest::mousePress(plot, Qt::LeftButton, {}, from.toPoint());
        for (const double part : {0.3, 0.7, 1.0})
            QTest::mouseMove(plot, (from + by * part).toPoint());
        QTest::mouseRelease(plot, Qt::LeftButton, {}, (from + by).toPoint());
    }
    FormDesk desk;
    ui::StagesPlot* plot;
};

bool isOn(double value, double step)
{
    return std::abs(std::remainder(value, step)) < 1e-9;
}

} // namespace

class TestStagesPlot : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        ui::prepareApplication(*qApp);
    }

    void theAreaIsTheRequests()
    {
        QCOMPARE(ui::stages::requests(kPlan), 120 * 20.0 + 300 * 40 + 60 * 60 + 300 * 80 + 120 * 40);
        QCOMPARE(ui::stages::rateAt(kPlan, 60), 20.0);
        QCOMPARE(ui::stages::rateAt(kPlan, 450), 60.0);
        QCOMPARE(ui::stages::rateAt(kPlan, 901), 0.0);
        const Stages jump{{0, 10}, {60, 10}, {60, 50}, {90, 50}};
        QCOMPARE(ui::stages::rateAt(jump, 59.999), 10.0);
        QCOMPARE(ui::stages::rateAt(jump, 60), 50.0);
        QCOMPARE(ui::stages::requests(jump), 2100.0);
    }

    void unsoundStagesAreNotTaken()
    {
        for (const Stages& bad : {Stages{}, Stages{{0, 1}}, Stages{{5, 1}, {9, 1}}, Stages{{0, 1}, {9, 1}, {8, 1}},
                                  Stages{{0, 1}, {0, 2}}, Stages{{0, 1}, {10, -1}}, Stages{{0, 1}, {1e9, 1}}}) {
            QVERIFY(!ui::stages::isSound(bad));
            Scene scene;
            scene.plot->setStages(bad);
            QVERIFY(scene.plot->stages() == kPlan);
        }
    }

    void aDragSnapsAndIsOneStep()
    {
        Scene scene;
        scene.drag(3, {0, -scene.plot->placeOf(3).y()}); // beyond the top
        QCOMPARE(scene.plot->stages()[3].second, 480.0);
        QCOMPARE(scene.plot->stages()[3].perSecond, 100.0);
        QCOMPARE(scene.plot->undoStack().count(), 1);
        scene.drag(3, {-7, 11});
        const StagePoint moved = scene.plot->stages()[3];
        QVERIFY(moved.second < 480 && moved.perSecond < 100);
        QVERIFY2(isOn(moved.second, 15) && isOn(moved.perSecond, 1),
                 qPrintable(QStringLiteral("%1 %2").arg(moved.second).arg(moved.perSecond)));
        QCOMPARE(scene.plot->undoStack().count(), 2);
        QTest::keyClick(scene.plot, Qt::Key_Z, Qt::ControlModifier);
        QTest::keyClick(scene.plot, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(scene.plot->stages() == kPlan);
        QTest::keyClick(scene.plot, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(scene.plot->stages()[3].perSecond, 100.0);
    }

    void aCornerStaysBetweenItsNeighbours()
    {
        Scene scene;
        scene.drag(2, {200, 0});
        QCOMPARE(scene.plot->stages()[2].second, 480.0);
        scene.drag(0, {60, -20}); // the run starts at 0
        QCOMPARE(scene.plot->stages()[0].second, 0.0);
        QVERIFY(scene.plot->stages()[0].perSecond > 0);
        const Stages two = ui::stages::moved({{0, 1}, {60, 1}}, 1, {-5, 1});
        QVERIFY(ui::stages::isSound(two)); // a run that lasts no time could not be drawn
    }

    void aDragBackToWhereItWasIsNoStep()
    {
        Scene scene;
        const QPointF from = scene.plot->placeOf(1);
        QTest::mousePress(scene.plot, Qt::LeftButton, {}, from.toPoint());
        QTest::mouseMove(scene.plot, (from + QPointF(0, -30)).toPoint());
        QVERIFY(scene.plot->stages() != kPlan);
        QTest::mouseMove(scene.plot, from.toPoint());
        QTest::mouseRelease(scene.plot, Qt::LeftButton, {}, from.toPoint());
        QVERIFY(scene.plot->stages() == kPlan);
        QCOMPARE(scene.plot->undoStack().count(), 0);
    }

    void doubleClickAdds()
    {
        Scene scene;
        const QPointF between = (scene.plot->placeOf(1) + scene.plot->placeOf(2)) / 2 + QPointF(0, 30);
        QTest::mouseDClick(scene.plot, Qt::LeftButton, {}, between.toPoint());
        QCOMPARE(scene.plot->stages().size(), 7u);
        QCOMPARE(scene.plot->selected(), std::optional<std::size_t>(2));
        QVERIFY(ui::stages::isSound(scene.plot->stages()));
        QVERIFY(scene.plot->stages()[2].perSecond < 40);
        QTest::keyClick(scene.plot, Qt::Key_Delete);
        QVERIFY(scene.plot->stages() == kPlan);
    }

    void theKeyboardDoesItAll()
    {
        Scene scene({{0, 10}, {60, 10}, {120, 30}});
        QTest::keyClick(scene.plot, Qt::Key_Home);
        QTest::keyClick(scene.plot, Qt::Key_Tab);
        QCOMPARE(scene.plot->selected(), std::optional<std::size_t>(1));
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(scene.plot, Qt::Key_Up);
        QTest::keyClick(scene.plot, Qt::Key_Right);
        QVERIFY(scene.plot->stages()[1].perSecond > 10 && scene.plot->stages()[1].second > 60);
        QCOMPARE(scene.plot->undoStack().count(), 1); // one corner, one stretch of keys
        QTest::keyClick(scene.plot, Qt::Key_Backtab);
        QCOMPARE(scene.plot->selected(), std::optional<std::size_t>(0));
        QTest::keyClick(scene.plot, Qt::Key_Left); // before the start is nothing
        QCOMPARE(scene.plot->stages()[0].second, 0.0);
        QTest::keyClick(scene.plot, Qt::Key_Delete); // nor is there a run without its first corner
        QCOMPARE(scene.plot->stages().size(), 3u);
        QTest::keyClick(scene.plot, Qt::Key_End);
        QTest::keyClick(scene.plot, Qt::Key_Insert);
        QCOMPARE(scene.plot->stages().size(), 4u);
        QVERIFY(scene.plot->stages()[3].second > 120);
        QCOMPARE(scene.plot->selected(), std::optional<std::size_t>(3));
        QTest::keyClick(scene.plot, Qt::Key_Escape);
        QVERIFY(!scene.plot->selected());
    }

    void tabLeavesAfterTheLastCorner()
    {
        Scene scene;
        auto* next = new QLineEdit;
        scene.desk.column->addWidget(next);
        QCoreApplication::processEvents();
        QTest::keyClick(scene.plot, Qt::Key_End);
        QTest::keyClick(scene.plot, Qt::Key_Tab);
        QVERIFY(next->hasFocus());
        QTest::keyClick(next, Qt::Key_Backtab);
        QVERIFY(scene.plot->hasFocus());
        QCOMPARE(scene.plot->selected(), std::optional<std::size_t>(5));
    }

    void itSaysWhatItShows()
    {
        Scene scene;
        QCOMPARE(scene.plot->accessibleName(), QStringLiteral("Stages: requests a second over time"));
        QCOMPARE(scene.plot->accessibleDescription(),
                 QStringLiteral("6 points, 15:00 long, at most 80.0\u202F/s, about 46\u202F800 requests"));
        scene.plot->select(3);
        QCOMPARE(scene.plot->accessibleDescription(), QStringLiteral("Point 4 of 6: at 8:00, 80.0\u202F/s"));
        scene.plot->setReadOnly(true);
        QVERIFY(scene.plot->accessibleDescription().contains(QStringLiteral("fixed while the run is on")));
        QCOMPARE(scene.plot->dataTable().rows.size(), 6u);
    }

    void aRunThatIsOnKeepsItsStages()
    {
        Scene scene;
        scene.plot->setReadOnly(true);
        scene.drag(3, {0, 30});
        QTest::keyClick(scene.plot, Qt::Key_Up);
        QTest::keyClick(scene.plot, Qt::Key_Insert);
        QTest::mouseDClick(scene.plot, Qt::LeftButton, {}, QPoint(120, 90));
        QVERIFY(scene.plot->stages() == kPlan);
    }

    void textAndPlotFollowEachOther()
    {
        FormDesk desk;
        auto* editor = new ui::StagesEditor(desk.theme, language());
        desk.put(editor, {316, 260});
        editor->setStages({{0, 10}, {60, 20}});
        QCOMPARE(editor->text()->text(), QStringLiteral("0:10 60:20"));
        QSignalSpy changes(editor, &ui::StagesEditor::changed);
        editor->text()->setFocus();
        editor->text()->selectAll();
        QTest::keyClicks(editor->text(), QStringLiteral("0:5 30:5 90:x"));
        QCOMPARE(editor->problem(), QStringLiteral("What is 90:x?"));
        QVERIFY(editor->stages() == (Stages{{0, 5}, {30, 5}})); // the last that made sense
        QCOMPARE(editor->text()->text(), QStringLiteral("0:5 30:5 90:x"));
        QTest::keyClick(editor->text(), Qt::Key_Backspace);
        QTest::keyClicks(editor->text(), QStringLiteral("7"));
        QVERIFY(editor->problem().isEmpty());
        QVERIFY(editor->stages() == (Stages{{0, 5}, {30, 5}, {90, 7}}));
        QVERIFY(changes.count() > 0);
        editor->plot()->setFocus();
        editor->plot()->select(2);
        QTest::keyClick(editor->plot(), Qt::Key_Delete);
        QCOMPARE(editor->text()->text(), QStringLiteral("0:5 30:5"));
        while (editor->plot()->undoStack().canUndo())
            editor->plot()->undoStack().undo();
        QCOMPARE(editor->text()->text(), QStringLiteral("0:10 60:20"));
    }

    void thePreviewSaysWhatIsUnknown()
    {
        using ui::previewLine;
        QCOMPARE(previewLine({46'800, 24'800'000, 900, 62.0, false}),
                 QStringLiteral("46\u202F800 requests · 25\u202FM tokens · 15\u202Fmin · worst-case cost $62.00"));
        QCOMPARE(previewLine({}),
                 QStringLiteral("requests unknown · tokens unknown · time unknown · worst-case cost unknown"));
        QCOMPARE(previewLine({1, 0, 90, 0.5, true}),
                 QStringLiteral("1 request · 0 tokens · 1:30 min · worst-case cost ≥\u202F$0.50"));
    }

    void pictures()
    {
        for (const auto mode : {ui::ThemeMode::Dark, ui::ThemeMode::Light}) {
            FormDesk desk(mode);
            const auto add = [&](const Stages& stages) {
                auto* editor = new ui::StagesEditor(desk.theme, language());
                editor->setStages(stages);
                desk.column->addWidget(editor);
                auto* preview = new QLabel(ui::previewLine({46'800, 24'800'000, 900, 62.0, false}));
                preview->setWordWrap(true);
                preview->setProperty("role", QStringLiteral("caption"));
                desk.column->addWidget(preview);
                return editor;
            };
            add(kPlan)->plot()->select(3);
            auto* running = add(kPlan);
            running->plot()->setNow(582);
            running->setReadOnly(true);
            add({{0, 0.5}, {30, 0.5}, {30, 2}, {32, 2}, {32, 0.5}, {60, 0.5}})->plot()->setFocus();
            Stages many{{0, 1}};
            for (int i = 1; i < 100; ++i)
                many.push_back({i * 3600.0, i % 7 * 9000.0});
            add(many);
            desk.show({316, 1000});
            desk.shoot("stages");
            QVERIFY(desk.window.isVisible());
        }
    }
};

QTEST_MAIN(TestStagesPlot)
#include "tst_stages_plot.moc"
