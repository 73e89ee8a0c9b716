// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"
#include "core/provider/dialect.h"

#include <QJsonObject>

namespace sg::provider {

/// Token counts as servers write them: numbers, numbers in strings; anything else and negatives stay unknown. Cached
/// and cache-written tokens are counted apart by Anthropic and in by the others; reasoning apart by Gemini: here they
/// are always in. Empty object: nothing known.
Usage readUsage(Dialect dialect, const QJsonObject& sent);

} // namespace sg::provider
