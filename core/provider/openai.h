// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"
#include "core/provider/error.h"
#include "core/provider/sse.h"

#include <QUrl>

#include <functional>
#include <tl/expected.hpp>

/// OpenAI chat completions, as OpenAI and the compatible rest speak it.
namespace sg::provider::openai {

/// Base URL as people write it (with or without /v1, with or without a slash, with a path prefix) to the URL of an
/// operation ("chat/completions", "models"). Error: a sentence saying what is wrong.
tl::expected<QUrl, QString> operationUrl(const QString& baseUrl, const QString& operation);

/// JSON body of POST chat/completions; asks for usage in streams.
QByteArray chatBody(const ChatRequest& request, const std::string& model);

/// The body of a 2xx answer. BadResponse: no choices, HTML, cut JSON, an error object without a known code. An error
/// object with one counts as that code; an answer taken back by a content filter is ContentFiltered. A refusal is an
/// answer whose text is the refusal. A server that streams although it was not asked to is understood too.
tl::expected<Answer, ErrorFacts> parseWhole(QByteArrayView body, const AnswerContext& context = {});

/// Token counts as servers write them: numbers, numbers in strings; anything else and negatives stay unknown.
Usage readUsage(const QJsonObject& usage);

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
    explicit StreamReader(OnDelta onDelta, AnswerContext context = {});
    StreamReader(const StreamReader&) = delete; // the parser calls back into this object
    StreamReader& operator=(const StreamReader&) = delete;
    /// False once an error event or unreadable data has ended the stream: feed no more, see finish().
    bool feed(QByteArrayView bytes);
    bool committed() const { return committed_; }
    bool terminalSeen() const { return terminal_; } ///< [DONE] or a finish_reason
    bool doneSeen() const { return done_; }         ///< [DONE]: nothing more is worth waiting for
    qint64 comments() const { return parser_.comments(); }
    /// The whole answer; an error when the stream had no terminal event, carried an error, or had no delta at all.
    /// Partial usage and text stay readable in `partial()`; its tool calls are filled in here.
    tl::expected<Answer, ErrorFacts> finish();
    const Answer& partial() const { return answer_; }

private:
    struct ToolCall
    {
        int index = 0;
        QString id, name, arguments;
    };
    void onEvent(const SseEvent& event);
    void onChunk(const QJsonObject& chunk);
    void onChoice(const QJsonObject& choice);
    void mergeToolCall(const QJsonObject& piece);
    ToolCall* toolCallFor(const QJsonObject& piece);
    void fail(ErrorFacts facts);

    SseParser parser_;
    OnDelta onDelta_;
    AnswerContext context_;
    Answer answer_;
    std::vector<ToolCall> toolCalls_;
    qsizetype held_ = 0; ///< characters kept so far
    std::optional<ErrorFacts> error_;
    bool committed_ = false, terminal_ = false, done_ = false;
};

} // namespace sg::provider::openai
