// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/dialect_reader.h"
#include "core/provider/error_body.h"
#include "core/provider/native_forms.h"
#include "core/provider/openai_pieces.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <map>

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
        readFinish(choice, out); // first: words that come with a failure are not delivered
        if (text.isString())
            out.say(text.toString());
        const QJsonObject message = choice[QLatin1String("message")].toObject();
        // A stream goes on with its next chunk, and is told as bad where nothing has come; here there is no next.
        if (const char* fault = openai::faultIn(message))
            return out.fail(ErrorClass::BadResponse, fault);
        readMessage(message, out);
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

    void readDelta(const QJsonObject& delta, AnswerBuilder& out)
    {
        const QJsonArray calls = delta[QLatin1String("tool_calls")].toArray();
        for (const QJsonValue& call : calls)
            readToolCall(keyOf(call, out.toolCalls()), call, out);
        if (calls.isEmpty())
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
        if (calls.isEmpty())
            readFunctionCall(message, out);
        openai::Pieces pieces = openai::readPieces(message);
        out.say(std::move(pieces.text), std::move(pieces.reasoning));
    }

    /// The one call that answers could hold before there were tool calls; old servers still send it, and some send the
    /// same call in both forms.
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
        if (const ErrorClass failure = failureIn(reason.toLower()); failure != ErrorClass::None)
            return out.fail(failure, "The provider ended the answer with an error");
        out.finishWith(reason);
        out.setFinishReasonSent(choice[QLatin1String("native_finish_reason")].toString()); // OpenRouter
    }

    /// Reasons that say that the answer is none, after the references of OpenRouter, Mistral, Cohere and DeepSeek.
    static ErrorClass failureIn(const QString& reason)
    {
        if (reason == QLatin1String("error"))
            return ErrorClass::ServerError;
        if (reason == QLatin1String("timeout"))
            return ErrorClass::Timeout;
        return reason == QLatin1String("insufficient_system_resource") ? ErrorClass::Overloaded : ErrorClass::None;
    }

    static void readToolCall(int key, const QJsonValue& call, AnswerBuilder& out)
    {
        const QJsonValue function = call[QLatin1String("function")];
        out.addToolCall(key, call[QLatin1String("id")].toString(), function[QLatin1String("name")].toString(),
                        openai::argumentsText(function[QLatin1String("arguments")]), openai::signatureOf(call));
    }

    /// Gemini's OpenAI-compatible address and Ollama number every call of an answer 0.
    int keyOf(const QJsonValue& call, const std::vector<ToolCall>& calls)
    {
        const QJsonValue sent = call[QLatin1String("index")];
        if (!sent.isDouble())
            return keyWithoutIndex(call, calls);
        const int index = sent.toInt();
        const auto moved = moved_.find(index);
        const int key = moved == moved_.end() ? index : moved->second;
        const auto known = std::ranges::find(calls.rbegin(), calls.rend(), key, &ToolCall::key);
        if (known == calls.rend() || !hasOtherId(call, *known) || !namesAnother(call, *known))
            return key;
        return moved_[index] = nextKey(calls);
    }

    /// A new id begins a new call; a piece without one continues the last.
    static int keyWithoutIndex(const QJsonValue& call, const std::vector<ToolCall>& calls)
    {
        const QString id = call[QLatin1String("id")].toString();
        if (id.isEmpty() && !calls.empty())
            return namesAnother(call, calls.back()) ? nextKey(calls) : calls.back().key;
        const auto same = std::ranges::find(calls.rbegin(), calls.rend(), id, &ToolCall::id);
        return same == calls.rend() ? nextKey(calls) : same->key;
    }

    /// Alone it is no sign of another call: some servers make a new id for each piece.
    static bool hasOtherId(const QJsonValue& call, const ToolCall& known)
    {
        const QString id = call[QLatin1String("id")].toString();
        return !id.isEmpty() && !known.id.isEmpty() && id != known.id;
    }

    static bool namesAnother(const QJsonValue& call, const ToolCall& known)
    {
        const QString name = call[QLatin1String("function")][QLatin1String("name")].toString();
        return !name.isEmpty() && !known.name.isEmpty() &&
               (name != known.name || known.arguments.endsWith(QLatin1Char('}')));
    }

    static int nextKey(const std::vector<ToolCall>& calls)
    {
        const auto last = std::ranges::max_element(calls, {}, &ToolCall::key);
        return last == calls.end() ? 0 : last->key + 1;
    }

    std::map<int, int> moved_; ///< the key of the newest call, by an index that others had before
};

} // namespace

std::unique_ptr<DialectReader> makeOpenAiReader()
{
    return std::make_unique<OpenAiReader>();
}

} // namespace sg::provider
