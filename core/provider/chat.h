// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/cost.h"
#include "core/policy/time.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>

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
    /// Fields beside role and text in OpenAI's form (tool_calls, tool_call_id, name); a "content" here (a list of
    /// parts, null) stands for `text`.
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
    /// The tier of the chain that is to be asked first, by its name or its endpoint's; the chain's router is not asked
    /// then. Empty, or no such tier: as the chain decides. Never sent.
    std::string preferredTier{};
};

/// What a request needs of an endpoint.
struct Needs
{
    bool tools = false, images = false, jsonMode = false;
    std::int64_t estimatedInputTokens = 0; ///< characters / 4 where nothing better is known
    std::int64_t maxOutputTokens = 0;
};
Needs needsOf(const ChatRequest& request);

/// Tokens as normalised, whatever the dialect counts in or apart; empty = the provider did not say.
struct Usage
{
    std::optional<std::int64_t> inputTokens;       ///< the whole prompt: cached and cache-written tokens are in it
    std::optional<std::int64_t> outputTokens;      ///< all that was made: reasoning is in it
    std::optional<std::int64_t> cachedInputTokens; ///< read from the provider's cache
    std::optional<std::int64_t> reasoningTokens;
    bool estimated = false;                             ///< from characters, not from the provider
    std::optional<std::int64_t> cacheWriteTokens{};     ///< written to it, for however long
    std::optional<std::int64_t> cacheWriteHourTokens{}; ///< of these, what is kept for an hour
    std::optional<std::int64_t> audioInputTokens{}, audioOutputTokens{};
    std::optional<cost::NanoDollars> reportedCost{}; ///< what the provider says that it will bill
    bool inconsistent = false; ///< parts above their whole, a total that is no sum, counts that are none
    bool operator==(const Usage&) const = default;
};
/// What the price book counts with.
inline cost::TokenCounts tokenCounts(const Usage& usage)
{
    return {usage.inputTokens,          usage.outputTokens,     usage.cachedInputTokens,
            usage.cacheWriteTokens,     usage.reasoningTokens,  usage.cacheWriteHourTokens,
            usage.audioInputTokens,     usage.audioOutputTokens};
}

/// A part of one tool call. `index` numbers the calls of an answer from 0; the id and the name come with the first
/// piece or later, the arguments grow.
struct ToolCallPiece
{
    int index = 0;
    QString id, name, arguments;
    QString signature{}; ///< Gemini's, of the thought behind the call: the next request must carry it
    bool operator==(const ToolCallPiece&) const = default;
};

/// One piece of a streamed answer, handed on as it comes.
struct Delta
{
    QString text, reasoning;
    std::vector<ToolCallPiece> toolCalls;
    /// Content, reasoning or tool call: the first such delta is the commit point. Role-only chunks are not.
    bool isCommit() const { return !text.isEmpty() || !reasoning.isEmpty() || !toolCalls.empty(); }
};

/// What tokens are counted from where the provider does not count them: text, reasoning and arguments.
inline qsizetype charactersOf(const Delta& delta)
{
    qsizetype characters = delta.text.size() + delta.reasoning.size();
    for (const ToolCallPiece& call : delta.toolCalls)
        characters += call.arguments.size();
    return characters;
}

struct Answer
{
    QString text;
    QString reasoning;
    /// OpenAI's form, complete; a signature as Gemini's own OpenAI-compatible address writes it
    /// (extra_content.google.thought_signature).
    QJsonArray toolCalls;
    std::string finishReason; ///< OpenAI's words: "stop", "length", "tool_calls", "content_filter"; empty = not said
    std::string finishReasonSent; ///< as the provider said it
    std::string model;
    std::string id; ///< the provider's, of the answer
    Usage usage;
    QJsonObject usageSent; ///< as the provider said it; of a stream: the last word on each field
    QStringList warnings;  ///< what was odd and was read all the same, one short sentence each
};

} // namespace sg::provider
