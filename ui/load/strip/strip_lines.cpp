// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes that are lines over time: rate, latency, requests in flight.
#include "ui/format/format.h"
#include "ui/load/run_axes.h"
#include "ui/load/strip/strip_lane.h"
#include "ui/widgets/paint.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

namespace sg::ui::strip {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::LiveStrip)
};

const QVector<qreal> kPlannedDashes{3, 2.4}, kP95Dashes{3.4, 1.6}, kP99Dashes{1.4, 1.6};

QString rateWords(float perSecond)
{
    return format::rate(perSecond) + QStringLiteral("\u202F/s");
}

double middleOf(const StripMoment& moment, double elapsed)
{
    return std::min(moment.second + moment.width / 2, std::max(moment.second, elapsed));
}

/// Pieces of a line: where a value is missing, the line has a gap.
template <typename Value>
std::vector<QPolygonF> piecesOf(const StripPicture& picture, const Axis& axis, const Value& yOf)
{
    std::vector<QPolygonF> pieces;
    bool isDrawing = false;
    for (const StripMoment& moment : picture.moments) {
        const std::optional<double> y = yOf(moment);
        if (!y) {
            isDrawing = false;
            continue;
        }
        if (!isDrawing)
            pieces.emplace_back();
        isDrawing = true;
        pieces.back() << QPointF(axis.xOf(middleOf(moment, picture.elapsed)), *y);
    }
    return pieces;
}

void drawPieces(QPainter& p, const std::vector<QPolygonF>& pieces, const QPen& pen)
{
    p.setBrush(Qt::NoBrush);
    for (const QPolygonF& piece : pieces) {
        p.setPen(pen);
        if (piece.size() > 1) {
            p.drawPolyline(piece);
            continue;
        }
        p.setPen(
            QPen(pen.color(), pen.widthF() * 2.4, Qt::SolidLine, Qt::RoundCap)); // a line of one point shows nothing
        p.drawPoint(piece.first());
    }
}

void fillPieces(QPainter& p, const std::vector<QPolygonF>& pieces, double floor, QColor colour, double alpha)
{
    colour.setAlphaF(static_cast<float>(alpha));
    p.setPen(Qt::NoPen);
    p.setBrush(colour);
    for (QPolygonF area : pieces) {
        const QPointF first = area.first(), last = area.last();
        area << QPointF(last.x(), floor) << QPointF(first.x(), floor);
        p.drawPolygon(area);
    }
}

QPen dashed(const QColor& colour, double width, const QVector<qreal>& dashes)
{
    QPen pen(colour, width, Qt::SolidLine, Qt::FlatCap);
    if (!dashes.isEmpty())
        pen.setDashPattern(dashes);
    return pen;
}

