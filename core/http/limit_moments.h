// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/transport.h"

namespace sg::http {

/// From when the limits run; a moment that is not set: that one does not run now.
struct LimitMoments
{
    Instant started;                     ///< total
    std::optional<Instant> connecting{}; ///< left the queue
    std::optional<Instant> waiting{};    ///< the request was sent
    std::optional<Instant> receiving{};  ///< the latest piece of the answer
    std::optional<Instant> refused{};    ///< the headers of an answer that is no success
};

struct DueLimit
{
    Instant at;
    Nanos length;
    FailureKind limit;
};

inline bool isSuccess(int status)
{
    return status >= 200 && status <= 299;
}

/// The first of the limits that run; nothing: none does.
inline std::optional<DueLimit> nextLimit(const Limits& limits, const LimitMoments& from)
{
    std::optional<DueLimit> next;
    const auto consider = [&next](const std::optional<Instant>& begin, const std::optional<Nanos>& length,
                                  FailureKind limit) {
        if (!begin || !length || *length > Instant::max() - *begin)
            return;
        if (!next || *begin + *length < next->at)
            next = DueLimit{*begin + *length, *length, limit};
    };
    consider(from.started, limits.total, FailureKind::TotalTimeout);
    consider(from.connecting, limits.connect, FailureKind::ConnectTimeout);
    consider(from.waiting, limits.firstByte, FailureKind::FirstByteTimeout);
    consider(from.receiving, limits.idle, FailureKind::IdleTimeout);
    consider(from.refused, limits.errorBody, FailureKind::ErrorBodyTimeout);
    return next;
}

} // namespace sg::http
