// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/edit/ordered_list.h"

#include "ui/format/format.h"
#include "ui/widgets/paint.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QToolButton>

#include <algorithm>

namespace sg::ui {

namespace {

constexpr int kRow = 36, kShown = 6;
constexpr int kSpacing = 6, kButton = 26;

class RowDelegate : public QStyledItemDelegate
{
public:
    RowDelegate(ThemeContext& context, QObject* parent)
        : QStyledItemDelegate(parent)
        , context_(context)
    {
    }
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {80, kRow}; }
    void paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = context_.theme();
        const bool isSelected = option.state & QStyle::State_Selected;
        const QString mark = index.data(OrderedModel::MarkRole).toString();
        p->save();
        p->setRenderHint(QPainter::Antialiasing);
        const QRectF box = QRectF(option.rect).adjusted(0, 0, 0, -2);
        if (isSelected)
            paint::frame(*p, box, theme.c.accentTint, theme.c.accent, 4);
        else
            paint::frame(*p, box, theme.c.card, theme.c.line, 4);
        if (!mark.isEmpty())
            p->fillRect(QRectF(box.left() + 1, box.top() + 4, 3, box.height() - 8), theme.c.accent);
        const QColor soft = isSelected ? theme.c.text2 : theme.c.text3;
        paint::text(*p, box.left() + 9, box.top() + 14, QString::number(index.row() + 1), theme.font(10.5), soft);
        const double left = box.left() + 27;
        double right = box.right() - 8;
        if (!mark.isEmpty())
            right -=
                paint::text(*p, right, box.top() + 14, mark, theme.font(10.5, true), theme.c.accent, Qt::AlignRight) +
                6;
        paint::text(*p, left, box.top() + 14, index.data().toString(), theme.font(11, true), theme.c.text,
                    Qt::AlignLeft, right - left);
        paint::text(*p, left, box.top() + 28, index.data(OrderedModel::DetailRole).toString(), theme.font(10.5), soft,
                    Qt::AlignLeft, box.right() - 8 - left);
        if (option.state & QStyle::State_HasFocus)
            paint::focusRing(*p, box, theme, 4);
        p->restore();
    }

private:
    ThemeContext& context_;
};

} // namespace

void OrderedModel::setRows(std::vector<OrderedRow> rows)
{
    const auto before = static_cast<int>(rows_.size()), after = static_cast<int>(rows.size());
    int head = 0;
    while (head < std::min(before, after) &&
           rows_[static_cast<std::size_t>(head)] == rows[static_cast<std::size_t>(head)])
        ++head;
    if (after > before) {
        beginInsertRows({}, head, head + after - before - 1);
        rows_ = std::move(rows);
        endInsertRows();
    } else if (after < before) {
        beginRemoveRows({}, head, head + before - after - 1);
        rows_ = std::move(rows);
        endRemoveRows();
    } else {
        rows_ = std::move(rows);
    }
    if (head < after)
        Q_EMIT dataChanged(index(head), index(after - 1));
}

int OrderedModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant OrderedModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const OrderedRow& row = rows_[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return row.title;
    case Qt::ToolTipRole:
        return format::plainTip(row.title + QLatin1Char('\n') + row.detail);
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2%3")
            .arg(row.title, row.detail, row.mark.isEmpty() ? QString() : QStringLiteral(", ") + row.mark);
    case DetailRole:
        return row.detail;
    case MarkRole:
        return row.mark;
    default:
        return {};
    }
}

Qt::ItemFlags OrderedModel::flags(const QModelIndex& index) const
{
    // Between rows only: nothing can be dropped on one.
    return index.isValid() ? QAbstractListModel::flags(index) | Qt::ItemIsDragEnabled : Qt::ItemIsDropEnabled;
}

bool OrderedModel::moveRows(const QModelIndex& from, int row, int count, const QModelIndex& to, int before)
{
    if (from.isValid() || to.isValid() || count != 1 || row < 0 || row >= rowCount() || before < 0 ||
        before > rowCount())
        return false;
    Q_EMIT moveWanted(row, before > row ? before - 1 : before);
    return true;
}

