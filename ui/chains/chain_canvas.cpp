// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/chain_canvas.h"
#include "ui/chains/canvas_accessible.h"
#include "ui/chains/canvas_corner.h"
#include "ui/format/format.h"
#include "ui/widgets/paint.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <cmath>

namespace sg::ui {

namespace {

constexpr double kLeastOpen = 0.7; ///< a long chain opens at a size that can be read, at its beginning
constexpr double kLeast = 0.01, kMost = 4;
constexpr double kMarginX = 10, kMarginY = 18; ///< of the layout's bounds that fit() may cut off
constexpr int kCornerHeight = 32;              ///< of the zoom control, which must not lie over the last node
constexpr int kDots = 16;
constexpr int kRim = 4; ///< around the viewport, where the round corners of the card are

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

} // namespace

ChainCanvas::ChainCanvas(ThemeContext& context, ChainEditor& editor, QWidget* parent)
    : QGraphicsView(parent)
    , context_(context)
    , editor_(editor)
    , bus_(std::make_unique<items::BusPart>(context))
    , dragPart_(std::make_unique<items::DragPart>(context))
{
    installCanvasAccessible();
    setScene(&scene_);
    // Hundreds of parts that move only when the chain is edited: searching them is rarer than moving them is cheap.
    scene_.setItemIndexMethod(QGraphicsScene::BspTreeIndex);
    scene_.addItem(bus_.get());
    scene_.addItem(dragPart_.get());
    setFrameShape(QFrame::NoFrame);
    setViewportMargins(kRim, kRim, kRim, kRim + kCornerHeight);
    setViewportUpdateMode(QGraphicsView::MinimalViewportUpdate);
    setOptimizationFlags(DontSavePainterState | DontAdjustForAntialiasing);
    setCacheMode(CacheBackground);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setProperty("ownFocusRing", true);
    setAcceptDrops(true);
    setMouseTracking(true);
    setMinimumSize(240, 160);
    setWhatsThis(tr("The way of a request through the chain. Blue lines are traffic that moves on, green ones are "
                    "answers; their width is the share of all requests. Drag a tier along the stairs to change its "
                    "place, drag something from the palette onto a line to insert it there. Arrow keys walk along the "
                    "lines, Enter edits a node or inserts on a line, Alt with an arrow moves a tier, Del removes."));
    corner_ = new CanvasCorner(context, this);
    connect(corner_, &CanvasCorner::stepped, this, [this](int by) { zoomTo(zoom() * (by > 0 ? 1.25 : 0.8)); });
    connect(corner_, &CanvasCorner::resetRequested, this, [this] { zoomTo(1); });
    connect(corner_, &CanvasCorner::fitRequested, this, &ChainCanvas::fit);
    connect(this, &ChainCanvas::zoomChanged, corner_, &CanvasCorner::setScale);
    connect(&editor, &ChainEditor::chainChanged, this, &ChainCanvas::rebuild);
    connect(&editor, &ChainEditor::selectionChanged, this, &ChainCanvas::onSelection);
    connect(&context, &ThemeContext::changed, this, &ChainCanvas::onTheme);
    rebuild();
}

ChainCanvas::~ChainCanvas()
{
    setScene(nullptr);
}

void ChainCanvas::setLive(const observe::SnapshotPtr& snapshot, bool minute)
{
    if (snapshot == snapshot_ && minute == isMinute_)
        return;
    snapshot_ = snapshot;
    isMinute_ = minute;
    refreshFacts();
}

void ChainCanvas::onTheme()
{
    resetCachedContent();
    scene_.update();
}

void ChainCanvas::rebuild()
{
    if (drag_.tier >= 0)
        endDrag(false);
    const bool isOther = editor_.chainName() != shownChain_;
    shownChain_ = editor_.chainName();
    const workspace::Chain* chain = editor_.chain();
    const bool wasWithout = layout_.ways.empty();
    layout_ = chain ? layout::chainLayout(*chain) : layout::ChainLayout{};
    if (way_ && *way_ >= static_cast<int>(layout_.ways.size()))
        way_.reset();
    const auto sized = [this](auto& parts, std::size_t count) {
        using P = typename std::decay_t<decltype(parts)>::value_type::element_type;
        while (parts.size() > count)
            parts.pop_back();
        while (parts.size() < count) {
            parts.push_back(std::make_unique<P>(context_));
            scene_.addItem(parts.back().get());
        }
    };
    sized(nodes_, layout_.nodes.size());
    sized(answers_, layout_.nodes.size());
    sized(ways_, layout_.ways.size());
    sized(routes_, layout_.routes.size());
    const auto splits = std::count_if(layout_.steps.begin(), layout_.steps.end(), [](auto& s) { return s.isSplit; });
    sized(splits_, static_cast<std::size_t>(splits));
    // Room to pan: a chain smaller than the window can still be moved about.
    scene_.setSceneRect(layout_.bounds.adjusted(-300, -200, 500, 400));
    bus_->setVisible(!layout_.nodes.empty());
    for (std::size_t i = 0; i < routes_.size(); ++i)
        routes_[i]->show(layout_.routes[i]);
    refreshFacts();
    if (isOther) {
        isFitted_ = false;
        setAccessibleName(tr("Canvas of the chain %1").arg(QString::fromStdString(shownChain_)));
        firstFit();
    }
    if (wasWithout != layout_.ways.empty())
        viewport()->update(); // the sentence of drawForeground()
}

void ChainCanvas::refreshFacts()
{
    const workspace::Chain* chain = editor_.chain();
    facts_ = chain ? facts::chainFacts(editor_.draft().workspace(), *chain, layout_, snapshot_.get(), isMinute_)
                   : facts::ChainFacts{};
    refreshNodes();
    refreshWays();
    refreshBus();
    placeCorner();
}

void ChainCanvas::refreshNodes()
{
    const std::optional<layout::Stop> focused = hasFocus() ? current() : std::nullopt;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const layout::Node& place = layout_.nodes[i];
        items::NodePart::Marks marks;
        marks.isSelected = place.node == editor_.selected();
        marks.hasFocus = focused == layout::Stop{layout::Stop::Kind::Node, static_cast<int>(i)};
        marks.isDragged = drag_.isActive && place.node == ChainNode::ofTier(drag_.tier);
        nodes_[i]->show(place, facts_.nodes[i], marks);
        answers_[i]->setVisible(place.canAnswer);
        if (place.canAnswer)
            answers_[i]->show(place, facts_.answers[i], facts_.nodes[i].isOff);
    }
    std::size_t next = 0;
    for (const layout::Step& step : layout_.steps) {
        if (!step.isSplit)
            continue;
        std::vector<items::SplitPart::Member> members;
        for (std::size_t i = 0; i < layout_.nodes.size(); ++i) {
            const int tier = layout_.nodes[i].node.tier;
            if (tier >= static_cast<int>(step.first) && tier < static_cast<int>(step.first + step.count))
                members.push_back({layout_.nodes[i].in, facts_.nodes[i].share, facts_.nodes[i].entered});
        }
        splits_[next++]->show(step, std::move(members));
    }
}

