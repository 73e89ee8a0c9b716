// SPDX-License-Identifier: GPL-3.0-or-later
// How the strip looks.
#include "ui/load/strip/live_strip.h"

#include "ui/load/load_words.h"
#include "ui/load/run_axes.h"
#include "ui/widgets/paint.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace sg::ui {

namespace {

constexpr double kTitleBaseline = 13, kTipLine = 13; // px
constexpr double kLeastDrag = 8;

} // namespace

void LiveStrip::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = context_.theme();
    if (!picture_) {
        paint::text(p, width() / 2.0, height() / 2.0, tr("Nothing ran yet."), theme.font(11), theme.c.text3,
                    Qt::AlignHCenter);
        return;
    }
    const strip::Axis time = axis();
    paintPhases(p, time);
    paintAxis(p, time);
    for (const Band& band : bands_) {
        band.lane->paint(p, band.box, time, theme);
        p.setClipping(false);
    }
    paintNow(p, time);
    paintPhaseWords(p, time);
    for (const Band& band : bands_)
        paintTitle(p, band); // over the veil of what is yet to come
    paintCursor(p, time);
    paintDrag(p);
    if (hasFocus())
        paint::focusRing(p, QRectF(rect()).adjusted(2, 0, -2, -2), theme, 4);
}

void LiveStrip::paintAxis(QPainter& p, const strip::Axis& axis) const
{
    const Theme& theme = context_.theme();
    const int most = std::max(2, static_cast<int>((axis.right - axis.left) / 90));
    const double step = runaxes::timeStep(axis.to - axis.from, most);
    const QFontMetricsF metrics(theme.font(10.5), this);
    for (double second = std::ceil(axis.from / step - 1e-9) * step; second <= axis.to + 1e-6; second += step) {
        const double x = std::round(axis.xOf(second)) + 0.5;
        p.setPen(QPen(theme.c.line, 1));
        for (const Band& band : bands_)
            p.drawLine(QPointF(x, band.box.top()), QPointF(x, band.box.bottom()));
        const QString words = loadwords::span(second);
        const double half = metrics.horizontalAdvance(words) / 2;
        paint::text(p, std::min(x, width() - half - 3), bottom() + 17, words, theme.font(10.5), theme.c.text3,
                    Qt::AlignHCenter);
    }
}

void LiveStrip::paintPhases(QPainter& p, const strip::Axis& axis) const
{
    const Theme& theme = context_.theme();
    for (const StripPhase& phase : picture_->phases) {
        const double left = std::max(axis.left, axis.xOf(phase.from)), right = std::min(axis.right, axis.xOf(phase.to));
        if (right <= left)
            continue;
        QColor tint = phase.isCutOut ? theme.c.selected : theme.c.openTint;
        tint.setAlphaF(0.55F);
        p.fillRect(QRectF(left, kTop + kTitle, right - left, bottom() - kTop - kTitle), tint);
        p.setPen(QPen(phase.isCutOut ? theme.c.outline : theme.c.open, 1, Qt::DotLine));
        for (const double x : {left, right})
            p.drawLine(QPointF(x, kTop + kTitle), QPointF(x, bottom()));
    }
}

void LiveStrip::paintPhaseWords(QPainter& p, const strip::Axis& axis) const
{
    if (bands_.empty())
        return;
    const Theme& theme = context_.theme();
    const auto& phases = picture_->phases;
    for (std::size_t i = 0; i < phases.size(); ++i) {
        // The words of a short phase may go on after it, up to what comes next.
        const double left = std::max(axis.left, axis.xOf(phases[i].from));
        double right = i + 1 < phases.size() ? axis.xOf(phases[i + 1].from) : axis.right;
        if (const double now = axis.xOf(picture_->elapsed); picture_->isOn && now > left)
            right = std::min(right, now);
        if (axis.xOf(phases[i].to) > axis.left && right - left > 20)
            paint::text(p, left + 4, bands_.front().box.top() + 10, phases[i].words, theme.font(9.5),
                        phases[i].isCutOut ? theme.c.text2 : theme.c.open, Qt::AlignLeft, right - left - 6);
    }
}

void LiveStrip::paintTitle(QPainter& p, const Band& band) const
{
    const Theme& theme = context_.theme();
    const double baseline = band.box.top() - kTitle + kTitleBaseline;
    const QFont font = theme.font(11, true), small = theme.font(9.5);
    const QString title = band.lane->title();
    const double used = QFontMetricsF(font, this).horizontalAdvance(title);
    // On a ground of its own: the line of now and the cursor pass there.
    p.fillRect(QRectF(10, baseline - 12, width() - 10 - kRight, kTitle - 2), theme.c.card);
    paint::text(p, 12, baseline, title, font, theme.c.text);
    double x = width() - kRight;
    const auto signs = band.lane->signs(theme.c);
    for (auto sign = signs.rbegin(); sign != signs.rend(); ++sign) {
        const bool hasSample =
            sign->brush.style() != Qt::NoBrush || !sign->dashes.isEmpty() || sign->colour != theme.c.text3;
        const double wide = QFontMetricsF(small, this).horizontalAdvance(sign->name) + (hasSample ? 20 : 0);
        if (x - wide < 12 + used + 10)
            return;
        paint::text(p, x, baseline, sign->name, small, theme.c.text2, Qt::AlignRight);
        x -= wide;
        if (sign->brush.style() != Qt::NoBrush) {
            p.fillRect(QRectF(x + 6, baseline - 7.5, 9, 8), sign->brush);
        } else if (hasSample) {
            QPen pen(sign->colour, 2, Qt::SolidLine, Qt::FlatCap);
            if (!sign->dashes.isEmpty())
                pen.setDashPattern(sign->dashes);
            p.setPen(pen);
            p.drawLine(QPointF(x, baseline - 3.5), QPointF(x + 15, baseline - 3.5));
        }
        x -= 11;
    }
}

