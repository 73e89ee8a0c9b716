// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/chains/chain_facts.h"
#include "ui/chains/chain_items.h"
#include "ui/theme/theme.h"

#include <QGraphicsScene>
#include <QGraphicsView>

#include <memory>

namespace sg::ui {

class CanvasCorner;

/// The chain in front as a staircase that is edited by mouse and keyboard, with the traffic over it. Shows the
/// editor's chain and keeps nothing of it; every change goes through the editor.
///
/// Keys: Right/Left go on by one node or line, Down/Up by one node, Home/End; Alt with an arrow moves a tier; Enter
/// edits a node or inserts on a line; Del, Ctrl+D, Space or E; Ctrl with +, − and 0 zoom, F fits.
class ChainCanvas : public QGraphicsView
{
    Q_OBJECT
public:
    ChainCanvas(ThemeContext& context, ChainEditor& editor, QWidget* parent = nullptr);
    ~ChainCanvas() override;

    /// Null: nothing live. `minute`: numbers of the last minute, else of the snapshot's window.
    void setLive(const observe::SnapshotPtr& snapshot, bool minute);

    const layout::ChainLayout& chainLayout() const { return layout_; }
    const facts::ChainFacts& facts() const { return facts_; }
    std::optional<layout::Stop> current() const; ///< node or line with the keyboard's attention
    std::optional<int> insertPlace() const;      ///< where the focused line inserts; empty: no line has the focus
    void focusStop(layout::Stop stop);
    QRect stopRect(layout::Stop stop) const; ///< in the viewport
    QString stopSentence(layout::Stop stop) const;

    double zoom() const { return transform().m11(); }
    void zoomTo(double scale);
    void fit(); ///< everything in sight, at most at 100 %

    bool isDragging() const { return drag_.isActive; }

Q_SIGNALS:
    void editRequested(const sg::ui::ChainNode& node);
    void zoomChanged(double scale);

protected:
    bool event(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    struct Drag
    {
        int tier = -1; ///< pressed on; -1: none
        QPoint pressed;
        bool isActive = false;
        int target = -1; ///< index it would get; -1: nowhere new
    };
    struct Target
    {
        int insertAt = -1;
        std::optional<QPointF> marker;
        int tier = -1; ///< under the pointer
    };

    void rebuild();
    void onSelection();
    void onTheme();
    void refreshFacts();
    void refreshNodes();
    void refreshWays();
    void refreshBus();
    void placeCorner();
    void firstFit();

    int nodeAt(const QPointF& scene) const;
    int wayAt(const QPointF& scene) const;
    layout::Stop stopOf(ChainNode node) const;
    void walk(int by, bool nodesOnly);
    void reveal(layout::Stop stop);
    void tell(const QString& words);
    void tellFocus();

    bool handleKey(QKeyEvent* event);
    bool handleZoomKey(QKeyEvent* event);
    bool moveSelected(int by);
    void enter();
    void insertHere();
    void removeSelected();
    void toggleSelected();
    QPoint popupPlace(const QPointF& scene) const;
    void fillNodeMenu(QMenu& menu, ChainNode node);
    void fillAddMenu(QMenu& menu, int at, const QPointF& scene);

    void dragTier(const QPoint& at);
    void pullAlong(const QPoint& at);
    void endDrag(bool isKept);
    Target targetOf(const QPointF& scene, int movedTier) const;
    Target splitTarget(const QPointF& scene) const;
    bool showDrop(const NodeKind& node, const QPointF& scene);

    ThemeContext& context_;
    ChainEditor& editor_;
    QGraphicsScene scene_;
    layout::ChainLayout layout_;
    facts::ChainFacts facts_;
    observe::SnapshotPtr snapshot_;
    bool isMinute_ = true;
    std::optional<int> way_; ///< line with the focus; without one the selected node has it
    Drag drag_;
    std::optional<QPoint> panFrom_;
    bool isFitted_ = false; ///< once, on open and for each other chain
    std::string shownChain_;

    std::vector<std::unique_ptr<items::NodePart>> nodes_;
    std::vector<std::unique_ptr<items::AnswerPart>> answers_; ///< as nodes_; null: does not answer
    std::vector<std::unique_ptr<items::WayPart>> ways_;
    std::vector<std::unique_ptr<items::SplitPart>> splits_;
    std::vector<std::unique_ptr<items::RoutePart>> routes_;
    std::unique_ptr<items::BusPart> bus_;
    std::unique_ptr<items::DragPart> dragPart_;
    CanvasCorner* corner_ = nullptr;
};

} // namespace sg::ui
