// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window/rail.h"
#include "ui/widgets/paint.h"

#include <QButtonGroup>
#include <QFontMetricsF>

namespace sg::ui {

namespace {

constexpr int kWide = 80, kNarrow = 56, kHead = 53;

void paintLogo(QPainter& p, const QPointF& at, const Tokens& c)
{
    p.save();
    p.translate(at);
    p.setRenderHint(QPainter::Antialiasing);
    QColor edge = c.accent;
    edge.setAlphaF(0.5F);
    p.setPen(QPen(edge, 1));
    p.setBrush(c.accentTint);
    p.drawRoundedRect(QRectF(0.5, 0.5, 33, 33), 7, 7);
    p.setPen(QPen(c.accent, 2.2, Qt::SolidLine, Qt::FlatCap));
    p.drawLine(QPointF(4, 21), QPointF(11, 21));
    p.drawLine(QPointF(23, 21), QPointF(30, 21));
    p.setPen(QPen(c.text, 2.6, Qt::SolidLine, Qt::RoundCap));
    p.drawLine(QPointF(11, 21), QPointF(22, 13));
    p.setPen(QPen(c.accent, 1.8, Qt::SolidLine, Qt::FlatCap));
    p.drawLine(QPointF(20.5, 18.5), QPointF(25.5, 23.5));
    p.drawLine(QPointF(20.5, 23.5), QPointF(25.5, 18.5));
    p.setPen(Qt::NoPen);
    p.setBrush(c.text);
    p.drawEllipse(QPointF(11, 21), 2.6, 2.6);
    p.restore();
}

} // namespace

RailButton::RailButton(ThemeContext& context, const QString& icon, const QString& title)
    : context_(context)
    , icon_(icon)
{
    setText(title);
    setAccessibleName(title);
    setCheckable(true);
    setFixedSize(68, 56);
    setIconSize({20, 20});
    setProperty("ownFocusRing", true);
    connect(&context, &ThemeContext::changed, this, &RailButton::dress);
    dress();
}

void RailButton::dress()
{
    setIcon(iconOf(icon_, context_.c().accent, context_.c().text2));
    update();
}

void RailButton::setBadge(const PageBadge& badge)
{
    if (badge_ == badge)
        return;
    badge_ = badge;
    setAccessibleDescription(badge.words);
    showTip();
    update();
}

void RailButton::setHint(const QString& hint)
{
    hint_ = hint;
    showTip();
}

void RailButton::showTip()
{
    setToolTip(badge_.words.isEmpty() ? hint_ : hint_ + QLatin1Char('\n') + badge_.words);
}

void RailButton::setNarrow(bool isNarrow)
{
    isNarrow_ = isNarrow;
    setFixedSize(isNarrow ? 44 : 68, isNarrow ? 44 : 56);
    update();
}

RailButton::Places RailButton::placesOf(int width, bool isNarrow, double badge)
{
    constexpr int kIcon = 20, kCovers = 4; // a badge may cover the icon's corner, no more
    constexpr double kHigh = 14;
    const int left = width / 2 - kIcon / 2;
    const double from = std::min(width - 1.0 - badge, left + 16.0);
    if (!isNarrow) {
        // A wide badge moves the icon aside.
        const int iconLeft = badge > 0 ? std::min(left, static_cast<int>(from) + kCovers - kIcon) : left;
        return {QRect(iconLeft, 9, kIcon, kIcon), QRectF(from, 4, badge, kHigh)};
    }
    if (badge <= 0 || from >= left + kIcon - kCovers)
        return {QRect(left, 12, kIcon, kIcon), QRectF(from, 2, badge, kHigh)};
    return {QRect(left, 5, kIcon, kIcon), QRectF((width - badge) / 2, 27, badge, kHigh)};
}

void RailButton::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (isChecked() || underMouse()) {
        p.setPen(Qt::NoPen);
        p.setBrush(isChecked() ? theme.c.accentTint : theme.c.raised);
        p.drawRoundedRect(QRectF(rect()), 6, 6);
    }
    const QFont badgeFont = theme.font(9.5, true);
    const double wide =
        badge_.text.isEmpty() ? 0 : std::max(14.0, QFontMetricsF(badgeFont).horizontalAdvance(badge_.text) + 6);
    const Places places = placesOf(width(), isNarrow_, wide);
    icon().paint(&p, places.icon, Qt::AlignCenter, QIcon::Normal, isChecked() ? QIcon::On : QIcon::Off);
    if (!isNarrow_)
        paint::text(p, width() / 2.0, 45, text(), theme.font(10.5), isChecked() ? theme.c.text : theme.c.text2,
                    Qt::AlignHCenter, width() - 2);
    if (!badge_.text.isEmpty()) {
        const QRectF& pill = places.badge;
        p.setPen(QPen(isChecked() ? theme.c.accentTint : theme.c.bar, 1));
        p.setBrush(badge_.isAlarm ? theme.c.open : theme.c.accent);
        p.drawRoundedRect(pill, 7, 7);
        paint::text(p, pill.center().x(), pill.bottom() - 3.4, badge_.text, badgeFont,
                    badge_.isAlarm ? theme.c.window : theme.c.onAccent, Qt::AlignHCenter);
    }
    if (hasFocus())
        paint::focusRing(p, rect(), theme);
}

Rail::Rail(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , group_(new QButtonGroup(this))
    , column_(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("rail"));
    setAttribute(Qt::WA_StyledBackground);
    setFixedWidth(kWide);
    column_->setContentsMargins(0, kHead, 1, 6);
    column_->setSpacing(3);
    column_->addStretch(1);
    connect(group_, &QButtonGroup::idClicked, this, &Rail::selected);
    connect(group_, &QButtonGroup::idToggled, this, qOverload<>(&QWidget::update));
    connect(&context, &ThemeContext::changed, this, qOverload<>(&QWidget::update));
}

RailButton* Rail::add(const QString& icon, const QString& title, bool isFoot)
{
    auto* button = new RailButton(context_, icon, title);
    group_->addButton(button, static_cast<int>(buttons_.size()));
    buttons_.push_back(button);
    if (isFoot)
        column_->addWidget(button, 0, Qt::AlignHCenter);
    else
        column_->insertWidget(headCount_++, button, 0, Qt::AlignHCenter);
    return button;
}

void Rail::setCurrent(int index)
{
    if (auto* button = group_->button(index))
        button->setChecked(true);
}

void Rail::setNarrow(bool isNarrow)
{
    setFixedWidth(isNarrow ? kNarrow : kWide);
    for (auto* button : buttons_)
        button->setNarrow(isNarrow);
}

void Rail::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    const Tokens& c = context_.c();
    p.fillRect(rect(), c.bar);
    p.fillRect(QRect(width() - 1, 0, 1, height()), c.line);
    paintLogo(p, QPointF(width() / 2 - 17, 7), c);
    const auto* current = group_->checkedButton();
    if (!current)
        return;
    p.setPen(Qt::NoPen);
    p.setBrush(c.accent);
    p.drawRoundedRect(QRectF(0, current->y() + 10, 3, current->height() - 20), 1.5, 1.5);
}

} // namespace sg::ui
