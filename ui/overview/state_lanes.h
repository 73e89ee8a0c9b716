// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chart_data.h"
#include "ui/widgets/time_axis.h"

#include <QWidget>

#include <optional>

class QScrollBar;

namespace sg::ui {

class TipFrame;

/// One lane per endpoint: its breaker's states over the window. Pointer or arrow keys move a cursor that tells what
/// happened there. Up to kMostLanes show at once, the rest scrolls.
class StateLanes : public QWidget, public ChartData
{
    Q_OBJECT
public:
    static constexpr int kLane = 25, kMostLanes = 10, kFewestLanes = 3;

    StateLanes(ThemeContext& context, TipFrame& tip, QWidget* parent = nullptr);

    void setSnapshot(const observe::SnapshotPtr& snapshot);
    DataTable dataTable() const override; ///< newest stretch first
    int wantedHeight() const;
    /// What the tip would say at a place of this widget; empty outside the lanes.
    QString textAt(const QPoint& pos) const;

Q_SIGNALS:
    void wantedHeightChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Hit
    {
        const observe::Lane* lane;
        const observe::LaneSegment* segment;
        std::int64_t at;
    };
    TimeAxis axis() const;
    QRect plot() const;
    std::optional<Hit> hitAt(const QPoint& pos) const;
    void moveCursor(const QPoint& pos);
    void hideCursor();
    void paintGrid(QPainter& p, const Theme& theme) const;
    void paintLane(QPainter& p, const Theme& theme, const observe::Lane& lane, double middle) const;
    void paintSegment(QPainter& p, const Theme& theme, const observe::LaneSegment& segment, double middle) const;
    int scrollOffset() const;

    ThemeContext& context_;
    TipFrame& tip_;
    observe::SnapshotPtr snapshot_;
    QScrollBar* scroll_;
    std::optional<QPoint> cursor_;
};

/// The four looks and their words.
class StateLegend : public QWidget
{
    Q_OBJECT
public:
    explicit StateLegend(ThemeContext& context, QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ThemeContext& context_;
};

} // namespace sg::ui
