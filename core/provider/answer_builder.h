// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/answer_reader.h"
#include "core/provider/chat.h"
#include "core/provider/error.h"

#include <QString>

#include <optional>
#include <tl/expected.hpp>
#include <vector>

/// Private to the room.
namespace sg::provider {

struct ToolCall
{
    int key = 0; ///< the provider's number of the call; calls are answered in its order
    QString id, name, arguments, signature;
};

/// Puts one answer together from what a dialect's reader finds, and holds the limits: a broken server must cost neither
/// memory nor time beyond them.
class AnswerBuilder
{
public:
    AnswerBuilder(AnswerContext context, StreamReader::OnDelta onDelta);

    void setModel(const QString& model); ///< the first that is not empty counts
    void setId(const QString& id);       ///< the first that is not empty counts
    /// Both are known, so that nobody needs to look for them in every event.
    bool knowsHead() const { return !answer_.model.empty() && !answer_.id.empty(); }
    /// Text and reasoning of one piece, and the tool calls touched since the last one: one delta goes out when any of
    /// them says something.
    void say(QString text, QString reasoning = {});
    /// A piece of the call with this key; the first id, name and signature that are not empty count. Goes out
    /// with the next say(). Beyond 512 calls pieces are dropped with a warning.
    void addToolCall(int key, const QString& id, const QString& name, const QString& arguments,
                     const QString& signature = {});
    const std::vector<ToolCall>& toolCalls() const { return toolCalls_; } ///< in order of first mention
    /// The finish reason as sent; ends the answer.
    void finishWith(const QString& sent);
    /// The provider's own word, where a relay says both.
    void setFinishReasonSent(const QString& sent);
    /// Field by field the last word counts, a missing or null one keeps the earlier; nested objects too.
    void mergeUsage(const QJsonObject& sent);
    /// Said once, however often it is met.
    void warn(const QString& sentence);
    void end();  ///< an end without a reason ([DONE])
    void done(); ///< nothing follows: the rest of the stream is not read
    void fail(ErrorFacts facts);
    void fail(ErrorClass error, const char* sentence); ///< with the defaults of the class

    bool failed() const { return error_.has_value(); }
    bool committed() const { return committed_; }
    bool terminal() const { return terminal_; }
    bool isDone() const { return done_; }
    const AnswerContext& context() const { return context_; }

    Answer answer() const { return withRest(answer_, toolCalls_); }
    /// As StreamReader::finish.
    tl::expected<Answer, ErrorFacts> finishStream();
    /// As parseWhole: a whole answer needs no finish reason. The last that can be asked of it.
    tl::expected<Answer, ErrorFacts> finishWhole();

private:
    ToolCall* callFor(int key);
    Answer withRest(Answer answer, std::vector<ToolCall> calls) const;

    AnswerContext context_;
    StreamReader::OnDelta onDelta_;
    Answer answer_; ///< without tool calls and usage, which answer() adds
    std::vector<ToolCall> toolCalls_;
    std::vector<ToolCallPiece> pending_;
    qsizetype held_ = 0; ///< characters kept so far
    std::optional<ErrorFacts> error_;
    bool committed_ = false, terminal_ = false, done_ = false;
};

} // namespace sg::provider
