// SPDX-License-Identifier: GPL-3.0-or-later
// The mouse on the canvas: selecting, panning, zooming, dragging tiers, and what the palette lets go of.
#include "ui/chains/chain_canvas.h"
#include "ui/chains/insert_node.h"

#include <QApplication>
#include <QDragEnterEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTimer>
#include <QWheelEvent>

#include <cmath>

namespace sg::ui {

namespace {

constexpr double kLineReach = 9;         ///< px beside a line that still mean it
constexpr int kPullRim = 24, kPull = 12; ///< px
/// Below the stairs and left of the pointer nothing is written; `Height` is with the hint.
constexpr double kGhostWidth = 156, kGhostHeight = 142;
constexpr double kDropReach = 260; ///< a drop further away from every line goes to the end

} // namespace

int ChainCanvas::nodeAt(const QPointF& scene) const
{
    for (std::size_t i = 0; i < layout_.nodes.size(); ++i) {
        if (layout_.nodes[i].box.contains(scene))
            return static_cast<int>(i);
    }
    return -1;
}

int ChainCanvas::wayAt(const QPointF& scene) const
{
    int best = -1;
    double nearest = kLineReach / std::max(zoom(), 0.05);
    for (std::size_t i = 0; i < layout_.ways.size(); ++i) {
        const layout::Way& way = layout_.ways[i];
        const double width = facts_.ways[i].share ? items::flowWidth(*facts_.ways[i].share) / 2 : 0;
        const bool isGhost = way.kind == layout::Way::Kind::End && layout_.steps.empty();
        const QRectF ghost(way.marker.x() - layout::kTierWidth / 2, way.marker.y() - layout::kTierHeight / 2,
                           layout::kTierWidth, layout::kTierHeight);
        const double distance = isGhost && ghost.contains(scene) ? 0 : layout::distanceTo(way.line, scene) - width;
        if (distance < nearest) {
            nearest = std::max(0.0, distance);
            best = static_cast<int>(i);
        }
    }
    return best;
}

void ChainCanvas::mousePressEvent(QMouseEvent* event)
{
    const QPointF scene = mapToScene(event->pos());
    if (event->button() == Qt::MiddleButton) {
        panFrom_ = event->pos();
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    event->accept();
    if (const int node = nodeAt(scene); node >= 0) {
        const ChainNode hit = layout_.nodes[static_cast<std::size_t>(node)].node;
        drag_ = {hit.kind == ChainNode::Kind::Tier ? hit.tier : -1, event->pos(), false, -1};
        return focusStop({layout::Stop::Kind::Node, node});
    }
    if (const int way = wayAt(scene); way >= 0)
        return focusStop({layout::Stop::Kind::Way, way});
    if (way_) {
        way_.reset();
        refreshWays();
    }
    panFrom_ = event->pos();
}

void ChainCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (panFrom_) {
        const QPoint by = event->pos() - *panFrom_;
        panFrom_ = event->pos();
        viewport()->setCursor(Qt::ClosedHandCursor);
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - by.x());
        verticalScrollBar()->setValue(verticalScrollBar()->value() - by.y());
        return;
    }
    if (drag_.tier >= 0 && event->buttons().testFlag(Qt::LeftButton)) {
        const int far = (event->pos() - drag_.pressed).manhattanLength();
        if (!drag_.isActive && far < QApplication::startDragDistance())
            return;
        return dragTier(event->pos());
    }
    const QPointF scene = mapToScene(event->pos());
    viewport()->setCursor(nodeAt(scene) >= 0  ? Qt::ArrowCursor
                          : wayAt(scene) >= 0 ? Qt::PointingHandCursor
                                              : Qt::OpenHandCursor);
}

void ChainCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    panFrom_.reset();
    viewport()->unsetCursor();
    if (event->button() == Qt::LeftButton && drag_.tier >= 0)
        endDrag(true);
    event->accept();
}

void ChainCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    const QPointF scene = mapToScene(event->pos());
    if (event->button() != Qt::LeftButton)
        return;
    drag_ = {};
    if (nodeAt(scene) >= 0 || wayAt(scene) >= 0)
        enter();
}

