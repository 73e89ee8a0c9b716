// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"
#include "ui/theme/theme.h"
#include "ui/widgets/time_axis.h"

#include <QPixmap>
#include <QWidget>

namespace sg::ui {

/// Requests per cell of time and latency, in eight steps of the square root of the count. The cells are kept as a
/// picture: they change once a second, the widget may be painted more often.
class LatencyHeatmap : public QWidget
{
    Q_OBJECT
public:
    explicit LatencyHeatmap(ThemeContext& context, QWidget* parent = nullptr);

    void setSnapshot(const observe::SnapshotPtr& snapshot);
    /// 0..7 for a count of at least 1.
    static int heatStep(std::uint32_t count, std::uint32_t most);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
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
    QString textAt(const QPointF& pos) const;

    ThemeContext& context_;
    observe::SnapshotPtr snapshot_;
    int lowRow_ = 0, highRow_ = 0; ///< rows in view; equal: all
    QPixmap cells_;
};

} // namespace sg::ui
