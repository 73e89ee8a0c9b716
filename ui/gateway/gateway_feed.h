// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/gateway_control.h"
#include "core/observe/snapshot.h"

#include <QPointer>

#include <deque>
#include <limits>

namespace sg::ui {

/// Requests in a second, from a total that is looked at now and then. Over about five seconds, so that the number can
/// be read; unknown until there is a whole second to look at.
class RequestRate
{
public:
    void add(std::int64_t unixMs, qint64 total);
    std::optional<double> perSecond() const;

private:
    struct Look
    {
        std::int64_t unixMs;
        qint64 total;
    };
    std::deque<Look> looks_;
};

/// The same as a line: one value for each of the last two minutes' seconds, without data in front.
class RequestSpark
{
public:
    void add(std::int64_t unixMs, qint64 total);
    void clear() { *this = {}; }
    const observe::Series& values() const { return values_; }

private:
    observe::Series values_ = observe::Series(observe::kSparkSeconds, std::numeric_limits<float>::quiet_NaN());
    std::int64_t lastUnixMs_ = 0; ///< 0: nothing was added yet
    qint64 lastTotal_ = 0;
};

/// The gateway as everything on screen sees it: looked at twice a second, and at once when its phase changes. Without a
/// control there is no gateway. GUI thread.
class GatewayFeed : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    void setControl(gateway::Control* control); ///< outlives it, or ends by itself; null: none
    gateway::Control* control() const { return control_; }
    const gateway::Status& status() const { return status_; }
    std::optional<double> requestsPerSecond() const { return rate_.perSecond(); }
    const observe::Series& spark() const { return spark_.values(); }
    /// The variable that holds the token, for examples; a stand-in where it is kept elsewhere.
    void setTokenVariable(const QString& name) { tokenVariable_ = name; }
    QString tokenVariable() const;
    void setChains(const QStringList& chains) { chains_ = chains; } ///< of the names, those that are chains
    const QStringList& chains() const { return chains_; }

    void tick(std::int64_t nowUnixMs);
    void start();
    void stop(); ///< a second time: cuts off
    /// What the big switch does at this moment.
    void toggle();

Q_SIGNALS:
    void phaseChanged(); ///< or the address
    void changed();      ///< anything that is shown

private:
    void look();

    QPointer<gateway::Control> control_;
    gateway::Status status_;
    RequestRate rate_;
    RequestSpark spark_;
    QString tokenVariable_;
    QStringList chains_;
    std::int64_t now_ = 0, lookedAt_ = 0;
};

} // namespace sg::ui
