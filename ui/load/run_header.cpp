// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/run_header.h"

#include "ui/format/format.h"
#include "ui/widgets/paint.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QToolTip>

namespace sg::ui {

RunHeader::RunHeader(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , button_(new RunButton(context, this))
{
    setFixedHeight(86);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void RunHeader::setContent(Content content)
{
    if (content == content_)
        return;
    content_ = std::move(content);
    setAccessibleName(content_.title);
    setAccessibleDescription(content_.line.text());
    update();
}

void RunHeader::resizeEvent(QResizeEvent*)
{
    const QSize size = button_->sizeHint();
    button_->setGeometry(width() - size.width() - 10, 10, size.width(), size.height());
}

double RunHeader::chipsRight() const
{
    return button_->geometry().left() - 14;
}

std::vector<QRectF> RunHeader::chipPlaces() const
{
    const Theme& theme = context_.theme();
    const QFontMetricsF plain(theme.font(10.5), this), bold(theme.font(11.5, true), this);
    std::vector<QRectF> places;
    double right = chipsRight();
    for (auto chip = content_.chips.rbegin(); chip != content_.chips.rend(); ++chip) {
        const double width = plain.horizontalAdvance(chip->name) + bold.horizontalAdvance(chip->value) + 20;
        if (right - width < 260)
            break;
        places.emplace_back(right - width, 10, width, 26);
        right -= width + 5;
    }
    return places;
}

double RunHeader::paintChips(QPainter& p) const
{
    const Theme& theme = context_.theme();
    auto chip = content_.chips.rbegin();
    double left = chipsRight();
    for (const QRectF& place : chipPlaces()) {
        left = place.left();
        paint::frame(p, place, theme.c.raised, theme.c.line, 4);
        paint::text(p, left + 7, 27, chip->name, theme.font(10.5), theme.c.text2);
        paint::text(p, place.right() - 7, 27, chip->value, theme.font(11.5, true), theme.c.text, Qt::AlignRight);
        ++chip;
    }
    return left;
}

bool RunHeader::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    auto chip = content_.chips.rbegin();
    for (const QRectF& place : chipPlaces()) {
        if (place.contains(help->pos()) && !chip->formula.isEmpty()) {
            QToolTip::showText(help->globalPos(), format::plainTip(chip->formula), this, place.toRect());
            return true;
        }
        ++chip;
    }
    QToolTip::hideText();
    event->ignore();
    return true;
}

void RunHeader::paintProgress(QPainter& p, double right) const
{
    const Theme& theme = context_.theme();
    const QRectF track(13, 53, right - 13, 8);
    p.setPen(Qt::NoPen);
    p.setBrush(theme.c.selected);
    p.drawRoundedRect(track, 2, 2);
    if (content_.share > 0) {
        p.setBrush(theme.c.accent);
        p.drawRoundedRect(QRectF(track.left(), track.top(), track.width() * std::min(1.0, content_.share), 8), 2, 2);
    }
    const auto& line = content_.line;
    const double half = track.width() * 0.55;
    const double used =
        paint::text(p, 13, 75, line.strongLeft, theme.font(11, true), theme.c.text, Qt::AlignLeft, half);
    paint::text(p, 13 + used + 6, 75, line.left, theme.font(11), theme.c.text2, Qt::AlignLeft, half - used - 6);
    const double strong =
        paint::text(p, right, 75, line.strongRight, theme.font(11, true), theme.c.text, Qt::AlignRight);
    paint::text(p, right - strong - (strong > 0 ? 4 : 0), 75, line.right, theme.font(11), theme.c.text2, Qt::AlignRight,
                track.width() * 0.45 - strong);
}

void RunHeader::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    paint::frame(p, rect(), theme.c.card, theme.c.line);
    const double room = paintChips(p) - 20;
    paint::text(p, 13, 24, content_.title, theme.font(14, true), theme.c.text, Qt::AlignLeft, room);
    paint::text(p, 13, 40, content_.subtitle, theme.font(10.5), theme.c.text2, Qt::AlignLeft, room);
    paintProgress(p, chipsRight());
}

namespace {

QString transportWords(const QString& name)
{
    if (name == QLatin1String("curl"))
        return QStringLiteral("libcurl");
    return name == QLatin1String("qnam") ? RunHeader::tr("Qt's transport")
                                         : RunHeader::tr("Qt's transport and libcurl");
}

} // namespace

RunHeader::Content headerContent(const load::RunProgress* progress, int number, std::int64_t nowUnixMs)
{
    RunHeader::Content content;
    if (!progress || progress->state == load::RunState::Idle) {
        content.title = RunHeader::tr("No run yet");
        content.subtitle = RunHeader::tr("The plan on the left runs as it is.");
        return content;
    }
    content.title = loadwords::title(number, progress->plan);
    content.subtitle = loadwords::subtitle(progress->plan);
    if (!progress->transport.isEmpty())
        content.subtitle += RunHeader::tr(", over %1").arg(transportWords(progress->transport));
    content.share = std::clamp(progress->share, 0.0, 1.0);
    content.line = loadwords::progressLine(*progress, nowUnixMs);
    const std::int64_t ended = progress->answered + progress->failed;
    const auto success =
        ended > 0 ? std::optional(static_cast<double>(progress->answered) / static_cast<double>(ended)) : std::nullopt;
    const QString percent = success ? QStringLiteral("\u202F%") : QString();
    using loadwords::formulaOf;
    using measure::Metric;
    content.chips = {
        {RunHeader::tr("Success"), format::success(success) + percent, formulaOf(Metric::SuccessRate)},
        {QStringLiteral("p50"), format::latency(progress->p50Ms).text(), formulaOf(Metric::Response, 50)},
        {QStringLiteral("p95"), format::latency(progress->p95Ms).text(), formulaOf(Metric::Response, 95)},
        {QStringLiteral("p99"), format::latency(progress->p99Ms).text(), formulaOf(Metric::Response, 99)},
        {RunHeader::tr("Charged"),
         loadwords::cost(progress->costUsd, progress->costIsLowerBound, progress->costIsEstimated),
         formulaOf(Metric::Cost)},
    };
    return content;
}

} // namespace sg::ui
