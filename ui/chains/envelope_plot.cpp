// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/envelope_plot.h"

#include "ui/chains/delay_words.h"
#include "ui/format/format.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/tip_frame.h"

#include <QAccessible>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sg::ui {

using policy::EnvelopeStep;

namespace {

constexpr double kTop = 15, kFoot = 36; // value labels; retry labels and legend
constexpr double kLabelSize = 9.5;
constexpr double kWidestSlot = 64; ///< one retry is a bar, not a wall
constexpr double kLabelGap = 8;

} // namespace

EnvelopePlot::EnvelopePlot(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setAccessibleName(tr("Delays before retries"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
    setPolicy({}, 0);
}

QSize EnvelopePlot::sizeHint() const
{
    return {248, 126};
}

void EnvelopePlot::setPolicy(const policy::BackoffPolicy& policy, int retries)
{
    policy_ = policy;
    envelope_ = policy::envelopeOf(policy, std::clamp(retries, 0, 1000));
    double longest = 0;
    for (const EnvelopeStep& step : envelope_.steps)
        longest = std::max(longest, step.toMs);
    top_ = delaywords::roundTop(longest, delaywords::unitFor(longest));
    if (cursor_ && *cursor_ >= count())
        cursor_.reset();
    showCursor();
    update();
}

QString EnvelopePlot::axisLabel(double part) const
{
    const auto unit = delaywords::unitFor(top_ * (1 - 1e-9));
    const double value = top_ * part / unit.ms;
    const int decimals = std::abs(value - std::round(value)) < 1e-9 ? 0 : 1;
    return format::number(value, decimals) + format::thin() + unit.name;
}

QRectF EnvelopePlot::plot() const
{
    const QFontMetricsF metrics(context_.theme().font(kLabelSize));
    const double left =
        8 + std::max(metrics.horizontalAdvance(axisLabel(1)), metrics.horizontalAdvance(axisLabel(0.5)));
    return QRectF(left, kTop, std::max(1.0, width() - left - 2.0), std::max(1.0, height() - kTop - kFoot));
}

QRectF EnvelopePlot::slotOf(int retry) const
{
    const QRectF box = plot();
    const double each = std::min(kWidestSlot, box.width() / std::max(1, count()));
    return {box.left() + retry * each, box.top(), each, box.height()};
}

double EnvelopePlot::yOf(double ms) const
{
    const QRectF box = plot();
    return box.bottom() - box.height() * std::clamp(ms / top_, 0.0, 1.0);
}

QString EnvelopePlot::rangeWords(const EnvelopeStep& step) const
{
    if (step.fromMs == step.toMs)
        return tr("waits %1").arg(delaywords::text(step.toMs));
    return tr("waits %1 to %2, %3 on average")
        .arg(delaywords::text(step.fromMs), delaywords::text(step.toMs), delaywords::text(step.meanMs));
}

QString EnvelopePlot::sentence() const
{
    if (count() == 0)
        return tr("No retries: traffic moves on at once");
    if (envelope_.worstTotalMs == 0)
        return count() == 1 ? tr("1 retry, without waiting") : tr("%1 retries, without waiting").arg(count());
    QStringList longest;
    for (const EnvelopeStep& step : envelope_.steps)
        longest << delaywords::text(step.toMs);
    if (longest.size() > 8)
        longest = longest.first(7) << QStringLiteral("…") << longest.back();
    return tr("%1 retries wait at most %2; worst total %3, %4 on average")
        .arg(count())
        .arg(longest.join(QStringLiteral(", ")), delaywords::text(envelope_.worstTotalMs),
             delaywords::text(envelope_.meanTotalMs));
}

void EnvelopePlot::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (count() == 0 || envelope_.worstTotalMs == 0) {
        const paint::Runs words{{sentence() + QLatin1Char('.'), false, theme.c.text3}};
        paint::wrapped(p, QRectF(0, height() / 2.0 - 16, width(), 34), words, theme.font(11), theme.font(11, true), 16);
    } else {
        paintAxis(p, theme);
        paintBars(p, theme);
        paintLabels(p, theme);
        paintLegend(p, theme);
    }
}

void EnvelopePlot::paintAxis(QPainter& p, const Theme& theme) const
{
    const QRectF box = plot();
    for (const double part : {0.0, 0.5, 1.0}) {
        const double y = std::round(yOf(top_ * part)) + 0.5;
        p.setPen(QPen(theme.c.line, 1));
        p.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
        paint::text(p, box.left() - 5, y + 3.5, axisLabel(part), theme.font(kLabelSize), theme.c.text3, Qt::AlignRight);
    }
}

void EnvelopePlot::paintBars(QPainter& p, const Theme& theme) const
{
    const double bottom = yOf(0);
    for (int i = 0; i < count(); ++i) {
        const EnvelopeStep& step = envelope_.steps[static_cast<std::size_t>(i)];
        const QRectF slot = slotOf(i);
        const double gap = std::min(6.0, slot.width() * 0.15);
        const double left = slot.left() + gap, right = slot.right() - gap;
        const double high = yOf(step.toMs), low = yOf(step.fromMs), mean = yOf(step.meanMs);
        if (cursor_ == i)
            p.fillRect(slot.adjusted(1, 0, -1, 0), theme.c.raised);
        p.fillRect(QRectF(QPointF(left, low), QPointF(right, bottom)), theme.c.selected); // waited in any case
        QColor band = theme.c.accent;
        band.setAlphaF(theme.dark ? 0.34 : 0.24);
        p.fillRect(QRectF(QPointF(left, high), QPointF(right, low)), band);
        p.setPen(QPen(theme.c.accent, 2));
        p.drawLine(QPointF(left, high), QPointF(right, high));
        if (step.toMs > step.fromMs) {
            QPen dashes(theme.c.text, 1.4);
            dashes.setDashPattern({2.5, 1.6});
            p.setPen(dashes);
            p.drawLine(QPointF(left, mean), QPointF(right, mean));
        }
    }
    if (cursor_) {
        p.setBrush(Qt::NoBrush);
        p.setPen(QPen(theme.c.accent, 1));
        p.drawRoundedRect(slotOf(*cursor_).adjusted(1.5, 0.5, -1.5, -0.5), 2, 2);
    }
}

void EnvelopePlot::paintLabels(QPainter& p, const Theme& theme) const
{
    const auto unit = delaywords::unitFor(top_ * (1 - 1e-9));
    const QFont font = theme.font(kLabelSize);
    const QFontMetricsF metrics(font);
    const double width = slotOf(0).width();
    const QString last = tr("retry %1").arg(count());
    const bool hasWords = metrics.horizontalAdvance(last) + 3 <= width;
    // Every so many, counted from the last: that is the longest wait.
    const auto words = [&](const EnvelopeStep& step) {
        return delaywords::number(step.toMs, unit) + format::thin() + unit.name;
    };
    double widest = metrics.horizontalAdvance(QString::number(count())) + kLabelGap;
    for (const EnvelopeStep& step : envelope_.steps)
        if (step.toMs >= top_ * 0.01)
            widest = std::max(widest, metrics.horizontalAdvance(words(step)) + kLabelGap);
    const int every = std::max(1, static_cast<int>(std::ceil(widest / width)));
    double taken = this->width() + kLabelGap; // the last one may have been moved in from the edge
    for (int i = count() - 1; i >= 0; i -= every) {
        const EnvelopeStep& step = envelope_.steps[static_cast<std::size_t>(i)];
        const QString value = words(step);
        const double half = metrics.horizontalAdvance(value) / 2;
        const double x = std::min(slotOf(i).center().x(), this->width() - half - 1);
        const bool isSeen = step.toMs >= top_ * 0.01; // less is nothing beside the others
        if (isSeen && x + half + kLabelGap / 2 <= taken) {
            paint::text(p, x, yOf(step.toMs) - 4.5, value, font, theme.c.text, Qt::AlignHCenter);
            taken = x - half;
        }
        const QString name = hasWords ? tr("retry %1").arg(i + 1) : QString::number(i + 1);
        const double nameHalf = metrics.horizontalAdvance(name) / 2;
        paint::text(p, std::min(slotOf(i).center().x(), this->width() - nameHalf - 1), plot().bottom() + 13, name, font,
                    theme.c.text3, Qt::AlignHCenter);
    }
}

void EnvelopePlot::paintLegend(QPainter& p, const Theme& theme) const
{
    const QFont font = theme.font(10.5);
    const double base = height() - 6;
    double x = 0;
    const bool isDrawn = std::ranges::any_of(envelope_.steps, [](const EnvelopeStep& s) { return s.toMs > s.fromMs; });
    if (isDrawn) {
        QColor band = theme.c.accent;
        band.setAlphaF(theme.dark ? 0.34 : 0.24);
        p.fillRect(QRectF(x, base - 8, 14, 9), band);
        x += 20 + paint::text(p, x + 20, base, tr("jitter range"), font, theme.c.text2) + 12;
        QPen dashes(theme.c.text, 1.4);
        dashes.setDashPattern({2.5, 1.6});
        p.setPen(dashes);
        p.drawLine(QPointF(x, base - 3.5), QPointF(x + 14, base - 3.5));
        x += 20 + paint::text(p, x + 20, base, tr("mean"), font, theme.c.text2) + 8;
    }
    const QString worst = tr("worst total %1").arg(delaywords::text(envelope_.worstTotalMs));
    paint::text(p, width() - 1, base, worst, font, theme.c.text, Qt::AlignRight, width() - x - 2);
}

void EnvelopePlot::setCursor(std::optional<int> retry)
{
    if (cursor_ == retry)
        return;
    cursor_ = retry;
    showCursor();
    update();
}

void EnvelopePlot::showCursor()
{
    if (!cursor_) {
        if (tip_)
            tip_->hide();
        setAccessibleDescription(sentence());
        return;
    }
    const int at = *cursor_;
    const EnvelopeStep& step = envelope_.steps[static_cast<std::size_t>(at)];
    double total = 0;
    for (int i = 0; i <= at; ++i)
        total += envelope_.steps[static_cast<std::size_t>(i)].toMs;
    const QString name = tr("Retry %1").arg(at + 1);
    const QString sum = tr("up to %1 waited by then").arg(delaywords::text(total));
    if (!tip_)
        tip_ = new TipFrame(context_, window());
    const Tokens& c = context_.c();
    TipFrame::Content content;
    content.title = {{name, true, c.text}};
    content.lines = {{{rangeWords(step), false, c.text2}}, {{sum, false, c.text2}}};
    tip_->showAt(mapTo(window(), QPointF(slotOf(at).center().x(), yOf(step.toMs)).toPoint()), std::move(content));
    setAccessibleDescription(name + QStringLiteral(": ") + rangeWords(step) + QStringLiteral(", ") + sum);
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

void EnvelopePlot::keyPressEvent(QKeyEvent* event)
{
    if (count() == 0)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left:
        return setCursor(std::max(0, cursor_.value_or(count()) - 1));
    case Qt::Key_Right:
        return setCursor(std::min(count() - 1, cursor_.value_or(-1) + 1));
    case Qt::Key_Home:
        return setCursor(0);
    case Qt::Key_End:
        return setCursor(count() - 1);
    case Qt::Key_Escape:
        if (cursor_)
            return setCursor(std::nullopt);
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void EnvelopePlot::mouseMoveEvent(QMouseEvent* event)
{
    const QRectF box = plot();
    const double x = event->position().x();
    if (count() == 0 || x < box.left() || x >= slotOf(count() - 1).right() || event->position().y() > box.bottom() + 16)
        return setCursor(std::nullopt);
    setCursor(std::min(count() - 1, static_cast<int>((x - box.left()) / slotOf(0).width())));
}

void EnvelopePlot::leaveEvent(QEvent*)
{
    setCursor(std::nullopt);
}

void EnvelopePlot::focusOutEvent(QFocusEvent* event)
{
    setCursor(std::nullopt);
    QWidget::focusOutEvent(event);
}

void EnvelopePlot::hideEvent(QHideEvent*)
{
    setCursor(std::nullopt);
}

DataTable EnvelopePlot::dataTable() const
{
    DataTable table{tr("Delays before retries"),
                    {{tr("retry"), true}, {tr("at least"), true}, {tr("mean"), true}, {tr("at most"), true}},
                    {}};
    for (int i = 0; i < count(); ++i) {
        const EnvelopeStep& step = envelope_.steps[static_cast<std::size_t>(i)];
        table.rows.push_back(DataTable::row({QString::number(i + 1), delaywords::text(step.fromMs),
                                             delaywords::text(step.meanMs), delaywords::text(step.toMs)}));
    }
    return table;
}

} // namespace sg::ui
