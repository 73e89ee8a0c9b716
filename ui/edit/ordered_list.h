// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"

#include <QAbstractListModel>
#include <QWidget>

#include <algorithm>
#include <vector>

class QListView;
class QPushButton;
class QToolButton;

namespace sg::ui {

/// One entry of a list whose order counts.
struct OrderedRow
{
    QString title, detail;
    QString mark; ///< a word at the right end: "answers"
    bool operator==(const OrderedRow&) const = default;
};

/// As OrderedList::moveWanted asks for it.
template <typename Entry>
void moveEntry(std::vector<Entry>& entries, int from, int to)
{
    const auto at = entries.begin();
    if (from < to)
        std::rotate(at + from, at + from + 1, at + to + 1);
    else
        std::rotate(at + to, at + from, at + from + 1);
}

/// Rows that change by difference, never by reset. Moving one by drag is asked for, not done: the owner moves the thing
/// itself and shows the new order.
class OrderedModel : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role { DetailRole = Qt::UserRole, MarkRole };
    using QAbstractListModel::QAbstractListModel;

    void setRows(std::vector<OrderedRow> rows);
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    bool moveRows(const QModelIndex& from, int row, int count, const QModelIndex& to, int before) override;

Q_SIGNALS:
    void moveWanted(int from, int to); ///< `to`: its place afterwards

private:
    std::vector<OrderedRow> rows_;
};

/// A list with buttons to add, remove and move. By mouse also by dragging; by keyboard Insert, Delete and Alt with the
/// arrows.
class OrderedList : public QWidget
{
    Q_OBJECT
public:
    OrderedList(ThemeContext& context, const QString& accessibleName, const QString& addLabel,
                QWidget* parent = nullptr);

    void setRows(std::vector<OrderedRow> rows); ///< what is current stays as near as can be
    int current() const;                        ///< -1: none
    void setCurrent(int row);
    OrderedModel& model() { return *model_; }
    QListView& view() { return *view_; }

Q_SIGNALS:
    void currentChanged(int row);
    void addWanted();
    void removeWanted(int row);
    void moveWanted(int from, int to);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildView(ThemeContext& context, const QString& accessibleName);
    void buildButtons(const QString& addLabel);
    void move(int by);
    void remove();
    void refreshButtons();

    OrderedModel* model_;
    QListView* view_;
    QPushButton *add_, *remove_;
    QToolButton *up_, *down_;
    int current_ = -1;
};

} // namespace sg::ui
