// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/series/series_model.h"

#include "ui/format/format.h"
#include "ui/widgets/rows_model.h"

namespace sg::ui {

namespace {

using C = load::SeriesColumn;
using load::SeriesRow;
using load::SeriesRunState;
using load::Standing;
using Tone = RowsModel::Tone;
using Swatch = RowsModel::Swatch;

bool isInvalid(const SeriesRow& row)
{
    return row.verdict == QLatin1String("INVALID");
}

QString valueWords(C column, const std::optional<double>& value)
{
    if (!value)
        return format::unknown();
    switch (column) {
    case C::Success:
        return format::success(*value / 100) + format::thin() + QLatin1Char('%');
    case C::P50:
    case C::P99:
    case C::TtftP50:
        return format::latency(value).text();
    case C::Attempts:
        return format::number(*value, 2);
    case C::CostPer1000:
    case C::CostPerMillion:
        return format::money(value);
    default:
        return format::count(static_cast<std::int64_t>(*value));
    }
}

QString stateWords(const SeriesRow& row)
{
    switch (row.state) {
    case SeriesRunState::Waiting:
        return SeriesModel::tr("waits");
    case SeriesRunState::Running:
        return SeriesModel::tr("is running");
    case SeriesRunState::Finished:
        return row.verdict;
    case SeriesRunState::Stopped:
        return SeriesModel::tr("%1, stopped").arg(row.verdict);
    case SeriesRunState::Skipped:
        return SeriesModel::tr("skipped");
    case SeriesRunState::Failed:
        return SeriesModel::tr("failed");
    }
    return {};
}

QString cellText(const SeriesRow& row, C column)
{
    if (column == C::Verdict)
        return stateWords(row);
    const load::SeriesCell& cell = row.cell(column);
    const QString mark = load::markOf(cell.standing);
    const QString value = valueWords(column, cell.value);
    return mark.isEmpty() ? value : mark + format::thin() + value;
}

QString tipOf(const SeriesRow& row, C column)
{
    QStringList lines{QString::fromUtf8(load::infoOf(column).formula)};
    const load::SeriesCell& cell = row.cell(column);
    if (cell.estimate)
        lines.append(SeriesModel::tr("95 % of the time between %1 and %2")
                         .arg(valueWords(column, cell.estimate->low), valueWords(column, cell.estimate->high)));
    if (const QString words = load::inWords(cell.standing); !words.isEmpty())
        lines.append(words);
    if (column == C::Verdict)
        lines += row.reasons;
    return format::plainTip(lines.join(QLatin1Char('\n')));
}

Tone toneOf(const SeriesRow& row, C column)
{
    const bool isBad = isInvalid(row) || row.state == SeriesRunState::Failed || row.verdict == QLatin1String("missed");
    if (column == C::Verdict)
        return isBad ? Tone::Bad : row.counts() ? Tone::Good : Tone::Soft;
    if (!row.counts()) // there, but not for reading at a glance
        return Tone::Faint;
    return row.cell(column).standing == Standing::Behind ? Tone::Soft : Tone::Plain;
}

QVariant sortValue(const SeriesRow& row, C column)
{
    if (column == C::Verdict)
        return stateWords(row);
    const auto& value = row.cell(column).value;
    return value ? QVariant(*value) : QVariant();
}

QVariant nameData(const SeriesRow& row, int role)
{
    switch (role) {
    case Qt::DisplayRole:
    case SeriesModel::kSortRole:
        return row.words;
    case Qt::ToolTipRole:
        return row.about.isEmpty() ? QVariant() : format::plainTip(row.about);
    case RowsModel::ToneRole:
        return int(Tone::Plain);
    case RowsModel::SwatchRole:
        return int(Swatch::None);
    case RowsModel::BoldRole:
        return row.state == SeriesRunState::Running;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    default:
        return {};
    }
}

QVariant cellData(const SeriesRow& row, C column, int role)
{
    switch (role) {
    case Qt::DisplayRole:
        return cellText(row, column);
    case SeriesModel::kSortRole:
        return sortValue(row, column);
    case Qt::ToolTipRole:
        return tipOf(row, column);
    case Qt::AccessibleTextRole: {
        const QString words = column == C::Verdict ? QString() : load::inWords(row.cell(column).standing);
        const QString value = column == C::Verdict ? stateWords(row) : valueWords(column, row.cell(column).value);
        return words.isEmpty() ? value : value + QStringLiteral(", ") + words;
    }
    case RowsModel::ToneRole:
        return int(toneOf(row, column));
    case RowsModel::SwatchRole:
        return int(Swatch::None);
    case RowsModel::BoldRole:
        return column == C::Verdict ? isInvalid(row) : row.cell(column).standing == Standing::Best;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((column == C::Verdict ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    default:
        return {};
    }
}

bool isSameShape(const load::SeriesTable& one, const load::SeriesTable& other)
{
    return one.kind == other.kind && one.rows.size() == other.rows.size();
}

} // namespace

SeriesModel::SeriesModel(QObject* parent)
    : QAbstractTableModel(parent)
{
    const auto columns = load::columnsOf(table_.kind);
    columns_.assign(columns.begin(), columns.end());
}

load::SeriesColumn SeriesModel::columnAt(int section) const
{
    return columns_.at(static_cast<std::size_t>(section) - 1);
}

void SeriesModel::setTable(const load::SeriesTable& table)
{
    if (!isSameShape(table_, table))
        return setShape(table);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        if (table_.rows[i] == table.rows[i])
            continue;
        table_.rows[i] = table.rows[i];
        Q_EMIT dataChanged(index(int(i), 0), index(int(i), columnCount() - 1));
    }
    table_.rankedBy = table.rankedBy;
}

void SeriesModel::setShape(const load::SeriesTable& table)
{
    if (!table_.rows.empty()) {
        beginRemoveRows({}, 0, rowCount() - 1);
        table_.rows.clear();
        endRemoveRows();
    }
    if (table.kind != table_.kind) {
        beginRemoveColumns({}, 1, columnCount() - 1);
        columns_.clear();
        endRemoveColumns();
        table_.kind = table.kind;
        const auto columns = load::columnsOf(table.kind);
        beginInsertColumns({}, 1, int(columns.size()));
        columns_.assign(columns.begin(), columns.end());
        endInsertColumns();
    }
    if (!table.rows.empty()) {
        beginInsertRows({}, 0, int(table.rows.size()) - 1);
        table_ = table;
        endInsertRows();
    }
    table_.rankedBy = table.rankedBy;
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

int SeriesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(table_.rows.size());
}

int SeriesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : 1 + int(columns_.size());
}

QVariant SeriesModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const SeriesRow& row = table_.rows[static_cast<std::size_t>(index.row())];
    return index.column() == kNameColumn ? nameData(row, role) : cellData(row, columnAt(index.column()), role);
}

QVariant SeriesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const bool isName = section == kNameColumn;
    const bool isText = isName || columnAt(section) == C::Verdict;
    switch (role) {
    case Qt::DisplayRole:
        return !isName                                       ? QString::fromUtf8(load::infoOf(columnAt(section)).title)
               : table_.kind == load::SeriesKind::Strategies ? tr("Strategy")
                                                             : tr("Endpoint");
    case Qt::ToolTipRole:
        return isName ? QVariant() : format::plainTip(QString::fromUtf8(load::infoOf(columnAt(section)).formula));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    default:
        return {};
    }
}

SeriesSorter::SeriesSorter(QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setSortRole(SeriesModel::kSortRole);
}

bool SeriesSorter::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const QVariant l = left.data(sortRole()), r = right.data(sortRole());
    const bool isRising = sortOrder() == Qt::AscendingOrder;
    if (!l.isValid() || !r.isValid())
        return l.isValid() != r.isValid() && l.isValid() == isRising;
    if (l.typeId() == QMetaType::Double)
        return l.toDouble() < r.toDouble();
    return QString::localeAwareCompare(l.toString(), r.toString()) < 0;
}

} // namespace sg::ui
