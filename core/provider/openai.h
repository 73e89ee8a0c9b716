// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"

#include <QUrl>

#include <tl/expected.hpp>

/// OpenAI chat completions, as OpenAI and the compatible rest speak it.
namespace sg::provider::openai {

/// Base URL as people write it (with or without /v1, with or without a slash, with a path prefix) to the URL of an
/// operation ("chat/completions", "models"). Error: a sentence saying what is wrong.
tl::expected<QUrl, QString> operationUrl(const QString& baseUrl, const QString& operation);

/// JSON body of POST chat/completions; asks for usage in streams.
QByteArray chatBody(const ChatRequest& request, const std::string& model);

} // namespace sg::provider::openai
