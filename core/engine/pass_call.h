// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/transport.h"
#include "core/provider/error.h"

#include <QJsonObject>

#include <functional>
#include <string>

namespace sg::engine {

/// What is passed on to an endpoint without being understood: the caller's body with the endpoint's own model in it.
enum class PassOperation { Embeddings };

struct PassResult
{
    std::string endpoint;
    provider::ErrorFacts error;        ///< disposition.error None: a 2xx answer
    int status = 0;                    ///< 0: no answer
    QByteArray contentType, body;      ///< of a 2xx answer as they came; keys in them are hidden
    std::optional<Nanos> retryAfter{}; ///< when nothing was sent: breaker open, parked, limits
};

/// One attempt at one endpoint, through its breaker and its limits, and recorded like every attempt. The callback runs
/// in the engine thread, once.
struct PassCall
{
    std::string endpoint;
    PassOperation operation = PassOperation::Embeddings;
    QJsonObject body;
    Instant intended;
    std::function<void(const PassResult&)> onFinished;
};

} // namespace sg::engine