OrderedList::OrderedList(ThemeContext& context, const QString& accessibleName, const QString& addLabel, QWidget* parent)
    : QWidget(parent)
    , model_(new OrderedModel(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kSpacing);
    buildView(context, accessibleName);
    column->addWidget(view_);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    buildButtons(addLabel);
    row->addWidget(add_);
    row->addStretch(1);
    row->addWidget(up_);
    row->addWidget(down_);
    row->addWidget(remove_);
    column->addLayout(row);
    connect(model_, &OrderedModel::moveWanted, this, [this](int from, int to) {
        Q_EMIT moveWanted(from, to);
        setCurrent(to);
    });
    refreshButtons();
}

void OrderedList::buildView(ThemeContext& context, const QString& accessibleName)
{
    view_ = new QListView;
    view_->setModel(model_);
    view_->setItemDelegate(new RowDelegate(context, view_));
    view_->setAccessibleName(accessibleName);
    view_->setUniformItemSizes(true);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view_->setDragDropMode(QAbstractItemView::InternalMove);
    view_->setDefaultDropAction(Qt::MoveAction);
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->setTabKeyNavigation(false);
    view_->setProperty("ownFocusRing", true);
    view_->installEventFilter(this);
    connect(&context, &ThemeContext::changed, view_->viewport(), qOverload<>(&QWidget::update));
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        refreshButtons();
        if (now.row() == current_)
            return;
        current_ = now.row();
        Q_EMIT currentChanged(current_);
    });
}

void OrderedList::buildButtons(const QString& addLabel)
{
    const auto arrow = [this](const QString& sign, const QString& name, int by) {
        auto* button = new QToolButton;
        button->setText(sign);
        button->setObjectName(QStringLiteral("iconButton"));
        button->setFixedSize(26, 26);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setAccessibleName(name);
        button->setToolTip(name);
        connect(button, &QToolButton::clicked, this, [this, by] { move(by); });
        return button;
    };
    add_ = new QPushButton(addLabel);
    add_->setFixedHeight(26);
    add_->setToolTip(tr("Insert"));
    up_ = arrow(QStringLiteral("↑"), tr("Move up, Alt+Up"), -1);
    down_ = arrow(QStringLiteral("↓"), tr("Move down, Alt+Down"), 1);
    remove_ = new QPushButton(tr("Remove"));
    remove_->setFixedHeight(26);
    remove_->setToolTip(tr("Delete"));
    connect(add_, &QPushButton::clicked, this, &OrderedList::addWanted);
    connect(remove_, &QPushButton::clicked, this, &OrderedList::remove);
}

void OrderedList::setRows(std::vector<OrderedRow> rows)
{
    const int before = current();
    model_->setRows(std::move(rows));
    const int count = model_->rowCount();
    view_->setFixedHeight(std::clamp(count, 1, kShown) * kRow);
    // Nested layouts would learn of the new height a turn too late, and the buttons would lie on the last row.
    setFixedHeight(view_->height() + kSpacing + kButton);
    if (current() < 0 || current() != std::min(before, count - 1))
        setCurrent(std::clamp(before, 0, std::max(0, count - 1)));
    refreshButtons();
}

int OrderedList::current() const
{
    return view_->currentIndex().row();
}

void OrderedList::setCurrent(int row)
{
    view_->setCurrentIndex(model_->index(row));
}

void OrderedList::move(int by)
{
    const int from = current(), to = from + by;
    if (from < 0 || to < 0 || to >= model_->rowCount())
        return;
    Q_EMIT moveWanted(from, to);
    setCurrent(to);
}

void OrderedList::remove()
{
    if (current() >= 0)
        Q_EMIT removeWanted(current());
}

void OrderedList::refreshButtons()
{
    const int at = current(), count = model_->rowCount();
    up_->setEnabled(at > 0);
    down_->setEnabled(at >= 0 && at + 1 < count);
    remove_->setEnabled(at >= 0);
}

bool OrderedList::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool hasAlt = key->modifiers() & Qt::AltModifier;
    if (key->key() == Qt::Key_Insert)
        Q_EMIT addWanted();
    else if (key->key() == Qt::Key_Delete)
        remove();
    else if (hasAlt && key->key() == Qt::Key_Up)
        move(-1);
    else if (hasAlt && key->key() == Qt::Key_Down)
        move(1);
    else
        return QWidget::eventFilter(watched, event);
    return true;
}

} // namespace sg::ui
