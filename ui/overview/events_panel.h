// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/overview/events_model.h"
#include "ui/widgets/panel.h"

#include <QStyledItemDelegate>

class QListView;
class QLabel;

namespace sg::ui {

class Segments;

class EventDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    explicit EventDelegate(ThemeContext& context, QObject* parent = nullptr);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    ThemeContext& context_;
};

/// The newest events with a filter.
class EventsPanel : public Panel
{
    Q_OBJECT
public:
    explicit EventsPanel(ThemeContext& context, QWidget* parent = nullptr);

    void setSnapshot(const observe::Snapshot& snapshot, std::int64_t nowUnixMs);
    EventsModel& model() { return model_; }
    EventsFilter& shown() { return filter_; }
    Segments& filterButtons() { return *buttons_; }

private:
    EventsModel model_;
    EventsFilter filter_;
    Segments* buttons_;
    QListView* list_;
    QLabel* empty_;
};

} // namespace sg::ui
