// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/playground/waterfall_view.h"

#include <QHeaderView>
#include <QStyledItemDelegate>

/// Private to the waterfall: how its cells and its head are painted.
namespace sg::ui {

class WaterfallDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    explicit WaterfallDelegate(WaterfallView& view);
    void paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintTime(QPainter& p, const QRectF& box, const waterfall::Row& row) const;
    void paintBar(QPainter& p, const QRectF& box, const waterfall::Bar& bar) const;
    void paintWait(QPainter& p, const QRectF& box, const waterfall::Row& row) const;

    WaterfallView& view_;
};

class WaterfallHead : public QHeaderView
{
    Q_OBJECT
public:
    explicit WaterfallHead(WaterfallView& view);
    QSize sizeHint() const override { return {0, WaterfallView::kHead}; }

protected:
    void paintSection(QPainter* p, const QRect& rect, int section) const override;

private:
    void paintTicks(QPainter& p, const QRectF& box) const;

    WaterfallView& view_;
};

} // namespace sg::ui
