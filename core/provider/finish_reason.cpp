// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/finish_reason.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace sg::provider {

namespace {
using Row = std::pair<std::string_view, std::string_view>;
// OpenAI's own words stay. Sources: API references of Anthropic (stop_reason), Gemini (FinishReason), Cohere v2,
// Mistral; Ollama and llama.cpp pass on what their engine says.
constexpr std::array<Row, 36> kWords{{
    {"end_turn", "stop"},
    {"stop_sequence", "stop"},
    {"pause_turn", "stop"},
    {"complete", "stop"},
    {"completed", "stop"},
    {"eos", "stop"},
    {"eos_token", "stop"},
    {"end_of_text", "stop"},
    {"max_tokens", "length"},
    {"max_length", "length"},
    {"model_length", "length"},
    {"max_output_tokens", "length"},
    {"model_context_window_exceeded", "length"},
    {"tool_use", "tool_calls"},
    {"tool_call", "tool_calls"},
    {"function_call", "tool_calls"},
    {"refusal", "content_filter"},
    {"safety", "content_filter"},
    {"sensitive", "content_filter"},
    {"recitation", "content_filter"},
    {"language", "content_filter"},
    {"blocklist", "content_filter"},
    {"prohibited_content", "content_filter"},
    {"spii", "content_filter"},
    {"image_safety", "content_filter"},
    {"image_prohibited_content", "content_filter"},
    {"image_recitation", "content_filter"},
    {"guardrail_intervened", "content_filter"},
    {"jailbreak", "content_filter"},
    {"model_armor", "content_filter"},
    {"escalation", "content_filter"},
    {"error_toxic", "content_filter"},
    {"content_filtered", "content_filter"},
    {"error_limit", "length"},
    // Gemini was asked for an image and spoke instead.
    {"no_image", "stop"},
    {"image_other", "stop"},
}};
} // namespace

std::string normalFinishReason(const QString& sent)
{
    const std::string word = sent.trimmed().toLower().toStdString();
    const auto known = std::ranges::find(kWords, std::string_view(word), &Row::first);
    return known == kWords.end() ? word : std::string(known->second);
}

} // namespace sg::provider
