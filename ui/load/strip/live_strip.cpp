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

#include <cmath>

namespace sg::ui {

namespace {

constexpr double kLeastLeft = 52, kMostLeft = 118, kFoot = 26; // px
constexpr double kAir = 7;                                     // px under each chart
constexpr double kLeastDrag = 8;                               // px; less is a click

/// "200 × 12, 503 × 1".
template <typename Named>
QString countsOf(const std::vector<std::int64_t>& counts, const std::vector<Named>& names)
{
    QStringList parts;
    for (std::size_t i = 0; i < std::min(counts.size(), names.size()); ++i)
        if (counts[i] > 0)
            parts << QStringLiteral("%1 × %2").arg(names[i].name, format::count(counts[i]));
    return parts.join(QStringLiteral(", "));
}

} // namespace

LiveStrip::LiveStrip(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    lanes_.push_back(strip::makeRateLane());
    lanes_.push_back(strip::makeLatencyLane());
    lanes_.push_back(strip::makeHeatLane());
    lanes_.push_back(strip::makeFailureLane());
    lanes_.push_back(strip::makeStatusLane());
    lanes_.push_back(strip::makeFlightLane());
    lanes_.push_back(strip::makeBreakerLane());
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setProperty("ownFocusRing", true);
    setAccessibleName(tr("Timeline of the run. Left and right arrows move the cursor."));
    setWhatsThis(tr("Charts of the run under one time axis. Requested: what the plan asks for. Achieved: requests that "
                    "were started. Latency: percentiles of the answers of each moment, and below how many answers "
                    "took how long. Attempts that failed: their share of all attempts of the moment, by cause; the "
                    "chain may have answered all the same. Status codes: what the client got. The cursor shows one "
                    "moment in all of them; "
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
            spare -= band.lane->least() + kTitle + kAir;
    };
    // Where there is no room for all, the chart that says least goes: in flight, then the heat map, then
    // why attempts failed.
    spread();
    for (const auto i : {std::size_t(5), std::size_t(2), std::size_t(3)}) {
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
        y = band.box.bottom() + kAir;
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
                     {tr("due /s"), true},
                     {tr("achieved /s"), true},
                     {tr("answered /s"), true},
                     {QStringLiteral("p50"), true},
                     {QStringLiteral("p95"), true},
                     {QStringLiteral("p99"), true},
                     {tr("in flight"), true},
                     {tr("status codes"), false},
                     {tr("attempts"), true},
                     {tr("failed attempts"), false}},
                    {}};
    if (!picture_)
        return table;
    const auto rateOf = [](std::optional<double> rate) { return rate ? format::rate(*rate) : format::unknown(); };
    const auto ms = [](std::optional<float> value) {
        return format::latency(value ? std::optional<double>(*value) : std::nullopt).text();
    };
    for (const StripMoment& m : picture_->moments) {
        table.rows.push_back(DataTable::row(
            {loadwords::span(m.second), rateOf(askedAt(*picture_, m.second)),
             rateOf(m.due ? std::optional<double>(*m.due) : std::nullopt), format::rate(m.sent),
             format::rate(m.answered), ms(m.p50Ms), ms(m.p95Ms), ms(m.p99Ms), format::count(std::llround(m.inFlight)),
             countsOf(m.statuses, picture_->statuses), format::count(m.tries), countsOf(m.causes, picture_->causes)}));
    }
    return table;
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
