// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/gateway.h"
#include "core/gateway/traffic.h"

namespace sg::gateway {

enum class Phase { Off, Starting, Serving, Draining, Failed };

struct Status
{
    Phase phase = Phase::Off;
    QString url;   ///< "http://127.0.0.1:8787/v1", also of one that is off
    QString words; ///< why it failed, a sentence with the way on
    bool hasToken = false;
    bool isOpenToOthers = false; ///< listens beyond this machine
    Figures figures;
    QStringList models;                  ///< names that applications can ask for: chains first, then their models
    std::int64_t servingSinceUnixMs = 0; ///< 0: it does not
    TrafficPtr traffic{};                ///< as old as the figures, also of one that has ended; null: none is kept
};

/// The switch in the desk. GUI thread; every call returns at once.
class Control : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    virtual Status status() const = 0; ///< figures at most a second old
    virtual void start() = 0;          ///< no-op unless Off or Failed
    virtual void stop() = 0;           ///< drains; a second call cuts off

Q_SIGNALS:
    void changed(); ///< the phase or the address; figures change silently
};

} // namespace sg::gateway
