// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/curl_loop.h"
#include "core/http/deadlines.h"

#include <deque>

namespace sg::http {

struct CurlOrigin;

/// What an exchange needs from its transport.
class CurlOwner
{
public:
    virtual ~CurlOwner() = default;
    virtual CurlLoop& loop() = 0; ///< there is one where a transfer was dispatched
    /// The exchange is over for its listener; its transfer may still have to end.
    virtual void over(CurlExchange& exchange) = 0;

    Deadlines deadlines;
    Mailbox mailbox;
};

/// What the caller holds: gives its listener what the loop tells of one transfer. The transport's thread.
class CurlExchange final : public Exchange, public Deadlines::Client, public std::enable_shared_from_this<CurlExchange>
{
public:
    CurlExchange(CurlOwner& owner, Request request, std::shared_ptr<Listener> listener);

    CurlOrigin* origin = nullptr; ///< null: it is refused
    void begin();                 ///< waits in the queue: the total limit runs
    void dispatch(std::shared_ptr<const CurlRoute> route);
    void failLater(Verdict verdict);
    void take(CurlEvent event);
    void finish(Verdict verdict, Instant at);
    bool isOver() const { return !listener_; }
    bool isOnWire() const { return transfer_ != nullptr; } ///< until the loop has told of its end
    bool wasDispatched() const { return wasDispatched_; }

    void cancel() override;
    void setPaused(bool paused) override;
    Timing timing() const override;
    void onDeadline(Instant now) override;

private:
    void drain();
    void give(CurlEvent& event);
    bool mayGive(const CurlEvent& event) const;
    void deliver(const CurlEvent::Head& head, Instant at);
    void deliver(const CurlEvent::Piece& piece, Instant at);
    void armTotal();

    CurlOwner* owner_;
    Request request_;
    std::shared_ptr<Listener> listener_;
    std::shared_ptr<CurlTransfer> transfer_;
    std::deque<CurlEvent> waiting_; ///< what a pause holds back
    Timing timing_;
    int status_ = 0;
    qint64 bodyBytes_ = 0;
    QString certificate_;
    bool wasDispatched_ = false;
    bool paused_ = false;
    bool draining_ = false;
};

} // namespace sg::http
