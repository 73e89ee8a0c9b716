// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gateway/gateway_notice.h"

#include "ui/gateway/gateway_words.h"

#include <QClipboard>
#include <QGuiApplication>

namespace sg::ui {

GatewayNotice::GatewayNotice(GatewayFeed& feed, QWidget* parent)
    : Banner(parent)
    , feed_(feed)
{
    connect(&feed, &GatewayFeed::phaseChanged, this, &GatewayNotice::refresh);
}

void GatewayNotice::setWanted(bool isWanted)
{
    if (isWanted == isWanted_)
        return;
    isWanted_ = isWanted;
    shown_.clear();
    refresh();
}

void GatewayNotice::refresh()
{
    using gateway::Phase;
    if (!isWanted_ || !feed_.control())
        return clear();
    const gateway::Status& status = feed_.status();
    const QString now = gatewaywords::phaseWord(status.phase) + status.url;
    if (now == shown_)
        return;
    shown_ = now;
    const Way show{tr("Show the gateway"), [this] { Q_EMIT gatewayRequested(); }};
    switch (status.phase) {
    case Phase::Serving:
        return say(tr("No traffic yet. Applications send their requests to %1").arg(status.url),
                   {{tr("Copy the address"), [this] { copy(); }}, show}, Tone::Notice);
    case Phase::Failed:
        return say(tr("No traffic yet, and the gateway is not running: %1").arg(gatewaywords::phaseSentence(status)),
                   {show});
    case Phase::Off:
        return say(tr("No traffic yet. Applications send theirs to the gateway, which is off."),
                   {{tr("Start the gateway"), [this] { feed_.start(); }}, show}, Tone::Notice);
    case Phase::Starting:
    case Phase::Draining:
        return clear();
    }
}

void GatewayNotice::showEvent(QShowEvent* event)
{
    Banner::showEvent(event);
    Q_EMIT shownChanged(true);
}

void GatewayNotice::hideEvent(QHideEvent* event)
{
    Banner::hideEvent(event);
    Q_EMIT shownChanged(!isHidden()); // not so where only its page goes
}

void GatewayNotice::copy()
{
    QGuiApplication::clipboard()->setText(feed_.status().url);
}

} // namespace sg::ui
