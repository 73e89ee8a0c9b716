// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/gateway/gateway_feed.h"
#include "ui/theme/theme.h"

#include <QDialog>

class QScrollArea;

namespace sg::ui {

class GatewayView;

/// The gateway's panel below its chip. Esc or a click beside it closes it.
class GatewayPanel : public QDialog
{
    Q_OBJECT
public:
    GatewayPanel(ThemeContext& context, GatewayFeed& feed, QWidget* window);

    void openBelow(const QWidget& chip);
    GatewayView& view() { return *view_; }

Q_SIGNALS:
    void settingsRequested(const QString& field);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fit();

    ThemeContext& context_;
    GatewayView* view_;
    QScrollArea* scroll_ = nullptr;
    QWidget* window_;
};

} // namespace sg::ui
