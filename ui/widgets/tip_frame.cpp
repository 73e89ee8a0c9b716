// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tip_frame.h"

#include <QFontMetricsF>

namespace sg::ui {

namespace {

constexpr int kLine = 16, kSide = 9, kTop = 6, kMaxWidth = 360;

double widthOf(const paint::Runs& runs, const Theme& theme)
{
    double width = 0;
    for (const auto& run : runs)
        width += QFontMetricsF(theme.font(11, run.bold)).horizontalAdvance(run.text);
    return width;
}

} // namespace

namespace {

/// Breaks lines of one run that are wider than the frame may be.
std::vector<paint::Runs> broken(const std::vector<paint::Runs>& lines, const Theme& theme)
{
    std::vector<paint::Runs> out;
    for (const auto& line : lines) {
        if (line.size() != 1 || widthOf(line, theme) <= kMaxWidth - 2 * kSide - 2) {
            out.push_back(line);
            continue;
        }
        paint::Run part = line.front();
        part.text.clear();
        for (const QString& word : line.front().text.split(QLatin1Char(' '))) {
            paint::Run longer = part;
            longer.text += (part.text.isEmpty() ? QString() : QStringLiteral(" ")) + word;
            if (!part.text.isEmpty() && widthOf({longer}, theme) > kMaxWidth - 2 * kSide - 2) {
                out.push_back({part});
                longer.text = word;
            }
            part = longer;
        }
        out.push_back({part});
    }
    return out;
}

} // namespace

TipFrame::TipFrame(ThemeContext& context, QWidget* window)
    : QWidget(window)
    , context_(context)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

QSize TipFrame::wanted() const
{
    const Theme& theme = context_.theme();
    double width = widthOf(content_.title, theme);
    if (content_.tag)
        width += 10 + paint::stateTagWidth(*content_.tag, theme);
    for (const auto& line : content_.lines)
        width = std::max(width, widthOf(line, theme));
    const int lines = static_cast<int>(content_.lines.size()) + 1;
    return {std::min(kMaxWidth, static_cast<int>(width) + 2 * kSide + 2), lines * kLine + kTop + 8};
}

void TipFrame::showAt(const QPoint& anchor, Content content)
{
    content.lines = broken(content.lines, context_.theme());
    if (content != content_) {
        content_ = std::move(content);
        update();
    }
    const QSize size = wanted();
    const QRect bounds = parentWidget()->rect().adjusted(4, 4, -4, -4);
    int x = anchor.x() - size.width() / 2;
    x = std::clamp(x, bounds.left(), std::max(bounds.left(), bounds.right() - size.width()));
    int y = anchor.y() + 18;
    if (y + size.height() > bounds.bottom())
        y = anchor.y() - 14 - size.height();
    setGeometry(x, y, size.width(), size.height());
    raise();
    show();
}

void TipFrame::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    paint::frame(p, rect(), theme.c.raised, theme.c.outline, 5);
    const QFont plain = theme.font(11), bold = theme.font(11, true);
    const double room = width() - 2 * kSide;
    double y = kTop + 12;
    const double tagWidth = content_.tag ? paint::stateTagWidth(*content_.tag, theme) : 0;
    const double used = paint::runs(p, kSide, y, content_.title, plain, bold, room - (tagWidth > 0 ? tagWidth + 8 : 0));
    if (content_.tag)
        paint::stateTag(p, kSide + used + 8 + tagWidth, y - 13, *content_.tag, theme);
    for (const auto& line : content_.lines) {
        y += kLine;
        paint::runs(p, kSide, y, line, plain, bold, room);
    }
}

} // namespace sg::ui
