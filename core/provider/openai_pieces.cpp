// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/openai_pieces.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace sg::provider::openai {

namespace {
void addParts(const QJsonArray& parts, Pieces& pieces)
{
    for (const QJsonValue& part : parts) {
        const QString type = part[QLatin1String("type")].toString();
        if (type == QLatin1String("text") || type == QLatin1String("output_text")) {
            pieces.text += part[QLatin1String("text")].toString();
        } else if (type == QLatin1String("refusal")) {
            pieces.text += part[QLatin1String("refusal")].toString();
        } else if (type == QLatin1String("thinking")) { // Mistral: text, or parts once more
            const QJsonValue thinking = part[QLatin1String("thinking")];
            Pieces inner;
            addParts(thinking.toArray(), inner);
            pieces.reasoning += thinking.toString() + inner.text;
        }
    }
}
} // namespace

Pieces readPieces(const QJsonObject& message)
{
    Pieces pieces;
    const QJsonValue content = message[QLatin1String("content")];
    if (content.isArray())
        addParts(content.toArray(), pieces);
    else
        pieces.text = content.toString();
    if (pieces.text.isEmpty())
        pieces.text = message[QLatin1String("refusal")].toString();
    if (pieces.text.isEmpty()) // a spoken answer has its words beside the sound
        pieces.text = message[QLatin1String("audio")][QLatin1String("transcript")].toString();
    // DeepSeek and vLLM say reasoning_content, OpenRouter and Ollama reasoning; some send both with the same words.
    const QString said = message[QLatin1String("reasoning_content")].toString();
    pieces.reasoning += said.isEmpty() ? message[QLatin1String("reasoning")].toString() : said;
    return pieces;
}

namespace {
bool isTextOrNothing(const QJsonValue& value)
{
    return value.isString() || value.isNull() || value.isUndefined();
}

bool isPart(const QJsonValue& part)
{
    if (!part.isObject())
        return false;
    return isTextOrNothing(part[QLatin1String("text")]) && isTextOrNothing(part[QLatin1String("refusal")]);
}

bool isFunction(const QJsonValue& function)
{
    if (!function.isObject())
        return false;
    const QJsonValue arguments = function[QLatin1String("arguments")];
    return isTextOrNothing(function[QLatin1String("name")]) && !arguments.isDouble() && !arguments.isBool();
}

bool isCall(const QJsonValue& call)
{
    if (!call.isObject())
        return false;
    const QJsonValue function = call[QLatin1String("function")];
    return function.isUndefined() || function.isNull() || isFunction(function);
}

bool isListOf(const QJsonValue& value, bool (*isOne)(const QJsonValue&))
{
    const QJsonArray list = value.toArray();
    return value.isArray() && std::all_of(list.begin(), list.end(), [&](const QJsonValue& one) { return isOne(one); });
}
} // namespace

const char* faultIn(const QJsonObject& message)
{
    const QJsonValue content = message[QLatin1String("content")], calls = message[QLatin1String("tool_calls")],
                     function = message[QLatin1String("function_call")];
    if (!isTextOrNothing(content) && !isListOf(content, isPart))
        return "The answer's content is neither a text nor a list of parts";
    if (!isTextOrNothing(message[QLatin1String("refusal")]))
        return "The answer's refusal is no text";
    const auto isThere = [](const QJsonValue& value) { return !value.isUndefined() && !value.isNull(); };
    if (isThere(calls) && !isListOf(calls, isCall))
        return "The answer's tool calls are no list of calls";
    if (isThere(function) && !isFunction(function))
        return "The answer's function call is none";
    return nullptr;
}

QString argumentsText(const QJsonValue& arguments)
{
    if (!arguments.isObject())
        return arguments.toString();
    return QString::fromUtf8(QJsonDocument(arguments.toObject()).toJson(QJsonDocument::Compact));
}

QString madeCallId(int index)
{
    return QStringLiteral("call_%1").arg(index);
}

QJsonObject toolCallJson(const QString& id, const QString& name, const QString& arguments, const QString& signature)
{
    QJsonObject call{{QStringLiteral("id"), id},
                     {QStringLiteral("type"), QStringLiteral("function")},
                     {QStringLiteral("function"),
                      QJsonObject{{QStringLiteral("name"), name}, {QStringLiteral("arguments"), arguments}}}};
    if (!signature.isEmpty()) {
        const QJsonObject google{{QStringLiteral("thought_signature"), signature}};
        call.insert(QLatin1String("extra_content"), QJsonObject{{QStringLiteral("google"), google}});
    }
    return call;
}

QString signatureOf(const QJsonValue& call)
{
    return call[QLatin1String("extra_content")][QLatin1String("google")][QLatin1String("thought_signature")].toString();
}

} // namespace sg::provider::openai