void ChainCanvas::wheelEvent(QWheelEvent* event)
{
    if (!event->modifiers().testFlag(Qt::ControlModifier))
        return QGraphicsView::wheelEvent(event);
    const double steps = event->angleDelta().y() / 120.0;
    setTransformationAnchor(AnchorUnderMouse); // keys and buttons zoom about the middle
    zoomTo(zoom() * std::pow(1.15, steps));
    setTransformationAnchor(AnchorViewCenter);
    event->accept();
}

// ---- a tier on the move

void ChainCanvas::dragTier(const QPoint& at)
{
    const bool isFirst = !drag_.isActive;
    drag_.isActive = true;
    pullAlong(at);
    const QPointF scene = mapToScene(at);
    const Target target = targetOf(scene, drag_.tier);
    const int to = target.insertAt > drag_.tier ? target.insertAt - 1 : target.insertAt;
    const bool isNew = target.insertAt >= 0 && to != drag_.tier;
    drag_.target = isNew ? to : -1;
    items::DragPart::Picture picture;
    picture.at = scene;
    picture.zoom = zoom();
    const facts::NodeFacts& node =
        nodes_[static_cast<std::size_t>(stopOf(ChainNode::ofTier(drag_.tier)).index)]->facts();
    picture.ghost = node.name;
    picture.ghostAt = {at.x() < kGhostWidth ? 16 : 2 - kGhostWidth,
                       at.y() > viewport()->height() - kGhostHeight ? -kGhostHeight : 14};
    picture.hint = facts::moveHint(editor_.draft().workspace(), *editor_.chain(), drag_.tier, drag_.target,
                                   editor_.serving().prices());
    if (isNew)
        picture.marker = target.marker;
    dragPart_->show(picture);
    if (isFirst)
        refreshNodes();
}

void ChainCanvas::endDrag(bool isKept)
{
    const Drag ended = std::exchange(drag_, {});
    dragPart_->hide();
    if (isKept && ended.isActive && ended.target >= 0) {
        editor_.draft().closeMerge();
        editor_.moveTier(ended.tier, ended.target);
        editor_.draft().closeMerge();
        if (const chain::TierSpec* tier = editor_.tier(ended.target))
            tell(tr("%1 is tier %2 now").arg(QString::fromStdString(tier->name)).arg(ended.target + 1));
    }
    if (ended.isActive)
        refreshNodes();
}

/// Near the rim what is dragged pulls the chain along.
void ChainCanvas::pullAlong(const QPoint& at)
{
    const auto by = [](int pos, int size) { return pos < kPullRim ? -kPull : pos > size - kPullRim ? kPull : 0; };
    const QSize room = viewport()->size();
    const QRectF shown = mapToScene(viewport()->rect()).boundingRect();
    const QRectF& all = layout_.bounds;
    const int x = by(at.x(), room.width()), y = by(at.y(), room.height());
    if ((x < 0 && shown.left() > all.left()) || (x > 0 && shown.right() < all.right()))
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() + x);
    if ((y < 0 && shown.top() > all.top()) || (y > 0 && shown.bottom() < all.bottom()))
        verticalScrollBar()->setValue(verticalScrollBar()->value() + y);
}

