// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes that are rows of cells over time: latency heat map, status codes, breakers.
#include "ui/format/format.h"
#include "ui/load/run_axes.h"
#include "ui/load/strip/strip_lane.h"
#include "ui/overview/latency_heatmap.h"
#include "ui/widgets/lane_bar.h"
#include "ui/widgets/paint.h"

#include <QCoreApplication>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sg::ui::strip {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::LiveStrip)
};

class HeatLane : public Lane
{
public:
    QString title() const override { return Words::tr("Answers by latency"); }
    std::vector<Sign> signs(const Tokens& c) const override
    {
        return {{Words::tr("1"), c.heat[0], {}, c.heat[0]},
                {Words::tr("%1 answers").arg(format::shortCount(most_)), c.heat[7], {}, c.heat[7]}};
    }
    void setPicture(const StripPicture& picture) override
    {
        picture_ = &picture;
        most_ = 0;
        const std::size_t rows = picture.heatEdgesMs.size() < 2 ? 0 : picture.heatEdgesMs.size() - 1;
        low_ = rows;
        high_ = 0;
        for (const StripMoment& moment : picture.moments)
            for (std::size_t row = 0; row < std::min(rows, moment.heat.size()); ++row)
                if (moment.heat[row] > 0) {
                    most_ = std::max(most_, moment.heat[row]);
                    low_ = std::min(low_, row);
                    high_ = std::max(high_, row + 1);
                }
        fitRows(rows);
    }
    bool hasData() const override { return most_ > 0; }
    double least() const override { return 40; }
    double weight() const override { return 0.25; }
    void paint(QPainter& p, const QRectF& box, const Axis& axis, const Theme& theme) const override
    {
        if (!hasData())
            return;
        p.setClipRect(box);
        p.setRenderHint(QPainter::Antialiasing, false);
        p.drawImage(imageBox(box, axis), image(theme.c));
        p.setRenderHint(QPainter::Antialiasing);
        p.setClipping(false);
        for (const double mark : scale().marks(std::min(4, static_cast<int>(box.height() / 16))))
            axisMark(p, {box.left(), box.top(), 0, box.height()}, box.bottom() - box.height() * scale().share(mark),
                     axisLatency(mark), theme);
    }
    std::vector<Fact> factsAt(double second, const Tokens& c) const override
    {
        const StripMoment* moment = momentAt(*picture_, second);
        if (!moment || !hasData())
            return {};
        std::uint64_t all = 0;
        std::size_t fullest = low_;
        for (std::size_t row = low_; row < std::min(high_, moment->heat.size()); ++row) {
            all += moment->heat[row];
            if (moment->heat[row] > moment->heat[fullest])
                fullest = row;
        }
        std::vector<Fact> facts{{Words::tr("answers"), format::shortCount(double(all)), c.text2}};
        if (all > 0)
            facts.push_back({Words::tr("most in"),
                             Words::tr("%1–%2").arg(axisLatency(picture_->heatEdgesMs[fullest]),
                                                    axisLatency(picture_->heatEdgesMs[fullest + 1])),
                             c.text2});
        return facts;
    }

private:
    // One cell of latency over the whole height would look like a full chart.
    void fitRows(std::size_t rows)
    {
        if (high_ <= low_)
            return;
        while (high_ - low_ < std::min<std::size_t>(6, rows)) {
            if (low_ > 0)
                --low_;
            if (high_ < rows && high_ - low_ < 6)
                ++high_;
        }
    }
    runaxes::LogScale scale() const
    {
        return {std::max(1e-3, picture_->heatEdgesMs[low_]), picture_->heatEdgesMs[high_]};
    }
    QRectF imageBox(const QRectF& box, const Axis& axis) const
    {
        const double left = axis.xOf(picture_->moments.front().second);
        const StripMoment& last = picture_->moments.back();
        return {left, box.top(), axis.xOf(last.second + last.width) - left, box.height()};
    }
    // Columns of one width: the run gives its moments so, only the first or last may be shorter.
    QImage image(const Tokens& c) const
    {
        QImage image(static_cast<int>(picture_->moments.size()), static_cast<int>(high_ - low_),
                     QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        for (std::size_t column = 0; column < picture_->moments.size(); ++column) {
            const auto& heat = picture_->moments[column].heat;
            for (std::size_t row = low_; row < std::min(high_, heat.size()); ++row)
                if (heat[row] > 0)
                    image.setPixelColor(static_cast<int>(column), static_cast<int>(high_ - 1 - row),
                                        c.heat[static_cast<std::size_t>(LatencyHeatmap::heatStep(heat[row], most_))]);
        }
        return image;
    }

    const StripPicture* picture_ = nullptr;
    std::uint32_t most_ = 0;
    std::size_t low_ = 0, high_ = 0; ///< rows in view
};

class StatusLane : public Lane
{
public:
    static constexpr double kRow = 11;
    static constexpr std::size_t kMostRows = 6;

