// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string_view>

namespace sg::provider {

/// The wire formats that are read and written. Azure speaks OpenAI's with addresses, headers and filters of its own.
enum class Dialect { OpenAi, Azure, Anthropic, Gemini };
std::string_view toString(Dialect dialect); // "openai", "azure", "anthropic", "gemini"
std::optional<Dialect> dialectFromString(std::string_view text);

} // namespace sg::provider
