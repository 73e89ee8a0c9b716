// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"

#include <QJsonObject>
#include <QStringList>

/// Private to the room.
namespace sg::provider {

/// Body of generateContent and streamGenerateContent; the model and whether to stream stand in the address. What the
/// dialect cannot carry is left out, or changed to the nearest that it can, and named in `leftOut` (may be null) by its
/// name in OpenAI's words, once each.
QJsonObject geminiBody(const ChatRequest& request, QStringList* leftOut);

} // namespace sg::provider
