// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/dialect_reader.h"
#include "core/provider/error_body.h"
#include "core/provider/native_forms.h"
#include "core/provider/openai_pieces.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace sg::provider {

namespace {

/// Chat completions as OpenAI, Azure and the compatible rest send them.
class OpenAiReader final : public DialectReader
{
public:
    void onEvent(std::string_view, const QJsonObject& sent, AnswerBuilder& out) override
    {
        const bool isNative = !sent.contains(QLatin1String("choices"));
        const QJsonObject chunk =
            isNative ? openai::chunkFromNative(sent, static_cast<int>(out.toolCalls().size())) : sent;
        if (isNative && namesError(chunk)) // told in what the event wraps
            return out.fail(classifyStreamError(
                out.context(), {}, QJsonDocument(chunk).toJson(QJsonDocument::Compact).toStdString(), out.committed()));
        readHead(chunk, out);
        const QJsonArray choices = chunk[QLatin1String("choices")].toArray();
        for (const QJsonValue& value : choices) {
            const QJsonObject choice = value.toObject();
            if (choice[QLatin1String("index")].toInt() != 0) // the product never asks for more than one
                continue;
            const QJsonValue delta = choice[QLatin1String("delta")];
            // Servers that cannot stream send the whole message as the only chunk.
            if (delta.isObject())
                readDelta(delta.toObject(), out);
            else if (choice[QLatin1String("text")].isString()) // the older completions
                out.say(choice[QLatin1String("text")].toString());
            else
                readMessage(choice[QLatin1String("message")].toObject(), out);
            readFinish(choice, out);
            out.mergeUsage(choice[QLatin1String("usage")].toObject()); // Moonshot
        }
    }

    void onWhole(const QJsonObject& sent, AnswerBuilder& out) override
    {
        const QJsonObject root = sent.contains(QLatin1String("choices")) ? sent : openai::wholeFromNative(sent);
        readHead(root, out);
        const QJsonObject choice = root[QLatin1String("choices")].toArray().first().toObject();
        const QJsonValue text = choice[QLatin1String("text")]; // the older completions
        if (!choice[QLatin1String("message")].isObject() && !text.isString())
            return out.fail(ErrorClass::BadResponse, "The answer holds no message");
        if (text.isString())
            out.say(text.toString());
        readMessage(choice[QLatin1String("message")].toObject(), out);
        readFinish(choice, out);
    }

private:
    static void readHead(const QJsonObject& root, AnswerBuilder& out)
    {
        if (!out.knowsHead()) {
            out.setModel(root[QLatin1String("model")].toString());
            out.setId(root[QLatin1String("id")].toString());
        }
        out.mergeUsage(root[QLatin1String("usage")].toObject());
        out.mergeUsage(root[QLatin1String("x_groq")][QLatin1String("usage")].toObject());
        // llama.cpp's own counts, and Ollama's: all there is when usage is not asked for.
        for (const QLatin1String name :
             {QLatin1String("timings"), QLatin1String("prompt_eval_count"), QLatin1String("eval_count")}) {
            if (const auto value = root.find(name); value != root.end())
                out.mergeUsage({{QString(name), *value}});
        }
    }

    static void readDelta(const QJsonObject& delta, AnswerBuilder& out)
    {
        const QJsonArray calls = delta[QLatin1String("tool_calls")].toArray();
        for (const QJsonValue& call : calls) {
            const QString id = call[QLatin1String("id")].toString();
            readToolCall(keyOf(call[QLatin1String("index")], id, out.toolCalls()), call, out);
        }
        readFunctionCall(delta, out);
        openai::Pieces pieces = openai::readPieces(delta);
        out.say(std::move(pieces.text), std::move(pieces.reasoning));
    }

    static void readMessage(const QJsonObject& message, AnswerBuilder& out)
    {
        const QJsonArray calls = message[QLatin1String("tool_calls")].toArray();
        int place = 0;
        for (const QJsonValue& call : calls)
            readToolCall(place++, call, out);
        readFunctionCall(message, out);
        openai::Pieces pieces = openai::readPieces(message);
        out.say(std::move(pieces.text), std::move(pieces.reasoning));
    }

    /// The one call that answers could hold before there were tool calls; old servers still send it.
    static void readFunctionCall(const QJsonObject& said, AnswerBuilder& out)
    {
        const QJsonValue function = said[QLatin1String("function_call")];
        if (function.isObject())
            out.addToolCall(0, {}, function[QLatin1String("name")].toString(),
                            openai::argumentsText(function[QLatin1String("arguments")]));
    }

    static void readFinish(const QJsonObject& choice, AnswerBuilder& out)
    {
        const QString reason = choice[QLatin1String("finish_reason")].toString();
        if (reason.isEmpty())
            return;
        if (reason == QLatin1String("error")) // OpenRouter, where it cannot say more
            return out.fail(ErrorClass::ServerError, "The provider ended the answer with an error");
        out.finishWith(reason);
        out.setFinishReasonSent(choice[QLatin1String("native_finish_reason")].toString()); // OpenRouter
    }

    static void readToolCall(int key, const QJsonValue& call, AnswerBuilder& out)
    {
        const QJsonValue function = call[QLatin1String("function")];
        out.addToolCall(key, call[QLatin1String("id")].toString(), function[QLatin1String("name")].toString(),
                        openai::argumentsText(function[QLatin1String("arguments")]), openai::signatureOf(call));
    }

    /// Without an index a new id begins a new call, and a piece without both continues the last one.
    static int keyOf(const QJsonValue& index, const QString& id, const std::vector<ToolCall>& calls)
    {
        if (index.isDouble())
            return index.toInt();
        const auto same = std::ranges::find_if(calls.rbegin(), calls.rend(),
                                               [&](const ToolCall& call) { return id.isEmpty() || call.id == id; });
        if (same != calls.rend())
            return same->key;
        return calls.empty() ? 0 : calls.back().key + 1;
    }
};

} // namespace

std::unique_ptr<DialectReader> makeOpenAiReader()
{
    return std::make_unique<OpenAiReader>();
}

} // namespace sg::provider
