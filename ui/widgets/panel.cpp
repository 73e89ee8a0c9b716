// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/panel.h"
#include "ui/widgets/paint.h"

#include <QFontMetricsF>

namespace sg::ui {

Panel::Panel(ThemeContext& context, const QString& title, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , title_(title)
    , layout_(new QVBoxLayout(this))
    , head_(new QHBoxLayout)
{
    layout_->setContentsMargins(1, 1, 1, 1);
    layout_->setSpacing(0);
    head_->setContentsMargins(0, 0, 10, 0);
    head_->addSpacing(0);
    auto* strut = new QSpacerItem(0, 30, QSizePolicy::Expanding, QSizePolicy::Fixed);
    head_->addSpacerItem(strut);
    layout_->addLayout(head_);
    setAccessibleName(title);
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

void Panel::setTitle(const QString& title)
{
    if (title_ == title)
        return;
    title_ = title;
    setAccessibleName(title);
    update(0, 0, width(), 31);
}

void Panel::setSubtitle(const QString& subtitle)
{
    if (subtitle_ == subtitle)
        return;
    subtitle_ = subtitle;
    update(0, 0, width(), 31);
}

void Panel::setBody(QWidget* body)
{
    layout_->addWidget(body, 1);
}

void Panel::setCorner(QWidget* corner)
{
    head_->addWidget(corner, 0, Qt::AlignVCenter);
}

void Panel::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    paint::frame(p, rect(), theme.c.card, theme.c.line);
    const auto* corner = head_->count() > 2 ? head_->itemAt(2)->widget() : nullptr;
    const double room = (corner ? corner->geometry().left() : width()) - 22;
    const double used = paint::text(p, 13, 20, title_, theme.font(12, true), theme.c.text, Qt::AlignLeft, room);
    if (room - used > 30)
        paint::text(p, 13 + used + 8, 20, subtitle_, theme.font(11), theme.c.text3, Qt::AlignLeft, room - used - 8);
}

} // namespace sg::ui
