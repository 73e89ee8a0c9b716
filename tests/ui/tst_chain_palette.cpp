// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/recorded_commands.h"
#include "tests/ui/canvas_desk.h"
#include "ui/chains/chain_palette.h"
#include "ui/main_window/command_palette.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QSignalSpy>
#include <QtTest>

using namespace sg;

namespace {

QStringList titles(const QAbstractItemModel& model)
{
    QStringList all;
    for (int row = 0; row < model.rowCount(); ++row)
        all << model.index(row, 0).data().toString();
    return all;
}

} // namespace

class TestChainPalette : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void changesByDifference()
    {
        test::CanvasDesk desk(test::pictureWorkspace());
        ui::PaletteModel model(desk.editor);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset), changes(&model, &QAbstractItemModel::dataChanged);
        QCOMPARE(model.rowCount(), 15);
        QVERIFY(model.row(1).isUsed && !model.row(2).isUsed);
        QCOMPARE(model.row(2).words, QStringLiteral("0.40 / 1.60"));
        desk.editor.insertEndpoint("gpt-4.1-mini", 0);
        QVERIFY(model.row(2).isUsed);
        QCOMPARE(changes.count(), 1);
        desk.draft.edit(QStringLiteral("x"), [](workspace::Workspace& w) {
            workspace::removeEndpoint(w, "gpt-4.1 (eu)");
            w.endpoints[1].price.reset();
            workspace::renameEndpoint(w, "sim-flaky", "sim");
        });
        QCOMPARE(model.rowCount(), 14);
        QCOMPARE(model.row(2).words, QStringLiteral("no price"));
        QVERIFY(titles(model).contains(QLatin1String("sim")));
        model.setLive(test::shared(test::normalSnapshot()));
        QVERIFY(model.row(1).state == policy::BreakerState::Open);
        QVERIFY(!model.row(2).state);
        while (desk.draft.undoStack().canUndo())
            desk.draft.undoStack().undo();
        QCOMPARE(model.rowCount(), 15);
        QCOMPARE(resets.count(), 0);
    }

    void filterKeepsTheHeadingsOfWhatMatches()
    {
        test::CanvasDesk desk(test::pictureWorkspace());
        ui::PaletteModel model(desk.editor);
        ui::PaletteFilter filter(model);
        QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
        filter.setWords(QStringLiteral("anthropic haiku"));
        QCOMPARE(titles(filter), (QStringList{QStringLiteral("Endpoints"), QStringLiteral("claude-haiku-4.5")}));
        filter.setWords(QStringLiteral("cache"));
        QCOMPARE(titles(filter), (QStringList{QStringLiteral("Steps"), QStringLiteral("Cache")}));
        filter.setWords(QStringLiteral("nothing of the kind"));
        QCOMPARE(filter.rowCount(), 0);
        filter.setWords({});
        QCOMPARE(filter.rowCount(), 15);
    }

    void linesAreDragSources()
    {
        test::CanvasDesk desk(test::pictureWorkspace());
        ui::PaletteModel model(desk.editor);
        QVERIFY(!model.flags(model.index(0)).testFlag(Qt::ItemIsDragEnabled));
        QVERIFY(model.flags(model.index(1)).testFlag(Qt::ItemIsDragEnabled));
        const std::unique_ptr<QMimeData> mime(model.mimeData({model.index(2)}));
        const auto node = ui::readNode(mime.get());
        QVERIFY(node && *node == (ui::NodeKind{ui::NodeKind::Kind::Endpoint, "gpt-4.1-mini"}));
        QVERIFY(!model.mimeData({model.index(0)}));
        QMimeData broken;
        broken.setData(ui::nodeMimeType(), "99\nx");
        QVERIFY(!ui::readNode(&broken));
        broken.setData(ui::nodeMimeType(), "0");
        QVERIFY(!ui::readNode(&broken));
    }

    void enterInsertsWhereItIsWanted()
    {
        test::CanvasDesk desk(test::pictureWorkspace());
        ui::ThemeContext context;
        ui::ChainPalette palette(context, desk.editor);
        palette.resize(172, 640);
        palette.show();
        palette.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&palette));
        palette.filterField().setFocus();
        QTest::keyClicks(&palette.filterField(), QStringLiteral("mini"));
        QTest::keyClick(&palette.filterField(), Qt::Key_Down);
        QVERIFY(palette.list().hasFocus());
        desk.editor.select(ui::ChainNode::ofTier(1));
        QTest::keyClick(&palette.list(), Qt::Key_Return); // behind the selected tier
        QCOMPARE(desk.tiers().at(2), QStringLiteral("gpt-4.1-mini"));
        desk.editor.select({});
        QTest::keyClick(&palette.list(), Qt::Key_Return); // at the end
        QCOMPARE(desk.tiers().back(), QStringLiteral("gpt-4.1-mini 2"));
        palette.setPlace([] { return std::optional<int>(0); });
        QTest::keyClick(&palette.list(), Qt::Key_Return); // on the line
        QCOMPARE(desk.tiers().front(), QStringLiteral("gpt-4.1-mini 3"));
        palette.filterField().clear();
        const QRect row = palette.list().visualRect(palette.list().model()->index(14, 0));
        QTest::mouseClick(palette.list().viewport(), Qt::LeftButton, {}, row.center());
        QTest::mouseDClick(palette.list().viewport(), Qt::LeftButton, {}, row.center());
        QVERIFY(desk.spec().tiers.front().kind == chain::TierKind::CannedReply);
        while (desk.draft.undoStack().canUndo())
            desk.draft.undoStack().undo();
        QVERIFY(desk.draft.workspace() == *desk.start);
    }

    void aSplitAsksWithWhom()
    {
        test::CanvasDesk desk(test::pictureWorkspace());
        ui::ThemeContext context;
        ui::ChainPalette palette(context, desk.editor);
        palette.resize(172, 640);
        palette.show();
        QVERIFY(QTest::qWaitForWindowExposed(&palette));
        desk.editor.select(ui::ChainNode::ofTier(4)); // the canned reply cannot: the last endpoint before it does
        palette.activate({ui::NodeKind::Kind::Split});
        auto* list = palette.findChild<ui::CommandPalette*>();
        QVERIFY(list);
        auto* field = list->findChild<QLineEdit*>();
        QTest::keyClicks(field, QStringLiteral("haiku"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(desk.tiers().at(4), QStringLiteral("claude-haiku-4.5"));
        QVERIFY(!desk.spec().tiers[3].split.empty());
    }
};

QTEST_MAIN(TestChainPalette)
#include "tst_chain_palette.moc"
