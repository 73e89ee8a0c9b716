// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/error_body.h"
#include "core/provider/openai.h"
#include "core/provider/openai_pieces.h"

#include <QJsonDocument>

#include <cmath>

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

/// A count is what is a whole number when rounded, from 0 up; booleans and negative markers like -1 are no counts.
std::optional<std::int64_t> readCount(const QJsonValue& value)
{
    bool ok = value.isDouble();
    const double number = value.isString() ? value.toString().toDouble(&ok) : value.toDouble();
    if (!ok || !(number >= 0) || number > 9e15)
        return std::nullopt;
    return std::llround(number);
}

std::optional<std::int64_t> firstCount(std::initializer_list<QJsonValue> values)
{
    for (const QJsonValue& value : values) {
        if (const auto count = readCount(value))
            return count;
    }
    return std::nullopt;
}

bool looksLikeStream(QByteArrayView body)
{
    const QByteArrayView start = body.trimmed();
    return start.startsWith("data:") || start.startsWith("event:") || start.startsWith(':');
}

QJsonArray wholeToolCalls(const QJsonArray& calls)
{
    QJsonArray whole;
    for (const QJsonValue& call : calls) {
        const QJsonValue function = call[QLatin1String("function")];
        whole += toolCallJson(static_cast<int>(whole.size()), call[QLatin1String("id")].toString(),
                              function[QLatin1String("name")].toString(),
                              argumentsText(function[QLatin1String("arguments")]));
    }
    return whole;
}
} // namespace

Pieces readPieces(const QJsonObject& message)
{
    Pieces pieces;
    const QJsonValue content = message[QLatin1String("content")];
    pieces.text = content.toString();
    addParts(content.toArray(), pieces);
    if (pieces.text.isEmpty())
        pieces.text = message[QLatin1String("refusal")].toString();
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

QJsonObject toolCallJson(int index, const QString& id, const QString& name, const QString& arguments)
{
    const QString known = id.isEmpty() ? QStringLiteral("call_%1").arg(index) : id;
    return {{QStringLiteral("id"), known},
            {QStringLiteral("type"), QStringLiteral("function")},
            {QStringLiteral("function"),
             QJsonObject{{QStringLiteral("name"), name}, {QStringLiteral("arguments"), arguments}}}};
}

Usage readUsage(const QJsonObject& usage)
{
    const QJsonValue prompt = usage[QLatin1String("prompt_tokens_details")];
    const QJsonValue completion = usage[QLatin1String("completion_tokens_details")];
    Usage read;
    read.inputTokens = firstCount({usage[QLatin1String("prompt_tokens")], usage[QLatin1String("input_tokens")]});
    read.outputTokens = firstCount({usage[QLatin1String("completion_tokens")], usage[QLatin1String("output_tokens")]});
    // prompt_cache_hit_tokens is DeepSeek's name.
    read.cachedInputTokens =
        firstCount({prompt[QLatin1String("cached_tokens")], usage[QLatin1String("prompt_cache_hit_tokens")]});
    read.reasoningTokens = firstCount({completion[QLatin1String("reasoning_tokens")]});
    return read;
}

tl::expected<Answer, ErrorFacts> parseWhole(QByteArrayView body, const AnswerContext& context)
{
    if (looksLikeStream(body)) {
        StreamReader reader({}, context);
        reader.feed(body);
        return reader.finish();
    }
    const std::string_view text(body.data(), static_cast<std::size_t>(body.size()));
    const BodyFacts read = readBody(context.headers, text);
    ErrorFacts facts = classifyRead(context, 200, text, read);
    if (facts.disposition.error != ErrorClass::None)
        return tl::make_unexpected(std::move(facts));

    const QJsonObject& root = read.root;
    const QJsonValue choice = root[QLatin1String("choices")][0];
    if (!choice[QLatin1String("message")].isObject()) {
        facts.disposition = dispositionOf(ErrorClass::BadResponse);
        facts.message = "The answer holds no message";
        return tl::make_unexpected(std::move(facts));
    }
    const QJsonObject message = choice[QLatin1String("message")].toObject();
    Pieces pieces = readPieces(message);
    Answer answer;
    answer.text = std::move(pieces.text);
    answer.reasoning = std::move(pieces.reasoning);
    answer.toolCalls = wholeToolCalls(message[QLatin1String("tool_calls")].toArray());
    answer.finishReason = choice[QLatin1String("finish_reason")].toString().toStdString();
    answer.model = root[QLatin1String("model")].toString().toStdString();
    answer.usage = readUsage(root[QLatin1String("usage")].toObject());
    return answer;
}

} // namespace sg::provider::openai
