// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"
#include "core/stats/distribution.h"

#include "core/policy/time.h"

#include <tl/expected.hpp>

#include <memory>
#include <vector>

namespace sg::load {

/// What one request asks.
struct Prompt
{
    QString text;                              ///< of the user
    std::optional<int> maxTokens{};            ///< instead of the plan's
    std::vector<provider::Message> messages{}; ///< instead of `text` and the built-in system message
};
std::vector<Prompt> promptsOf(const std::vector<QString>& texts);

/// Prompts that never change and may be many: copies share them. Any thread.
class PromptList
{
public:
    PromptList() = default;
    PromptList(std::vector<Prompt> prompts)
        : prompts_(std::make_shared<const std::vector<Prompt>>(std::move(prompts)))
    {
    }

    const std::vector<Prompt>& all() const
    {
        static const std::vector<Prompt> none;
        return prompts_ ? *prompts_ : none;
    }
    bool empty() const { return all().empty(); }
    std::size_t size() const { return all().size(); }
    const Prompt& operator[](std::size_t i) const { return all()[i]; }
    /// Not only alike: the same.
    bool isSharedWith(const PromptList& other) const { return prompts_ == other.prompts_; }

private:
    std::shared_ptr<const std::vector<Prompt>> prompts_;
};

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
