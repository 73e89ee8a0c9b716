// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/events_panel.h"
#include "ui/format/format.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/segments.h"

#include <QListView>
#include <QStackedLayout>

namespace sg::ui {

using observe::EventKind;
using observe::Severity;

namespace {

constexpr int kRowHeight = 36;

QColor severityInk(const Tokens& c, Severity severity)
{
    switch (severity) {
    case Severity::Good:
        return c.closed;
    case Severity::Warning:
        return c.half;
    case Severity::Bad:
        return c.open;
    case Severity::Info:
        break;
    }
    return c.accent;
}

QString signOf(EventKind kind)
{
    switch (kind) {
    case EventKind::AttemptFailed:
        return QStringLiteral("↻");
    case EventKind::CannedReply:
        return QStringLiteral("↳");
    case EventKind::RequestFailed:
        return QStringLiteral("×");
    case EventKind::CredentialOut:
        return QStringLiteral("!");
    case EventKind::Workspace:
    case EventKind::Manual:
        return QStringLiteral("•");
    case EventKind::BreakerChanged:
        break;
    }
    return {};
}

} // namespace

EventDelegate::EventDelegate(ThemeContext& context, QObject* parent)
    : QStyledItemDelegate(parent)
    , context_(context)
{
}

QSize EventDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    return {100, kRowHeight};
}

void EventDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = context_.theme();
    QPainter& p = *painter;
    const QRectF box = option.rect;
    p.save();
    const bool isFresh = index.data(EventsModel::FreshRole).toBool();
    p.fillRect(QRectF(box.left(), box.top(), box.width(), 1), theme.c.line);
    if (isFresh)
        p.fillRect(box.adjusted(0, 1, 0, 0), theme.c.accentTint);
    else if (option.state & QStyle::State_MouseOver)
        p.fillRect(box.adjusted(0, 1, 0, 0), theme.c.raised);
    const double x = box.left(), y = box.top();
    sg::ui::paint::text(p, x + 12, y + 14.5, index.data(EventsModel::TimeRole).toString(), theme.mono(10),
                        isFresh ? theme.c.text2 : theme.c.text3);
    const auto kind = static_cast<EventKind>(index.data(EventsModel::KindRole).toInt());
    const QPointF markAt(x + 73.5, y + 11.5);
    const auto state = static_cast<policy::BreakerState>(index.data(EventsModel::StateRole).toInt());
    // A manual action carries a state only when it locked something.
    if (kind == EventKind::BreakerChanged || (kind == EventKind::Manual && state != policy::BreakerState::Closed)) {
        sg::ui::paint::stateMark(p, markAt, kind == EventKind::Manual ? 10 : 11, state, theme.c);
    } else {
        const auto severity = static_cast<Severity>(index.data(EventsModel::SeverityRole).toInt());
        sg::ui::paint::text(p, markAt.x(), y + 16, signOf(kind), theme.font(12, kind != EventKind::AttemptFailed),
                            severityInk(theme.c, severity), Qt::AlignHCenter);
    }
    const double left = x + 84, room = box.right() - left - 8;
    const qlonglong repeats = index.data(EventsModel::RepeatsRole).toLongLong();
    const QString times = repeats > 1 ? QStringLiteral("× %1").arg(format::count(repeats)) : QString();
    const double timesWide = times.isEmpty() ? 0
                                             : sg::ui::paint::text(p, box.right() - 8, y + 14, times, theme.font(10.5),
                                                                   theme.c.text3, Qt::AlignRight) +
                                                   8;
    sg::ui::paint::text(p, left, y + 14, index.data(EventsModel::SubjectRole).toString(), theme.font(10.5, true),
                        theme.c.text, Qt::AlignLeft, room - timesWide, Qt::ElideMiddle);
    sg::ui::paint::text(p, left, y + 28.5, index.data(Qt::DisplayRole).toString(), theme.font(10.5), theme.c.text2,
                        Qt::AlignLeft, room);
    if ((option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_Active))
        sg::ui::paint::focusRing(p, box.adjusted(1, 1, -1, 0), theme, 4);
    p.restore();
}

EventsPanel::EventsPanel(ThemeContext& context, QWidget* parent)
    : Panel(context, tr("Recent events"), parent)
    , buttons_(new Segments({tr("All"), tr("Breakers"), tr("Errors")}, tr("Show events"), true))
    , list_(new QListView)
    , empty_(new QLabel(tr("Nothing has happened yet")))
{
    filter_.setSourceModel(&model_);
    list_->setModel(&filter_);
    list_->setItemDelegate(new EventDelegate(context, list_));
    list_->setUniformItemSizes(true);
    list_->setSelectionMode(QAbstractItemView::NoSelection);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setMouseTracking(true);
    list_->setAccessibleName(tr("Recent events"));
    setCorner(buttons_);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setProperty("role", QStringLiteral("caption"));
    empty_->setAttribute(Qt::WA_TransparentForMouseEvents);
    auto* body = new QWidget;
    auto* stack = new QStackedLayout(body);
    stack->setStackingMode(QStackedLayout::StackAll);
    stack->addWidget(list_);
    stack->addWidget(empty_);
    setBody(body);
    const auto showEmpty = [this] { empty_->setVisible(filter_.rowCount() == 0); };
    connect(&filter_, &QAbstractItemModel::rowsInserted, this, showEmpty);
    connect(&filter_, &QAbstractItemModel::rowsRemoved, this, showEmpty);
    connect(buttons_, &Segments::selected, this,
            [this](int index) { filter_.setFilter(static_cast<EventFilter>(index)); });
    connect(&context, &ThemeContext::changed, list_->viewport(), qOverload<>(&QWidget::update));
}

void EventsPanel::setSnapshot(const observe::Snapshot& snapshot, std::int64_t nowUnixMs)
{
    model_.update(snapshot.events, nowUnixMs);
}

} // namespace sg::ui
