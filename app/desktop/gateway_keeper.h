// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/gateway_control.h"

#include <QTimer>

#include <functional>
#include <memory>

namespace sg::ui {
class Preferences;
}

namespace sg::app {

/// The gateway of one open workspace: on again when it was on as the workspace was left, and what leaving cuts off. GUI
/// thread.
class GatewayKeeper : public QObject
{
    Q_OBJECT
public:
    /// `workspace` names it among all that were ever opened; `preferences` outlives this, null: nothing is remembered.
    GatewayKeeper(std::unique_ptr<gateway::Control> control, QString workspace,
                  const workspace::GatewaySettings& settings, ui::Preferences* preferences);
    ~GatewayKeeper() override;

    gateway::Control& control() { return *control_; }
    /// Never for a workspace that is opened the first time. Another desk may be about to give the port free: a few
    /// tries.
    void startIfItWasOn();
    /// Other settings serve: what kept it from starting may be mended.
    void settingsApplied(const workspace::GatewaySettings& settings);
    /// What is under way and would be cut off, a sentence; empty: nothing.
    QString lossOnLeaving() const;
    /// Takes no new requests, and calls `then` once those under way have ended.
    void finish(std::function<void()> then);

private:
    void follow();

    std::unique_ptr<gateway::Control> control_;
    QString workspace_;
    ui::Preferences* preferences_;
    QTimer again_;
    int triesLeft_ = 0;
    workspace::GatewaySettings settings_;
    std::function<void()> whenOff_;
};

} // namespace sg::app
