// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/empty_state.h"
#include "ui/widgets/paint.h"

namespace sg::ui {

namespace {

constexpr int kBladeHeight = 76;

}

EmptyState::EmptyState(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , add_(new QPushButton(tr("Add endpoint")))
{
    auto* column = new QVBoxLayout(this);
    column->addStretch(4);
    column->addSpacing(kBladeHeight + 14);
    auto* title = new QLabel(tr("Nothing is connected yet"));
    title->setProperty("role", QStringLiteral("heading"));
    title->setAlignment(Qt::AlignCenter);
    column->addWidget(title);
    auto* words =
        new QLabel(tr("Add an endpoint, or start with the built-in simulator.\nIt needs no key and costs nothing."));
    words->setProperty("role", QStringLiteral("secondary"));
    words->setAlignment(Qt::AlignCenter);
    column->addWidget(words);
    column->addSpacing(8);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addStretch(1);
    add_->setObjectName(QStringLiteral("addEndpoint"));
    add_->setProperty("role", QStringLiteral("primary"));
    row->addWidget(add_);
    auto* simulator = new QPushButton(tr("Start with simulator"));
    simulator->setObjectName(QStringLiteral("startSimulator"));
    row->addWidget(simulator);
    row->addStretch(1);
    column->addLayout(row);
    column->addStretch(5);
    connect(add_, &QPushButton::clicked, this, &EmptyState::addEndpointRequested);
    connect(simulator, &QPushButton::clicked, this, &EmptyState::simulatorRequested);
    connect(&context, &ThemeContext::changed, this, &EmptyState::dress);
    dress();
}

void EmptyState::dress()
{
    add_->setIcon(iconOf(QStringLiteral("plus"), context_.c().onAccent, {}, 12));
    add_->setIconSize({12, 12});
    update();
}

void EmptyState::paintEvent(QPaintEvent*)
{
    const Theme& theme = context_.theme();
    QPainter p(this);
    paint::frame(p, rect(), theme.c.card, theme.c.line);
    const double bottom = layout()->itemAt(2)->geometry().top() - 14;
    // Painted apart: parts that overlap would show through each other.
    const double ratio = devicePixelRatioF();
    QPixmap picture(QSize(180, kBladeHeight) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter blade(&picture);
    paint::BladeFacts open;
    open.state = policy::BreakerState::Open;
    paint::blade(blade, QRectF(0, 0, 180, kBladeHeight), open, theme.c, theme.c.card);
    blade.end();
    p.setOpacity(0.75);
    p.drawPixmap(QPointF(width() / 2.0 - 90, bottom - kBladeHeight + 14), picture);
}

} // namespace sg::ui