class RateLane : public Lane
{
public:
    QString title() const override { return Words::tr("Requests\u202F/s"); }
    std::vector<Sign> signs(const Tokens& c) const override
    {
        std::vector<Sign> all{{Words::tr("achieved"), c.accent}, {Words::tr("answered"), c.series[3]}};
        if (hasPlan_)
            all.insert(all.begin(), {isDrawn_ ? Words::tr("requested") : Words::tr("due"), c.text2, kPlannedDashes});
        return all;
    }
    void setPicture(const StripPicture& picture) override
    {
        picture_ = &picture;
        double most = 0;
        isDrawn_ = picture.planned.size() > 1;
        hasPlan_ = isDrawn_;
        for (const auto& [second, rate] : picture.planned)
            most = std::max(most, rate);
        for (const StripMoment& moment : picture.moments) {
            most = std::max({most, double(moment.sent), double(moment.answered), double(moment.due.value_or(0))});
            hasPlan_ = hasPlan_ || moment.due.has_value();
        }
        top_ = std::max(1.0, runaxes::niceCeil(most));
    }
    bool hasData() const override { return true; }
    double least() const override { return 44; }
    double weight() const override { return 0.25; }
    void paint(QPainter& p, const QRectF& box, const Axis& axis, const Theme& theme) const override
    {
        const auto yOf = [&](double rate) { return box.bottom() - box.height() * std::min(1.0, rate / top_); };
        p.setClipping(false);
        for (const double part : {0.0, 0.5, 1.0})
            axisMark(p, box, yOf(top_ * part), axisCount(top_ * part), theme);
        p.setClipRect(box.adjusted(0, -2, 0, 2));
        const auto sent = piecesOf(*picture_, axis, [&](const StripMoment& m) { return std::optional(yOf(m.sent)); });
        const auto answered =
            piecesOf(*picture_, axis, [&](const StripMoment& m) { return std::optional(yOf(m.answered)); });
        fillPieces(p, sent, box.bottom(), theme.c.accent, theme.dark ? 0.2 : 0.14);
        drawPieces(p, answered, QPen(theme.c.series[3], 1.3));
        drawPieces(p, sent, QPen(theme.c.accent, 1.6));
        paintPlan(p, axis, theme, yOf);
    }
    std::vector<Fact> factsAt(double second, const Tokens& c) const override
    {
        const StripMoment* moment = momentAt(*picture_, second);
        if (!moment)
            return {};
        std::vector<Fact> facts;
        if (const auto asked = askedAt(*picture_, second))
            facts.push_back({Words::tr("requested"), rateWords(static_cast<float>(*asked)), c.text2});
        if (moment->due)
            facts.push_back({Words::tr("due"), rateWords(*moment->due), c.text2});
        facts.push_back({Words::tr("achieved"), rateWords(moment->sent), c.accent});
        facts.push_back({Words::tr("answered"), rateWords(moment->answered), c.series[3]});
        return facts;
    }

private:
    template <typename Y>
    void paintPlan(QPainter& p, const Axis& axis, const Theme& theme, const Y& yOf) const
    {
        const QPen pen = dashed(theme.c.text2, 1.3, kPlannedDashes);
        QPolygonF plan;
        for (const auto& [second, rate] : picture_->planned)
            plan << QPointF(axis.xOf(second), yOf(rate));
        p.setPen(pen);
        p.setBrush(Qt::NoBrush);
        if (plan.size() > 1)
            p.drawPolyline(plan);
        else
            drawPieces(
                p,
                piecesOf(*picture_, axis,
                         [&](const StripMoment& m) { return m.due ? std::optional(yOf(*m.due)) : std::nullopt; }),
                pen);
    }

    const StripPicture* picture_ = nullptr;
    double top_ = 1;
    bool hasPlan_ = false, isDrawn_ = false; ///< what is asked for is known; as a line of the plan
};

class LatencyLane : public Lane
{
public:
    QString title() const override { return Words::tr("Latency"); }
    std::vector<Sign> signs(const Tokens& c) const override
    {
        return {{QStringLiteral("p50"), c.p50},
                {QStringLiteral("p95"), c.p95, kP95Dashes},
                {QStringLiteral("p99"), c.p99, kP99Dashes}};
    }
    void setPicture(const StripPicture& picture) override
    {
        picture_ = &picture;
        std::vector<double> values;
        for (const StripMoment& m : picture.moments)
            for (const auto& value : {m.p50Ms, m.p95Ms, m.p99Ms})
                if (value && *value > 0)
                    values.push_back(*value);
        hasValues_ = !values.empty();
        for (const StripLimit& limit : picture.limits)
            if (limit.ms > 0)
                values.push_back(limit.ms);
        scale_ = runaxes::latencyScale(values);
    }
    bool hasData() const override { return true; }
    double least() const override { return 54; }
    double weight() const override { return 0.33; }
    void paint(QPainter& p, const QRectF& box, const Axis& axis, const Theme& theme) const override
    {
        const auto yOf = [&](double ms) { return box.bottom() - box.height() * scale_.share(ms); };
        p.setClipping(false);
        for (const double mark : scale_.marks(std::min(5, static_cast<int>(box.height() / 16))))
            axisMark(p, box, yOf(mark), axisLatency(mark), theme);
        p.setClipRect(box.adjusted(0, -2, 0, 2));
        const auto lineOf = [&](std::optional<float> StripMoment::*value) {
            return piecesOf(*picture_, axis, [&](const StripMoment& m) {
                return m.*value ? std::optional(yOf(*(m.*value))) : std::nullopt;
            });
        };
        const auto p50 = lineOf(&StripMoment::p50Ms), p95 = lineOf(&StripMoment::p95Ms),
                   p99 = lineOf(&StripMoment::p99Ms);
        fillBand(p, p95, p99, theme.c.p99, theme.dark ? 0.10 : 0.08);
        fillBand(p, p50, p95, theme.c.p95, theme.dark ? 0.16 : 0.12);
        paintLimits(p, box, theme, yOf);
        drawPieces(p, p99, dashed(theme.c.p99, 1.5, kP99Dashes));
        drawPieces(p, p95, dashed(theme.c.p95, 1.5, kP95Dashes));
        drawPieces(p, p50, QPen(theme.c.p50, 1.6));
        if (!hasValues_)
            paint::text(p, box.center().x(), box.center().y() + 4, Words::tr("no answers yet"), theme.font(10.5),
                        theme.c.text3, Qt::AlignHCenter);
    }
    std::vector<Fact> factsAt(double second, const Tokens& c) const override
    {
        const StripMoment* moment = momentAt(*picture_, second);
        if (!moment)
            return {};
        const auto ms = [](std::optional<float> value) {
            return format::latency(value ? std::optional<double>(*value) : std::nullopt).text();
        };
        return {{QStringLiteral("p50"), ms(moment->p50Ms), c.p50},
                {QStringLiteral("p95"), ms(moment->p95Ms), c.p95},
                {QStringLiteral("p99"), ms(moment->p99Ms), c.p99}};
    }

private:
    static void fillBand(QPainter& p, const std::vector<QPolygonF>& low, const std::vector<QPolygonF>& high,
                         QColor colour, double alpha)
    {
        // Percentiles come together: where one is missing the others are, too. Anything else has no band.
        if (low.size() != high.size())
            return;
        colour.setAlphaF(static_cast<float>(alpha));
        p.setPen(Qt::NoPen);
        p.setBrush(colour);
        for (std::size_t i = 0; i < low.size(); ++i) {
            QPolygonF area = low[i];
            for (auto it = high[i].crbegin(); it != high[i].crend(); ++it)
                area << *it;
            p.drawPolygon(area);
        }
    }
    template <typename Y>
    void paintLimits(QPainter& p, const QRectF& box, const Theme& theme, const Y& yOf) const
    {
        double lastY = -100, right = box.right() - 3;
        for (const StripLimit& limit : picture_->limits) {
            const double y = std::round(yOf(limit.ms)) + 0.5;
            p.setPen(dashed(theme.c.text3, 1, {1.5, 2.5}));
            p.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
            // Limits close to each other stand side by side.
            if (std::abs(y - lastY) > 11)
                right = box.right() - 3;
            right -= 8 + paint::text(p, right, y - 3, limit.words, theme.font(9.5), theme.c.text3, Qt::AlignRight);
            lastY = y;
        }
    }

