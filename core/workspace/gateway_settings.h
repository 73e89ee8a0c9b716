// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/time.h"
#include "core/workspace/key_ref.h"

#include <QStringList>

namespace sg::workspace {

/// The "gateway" of a workspace: where applications reach its chains.
struct GatewaySettings
{
    QString address = QStringLiteral("127.0.0.1"); ///< to listen on; any but this machine's own needs a token
    quint16 port = 8787;                           ///< 0: a free one
    KeyRef token{};                                ///< None: no token; actions on breakers are refused then
    QStringList hosts{};   ///< names and addresses, without port, by which it is called beside the loopback ones
    QStringList origins{}; ///< of pages in browsers that may call it ("https://desk.example"); none by default
    /// A streamed request that has waited this long is begun (status 200) and kept alive with comments, so that no
    /// client or proxy gives up on it; a failure is then an event in the stream. Empty: never before the first token.
    std::optional<Nanos> beginAfter{std::chrono::seconds(10)};
    Nanos keepAlive{std::chrono::seconds(10)}; ///< between two comments in a stream that says nothing
    Nanos drain{std::chrono::seconds(30)};     ///< what is under way has this long when the gateway stops
    int maxInFlight = 1024;                    ///< requests; more wait in the queue
    int maxQueued = 100;                       ///< more are refused with 503
    Nanos maxQueueWait{std::chrono::seconds(30)};
    bool operator==(const GatewaySettings&) const = default;
};

} // namespace sg::workspace
