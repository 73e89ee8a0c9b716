// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gateway/gateway_chip.h"

#include "ui/format/format.h"
#include "ui/gateway/gateway_words.h"
#include "ui/widgets/paint.h"

#include <QClipboard>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>

#include <cmath>

namespace sg::ui {

namespace {

using gateway::Phase;

constexpr double kMark = 9, kInset = 9, kGap = 8;
constexpr double kText = 11.5, kMono = 11;

} // namespace

GatewayButton::GatewayButton(ThemeContext& context, QWidget* parent)
    : QAbstractButton(parent)
    , context_(context)
{
    setObjectName(QStringLiteral("gateway"));
    setFixedHeight(26);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setStatus({});
}

void GatewayButton::setStatus(const gateway::Status& status)
{
    const QString before = words() + url();
    status_ = status;
    setAccessibleName(gatewaywords::chipName(status));
    setAccessibleDescription(tr("Opens the gateway's panel"));
    setToolTip(format::plainTip(gatewaywords::chipName(status)));
    if (before != words() + url())
        updateGeometry();
    update();
}

void GatewayButton::setUrlShown(bool isShown)
{
    if (isShown == isUrlShown_)
        return;
    isUrlShown_ = isShown;
    updateGeometry();
    update();
}

QString GatewayButton::words() const
{
    const QString word = gatewaywords::phaseWord(status_.phase);
    if (status_.phase != Phase::Draining)
        return word;
    const int left = gatewaywords::underWay(status_.figures);
    return left == 0 ? word : tr("%1, %2 left").arg(word, format::count(left));
}

QString GatewayButton::url() const
{
    // Where nobody answers there is nothing to read; the panel still has it.
    return isUrlShown_ && gatewaywords::isAnswering(status_.phase) ? status_.url : QString();
}

QSize GatewayButton::sizeHint() const
{
    const Theme& theme = context_.theme();
    double width = kInset + kMark + kGap + QFontMetricsF(theme.font(kText)).horizontalAdvance(tr("Gateway ")) +
                   QFontMetricsF(theme.font(kText, true)).horizontalAdvance(words()) + kGap;
    if (!url().isEmpty())
        width += 1 + kGap + QFontMetricsF(theme.mono(kMono)).horizontalAdvance(url()) + kGap;
    return {static_cast<int>(std::ceil(width)), 26};
}

void GatewayButton::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (underMouse())
        paint::frame(p, rect(), theme.c.raised, theme.c.raised, 4);
    const double middle = height() / 2.0, baseline = middle + 4.3;
    gatewaywords::phaseMark(p, QPointF(kInset + kMark / 2, middle + 0.5), kMark, status_.phase, theme.c);
    double x = kInset + kMark + kGap;
    x += paint::text(p, x, baseline, tr("Gateway "), theme.font(kText), theme.c.text2);
    x += paint::text(p, x, baseline, words(), theme.font(kText, true), gatewaywords::phaseInk(status_.phase, theme.c)) +
         kGap;
    if (url().isEmpty())
        return;
    p.fillRect(QRectF(std::round(x), 5, 1, height() - 10), theme.c.line);
    paint::text(p, x + 1 + kGap, baseline, url(), theme.mono(kMono), theme.c.text);
}

void GatewayButton::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return click();
    QAbstractButton::keyPressEvent(event);
}

GatewayChip::GatewayChip(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , button_(new GatewayButton(context))
    , copy_(new QPushButton)
{
    setObjectName(QStringLiteral("chip"));
    setAttribute(Qt::WA_StyledBackground);
    setFixedHeight(28);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(1, 0, 3, 0);
    row->setSpacing(0);
    copy_->setObjectName(QStringLiteral("iconButton"));
    copy_->setStyleSheet(QStringLiteral("min-height: 0; padding: 0;"));
    copy_->setFixedSize(22, 22);
    copy_->setIconSize({13, 13});
    copy_->setToolTip(tr("Copy the gateway's address (Ctrl Shift C)"));
    copy_->setAccessibleName(tr("Copy the gateway's address"));
    row->addWidget(button_);
    row->addWidget(copy_);
    connect(button_, &QAbstractButton::clicked, this, &GatewayChip::pressed);
    connect(copy_, &QPushButton::clicked, this, &GatewayChip::copyUrl);
    connect(&context, &ThemeContext::changed, this, &GatewayChip::dress);
    dress();
}

void GatewayChip::setFeed(GatewayFeed& feed)
{
    feed_ = &feed;
    connect(&feed, &GatewayFeed::changed, this, &GatewayChip::follow);
    follow();
}

void GatewayChip::follow()
{
    const auto wide = [this] { return button_->sizeHint().width() + (copy_->isHidden() ? 0 : copy_->width()); };
    const int before = wide();
    button_->setStatus(feed_->status());
    copy_->setVisible(gatewaywords::isAnswering(feed_->status().phase)); // before that the panel has the address
    setVisible(feed_->control() != nullptr);
    if (before != wide())
        Q_EMIT wordsChanged();
}

void GatewayChip::dress()
{
    copy_->setIcon(iconOf(QStringLiteral("copy"), context_.c().text2, {}, 13));
    button_->update();
}

void GatewayChip::copyUrl()
{
    if (!url().isEmpty())
        QGuiApplication::clipboard()->setText(url());
}

} // namespace sg::ui
