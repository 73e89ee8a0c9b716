// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"

#include <QAbstractListModel>
#include <QSortFilterProxyModel>

namespace sg::ui {

/// Events, newest first. Takes each snapshot's list and changes only what differs.
class EventsModel : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role { TimeRole = Qt::UserRole + 1, SubjectRole, KindRole, SeverityRole, StateRole, FreshRole, RepeatsRole };

    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    /// `events` newest first with falling sequence numbers. Rows younger than 15 s at `nowUnixMs` are fresh.
    void update(const std::vector<observe::Event>& events, std::int64_t nowUnixMs);

private:
    void dropMissing(const std::vector<observe::Event>& events);
    void insertNew(const std::vector<observe::Event>& events);
    void markChanged(const std::vector<observe::Event>& events, std::int64_t nowUnixMs);

    struct Row
    {
        observe::Event event;
        bool isFresh = false;
    };
    std::vector<Row> rows_;
};

enum class EventFilter { All, Breakers, Errors };

class EventsFilter : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setFilter(EventFilter filter);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    EventFilter filter_ = EventFilter::All;
};

} // namespace sg::ui
