// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/run_header.h"

#include "ui/format/format.h"
#include "ui/widgets/paint.h"

#include <QFontMetricsF>

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

double RunHeader::paintChips(QPainter& p, double right) const
{
    const Theme& theme = context_.theme();
    const QFontMetricsF plain(theme.font(10.5), p.device()), bold(theme.font(11.5, true), p.device());
    for (auto chip = content_.chips.rbegin(); chip != content_.chips.rend(); ++chip) {
        const double nameWidth = plain.horizontalAdvance(chip->name);
        const double width = nameWidth + bold.horizontalAdvance(chip->value) + 20;
        if (right - width < 260)
            break;
        paint::frame(p, QRectF(right - width, 10, width, 26), theme.c.raised, theme.c.line, 4);
        paint::text(p, right - width + 7, 27, chip->name, theme.font(10.5), theme.c.text2);
        paint::text(p, right - width + 13 + nameWidth, 27, chip->value, theme.font(11.5, true), theme.c.text);
        right -= width + 5;
    }
    return right;
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
    const double right = button_->geometry().left() - 14;
    const double room = paintChips(p, right) - 20;
    paint::text(p, 13, 24, content_.title, theme.font(14, true), theme.c.text, Qt::AlignLeft, room);
    paint::text(p, 13, 40, content_.subtitle, theme.font(10.5), theme.c.text2, Qt::AlignLeft, room);
    paintProgress(p, right);
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
    content.chips = {
        {RunHeader::tr("Success"), format::success(success) + percent},
        {QStringLiteral("p50"), format::latency(progress->p50Ms).text()},
        {QStringLiteral("p95"), format::latency(progress->p95Ms).text()},
        {QStringLiteral("p99"), format::latency(progress->p99Ms).text()},
        {RunHeader::tr("Charged"),
         loadwords::cost(progress->costUsd, progress->costIsLowerBound, progress->costIsEstimated)},
    };
    return content;
}

} // namespace sg::ui
