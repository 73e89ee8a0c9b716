// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>

namespace sg::app {

/// What systemd is told of a service's state (sd_notify's protocol: one datagram to $NOTIFY_SOCKET); nothing where
/// nobody asks. `state` is lines as "READY=1".
void tellServiceManager(const QByteArray& state);

} // namespace sg::app
