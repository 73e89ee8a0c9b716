// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/gateway/gateway_feed.h"
#include "ui/widgets/banner.h"

namespace sg::ui {

/// Where there is no traffic yet: how applications bring some.
class GatewayNotice : public Banner
{
    Q_OBJECT
public:
    explicit GatewayNotice(GatewayFeed& feed, QWidget* parent = nullptr); ///< `feed` outlives it
    void setWanted(bool isWanted);

Q_SIGNALS:
    void gatewayRequested(); ///< its panel
    void shownChanged(bool isShown);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void refresh();
    void copy();

    GatewayFeed& feed_;
    QString shown_; ///< phase and address; put away, it stays away until they are others
    bool isWanted_ = false;
};

} // namespace sg::ui
