// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/events_model.h"
#include "ui/format/format.h"

#include <algorithm>
#include <unordered_set>

namespace sg::ui {

using observe::Event;
using observe::EventKind;

namespace {

constexpr std::int64_t kFreshMs = 15'000;

}

int EventsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant EventsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    const QString subject = QString::fromStdString(row.event.subject), text = QString::fromStdString(row.event.text);
    switch (role) {
    case Qt::DisplayRole:
        return text;
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1 %2: %3").arg(format::clock(row.event.unixMs), subject, text);
    case Qt::ToolTipRole:
        return format::plainTip(QStringLiteral("%1 %2: %3").arg(format::clock(row.event.unixMs), subject, text));
    case TimeRole:
        return format::clock(row.event.unixMs);
    case SubjectRole:
        return subject;
    case KindRole:
        return static_cast<int>(row.event.kind);
    case SeverityRole:
        return static_cast<int>(row.event.severity);
    case StateRole:
        return static_cast<int>(row.event.state);
    case FreshRole:
        return row.isFresh;
    case RepeatsRole:
        return static_cast<qlonglong>(row.event.repeats);
    default:
        return {};
    }
}

void EventsModel::update(const std::vector<Event>& events, std::int64_t nowUnixMs)
{
    dropMissing(events);
    insertNew(events);
    markChanged(events, nowUnixMs);
}

void EventsModel::dropMissing(const std::vector<Event>& events)
{
    std::unordered_set<std::uint64_t> kept;
    for (const Event& event : events)
        kept.insert(event.sequence);
    for (int last = static_cast<int>(rows_.size()) - 1; last >= 0; --last) {
        if (kept.contains(rows_[static_cast<std::size_t>(last)].event.sequence))
            continue;
        int first = last;
        while (first > 0 && !kept.contains(rows_[static_cast<std::size_t>(first - 1)].event.sequence))
            --first;
        beginRemoveRows({}, first, last);
        rows_.erase(rows_.begin() + first, rows_.begin() + last + 1);
        endRemoveRows();
        last = first;
    }
}

void EventsModel::insertNew(const std::vector<Event>& events)
{
    // What is left of the rows is a subsequence of `events`: walk both and fill the holes.
    for (std::size_t i = 0; i < events.size();) {
        if (i < rows_.size() && rows_[i].event.sequence == events[i].sequence) {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < events.size() && (i >= rows_.size() || events[end].sequence != rows_[i].event.sequence))
            ++end;
        beginInsertRows({}, static_cast<int>(i), static_cast<int>(end) - 1);
        std::vector<Row> added;
        for (std::size_t k = i; k < end; ++k)
            added.push_back({events[k], false});
        rows_.insert(rows_.begin() + static_cast<std::ptrdiff_t>(i), added.begin(), added.end());
        endInsertRows();
        i = end;
    }
}

void EventsModel::markChanged(const std::vector<Event>& events, std::int64_t nowUnixMs)
{
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const bool isFresh = nowUnixMs - events[i].unixMs < kFreshMs;
        Row& row = rows_[i];
        const bool isSame = row.isFresh == isFresh && row.event.repeats == events[i].repeats &&
                            row.event.unixMs == events[i].unixMs && row.event.text == events[i].text;
        if (isSame)
            continue;
        row = {events[i], isFresh};
        const QModelIndex changed = index(static_cast<int>(i));
        Q_EMIT dataChanged(changed, changed);
    }
}

void EventsFilter::setFilter(EventFilter filter)
{
    if (filter_ == filter)
        return;
    filter_ = filter;
    invalidateFilter();
}

bool EventsFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    const auto kind = static_cast<EventKind>(index.data(EventsModel::KindRole).toInt());
    switch (filter_) {
    case EventFilter::All:
        return true;
    case EventFilter::Breakers:
        return kind == EventKind::BreakerChanged || kind == EventKind::Manual;
    case EventFilter::Errors:
        break;
    }
    return kind == EventKind::AttemptFailed || kind == EventKind::RequestFailed || kind == EventKind::CannedReply ||
           kind == EventKind::CredentialOut;
}

} // namespace sg::ui
