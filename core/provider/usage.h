// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"
#include "core/provider/dialect.h"

#include <QJsonObject>

namespace sg::provider {

/// Token counts as servers write them: whole or fractional numbers (rounded), also in strings; anything else and
/// negatives stay unknown and make the usage inconsistent, null and what is missing only stays unknown. Cached and
/// cache-written tokens are counted apart by Anthropic and in by the others, reasoning apart by Gemini and xAI: here
/// they are always in. Which it is follows from the names of the fields, then from the total, rather than from the
/// dialect, since relays mix them. A part above its whole was counted apart, a total above its parts is output: both
/// are marked as inconsistent. Empty object: nothing known.
Usage readUsage(Dialect dialect, const QJsonObject& sent);

/// What an answer was probably counted as that came without its usage, or only with that of its beginning (Anthropic's
/// first event says 1 for the output): characters / 4 where nothing was said, or of the output less than half of that;
/// `estimated` where it was needed. When neither a word of the answer nor of its usage has come, nothing is known and
/// nothing is made up.
Usage withEstimate(Usage usage, std::int64_t estimatedInputTokens, const Answer& soFar);

/// Every count under its name ("input_tokens", …), null where it is unknown; the cost as "reported_cost_nano_usd".
QJsonObject toJson(const Usage& usage);

} // namespace sg::provider
