// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/failure.h"
#include "core/gateway/service.h"
#include "core/provider/openai_writer.h"

namespace sg::gateway {

/// The answer of one streamed request on its way to the client: begun when there is something to say, gathered, and
/// written in one go. Engine thread.
class ChatStream
{
public:
    /// `responder` is kept.
    explicit ChatStream(std::shared_ptr<http::Responder> responder)
        : responder_(std::move(responder))
    {
    }

    bool isBegun() const { return isBegun_; }
    bool saysSomething() const { return writer_.has_value(); }
    /// Status 200 and its headers go out with the first flush.
    void begin(http::Headers headers);
    /// Once, before the first delta.
    void setHead(const std::string& id, const std::string& model, std::int64_t created);
    void add(const provider::Delta& delta) { pending_.append(writer_->write(delta)); }
    void comment(const QByteArray& text) { pending_.append(": ").append(text).append("\n\n"); }
    void finish(const provider::Answer& answer, bool includeUsage);
    void fail(const Failure& failure);

    /// What has gathered goes to the client; after finish() and fail() the end too.
    void flush(Instant now);
    Instant lastSent() const { return lastSent_; } ///< when anything went out last
    qsizetype gathered() const { return pending_.size(); }
    bool isOver() const { return isOver_; }

private:
    std::shared_ptr<http::Responder> responder_;
    std::optional<provider::openai::StreamWriter> writer_;
    http::Headers headers_; ///< until they are out
    QByteArray pending_;
    Instant lastSent_{};
    bool isBegun_ = false, headIsOut_ = false, isOver_ = false;
};

} // namespace sg::gateway
