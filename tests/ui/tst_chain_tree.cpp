// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/draft_desk.h"
#include "ui/chains/chain_tree.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>

using namespace sg;
using ui::ChainNode;

namespace {

struct Tree : test::DraftDesk
{
    using DraftDesk::DraftDesk;

    QStringList names(const QModelIndex& parent = {}) const
    {
        QStringList all;
        for (int row = 0; row < model().rowCount(parent); ++row)
            all.append(model().index(row, 0, parent).data().toString());
        return all;
    }
    QModelIndex at(const QString& step, const QString& setting = {}, int column = ui::ChainTreeModel::Name) const
    {
        const QModelIndex found = find(step, {}, setting.isEmpty() ? column : 0);
        return setting.isEmpty() ? found : find(setting, found, column);
    }
    QModelIndex find(const QString& name, const QModelIndex& parent, int column) const
    {
        for (int row = 0; row < model().rowCount(parent); ++row) {
            if (model().index(row, 0, parent).data().toString() == name)
                return model().index(row, column, parent);
        }
        return {};
    }
    ui::ChainTreeModel& model() const { return const_cast<ui::ChainTree&>(view).chainModel(); }
    void show()
    {
        view.resize(600, 500);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.setFocus();
    }
    const chain::ChainSpec& chain() const { return draft.workspace().chains.front().spec; }

    ui::ThemeContext context;
    ui::ChainEditor editor{draft, serving};
    ui::ChainTree view{context, editor};
    QAbstractItemModelTester tester{&view.chainModel(), QAbstractItemModelTester::FailureReportingMode::QtTest};
};

} // namespace

