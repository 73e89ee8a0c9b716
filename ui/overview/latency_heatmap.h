// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chart_data.h"
#include "ui/widgets/time_axis.h"

#include <QPixmap>
#include <QPointer>
#include <QWidget>

namespace sg::ui {

class TipFrame;

/// Requests per cell of time and latency, in eight steps of the square root of the count. The cells are kept as a
/// picture: they change once a second, the widget may be painted more often. The pointer or the arrow keys read a cell.
class LatencyHeatmap : public QWidget, public ChartData
{
    Q_OBJECT
public:
    explicit LatencyHeatmap(ThemeContext& context, QWidget* parent = nullptr);

    void setSnapshot(const observe::SnapshotPtr& snapshot);
    DataTable dataTable() const override;
    struct Cell
    {
        int column = 0, row = 0;
        bool operator==(const Cell&) const = default;
    };
    std::optional<Cell> cursor() const { return cursor_; } ///< the cell that is read
    /// 0..7 for a count of at least 1.
    static int heatStep(std::uint32_t count, std::uint32_t most);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    int rows() const; ///< of the snapshot's map
    bool hasData() const;
    std::uint32_t countAt(const Cell& cell) const;
    QRectF boxOf(const Cell& cell) const;
    QString textOf(const Cell& cell) const;
    void setCursor(std::optional<Cell> cell);
    void showCursor();
    void paintCursor(QPainter& p, const Theme& theme) const;
    QRectF plot() const;
    TimeAxis axis() const;
    void fitRows();
    double lowestMs() const;
    double highestMs() const;
    double yOf(double ms) const;
    void renderCells();
    void paintAxes(QPainter& p, const Theme& theme) const;
    void paintTrip(QPainter& p, const Theme& theme) const;
    void paintScale(QPainter& p, const Theme& theme) const;

    ThemeContext& context_;
    observe::SnapshotPtr snapshot_;
    int lowRow_ = 0, highRow_ = 0; ///< rows in view; equal: all
    QPixmap cells_;
    std::optional<Cell> cursor_;
    QPointer<TipFrame> tip_;
};

} // namespace sg::ui
