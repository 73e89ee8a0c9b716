// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"

#include <QJsonObject>
#include <QStringList>

#include <string>

/// Private to the room.
namespace sg::provider {

/// Body of POST /v1/messages. What the dialect cannot carry is left out, or changed to the nearest that it can, and
/// named in `leftOut` (may be null) by its name in OpenAI's words, once each.
QJsonObject anthropicBody(const ChatRequest& request, const std::string& model, QStringList* leftOut);

} // namespace sg::provider
