// SPDX-License-Identifier: GPL-3.0-or-later
// The keyboard and the menus of the canvas.
#include "ui/chains/chain_canvas.h"
#include "ui/chains/insert_node.h"
#include "ui/widgets/paint.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

namespace sg::ui {

namespace {

bool isArrow(int key)
{
    return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
}

/// Keys that the window has shortcuts for, and that mean something else while the canvas has the focus.
bool isOurs(const QKeyEvent& event)
{
    const auto modifiers = event.modifiers() & ~Qt::KeypadModifier;
    switch (event.key()) {
    case Qt::Key_Space:
    case Qt::Key_E:
    case Qt::Key_F:
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
    case Qt::Key_Insert:
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Home:
    case Qt::Key_End:
        return modifiers == Qt::NoModifier;
    case Qt::Key_D:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_Minus:
    case Qt::Key_0:
        return modifiers == Qt::ControlModifier || modifiers == (Qt::ControlModifier | Qt::ShiftModifier);
    default:
        return isArrow(event.key()) && (modifiers == Qt::NoModifier || modifiers == Qt::AltModifier);
    }
}

} // namespace

bool ChainCanvas::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (isOurs(*key) || (key->key() == Qt::Key_Escape && drag_.tier >= 0)) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::Paint) { // of the rim; the viewport paints itself
        QPainter p(this);
        paint::frame(p, rect(), context_.c().card, context_.c().line, 6);
        return true;
    }
    return QGraphicsView::event(event);
}

void ChainCanvas::keyPressEvent(QKeyEvent* event)
{
    if (!handleZoomKey(event) && !handleKey(event))
        QFrame::keyPressEvent(event); // not QGraphicsView's: it would scroll
}

void ChainCanvas::keyReleaseEvent(QKeyEvent* event)
{
    // Steps made while Alt is held are one move.
    if (event->key() == Qt::Key_Alt && !event->isAutoRepeat())
        editor_.draft().closeMerge();
    QGraphicsView::keyReleaseEvent(event);
}

bool ChainCanvas::handleZoomKey(QKeyEvent* event)
{
    const bool isControl = event->modifiers().testFlag(Qt::ControlModifier);
    if (event->key() == Qt::Key_F && !isControl && !event->modifiers().testFlag(Qt::AltModifier))
        return fit(), true;
    if (!isControl)
        return false;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomTo(zoom() * 1.25), true;
    case Qt::Key_Minus:
        return zoomTo(zoom() * 0.8), true;
    case Qt::Key_0:
        return zoomTo(1), true;
    default:
        return false;
    }
}

bool ChainCanvas::handleKey(QKeyEvent* event)
{
    if (!isOurs(*event) && event->key() != Qt::Key_Escape)
        return false;
    const bool isForward = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
    if (isArrow(event->key()) && event->modifiers().testFlag(Qt::AltModifier))
        return moveSelected(isForward ? 1 : -1);
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Left:
        return walk(isForward ? 1 : -1, false), true;
    case Qt::Key_Down:
    case Qt::Key_Up:
        return walk(isForward ? 1 : -1, true), true;
    case Qt::Key_Home:
    case Qt::Key_End:
        if (!layout_.stops.empty())
            focusStop(event->key() == Qt::Key_Home ? layout_.stops.front() : layout_.stops.back());
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return enter(), true;
    case Qt::Key_Insert:
        return insertHere(), true;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        return removeSelected(), true;
    case Qt::Key_D:
        return editor_.duplicate(editor_.selected()), true;
    case Qt::Key_Space:
    case Qt::Key_E:
        return toggleSelected(), true;
    case Qt::Key_Escape:
        if (drag_.tier < 0)
            return false;
        return endDrag(false), true;
    default:
        return false;
    }
}

void ChainCanvas::walk(int by, bool nodesOnly)
{
    const auto& stops = layout_.stops;
    if (stops.empty())
        return;
    const auto now = current();
    const auto found = now ? std::find(stops.begin(), stops.end(), *now) : stops.end();
    int index =
        found == stops.end() ? (by > 0 ? -1 : static_cast<int>(stops.size())) : static_cast<int>(found - stops.begin());
    for (index += by; index >= 0 && index < static_cast<int>(stops.size()); index += by) {
        const layout::Stop& stop = stops[static_cast<std::size_t>(index)];
        if (!nodesOnly || stop.kind == layout::Stop::Kind::Node)
            return focusStop(stop);
    }
}

bool ChainCanvas::moveSelected(int by)
{
    const ChainNode node = editor_.selected();
    if (node.kind != ChainNode::Kind::Tier || !editor_.tier(node.tier) || !editor_.tier(node.tier + by))
        return true;
    editor_.moveTier(node.tier, node.tier + by);
    tell(tr("%1 is tier %2 now")
             .arg(QString::fromStdString(editor_.tier(editor_.selected().tier)->name))
             .arg(editor_.selected().tier + 1));
    return true;
}

void ChainCanvas::enter()
{
    if (way_ || editor_.selected() == ChainNode())
        return insertHere();
    Q_EMIT editRequested(editor_.selected());
}

void ChainCanvas::insertHere()
{
    if (!editor_.chain() || layout_.ways.empty())
        return;
    int way = static_cast<int>(layout_.ways.size()) - 1;
    if (way_)
        way = *way_;
    else if (editor_.selected().kind == ChainNode::Kind::Tier)
        way = std::max(0, layout_.wayTo(editor_.selected().tier + 1));
    const layout::Way& place = layout_.ways[static_cast<std::size_t>(way)];
    chooseInsert(context_, editor_, place.insertAt, this, popupPlace(place.marker));
}

