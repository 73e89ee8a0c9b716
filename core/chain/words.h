// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"

#include <QString>

/// Words looked for in what a user said: both sides are made comparable once, then looking is a plain search.
namespace sg::chain {

/// Composed and without case: what is equal to a reader is equal here.
QString comparable(const QString& text);

/// True when `word` occurs in `text`, both comparable; an empty word never does. Where the word begins or ends with a
/// Latin letter it must begin or end there in the text too; scripts that write without spaces match anywhere.
bool occurs(const QString& text, const QString& word);

/// What the last message of the user says, the texts of its parts on lines of their own; empty without one.
QString lastUserText(const provider::ChatRequest& request);

} // namespace sg::chain
