// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"

#include <QByteArray>

/// Requests for tests of what a dialect makes of them.
namespace sg::test {

/// A request in OpenAI's form as the internal one.
provider::ChatRequest requestOf(const QByteArray& json);
provider::ChatRequest hello(); ///< one user message, "Hi"

} // namespace sg::test
