// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonObject>

/// Forms of their own that providers of OpenAI's dialect have beside it: Ollama's chat and generate, Cohere's chat v2,
/// Bedrock's Converse, OpenAI's Responses. Private to the room.
namespace sg::provider::openai {

/// A whole answer in one of them.
bool isNativeAnswer(const QJsonObject& root);

/// The same as a chat completion; what is in no such form, unchanged.
QJsonObject wholeFromNative(const QJsonObject& root);

/// An event of one of them as a chunk. `calls`: how many tool calls there are so far, for forms that do not number
/// theirs.
QJsonObject chunkFromNative(const QJsonObject& root, int calls);

} // namespace sg::provider::openai