QPoint ChainCanvas::popupPlace(const QPointF& scene) const
{
    const QPoint inside = mapFromScene(scene);
    const QRect room = viewport()->rect();
    return viewport()->mapToGlobal(
        QPoint(std::clamp(inside.x(), room.left(), room.right()), std::clamp(inside.y(), room.top(), room.bottom())) +
        QPoint(14, 10));
}

void ChainCanvas::removeSelected()
{
    const auto now = current();
    if (!now || now->kind != layout::Stop::Kind::Node)
        return;
    const QString name = facts_.nodes[static_cast<std::size_t>(now->index)].name;
    editor_.remove(editor_.selected());
    tell(tr("%1 removed").arg(name));
}

void ChainCanvas::toggleSelected()
{
    const chain::TierSpec* tier = editor_.tier(editor_.selected().tier);
    if (!tier || editor_.selected().kind != ChainNode::Kind::Tier)
        return;
    const bool isOn = !tier->enabled;
    const QString name = QString::fromStdString(tier->name);
    editor_.setEnabled(editor_.selected().tier, isOn);
    tell(isOn ? tr("%1 is on").arg(name) : tr("%1 is off").arg(name));
}

void ChainCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    if (!editor_.chain())
        return;
    QPointF scene = mapToScene(event->pos());
    std::optional<layout::Stop> stop;
    if (event->reason() == QContextMenuEvent::Keyboard) {
        stop = current();
        if (stop)
            scene = mapToScene(stopRect(*stop).center());
    } else if (const int node = nodeAt(scene); node >= 0) {
        stop = layout::Stop{layout::Stop::Kind::Node, node};
    } else if (const int way = wayAt(scene); way >= 0) {
        stop = layout::Stop{layout::Stop::Kind::Way, way};
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (stop) {
        focusStop(*stop);
        if (stop->kind == layout::Stop::Kind::Node)
            fillNodeMenu(*menu, editor_.selected());
    }
    const int end = static_cast<int>(editor_.chain()->spec.tiers.size());
    fillAddMenu(*menu, insertPlace().value_or(end), scene);
    menu->popup(event->reason() == QContextMenuEvent::Keyboard ? popupPlace(scene) : event->globalPos());
    event->accept();
}

void ChainCanvas::fillNodeMenu(QMenu& menu, ChainNode node)
{
    const auto add = [&](const QString& words, const QKeySequence& keys, bool isPossible, auto&& run) {
        QAction* action = menu.addAction(words, this, run);
        action->setShortcut(keys); // shown only: the canvas takes the key itself
        action->setShortcutContext(Qt::WidgetShortcut);
        action->setEnabled(isPossible);
    };
    const chain::TierSpec* tier = node.kind == ChainNode::Kind::Tier ? editor_.tier(node.tier) : nullptr;
    add(tr("Edit"), Qt::Key_Return, true, [this, node] { Q_EMIT editRequested(node); });
    if (tier) {
        const int index = node.tier;
        const auto move = [this](int by) {
            editor_.draft().closeMerge();
            moveSelected(by);
            editor_.draft().closeMerge();
        };
        add(tr("Move up"), Qt::ALT | Qt::Key_Up, index > 0, [move] { move(-1); });
        add(tr("Move down"), Qt::ALT | Qt::Key_Down, editor_.tier(index + 1) != nullptr, [move] { move(1); });
        add(tr("Duplicate"), Qt::CTRL | Qt::Key_D, true, [this, node] { editor_.duplicate(node); });
        add(tier->enabled ? tr("Switch off") : tr("Switch on"), Qt::Key_Space, true, [this] { toggleSelected(); });
        if (tier->kind == chain::TierKind::Endpoint)
            add(tr("Split its traffic with…"), {}, true, [this, index] {
                const QRectF box = layout_.nodes[static_cast<std::size_t>(stopOf(ChainNode::ofTier(index)).index)].box;
                chooseSplit(context_, editor_, index, this, popupPlace(box.bottomLeft()));
            });
        if (!tier->split.empty())
            add(tr("Take out of the split"), {}, true, [this, index] {
                editor_.editChain(tr("Take a tier out of its split"), {}, [index](workspace::Chain& chain) {
                    workspace::leaveSplit(chain.spec, static_cast<std::size_t>(index));
                });
            });
    }
    add(tr("Remove"), Qt::Key_Delete, true, [this] { removeSelected(); });
    menu.addSeparator();
}

void ChainCanvas::fillAddMenu(QMenu& menu, int at, const QPointF& scene)
{
    menu.addAction(tr("Insert as tier %1…").arg(at + 1), this,
                   [this, at, scene] { chooseInsert(context_, editor_, at, this, popupPlace(scene)); });
    const chain::ChainSpec& spec = editor_.chain()->spec;
    menu.addAction(tr("Add rate limiter"), this, [this] { editor_.addLimiter(); })->setEnabled(!spec.limiter);
    menu.addAction(tr("Add cache"), this, [this] { editor_.addCache(); })->setEnabled(!spec.cache);
    menu.addAction(tr("Add complexity router"), this, [this] { editor_.addRouter(); })
        ->setEnabled(!spec.router && !spec.tiers.empty());
    menu.addSeparator();
    QAction* fitting = menu.addAction(tr("Fit into the window"), this, &ChainCanvas::fit);
    fitting->setShortcut(Qt::Key_F);
    fitting->setShortcutContext(Qt::WidgetShortcut);
}

} // namespace sg::ui