void ChainCanvas::refreshWays()
{
    const auto isSplit = [this](int step) { return step >= 0 && layout_.steps[at(step)].isSplit; };
    const chain::ChainSpec* spec = editor_.chain() ? &editor_.chain()->spec : nullptr;
    for (std::size_t i = 0; i < ways_.size(); ++i) {
        const layout::Way& place = layout_.ways[i];
        items::WayPart::Look look;
        look.hasFocus = way_ == static_cast<int>(i);
        look.entersSplit = isSplit(place.toStep);
        look.leavesSplit = isSplit(place.fromStep) && place.kind == layout::Way::Kind::Down;
        look.isEmptyChain = layout_.steps.empty();
        // A canned reply is meant to be the last.
        look.isStubShown = spec && !spec->tiers.empty() && spec->tiers.back().kind != chain::TierKind::CannedReply;
        ways_[i]->show(place, facts_.ways[i], look);
    }
}

void ChainCanvas::refreshBus()
{
    std::vector<items::BusPart::Piece> pieces;
    for (std::size_t i = 0; i < layout_.nodes.size(); ++i) {
        const facts::AnswerFacts& answer = facts_.answers[i];
        if (answer.isPossible && answer.running)
            pieces.push_back({layout_.nodes[i].answerPort.x(), *answer.running, answer.share.value_or(0)});
    }
    bus_->show(layout_.busbar, facts_.busWords, std::move(pieces));
}

