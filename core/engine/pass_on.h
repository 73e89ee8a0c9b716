// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_run.h"
#include "core/engine/answer_budget.h"
#include "core/engine/bill.h"
#include "core/engine/call.h"
#include "core/engine/model_list.h"
#include "core/engine/pass_call.h"
#include "core/engine/switchboard.h"
#include "core/observe/recorder.h"
#include "core/provider/outer_members.h"

namespace sg::engine {

class EngineCore;

/// Carries out one PassCall: the way through a chain of one tier with one attempt, so that breaker, limits, pauses and
/// records are those of every request, with a body of its own on the wire.
class PassOn final : public http::Listener, public AnswerBudget::Client, public std::enable_shared_from_this<PassOn>
{
public:
    /// `endpoint` null: there is none of this name, which ends as a chain without tiers.
    PassOn(EngineCore& core, CallId id, PassCall call, const ServingEndpoint* endpoint);

    void start();
    void cancel();  ///< ends inside the call, as cancelled
    void abandon(); ///< the engine ends: nothing is told or recorded

    void setHeld(bool held) override; ///< by the budget

    void onHeaders(int status, const http::Headers& headers, Instant at) override;
    void onBody(QByteArrayView piece, Instant at) override;
    void onFinished(const http::Outcome& outcome) override;

private:
    void perform(const chain::Action& action);
    void send(const chain::StartAttempt& attempt);
    void attemptOver(const chain::AttemptResult& result);
    void finish();
    const tl::expected<QUrl, QString>& url() const;
    http::Request request();
    bool isLongList(const http::Outcome& outcome) const;
    void readBeside(const http::Outcome& outcome);
    void hideThenEnd(const chain::AttemptResult& result);
    chain::AttemptResult resultOf(const http::Outcome& outcome);
    provider::ErrorFacts readAnswer(Instant at, provider::Usage& usage);
    provider::ErrorFacts readVectors(Instant at, provider::Usage& usage) const;
    provider::ErrorFacts readModels();
    provider::ErrorFacts classified(const QByteArray& body, Instant at) const;
    provider::ErrorFacts badAnswer(std::string why) const;
    QByteArray valueOf(const provider::OuterMembers::Member& member) const;
    bool isSuccess() const { return status_ >= 200 && status_ <= 299; }
    void recordAttempts();

    EngineCore& core_;
    CallId id_;
    PassCall call_;
    std::shared_ptr<chain::EndpointState> state_;
    RoutePtr route_;
    std::optional<cost::Price> price_;
    observe::Operation operation_;
    chain::ChainRun run_;
    std::shared_ptr<http::Exchange> exchange_;
    http::Headers headers_;
    QByteArray body_;
    AnswerBudget::Share share_;          ///< of a success
    provider::OuterMembers members_;     ///< of embeddings
    std::optional<http::Timing> onWire_; ///< of an exchange that has ended while its answer is still read
    std::optional<ModelsResult> listed_; ///< by a list that was long
    std::vector<provider::ListedModel> models_;
    int status_ = 0;
    bool over_ = false;
    bool tooLong_ = false;
    bool noRoom_ = false;   ///< it was given up: the budget had none for it
    bool holdsKey_ = false; ///< the body does
};

} // namespace sg::engine
