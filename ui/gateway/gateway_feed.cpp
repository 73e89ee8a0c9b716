// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gateway/gateway_feed.h"

#include "ui/gateway/gateway_words.h"

#include <algorithm>

namespace sg::ui {

namespace {

constexpr std::int64_t kLookEveryMs = 500;
constexpr std::int64_t kGraceMs = 20; ///< a timer of 66 ms never hits 500 exactly
constexpr std::int64_t kRateOverMs = 5000;
constexpr std::int64_t kRateFromMs = 1000;

} // namespace

void RequestRate::add(std::int64_t unixMs, qint64 total)
{
    if (!looks_.empty() && (unixMs <= looks_.back().unixMs || total < looks_.back().total))
        looks_.clear(); // the clock was set, or the gateway started anew
    looks_.push_back({unixMs, total});
    while (looks_.size() > 2 && looks_[1].unixMs <= unixMs - kRateOverMs)
        looks_.pop_front();
}

std::optional<double> RequestRate::perSecond() const
{
    if (looks_.empty() || looks_.back().unixMs - looks_.front().unixMs < kRateFromMs)
        return std::nullopt;
    return static_cast<double>(looks_.back().total - looks_.front().total) * 1000 /
           static_cast<double>(looks_.back().unixMs - looks_.front().unixMs);
}

void RequestSpark::add(std::int64_t unixMs, qint64 total)
{
    constexpr std::int64_t kSecondMs = 1000;
    if (unixMs < lastUnixMs_ || total < lastTotal_) // the clock was set, or the gateway started anew
        clear();
    const std::int64_t span = unixMs - lastUnixMs_;
    if (lastUnixMs_ != 0 && span < kSecondMs - kGraceMs)
        return;
    if (lastUnixMs_ != 0) {
        const auto most = static_cast<std::int64_t>(values_.size());
        const auto seconds = std::clamp<std::int64_t>((span + kSecondMs / 2) / kSecondMs, 1, most);
        const auto rate =
            static_cast<float>(static_cast<double>(total - lastTotal_) * 1000 / static_cast<double>(span));
        values_.erase(values_.begin(), values_.begin() + seconds);
        values_.resize(observe::kSparkSeconds, rate);
    }
    lastUnixMs_ = unixMs;
    lastTotal_ = total;
}

void GatewayFeed::setControl(gateway::Control* control)
{
    if (control_)
        control_->disconnect(this);
    control_ = control;
    if (control_)
        connect(control_, &gateway::Control::changed, this, [this] {
            look();
            Q_EMIT phaseChanged();
            Q_EMIT changed();
        });
    look();
    Q_EMIT phaseChanged();
    Q_EMIT changed();
}

QString GatewayFeed::tokenVariable() const
{
    if (!status_.hasToken)
        return {};
    return tokenVariable_.isEmpty() ? QStringLiteral("SWITCHGEAR_TOKEN") : tokenVariable_;
}

void GatewayFeed::look()
{
    status_ = control_ ? control_->status() : gateway::Status{};
    lookedAt_ = now_;
}

void GatewayFeed::tick(std::int64_t nowUnixMs)
{
    now_ = nowUnixMs;
    if (!control_ || (nowUnixMs >= lookedAt_ && nowUnixMs - lookedAt_ < kLookEveryMs - kGraceMs))
        return;
    look();
    if (gatewaywords::isAnswering(status_.phase)) {
        rate_.add(nowUnixMs, status_.figures.requests);
        spark_.add(nowUnixMs, status_.figures.requests);
    } else {
        rate_ = {};
        spark_.clear();
    }
    Q_EMIT changed();
}

void GatewayFeed::start()
{
    if (control_)
        control_->start();
}

void GatewayFeed::stop()
{
    if (control_)
        control_->stop();
}

void GatewayFeed::toggle()
{
    switch (status_.phase) {
    case gateway::Phase::Off:
    case gateway::Phase::Failed:
        return start();
    case gateway::Phase::Starting:
    case gateway::Phase::Serving:
        return stop();
    case gateway::Phase::Draining:
        return; // cutting off is asked for by its own name
    }
}

} // namespace sg::ui
