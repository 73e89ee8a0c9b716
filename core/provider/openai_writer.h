// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"

#include <QByteArray>

#include <cstdint>

/// Answers in OpenAI's form, whatever dialect they were read in: parse(write(x)) = x, whole and streamed. What OpenAI
/// has no field for goes by the names that compatible providers use: reasoning_content, native_finish_reason,
/// usage.cost, cache_write_tokens. Unknown counts are left out, never written as 0. What this side thinks of the answer
/// (warnings, usage.inconsistent) and the provider's own form of the usage are not passed on.
namespace sg::provider::openai {

/// A chat.completion object. `created` in Unix seconds.
QByteArray writeWhole(const Answer& answer, std::int64_t created);

/// Writes a stream of chat.completion.chunk events as its deltas come, in a form that strict clients read: the role in
/// the first chunk, a call's id and name in its first piece, calls begun in the order of their numbers. Each call gives
/// the bytes to send, perhaps none. A value type; one thread.
class StreamWriter
{
public:
    /// `id` and `model` stand in every chunk; `created` in Unix seconds.
    StreamWriter(const std::string& id, const std::string& model, std::int64_t created);
    /// A call is held back until its id and its name are known.
    QByteArray write(const Delta& delta);
    /// What is held back (a call that never got an id has the answer's made one), finish reason (null when it is not
    /// known), usage (a chunk with empty choices, when `includeUsage` and anything is known) and [DONE]. The content is
    /// `answer`'s when no delta was written: the provider did not stream.
    QByteArray finish(const Answer& answer, bool includeUsage = true);
    /// The terminal error event of a stream that broke after it was begun, in OpenAI's error shape; no [DONE]. An empty
    /// code is written as null.
    QByteArray fail(const std::string& type, const std::string& message, const std::string& code = {});

private:
    struct Call
    {
        QString id, name, arguments, signature; ///< not yet written
        bool isBegun = false;
    };
    class Chunk;

    void take(const ToolCallPiece& piece);
    void addCalls(Chunk& chunk, bool isLast);
    QByteArray finishReason(const Answer& answer);

    QByteArray head_;          ///< of every chunk, up to its choices
    QString text_, reasoning_; ///< half a character that waits for its other half
    std::vector<Call> calls_;  ///< by number
    bool begun_ = false;
};

} // namespace sg::provider::openai
