// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gateway/gateway_panel.h"

#include "ui/gateway/gateway_view.h"
#include "ui/widgets/focus_ring.h"

#include <QAbstractButton>
#include <QKeyEvent>
#include <QScrollArea>
#include <QShortcut>
#include <QVBoxLayout>

namespace sg::ui {

namespace {
constexpr int kWide = 452, kBelow = 6, kFromEdge = 8, kLowest = 240;
}

GatewayPanel::GatewayPanel(ThemeContext& context, GatewayFeed& feed, QWidget* window)
    : QDialog(window, Qt::Popup)
    , context_(context)
    , view_(new GatewayView(context, feed, true))
    , window_(window)
{
    setObjectName(QStringLiteral("gatewayPanel"));
    setWindowTitle(tr("Gateway"));
    setAccessibleName(tr("Gateway"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 1);
    scroll_ = new QScrollArea; // long words in a low window
    scroll_->setWidgetResizable(true);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->setWidget(view_);
    scroll_->viewport()->setAutoFillBackground(false);
    view_->setAutoFillBackground(false);
    column->addWidget(scroll_);
    new FocusRing(context, this);
    const auto* copy = new QShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), this);
    connect(copy, &QShortcut::activated, this, [this] { view_->copy(gatewaysnippets::Form::BaseUrl); });
    connect(view_, &GatewayView::settingsRequested, this, [this](const QString& field) {
        close();
        Q_EMIT settingsRequested(field);
    });
    connect(&feed, &GatewayFeed::changed, this, &GatewayPanel::fit);
    connect(view_, &GatewayView::heightChanged, this, &GatewayPanel::fit);
    connect(&context, &ThemeContext::changed, this, [this] { context_.applyTo(this); });
    context.applyTo(this);
}

void GatewayPanel::openBelow(const QWidget& chip)
{
    const QPoint below = chip.mapTo(window_, QPoint(0, chip.height() + kBelow));
    const int left = std::max(kFromEdge, std::min(below.x(), window_->width() - kWide - kFromEdge));
    setFixedWidth(kWide);
    move(window_->mapToGlobal(QPoint(left, below.y())));
    show();
    fit();
    view_->firstStop().setFocus(Qt::PopupFocusReason);
}

void GatewayPanel::fit()
{
    if (!isVisible())
        return;
    view_->layout()->activate();
    const int inside = kWide - 2;
    const int wanted = 2 + (view_->layout()->hasHeightForWidth() ? view_->layout()->totalHeightForWidth(inside)
                                                                 : view_->layout()->totalSizeHint().height());
    const int room = std::max(window_->height() - window_->mapFromGlobal(pos()).y() - kFromEdge, kLowest);
    // A scroll bar that is there makes the words wrap earlier, and so seems to be needed.
    scroll_->setVerticalScrollBarPolicy(wanted <= room ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    resize(kWide, std::min(wanted, room));
}

void GatewayPanel::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    auto* button = isEnter ? qobject_cast<QAbstractButton*>(focusWidget()) : nullptr;
    if (button)
        return button->click();
    if (!isEnter) // a dialog would press its first button
        QDialog::keyPressEvent(event);
}

} // namespace sg::ui
