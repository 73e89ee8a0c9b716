// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/gateway/gateway_feed.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>

namespace sg::ui {

/// The gateway in the status bar: its sign, how long it has been up and where. A click is for its page.
class GatewayLine : public QAbstractButton
{
    Q_OBJECT
public:
    explicit GatewayLine(ThemeContext& context, QWidget* parent = nullptr);

    void showStatus(const gateway::Status& status, std::int64_t nowUnixMs);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    ThemeContext& context_;
    gateway::Phase phase_ = gateway::Phase::Off;
};

} // namespace sg::ui
