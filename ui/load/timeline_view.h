// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/run_progress.h"
#include "ui/load/run_axes.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chart_data.h"

#include <QWidget>

namespace sg::ui {

/// What happened when: rate, latency, failed attempts and breakers of one run under one time axis and one cursor. The
/// pointer or the arrow keys move the cursor; Home and End go to the ends, Escape puts it away.
class TimelineView : public QWidget, public ChartData
{
    Q_OBJECT
public:
    TimelineView(ThemeContext& context, QWidget* parent = nullptr);

    void setProgress(load::RunProgressPtr progress);
    std::optional<double> cursorSecond() const { return cursor_; }
    /// The figures at the cursor in one sentence; empty without a cursor.
    QString cursorWords() const;
    DataTable dataTable() const override;
    std::int64_t paints() const { return paints_; }

    QSize sizeHint() const override { return {648, 506}; }
    QSize minimumSizeHint() const override { return {420, 320}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Bands
    {
        QRectF rate, latency, failed, lanes;
        double lanePitch = 18;
        int lanesShown = 0;
        double left = 0, right = 0, top = 0, bottom = 0;
    };

    void fitAxes(bool isNewRun);
    Bands bands() const;
    double xOf(double second) const;
    double nowX() const;
    void setCursor(std::optional<double> second);
    std::size_t picture() const;

    void paintGrid(QPainter& p, const Bands& bands) const;
    void paintRate(QPainter& p, const QRectF& band) const;
    void paintLatency(QPainter& p, const QRectF& band) const;
    void paintFailed(QPainter& p, const QRectF& band) const;
    void paintLanes(QPainter& p, const Bands& bands) const;
    void paintTitles(QPainter& p, const Bands& bands) const;
    void paintNow(QPainter& p, const Bands& bands) const;
    void paintCursor(QPainter& p, const Bands& bands) const;
    void paintAxisMark(QPainter& p, const QRectF& band, double y, const QString& text) const;
    void paintTip(QPainter& p, double y, const std::vector<std::tuple<QString, QColor, QString>>& rows) const;

    ThemeContext& context_;
    load::RunProgressPtr progress_;
    double end_ = 10; ///< s
    runaxes::LogScale latency_;
    std::vector<runaxes::FailedBar> failed_;
    double rateEnd_ = 1, failedEnd_ = 0.05;
    std::optional<double> cursor_;
    double left_ = 52;
    std::size_t picture_ = 0;
    std::int64_t paints_ = 0;
};

} // namespace sg::ui
