// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/engine_core.h"
#include "core/engine/request_watch.h"
#include "core/engine/trace_keeper.h"
#include "core/engine/watch.h"

namespace sg::engine {

/// What is known of one watched request, as it happens. Engine thread.
class WatchedRequest final : public RequestWatch
{
public:
    static constexpr std::size_t kMostArrivals = 4096;
    WatchedRequest(std::uint64_t id, CallTarget target);

    WatchViewPtr picture(const EngineCore& core, const RunningRequest& request) const;
    WatchViewPtr lastPicture(const EngineCore& core, const CallResult& result) const;

    void onAttempt(const chain::StartAttempt& attempt, Instant at) override;
    void onSend(const EndpointRoute& route, const http::Request& request, const QStringList& leftOut) override;
    void onHeaders(int status, const http::Headers& headers) override;
    void onBody(QByteArrayView piece) override;
    void onDelta(const provider::Delta& delta, Instant at) override;
    void onAttemptOver(const provider::Answer& said) override;

private:
    std::shared_ptr<WatchView> begin(const EngineCore& core, const chain::RunRecord& record) const;
    chain::AttemptRecord current(const chain::AttemptTiming& timing, Instant now) const;

    std::uint64_t id_;
    CallTarget target_;
    TraceKeeper traces_;
    chain::StartAttempt attempt_; ///< the latest
    bool committed_ = false;
    QByteArray key_;
    provider::Answer said_;
    std::deque<Arrival> arrivals_;
    qint64 arrivalsDropped_ = 0;
};

} // namespace sg::engine
