// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas in a real window: mouse, keyboard, drags from the palette, undo byte for byte, assistive technology.
#include "tests/support/recorded_commands.h"
#include "tests/ui/canvas_desk.h"
#include "ui/chains/chain_canvas.h"
#include "ui/main_window/command_palette.h"

#include <QAccessible>
#include <QDragEnterEvent>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QtTest>

using namespace sg;
using ui::ChainNode;
using ui::layout::Stop;

namespace {

struct CanvasWindow : test::CanvasDesk
{
    explicit CanvasWindow(workspace::Workspace w)
        : CanvasDesk(std::move(w))
        , canvas(context, editor)
    {
        context.setReducedMotion(true);
        canvas.resize(876, 642);
        canvas.show();
        canvas.activateWindow();
        (void)QTest::qWaitForWindowActive(&canvas);
        canvas.setFocus();
        QCoreApplication::processEvents();
    }
    QPoint at(ChainNode node) const
    {
        return canvas.stopRect({Stop::Kind::Node, canvas.chainLayout().nodeOf(node)}).center();
    }
    QPoint tier(int index) const { return at(ChainNode::ofTier(index)); }
    QPoint line(int insertAt) const
    {
        const auto& l = canvas.chainLayout();
        return canvas.mapFromScene(l.ways[std::size_t(l.wayTo(insertAt))].marker);
    }
    void mouse(QEvent::Type type, QPoint pos, Qt::MouseButton button, Qt::MouseButtons buttons)
    {
        QMouseEvent event(type, pos, canvas.viewport()->mapToGlobal(pos), button, buttons, Qt::NoModifier);
        QCoreApplication::sendEvent(canvas.viewport(), &event);
    }
    void drag(QPoint from, QPoint to)
    {
        mouse(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
        for (int i = 1; i <= 5; ++i)
            mouse(QEvent::MouseMove, from + (to - from) * i / 5, Qt::NoButton, Qt::LeftButton);
    }
    void letGo(QPoint at) { mouse(QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton); }
    /// True when the drop was taken.
    bool drop(QPoint pos, const ui::NodeKind& node)
    {
        QMimeData mime;
        ui::writeNode(mime, node);
        QDragEnterEvent enter(pos, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(canvas.viewport(), &enter);
        QDragMoveEvent move(pos, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(canvas.viewport(), &move);
        QDropEvent event(pos, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(canvas.viewport(), &event);
        return event.isAccepted();
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::keyClick(&canvas, key, modifiers);
    }
    ui::CommandPalette* list()
    {
        QCoreApplication::processEvents();
        return canvas.findChild<ui::CommandPalette*>();
    }
    void choose(const char* typed)
    {
        auto* open = list();
        QVERIFY(open);
        auto* field = open->findChild<QLineEdit*>();
        QTest::keyClicks(field, QString::fromUtf8(typed));
        QTest::keyClick(field, Qt::Key_Return);
    }
    bool isAsAtFirst() const { return draft.workspace() == *start; }
    void undoAll()
    {
        while (draft.undoStack().canUndo())
            draft.undoStack().undo();
    }
    int commands() { return draft.undoStack().count(); }

    ui::ThemeContext context;
    ui::ChainCanvas canvas;
};

const QStringList kPictured{QStringLiteral("gpt-4.1"), QStringLiteral("claude-sonnet-4.5"),
                            QStringLiteral("gemini-2.5-flash"), QStringLiteral("deepseek-v3.2"),
                            QStringLiteral("canned reply")};

QStringList moved(int from, int to)
{
    QStringList names = kPictured;
    names.move(from, to);
    return names;
}

/// Until what a change asks to paint is painted: the scene collects first, then the viewport does.
void settle()
{
    for (int i = 0; i < 5; ++i)
        QCoreApplication::processEvents();
}

/// What of a widget is painted.
class PaintWatch : public QObject
{
public:
    explicit PaintWatch(QWidget* widget) { widget->installEventFilter(this); }
    QRegion region;

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::Paint)
            region += static_cast<QPaintEvent*>(event)->region();
        return false;
    }
};

} // namespace

class TestChainCanvas : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void aClickSelects()
    {
        CanvasWindow w(test::pictureWorkspace());
        QTest::mouseClick(w.canvas.viewport(), Qt::LeftButton, {}, w.tier(2));
        QVERIFY(w.editor.selected() == ChainNode::ofTier(2));
        QTest::mouseClick(w.canvas.viewport(), Qt::LeftButton, {}, w.at(ChainNode::of(ChainNode::Kind::Cache)));
        QVERIFY(w.editor.selected() == ChainNode::of(ChainNode::Kind::Cache));
        QTest::mouseClick(w.canvas.viewport(), Qt::LeftButton, {}, w.line(2));
        QVERIFY(w.editor.selected() == ChainNode());
        QCOMPARE(w.canvas.insertPlace(), std::optional<int>(2));
        w.editor.select(ChainNode::ofTier(0)); // by the tree, say
        QCOMPARE(w.canvas.insertPlace(), std::optional<int>());
        QCOMPARE(w.commands(), 0);
    }

