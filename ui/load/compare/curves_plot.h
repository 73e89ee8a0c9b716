// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/theme/theme.h"
#include "ui/widgets/cursor_chart.h"

#include <QPointF>
#include <functional>
#include <optional>
#include <vector>

namespace sg::ui {

/// The look of the nth of several curves: colour and dashes, so that they also differ without colour.
QPen curvePen(std::size_t curve, const Tokens& tokens);

/// Curves of several runs over one axis and under one cursor. The pointer or the arrow keys read it.
class CurvesPlot : public CursorChart
{
    Q_OBJECT
public:
    struct Curve
    {
        QString name;                ///< "A run 35"
        std::vector<QPointF> points; ///< x rises; y NaN is a gap; at most 400
    };
    struct Content
    {
        QString title; ///< for assistive technology and the table
        std::vector<Curve> curves;
        double from = 0, to = 1;                           ///< of x
        std::vector<std::pair<double, QString>> marks;     ///< of x
        QString foot;                                      ///< what x is
        std::function<QString(double)> xWords;             ///< of the cursor: "at 99 %"
        std::function<QString(double)> yWords, yAxisWords; ///< with the unit
        bool isLog = true;                                 ///< y
        bool shadesDifference = false;                     ///< between the first two curves; what lies lower is better
        std::vector<std::pair<double, QString>> limits;    ///< of y
        std::optional<std::size_t> reference{};            ///< whose values the cursor compares the others with
    };

    explicit CurvesPlot(ThemeContext& context, QWidget* parent = nullptr);

    void setContent(Content content);
    const Content& content() const { return content_; }
    /// Of a curve at x, straight between its points; empty outside and in gaps.
    static std::optional<double> valueAt(const Curve& curve, double x);
    DataTable dataTable() const override;

    QSize sizeHint() const override { return {620, 300}; }
    QSize minimumSizeHint() const override { return {300, 140}; }

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
    double xOf(double x) const;
    double yOf(double y) const;
    void fitScale();
    QString changeAt(std::size_t curve, double x) const; ///< against the reference: "−54 %"; may be empty
    std::vector<double> yMarks() const;
    void paintAxes(QPainter& p, const Theme& theme) const;
    void paintDifference(QPainter& p, const Theme& theme) const;
    void paintCurves(QPainter& p, const Theme& theme) const;

    Content content_;
    double low_ = 1, high_ = 10;
};

} // namespace sg::ui
