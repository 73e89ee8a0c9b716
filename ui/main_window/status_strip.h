// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"
#include "ui/gateway/gateway_feed.h"
#include "ui/theme/theme.h"

#include <QStatusBar>

class QLabel;

namespace sg::ui {

class GatewayLine;

/// The line at the bottom: how the machine itself is doing.
class StatusStrip : public QStatusBar
{
    Q_OBJECT
public:
    StatusStrip(ThemeContext& context, const QString& version, QWidget* parent = nullptr);

    void setSnapshot(const observe::Snapshot& snapshot, std::int64_t nowUnixMs);
    void setGateway(const GatewayFeed& feed, std::int64_t nowUnixMs);
    void setFrames(int perSecond);

Q_SIGNALS:
    void gatewayPressed();

private:
    GatewayLine* gateway_;
    QLabel* uptime_; ///< where there is no gateway
    QLabel* rate_;
    QLabel* inFlight_;
    QLabel* recorder_;
    QLabel* frames_;
    QLabel* zone_;
};

} // namespace sg::ui
