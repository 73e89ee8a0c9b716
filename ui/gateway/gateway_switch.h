// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/gateway_control.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>

namespace sg::ui {

/// The big switch: its knob stands left or right, and between while the gateway is on its way. What a click means is
/// the owner's.
class GatewaySwitch : public QAbstractButton
{
    Q_OBJECT
public:
    explicit GatewaySwitch(ThemeContext& context, QWidget* parent = nullptr);

    void setPhase(gateway::Phase phase);
    QSize sizeHint() const override { return {52, 28}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void nextCheckState() override {} ///< it shows what is, not what was asked for

private:
    ThemeContext& context_;
    gateway::Phase phase_ = gateway::Phase::Off;
};

} // namespace sg::ui
