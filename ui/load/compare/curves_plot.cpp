// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/compare/curves_plot.h"

#include "ui/format/format.h"
#include "ui/load/compare/comparison.h"
#include "ui/load/run_axes.h"
#include "ui/widgets/paint.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <cmath>

namespace sg::ui {

namespace {

constexpr double kLeft = 56, kRight = 16, kTop = 12, kFoot = 22, kFootWords = 15;
constexpr int kSteps = 120; ///< of the arrow keys across the plot

} // namespace

QPen curvePen(std::size_t curve, const Tokens& tokens)
{
    static const QVector<qreal> dashes[] = {{4, 2}, {}, {1.4, 1.6}, {6, 2, 1.5, 2}, {9, 2}};
    const QColor colours[] = {tokens.series[3], tokens.series[0], tokens.series[1], tokens.series[2], tokens.series[4]};
    const std::size_t look = curve % std::size(colours);
    QPen pen(colours[look], 1.8, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (!dashes[look].isEmpty())
        pen.setDashPattern(dashes[look]);
    return pen;
}

CurvesPlot::CurvesPlot(ThemeContext& context, QWidget* parent)
    : CursorChart(context, parent)
{
}

void CurvesPlot::setContent(Content content)
{
    content_ = std::move(content);
    setAccessibleName(content_.title);
    fitScale();
    dataChanged();
}

void CurvesPlot::fitScale()
{
    std::vector<double> values;
    for (const Curve& curve : content_.curves)
        for (const QPointF& point : curve.points)
            if (std::isfinite(point.y()))
                values.push_back(point.y());
    if (content_.isLog) {
        const runaxes::LogScale scale = runaxes::latencyScale(values);
        low_ = scale.low;
        high_ = scale.high;
        return;
    }
    low_ = 0;
    high_ = runaxes::niceCeil(values.empty() ? 1 : std::ranges::max(values));
}

bool CurvesPlot::hasData() const
{
    return std::ranges::any_of(content_.curves, [](const Curve& curve) { return !curve.points.empty(); });
}

QRectF CurvesPlot::plot() const
{
    const double foot = kFoot + (content_.foot.isEmpty() ? 0 : kFootWords);
    return QRectF(kLeft, kTop, std::max(1.0, width() - kLeft - kRight), std::max(1.0, height() - kTop - foot));
}

double CurvesPlot::xOf(double x) const
{
    const QRectF box = plot();
    return box.left() + box.width() * (x - content_.from) / std::max(1e-9, content_.to - content_.from);
}

double CurvesPlot::yOf(double y) const
{
    const QRectF box = plot();
    const double share = content_.isLog ? runaxes::LogScale{low_, high_}.share(y)
                                        : std::clamp((y - low_) / std::max(1e-9, high_ - low_), 0.0, 1.0);
    return box.bottom() - box.height() * share;
}

std::optional<double> CurvesPlot::valueAt(const Curve& curve, double x)
{
    const auto after = std::ranges::lower_bound(curve.points, x, {}, [](const QPointF& point) { return point.x(); });
    if (after == curve.points.end() || (after == curve.points.begin() && after->x() > x))
        return std::nullopt;
    if (after->x() == x || after == curve.points.begin())
        return std::isfinite(after->y()) ? std::optional(after->y()) : std::nullopt;
    const QPointF& from = *std::prev(after);
    if (!std::isfinite(from.y()) || !std::isfinite(after->y()))
        return std::nullopt;
    return from.y() + (after->y() - from.y()) * (x - from.x()) / (after->x() - from.x());
}

QString CurvesPlot::changeAt(std::size_t curve, double x) const
{
    if (!content_.reference || curve == *content_.reference || *content_.reference >= content_.curves.size())
        return {};
    const auto from = valueAt(content_.curves[*content_.reference], x), to = valueAt(content_.curves[curve], x);
    if (!from || !to || *from <= 0)
        return {};
    return changeText({*to / *from - 1, {}, {}, false});
}

QString CurvesPlot::sentence() const
{
    if (!cursor())
        return {};
    const double x = *cursor();
    QStringList parts{content_.xWords(x)};
    for (const Curve& curve : content_.curves) {
        const auto value = valueAt(curve, x);
        const QString change = changeAt(static_cast<std::size_t>(&curve - content_.curves.data()), x);
        parts << QStringLiteral("%1 %2").arg(curve.name, value ? content_.yWords(*value) : format::unknown()) +
                     (change.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(change));
    }
    return parts.join(QStringLiteral(", "));
}

DataTable CurvesPlot::dataTable() const
{
    DataTable table{content_.title, {{content_.foot.isEmpty() ? tr("at") : content_.foot, true}}, {}};
    for (const Curve& curve : content_.curves)
        table.columns.push_back({curve.name, true});
    if (!hasData())
        return table;
    const auto longest =
        std::ranges::max_element(content_.curves, {}, [](const Curve& curve) { return curve.points.size(); });
    for (const QPointF& point : longest->points) {
        RowsModel::Row row = DataTable::row({content_.xWords(point.x())});
        for (const Curve& curve : content_.curves) {
            const auto value = valueAt(curve, point.x());
            row.push_back(DataTable::row({value ? content_.yWords(*value) : format::unknown()}).front());
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::vector<double> CurvesPlot::yMarks() const
{
    const int most = std::max(2, static_cast<int>(plot().height() / 34));
    if (content_.isLog)
        return runaxes::LogScale{low_, high_}.marks(most);
    return {0, high_ / 2, high_};
}

void CurvesPlot::paintEvent(QPaintEvent*)
{
    const Theme& theme = this->theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (!hasData()) {
        paint::text(p, width() / 2.0, height() / 2.0, tr("No data kept of these runs."), theme.font(11), theme.c.text3,
                    Qt::AlignHCenter);
    } else {
        paintAxes(p, theme);
        p.setClipRect(plot().adjusted(0, -3, 0, 3));
        if (content_.shadesDifference)
            paintDifference(p, theme);
        paintCurves(p, theme);
        p.setClipping(false);
    }
    paintFocus(p);
}

void CurvesPlot::paintAxes(QPainter& p, const Theme& theme) const
{
    const QRectF box = plot();
    for (const double mark : yMarks()) {
        const double y = std::round(yOf(mark)) + 0.5;
        p.setPen(QPen(theme.c.line, 1));
        p.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
        paint::text(p, box.left() - 6, y + 3.5, content_.yAxisWords(mark), theme.font(10.5), theme.c.text3,
                    Qt::AlignRight);
    }
    double free = -1;
    for (const auto& [at, words] : content_.marks) {
        const double x = std::round(xOf(at)) + 0.5;
        p.setPen(QPen(theme.c.line, 1));
        p.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()));
        const double half = QFontMetricsF(theme.font(10.5), this).horizontalAdvance(words) / 2;
        const double middle = std::min(x, width() - half - 3);
        if (middle - half < free)
            continue;
        free = middle + half + 6;
        paint::text(p, middle, box.bottom() + 16, words, theme.font(10.5), theme.c.text3, Qt::AlignHCenter);
    }
    if (!content_.foot.isEmpty())
        paint::text(p, box.center().x(), box.bottom() + 16 + kFootWords, content_.foot, theme.font(10.5), theme.c.text3,
                    Qt::AlignHCenter);
    for (const auto& [value, words] : content_.limits) {
        const double y = std::round(yOf(value)) + 0.5;
        QPen pen(theme.c.text3, 1);
        pen.setDashPattern({1.5, 2.5});
        p.setPen(pen);
        p.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
        paint::text(p, box.left() + 6, y - 4, words, theme.font(10.5), theme.c.text2);
    }
}

void CurvesPlot::paintDifference(QPainter& p, const Theme& theme) const
{
    if (content_.curves.size() < 2)
        return;
    const Curve &first = content_.curves[0], &second = content_.curves[1];
    for (std::size_t i = 1; i < second.points.size(); ++i) {
        const double from = second.points[i - 1].x(), to = second.points[i].x();
        const auto a0 = valueAt(first, from), a1 = valueAt(first, to), b0 = valueAt(second, from),
                   b1 = valueAt(second, to);
        if (!a0 || !a1 || !b0 || !b1)
            continue;
        QColor tint = *b0 + *b1 <= *a0 + *a1 ? theme.c.closedTint : theme.c.openTint;
        tint.setAlphaF(0.8F);
        p.setPen(Qt::NoPen);
        p.setBrush(tint);
        p.setRenderHint(QPainter::Antialiasing, false); // seams between neighbours
        p.drawPolygon(QPolygonF{QPointF(xOf(from), yOf(*a0)), QPointF(xOf(to), yOf(*a1)), QPointF(xOf(to), yOf(*b1)),
                                QPointF(xOf(from), yOf(*b0))});
        p.setRenderHint(QPainter::Antialiasing);
    }
}

void CurvesPlot::paintCurves(QPainter& p, const Theme& theme) const
{
    for (std::size_t i = 0; i < content_.curves.size(); ++i) {
        QPainterPath path;
        bool isDrawing = false;
        for (const QPointF& point : content_.curves[i].points) {
            if (!std::isfinite(point.y())) {
                isDrawing = false;
                continue;
            }
            const QPointF at(xOf(point.x()), yOf(point.y()));
            if (isDrawing)
                path.lineTo(at);
            else
                path.moveTo(at);
            isDrawing = true;
        }
        p.setBrush(Qt::NoBrush);
        p.setPen(curvePen(i, theme.c));
        p.drawPath(path);
    }
    if (!cursor())
        return;
    const double x = xOf(*cursor());
    QPen pen(theme.c.text2, 1.2);
    pen.setDashPattern({1.6, 2});
    p.setPen(pen);
    p.drawLine(QPointF(x, plot().top()), QPointF(x, plot().bottom()));
    for (std::size_t i = 0; i < content_.curves.size(); ++i)
        if (const auto value = valueAt(content_.curves[i], *cursor())) {
            p.setPen(Qt::NoPen);
            p.setBrush(curvePen(i, theme.c).color());
            p.drawEllipse(QPointF(x, yOf(*value)), 4, 4);
        }
}

CurvesPlot::Reach CurvesPlot::reach() const
{
    return {content_.from, content_.to, (content_.to - content_.from) / kSteps};
}

TipFrame::Content CurvesPlot::tip() const
{
    const double x = *cursor();
    TipFrame::Content content;
    content.title = {{content_.xWords(x), false, theme().c.text3}};
    for (std::size_t i = 0; i < content_.curves.size(); ++i) {
        const auto value = valueAt(content_.curves[i], x);
        paint::Runs line{{content_.curves[i].name + QStringLiteral("  "), false, curvePen(i, theme().c).color()},
                         {value ? content_.yWords(*value) : format::unknown(), true, theme().c.text}};
        if (const QString change = changeAt(i, x); !change.isEmpty())
            line.push_back({QStringLiteral("  (%1)").arg(change), false, theme().c.text2});
        content.lines.push_back(std::move(line));
    }
    return content;
}

QPointF CurvesPlot::anchor() const
{
    return {xOf(*cursor()), plot().center().y()};
}

std::optional<double> CurvesPlot::cursorAt(const QPointF& point) const
{
    const QRectF box = plot();
    if (point.x() < box.left() || point.x() > box.right())
        return std::nullopt;
    return content_.from + (content_.to - content_.from) * (point.x() - box.left()) / box.width();
}

} // namespace sg::ui
