// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/rate_curve.h"
#include "ui/theme/theme.h"
#include "ui/widgets/cursor_chart.h"

#include <vector>

namespace sg::ui {

/// Latency against rate: p50, p95 and p99 of a run's steps over the rate that was asked for. Steps that rise are
/// joined; what did not hold, came after a higher rate or is INVALID has a sign of its own. The pointer or the arrow
/// keys go from step to step.
class RatePlot : public CursorChart
{
    Q_OBJECT
public:
    explicit RatePlot(ThemeContext& context, QWidget* parent = nullptr);

    void setCurve(load::RateCurve curve);
    const load::RateCurve& curve() const { return curve_; }
    std::optional<std::size_t> stepUnderCursor() const; ///< its index; the cursor itself counts them by rate
    bool isLogRate() const { return isLogRate_; }       ///< rates that differ tenfold are shown by factor
    DataTable dataTable() const override;

    QSize sizeHint() const override { return {620, 320}; }
    QSize minimumSizeHint() const override { return {300, 160}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool hasData() const override;
    Reach reach() const override;
    QString sentence() const override;
    TipFrame::Content tip() const override;
    QPointF anchor() const override;
    std::optional<double> cursorAt(const QPointF& point) const override;

private:
    QRectF plot() const;
    double xOf(double rate) const;
    double yOf(double ms) const;
    void fitScales();
    std::vector<double> rateMarks() const;
    void paintAxes(QPainter& p, const Theme& theme) const;
    void paintKnees(QPainter& p, const Theme& theme) const;
    void paintPercentile(QPainter& p, const Theme& theme, std::size_t which, double& labelFree) const;
    void paintSigns(QPainter& p, const Theme& theme) const;

    load::RateCurve curve_;
    std::vector<std::size_t> order_; ///< steps by rate
    double fromRate_ = 0, toRate_ = 1, lowMs_ = 1, highMs_ = 10;
    bool isLogRate_ = false;
};

namespace ratewords {
QString rate(double perSecond); ///< "44.4 /s"
/// Both knees, each with what it answers.
QString knees(const load::RateCurve& curve);
QString state(const load::RateStep& step); ///< "held", "did not hold: p99 is above twice that of the first step"
} // namespace ratewords

} // namespace sg::ui
