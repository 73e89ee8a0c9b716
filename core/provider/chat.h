// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/cost.h"
#include "core/policy/time.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonObject>
#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The internal request form and what an answer says, whatever the provider's dialect. Bytes to facts, no sockets.
namespace sg::provider {

struct Message
{
    std::string role; ///< "system", "user", "assistant", "tool"
    QString text;
    /// Fields beside role and text in OpenAI's form (tool_calls, tool_call_id, name); a "content" here (a list of parts,
    /// null) stands for `text`.
    QJsonObject fields{};
};

struct Sampling
{
    std::optional<double> temperature;
    std::optional<double> topP;
    std::optional<int> maxTokens;
    bool jsonMode = false;
    bool operator==(const Sampling&) const = default;
};

struct ChatRequest
{
    std::vector<Message> messages;
    Sampling sampling;
    QJsonArray tools; ///< OpenAI's form
    bool stream = false;
    /// Further parameters in OpenAI's form (stop, seed, tool_choice), sent as they are; the fields above win.
    QJsonObject extra{};
};

/// What a request needs of an endpoint.
struct Needs
{
    bool tools = false, images = false, jsonMode = false;
    std::int64_t estimatedInputTokens = 0; ///< characters / 4 where nothing better is known
    std::int64_t maxOutputTokens = 0;
};
Needs needsOf(const ChatRequest& request);

/// Tokens as normalised; empty = the provider did not say.
struct Usage
{
    std::optional<std::int64_t> inputTokens;
    std::optional<std::int64_t> outputTokens;
    std::optional<std::int64_t> cachedInputTokens;
    std::optional<std::int64_t> reasoningTokens;
    bool estimated = false; ///< from characters, not from the provider
    bool operator==(const Usage&) const = default;
};
/// What the price book counts with.
inline cost::TokenCounts tokenCounts(const Usage& usage)
{
    return {usage.inputTokens, usage.outputTokens, usage.cachedInputTokens, {}, usage.reasoningTokens};
}

struct Answer
{
    QString text;
    QString reasoning;
    QJsonArray toolCalls; ///< OpenAI's form, complete
    std::string finishReason;
    std::string model;
    Usage usage;
};

} // namespace sg::provider
