// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_run.h"
#include "core/engine/bill.h"
#include "core/engine/call.h"
#include "core/engine/pass_call.h"
#include "core/engine/switchboard.h"

namespace sg::engine {

class EngineCore;

/// Carries out one PassCall: the way through a chain of one tier with one attempt, so that breaker, limits, pauses and
/// records are those of every request, with a body of its own on the wire.
class PassOn final : public http::Listener, public std::enable_shared_from_this<PassOn>
{
public:
    /// `endpoint` null: there is none of this name, which ends as a chain without tiers.
    PassOn(EngineCore& core, CallId id, PassCall call, const ServingEndpoint* endpoint);

    void start();
    void cancel();  ///< is recorded, and told to nobody
    void abandon(); ///< the engine ends: nothing is told or recorded

    void onHeaders(int status, const http::Headers& headers, Instant at) override;
    void onBody(QByteArrayView piece, Instant at) override;
    void onFinished(const http::Outcome& outcome) override;

private:
    void perform(const chain::Action& action);
    void send(const chain::StartAttempt& attempt);
    void attemptOver(const chain::AttemptResult& result);
    void finish();
    chain::AttemptResult resultOf(const http::Outcome& outcome);
    chain::AttemptResult resultOfAnswer(const http::Outcome& outcome);
    provider::ErrorFacts badAnswer(const char* why) const;

    EngineCore& core_;
    CallId id_;
    PassCall call_;
    std::shared_ptr<chain::EndpointState> state_;
    RoutePtr route_;
    std::optional<cost::Price> price_;
    std::int64_t estimatedInput_; ///< tokens
    chain::ChainRun run_;
    std::shared_ptr<http::Exchange> exchange_;
    http::Headers headers_;
    QByteArray body_;
    int status_ = 0;
    bool over_ = false;
    bool tooLong_ = false;
};

} // namespace sg::engine
