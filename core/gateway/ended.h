// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/record.h"

#include <QByteArray>
#include <QString>

#include <functional>

namespace sg::engine {
struct CallResult;
struct PassResult;
} // namespace sg::engine

namespace sg::gateway {

struct Exchange;
struct Failure;

/// One request that is over, for logs: a chat, embeddings, or what the gateway refused. No prompt, no answer and no key
/// is in it.
struct Ended
{
    QByteArray requestId, method, path; ///< as they were sent, without the query
    int status = 0;                     ///< of a stream that had begun: what its error event stands for
    QString code{};                     ///< the error's; empty: none, or one that has none
    std::string chain{};                ///< empty: none was asked
    std::string endpoint{};             ///< that answered, or else was asked last; empty: none was asked
    chain::Source source = chain::Source::None;
    Nanos took{0};                             ///< since it was received
    Nanos queued{0};                           ///< of that, before the gateway let it in
    provider::Usage usage{};                   ///< of the answering, or of the last, attempt
    std::optional<std::int64_t> costNanoUsd{}; ///< empty: unknown
    bool costIsLowerBound = false, costIsEstimated = false;
    bool isCutOff = false;                    ///< by the gateway, as it stopped
    const chain::RunRecord* record = nullptr; ///< during the callback only; null: no chain was run
    int sentStatus{}; ///< the status line that went out: 200 with a stream that failed after its begin; 0: none did
};
using OnEnded = std::function<void(const Ended&)>;

/// Switchgear itself turned it away, and no provider was asked: the door, the queue, a chain's own limiter, tiers that
/// are all out, no descriptor for a connection. The one meaning of "refused" in figures, metrics, logs and on the
/// screen.
bool isRefused(const Ended& ended);

Ended endedOf(const Exchange& exchange, const Failure& failure);
Ended endedOf(const Exchange& exchange, const engine::CallResult& result);
Ended endedOf(const Exchange& exchange, const engine::PassResult& result);
/// Its client left, and no more is known of it.
Ended leftOf(const Exchange& exchange);
/// The same of one that the gateway has cut off as it stops.
Ended cutOff(Ended ended);

} // namespace sg::gateway