// ---- attention

std::optional<layout::Stop> ChainCanvas::current() const
{
    if (way_)
        return layout::Stop{layout::Stop::Kind::Way, *way_};
    const int node = layout_.nodeOf(editor_.selected());
    return node < 0 ? std::nullopt : std::optional(layout::Stop{layout::Stop::Kind::Node, node});
}

std::optional<int> ChainCanvas::insertPlace() const
{
    return way_ ? std::optional(layout_.ways[at(*way_)].insertAt) : std::nullopt;
}

layout::Stop ChainCanvas::stopOf(ChainNode node) const
{
    return {layout::Stop::Kind::Node, std::max(0, layout_.nodeOf(node))};
}

void ChainCanvas::focusStop(layout::Stop stop)
{
    if (stop.kind == layout::Stop::Kind::Node) {
        way_.reset();
        editor_.select(layout_.nodes[at(stop.index)].node);
    } else {
        editor_.select({});
        way_ = stop.index;
    }
    refreshNodes();
    refreshWays();
    reveal(stop);
    tellFocus();
}

void ChainCanvas::onSelection()
{
    if (editor_.selected() != ChainNode())
        way_.reset();
    // The draft may be ahead of what is laid out; then rebuild() follows at once.
    if (facts_.nodes.size() != layout_.nodes.size() || layout_.nodes.size() != nodes_.size())
        return;
    refreshNodes();
    refreshWays();
    if (const auto stop = current())
        reveal(*stop);
    tellFocus();
}

QRect ChainCanvas::stopRect(layout::Stop stop) const
{
    const QRectF box = stop.kind == layout::Stop::Kind::Node
                           ? layout_.nodes[at(stop.index)].box
                           : layout_.ways[at(stop.index)].line.boundingRect().adjusted(-4, -4, 4, 4);
    return mapFromScene(box).boundingRect();
}

QString ChainCanvas::stopSentence(layout::Stop stop) const
{
    return stop.kind == layout::Stop::Kind::Node ? facts_.nodes[at(stop.index)].sentence
                                                 : facts_.ways[at(stop.index)].sentence;
}

void ChainCanvas::reveal(layout::Stop stop)
{
    if (!isVisible() || panFrom_ || drag_.tier >= 0)
        return;
    const QRectF box = stop.kind == layout::Stop::Kind::Node ? layout_.nodes[at(stop.index)].box
                                                             : layout_.ways[at(stop.index)].line.boundingRect();
    ensureVisible(box, 24, 24);
}

void ChainCanvas::tellFocus()
{
    if (const auto stop = current())
        announceStop(*this, *stop);
}

