// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/rate_curve.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chart_data.h"

#include <QPointer>
#include <QWidget>

#include <optional>
#include <vector>

namespace sg::ui {

class TipFrame;

/// Latency against rate: p50, p95 and p99 of a run's steps over the rate that was asked for. Steps that rise are
/// joined; what did not hold, came after a higher rate or is INVALID has a sign of its own. The pointer or the arrow
/// keys go from step to step.
class RatePlot : public QWidget, public ChartData
{
    Q_OBJECT
public:
    explicit RatePlot(ThemeContext& context, QWidget* parent = nullptr);

    void setCurve(load::RateCurve curve);
    const load::RateCurve& curve() const { return curve_; }
    std::optional<std::size_t> cursor() const { return cursor_; } ///< index of the step under it
    bool isLogRate() const { return isLogRate_; }                 ///< rates that differ tenfold are shown by factor
    DataTable dataTable() const override;

    QSize sizeHint() const override { return {620, 320}; }
    QSize minimumSizeHint() const override { return {300, 160}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QRectF plot() const;
    double xOf(double rate) const;
    double yOf(double ms) const;
    void fitScales();
    std::vector<double> rateMarks() const;
    std::optional<std::size_t> place() const; ///< of the cursor in `order_`
    void moveTo(std::size_t place);
    void setCursor(std::optional<std::size_t> step);
    void showCursor();
    void paintAxes(QPainter& p, const Theme& theme) const;
    void paintKnees(QPainter& p, const Theme& theme) const;
    void paintPercentile(QPainter& p, const Theme& theme, std::size_t which, double& labelFree) const;
    void paintSigns(QPainter& p, const Theme& theme) const;

    ThemeContext& context_;
    load::RateCurve curve_;
    std::vector<std::size_t> order_; ///< steps by rate
    double fromRate_ = 0, toRate_ = 1, lowMs_ = 1, highMs_ = 10;
    bool isLogRate_ = false;
    std::optional<std::size_t> cursor_;
    QPointer<TipFrame> tip_;
};

namespace ratewords {
QString rate(double perSecond); ///< "44.4 /s"
/// Both knees, each with what it answers.
QString knees(const load::RateCurve& curve);
QString state(const load::RateStep& step); ///< "held", "did not hold: p99 is above twice that of the first step"
} // namespace ratewords

} // namespace sg::ui
