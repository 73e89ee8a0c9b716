// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/engine_core.h"
#include "core/gateway/chat_request.h"
#include "core/gateway/entrance.h"
#include "core/gateway/long_bodies.h"
#include "core/gateway/options.h"
#include "core/gateway/service.h"
#include "core/gateway/way_headers.h"

#include <unordered_map>

namespace sg::gateway {

/// POST /v1/chat/completions, whole and streamed, through the chain that its model names. Engine thread.
///
/// Of a stream nothing is sent before its first delta, so a failure until then is an answer with its own status; unless
/// that takes longer than the settings' beginAfter: then the stream is begun and kept alive with comments, and a
/// failure is its last event. All deltas of one turn of the event loop are one write. A client that does not read stops
/// the reading of its upstream, one that leaves ends it.
class ChatService
{
public:
    /// All outlive it; the options count as they are at the time of each request.
    ChatService(engine::EngineCore& core, Entrance& entrance, const Options& options);
    ~ChatService(); ///< cancels what it has under way; nothing is answered any more
    ChatService(const ChatService&) = delete;
    ChatService& operator=(const ChatService&) = delete;

    void handle(Exchange exchange);

    /// Ends what is under way with words (503, or the error event of a stream): the gateway is stopping.
    void cutOff();

    int streams() const { return streams_; }
    qint64 clientsLeft() const { return clientsLeft_ + bodies_.clientsLeft(); }
    qint64 cutOffTotal() const { return cutOffs_ + bodies_.cutOffTotal(); }

private:
    class Running;
    using RunningPtr = std::shared_ptr<Running>;

    void asked(tl::expected<ChatAsk, Failure> ask, Exchange exchange);
    void start(ChatAsk ask, Destination destination, Exchange exchange);
    void said(Running& running, const provider::Delta& delta);
    void beginWith(Running& running);
    void finished(Running& running, const engine::CallResult& result);
    void sendWhole(Running& running, http::Headers headers, const engine::CallResult& result);
    void endStream(Running& running, const Way& way, const engine::CallResult& result);
    void endCutOff(Running& running);
    void left(quint64 number);
    void wakeAt(Running& running, Instant due);
    void timeToSpeak(Running& running);
    void flushLater(Running& running);
    void flushAll();
    void pause(Running& running);
    void goOn(Running& running);

    engine::EngineCore& core_;
    Entrance& entrance_;
    const Options& options_;
    std::unordered_map<quint64, RunningPtr> running_;
    std::vector<quint64> toFlush_;
    QObject context_; ///< calls that are queued end with the service
    quint64 next_ = 0;
    int streams_ = 0;
    qint64 clientsLeft_ = 0, cutOffs_ = 0;
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
    LongBodies bodies_; ///< ends first: it knows those who are read
};

} // namespace sg::gateway