/// The nearest place for a tier: on a line, or between members of a split when the tier is one of them already or the
/// pointer is right there.
ChainCanvas::Target ChainCanvas::targetOf(const QPointF& scene, int movedTier) const
{
    Target target;
    const layout::NearestWay near = layout::nearestWay(layout_, scene);
    double best = near.way >= 0 ? near.distance : kDropReach;
    if (near.way >= 0) {
        const layout::Way& way = layout_.ways[static_cast<std::size_t>(near.way)];
        target.insertAt = way.insertAt;
        // Before the first tier there may be several lines; the tier goes in on the last of them.
        const int shown = layout_.wayTo(way.insertAt);
        target.marker = layout_.ways[static_cast<std::size_t>(shown)].marker;
    }
    for (const layout::MemberGap& gap : layout_.gaps) {
        const QPointF away = scene - gap.marker;
        const double distance = std::hypot(away.x(), away.y());
        if (distance < best && (movedTier >= 0 || distance < 24)) {
            best = distance;
            target.insertAt = gap.insertAt;
            target.marker = gap.marker;
        }
    }
    // Over a node: before or behind it, whichever half is pointed at.
    if (const int node = nodeAt(scene); node >= 0) {
        const layout::Node& hit = layout_.nodes[static_cast<std::size_t>(node)];
        target.tier = hit.node.kind == ChainNode::Kind::Tier ? hit.node.tier : -1;
        const bool isAlone = hit.step >= 0 && !layout_.steps[static_cast<std::size_t>(hit.step)].isSplit;
        if (target.tier >= 0 && isAlone) {
            target.insertAt = target.tier + (scene.y() > hit.box.center().y() ? 1 : 0);
            const int way = layout_.wayTo(target.insertAt);
            if (way >= 0)
                target.marker = layout_.ways[static_cast<std::size_t>(way)].marker;
        }
    }
    if (target.tier < 0 && best >= kDropReach && movedTier < 0) {
        target.insertAt = static_cast<int>(editor_.chain()->spec.tiers.size());
        target.marker = layout_.ways.empty() ? QPointF() : layout_.ways.back().marker;
    }
    return target;
}

// ---- what comes from the palette

ChainCanvas::Target ChainCanvas::splitTarget(const QPointF& scene) const
{
    const int node = nodeAt(scene);
    if (node < 0)
        return {};
    const layout::Node& hit = layout_.nodes[static_cast<std::size_t>(node)];
    const chain::TierSpec* tier = hit.node.kind == ChainNode::Kind::Tier ? editor_.tier(hit.node.tier) : nullptr;
    if (!tier || tier->kind != chain::TierKind::Endpoint)
        return {};
    return {hit.node.tier, hit.box.center() + QPointF(hit.box.width() / 2, 0), hit.node.tier};
}

bool ChainCanvas::showDrop(const NodeKind& node, const QPointF& scene)
{
    if (!editor_.chain())
        return false;
    const bool isSplit = node.kind == NodeKind::Kind::Split;
    const bool isTier = node.kind == NodeKind::Kind::Endpoint || node.kind == NodeKind::Kind::Canned;
    const Target target = isSplit ? splitTarget(scene) : targetOf(scene, -1);
    items::DragPart::Picture picture;
    picture.at = scene;
    picture.zoom = zoom();
    picture.hint = facts::dropHint(editor_.draft().workspace(), *editor_.chain(), node, target.insertAt,
                                   editor_.serving().prices());
    if (isTier || isSplit)
        picture.marker = target.marker;
    dragPart_->show(picture);
    return picture.hint.isAllowed;
}

void ChainCanvas::dragEnterEvent(QDragEnterEvent* event)
{
    if (!readNode(event->mimeData()) || !editor_.chain())
        return event->ignore();
    event->acceptProposedAction();
}

void ChainCanvas::dragMoveEvent(QDragMoveEvent* event)
{
    const auto node = readNode(event->mimeData());
    if (!node)
        return event->ignore();
    pullAlong(event->position().toPoint());
    event->setAccepted(showDrop(*node, mapToScene(event->position().toPoint())));
}

void ChainCanvas::dragLeaveEvent(QDragLeaveEvent* event)
{
    dragPart_->hide();
    event->accept();
}

void ChainCanvas::dropEvent(QDropEvent* event)
{
    const auto node = readNode(event->mimeData());
    const QPointF scene = mapToScene(event->position().toPoint());
    const bool isAllowed = node && showDrop(*node, scene);
    dragPart_->hide();
    if (!isAllowed)
        return event->ignore();
    event->acceptProposedAction();
    setFocus();
    if (node->kind == NodeKind::Kind::Split) {
        const int tier = splitTarget(scene).tier;
        // After the drag has ended: its own loop still holds the pointer.
        QTimer::singleShot(0, this,
                           [this, tier, scene] { chooseSplit(context_, editor_, tier, this, popupPlace(scene)); });
        return;
    }
    insertNode(editor_, *node, targetOf(scene, -1).insertAt);
    tell(tr("%1 inserted").arg(nodeName(*node)));
}

} // namespace sg::ui
