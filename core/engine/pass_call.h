// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/record.h"
#include "core/http/transport.h"
#include "core/provider/request_writer.h"

#include <functional>
#include <string>

namespace sg::engine {

/// What is asked of one endpoint beside its chats.
enum class PassOperation {
    Embeddings, ///< the caller's body with the endpoint's own model in it, otherwise not understood
    ListModels, ///< which models its provider has: costs no tokens, and that it works says nothing of chats
};

/// How it ended; valid during the callback only.
struct PassResult
{
    const chain::RunRecord& record;   ///< one attempt, or why there was none; Answered: 2xx with vectors or a list
    int status = 0;                   ///< 0: no answer
    QByteArray contentType{}, body{}; ///< of embeddings as they came; keys are hidden in all of it
    std::vector<provider::ListedModel> models{};
    std::optional<std::int64_t> costNanoUsd{}; ///< empty: unknown
    bool costIsLowerBound = false;
};

/// One attempt at one endpoint, through its breaker and its limits, and recorded as a request with its attempt. That a
/// list came does not close a breaker. The callback runs in the engine thread, once, never before EngineCore::pass()
/// has returned; inside EngineCore::cancel() where that ends it.
struct PassCall
{
    std::string endpoint;
    PassOperation operation = PassOperation::Embeddings;
    QByteArray body{};            ///< of embeddings: a JSON object with something in it, and no "model"
    std::int64_t inputTokens = 0; ///< that it will probably take
    Instant intended{};
    std::function<void(const PassResult&)> onFinished{};
};

} // namespace sg::engine
