// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace sg::app {

/// The text as it may go to a terminal: line breaks and tabs stay, other control characters and those that turn the
/// direction of writing become \uXXXX, as in JSON. Names and messages come from files and servers, and would otherwise
/// move the cursor or colour the screen.
QString terminalText(const QString& text);

} // namespace sg::app
