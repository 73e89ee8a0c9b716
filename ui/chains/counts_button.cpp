// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/counts_button.h"

#include "ui/widgets/paint.h"
#include "ui/widgets/rows_table.h"

#include <QPainter>

namespace sg::ui {

CountsButton::CountsButton(ThemeContext& context, const QString& title, QWidget* parent)
    : QAbstractButton(parent)
    , context_(context)
    , title_(title)
{
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setProperty("ownFocusRing", true);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void CountsButton::setLines(std::vector<Line> lines)
{
    lines_ = std::move(lines);
    QStringList said;
    for (const Line& line : lines_)
        said << line.text;
    setAccessibleName(title_ + QStringLiteral(": ") + said.join(QStringLiteral(", ")));
    setToolTip(tr("All findings"));
    update();
}

void CountsButton::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (underMouse() || isDown())
        paint::frame(p, QRectF(rect()).adjusted(3, 3, -3, -3), theme.c.raised, theme.c.raised, 4);
    if (hasFocus())
        paint::focusRing(p, QRectF(rect()).adjusted(2, 2, -2, -2), theme, 4);
    constexpr double kLine = 17;
    double y = (height() - kLine * (1.0 + static_cast<double>(lines_.size()))) / 2 + 12;
    paint::text(p, 12, y, title_, theme.font(12, true), theme.c.text, Qt::AlignLeft, width() - 20);
    for (const Line& line : lines_) {
        y += kLine;
        paint::text(p, 12, y, line.text, theme.font(11), inkOf(line.tone, false, theme.c), Qt::AlignLeft, width() - 20);
    }
}

} // namespace sg::ui
