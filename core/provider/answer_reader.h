// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"
#include "core/provider/error.h"
#include "core/provider/sse.h"

#include <functional>
#include <memory>
#include <tl/expected.hpp>

/// Answers of every dialect: bytes to facts.
namespace sg::provider {

/// The body of a 2xx answer in the context's dialect. BadResponse: no answer in it, HTML, cut JSON, an error object
/// without a known code. An error object with one counts as that code; an answer taken back by a content filter is
/// ContentFiltered. A refusal is an answer whose text is the refusal. A server that streams although it was not asked
/// to is understood too (with a warning), and so is a list of chunks.
tl::expected<Answer, ErrorFacts> parseWhole(QByteArrayView body, const AnswerContext& context = {});

class AnswerBuilder;
class DialectReader;

/// Reads a stream incrementally. Feed bytes in any cuts, then finish() once. One thread.
class StreamReader
{
public:
    using OnDelta = std::function<void(const Delta&)>;
    explicit StreamReader(OnDelta onDelta, AnswerContext context = {});
    ~StreamReader();
    StreamReader(const StreamReader&) = delete; // the parser calls back into this object
    StreamReader& operator=(const StreamReader&) = delete;

    /// False once an error event or unreadable data has ended the stream: feed no more, see finish().
    bool feed(QByteArrayView bytes);
    bool committed() const;
    bool terminalSeen() const; ///< a word that ends the answer: [DONE], a finish reason, message_stop
    bool doneSeen() const;     ///< [DONE] or message_stop: nothing more is worth waiting for
    qint64 comments() const { return parser_.comments(); }
    /// The whole answer; an error when the stream had no terminal event, carried an error, or had no delta at all.
    tl::expected<Answer, ErrorFacts> finish();
    /// What was understood so far, tool calls and usage too.
    Answer partial() const;

private:
    void onEvent(const SseEvent& event);

    SseParser parser_;
    bool ending_ = false; ///< the input is over: an event that is not whole was cut
    std::unique_ptr<AnswerBuilder> answer_;
    std::unique_ptr<DialectReader> dialect_;
};

} // namespace sg::provider
