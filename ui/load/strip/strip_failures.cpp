// SPDX-License-Identifier: GPL-3.0-or-later
// The lane of failed attempts: which share of a moment's attempts failed, stacked by cause.
#include "ui/format/format.h"
#include "ui/load/run_axes.h"
#include "ui/load/strip/strip_lane.h"
#include "ui/widgets/paint.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sg::ui::strip {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::LiveStrip)
};

constexpr std::size_t kMostCauses = 4; // more could not be told apart

QString percentWords(double share)
{
    const double percent = share * 100;
    return format::number(percent, percent > 0 && percent < 10 ? 1 : 0) + QStringLiteral("\u202F%");
}

/// The look of the cause that stands in each place: of two of one kind only the first has the kind's own.
QBrush brushOf(StripCause::Look look, bool isSecond, const Tokens& c)
{
    QColor ink = c.open;
    if (look == StripCause::Look::Refused)
        ink = c.half;
    else if (look == StripCause::Look::Timeout)
        ink = c.text2;
    else if (look == StripCause::Look::Other)
        ink = c.text3;
    if (isSecond)
        return ink;
    return look == StripCause::Look::Server || look == StripCause::Look::Refused ? paint::hatch(ink, c)
                                                                                 : paint::crossHatch(ink, c);
}

QColor inkOf(StripCause::Look look, const Tokens& c)
{
    return look == StripCause::Look::Refused                                      ? c.half
           : look == StripCause::Look::Timeout || look == StripCause::Look::Other ? c.text2
                                                                                  : c.open;
}

class FailureLane : public Lane
{
public:
    QString title() const override { return Words::tr("Attempts that failed, by cause"); }
    std::vector<Sign> signs(const Tokens& c) const override
    {
        std::vector<Sign> all;
        for (std::size_t i = 0; i < shown(); ++i)
            all.push_back({picture_->causes[i].name, c.open, {}, brush(i, c)});
        if (picture_ && picture_->causes.size() > shown())
            all.push_back(
                {Words::tr("%1 others").arg(picture_->causes.size() - shown()), c.text3, {}, QBrush(c.text3)});
        return all;
    }
    void setPicture(const StripPicture& picture) override
    {
        picture_ = &picture;
        double most = 0;
        for (const StripMoment& moment : picture.moments)
            most = std::max(most, shareOf(moment.triesFailed, moment));
        top_ = std::min(1.0, runaxes::niceCeil(std::max(0.01, most)));
    }
    bool hasData() const override { return picture_ && !picture_->causes.empty(); }
    double least() const override { return 30; }
    double weight() const override { return 0.14; }
    void paint(QPainter& p, const QRectF& box, const Axis& axis, const Theme& theme) const override
    {
        p.setClipping(false);
        const bool isHigh = box.height() > 40;
        for (const double part : {0.0, 0.5, 1.0})
            if (isHigh || part != 0.5)
                axisMark(p, box, box.bottom() - box.height() * part, percentWords(top_ * part), theme);
        p.setClipRect(box);
        p.setRenderHint(QPainter::Antialiasing, false); // bars of a pixel would be stripes of half a pixel
        for (const StripMoment& moment : picture_->moments)
            paintMoment(p, box, axis, moment, theme.c);
        p.setRenderHint(QPainter::Antialiasing);
        p.setClipping(false);
    }
    std::vector<Fact> factsAt(double second, const Tokens& c) const override
    {
        const StripMoment* moment = momentAt(*picture_, second);
        if (!moment || moment->tries <= 0)
            return {};
        std::vector<Fact> facts;
        std::int64_t others = 0;
        for (std::size_t i = 0; i < std::min(moment->causes.size(), picture_->causes.size()); ++i) {
            if (i >= shown())
                others += moment->causes[i];
            else if (moment->causes[i] > 0)
                facts.push_back({picture_->causes[i].name, percentWords(shareOf(moment->causes[i], *moment)),
                                 inkOf(picture_->causes[i].look, c)});
        }
        if (others > 0)
            facts.push_back({Words::tr("others"), percentWords(shareOf(others, *moment)), c.text2});
        if (facts.empty())
            facts.push_back({Words::tr("attempts failed"), percentWords(0), c.text2});
        return facts;
    }

private:
    std::size_t shown() const { return picture_ ? std::min(kMostCauses, picture_->causes.size()) : 0; }
    static double shareOf(std::int64_t count, const StripMoment& moment)
    {
        return moment.tries > 0 ? std::min(1.0, static_cast<double>(count) / static_cast<double>(moment.tries)) : 0;
    }
    QBrush brush(std::size_t cause, const Tokens& c) const
    {
        if (cause >= shown())
            return c.text3;
        const auto look = picture_->causes[cause].look;
        const auto isSame = [look](const StripCause& other) { return other.look == look; };
        const auto begin = picture_->causes.begin();
        return brushOf(look, std::any_of(begin, begin + static_cast<std::ptrdiff_t>(cause), isSame), c);
    }
    void paintMoment(QPainter& p, const QRectF& box, const Axis& axis, const StripMoment& moment, const Tokens& c) const
    {
        if (moment.triesFailed <= 0)
            return;
        const double left = axis.xOf(moment.second);
        const double wide = std::max(1.0, axis.xOf(moment.second + moment.width) - left);
        double floor = box.bottom();
        for (std::size_t i = 0; i < std::min(moment.causes.size(), picture_->causes.size()); ++i) {
            if (moment.causes[i] <= 0)
                continue;
            const double high = std::max(1.5, box.height() * shareOf(moment.causes[i], moment) / top_);
            p.fillRect(QRectF(left, floor - high, wide > 4 ? wide - 1 : wide, high), brush(i, c));
            floor -= high;
        }
    }

    const StripPicture* picture_ = nullptr;
    double top_ = 0.01;
};

} // namespace

std::unique_ptr<Lane> makeFailureLane()
{
    return std::make_unique<FailureLane>();
}

} // namespace sg::ui::strip
