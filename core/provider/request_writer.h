// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"
#include "core/provider/profile.h"

#include <QUrl>

#include <tl/expected.hpp>

/// Requests of every dialect: facts to bytes.
namespace sg::provider {

enum class Operation { Chat, ChatStream, ListModels, Embeddings };

/// The address of an operation: the base as people write it (with or without version and slash, a pasted operation, a
/// path prefix, a query), and for Gemini and Azure the model in it. Never holds a key. Error: a sentence saying what is
/// wrong.
tl::expected<QUrl, QString> operationUrl(const ProviderProfile& profile, const QString& baseUrl, const QString& model,
                                         Operation operation);

/// What is wrong with an address that people wrote as a base, in a sentence; empty when it can be used.
QString addressProblem(const QString& baseUrl);

/// The header that carries the key; nothing for an empty key.
std::vector<std::pair<QByteArray, QByteArray>> keyHeaders(const ProviderProfile& profile, const QByteArray& key);

/// JSON body of a chat request. What the dialect cannot carry is left out and named in `leftOut` (field names in
/// OpenAI's words).
QByteArray chatBody(const ProviderProfile& profile, const ChatRequest& request, const std::string& model,
                    QStringList* leftOut = nullptr);

struct ListedModel
{
    QString id, title;
    std::optional<std::int64_t> contextWindow, maxOutput; ///< tokens; empty = not said
    bool operator==(const ListedModel&) const = default;
};
/// The body of a model list in any dialect. Error: a sentence.
tl::expected<std::vector<ListedModel>, QString> readModels(Dialect dialect, QByteArrayView body);

} // namespace sg::provider
