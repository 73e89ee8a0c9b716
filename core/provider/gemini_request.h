// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"

#include <QJsonObject>
#include <QStringList>

#include <string>

/// Private to the room.
namespace sg::provider {

/// Body of generateContent and streamGenerateContent; the model and whether to stream stand in the address. What the
/// dialect cannot carry is left out, or changed to the nearest that it can, and named in `leftOut` (may be null) by its
/// name in OpenAI's words, once each. `model` decides how much thinking can be asked for and whether calls must be
/// signed (from Gemini 3 on); without it neither is done.
QJsonObject geminiBody(const ChatRequest& request, QStringList* leftOut, const std::string& model = {});

} // namespace sg::provider
