// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/chat_stream.h"

namespace sg::gateway {

void ChatStream::begin(http::Headers headers)
{
    headers.emplace_back("Content-Type", "text/event-stream");
    headers.emplace_back("Cache-Control", "no-cache");
    headers.emplace_back("X-Accel-Buffering", "no"); // nginx would hold the stream back until it is over
    headers_ = std::move(headers);
    isBegun_ = true;
}

void ChatStream::setHead(const std::string& id, const std::string& model, std::int64_t created)
{
    writer_.emplace(id, model, created);
}

void ChatStream::finish(const provider::Answer& answer, bool includeUsage)
{
    pending_.append(writer_->finish(answer, includeUsage));
    isOver_ = true;
}

void ChatStream::fail(const Failure& failure)
{
    if (!writer_)
        writer_.emplace(std::string(), std::string(), 0);
    pending_.append(
        writer_->fail(failure.type.toStdString(), failure.message.toStdString(), failure.code.toStdString()));
    isOver_ = true;
}

void ChatStream::flush(Instant now)
{
    if (!isBegun_)
        return;
    if (isOver_ && !headIsOut_) // all of it came in one turn: one write
        return responder_->send(200, std::exchange(headers_, {}), std::exchange(pending_, {}));
    if (!std::exchange(headIsOut_, true))
        responder_->begin(200, std::exchange(headers_, {}));
    if (!pending_.isEmpty()) {
        responder_->write(pending_);
        pending_.resize(0); // keeps its memory for the next turn
        lastSent_ = now;
    }
    if (isOver_)
        responder_->end();
}

} // namespace sg::gateway
