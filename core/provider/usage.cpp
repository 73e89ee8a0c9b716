// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/usage.h"

#include <cmath>

namespace sg::provider {

namespace {
/// A count is what is a whole number when rounded, from 0 up; booleans and negative markers like -1 are no counts.
std::optional<std::int64_t> readCount(const QJsonValue& value)
{
    bool ok = value.isDouble();
    const double number = value.isString() ? value.toString().toDouble(&ok) : value.toDouble();
    if (!ok || !(number >= 0) || number > 9e15)
        return std::nullopt;
    return std::llround(number);
}

std::optional<std::int64_t> firstCount(std::initializer_list<QJsonValue> values)
{
    for (const QJsonValue& value : values) {
        if (const auto count = readCount(value))
            return count;
    }
    return std::nullopt;
}

Usage readOpenAi(const QJsonObject& usage)
{
    const QJsonValue prompt = usage[QLatin1String("prompt_tokens_details")];
    const QJsonValue completion = usage[QLatin1String("completion_tokens_details")];
    Usage read;
    read.inputTokens = firstCount({usage[QLatin1String("prompt_tokens")], usage[QLatin1String("input_tokens")]});
    read.outputTokens = firstCount({usage[QLatin1String("completion_tokens")], usage[QLatin1String("output_tokens")]});
    // prompt_cache_hit_tokens is DeepSeek's name.
    read.cachedInputTokens =
        firstCount({prompt[QLatin1String("cached_tokens")], usage[QLatin1String("prompt_cache_hit_tokens")]});
    read.reasoningTokens = firstCount({completion[QLatin1String("reasoning_tokens")]});
    return read;
}
} // namespace

Usage readUsage(Dialect, const QJsonObject& sent)
{
    return readOpenAi(sent);
}

} // namespace sg::provider
