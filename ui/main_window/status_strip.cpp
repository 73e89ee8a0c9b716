// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window/status_strip.h"
#include "ui/format/format.h"
#include "ui/gateway/gateway_line.h"

namespace sg::ui {

namespace {

void put(QLabel* label, const QString& text)
{
    if (label->text() != text)
        label->setText(text);
}

} // namespace

StatusStrip::StatusStrip(ThemeContext& context, const QString& version, QWidget* parent)
    : QStatusBar(parent)
    , gateway_(new GatewayLine(context))
    , uptime_(new QLabel)
    , rate_(new QLabel)
    , inFlight_(new QLabel)
    , recorder_(new QLabel)
    , frames_(new QLabel)
    , zone_(new QLabel)
{
    setFixedHeight(24);
    setSizeGripEnabled(false);
    setContentsMargins(6, 0, 6, 0);
    gateway_->hide();
    addWidget(gateway_);
    connect(gateway_, &QAbstractButton::clicked, this, &StatusStrip::gatewayPressed);
    recorder_->setObjectName(QStringLiteral("recorder"));
    for (QLabel* label : {uptime_, rate_, inFlight_, recorder_, frames_}) {
        label->setContentsMargins(0, 0, 12, 0);
        addWidget(label);
    }
    addPermanentWidget(zone_);
    zone_->setContentsMargins(0, 0, 12, 0);
    addPermanentWidget(new QLabel(QStringLiteral("Switchgear %1").arg(version)));
}

void StatusStrip::setSnapshot(const observe::Snapshot& s, std::int64_t nowUnixMs)
{
    const QString recording =
        tr("Recording for %1").arg(format::duration(static_cast<double>(nowUnixMs - s.startedUnixMs)));
    put(uptime_, recording);
    recorder_->setToolTip(recording);
    put(rate_,
        tr("%1 req/s in").arg(s.requestsTotal > 0 ? format::rate(s.tiles.requestsPerSecond) : format::unknown()));
    put(inFlight_, tr("%1 in flight").arg(format::count(s.inFlight)));
    put(recorder_, tr("Recorder %1 dropped · lag %2")
                       .arg(format::count(static_cast<std::int64_t>(s.eventsDropped)),
                            s.recorderLagMs < 1000 ? format::number(s.recorderLagMs, 0) + format::thin() + tr("ms")
                                                   : format::duration(s.recorderLagMs)));
    put(zone_, tr("Times are local (%1)").arg(format::timeZone(nowUnixMs)));
}

void StatusStrip::setGateway(const GatewayFeed& feed, std::int64_t nowUnixMs)
{
    const bool isThere = feed.control() != nullptr;
    gateway_->setVisible(isThere);
    uptime_->setVisible(!isThere);
    if (isThere)
        gateway_->showStatus(feed.status(), nowUnixMs);
}

void StatusStrip::setFrames(int perSecond)
{
    put(frames_, tr("UI %1 fps").arg(perSecond));
}

} // namespace sg::ui
