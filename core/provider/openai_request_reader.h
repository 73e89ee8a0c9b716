// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"

#include <tl/expected.hpp>

/// Bodies of OpenAI's POST chat/completions, as applications send them and people write them.
namespace sg::provider::openai {

/// What is wrong with a body; the first thing that was found.
struct RequestProblem
{
    enum class Kind {
        OutOfRange, ///< no number from `low` to `high`
        NotWhole,   ///< no whole number from 1
        NotBool,
        NotList,
        NoMessages, ///< no list with at least one
        NoRole,     ///< of message number `message`
        NoContent,  ///< likewise
    };
    Kind kind = Kind::NoMessages;
    QString field{};
    int message = 0; ///< from 1; 0: it is about none
    double low = 0, high = 0;
};
/// In English, with a full stop.
QString sentence(const RequestProblem& problem);

/// "model" and "stream_options" are left out: whoever asks says them itself; so is "n" (one answer is what there is).
/// A missing "stream" is false. What has no field of its own goes into `extra` as it is. Texts are kept as they came,
/// with lone surrogates.
tl::expected<ChatRequest, RequestProblem> readRequest(const QJsonObject& body);

} // namespace sg::provider::openai
