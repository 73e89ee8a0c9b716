// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/openai.h"

#include "core/provider/json_text.h"

#include <QCryptographicHash>
#include <QRegularExpression>

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
    const QJsonValue newer = request.extra[QLatin1String("max_completion_tokens")];
    needs.maxOutputTokens = newer.toInteger(request.sampling.maxTokens.value_or(0));
    return needs;
}

namespace openai {

namespace {
QString roleOf(const Message& message, const Quirks& quirks)
{
    const bool isForeign = message.role == "developer" && !quirks.developerRole;
    return isForeign ? QStringLiteral("system") : QString::fromStdString(message.role);
}

QJsonObject messageJson(const Message& message, const Quirks& quirks)
{
    QJsonObject json = message.fields;
    json[QLatin1String("role")] = roleOf(message, quirks);
    if (!json.contains(QLatin1String("content")))
        json[QLatin1String("content")] = message.text;
    return json;
}

/// Mistral's form of an id. The same id becomes the same everywhere, so that results find their calls.
QString shortCallId(const QString& id)
{
    static const QRegularExpression valid(QStringLiteral("^[A-Za-z0-9]{9}\\z"));
    if (valid.match(id).hasMatch())
        return id;
    return QString::fromLatin1(QCryptographicHash::hash(id.toUtf8(), QCryptographicHash::Sha256).toHex().first(9));
}

void shorten(QJsonObject& holder, QLatin1String name)
{
    if (const QString id = holder.value(name).toString(); !id.isEmpty())
        holder[name] = shortCallId(id);
}

void shortenCallIds(QJsonObject& message)
{
    shorten(message, QLatin1String("tool_call_id"));
    QJsonArray calls = message.value(QLatin1String("tool_calls")).toArray();
    for (qsizetype i = 0; i < calls.size(); ++i) {
        QJsonObject call = calls.at(i).toObject();
        shorten(call, QLatin1String("id"));
        calls.replace(i, call);
    }
    if (!calls.isEmpty())
        message[QLatin1String("tool_calls")] = calls;
}

/// Prompts are nearly all of a request: what is plain words is not put into a document first.
void appendMessage(QByteArray& body, const Message& message, const Quirks& quirks)
{
    if (!message.fields.isEmpty()) {
        QJsonObject written = messageJson(message, quirks);
        if (quirks.shortCallIds)
            shortenCallIds(written);
        return appendJson(body, written);
    }
    body.append("{\"content\":");
    appendJsonString(body, message.text, LoneSurrogates::Escape);
    body.append(",\"role\":");
    appendJsonString(body, roleOf(message, quirks));
    body.append('}');
}

// Of a small request: blocks of up to 1 KiB are what malloc keeps ready.
constexpr qsizetype kRoomForTheRest = 512, kRoomForFields = 256;

qsizetype sizeOf(const std::vector<Message>& messages)
{
    qsizetype size = 0;
    for (const Message& message : messages)
        size += message.text.size();
    return size;
}

const QString kMaxTokens = QStringLiteral("max_tokens");
const QString kMaxCompletionTokens = QStringLiteral("max_completion_tokens");

/// Newer models know only max_completion_tokens, some servers only max_tokens, and both together are refused.
void addMaxTokens(QJsonObject& json, const Sampling& sampling, const Quirks& quirks)
{
    const QJsonValue old = json.take(kMaxTokens), newer = json.take(kMaxCompletionTokens);
    const QJsonValue limit = !newer.isUndefined() ? newer : sampling.maxTokens ? QJsonValue(*sampling.maxTokens) : old;
    const QString said = newer.isUndefined() ? kMaxTokens : kMaxCompletionTokens;
    if (!limit.isUndefined())
        json[quirks.maxTokensField.isEmpty() ? said : quirks.maxTokensField] = limit;
}

void addSampling(QJsonObject& json, const Sampling& sampling)
{
    if (sampling.temperature)
        json[QLatin1String("temperature")] = *sampling.temperature;
    if (sampling.topP)
        json[QLatin1String("top_p")] = *sampling.topP;
    if (sampling.jsonMode)
        json[QLatin1String("response_format")] = QJsonObject{{QStringLiteral("type"), QStringLiteral("json_object")}};
}

void note(QStringList* leftOut, const QString& field)
{
    if (leftOut && !leftOut->contains(field))
        leftOut->append(field);
}

void addStream(QJsonObject& json, bool stream, const Quirks& quirks, QStringList* leftOut)
{
    json.remove(QLatin1String("stream"));
    QJsonObject options = json.take(QLatin1String("stream_options")).toObject();
    if (!stream)
        return; // the options are refused without stream
    json[QLatin1String("stream")] = true;
    if (quirks.streamUsage) {
        options[QLatin1String("include_usage")] = true;
        json[QLatin1String("stream_options")] = options;
    } else if (!options.isEmpty()) {
        note(leftOut, QStringLiteral("stream_options"));
    }
}
} // namespace

QByteArray chatBody(const ChatRequest& request, const std::string& model, const Quirks& quirks, QStringList* leftOut)
{
    QJsonObject json = request.extra;
    json.remove(QLatin1String("messages"));
    json[QLatin1String("model")] = QString::fromStdString(model);
    addSampling(json, request.sampling);
    addMaxTokens(json, request.sampling, quirks);
    if (!request.tools.isEmpty())
        json[QLatin1String("tools")] = request.tools;
    addStream(json, request.stream, quirks, leftOut);
    const QJsonValue format = json.value(QLatin1String("response_format"));
    if (!quirks.jsonMode && format[QLatin1String("type")].toString() == QLatin1String("json_object")) {
        json.remove(QLatin1String("response_format"));
        note(leftOut, QStringLiteral("response_format"));
    }
    QByteArray body("{\"messages\":[");
    body.reserve(sizeOf(request.messages) + kRoomForTheRest);
    for (const Message& message : request.messages) {
        if (!body.endsWith('['))
            body.append(',');
        appendMessage(body, message, quirks);
    }
    QByteArray rest;
    rest.reserve(kRoomForFields);
    appendJson(rest, json);
    rest.front() = ','; // it has a model at least
    return body.append(']').append(rest);
}

} // namespace openai
} // namespace sg::provider
