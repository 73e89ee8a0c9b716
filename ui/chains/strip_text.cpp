// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/strip_text.h"

#include "ui/format/format.h"
#include "ui/widgets/paint.h"

#include <QFontMetricsF>
#include <QPainter>

namespace sg::ui {

namespace {

constexpr double kIcon = 15, kText = 28, kLine = 15, kTitleLine = 16;

QColor inkOf(StripText::Tone tone, const Tokens& c)
{
    switch (tone) {
    case StripText::Tone::Accent:
        return c.accent;
    case StripText::Tone::Warned:
        return c.half;
    case StripText::Tone::Bad:
        return c.open;
    case StripText::Tone::Good:
        return c.closed;
    case StripText::Tone::Plain:
        break;
    }
    return c.text2;
}

} // namespace

StripText::StripText(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setMinimumWidth(150);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void StripText::show(const QString& icon, Tone tone, const QString& title, const QString& detail)
{
    icon_ = icon;
    tone_ = tone;
    title_ = title;
    detail_ = detail;
    setAccessibleName(title);
    setAccessibleDescription(detail);
    setToolTip(format::plainTip(detail.isEmpty() ? title : title + QLatin1Char('\n') + detail));
    update();
}

void StripText::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const double room = width() - kText - 4;
    const QFont plain = theme.font(11), bold = theme.font(12, true);
    const auto linesOf = [room](const QString& words, const QFont& font) {
        return words.isEmpty() ? 0 : QFontMetricsF(font).horizontalAdvance(words) > room ? 2 : 1;
    };
    const double titleHeight = kTitleLine * linesOf(title_, bold), detailHeight = kLine * linesOf(detail_, plain);
    const double top = (height() - titleHeight - detailHeight) / 2;
    if (!icon_.isEmpty())
        p.drawPixmap(QPointF(6, (height() - kIcon) / 2),
                     iconPixmap(icon_, inkOf(tone_, theme.c), static_cast<int>(kIcon), devicePixelRatioF()));
    paint::wrapped(p, QRectF(kText, top, room, titleHeight + 1), {{title_, true, theme.c.text}}, plain, bold,
                   kTitleLine);
    if (detailHeight > 0)
        paint::wrapped(p, QRectF(kText, top + titleHeight, room, detailHeight + 1), {{detail_, false, theme.c.text2}},
                       plain, theme.font(11, true), kLine);
}

} // namespace sg::ui