void ChainCanvas::tell(const QString& words)
{
    setAccessibleDescription(words);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

void ChainCanvas::focusInEvent(QFocusEvent* event)
{
    QGraphicsView::focusInEvent(event);
    if (!current() && !layout_.stops.empty() && event->reason() != Qt::MouseFocusReason) {
        const auto first = std::find_if(layout_.stops.begin(), layout_.stops.end(),
                                        [](const auto& s) { return s.kind == layout::Stop::Kind::Node; });
        return focusStop(first != layout_.stops.end() ? *first : layout_.stops.back());
    }
    refreshNodes();
    tellFocus();
}

void ChainCanvas::focusOutEvent(QFocusEvent* event)
{
    QGraphicsView::focusOutEvent(event);
    refreshNodes();
}

// ---- size and place

void ChainCanvas::zoomTo(double scale)
{
    const double to = std::clamp(scale, kLeast, kMost);
    if (std::abs(to - zoom()) < 1e-6)
        return;
    const double by = to / zoom();
    this->scale(by, by);
    resetCachedContent();
    Q_EMIT zoomChanged(to);
}

void ChainCanvas::fit()
{
    if (layout_.bounds.isEmpty())
        return;
    const QSizeF room = viewport()->size();
    const QRectF& all = layout_.bounds;
    // The margins may go before the text shrinks.
    const bool fitsAsItIs = all.width() - kMarginX <= room.width() && all.height() - kMarginY <= room.height();
    zoomTo(fitsAsItIs ? 1 : std::min({1.0, room.width() / all.width(), room.height() / all.height()}));
    // Small chains stand at the upper left, where a request comes in, not in the middle of nothing.
    horizontalScrollBar()->setValue(static_cast<int>(std::floor(all.left() * zoom())));
    verticalScrollBar()->setValue(static_cast<int>(std::floor(all.top() * zoom())));
}

void ChainCanvas::firstFit()
{
    if (isFitted_ || !isVisible() || layout_.bounds.isEmpty())
        return;
    isFitted_ = true;
    fit();
    if (zoom() < kLeastOpen)
        zoomTo(kLeastOpen);
    horizontalScrollBar()->setValue(0);
    verticalScrollBar()->setValue(0);
}

void ChainCanvas::showEvent(QShowEvent* event)
{
    QGraphicsView::showEvent(event);
    firstFit();
}

void ChainCanvas::resizeEvent(QResizeEvent* event)
{
    QGraphicsView::resizeEvent(event);
    placeCorner();
}

void ChainCanvas::placeCorner()
{
    corner_->adjustSize();
    corner_->legend().setHasRoutes(!layout_.routes.empty());
    corner_->move(width() - corner_->width() - 10, height() - corner_->height() - 10);
    corner_->legend().move(12, height() - corner_->legend().height() - 10);
    corner_->legend().setVisible(facts_.hasTraffic && width() > 480 && height() > 300);
}

void ChainCanvas::drawBackground(QPainter* painter, const QRectF& rect)
{
    const Tokens& c = context_.c();
    painter->fillRect(rect, c.card);
    if (zoom() < 0.5)
        return;
    QPixmap tile(kDots, kDots);
    tile.fill(Qt::transparent);
    {
        QPainter p(&tile);
        p.setRenderHint(QPainter::Antialiasing);
        p.setPen(Qt::NoPen);
        p.setBrush(c.line);
        p.drawEllipse(QPointF(1, 1), 1, 1);
    }
    painter->fillRect(rect, QBrush(tile));
}

void ChainCanvas::drawForeground(QPainter* painter, const QRectF&)
{
    if (editor_.chain())
        return;
    painter->save();
    painter->resetTransform();
    const Theme& t = context_.theme();
    const QPoint middle = viewport()->rect().center();
    paint::text(*painter, middle.x(), middle.y() - 8, tr("No chain yet"), t.font(14, true), t.c.text, Qt::AlignHCenter);
    paint::text(*painter, middle.x(), middle.y() + 14,
                tr("A chain says where a request goes first, and where it goes when that fails."), t.font(12),
                t.c.text2, Qt::AlignHCenter, viewport()->width() - 24);
    painter->restore();
}

bool ChainCanvas::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QGraphicsView::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QPointF scene = mapToScene(help->pos());
    QString words;
    if (const int node = nodeAt(scene); node >= 0)
        words = facts_.nodes[at(node)].sentence;
    else if (const int way = wayAt(scene); way >= 0)
        words = facts_.ways[at(way)].sentence;
    QToolTip::showText(help->globalPos(), words.isEmpty() ? words : format::plainTip(words), viewport());
    return true;
}

} // namespace sg::ui
