// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/chain_palette.h"
#include "ui/chains/chain_items.h"
#include "ui/chains/insert_node.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/panel.h"

#include <QDrag>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QVBoxLayout>

namespace sg::ui {

namespace {

constexpr int kEndpointRow = 39, kStepRow = 29, kSide = 6, kBelow = 3;

} // namespace

PaletteDelegate::PaletteDelegate(ThemeContext& context, const PaletteFilter& filter, QObject* parent)
    : QStyledItemDelegate(parent)
    , context_(context)
    , filter_(filter)
{
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    const PaletteRow& row = filter_.row(index);
    if (row.isHeading)
        return {100, row.words.isEmpty() ? 26 : 38};
    return {100, row.node.kind == NodeKind::Kind::Endpoint ? kEndpointRow : kStepRow};
}

void PaletteDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QPainter& p = *painter;
    const Theme& t = context_.theme();
    const PaletteRow& row = filter_.row(index);
    const QRectF r = option.rect;
    p.save();
    if (row.isHeading) {
        sg::ui::paint::text(p, r.left() + 12, r.top() + 18, row.title, t.font(10.5, true), t.c.text2);
        sg::ui::paint::text(p, r.left() + 12, r.top() + 30, row.words, t.font(9.5), t.c.text3);
        p.restore();
        return;
    }
    const bool isEndpoint = row.node.kind == NodeKind::Kind::Endpoint;
    const bool isCurrent = option.state & QStyle::State_Selected;
    const bool isHovered = option.state & QStyle::State_MouseOver;
    const QRectF box = r.adjusted(kSide, 0, -kSide, -kBelow);
    const QColor fill = isCurrent                  ? t.c.accentTint
                        : isHovered                ? t.c.selected
                        : isEndpoint && row.isUsed ? t.c.card
                                                   : t.c.raised;
    sg::ui::paint::frame(p, box, fill, isCurrent ? t.c.accent : t.c.line, 4);
    if ((option.state & QStyle::State_HasFocus) && isCurrent)
        sg::ui::paint::focusRing(p, box, t, 4);
    const double ratio = p.device()->devicePixelRatioF();
    const QColor quiet = isCurrent ? t.c.text2 : t.c.text3;
    p.drawPixmap(QPointF(box.left() + 9, box.center().y() - 6), iconPixmap(QStringLiteral("grip"), quiet, 12, ratio));
    if (!isEndpoint) {
        p.drawPixmap(QPointF(box.left() + 28, box.center().y() - 7.5),
                     iconPixmap(nodeIcon(row.node.kind), t.c.text2, 15, ratio));
        sg::ui::paint::text(p, box.left() + 51, box.center().y() + 4, row.title, t.font(11), t.c.text, Qt::AlignLeft,
                            box.width() - 57);
        p.restore();
        return;
    }
    const double room = box.width() - 27 - 24;
    sg::ui::paint::text(p, box.left() + 27, box.top() + 15, row.title, t.font(11, !row.isUsed),
                        row.isUsed ? t.c.text2 : t.c.text, Qt::AlignLeft, room, Qt::ElideMiddle);
    sg::ui::paint::text(p, box.left() + 27, box.top() + 28, row.words, t.font(9.5), quiet, Qt::AlignLeft, room);
    if (row.state)
        sg::ui::paint::stateMark(p, QPointF(box.right() - 14, box.top() + 12), 10, *row.state, t.c);
    p.restore();
}

PaletteList::PaletteList(ThemeContext& context, const PaletteFilter& filter, QWidget* parent)
    : QListView(parent)
    , context_(context)
    , filter_(filter)
{
    setModel(const_cast<PaletteFilter*>(&filter));
    setItemDelegate(new PaletteDelegate(context, filter, this));
    setDragEnabled(true);
    setDragDropMode(QAbstractItemView::DragOnly);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setProperty("ownFocusRing", true);
    setMouseTracking(true);
    setAccessibleName(tr("Endpoints and steps to insert"));
}

