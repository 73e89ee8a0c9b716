// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_run.h"
#include "core/engine/switchboard.h"
#include "core/gateway/failure.h"
#include "core/provider/chat.h"

#include <tl/expected.hpp>

namespace sg::gateway {

/// A chat completion as an application asked for it.
struct ChatAsk
{
    QString model; ///< as it was written
    provider::ChatRequest request;
    bool includeUsage = false;                          ///< stream_options.include_usage
    std::shared_ptr<const chain::RequestFacts> facts{}; ///< null: none were made
};

/// The body of POST /v1/chat/completions. What is wrong is the caller's fault, with the field.
tl::expected<ChatAsk, Failure> readChat(const QByteArray& body);
/// The same with its facts where it is long; the second also with what a cache looks it up by. Any thread.
tl::expected<ChatAsk, Failure> readLongChat(const QByteArray& body);
tl::expected<ChatAsk, Failure> readLongChatForCache(const QByteArray& body);

/// Where a model name leads: a chain of this name, else the first chain with a tier that serves this model (that tier
/// is then asked first), else the endpoint's own name in a chain. Nothing: 404 that names what there is.
struct Destination
{
    engine::CallTarget target;
    std::string preferredTier{};
};
tl::expected<Destination, Failure> destinationOf(const QString& model, const engine::Switchboard& switchboard);

} // namespace sg::gateway
