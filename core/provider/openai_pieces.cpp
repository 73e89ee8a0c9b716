// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/openai_pieces.h"

#include <QJsonArray>
#include <QJsonDocument>

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
