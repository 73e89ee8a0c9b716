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
    , words_(
          new QLabel(tr("Add an endpoint, or start with the built-in simulator.\nIt needs no key and costs nothing.")))
    , ways_(new QHBoxLayout)
    , add_(new QPushButton(tr("Add endpoint")))
    , simulator_(new QPushButton(tr("Start with simulator")))
{
    auto* column = new QVBoxLayout(this);
    column->addStretch(4);
    column->addSpacing(kBladeHeight + 14);
    auto* title = new QLabel(tr("Nothing is connected yet"));
    title->setProperty("role", QStringLiteral("heading"));
    title->setAlignment(Qt::AlignCenter);
    column->addWidget(title);
    words_->setProperty("role", QStringLiteral("secondary"));
    words_->setAlignment(Qt::AlignCenter);
    column->addWidget(words_);
    column->addSpacing(8);
    ways_->setSpacing(8);
    ways_->addStretch(1);
    add_->setObjectName(QStringLiteral("addEndpoint"));
    add_->setProperty("role", QStringLiteral("primary"));
    ways_->addWidget(add_);
    simulator_->setObjectName(QStringLiteral("startSimulator"));
    ways_->addWidget(simulator_);
    ways_->addStretch(1);
    column->addLayout(ways_);
    column->addStretch(5);
    connect(add_, &QPushButton::clicked, this, &EmptyState::addEndpointRequested);
    connect(simulator_, &QPushButton::clicked, this, &EmptyState::simulatorRequested);
    connect(&context, &ThemeContext::changed, this, &EmptyState::dress);
    dress();
}

void EmptyState::setWords(const QString& words, const QString& simulatorAction)
{
    words_->setText(words);
    simulator_->setText(simulatorAction);
}

void EmptyState::offerImport()
{
    auto* import = new QPushButton(tr("Import…"));
    import->setObjectName(QStringLiteral("import"));
    ways_->insertWidget(ways_->count() - 1, import);
    connect(import, &QPushButton::clicked, this, &EmptyState::importRequested);
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
