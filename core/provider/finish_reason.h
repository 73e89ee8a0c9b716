// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <string>

namespace sg::provider {

/// A finish reason of any dialect in OpenAI's words ("stop", "length", "tool_calls", "content_filter"); one that is not
/// known stays as it is, in small letters. Empty for an empty one.
std::string normalFinishReason(const QString& sent);

} // namespace sg::provider
