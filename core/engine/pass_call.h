// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/record.h"
#include "core/http/transport.h"

#include <QJsonObject>

#include <functional>
#include <string>

namespace sg::engine {

/// What is passed on to an endpoint without being understood: the caller's body with the endpoint's own model in it.
enum class PassOperation { Embeddings };

/// How it ended; valid during the callback only.
struct PassResult
{
    const chain::RunRecord& record;   ///< one attempt, or why there was none; Answered: a 2xx answer that is JSON
    int status = 0;                   ///< 0: no answer
    QByteArray contentType{}, body{}; ///< of an answer as they came; keys in the body are hidden
    std::optional<std::int64_t> costNanoUsd{}; ///< empty: unknown
    bool costIsLowerBound = false;
};

/// One attempt at one endpoint, through its breaker and its limits, and recorded as a request with its attempt. The
/// callback runs in the engine thread, once, never before EngineCore::pass() has returned.
struct PassCall
{
    std::string endpoint;
    PassOperation operation = PassOperation::Embeddings;
    QJsonObject body;
    QString text; ///< what of the body costs tokens: they are estimated from its length
    Instant intended;
    std::function<void(const PassResult&)> onFinished;
};

} // namespace sg::engine
