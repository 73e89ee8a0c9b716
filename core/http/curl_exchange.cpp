// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/curl_exchange.h"

namespace sg::http {

namespace {

CurlRequest forTheWire(Request& request)
{
    QUrl url = std::exchange(request.url, {});
    url.setUserInfo(QString());
    url.setFragment(QString());
    QByteArray address = url.toEncoded();
    address.detach();
    return {std::move(request.method), std::move(address), std::move(request.headers),
            std::move(request.body),   request.limits,     request.isStream,
            request.tellCertificate};
}

} // namespace

CurlExchange::CurlExchange(CurlOwner& owner, Request request, std::shared_ptr<Listener> listener)
    : owner_(&owner)
    , request_(std::move(request))
    , listener_(std::move(listener))
{
    timing_.dispatched = steadyNow();
}

void CurlExchange::begin()
{
    armTotal();
}

void CurlExchange::dispatch(std::shared_ptr<const CurlRoute> route)
{
    owner_->deadlines.disarm(*this); // the loop keeps all limits, where bytes arrive
    wasDispatched_ = true;
    transfer_ = std::make_shared<CurlTransfer>(forTheWire(request_), std::move(route), this, timing_.dispatched);
    transfer_->flow.setPaused(paused_);
    owner_->loop().start(transfer_);
}

void CurlExchange::failLater(Verdict verdict)
{
    owner_->mailbox.post([self = shared_from_this(), verdict = std::move(verdict)]() mutable {
        self->finish(std::move(verdict), steadyNow());
    });
}

/// Of one that is over for its listener only its end still counts, and that for the transport.
void CurlExchange::take(CurlEvent event)
{
    auto* const done = std::get_if<CurlEvent::Done>(&event.what);
    if (done) {
        timing_ = timing();
        transfer_.reset();
    }
    if (isOver())
        return;
    if (done && done->isAbrupt)
        return finish(std::move(done->verdict), event.at);
    waiting_.push_back(std::move(event));
    drain();
}

void CurlExchange::drain()
{
    if (std::exchange(draining_, true))
        return;
    const auto self = shared_from_this(); // a callback may drop the last other owner
    while (!isOver() && !waiting_.empty() && mayGive(waiting_.front())) {
        CurlEvent event = std::move(waiting_.front());
        waiting_.pop_front();
        give(event);
    }
    draining_ = false;
    if (!isOver() && !waiting_.empty() && !transfer_)
        armTotal(); // the loop has done with it, and its limit still runs
}

bool CurlExchange::mayGive(const CurlEvent& event) const
{
    return !paused_ || !std::holds_alternative<CurlEvent::Piece>(event.what);
}

void CurlExchange::give(CurlEvent& event)
{
    if (const auto* head = std::get_if<CurlEvent::Head>(&event.what))
        deliver(*head, event.at);
    else if (const auto* piece = std::get_if<CurlEvent::Piece>(&event.what))
        deliver(*piece, event.at);
    else
        finish(std::move(std::get<CurlEvent::Done>(event.what).verdict), event.at);
}

void CurlExchange::deliver(const CurlEvent::Head& head, Instant at)
{
    timing_.headers = at;
    status_ = head.status;
    certificate_ = head.certificate;
    const auto listener = listener_; // outlives a cancel from inside its own callback
    listener->onHeaders(head.status, head.headers, at);
}

void CurlExchange::deliver(const CurlEvent::Piece& piece, Instant at)
{
    if (!timing_.firstByte)
        timing_.firstByte = at;
    timing_.lastByte = at;
    bodyBytes_ += piece.bytes.size();
    const auto listener = listener_;
    listener->onBody(piece.bytes, at);
    if (transfer_ && transfer_->flow.take(piece.bytes.size()))
        owner_->loop().resume(transfer_);
}

void CurlExchange::finish(Verdict verdict, Instant at)
{
    if (isOver())
        return;
    const auto self = shared_from_this();
    const auto listener = std::exchange(listener_, nullptr);
    owner_->deadlines.disarm(*this);
    waiting_.clear();
    if (transfer_)
        owner_->loop().cancel(transfer_);
    timing_ = timing();
    timing_.end = at;
    request_ = {};
    owner_->over(*this);
    listener->onFinished(
        {verdict.failure, std::move(verdict.detail), status_, bodyBytes_, timing_, std::move(certificate_)});
}

void CurlExchange::cancel()
{
    finish({FailureKind::Cancelled, QStringLiteral("cancelled")}, steadyNow());
}

void CurlExchange::setPaused(bool paused)
{
    if (isOver() || std::exchange(paused_, paused) == paused)
        return;
    if (transfer_)
        transfer_->flow.setPaused(paused);
    if (paused)
        return;
    if (transfer_)
        owner_->loop().resume(transfer_);
    if (!waiting_.empty())
        owner_->mailbox.post([self = shared_from_this()] { self->drain(); }); // not from inside the call
}

Timing CurlExchange::timing() const
{
    Timing all = timing_;
    if (transfer_) {
        all.connecting = transfer_->connecting.get();
        all.sent = transfer_->sent.get();
        all.begun = transfer_->begun.get();
    }
    return all;
}

void CurlExchange::armTotal()
{
    if (const auto due = nextLimit(request_.limits, {timing_.dispatched}))
        owner_->deadlines.arm(*this, due->at);
}

void CurlExchange::onDeadline(Instant now)
{
    const auto due = nextLimit(request_.limits, {timing_.dispatched});
    if (!due)
        return;
    if (due->at > now)
        owner_->deadlines.arm(*this, due->at);
    else
        finish({due->limit, limitText(due->limit, due->length)}, now);
}

} // namespace sg::http
