// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/anthropic_request.h"
#include "core/provider/gemini_request.h"

namespace sg::provider {
QJsonObject anthropicBody(const ChatRequest&, const std::string&, QStringList*)
{
    return {};
}
QJsonObject geminiBody(const ChatRequest&, QStringList*)
{
    return {};
}
} // namespace sg::provider
