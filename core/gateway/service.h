// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/ended.h"
#include "core/gateway/failure.h"
#include "core/http/server.h"

#include <memory>
#include <utility>

namespace sg::gateway {

/// One request that was let in, and the way to its answer. Cheap to move; a service keeps it for as long as it needs.
/// Engine thread.
struct Exchange
{
    http::ServerRequest request;
    std::shared_ptr<http::Responder> responder; ///< never null
    QByteArray requestId;                       ///< the client's own where it is sane, else ours
    http::Headers cors{};                       ///< go with every answer
    /// Its place among those that are in flight; given back when the last copy of this has gone and the answer has
    /// left. Null: it needs none.
    std::shared_ptr<void> place{};
    const OnEnded* onEnded = nullptr; ///< the gateway's, which outlives this
    bool isLong = false; ///< its body was read beside the engine thread; what has become of it is freed there too

    /// The headers that every answer carries, before those of the service.
    http::Headers headers() const
    {
        http::Headers all{{QByteArrayLiteral("x-request-id"), requestId}};
        all.insert(all.end(), cors.begin(), cors.end());
        return all;
    }
    void refuse(const Failure& failure) const; ///< answers, and tells it
    void tell(const Ended& ended) const;       ///< for logs; what is not refused is told by who answers it
};

} // namespace sg::gateway
