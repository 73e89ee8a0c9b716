// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"
#include "ui/theme/theme.h"

#include <QtCharts/QChartView>

class QAreaSeries;
class QLineSeries;
class QValueAxis;

namespace sg::ui {

/// Answered requests over their latency, on a log axis: a chart for the bars, painted on top the percentiles, the
/// labels and the failures, which stand apart in a hatch of their own.
class LatencyHistogram : public QChartView
{
    Q_OBJECT
public:
    explicit LatencyHistogram(ThemeContext& context, QWidget* parent = nullptr);

    void setSnapshot(const observe::SnapshotPtr& snapshot);

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
    bool viewportEvent(QEvent* event) override;

private:
    void applyTheme();
    void fitAxes();
    double xOf(double ms) const;
    double yOf(double count) const;
    void paintAxes(QPainter& p, const Theme& theme) const;
    bool hasData() const;
    void paintFailures(QPainter& p, const Theme& theme) const;
    void paintPercentiles(QPainter& p, const Theme& theme) const;
    void paintCacheLabel(QPainter& p, const Theme& theme) const;
    QString textAt(double x) const;

    ThemeContext& context_;
    observe::SnapshotPtr snapshot_;
    QLineSeries* answeredTop_;
    QLineSeries* cachedTop_;
    QAreaSeries* answered_;
    QAreaSeries* cached_;
    QValueAxis* xAxis_; ///< log10 of ms
    QValueAxis* yAxis_;
    double lowMs_ = 1, highMs_ = 100'000, top_ = 10, step_ = 5;
};

} // namespace sg::ui
