// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/strip/live_strip.h"

#include "ui/format/format.h"
#include "ui/load/load_words.h"
#include "ui/load/run_axes.h"
#include "ui/widgets/paint.h"

#include <QAccessible>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <cmath>

namespace sg::ui {

namespace {

constexpr double kLeastLeft = 52, kMostLeft = 118, kRight = 14, kTop = 4, kFoot = 26;
constexpr double kTitle = 18, kTitleBaseline = 13; // px of a title line over its chart
constexpr double kLeastDrag = 8;                   // px; less is a click
constexpr double kTipLine = 13;

} // namespace

LiveStrip::LiveStrip(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    lanes_.push_back(strip::makeRateLane());
    lanes_.push_back(strip::makeLatencyLane());
    lanes_.push_back(strip::makeHeatLane());
    lanes_.push_back(strip::makeStatusLane());
    lanes_.push_back(strip::makeFlightLane());
    lanes_.push_back(strip::makeBreakerLane());
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setProperty("ownFocusRing", true);
    setAccessibleName(tr("Timeline of the run. Left and right arrows move the cursor."));
    setWhatsThis(tr("Charts of the run under one time axis. Requested: what the plan asks for. Achieved: requests that "
                    "were started. Latency: percentiles of the answers of each moment, and below how many answers "
                    "took how long. Status codes: what the client got. The cursor shows one moment in all of them; "
                    "drag to zoom, double click for the whole run, T for a table."));
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
    describe();
}

LiveStrip::~LiveStrip() = default;

void LiveStrip::setPicture(StripPicturePtr picture)
{
    if (picture == picture_)
        return;
    // Time that goes backwards: another run.
    const bool isOther = !picture || (picture_ && picture->elapsed < picture_->elapsed);
    if (picture && picture->moments.size() > kMostMoments)
        picture = std::make_shared<const StripPicture>(reduced(*picture));
    picture_ = std::move(picture);
    if (isOther) {
        cursor_.reset();
        zoomed_.reset();
    }
    layOut();
    describe();
    update();
}

void LiveStrip::layOut()
{
    bands_.clear();
    if (!picture_)
        return;
    left_ = kLeastLeft;
    const QFontMetricsF metrics(context_.theme().font(9.5));
    for (const StripBreaker& breaker : picture_->breakers)
        left_ = std::clamp(metrics.horizontalAdvance(breaker.endpoint) + 18, left_, kMostLeft);
    for (const auto& lane : lanes_) {
        lane->setPicture(*picture_);
        if (lane->hasData())
            bands_.push_back({lane.get(), {}});
    }
    double spare = 0;
    const auto spread = [&] {
        spare = bottom() - kTop;
        for (const Band& band : bands_)
            spare -= band.lane->least() + kTitle;
    };
    // Where there is no room for all, the chart that says least goes: in flight, then the heat map.
    spread();
    for (const auto i : {std::size_t(4), std::size_t(2)}) {
        if (spare >= 0)
            break;
        std::erase_if(bands_, [&](const Band& band) { return band.lane == lanes_[i].get(); });
        spread();
    }
    double weights = 0;
    for (const Band& band : bands_)
        weights += band.lane->weight();
    double y = kTop;
    const double width = std::max(1.0, this->width() - left_ - kRight);
    for (Band& band : bands_) {
        const double share = weights > 0 ? band.lane->weight() / weights : 0;
        band.box = QRectF(left_, y + kTitle, width, band.lane->least() + std::max(0.0, spare) * share);
        y = band.box.bottom();
    }
}

double LiveStrip::bottom() const
{
    return height() - kFoot;
}

std::pair<double, double> LiveStrip::view() const
{
    return zoomed_.value_or(std::pair(0.0, picture_ ? std::max(1e-3, picture_->end) : 10.0));
}

strip::Axis LiveStrip::axis() const
{
    const auto [from, to] = view();
    return {left_, std::max(left_ + 1, width() - kRight), from, to};
}

void LiveStrip::setView(double from, double to)
{
    if (!picture_)
        return;
    const double end = std::max(1e-3, picture_->end);
    const double least = std::min(end, picture_->moments.empty() ? 1.0 : picture_->moments.front().width * 4);
    from = std::clamp(from, 0.0, std::max(0.0, end - least));
    to = std::clamp(to, from + least, std::max(end, from + least));
    zoomed_ = std::pair(from, to);
    if (from <= 0 && to >= end)
        zoomed_.reset();
    update();
}

void LiveStrip::showWhole()
{
    zoomed_.reset();
    update();
}

void LiveStrip::zoom(double factor)
{
    const auto [from, to] = view();
    const double centre = cursor_.value_or((from + to) / 2);
    setView(centre - (centre - from) * factor, centre + (to - centre) * factor);
}

double LiveStrip::newest() const
{
    if (!picture_ || picture_->moments.empty())
        return 0;
    const StripMoment& last = picture_->moments.back();
    return last.second + last.width / 2;
}

QStringList LiveStrip::laneTitles() const
{
    QStringList titles;
    for (const Band& band : bands_)
        titles << band.lane->title();
    return titles;
}

QString LiveStrip::cursorWords() const
{
    if (!cursor_ || !picture_)
        return {};
    QStringList parts{tr("At %1").arg(loadwords::span(*cursor_))};
    for (const Band& band : bands_)
        for (const strip::Fact& fact : band.lane->factsAt(*cursor_, context_.c()))
            parts << QStringLiteral("%1 %2").arg(fact.name, fact.value);
    return parts.join(QStringLiteral(", "));
}

void LiveStrip::describe()
{
    QString words = cursorWords();
    if (words.isEmpty())
        words = picture_ ? tr("%1 of the run shown").arg(loadwords::span(picture_->elapsed)) : tr("Nothing ran yet");
    if (words == accessibleDescription())
        return;
    setAccessibleDescription(words);
    QAccessibleEvent told(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&told);
}

DataTable LiveStrip::dataTable() const
{
    DataTable table{tr("The run, moment by moment"),
                    {{tr("at"), true},
                     {tr("requested /s"), true},
                     {tr("achieved /s"), true},
                     {tr("answered /s"), true},
                     {QStringLiteral("p50"), true},
                     {QStringLiteral("p95"), true},
                     {QStringLiteral("p99"), true},
                     {tr("in flight"), true},
                     {tr("status codes"), false}},
                    {}};
    if (!picture_)
        return table;
    const auto ms = [](std::optional<float> value) {
        return format::latency(value ? std::optional<double>(*value) : std::nullopt).text();
    };
    for (const StripMoment& m : picture_->moments) {
        QStringList statuses;
        for (std::size_t i = 0; i < std::min(m.statuses.size(), picture_->statuses.size()); ++i)
            if (m.statuses[i] > 0)
                statuses << QStringLiteral("%1 × %2").arg(picture_->statuses[i].name, format::count(m.statuses[i]));
        table.rows.push_back(
            DataTable::row({loadwords::span(m.second), m.requested ? format::rate(*m.requested) : format::unknown(),
                            format::rate(m.sent), format::rate(m.answered), ms(m.p50Ms), ms(m.p95Ms), ms(m.p99Ms),
                            format::count(std::llround(m.inFlight)), statuses.join(QStringLiteral(", "))}));
    }
    return table;
}

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

void LiveStrip::setCursorSecond(std::optional<double> second)
{
    if (second && picture_)
        second = std::clamp(*second, 0.0, std::max(0.0, picture_->elapsed));
    if (!picture_)
        second.reset();
    if (cursor_ == second)
        return;
    cursor_ = second;
    describe();
    update();
}

void LiveStrip::stepCursor(int moments)
{
    if (!picture_ || picture_->moments.empty())
        return;
    const auto& all = picture_->moments;
    const auto last = static_cast<std::ptrdiff_t>(all.size()) - 1;
    std::ptrdiff_t at = moments > 0 ? -1 : last + 1;
    if (cursor_)
        at = std::ranges::upper_bound(all, *cursor_, {}, [](const StripMoment& m) { return m.second; }) - all.begin() -
             1;
    const StripMoment& to = all[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at + moments, 0, last))];
    goTo(to.second + to.width / 2);
}