    QString title() const override
    {
        const std::size_t all = picture_ ? picture_->statuses.size() : 0;
        return all > kMostRows ? Words::tr("Status codes (first %1 of %2)").arg(kMostRows).arg(all)
                               : Words::tr("Status codes");
    }
    std::vector<Sign> signs(const Tokens& c) const override
    {
        return {{Words::tr("height: share of the answers, square root"), c.text3, {}, QBrush(Qt::NoBrush)}};
    }
    void setPicture(const StripPicture& picture) override { picture_ = &picture; }
    bool hasData() const override { return picture_ && !picture_->statuses.empty(); }
    double least() const override { return kRow * static_cast<double>(rows()); }
    void paint(QPainter& p, const QRectF& box, const Axis& axis, const Theme& theme) const override
    {
        double bottom = box.top() + kRow;
        for (std::size_t row = 0; row < rows(); ++row) {
            const auto shareOf = [row](const StripMoment& moment) {
                const std::int64_t count = row < moment.statuses.size() ? moment.statuses[row] : 0;
                return count > 0 ? static_cast<double>(count) / static_cast<double>(sumOf(moment)) : 0.0;
            };
            const StripStatus& status = picture_->statuses[row];
            paintRow(p, box, bottom, axis, theme, status.name, statusBrush(status.look, theme.c), shareOf);
            bottom += kRow;
        }
        p.setClipping(false);
    }
    std::vector<Fact> factsAt(double second, const Tokens& c) const override
    {
        const StripMoment* moment = momentAt(*picture_, second);
        if (!moment)
            return {};
        std::vector<Fact> facts;
        for (std::size_t row = 0; row < std::min(rows(), moment->statuses.size()); ++row)
            if (moment->statuses[row] > 0)
                facts.push_back({picture_->statuses[row].name, format::count(moment->statuses[row]), c.text2});
        return facts;
    }

private:
    std::size_t rows() const { return picture_ ? std::min(kMostRows, picture_->statuses.size()) : 0; }
    static std::int64_t sumOf(const StripMoment& moment)
    {
        std::int64_t all = 0;
        for (const std::int64_t each : moment.statuses)
            all += each;
        return all;
    }
    template <typename Share>
    void paintRow(QPainter& p, const QRectF& box, double bottom, const Axis& axis, const Theme& theme,
                  const QString& name, const QBrush& brush, const Share& shareOf) const
    {
        p.setClipping(false);
        p.setPen(QPen(theme.c.line, 1));
        p.drawLine(QPointF(box.left(), bottom - 0.5), QPointF(box.right(), bottom - 0.5));
        paint::text(p, box.left() - 5, bottom - 1.5, name, theme.font(9.5), theme.c.text2, Qt::AlignRight,
                    box.left() - 8);
        p.setClipRect(box);
        p.setRenderHint(QPainter::Antialiasing, false); // bars of a pixel would be stripes of half a pixel
        for (const StripMoment& moment : picture_->moments) {
            const double share = shareOf(moment);
            if (share <= 0)
                continue;
            const double high = std::max(2.0, (kRow - 2) * std::sqrt(std::min(1.0, share)));
            const double left = axis.xOf(moment.second);
            const double wide = std::max(1.0, axis.xOf(moment.second + moment.width) - left);
            p.fillRect(QRectF(left, bottom - 1 - high, wide > 4 ? wide - 1 : wide, high), brush);
        }
        p.setRenderHint(QPainter::Antialiasing);
    }

    const StripPicture* picture_ = nullptr;
};

class BreakerLane : public Lane
{
public:
    static constexpr double kRow = 13;
    static constexpr std::size_t kMostRows = 8;

    QString title() const override
    {
        const std::size_t all = picture_ ? picture_->breakers.size() : 0;
        return all > kMostRows ? Words::tr("Breakers (first %1, %2 more)").arg(kMostRows).arg(all - kMostRows)
                               : Words::tr("Breakers");
    }
    void setPicture(const StripPicture& picture) override { picture_ = &picture; }
    bool hasData() const override { return picture_ && !picture_->breakers.empty(); }
    double least() const override { return kRow * static_cast<double>(std::max<std::size_t>(1, rows())); }
    void paint(QPainter& p, const QRectF& box, const Axis& axis, const Theme& theme) const override
    {
        for (std::size_t row = 0; row < rows(); ++row) {
            const StripBreaker& breaker = picture_->breakers[row];
            const double middle = box.top() + kRow * (static_cast<double>(row) + 0.5);
            p.setClipping(false);
            paint::text(p, box.left() - 5, middle + 3.5, breaker.endpoint, theme.font(9.5), theme.c.text2,
                        Qt::AlignRight, box.left() - 8);
            p.setClipRect(box);
            for (const StripBreaker::Span& span : breaker.spans)
                paint::laneBar(p, axis.xOf(span.from), axis.xOf(span.to), middle, kRow - 3, span.state, theme.c);
        }
        p.setClipping(false);
    }
    std::vector<Fact> factsAt(double second, const Tokens& c) const override
    {
        // Closed is what one expects: the others are told.
        std::vector<Fact> facts;
        for (const StripBreaker& breaker : picture_->breakers)
            for (const StripBreaker::Span& span : breaker.spans)
                if (second >= span.from && second < span.to && span.state != policy::BreakerState::Closed)
                    facts.push_back({breaker.endpoint, paint::stateWord(span.state), stateColours(c, span.state).ink});
        if (facts.size() > 4)
            facts.resize(4);
        return facts;
    }

private:
    std::size_t rows() const { return picture_ ? std::min(kMostRows, picture_->breakers.size()) : 0; }

    const StripPicture* picture_ = nullptr;
};

} // namespace

std::unique_ptr<Lane> makeHeatLane()
{
    return std::make_unique<HeatLane>();
}

std::unique_ptr<Lane> makeStatusLane()
{
    return std::make_unique<StatusLane>();
}

std::unique_ptr<Lane> makeBreakerLane()
{
    return std::make_unique<BreakerLane>();
}

} // namespace sg::ui::strip