    const StripPicture* picture_ = nullptr;
    runaxes::LogScale scale_;
    bool hasValues_ = false;
};

class FlightLane : public Lane
{
public:
    QString title() const override { return Words::tr("In flight"); }
    void setPicture(const StripPicture& picture) override
    {
        picture_ = &picture;
        double most = 0;
        for (const StripMoment& moment : picture.moments)
            most = std::max(most, double(moment.inFlight));
        top_ = std::max(1.0, runaxes::niceCeil(most));
    }
    bool hasData() const override { return true; }
    double least() const override { return 26; }
    double weight() const override { return 0.13; }
    void paint(QPainter& p, const QRectF& box, const Axis& axis, const Theme& theme) const override
    {
        const auto yOf = [&](double value) { return box.bottom() - box.height() * std::min(1.0, value / top_); };
        p.setClipping(false);
        for (const double part : {0.0, 1.0})
            axisMark(p, box, yOf(top_ * part), axisCount(top_ * part), theme);
        p.setClipRect(box.adjusted(0, -2, 0, 2));
        const auto line =
            piecesOf(*picture_, axis, [&](const StripMoment& m) { return std::optional(yOf(m.inFlight)); });
        fillPieces(p, line, box.bottom(), theme.c.series[2], theme.dark ? 0.2 : 0.14);
        drawPieces(p, line, QPen(theme.c.series[2], 1.5));
    }
    std::vector<Fact> factsAt(double second, const Tokens& c) const override
    {
        const StripMoment* moment = momentAt(*picture_, second);
        if (!moment)
            return {};
        return {{Words::tr("in flight"), format::count(std::llround(moment->inFlight)), c.series[2]}};
    }

private:
    const StripPicture* picture_ = nullptr;
    double top_ = 1;
};

} // namespace

std::unique_ptr<Lane> makeRateLane()
{
    return std::make_unique<RateLane>();
}

std::unique_ptr<Lane> makeLatencyLane()
{
    return std::make_unique<LatencyLane>();
}

std::unique_ptr<Lane> makeFlightLane()
{
    return std::make_unique<FlightLane>();
}

} // namespace sg::ui::strip
