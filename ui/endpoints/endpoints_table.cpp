// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/endpoints/endpoints_table.h"

#include "ui/endpoints/endpoint_words.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/rows_table.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QUrl>

#include <cmath>

namespace sg::ui {

namespace {

using Column = EndpointsModel::Column;

constexpr int kRowHeight = 33;
constexpr int kHeaderHeight = 36;
constexpr int kNameAtLeast = 120, kAddressAtLeast = 104, kCellMargins = 10, kKeyMark = 17;
constexpr double kMonoPx = 10.5, kTextPx = 11.5;

struct Width
{
    Column column;
    int px;
    int goesAt; ///< hidden when the table is narrower; 0: never
};
// Those that are known best from elsewhere give way first; with all of them 958 px are needed.
constexpr Width kWidths[] = {
    {EndpointsModel::State, 28, 0},    {EndpointsModel::Provider, 80, 856},
    {EndpointsModel::Model, 116, 548}, {EndpointsModel::Address, kAddressAtLeast, 960},
    {EndpointsModel::Key, 94, 0},      {EndpointsModel::PriceIn, 44, 0},
    {EndpointsModel::PriceOut, 46, 0}, {EndpointsModel::Window, 68, 780},
    {EndpointsModel::Rate, 74, 668},   {EndpointsModel::InFlight, 42, 710},
    {EndpointsModel::Chains, 46, 594}, {EndpointsModel::Test, 66, 0},
    {EndpointsModel::Findings, 34, 0},
};

/// Columns that are as wide as what stands in them.
bool isText(EndpointsModel::Column column)
{
    return column == EndpointsModel::Provider || column == EndpointsModel::Model || column == EndpointsModel::Address ||
           column == EndpointsModel::Key;
}

void paintState(QPainter& p, const QRectF& box, const EndpointRow& row, const Tokens& tokens)
{
    const QPointF centre(box.left() + 17, box.center().y() + 0.5);
    if (row.state) {
        paint::stateMark(p, centre, 11, *row.state, tokens);
        return;
    }
    QPen dashed(tokens.outline, 1.3); // a place that nothing stands in yet
    dashed.setDashPattern({1.8, 1.8});
    p.setPen(dashed);
    p.setBrush(Qt::NoBrush);
    p.drawEllipse(centre, 4.2, 4.2);
}

void paintFindings(QPainter& p, const QRectF& box, const EndpointRow& row, const QColor& ink, const Theme& theme)
{
    const int count = row.errors + row.warnings + row.notes;
    if (count == 0)
        return;
    const QPointF at(box.left() + 10, box.center().y() + 0.5);
    p.setPen(QPen(ink, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    p.setBrush(Qt::NoBrush);
    if (row.errors > 0) {
        p.drawEllipse(at, 5.2, 5.2);
        p.drawLine(at - QPointF(2, 2), at + QPointF(2, 2));
        p.drawLine(at + QPointF(-2, 2), at + QPointF(2, -2));
    } else if (row.warnings > 0) {
        p.drawPolygon(QPolygonF{at + QPointF(0, -5), at + QPointF(5.6, 4.6), at + QPointF(-5.6, 4.6)});
        p.drawLine(at + QPointF(0, -1.4), at + QPointF(0, 1.2));
    } else {
        p.drawLine(at + QPointF(0, -0.5), at + QPointF(0, 4));
        p.drawPoint(at + QPointF(0, -4));
    }
    paint::text(p, at.x() + 10, box.center().y() + 4, QString::number(count), theme.font(11), ink);
}

/// There is little room: who is asked matters most, and that it is not by https. All of it is in the tool tip.
QString hostOf(const QString& address)
{
    const QUrl url(address.trimmed());
    if (url.host().isEmpty())
        return address;
    QUrl shown;
    shown.setHost(url.host());
    shown.setPort(url.port());
    if (url.scheme() != QLatin1String("https"))
        shown.setScheme(url.scheme());
    const QString text = shown.toDisplayString();
    return text.startsWith(QLatin1String("//")) ? text.mid(2) : text;
}

} // namespace

EndpointsDelegate::EndpointsDelegate(ThemeContext& context, QObject* parent)
    : QStyledItemDelegate(parent)
    , context_(context)
{
}

void EndpointsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto* filter = qobject_cast<const EndpointsFilter*>(index.model());
    const auto* model = filter ? qobject_cast<const EndpointsModel*>(filter->sourceModel()) : nullptr;
    if (!model)
        return;
    const EndpointRow& row = model->rows()[static_cast<std::size_t>(filter->mapToSource(index).row())];
    const Theme& theme = context_.theme();
    const QRectF box = option.rect;
    QPainter& p = *painter;
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    const bool isSelected = option.state & QStyle::State_Selected;
    if (isSelected)
        p.fillRect(box, theme.c.selected);
    else {
        p.setPen(theme.c.line);
        p.drawLine(QPointF(box.left(), box.bottom() + 0.5), QPointF(box.right() + 1, box.bottom() + 0.5));
    }
    const auto tone = static_cast<RowsModel::Tone>(index.data(EndpointsModel::ToneRole).toInt());
    const QColor ink = inkOf(tone, isSelected, theme.c);
    if (index.column() == EndpointsModel::State)
        paintState(p, box, row, theme.c);
    else if (index.column() == EndpointsModel::Findings)
        paintFindings(p, box, row, ink, theme);
    else
        paintText(p, box, index, ink);
    if (index.column() == EndpointsModel::Key)
        endpointwords::keyMark(p, QPointF(box.left() + 10, box.center().y() + 0.5), 11,
                               row.keyIsChosen ? row.key.state : secrets::KeyState::Missing, ink);
    paintRowFocus(p, option, index, theme);
    p.restore();
}

void EndpointsDelegate::paintText(QPainter& p, const QRectF& box, const QModelIndex& index, const QColor& ink) const
{
    const Theme& theme = context_.theme();
    const int column = index.column();
    const bool isRight = index.data(Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignRight;
    const bool isAddress = column == EndpointsModel::Address;
    const double left = box.left() + 4 + (column == EndpointsModel::Key ? kKeyMark : 0), right = box.right() - 4;
    const QFont font = isAddress ? theme.mono(kMonoPx) : theme.font(kTextPx, column == EndpointsModel::Name);
    // The end of a host's name says whose it is; both ends of an endpoint's name tell it from its neighbours.
    const Qt::TextElideMode elide = isAddress                        ? Qt::ElideLeft
                                    : column == EndpointsModel::Name ? Qt::ElideMiddle
                                                                     : Qt::ElideRight;
    const QString shown = isAddress ? hostOf(index.data().toString()) : index.data().toString();
    paint::text(p, isRight ? right : left, box.center().y() + 4, shown, font, ink,
                isRight ? Qt::AlignRight : Qt::AlignLeft, right - left, elide);
}

EndpointsFilter::EndpointsFilter(EndpointsModel* model, QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setSourceModel(model);
    setDynamicSortFilter(true);
    setSortRole(EndpointsModel::SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
    setSortLocaleAware(true);
}

void EndpointsFilter::setWords(const QString& words)
{
    const QStringList now = words.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (now == words_)
        return;
    words_ = now;
    invalidateFilter();
}

bool EndpointsFilter::filterAcceptsRow(int row, const QModelIndex&) const
{
    if (words_.isEmpty())
        return true;
    QString all;
    for (int column : {EndpointsModel::State, EndpointsModel::Name, EndpointsModel::Provider, EndpointsModel::Model,
                       EndpointsModel::Address, EndpointsModel::Key, EndpointsModel::Test, EndpointsModel::Findings})
        all += sourceModel()->index(row, column).data().toString() + QLatin1Char('\n');
    const auto* model = static_cast<const EndpointsModel*>(sourceModel());
    all += model->rows()[static_cast<std::size_t>(row)].chains.join(QLatin1Char('\n'));
    return std::all_of(words_.begin(), words_.end(),
                       [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

bool EndpointsFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const QVariant a = left.data(EndpointsModel::SortRole), b = right.data(EndpointsModel::SortRole);
    if (a == b)
        return left.row() < right.row();
    if (a.isValid() != b.isValid()) // what is unknown stays last in both directions
        return a.isValid() == (sortOrder() == Qt::AscendingOrder);
    return QSortFilterProxyModel::lessThan(left, right);
}

EndpointsTable::EndpointsTable(ThemeContext& context, EndpointsModel* model, QWidget* parent)
    : QTableView(parent)
    , context_(context)
    , model_(model)
    , filter_(new EndpointsFilter(model, this))
{
    setModel(filter_);
    setItemDelegate(new EndpointsDelegate(context, this));
    dressTable(*this, kRowHeight);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setWordWrap(false);
    setAccessibleName(tr("Endpoints"));
    QHeaderView* head = horizontalHeader();
    head->setFixedHeight(kHeaderHeight);
    head->setMinimumSectionSize(20);
    head->setHighlightSections(false);
    head->setSectionsClickable(true);
    head->setSortIndicatorClearable(true);
    head->setSortIndicator(-1, Qt::AscendingOrder);
    head->setSectionResizeMode(QHeaderView::Fixed);
    head->setSectionResizeMode(EndpointsModel::Name, QHeaderView::Stretch);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);
    connect(this, &QTableView::doubleClicked, this, &EndpointsTable::editRequested);
    connect(&context, &ThemeContext::changed, viewport(), qOverload<>(&QWidget::update));
    fitColumns();
}

std::string EndpointsTable::currentName() const
{
    return currentIndex().data(EndpointsModel::RowRole).toString().toStdString();
}

void EndpointsTable::setCurrentName(const std::string& name)
{
    const int row = model_->rowOf(name);
    const int column = currentIndex().isValid() ? currentIndex().column() : int(EndpointsModel::Name);
    const QModelIndex index = row < 0 ? QModelIndex() : filter_->mapFromSource(model_->index(row, column));
    if (index == currentIndex() && (!index.isValid() || selectionModel()->isSelected(index)))
        return;
    isFollowing_ = true;
    setCurrentIndex(index);
    if (!index.isValid())
        clearSelection();
    isFollowing_ = false;
}

void EndpointsTable::fitColumns()
{
    const int room = viewport()->width();
    int spare = room - kNameAtLeast;
    for (const Width& each : kWidths) {
        setColumnHidden(each.column, room < each.goesAt);
        setColumnWidth(each.column, isText(each.column) ? std::min(each.px, wantedBy(each.column)) : each.px);
        if (!isColumnHidden(each.column))
            spare -= columnWidth(each.column);
    }
    // What is left goes to the texts that need it; of too little, most to the hosts.
    const int forNames = std::max(0, wantedBy(EndpointsModel::Name) - kNameAtLeast);
    const auto widen = [&](EndpointsModel::Column column, int most) {
        if (isColumnHidden(column))
            return;
        const int more = std::clamp(wantedBy(column) - columnWidth(column), 0, std::max(0, most));
        setColumnWidth(column, columnWidth(column) + more);
        spare -= more;
    };
    widen(EndpointsModel::Address, std::max(spare * 3 / 5, spare - forNames));
    for (const auto column : {EndpointsModel::Provider, EndpointsModel::Model, EndpointsModel::Key})
        widen(column, spare - forNames);
}

int EndpointsTable::wantedBy(EndpointsModel::Column column) const
{
    const bool isAddress = column == EndpointsModel::Address;
    const Theme& theme = context_.theme();
    const QFontMetricsF metrics(isAddress ? theme.mono(kMonoPx) : theme.font(kTextPx, column == EndpointsModel::Name));
    double widest = QFontMetricsF(theme.font(kTextPx))
                        .horizontalAdvance(model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    for (int row = 0; row < model_->rowCount(); ++row) {
        const QString text = model_->index(row, column).data().toString();
        widest = std::max(widest, metrics.horizontalAdvance(isAddress ? hostOf(text) : text));
    }
    return static_cast<int>(std::ceil(widest)) + kCellMargins + (column == EndpointsModel::Key ? kKeyMark : 0);
}

void EndpointsTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

void EndpointsTable::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Delete && event->modifiers() == Qt::NoModifier) {
        Q_EMIT removeRequested();
        return;
    }
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        Q_EMIT editRequested();
        return;
    }
    QTableView::keyPressEvent(event);
}

void EndpointsTable::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    if (!isFollowing_ && current.isValid())
        Q_EMIT picked(current.data(EndpointsModel::RowRole).toString());
}

} // namespace sg::ui