void LiveStrip::goTo(double second)
{
    setCursorSecond(second);
    const auto [from, until] = view();
    if (second < from || second > until)
        setView(second - (until - from) / 2, second + (until - from) / 2);
}

void LiveStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && picture_ && event->position().x() >= left_)
        dragFrom_ = dragTo_ = event->position().x();
}

void LiveStrip::mouseMoveEvent(QMouseEvent* event)
{
    const strip::Axis time = axis();
    const double x = event->position().x();
    if (dragFrom_) {
        dragTo_ = std::clamp(x, time.left, time.right);
        update();
    }
    const double second = time.secondAt(x);
    if (!picture_ || x < left_ || x > time.right || second > picture_->elapsed)
        return setCursorSecond(std::nullopt);
    setCursorSecond(second);
}

void LiveStrip::mouseReleaseEvent(QMouseEvent*)
{
    const auto from = std::exchange(dragFrom_, std::nullopt), to = std::exchange(dragTo_, std::nullopt);
    if (from && to && std::abs(*to - *from) >= kLeastDrag) {
        const strip::Axis time = axis();
        setView(time.secondAt(std::min(*from, *to)), time.secondAt(std::max(*from, *to)));
    }
    update();
}

void LiveStrip::mouseDoubleClickEvent(QMouseEvent*)
{
    showWhole();
}

void LiveStrip::leaveEvent(QEvent*)
{
    if (!hasFocus())
        setCursorSecond(std::nullopt);
}

void LiveStrip::keyPressEvent(QKeyEvent* event)
{
    if (!picture_ || picture_->moments.empty())
        return QWidget::keyPressEvent(event);
    const int many = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
    switch (event->key()) {
    case Qt::Key_Left:
        return stepCursor(-many);
    case Qt::Key_Right:
        return stepCursor(many);
    case Qt::Key_Home:
        return goTo(picture_->moments.front().second + picture_->moments.front().width / 2);
    case Qt::Key_End:
        return goTo(newest());
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(0.5);
    case Qt::Key_Minus:
        return zoom(2);
    case Qt::Key_0:
        return showWhole();
    case Qt::Key_Escape:
        if (cursor_)
            return setCursorSecond(std::nullopt);
        if (zoomed_)
            return showWhole();
        [[fallthrough]];
    default:
        QWidget::keyPressEvent(event);
    }
}

void LiveStrip::resizeEvent(QResizeEvent*)
{
    layOut();
}

void LiveStrip::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void LiveStrip::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    setCursorSecond(std::nullopt);
    update();
}

} // namespace sg::ui