void LiveStrip::paintNow(QPainter& p, const strip::Axis& axis) const
{
    const Theme& theme = context_.theme();
    const double x = axis.xOf(picture_->elapsed);
    if (!picture_->isOn || x < axis.left || x > axis.right)
        return;
    QColor veil = theme.c.window;
    veil.setAlphaF(0.45F);
    p.fillRect(QRectF(x, kTop + kTitle, axis.right - x, bottom() - kTop - kTitle), veil);
    p.setPen(QPen(theme.c.text, 1.2));
    p.drawLine(QPointF(x, kTop + kTitle), QPointF(x, bottom()));
    const QString words = tr("now %1").arg(loadwords::span(picture_->elapsed));
    const QFont font = theme.font(9.5, true);
    const double wide = QFontMetricsF(font, this).horizontalAdvance(words) + 8;
    const double left = x + wide + 2 < axis.right ? x + 2 : x - wide - 2;
    p.fillRect(QRectF(left, kTop + kTitle + 1, wide, 14), theme.c.card);
    paint::text(p, left + 4, kTop + kTitle + 12, words, font, theme.c.text);
}

double LiveStrip::paintFacts(QPainter& p, const Band& band, double x, double lowest) const
{
    const Theme& theme = context_.theme();
    const auto facts = band.lane->factsAt(*cursor_, theme.c);
    if (facts.empty())
        return lowest;
    const QFontMetricsF plain(theme.font(10.5), this), bold(theme.font(10.5, true), this);
    double wide = 0;
    for (const strip::Fact& fact : facts)
        wide = std::max(wide, std::min(120.0, plain.horizontalAdvance(fact.name)) + bold.horizontalAdvance(fact.value));
    wide += 14 + 12;
    const double high = 8 + kTipLine * static_cast<double>(facts.size());
    // In the middle of its chart, but never over the one above and never over the axis.
    const double wanted = std::max(lowest, band.box.center().y() - high / 2);
    const double top = std::min(wanted, bottom() - high);
    const double left = x - 7 - wide > left_ ? x - 7 - wide : x + 7;
    paint::frame(p, QRectF(left, top, wide, high), theme.c.raised, theme.c.outline, 3);
    double baseline = top + 14;
    for (const strip::Fact& fact : facts) {
        paint::text(p, left + 7, baseline, fact.name, theme.font(10.5), fact.ink, Qt::AlignLeft, 120);
        paint::text(p, left + wide - 7, baseline, fact.value, theme.font(10.5, true), theme.c.text, Qt::AlignRight);
        baseline += kTipLine;
    }
    return top + high + 2;
}

void LiveStrip::paintCursor(QPainter& p, const strip::Axis& axis) const
{
    if (!cursor_)
        return;
    const Theme& theme = context_.theme();
    const double x = axis.xOf(*cursor_);
    if (x < axis.left || x > axis.right)
        return;
    p.setPen(QPen(theme.c.accent, 1, Qt::DashLine));
    p.drawLine(QPointF(x, kTop + kTitle), QPointF(x, bottom()));
    const QString words = loadwords::span(*cursor_);
    const double wide = QFontMetricsF(theme.font(10.5, true), this).horizontalAdvance(words) + 16;
    const QRectF flag(std::clamp(x - wide / 2, 2.0, width() - wide - 2), bottom() + 4, wide, 17);
    p.setPen(Qt::NoPen);
    p.setBrush(theme.c.accent);
    p.drawRoundedRect(flag, 3, 3);
    paint::text(p, flag.center().x(), flag.top() + 12.5, words, theme.font(10.5, true), theme.c.onAccent,
                Qt::AlignHCenter);
    double lowest = kTop + kTitle;
    for (const Band& band : bands_)
        lowest = paintFacts(p, band, x, lowest);
}

void LiveStrip::paintDrag(QPainter& p) const
{
    if (!dragFrom_ || !dragTo_ || std::abs(*dragTo_ - *dragFrom_) < kLeastDrag)
        return;
    const Theme& theme = context_.theme();
    QColor veil = theme.c.accent;
    veil.setAlphaF(0.16F);
    const double left = std::min(*dragFrom_, *dragTo_), right = std::max(*dragFrom_, *dragTo_);
    p.setPen(QPen(theme.c.accent, 1));
    p.setBrush(veil);
    p.drawRect(QRectF(left, kTop + kTitle, right - left, bottom() - kTop - kTitle));
}

} // namespace sg::ui