    void arrowsWalkAlongTheWay()
    {
        CanvasWindow w(test::pictureWorkspace());
        w.key(Qt::Key_Home);
        QCOMPARE(w.canvas.insertPlace(), std::optional<int>(0));
        w.key(Qt::Key_Right);
        QVERIFY(w.editor.selected() == ChainNode::of(ChainNode::Kind::Limiter));
        w.key(Qt::Key_Down);
        w.key(Qt::Key_Down);
        QVERIFY(w.editor.selected() == ChainNode::ofTier(0));
        w.key(Qt::Key_Right);
        QCOMPARE(w.canvas.insertPlace(), std::optional<int>(1));
        w.key(Qt::Key_Right);
        QVERIFY(w.editor.selected() == ChainNode::ofTier(1));
        w.key(Qt::Key_Up);
        QVERIFY(w.editor.selected() == ChainNode::ofTier(0));
        w.key(Qt::Key_End);
        QCOMPARE(w.canvas.insertPlace(), std::optional<int>(5));
        w.key(Qt::Key_Right); // nothing behind the end
        QCOMPARE(w.canvas.insertPlace(), std::optional<int>(5));
    }

    void aDragAlongTheStairsIsOneCommand_data()
    {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("line");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("up") << 2 << 1 << moved(2, 1);
        QTest::newRow("to the front") << 3 << 0 << moved(3, 0);
        QTest::newRow("down") << 0 << 3 << moved(0, 2);
        QTest::newRow("before itself") << 2 << 2 << kPictured;
        QTest::newRow("behind itself") << 2 << 3 << kPictured;
    }
    void aDragAlongTheStairsIsOneCommand()
    {
        QFETCH(int, from);
        QFETCH(int, line);
        CanvasWindow w(test::pictureWorkspace());
        w.drag(w.tier(from), w.line(line));
        QVERIFY(w.canvas.isDragging());
        QVERIFY(w.isAsAtFirst()); // until it is let go
        w.letGo(w.line(line));
        QVERIFY(!w.canvas.isDragging());
        QTEST(w.tiers(), "names");
        QCOMPARE(w.commands(), w.isAsAtFirst() ? 0 : 1);
        w.undoAll();
        QVERIFY(w.isAsAtFirst());
    }

    void escapeEndsADrag()
    {
        CanvasWindow w(test::pictureWorkspace());
        w.drag(w.tier(3), w.line(0));
        w.key(Qt::Key_Escape);
        QVERIFY(!w.canvas.isDragging());
        w.letGo(w.line(0));
        QVERIFY(w.isAsAtFirst());
        QCOMPARE(w.commands(), 0);
    }

    void aSmallShakeIsNoDrag()
    {
        CanvasWindow w(test::pictureWorkspace());
        w.drag(w.tier(1), w.tier(1) + QPoint(2, 2));
        QVERIFY(!w.canvas.isDragging());
        w.letGo(w.tier(1));
        QVERIFY(w.editor.selected() == ChainNode::ofTier(1));
    }

    void dropsFromThePalette()
    {
        CanvasWindow w(test::pictureWorkspace());
        QVERIFY(w.drop(w.line(2), {ui::NodeKind::Kind::Endpoint, "gpt-4.1-mini"}));
        QStringList names = kPictured;
        names.insert(2, QStringLiteral("gpt-4.1-mini"));
        QCOMPARE(w.tiers(), names);
        QVERIFY(w.editor.selected() == ChainNode::ofTier(2));
        QVERIFY(w.drop(w.tier(0) - QPoint(0, 30), {ui::NodeKind::Kind::Canned})); // upper half of a node: before it
        QCOMPARE(w.spec().tiers.front().kind == chain::TierKind::CannedReply, true);
        QVERIFY(!w.drop(w.line(1), {ui::NodeKind::Kind::Limiter})); // it has one
        QVERIFY(w.drop(w.line(1), {ui::NodeKind::Kind::Router}));
        QVERIFY(w.spec().router.has_value());
        QVERIFY(!w.drop(w.line(1), {ui::NodeKind::Kind::Endpoint, "nobody"}));
        QCOMPARE(w.commands(), 3);
        w.undoAll();
        QVERIFY(w.isAsAtFirst());
    }

