// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/stats/histogram.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <map>
#include <mutex>

/// What the simulator itself knows about the traffic it served. Thread-safe.
namespace sg::simulator {

class GroundTruth
{
public:
    struct Endpoint
    {
        std::int64_t requests = 0, inFlight = 0, queued = 0;
        std::int64_t complete = 0;            ///< answered as promised
        std::int64_t dropped = 0;             ///< connections ended by a fault
        std::int64_t clientGone = 0;          ///< the client left before its answer was complete
        std::int64_t overQuota = 0;           ///< among the 429
        std::map<int, std::int64_t> answered; ///< by status, all that got a status line
        std::map<QByteArray, std::int64_t> faults;
        stats::Histogram service;    ///< complete answers: last byte of the request read to last byte written
        stats::Histogram firstToken; ///< complete streams
        QString phase;
    };
    struct Connections
    {
        std::int64_t open = 0, accepted = 0, requests = 0;
    };

    /// Calls `change` with the endpoint's figures under the lock.
    template <typename Change>
    void with(const QString& endpoint, Change change)
    {
        const std::scoped_lock lock(mutex_);
        change(endpoints_[endpoint]);
    }
    void setConnections(const Connections& connections);
    /// Starts counting afresh; what is in flight stays in flight.
    void restart();
    QJsonObject toJson() const;

private:
    mutable std::mutex mutex_;
    std::map<QString, Endpoint> endpoints_;
    Connections connections_;
};

} // namespace sg::simulator
