// SPDX-License-Identifier: GPL-3.0-or-later
// After the API references: Ollama docs/api.md; Cohere chat v2; Bedrock Converse; OpenAI Responses and its streaming
// events.
#include "core/provider/native_forms.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QString>

namespace sg::provider::openai {

namespace {
QString textAt(const QJsonValue& holder, const char* name)
{
    return holder[QLatin1String(name)].toString();
}

bool has(const QJsonObject& object, const char* name)
{
    return object.contains(QLatin1String(name));
}

QJsonObject callJson(int index, const QString& id, const QJsonValue& name, const QJsonValue& arguments)
{
    QJsonObject function{{QStringLiteral("arguments"), arguments}};
    if (!name.toString().isEmpty())
        function.insert(QStringLiteral("name"), name);
    QJsonObject call{{QStringLiteral("index"), index}, {QStringLiteral("function"), function}};
    if (!id.isEmpty())
        call.insert(QStringLiteral("id"), id);
    return call;
}

/// The object with one choice put in; what else it holds (id, model, usage) stays.
QJsonObject withChoice(QJsonObject root, const char* place, const QJsonObject& message, const QString& finish)
{
    QJsonObject choice{{QStringLiteral("index"), 0}, {QLatin1String(place), message}};
    if (!finish.isEmpty())
        choice.insert(QStringLiteral("finish_reason"), finish);
    root.insert(QStringLiteral("choices"), QJsonArray{choice});
    return root;
}

// Ollama

bool isOllama(const QJsonObject& root)
{
    return root[QLatin1String("done")].isBool() &&
           (root[QLatin1String("message")].isObject() || root[QLatin1String("response")].isString());
}

QJsonObject fromOllama(const QJsonObject& root, const char* place, int calls)
{
    QJsonObject message = root[QLatin1String("message")].toObject();
    if (!root[QLatin1String("message")].isObject()) // api/generate
        message = {{QStringLiteral("content"), root[QLatin1String("response")]},
                   {QStringLiteral("thinking"), root[QLatin1String("thinking")]}};
    message.insert(QStringLiteral("reasoning"), message.value(QLatin1String("thinking")));
    const QJsonValue sentCalls = message.value(QLatin1String("tool_calls"));
    QJsonArray numbered;
    const QJsonArray sent = sentCalls.toArray();
    for (const QJsonValue& call : sent) {
        const QJsonValue function = call[QLatin1String("function")];
        numbered.append(callJson(calls++, textAt(call, "id"), function[QLatin1String("name")],
                                 function[QLatin1String("arguments")]));
    }
    if (sentCalls.isArray()) // what is none stays, for the reader to see
        message.insert(QStringLiteral("tool_calls"), numbered);
    const QString reason = textAt(root, "done_reason");
    const bool done = root[QLatin1String("done")].toBool();
    return withChoice(root, place, message, !done ? QString() : reason.isEmpty() ? QStringLiteral("stop") : reason);
}

// Cohere

bool isCohere(const QJsonObject& root)
{
    return root[QLatin1String("message")].isObject() && root[QLatin1String("finish_reason")].isString();
}

QJsonObject fromCohere(const QJsonObject& root)
{
    QJsonObject message = root[QLatin1String("message")].toObject();
    if (has(message, "tool_plan"))
        message.insert(QStringLiteral("reasoning"), message.value(QLatin1String("tool_plan")));
    return withChoice(root, "message", message, textAt(root, "finish_reason"));
}

bool isCohereEvent(const QString& type)
{
    return type == QLatin1String("content-delta") || type == QLatin1String("tool-plan-delta") ||
           type == QLatin1String("tool-call-start") || type == QLatin1String("tool-call-delta") ||
           type == QLatin1String("message-end");
}

QJsonObject fromCohereEvent(QJsonObject root, const QString& type)
{
    const QJsonValue delta = root[QLatin1String("delta")];
    const QJsonValue message = delta[QLatin1String("message")];
    if (type == QLatin1String("message-end")) {
        root.insert(QStringLiteral("usage"), delta[QLatin1String("usage")]);
        return withChoice(root, "delta", {}, textAt(delta, "finish_reason"));
    }
    QJsonObject chunk;
    if (type == QLatin1String("content-delta")) {
        const QJsonValue content = message[QLatin1String("content")];
        chunk = {{QStringLiteral("content"), content[QLatin1String("text")]},
                 {QStringLiteral("reasoning"), content[QLatin1String("thinking")]}};
    } else if (type == QLatin1String("tool-plan-delta")) {
        chunk = {{QStringLiteral("reasoning"), message[QLatin1String("tool_plan")]}};
    } else {
        const QJsonValue call = message[QLatin1String("tool_calls")];
        const QJsonValue function = call[QLatin1String("function")];
        chunk = {{QStringLiteral("tool_calls"),
                  QJsonArray{callJson(root[QLatin1String("index")].toInt(), textAt(call, "id"),
                                      function[QLatin1String("name")], function[QLatin1String("arguments")])}}};
    }
    return withChoice(root, "delta", chunk, {});
}

// Bedrock Converse

bool isConverse(const QJsonObject& root)
{
    return has(root, "stopReason") && root[QLatin1String("output")][QLatin1String("message")].isObject();
}

/// The first that is no text where one has to be; undefined: there is none.
QJsonValue wrongIn(const QJsonValue& parts, const char* name)
{
    if (!parts.isArray())
        return parts;
    const QJsonArray list = parts.toArray();
    for (const QJsonValue& part : list) {
        const QJsonValue text = part[QLatin1String(name)];
        if (!part.isObject() || (!text.isString() && !text.isNull() && !text.isUndefined()))
            return QJsonObject(); // no content that can be read
    }
    return QJsonValue::Undefined;
}

/// The text of a message, or what stands in its place.
QJsonValue contentOr(const QJsonValue& wrong, const QString& text)
{
    return wrong.isUndefined() || wrong.isNull() ? QJsonValue(text) : wrong;
}

QJsonObject fromConverse(QJsonObject root)
{
    QString text, reasoning;
    QJsonArray calls;
    const QJsonValue content = root[QLatin1String("output")][QLatin1String("message")][QLatin1String("content")];
    const QJsonArray blocks = content.toArray();
    for (const QJsonValue& block : blocks) {
        text += textAt(block, "text");
        reasoning += textAt(block[QLatin1String("reasoningContent")][QLatin1String("reasoningText")], "text");
        const QJsonValue use = block[QLatin1String("toolUse")];
        if (use.isObject())
            calls.append(callJson(static_cast<int>(calls.size()), textAt(use, "toolUseId"), use[QLatin1String("name")],
                                  use[QLatin1String("input")]));
    }
    // Cached tokens are counted apart here, as by Anthropic, whose names say so.
    static const std::pair<const char*, const char*> names[] = {
        {"inputTokens", "input_tokens"},
        {"outputTokens", "output_tokens"},
        {"totalTokens", "total_tokens"},
        {"cacheReadInputTokens", "cache_read_input_tokens"},
        {"cacheWriteInputTokens", "cache_creation_input_tokens"}};
    QJsonObject usage;
    for (const auto& [sent, name] : names) {
        const QJsonValue count = root[QLatin1String("usage")][QLatin1String(sent)];
        if (count.isDouble())
            usage.insert(QLatin1String(name), count);
    }
    root.insert(QStringLiteral("usage"), usage);
    return withChoice(root, "message",
                      {{QStringLiteral("content"), contentOr(wrongIn(content, "text"), text)},
                       {QStringLiteral("reasoning"), reasoning},
                       {QStringLiteral("tool_calls"), calls}},
                      textAt(root, "stopReason"));
}

// OpenAI Responses

bool isResponse(const QJsonObject& root)
{
    return textAt(root, "object") == QLatin1String("response") && root[QLatin1String("output")].isArray();
}

QString responseFinish(const QJsonValue& response)
{
    const QString reason = textAt(response[QLatin1String("incomplete_details")], "reason");
    if (!reason.isEmpty())
        return reason;
    const QString status = textAt(response, "status");
    return status == QLatin1String("in_progress") || status == QLatin1String("queued") ? QString() : status;
}

QString joined(const QJsonValue& parts, const char* name)
{
    QString text;
    const QJsonArray list = parts.toArray();
    for (const QJsonValue& part : list)
        text += textAt(part, name);
    return text;
}

QJsonObject fromResponse(const QJsonObject& root)
{
    QString text, refusal, reasoning;
    QJsonValue wrong(QJsonValue::Undefined);
    QJsonArray calls;
    const QJsonArray items = root[QLatin1String("output")].toArray();
    for (const QJsonValue& item : items) {
        const QString type = textAt(item, "type");
        if (type == QLatin1String("message")) {
            if (wrong.isUndefined())
                wrong = wrongIn(item[QLatin1String("content")], "text");
            text += joined(item[QLatin1String("content")], "text");
            refusal += joined(item[QLatin1String("content")], "refusal");
        } else if (type == QLatin1String("reasoning")) {
            reasoning += joined(item[QLatin1String("summary")], "text");
        } else if (type == QLatin1String("function_call")) {
            calls.append(callJson(static_cast<int>(calls.size()), textAt(item, "call_id"), item[QLatin1String("name")],
                                  item[QLatin1String("arguments")]));
        }
    }
    return withChoice(root, "message",
                      {{QStringLiteral("content"), contentOr(wrong, text)},
                       {QStringLiteral("refusal"), refusal},
                       {QStringLiteral("reasoning"), reasoning},
                       {QStringLiteral("tool_calls"), calls}},
                      responseFinish(root));
}

QJsonObject fromResponseEvent(const QJsonObject& root, const QString& type)
{
    const QJsonValue delta = root[QLatin1String("delta")];
    const int place = root[QLatin1String("output_index")].toInt();
    if (type == QLatin1String("response.output_text.delta") || type == QLatin1String("response.refusal.delta"))
        return withChoice({}, "delta", {{QStringLiteral("content"), delta}}, {});
    if (type == QLatin1String("response.reasoning_summary_text.delta") ||
        type == QLatin1String("response.reasoning_text.delta"))
        return withChoice({}, "delta", {{QStringLiteral("reasoning"), delta}}, {});
    if (type == QLatin1String("response.function_call_arguments.delta"))
        return withChoice({}, "delta", {{QStringLiteral("tool_calls"), QJsonArray{callJson(place, {}, {}, delta)}}},
                          {});
    const QJsonValue item = root[QLatin1String("item")];
    if (type == QLatin1String("response.output_item.added") && textAt(item, "type") == QLatin1String("function_call"))
        return withChoice(
            {}, "delta",
            {{QStringLiteral("tool_calls"),
              QJsonArray{callJson(place, textAt(item, "call_id"), item[QLatin1String("name")], QStringLiteral(""))}}},
            {});
    const QJsonObject response = root[QLatin1String("response")].toObject();
    const bool ends = type == QLatin1String("response.completed") || type == QLatin1String("response.incomplete");
    return withChoice({{QStringLiteral("id"), response[QLatin1String("id")]},
                       {QStringLiteral("model"), response[QLatin1String("model")]},
                       {QStringLiteral("usage"), response[QLatin1String("usage")]},
                       {QStringLiteral("error"), response[QLatin1String("error")]}},
                      "delta", {}, ends ? responseFinish(response) : QString());
}
} // namespace

bool isNativeAnswer(const QJsonObject& root)
{
    return isOllama(root) || isCohere(root) || isConverse(root) || isResponse(root);
}

QJsonObject wholeFromNative(const QJsonObject& root)
{
    if (isOllama(root))
        return fromOllama(root, "message", 0);
    if (isCohere(root))
        return fromCohere(root);
    if (isConverse(root))
        return fromConverse(root);
    return isResponse(root) ? fromResponse(root) : root;
}

QJsonObject chunkFromNative(const QJsonObject& root, int calls)
{
    if (isOllama(root))
        return fromOllama(root, "delta", calls);
    const QString type = textAt(root, "type");
    if (isCohereEvent(type))
        return fromCohereEvent(root, type);
    return type.startsWith(QLatin1String("response.")) ? fromResponseEvent(root, type) : root;
}

} // namespace sg::provider::openai
