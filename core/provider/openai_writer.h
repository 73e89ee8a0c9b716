// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"

#include <QByteArray>

#include <cstdint>

/// Answers in OpenAI's form, whatever dialect they were read in: parse(write(x)) = x, whole and streamed.
namespace sg::provider::openai {

/// A chat.completion object. `created` in Unix seconds.
QByteArray writeWhole(const Answer& answer, std::int64_t created);

/// Writes a stream of chat.completion.chunk events as its deltas come. Each call gives the bytes to send, perhaps none.
class StreamWriter
{
public:
    /// `id` and `model` stand in every chunk.
    StreamWriter(std::string id, std::string model, std::int64_t created);
    QByteArray write(const Delta& delta);
    /// Finish reason, usage (a chunk with empty choices, when `includeUsage`) and [DONE].
    QByteArray finish(const Answer& answer, bool includeUsage = true);
    /// The terminal error event of a stream that broke after it was begun, in OpenAI's error shape; no [DONE].
    QByteArray fail(const std::string& type, const std::string& message);

private:
    std::string id_, model_;
    std::int64_t created_;
    bool begun_ = false;
};

} // namespace sg::provider::openai
