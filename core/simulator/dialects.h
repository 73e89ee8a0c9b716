// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/simulator/bodies.h"

/// The bytes of those dialects that are not OpenAI's. Pure functions; bodies.h asks them. `text` never needs escaping.
namespace sg::simulator {

namespace anthropic {
QByteArray whole(const AnswerFacts& facts, const QByteArray& text);
QByteArray opening(const AnswerFacts& facts);
QByteArray piece(const QByteArray& text);
QByteArray closing(const AnswerFacts& facts);
QByteArray error(int status);
} // namespace anthropic

namespace gemini {
QByteArray whole(const AnswerFacts& facts, const QByteArray& text);
QByteArray piece(const AnswerFacts& facts, const QByteArray& text);
QByteArray closing(const AnswerFacts& facts); ///< the last piece: without text, with finish reason and usage
QByteArray error(int status);
} // namespace gemini

} // namespace sg::simulator
