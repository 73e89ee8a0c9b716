// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/route.h"

#include <QRegularExpression>

namespace sg::simulator {

namespace {
const QLatin1String kChat("/chat/completions");
}

Route routeOf(const QByteArray& operation)
{
    using provider::Dialect;
    if (operation == "/v1/chat/completions")
        return {Route::Chat, Dialect::OpenAi, {}, false};
    if (operation == "/v1/embeddings")
        return {Route::Embeddings, Dialect::OpenAi, {}, false};
    if (operation == "/v1/models")
        return {Route::Models, Dialect::OpenAi, {}, false};
    if (operation == "/v1/messages")
        return {Route::Chat, Dialect::Anthropic, {}, false};
    if (operation == "/v1beta/models")
        return {Route::Models, Dialect::Gemini, {}, false};
    if (operation == "/openai/v1/chat/completions")
        return {Route::Chat, Dialect::Azure, {}, false};
    if (operation == "/openai/models" || operation == "/openai/v1/models")
        return {Route::Models, Dialect::Azure, {}, false};
    const QString path = QString::fromUtf8(operation);
    static const QRegularExpression generate(QStringLiteral("^/v1(?:beta)?/models/(.+):(g|streamG)enerateContent$"));
    if (const auto match = generate.match(path); match.hasMatch())
        return {Route::Chat, Dialect::Gemini, match.captured(1), match.captured(2) == QLatin1String("streamG")};
    const QLatin1String deployments("/openai/deployments/");
    if (path.startsWith(deployments) && path.endsWith(kChat) && path.size() > deployments.size() + kChat.size())
        return {Route::Chat, Dialect::Azure, path.mid(deployments.size()).chopped(kChat.size()), false};
    return {};
}

} // namespace sg::simulator
