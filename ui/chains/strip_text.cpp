// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/strip_text.h"

#include "ui/format/format.h"
#include "ui/widgets/paint.h"

#include <QFontMetricsF>
#include <QPainter>

namespace sg::ui {

namespace {

constexpr double kIcon = 15, kText = 28, kLine = 15;

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
    setMinimumWidth(80);
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
    const bool hasTwo = QFontMetricsF(theme.font(11)).horizontalAdvance(detail_) > room;
    const double lines = detail_.isEmpty() ? 0 : hasTwo ? 2 : 1;
    const double top = (height() - 16 - lines * kLine) / 2;
    if (!icon_.isEmpty())
        p.drawPixmap(QPointF(6, (height() - kIcon) / 2),
                     iconPixmap(icon_, inkOf(tone_, theme.c), static_cast<int>(kIcon), devicePixelRatioF()));
    paint::text(p, kText, top + 12, title_, theme.font(12, true), theme.c.text, Qt::AlignLeft, room);
    if (lines > 0)
        paint::wrapped(p, QRectF(kText, top + 17, room, lines * kLine + 1), {{detail_, false, theme.c.text2}},
                       theme.font(11), theme.font(11, true), kLine);
}

} // namespace sg::ui
