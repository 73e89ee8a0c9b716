// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/entrance.h"
#include "core/gateway/gateway.h"
#include "core/gateway/route.h"
#include "core/gateway/service.h"

namespace sg::gateway {

/// Answers every route but Route::ChatCompletions: what goes on, what can be asked for, actions on breakers, embeddings
/// and the small chat. Who may ask has been decided before. Engine thread.
class ApiService
{
public:
    /// Called once for each request, perhaps before handle() returns, when its answer is complete or its client has
    /// left before that; not for one that the entrance refused or whose client left while it waited there.
    using Over = std::function<void(bool clientLeft)>;

    /// `core` and `options` outlive it; the options count as they are at the time of each request.
    /// Chats, embeddings and questions for a provider's models go through the entrance, if there is one, once they have
    /// been understood.
    ApiService(engine::EngineCore& core, const Options& options, std::function<Figures()> figures,
               Entrance* entrance = nullptr);
    ~ApiService(); ///< cancels what it has under way; `over` is not called any more

    /// Sets the responder's onClientGone where an answer takes time.
    void handle(const Routed& routed, Exchange exchange, Over over = {});
    /// Ends the streams of events; others are refused from now on. Chats and embeddings under way go on.
    void drain();
    /// Ends what is under way with words: the gateway is stopping.
    void cutOff();
    qint64 cutOffTotal() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace sg::gateway
