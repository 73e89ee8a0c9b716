// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/engine_core.h"
#include "core/gateway/options.h"

namespace sg::gateway {

struct Figures
{
    int connections = 0;
    int inFlight = 0; ///< chat and passed requests that have begun, until their answer has left
    int queued = 0;
    int streams = 0; ///< of those in flight
    qint64 requests = 0;    ///< all that got an answer, or were begun: what was refused unread, too
    qint64 refused = 0;     ///< of those; see isRefused()
    qint64 clientsLeft = 0; ///< before their answer was complete
    qint64 cutOff = 0;      ///< by the gateway itself, as it stopped
    qint64 unsentBytes = 0; ///< of answers what their clients have not taken
    qint64 unreadDrops = 0; ///< clients dropped for that
    qint64 turnedAway = 0;  ///< connections over their limit that were closed before a request could be read
};

/// The local server that applications call. Lives in the engine's thread, beside the core, which outlives it.
class Gateway : public QObject
{
    Q_OBJECT
public:
    Gateway(engine::EngineCore& core, Options options, QObject* parent = nullptr);
    ~Gateway() override; ///< tells those who are still there that it stops, and drops them

    /// The port, or a sentence with the remedy.
    tl::expected<quint16, QString> listen();
    /// Another token, names, limits of the queue, errands; address, port and the server's other limits stay. Empty, or
    /// why these must not serve at the address that stays, a sentence with the way on: then everything stays as it was.
    QString reconfigure(Options options);
    /// Takes no new requests; what is under way may end within the settings' time, then it is cut off. `done` once.
    void drain(std::function<void()> done);
    /// Takes no new requests, and ends what is under way with words (503 "stopping", or the error event of a stream).
    /// `done` once, instead of drain()'s, when they have been taken, at the latest after `limit`.
    void cutOff(Nanos limit, std::function<void()> done);
    quint16 port() const;
    Figures figures() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace sg::gateway