QPixmap PaletteList::ghost(const QModelIndex& index) const
{
    const PaletteRow& row = filter_.row(index);
    const double ratio = devicePixelRatioF();
    const bool isEndpoint = row.node.kind == NodeKind::Kind::Endpoint;
    const QSize size(138, isEndpoint ? 58 : 30);
    QPixmap pixmap(size * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter p(&pixmap);
    const Theme& t = context_.theme();
    if (isEndpoint) {
        items::paintGhost(p, QRectF({0, 0}, size), row.title, row.provider, t);
        return pixmap;
    }
    paint::frame(p, QRectF({0, 0}, size), t.c.accentTint, t.c.accent, 6);
    p.drawPixmap(QPointF(9, 7.5), iconPixmap(nodeIcon(row.node.kind), t.c.text2, 15, ratio));
    paint::text(p, 31, 19, row.title, t.font(10.5, true), t.c.text, Qt::AlignLeft, 100);
    return pixmap;
}

void PaletteList::startDrag(Qt::DropActions)
{
    const QModelIndex index = currentIndex();
    QMimeData* mime = index.isValid() ? model()->mimeData({index}) : nullptr;
    if (!mime)
        return;
    auto* drag = new QDrag(this);
    drag->setMimeData(mime);
    const QPixmap card = ghost(index);
    drag->setPixmap(card);
    drag->setHotSpot(QPoint(108, std::min(40, qRound(card.height() / card.devicePixelRatio()) - 8)));
    drag->exec(Qt::CopyAction);
}

void PaletteList::keyPressEvent(QKeyEvent* event)
{
    // Which key means "activated" differs between desktops; here it is always these.
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && currentIndex().isValid()) {
        Q_EMIT activated(currentIndex());
        return;
    }
    QListView::keyPressEvent(event);
}

void PaletteList::focusInEvent(QFocusEvent* event)
{
    QListView::focusInEvent(event);
    if (currentIndex().isValid())
        return;
    for (int row = 0; row < model()->rowCount(); ++row) {
        const QModelIndex index = model()->index(row, 0);
        if (index.flags().testFlag(Qt::ItemIsSelectable))
            return setCurrentIndex(index);
    }
}

ChainPalette::ChainPalette(ThemeContext& context, ChainEditor& editor, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , editor_(editor)
    , model_(new PaletteModel(editor, this))
    , filter_(new PaletteFilter(*model_, this))
    , field_(new QLineEdit)
    , list_(new PaletteList(context, *filter_, nullptr))
{
    setAccessibleName(tr("Palette"));
    setMinimumWidth(172);
    field_->setPlaceholderText(tr("Filter"));
    field_->setAccessibleName(tr("Filter the palette"));
    field_->setClearButtonEnabled(true);
    QAction* sign =
        field_->addAction(iconOf(QStringLiteral("search"), context.c().text3, {}, 16), QLineEdit::LeadingPosition);
    field_->installEventFilter(this);
    auto* hint = new QLabel(tr("Drag onto a line, or select a line and press Enter."));
    hint->setProperty("role", QStringLiteral("caption"));
    hint->setWordWrap(true);
    hint->setContentsMargins(12, 0, 10, 0);
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 10);
    column->setSpacing(4);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 0, 8, 4);
    top->addWidget(field_);
    column->addLayout(top);
    column->addWidget(list_, 1);
    column->addWidget(hint);
    auto* panel = new Panel(context, tr("Palette"), this);
    panel->setBody(body);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(panel);
    connect(field_, &QLineEdit::textChanged, filter_, &PaletteFilter::setWords);
    connect(list_, &QListView::activated, this,
            [this](const QModelIndex& index) { activate(filter_->row(index).node); });
    connect(&context, &ThemeContext::changed, this, [this, sign] {
        sign->setIcon(iconOf(QStringLiteral("search"), context_.c().text3, {}, 16));
        list_->viewport()->update();
    });
}

bool ChainPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != field_ || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key != Qt::Key_Down && key != Qt::Key_Return && key != Qt::Key_Enter)
        return false;
    list_->setFocus(Qt::ShortcutFocusReason);
    return true;
}

int ChainPalette::insertAt() const
{
    if (const auto place = place_ ? place_() : std::nullopt)
        return *place;
    const ChainNode selected = editor_.selected();
    if (selected.kind == ChainNode::Kind::Tier)
        return selected.tier + 1;
    return editor_.chain() ? static_cast<int>(editor_.chain()->spec.tiers.size()) : 0;
}

int ChainPalette::splitTier() const
{
    const auto isEndpoint = [this](int tier) {
        const chain::TierSpec* spec = editor_.tier(tier);
        return spec && spec->kind == chain::TierKind::Endpoint;
    };
    const ChainNode selected = editor_.selected();
    if (selected.kind == ChainNode::Kind::Tier && isEndpoint(selected.tier))
        return selected.tier;
    for (int i = editor_.chain() ? static_cast<int>(editor_.chain()->spec.tiers.size()) - 1 : -1; i >= 0; --i) {
        if (isEndpoint(i))
            return i;
    }
    return -1;
}

void ChainPalette::activate(const NodeKind& node)
{
    if (!editor_.chain())
        return;
    if (node.kind != NodeKind::Kind::Split)
        return insertNode(editor_, node, insertAt());
    const QRect row = list_->visualRect(list_->currentIndex());
    chooseSplit(context_, editor_, splitTier(), this, list_->viewport()->mapToGlobal(row.topRight() + QPoint(8, 0)));
}

} // namespace sg::ui