class TestChainTree : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsTheChainInTheOrderOfItsWay()
    {
        Tree tree;
        QCOMPARE(tree.names(), QStringList({QStringLiteral("gpt-4.1"), QStringLiteral("claude-sonnet-4.5"),
                                            QStringLiteral("gemini-2.5-flash"), tree.names().constLast()}));
        tree.editor.addCache();
        tree.editor.addLimiter();
        tree.editor.addRouter();
        QCOMPARE(tree.names().mid(0, 4), QStringList({QStringLiteral("Rate limiter"), QStringLiteral("Cache"),
                                                      QStringLiteral("Complexity router"), QStringLiteral("gpt-4.1")}));
        QCOMPARE(tree.at(QStringLiteral("gpt-4.1")).data(Qt::AccessibleTextRole).toString(),
                 QStringLiteral("Tier 1 of 4, gpt-4.1, endpoint gpt-4.1"));
        tree.draft.undoStack().undo();
        tree.draft.undoStack().undo();
        tree.draft.undoStack().undo();
        QCOMPARE(tree.names().size(), 4);
    }

    void whatIsOpenStaysOpen()
    {
        Tree tree;
        const QPersistentModelIndex claude = tree.at(QStringLiteral("claude-sonnet-4.5"));
        tree.view.expand(claude);
        const QSignalSpy resets(&tree.model(), &QAbstractItemModel::modelReset);
        tree.editor.moveTier(1, 0);
        QVERIFY(claude.isValid());
        QCOMPARE(claude.row(), 0);
        tree.editor.addCache();
        QCOMPARE(claude.row(), 1);
        tree.editor.editTier(0, QStringLiteral("Rename"), {}, [](chain::TierSpec& tier) { tier.name = "other"; });
        QVERIFY(claude.isValid());
        QCOMPARE(claude.data().toString(), QStringLiteral("other"));
        QVERIFY(tree.view.isExpanded(claude));
        tree.draft.undoStack().setIndex(0);
        QCOMPARE(claude.row(), 1);
        QVERIFY(tree.view.isExpanded(claude));
        QVERIFY(resets.isEmpty());
    }

    void settingsAreEditedInPlace_data()
    {
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<bool>("fits");
        QTest::addColumn<QString>("shown");
        QTest::newRow("tries") << "Tries"
                               << "4" << true << "4";
        QTest::newRow("tries, none") << "Tries"
                                     << "0" << false << QString();
        QTest::newRow("tries, half") << "Tries"
                                     << "1.5" << false << QString();
        QTest::newRow("tries, word") << "Tries"
                                     << "many" << false << QString();
        QTest::newRow("timeout") << "One try within"
                                 << "2.5" << true << QStringLiteral("2.5\u202Fs");
        QTest::newRow("timeout with unit") << "One try within"
                                           << "30 s" << true << QStringLiteral("30\u202Fs");
        QTest::newRow("no timeout") << "One try within"
                                    << "" << true << "as the endpoint says";
        QTest::newRow("endpoint") << "Endpoint"
                                  << "deepseek-v3.2" << true << "deepseek-v3.2";
    }
    void settingsAreEditedInPlace()
    {
        QFETCH(QString, setting);
        QFETCH(QString, typed);
        QFETCH(bool, fits);
        QFETCH(QString, shown);
        Tree tree;
        tree.editor.editTier(0, QStringLiteral("start"), {},
                             [](chain::TierSpec& tier) { tier.attemptTimeout = std::chrono::seconds(9); });
        const int before = tree.draft.undoStack().index();
        const QModelIndex cell = tree.at(QStringLiteral("gpt-4.1"), setting, ui::ChainTreeModel::Value);
        const QString was = cell.data().toString();
        QVERIFY(tree.model().flags(cell) & Qt::ItemIsEditable);
        QCOMPARE(tree.model().setData(cell, typed, Qt::EditRole), fits);
        QCOMPARE(tree.at(QStringLiteral("gpt-4.1"), setting, ui::ChainTreeModel::Value).data().toString(),
                 fits ? shown : was);
        QCOMPARE(tree.draft.undoStack().index(), before + (fits ? 1 : 0));
    }

    void namesAndSwitches()
    {
        Tree tree;
        const QModelIndex first = tree.at(QStringLiteral("gpt-4.1"));
        QVERIFY(!tree.model().setData(first, QStringLiteral("claude-sonnet-4.5"), Qt::EditRole)); // taken
        QVERIFY(!tree.model().setData(first, QStringLiteral("  "), Qt::EditRole));
        QVERIFY(tree.model().setData(first, QStringLiteral("front"), Qt::EditRole));
        QCOMPARE(tree.chain().tiers[0].name, std::string("front"));
        QVERIFY(tree.model().setData(first, Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(!tree.chain().tiers[0].enabled);
        QVERIFY(tree.at(QStringLiteral("front"))
                    .data(Qt::AccessibleTextRole)
                    .toString()
                    .endsWith(QStringLiteral("switched off")));
        const QModelIndex moves = tree.at(QStringLiteral("front"), QStringLiteral("Moves on when content filter"));
        QVERIFY(tree.model().setData(moves, Qt::Checked, Qt::CheckStateRole));
        QVERIFY(tree.chain().tiers[0].movesOn.contentPolicy);
        tree.editor.splitWith(0, "deepseek-v3.2");
        const QModelIndex weight =
            tree.at(QStringLiteral("front"), QStringLiteral("Weight"), ui::ChainTreeModel::Value);
        QVERIFY(tree.model().setData(weight, QStringLiteral("3"), Qt::EditRole));
        QCOMPARE(tree.chain().tiers[0].weight, 3.0);
        tree.draft.undoStack().setIndex(0);
        QVERIFY(tree.draft.workspace() == *tree.serving.now);
    }

    void selectionIsTheEditors()
    {
        Tree tree;
        tree.view.setCurrentIndex(tree.at(QStringLiteral("gemini-2.5-flash"), QStringLiteral("Tries")));
        QVERIFY(tree.editor.selected() == ChainNode::ofTier(2)); // a setting belongs to its step
        QVERIFY(tree.view.currentIndex().parent().isValid());    // and stays the current row
        tree.editor.select(ChainNode::ofTier(0));
        QCOMPARE(tree.view.currentIndex(), tree.at(QStringLiteral("gpt-4.1")));
        tree.editor.select({});
        QVERIFY(!tree.view.currentIndex().isValid());
    }

    void keysDoEverything()
    {
        Tree tree;
        tree.show();
        tree.editor.select(ChainNode::ofTier(0));
        QTest::keyClick(&tree.view, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(tree.names().mid(0, 2), QStringList({QStringLiteral("claude-sonnet-4.5"), QStringLiteral("gpt-4.1")}));
        QVERIFY(tree.editor.selected() == ChainNode::ofTier(1));
        QTest::keyClick(&tree.view, Qt::Key_Up, Qt::AltModifier);
        QTest::keyClick(&tree.view, Qt::Key_Up, Qt::AltModifier); // at the top already
        QCOMPARE(tree.draft.undoStack().index(), 2);

        QTest::keyClick(&tree.view, Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(tree.names().size(), 5);
        QVERIFY(tree.editor.selected() == ChainNode::ofTier(1));
        QTest::keyClick(&tree.view, Qt::Key_Delete);
        QCOMPARE(tree.names().size(), 4);

        tree.editor.select(ChainNode::ofTier(0));
        QTest::keyClick(&tree.view, Qt::Key_Space);
        QVERIFY(!tree.chain().tiers[0].enabled);
        QTest::keyClick(&tree.view, Qt::Key_F2);
        auto* field = tree.view.findChild<QLineEdit*>();
        QVERIFY(field);
        QTest::keyClicks(field, QStringLiteral("front"));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_COMPARE(tree.chain().tiers[0].name, std::string("front"));
        QVERIFY(tree.editor.selected() == ChainNode::ofTier(0));

        QTest::keyClick(&tree.view, Qt::Key_Insert);
        auto* menu = tree.view.findChild<QMenu*>(QStringLiteral("insertMenu"));
        QVERIFY(menu && menu->isVisible());
        QTest::keyClick(menu, Qt::Key_Down);
        QTest::keyClick(menu, Qt::Key_Return); // the second endpoint, behind the first tier
        QCOMPARE(tree.chain().tiers[1].endpoint, std::string("claude-sonnet-4.5"));
        QCOMPARE(tree.names().size(), 5);
    }

    void aSettingIsChosenOrTypedByKeyboard()
    {
        Tree tree;
        tree.show();
        tree.editor.select(ChainNode::ofTier(0));
        QTest::keyClick(&tree.view, Qt::Key_Return); // opens
        QVERIFY(tree.view.isExpanded(tree.at(QStringLiteral("gpt-4.1"))));
        QTest::keyClick(&tree.view, Qt::Key_Down); // its endpoint
        QTest::keyClick(&tree.view, Qt::Key_Return);
        auto* list = tree.view.findChild<QComboBox*>();
        QVERIFY(list);
        QCOMPARE(list->currentText(), QStringLiteral("gpt-4.1"));
        QTest::keyClick(list, Qt::Key_End);
        QTest::keyClick(list, Qt::Key_Return);
        QTRY_COMPARE(tree.chain().tiers[0].endpoint, std::string("deepseek-v3.2"));
        QTest::keyClick(&tree.view, Qt::Key_Down); // tries
        QTest::keyClick(&tree.view, Qt::Key_F2);
        auto* field = tree.view.findChild<QLineEdit*>();
        QVERIFY(field);
        QTest::keyClicks(field, QStringLiteral("7"));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_COMPARE(tree.chain().tiers[0].maxAttempts, 7);
    }

    void fiveHundredTiersFollow()
    {
        workspace::Workspace large = test::draftDesk();
        for (int i = 0; i < 496; ++i)
            workspace::insertTier(large.chains[0].spec, 3, workspace::tierFor("gpt-4.1"));
        test::DraftDesk desk(large);
        ui::ChainEditor editor(desk.draft, desk.serving);
        ui::ChainTreeModel model(editor);
        const QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        editor.moveTier(499, 0);
        QCOMPARE(model.rowCount(), 500);
        QVERIFY(model.nodeOf(model.index(0, 0)) == ChainNode::ofTier(0));
        QVERIFY2(changed.size() <= 2, qPrintable(QString::number(changed.size()))); // one picture, not 500
    }
};

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    ui::prepareApplication(application);
    TestChainTree test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_chain_tree.moc"