    void aDropBuildsAnEmptyChain()
    {
        CanvasWindow w(test::canvasWorkspace());
        QVERIFY(w.drop({600, 500}, {ui::NodeKind::Kind::Endpoint, "gpt-4.1"}));
        QVERIFY(w.drop(w.tier(0) + QPoint(0, 25), {ui::NodeKind::Kind::Endpoint, "deepseek-v3.2"}));
        QVERIFY(w.drop({60, 150}, {ui::NodeKind::Kind::Cache}));
        QCOMPARE(w.tiers(), (QStringList{QStringLiteral("gpt-4.1"), QStringLiteral("deepseek-v3.2")}));
        QVERIFY(w.spec().cache.has_value());
        w.undoAll();
        QVERIFY(w.isAsAtFirst());
    }

    void otherDragsAreRefused()
    {
        CanvasWindow w(test::pictureWorkspace());
        QMimeData mime;
        mime.setText(QStringLiteral("some text"));
        QDragEnterEvent enter({100, 100}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(w.canvas.viewport(), &enter);
        QVERIFY(!enter.isAccepted());
        mime.setData(ui::nodeMimeType(), "99\nx");
        QVERIFY(!ui::readNode(&mime));
        mime.setData(ui::nodeMimeType(), "0");
        QVERIFY(!ui::readNode(&mime));
    }

    void aSplitDroppedOnATierAsksWithWhom()
    {
        CanvasWindow w(test::pictureWorkspace());
        QVERIFY(!w.drop({40, 500}, {ui::NodeKind::Kind::Split}));
        QVERIFY(w.drop(w.tier(1), {ui::NodeKind::Kind::Split}));
        QTRY_VERIFY(w.list());
        w.choose("haiku");
        QCOMPARE(w.tiers().at(2), QStringLiteral("claude-haiku-4.5"));
        QVERIFY(!w.spec().tiers[1].split.empty() && w.spec().tiers[1].split == w.spec().tiers[2].split);
        QCOMPARE(w.canvas.facts().nodes[3].share, QStringLiteral("50\u202F%"));
        w.undoAll();
        QVERIFY(w.isAsAtFirst());
    }

    void keysEditATier()
    {
        CanvasWindow w(test::pictureWorkspace());
        w.editor.select(ChainNode::ofTier(1));
        w.key(Qt::Key_Space);
        QVERIFY(!w.spec().tiers[1].enabled);
        w.key(Qt::Key_E);
        QVERIFY(w.spec().tiers[1].enabled);
        w.key(Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(w.spec().tiers.size(), std::size_t{6});
        QVERIFY(w.editor.selected() == ChainNode::ofTier(2));
        w.key(Qt::Key_Delete);
        QCOMPARE(w.tiers(), kPictured);
        w.editor.select(ChainNode::of(ChainNode::Kind::Limiter));
        w.key(Qt::Key_Delete);
        QVERIFY(!w.spec().limiter);
        QCOMPARE(w.commands(), 5);
        w.undoAll();
        QVERIFY(w.isAsAtFirst());
    }

    void stepsWhileAltIsHeldAreOneMove()
    {
        CanvasWindow w(test::pictureWorkspace());
        w.editor.select(ChainNode::ofTier(0));
        const auto step = [&](Qt::Key key) {
            QKeyEvent press(QEvent::KeyPress, key, Qt::AltModifier), release(QEvent::KeyRelease, key, Qt::AltModifier);
            QCoreApplication::sendEvent(&w.canvas, &press);
            QCoreApplication::sendEvent(&w.canvas, &release);
        };
        QTest::keyPress(&w.canvas, Qt::Key_Alt);
        step(Qt::Key_Down);
        step(Qt::Key_Right);
        QTest::keyRelease(&w.canvas, Qt::Key_Alt);
        QCOMPARE(w.tiers(), moved(0, 2));
        QCOMPARE(w.commands(), 1);
        QVERIFY(w.editor.selected() == ChainNode::ofTier(2));
        QCOMPARE(w.canvas.accessibleDescription(), QStringLiteral("gpt-4.1 is tier 3 now"));
        QTest::keyPress(&w.canvas, Qt::Key_Alt);
        step(Qt::Key_Left);
        QTest::keyRelease(&w.canvas, Qt::Key_Alt);
        QCOMPARE(w.commands(), 2);
        w.undoAll();
        QVERIFY(w.isAsAtFirst());
    }

    void enterOnALineInserts()
    {
        CanvasWindow w(test::pictureWorkspace());
        w.editor.select(ChainNode::ofTier(1));
        w.key(Qt::Key_Right);
        w.key(Qt::Key_Return);
        w.choose("mini");
        QStringList names = kPictured;
        names.insert(2, QStringLiteral("gpt-4.1-mini"));
        QCOMPARE(w.tiers(), names);
        QVERIFY(w.editor.selected() == ChainNode::ofTier(2));
        w.undoAll();
        QVERIFY(w.isAsAtFirst());
    }

    void anEmptyChainIsBuiltByKeyboard()
    {
        CanvasWindow w(test::canvasWorkspace());
        w.key(Qt::Key_Return);
        w.choose("gpt-4.1");
        w.key(Qt::Key_Right);
        w.key(Qt::Key_Return);
        w.choose("canned");
        w.key(Qt::Key_Home);
        w.key(Qt::Key_Return);
        w.choose("limiter");
        QCOMPARE(w.tiers(), (QStringList{QStringLiteral("gpt-4.1"), QStringLiteral("canned reply")}));
        QVERIFY(w.spec().limiter.has_value());
        QCOMPARE(w.commands(), 3);
        w.undoAll();
        QVERIFY(w.isAsAtFirst());
    }

    void enterAndDoubleClickAskForTheInspector()
    {
        CanvasWindow w(test::pictureWorkspace());
        QSignalSpy asked(&w.canvas, &ui::ChainCanvas::editRequested);
        w.editor.select(ChainNode::ofTier(2));
        w.key(Qt::Key_Return);
        QCOMPARE(asked.count(), 1);
        QVERIFY(asked.at(0).at(0).value<ChainNode>() == ChainNode::ofTier(2));
        QTest::mouseClick(w.canvas.viewport(), Qt::LeftButton, {}, w.tier(0));
        QTest::mouseDClick(w.canvas.viewport(), Qt::LeftButton, {}, w.tier(0));
        QCOMPARE(asked.count(), 2);
        QVERIFY(w.isAsAtFirst());
    }

    void theContextMenuHasAllActions()
    {
        CanvasWindow w(test::pictureWorkspace());
        QContextMenuEvent event(QContextMenuEvent::Mouse, w.tier(1), w.canvas.viewport()->mapToGlobal(w.tier(1)));
        QCoreApplication::sendEvent(w.canvas.viewport(), &event);
        auto* menu = w.canvas.findChild<QMenu*>();
        QVERIFY(menu);
        QStringList words;
        for (const QAction* action : menu->actions()) {
            if (!action->isSeparator())
                words << action->text();
        }
        QCOMPARE(words, (QStringList{QStringLiteral("Edit"), QStringLiteral("Move up"), QStringLiteral("Move down"),
                                     QStringLiteral("Duplicate"), QStringLiteral("Switch off"),
                                     QString::fromUtf8("Split its traffic with…"), QStringLiteral("Remove"),
                                     QString::fromUtf8("Insert as tier 6…"), QStringLiteral("Add rate limiter"),
                                     QStringLiteral("Add cache"), QStringLiteral("Add complexity router"),
                                     QStringLiteral("Fit into the window")}));
        menu->actions().at(1)->trigger();
        QCOMPARE(w.tiers(), moved(1, 0));
        menu->close();
        w.undoAll();
        QVERIFY(w.isAsAtFirst());
    }

    void everyNodeAndLineIsKnownToAssistiveTechnology()
    {
        CanvasWindow w(test::pictureWorkspace());
        w.canvas.setLive(test::shared(test::pictureSnapshot()), true);
        QAccessibleInterface* canvas = QAccessible::queryAccessibleInterface(&w.canvas);
        QVERIFY(canvas);
        QCOMPARE(canvas->text(QAccessible::Name), QStringLiteral("Canvas of the chain prod-chat"));
        QCOMPARE(canvas->childCount(), static_cast<int>(w.canvas.chainLayout().stops.size()));
        w.editor.select(ChainNode::ofTier(1));
        QAccessibleInterface* focus = canvas->focusChild();
        QVERIFY(focus);
        QCOMPARE(focus->text(QAccessible::Name),
                 QStringLiteral("tier 2, claude-sonnet-4.5, breaker closed, 62.9\u202F% answered"));
        QVERIFY(focus->state().focused && focus->parent() == canvas);
        QVERIFY(canvas->childAt(focus->rect().center().x(), focus->rect().center().y()) != nullptr);
        QVERIFY(canvas->child(canvas->indexOfChild(focus)) == focus);
        w.key(Qt::Key_Right);
        QVERIFY(
            canvas->focusChild()
                ->text(QAccessible::Name)
                .startsWith(QLatin1String("line from tier 2, claude-sonnet-4.5 to tier 3, gemini-2.5-flash, 14.1")));
        QAccessibleInterface* last = canvas->child(canvas->childCount() - 1);
        w.editor.remove(ChainNode::ofTier(4));
        QVERIFY(!last->isValid()); // its place is gone, and asking it does no harm
        QVERIFY(last->text(QAccessible::Name).isEmpty());
    }

    void onlyWhatChangedIsPainted()
    {
        CanvasWindow w(test::pictureWorkspace());
        observe::Snapshot snapshot = test::pictureSnapshot();
        w.canvas.setLive(test::shared(snapshot), true);
        settle();
        PaintWatch watch(w.canvas.viewport());
        w.canvas.setLive(test::shared(snapshot), true);
        settle();
        QVERIFY(watch.region.isEmpty());
        snapshot.endpoints[3].inFlight = 7; // deepseek
        w.canvas.setLive(test::shared(snapshot), true);
        settle();
        QVERIFY(watch.region.contains(w.tier(3)));
        QVERIFY(!watch.region.contains(w.tier(0)) && !watch.region.contains(w.tier(1)));
    }

    void zoomsAndFits()
    {
        CanvasWindow w(test::pictureWorkspace());
        QCOMPARE(w.canvas.zoom(), 1.0);
        QWheelEvent wheel({300, 300}, w.canvas.mapToGlobal(QPointF(300, 300)), {}, {0, 120}, Qt::NoButton,
                          Qt::ControlModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(w.canvas.viewport(), &wheel);
        QVERIFY(w.canvas.zoom() > 1.1);
        w.key(Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(w.canvas.zoom(), 1.0);
        w.canvas.resize(400, 300);
        w.key(Qt::Key_F);
        QVERIFY(w.canvas.zoom() < 0.5);
        const QRect seen = w.canvas.viewport()->rect();
        QVERIFY(seen.contains(w.tier(0)) && seen.contains(w.tier(4)));
    }

    void aDragNearTheRimPullsTheChainAlong()
    {
        CanvasWindow w(test::pictureWorkspace());
        w.canvas.zoomTo(2);
        w.editor.select(ChainNode::ofTier(0));
        const QPoint before = w.tier(0);
        const QPoint rim(w.canvas.viewport()->width() - 5, w.canvas.viewport()->height() - 5);
        w.drag(before, rim);
        QVERIFY(w.tier(0).x() < before.x() && w.tier(0).y() < before.y());
        w.key(Qt::Key_Escape);
        QVERIFY(w.isAsAtFirst());
    }

    void dragOnEmptySpacePans()
    {
        CanvasWindow w(test::pictureWorkspace());
        const QPoint before = w.tier(0);
        w.drag({100, 450}, {160, 420});
        w.letGo({160, 420});
        QCOMPARE(w.tier(0) - before, QPoint(60, -30));
        QVERIFY(w.isAsAtFirst());
    }

    void shownInBothThemesAndStates()
    {
        CanvasWindow w(test::pictureWorkspace());
        for (const ui::ThemeMode mode : {ui::ThemeMode::Light, ui::ThemeMode::Dark}) {
            w.context.setMode(mode);
            for (const double zoom : {1.0, 0.4, 0.1}) {
                w.canvas.zoomTo(zoom);
                QVERIFY(!w.canvas.grab().isNull());
            }
        }
        w.editor.draft().edit(QStringLiteral("none"), [](workspace::Workspace& all) { all.chains.clear(); });
        QVERIFY(!w.canvas.grab().isNull());
        w.key(Qt::Key_Return); // nothing to insert into
        w.key(Qt::Key_Right);
        w.undoAll();
        QVERIFY(w.isAsAtFirst());
    }
};

QTEST_MAIN(TestChainCanvas)
#include "tst_chain_canvas.moc"
