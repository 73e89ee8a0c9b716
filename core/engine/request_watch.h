// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_run.h"
#include "core/http/transport.h"
#include "core/provider/chat.h"

namespace sg::engine {

struct EndpointRoute;

/// Hears what one watched request sends and gets, in the engine thread and in order of happening. What it is given may
/// hold keys: mask it before it is kept.
class RequestWatch
{
public:
    virtual ~RequestWatch() = default;
    /// The chain begins an attempt; it is not sent when its endpoint cannot be used.
    virtual void onAttempt(const chain::StartAttempt& attempt, Instant at) = 0;
    /// `leftOut`: fields of the request that the dialect cannot carry, in OpenAI's words.
    virtual void onSend(const EndpointRoute& route, const http::Request& request, const QStringList& leftOut) = 0;
    virtual void onHeaders(int status, const http::Headers& headers) = 0;
    virtual void onBody(QByteArrayView piece) = 0;
    virtual void onDelta(const provider::Delta& delta, Instant at) = 0;
    /// A sent attempt has ended, by itself or by a cancel. `said`: what its stream had said by then.
    virtual void onAttemptOver(const provider::Answer& said) = 0;
};

} // namespace sg::engine
