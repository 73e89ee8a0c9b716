// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chart_data.h"

#include <QPointer>

#include <QtCharts/QChartView>

class QAreaSeries;
class QLineSeries;
class QValueAxis;

namespace sg::ui {

class TipFrame;

/// Answered requests over their latency, on a log axis: a chart for the bars, painted on top the percentiles, the
/// labels and the failures, which stand apart in a hatch of their own. The pointer or the arrow keys read a bar.
class LatencyHistogram : public QChartView, public ChartData
{
    Q_OBJECT
public:
    explicit LatencyHistogram(ThemeContext& context, QWidget* parent = nullptr);

    /// What it shows in place of the latency of requests, and the colour of its bars.
    struct Subject
    {
        QString name, about, empty; ///< a title; what "What's this?" says; what stands where nothing came
        QColor Tokens::*bars = &Tokens::accent;
    };
    void setSubject(Subject subject);
    const Subject& subject() const { return subject_; }
    void setSnapshot(const observe::SnapshotPtr& snapshot);
    /// Drawn as dashed lines: "p95 ≤ 4.00 s" at its milliseconds.
    void setLimits(std::vector<std::pair<QString, double>> limits);
    DataTable dataTable() const override;
    std::optional<std::size_t> cursor() const { return cursor_; } ///< the bar that is read

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
    bool viewportEvent(QEvent* event) override;

private:
    void applyTheme();
    void fitAxes();
    double xOf(double ms) const;
    double yOf(double count) const;
    void paintAxes(QPainter& p, const Theme& theme) const;
    bool hasData() const;
    void paintLabel(QPainter& p, double x, double baseline, const QString& words, const QFont& font,
                    const QColor& ink) const;
    void paintFailures(QPainter& p, const Theme& theme) const;
    void paintPercentiles(QPainter& p, const Theme& theme) const;
    void paintCacheLabel(QPainter& p, const Theme& theme) const;
    void paintCursor(QPainter& p, const Theme& theme) const;
    QString textOf(const observe::LatencyBin& bin) const;
    QString summary() const;
    void setCursor(std::optional<std::size_t> bar);
    void showCursor();
    void stepTo(int from, int step);

    ThemeContext& context_;
    Subject subject_;
    observe::SnapshotPtr snapshot_;
    QLineSeries* answeredTop_;
    QLineSeries* cachedTop_;
    QAreaSeries* answered_;
    QAreaSeries* cached_;
    QValueAxis* xAxis_; ///< log10 of ms
    QValueAxis* yAxis_;
    std::vector<std::pair<QString, double>> limits_;
    std::vector<observe::LatencyBin> bars_; ///< what is drawn
    std::optional<std::size_t> cursor_;
    QPointer<TipFrame> tip_;
    double lowMs_ = 1, highMs_ = 100'000, top_ = 10, step_ = 5;
};

} // namespace sg::ui
