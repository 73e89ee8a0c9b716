// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"
#include "core/provider/error.h"
#include "core/provider/sse.h"

#include <functional>
#include <tl/expected.hpp>

/// OpenAI chat completions, as OpenAI and the compatible rest speak it.
namespace sg::provider::openai {

/// Base URL as people write it (with or without /v1, with or without a slash, with a path prefix) to the URL of an
/// operation ("chat/completions", "models"). Error: a sentence saying what is wrong.
tl::expected<QUrl, QString> operationUrl(const QString& baseUrl, const QString& operation);

/// JSON body of POST chat/completions; asks for usage in streams.
QByteArray chatBody(const ChatRequest& request, const std::string& model);

/// A whole answer; an error is BadResponse (200 without choices, HTML, cut JSON, an error object in a 200).
tl::expected<Answer, ErrorFacts> parseWhole(QByteArrayView body);

/// One piece of a streamed answer, handed on as it comes.
struct Delta
{
    QString text, reasoning;
    bool toolCall = false;
    /// Content, reasoning or tool call: the first such delta is the commit point. Role-only chunks are not.
    bool isCommit() const { return !text.isEmpty() || !reasoning.isEmpty() || toolCall; }
};

/// Reads a stream incrementally. Feed bytes in any cuts, then finish() once.
class StreamReader
{
public:
    using OnDelta = std::function<void(const Delta&)>;
    explicit StreamReader(OnDelta onDelta);
    /// False once an error event or unreadable data has ended the stream: feed no more, see finish().
    bool feed(QByteArrayView bytes);
    bool committed() const { return committed_; }
    bool terminalSeen() const { return terminal_; } ///< [DONE] or a finish_reason
    /// The whole answer; an error when the stream had no terminal event, carried an error, or had no delta at all.
    /// Partial usage and text stay readable in `partial()`.
    tl::expected<Answer, ErrorFacts> finish();
    const Answer& partial() const { return answer_; }

private:
    void onEvent(const SseEvent& event);
    SseParser parser_;
    OnDelta onDelta_;
    Answer answer_;
    std::vector<QJsonObject> toolCalls_;
    std::optional<ErrorFacts> error_;
    bool committed_ = false, terminal_ = false;
};

} // namespace sg::provider::openai
