// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_run.h"
#include "core/provider/answer_reader.h"
#include "core/provider/chat.h"

#include <functional>
#include <memory>
#include <optional>

namespace sg::engine {

class RequestWatch;

enum class TargetKind {
    Chain,
    Endpoint, ///< straight to it: one attempt, no breaker, no retry, as an application without Switchgear would
};

struct CallTarget
{
    TargetKind kind = TargetKind::Chain;
    std::string name;
};

/// How one request ended; valid during the callback only, copy what is needed.
struct CallResult
{
    const chain::RunRecord& record;
    std::shared_ptr<const provider::Answer> answer; ///< null unless answered
    provider::Usage usage;                          ///< of the answering, or of the last, attempt; empty from cache
    std::optional<std::int64_t> costNanoUsd;        ///< all attempts; empty: unknown (no price, or no usage)
    bool costIsLowerBound = false;                  ///< an attempt's part of it is unknown
    Instant intended;                               ///< when the request was due
    std::int64_t estimatedNanoUsd = 0;              ///< the part of the cost that was estimated from characters
    QStringList leftOut{}; ///< fields that the last endpoint's dialect could not carry, in OpenAI's words
    const chain::ChainSpec* chain = nullptr; ///< as it was when the request began; null: not known
};

/// One request. The callbacks run in the engine thread.
struct Call
{
    CallTarget target;
    provider::ChatRequest request;
    Instant intended;
    /// From the commit point on, with the moment its bytes arrived; may be empty.
    std::function<void(const provider::Delta&, Instant)> onDelta;
    std::function<void(const CallResult&)> onFinished; ///< exactly once
    std::shared_ptr<RequestWatch> watch{};             ///< null: nobody looks
    /// Takes the request in the end, where freeing it takes too long for this thread; may be empty.
    std::function<void(std::shared_ptr<const provider::ChatRequest>)> disposed{};
    /// Of this request, where it is long: what is sent of it is then written beside this thread. Null: it is short.
    std::shared_ptr<const chain::RequestFacts> facts{};
};

using CallId = std::uint64_t;

} // namespace sg::engine
