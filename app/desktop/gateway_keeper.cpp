// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/gateway_keeper.h"

#include "ui/gateway/gateway_words.h"
#include "ui/settings/preferences.h"

namespace sg::app {

namespace {

using gateway::Phase;

constexpr std::chrono::milliseconds kTryAgainAfter{500};
constexpr int kTries = 8;

} // namespace

GatewayKeeper::GatewayKeeper(std::unique_ptr<gateway::Control> control, QString workspace,
                             const workspace::GatewaySettings& settings, ui::Preferences* preferences)
    : control_(std::move(control))
    , workspace_(std::move(workspace))
    , preferences_(preferences)
    , settings_(settings)
{
    again_.setSingleShot(true);
    again_.setInterval(kTryAgainAfter);
    connect(&again_, &QTimer::timeout, this, [this] { control_->start(); });
    connect(control_.get(), &gateway::Control::changed, this, &GatewayKeeper::follow);
}

GatewayKeeper::~GatewayKeeper()
{
    control_->disconnect(this); // how it ends with the desk says nothing about the next time
}

void GatewayKeeper::startIfItWasOn()
{
    if (!preferences_ || !preferences_->gatewayWasOn(workspace_))
        return;
    triesLeft_ = kTries;
    control_->start();
}

void GatewayKeeper::follow()
{
    const Phase phase = control_->status().phase;
    if (phase == Phase::Failed && triesLeft_ > 0) {
        --triesLeft_;
        again_.start();
    }
    if (phase == Phase::Serving || phase == Phase::Draining)
        triesLeft_ = 0;
    const bool isSettled = phase == Phase::Serving || phase == Phase::Draining || phase == Phase::Off;
    if (preferences_ && isSettled && !whenOff_) // leaving is no reason to be off the next time
        preferences_->setGatewayOn(workspace_, phase == Phase::Serving);
    if (whenOff_ && (phase == Phase::Off || phase == Phase::Failed))
        std::exchange(whenOff_, nullptr)();
}

void GatewayKeeper::settingsApplied(const workspace::GatewaySettings& settings)
{
    const bool isOther = std::exchange(settings_, settings) != settings;
    if (isOther && control_->status().phase == Phase::Failed)
        control_->start();
}

QString GatewayKeeper::lossOnLeaving() const
{
    const gateway::Status status = control_->status();
    const int left = ui::gatewaywords::underWay(status.figures);
    if (left == 0 || (status.phase != Phase::Serving && status.phase != Phase::Draining))
        return {};
    return tr("%1 through the gateway and would be cut off; its applications get no answer until it is on again.")
        .arg(ui::gatewaywords::underWayWords(left));
}

void GatewayKeeper::finish(std::function<void()> then)
{
    whenOff_ = std::move(then);
    const Phase phase = control_->status().phase;
    if (phase == Phase::Serving)
        control_->stop();
    else if (phase != Phase::Draining)
        follow();
}

} // namespace sg::app
