// SPDX-License-Identifier: GPL-3.0-or-later
// The limits of a connection that are times.
#include "core/http/connection.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>

namespace sg::http {

namespace {
constexpr Millis lingerTime{2000};
}

void Connection::sweep(Instant now)
{
    if (phase_ == Phase::Closed)
        return;
    if (socket_->bytesToWrite() > 0) {
        noteAcknowledged(now);
        if (now - unsentSince_ > shared_.limits.stallTimeout) {
            ++shared_.unreadDrops;
            return shut(true, true);
        }
    }
    if (phase_ == Phase::Reading)
        sweepReading(now);
    else if (phase_ == Phase::Lingering && !shutWhenWritten_ && now - since_ > lingerTime)
        shut(false, false);
}

/// The kernel takes more only when a third of its buffer is free: a client that reads slowly but steadily shows before.
void Connection::noteAcknowledged(Instant now)
{
    int unacknowledged = 0;
    if (::ioctl(static_cast<int>(socket_->socketDescriptor()), SIOCOUTQ, &unacknowledged) != 0)
        return;
    if (unacknowledged < unacknowledged_)
        unsentSince_ = now;
    unacknowledged_ = unacknowledged;
}

void Connection::sweepReading(Instant now)
{
    const ServerLimits& limits = shared_.limits;
    const Nanos age = now - since_;
    if (!parser_.started()) {
        if (age > limits.idleTimeout && socket_->bytesToWrite() == 0)
            shut(false, false);
        return;
    }
    if (!parser_.headersDone()) {
        if (age > limits.headerTimeout)
            refuse({408, "The headers of the request took too long."});
        return;
    }
    if (age <= limits.bodyTimeout)
        return;
    const double least = static_cast<double>(limits.minBodyRate) * std::chrono::duration<double>(age).count();
    if (static_cast<double>(parser_.bodyBytes() - bodyBefore_) < least)
        return refuse({408, "The body of the request took too long."});
    since_ = now;
    bodyBefore_ = parser_.bodyBytes();
}

std::optional<Instant> Connection::idleSince() const
{
    const bool idle = phase_ == Phase::Reading && !parser_.started() && pending_.isEmpty() &&
                      socket_->bytesAvailable() == 0 && socket_->bytesToWrite() == 0 &&
                      socket_->state() == QAbstractSocket::ConnectedState;
    return idle ? std::optional(since_) : std::nullopt;
}

} // namespace sg::http
