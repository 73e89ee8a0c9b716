// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"
#include "core/provider/profile.h"

/// OpenAI chat completions, as OpenAI and the compatible rest speak it.
namespace sg::provider::openai {

/// Body of POST chat/completions; asks for usage in streams where the provider knows how. Fields that its quirks rule
/// out are left out and named in `leftOut` (may be null).
QByteArray chatBody(const ChatRequest& request, const std::string& model, const Quirks& quirks, QStringList* leftOut);

} // namespace sg::provider::openai
