// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"
#include "core/stats/distribution.h"

#include "core/policy/time.h"

#include <tl/expected.hpp>

namespace sg::load {

/// What one request asks.
struct Prompt
{
    QString text;                              ///< of the user
    std::optional<int> maxTokens{};            ///< instead of the plan's
    std::vector<provider::Message> messages{}; ///< instead of `text` and the built-in system message
};
std::vector<Prompt> promptsOf(const std::vector<QString>& texts);

/// Made-up prompts of given lengths. A token is taken to be four characters, as where no provider has counted.
struct SyntheticPrompts
{
    stats::Distribution inputTokens = stats::Distribution::constant(200); ///< the whole prompt
    std::optional<stats::Distribution> outputTokens;                      ///< the request's limit; empty: the plan's
    int sharedPrefixTokens = 0; ///< so many at the beginning are the same in all of them (what a provider's cache hits)
    bool operator==(const SyntheticPrompts&) const = default;
};

/// Prompts of a file, and when they are to be sent where it says so.
struct PromptFile
{
    std::vector<Prompt> prompts;
    std::vector<Nanos> offsets; ///< of each since the start, in order; empty: the file says no times
};

/// By its name: .jsonl (objects with "prompt" or "messages", "max_tokens", "at_ms"), .csv (a head with the columns
/// prompt, max_tokens, at_ms; RFC 4180), anything else one prompt a line. The error is a sentence with its line. A file
/// of which every row has "at_ms" may do without prompts: it is a schedule only.
tl::expected<PromptFile, QString> readPromptFile(const QString& name, const QByteArray& bytes);

} // namespace sg::load
