// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/openai.h"

#include <QJsonDocument>
#include <QRegularExpression>
#include <QUrlQuery>

#include <algorithm>

namespace sg::provider {

namespace {
bool hasImage(const Message& message)
{
    const QJsonArray parts = message.fields[QLatin1String("content")].toArray();
    return std::any_of(parts.begin(), parts.end(), [](const QJsonValue& part) {
        const QString type = part[QLatin1String("type")].toString();
        return type == QLatin1String("image_url") || type == QLatin1String("input_image");
    });
}

std::int64_t charactersOf(const Message& message)
{
    std::int64_t count = message.text.size();
    const QJsonArray parts = message.fields[QLatin1String("content")].toArray();
    for (const QJsonValue& part : parts)
        count += part[QLatin1String("text")].toString().size();
    return count;
}
} // namespace

Needs needsOf(const ChatRequest& request)
{
    Needs needs;
    needs.tools = !request.tools.isEmpty();
    needs.images = std::ranges::any_of(request.messages, hasImage);
    const QString format = request.extra[QLatin1String("response_format")][QLatin1String("type")].toString();
    needs.jsonMode = request.sampling.jsonMode || format.startsWith(QLatin1String("json"));
    std::int64_t characters = 0;
    for (const Message& message : request.messages)
        characters += charactersOf(message);
    needs.estimatedInputTokens = (characters + 3) / 4;
    needs.maxOutputTokens = request.sampling.maxTokens.value_or(0);
    return needs;
}

namespace openai {

namespace {
const QStringList& operations()
{
    static const QStringList known{QStringLiteral("chat/completions"), QStringLiteral("completions"),
                                   QStringLiteral("responses"), QStringLiteral("embeddings"), QStringLiteral("models")};
    return known;
}

/// Takes a pasted operation off the end of a path; true when there was one, so what stays is the base as it is meant.
bool dropOperation(QStringList& segments)
{
    for (const QString& operation : operations()) {
        const QStringList tail = operation.split(QLatin1Char('/'));
        if (segments.size() < tail.size() || segments.sliced(segments.size() - tail.size()) != tail)
            continue;
        segments.resize(segments.size() - tail.size());
        return true;
    }
    return false;
}

/// Addresses that already say which version (…/v1, …/v1beta/openai, …/api/paas/v4), or a deployment (Azure), need no
/// /v1.
bool saysVersion(const QStringList& segments)
{
    static const QRegularExpression version(QStringLiteral("^v\\d+([a-z]+\\d*)?$"));
    return segments.contains(QStringLiteral("deployments")) ||
           std::ranges::any_of(segments, [](const QString& s) { return version.match(s).hasMatch(); });
}

bool carriesKey(const QUrl& url)
{
    static const QRegularExpression names(
        QStringLiteral("^(?:.*key|.*token|sig|signature|.*secret|password|auth(?:orization)?)$"),
        QRegularExpression::CaseInsensitiveOption);
    const auto items = QUrlQuery(url).queryItems();
    return !url.userInfo().isEmpty() ||
           std::ranges::any_of(items, [](const auto& item) { return names.match(item.first).hasMatch(); });
}

/// What is wrong with an address, in words; empty when it can be used.
QString problemOf(const QUrl& url)
{
    if (!url.isValid() || url.isEmpty())
        return QStringLiteral("This is no address. It should look like https://api.example.com/v1.");
    if (url.scheme() != QLatin1String("https") && url.scheme() != QLatin1String("http"))
        return QStringLiteral("The address must begin with https:// or http://.");
    if (url.host().isEmpty())
        return QStringLiteral("The address names no host.");
    if (carriesKey(url))
        return QStringLiteral("The address carries a key. Keys are kept apart: remove it from the address.");
    return {};
}
} // namespace

tl::expected<QUrl, QString> operationUrl(const QString& baseUrl, const QString& operation)
{
    QUrl url(baseUrl.trimmed(), QUrl::StrictMode);
    if (const QString problem = problemOf(url); !problem.isEmpty())
        return tl::make_unexpected(problem);
    QStringList segments = url.path(QUrl::FullyEncoded).split(QLatin1Char('/'), Qt::SkipEmptyParts);
    if (!dropOperation(segments) && !saysVersion(segments))
        segments += QStringLiteral("v1");
    segments += operation;
    url.setPath(QLatin1Char('/') + segments.join(QLatin1Char('/')), QUrl::StrictMode);
    url.setFragment(QString());
    return url;
}

namespace {
QJsonObject messageJson(const Message& message)
{
    QJsonObject json = message.fields;
    json[QLatin1String("role")] = QString::fromStdString(message.role);
    if (!json.contains(QLatin1String("content")))
        json[QLatin1String("content")] = message.text;
    return json;
}

void addSampling(QJsonObject& json, const Sampling& sampling)
{
    if (sampling.temperature)
        json[QLatin1String("temperature")] = *sampling.temperature;
    if (sampling.topP)
        json[QLatin1String("top_p")] = *sampling.topP;
    // Newer models know only max_completion_tokens and refuse both together.
    if (sampling.maxTokens && !json.contains(QLatin1String("max_completion_tokens")))
        json[QLatin1String("max_tokens")] = *sampling.maxTokens;
    if (sampling.jsonMode)
        json[QLatin1String("response_format")] = QJsonObject{{QStringLiteral("type"), QStringLiteral("json_object")}};
}
} // namespace

QByteArray chatBody(const ChatRequest& request, const std::string& model)
{
    QJsonObject json = request.extra;
    json[QLatin1String("model")] = QString::fromStdString(model);
    QJsonArray messages;
    for (const Message& message : request.messages)
        messages += messageJson(message);
    json[QLatin1String("messages")] = messages;
    addSampling(json, request.sampling);
    if (!request.tools.isEmpty())
        json[QLatin1String("tools")] = request.tools;
    json.remove(QLatin1String("stream"));
    if (request.stream) {
        json[QLatin1String("stream")] = true;
        QJsonObject options = json[QLatin1String("stream_options")].toObject();
        options[QLatin1String("include_usage")] = true;
        json[QLatin1String("stream_options")] = options;
    } else {
        json.remove(QLatin1String("stream_options")); // refused without stream
    }
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

} // namespace openai
} // namespace sg::provider
