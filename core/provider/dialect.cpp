// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/dialect.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sg::provider {

namespace {
constexpr std::array<std::pair<Dialect, std::string_view>, 4> kNames{{
    {Dialect::OpenAi, "openai"},
    {Dialect::Azure, "azure"},
    {Dialect::Anthropic, "anthropic"},
    {Dialect::Gemini, "gemini"},
}};
}

std::string_view toString(Dialect dialect)
{
    return std::ranges::find(kNames, dialect, &std::pair<Dialect, std::string_view>::first)->second;
}

std::optional<Dialect> dialectFromString(std::string_view text)
{
    const auto found = std::ranges::find(kNames, text, &std::pair<Dialect, std::string_view>::second);
    return found == kNames.end() ? std::nullopt : std::optional(found->first);
}

} // namespace sg::provider
