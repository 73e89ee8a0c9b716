// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_run.h"
#include "core/engine/answer_budget.h"
#include "core/engine/answer_key.h"
#include "core/engine/attempt_guard.h"
#include "core/engine/beside.h"
#include "core/engine/endpoint_route.h"
#include "core/engine/request_watch.h"
#include "core/observe/event.h"
#include "core/provider/answer_reader.h"
#include "core/provider/request_writer.h"

#include <functional>
#include <memory>

namespace sg::engine {

/// Sends one attempt and reads its answer: bytes to facts. Reports exactly once, unless cancelled.
class AttemptCall final : public http::Listener,
                          public AnswerBudget::Client,
                          public std::enable_shared_from_this<AttemptCall>
{
public:
    struct Handlers
    {
        std::function<void(Instant)> onCommit;
        std::function<void(const provider::Delta&, Instant)> onDelta; ///< committing and later ones
        std::function<void(const chain::AttemptResult&)> onFinished;
        std::shared_ptr<RequestWatch> watch{}; ///< null: nobody looks
    };
    AttemptCall(std::shared_ptr<const EndpointRoute> route, bool stream, observe::WallAnchor anchor, Handlers handlers);

    /// Both must outlive the call.
    struct Wire
    {
        http::Transport& transport;
        TimerQueue& timers;
        Beside& beside;
        AnswerBudget& budget;
    };
    struct Asked
    {
        const provider::ChatRequest& request;
        const provider::Needs& needs;
        /// The same where it is long, and its body is written beside this thread; null: it is short.
        std::shared_ptr<const provider::ChatRequest> shared{};
    };
    static std::shared_ptr<AttemptCall> start(Wire wire, std::shared_ptr<const EndpointRoute> route, const Asked& asked,
                                              Instant deadline, observe::WallAnchor anchor, Handlers handlers);
    /// Ends the exchange; nothing is reported any more.
    void cancel();
    void setPaused(bool paused);                               ///< reads no further; the limits on tokens stand still
    const QStringList& leftOut() const { return leftOut_; }    ///< fields that the dialect could not carry
    chain::AttemptTiming timing() const;                       ///< so far
    provider::Answer said() const;                             ///< what the stream has said so far
    const std::string& model() const { return route_->model; } ///< that was asked for

    /// What the provider will probably bill for a stream that is not complete; estimated where it has not said so.
    provider::Usage usageSoFar() const;

    void setHeld(bool held) override; ///< by the budget

    void onHeaders(int status, const http::Headers& headers, Instant at) override;
    void onBody(QByteArrayView piece, Instant at) override;
    void onFinished(const http::Outcome& outcome) override;

private:
    using Parsed = tl::expected<provider::Answer, provider::ErrorFacts>;

    void send(const Wire& wire, QByteArray body, Instant deadline, std::int64_t maxOutputTokens);
    void refuseTooLate();
    void guard(TimerQueue& timers);
    void breakOff(provider::TransportError error, std::string detail);
    void commit();
    void onDelta(const provider::Delta& delta);
    void pass(const provider::Delta& delta);
    void applyPause();
    void keep(QByteArrayView piece);
    void stopReading();
    void hideKeys(provider::ErrorFacts& error) const;
    void awaitEnd();
    bool succeeded() const { return status_ >= 200 && status_ < 300; }
    provider::AnswerContext contextAt(Instant at) const;
    chain::AttemptResult resultOf(const http::Outcome& outcome);
    chain::AttemptResult resultOfComplete();
    Parsed readStreamed();
    void readBeside(const http::Outcome& outcome);
    void conclude(const http::Outcome& outcome);

    std::shared_ptr<const EndpointRoute> route_;
    observe::WallAnchor anchor_;
    Handlers handlers_;
    std::shared_ptr<http::Exchange> exchange_;
    std::unique_ptr<provider::StreamReader> reader_; ///< set for a streamed answer
    DeltaKeys keys_;                                 ///< of what the handlers are told
    std::unique_ptr<AttemptGuard> guard_;            ///< null: the endpoint has no limits about tokens
    std::optional<Parsed> parsed_;                   ///< of a long answer
    Beside* beside_ = nullptr;
    AnswerBudget* budget_ = nullptr;
    AnswerBudget::Share share_;                      ///< of a whole answer
    std::optional<provider::TransportError> broken_; ///< the limit that ended it
    std::string brokenDetail_;
    http::Headers responseHeaders_;
    QByteArray body_;
    chain::AttemptTiming timing_;
    Instant pieceAt_{};
    QStringList leftOut_;
    std::int64_t estimatedInput_ = 0; ///< tokens
    int status_ = 0;
    bool stream_;
    bool cancelled_ = false;
    bool isPaused_ = false; ///< by the caller
    bool isHeld_ = false;   ///< by the budget
    bool noRoom_ = false;   ///< it was given up: the budget had none for it
    bool enough_ = false;   ///< what was read decides; the rest of the bytes says nothing
    bool tooLong_ = false;  ///< a whole answer larger than one attempt may hold
    bool closing_ = false;  ///< the stream has said [DONE] and the end of the exchange is awaited for a moment
};

} // namespace sg::engine
