// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/endpoints/endpoints_model.h"
#include "ui/theme/theme.h"

#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTableView>

namespace sg::ui {

class EndpointsDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    EndpointsDelegate(ThemeContext& context, QObject* parent);
    void paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintText(QPainter& p, const QRectF& box, const QModelIndex& index, const QColor& ink) const;

    ThemeContext& context_;
};

/// Every word of the filter is somewhere in the row, without case.
class EndpointsFilter : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit EndpointsFilter(EndpointsModel* model, QObject* parent = nullptr);
    void setWords(const QString& words);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QStringList words_;
};

/// The table of endpoints: sorted by a click on a header, in the workspace's order after a third one.
class EndpointsTable : public QTableView
{
    Q_OBJECT
public:
    EndpointsTable(ThemeContext& context, EndpointsModel* model, QWidget* parent = nullptr);

    EndpointsFilter* filter() const { return filter_; }
    std::string currentName() const;              ///< empty: none
    void setCurrentName(const std::string& name); ///< scrolls there
    void fitColumns();                            ///< to the room and to the texts, after these have changed

Q_SIGNALS:
    void picked(const QString& name);
    void removeRequested();
    void editRequested(); ///< Enter, or a double click

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    int wantedBy(EndpointsModel::Column column) const; ///< px, for its longest text

    ThemeContext& context_;
    EndpointsModel* model_;
    EndpointsFilter* filter_;
    bool isFollowing_ = false;
};

} // namespace sg::ui
