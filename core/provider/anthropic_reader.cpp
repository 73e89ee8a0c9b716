// SPDX-License-Identifier: GPL-3.0-or-later
// Anthropic's Messages API: streaming events and message objects as its reference describes them.
#include "core/provider/dialect_reader.h"
#include "core/provider/openai_pieces.h"

#include <QJsonArray>

#include <algorithm>
#include <map>

namespace sg::provider {

namespace {
QString textOf(const QJsonValue& holder, const char* name)
{
    return holder[QLatin1String(name)].toString();
}

class AnthropicReader final : public DialectReader
{
public:
    void onEvent(std::string_view name, const QJsonObject& data, AnswerBuilder& out) override
    {
        // Relays lose the event's name; the type in the data says the same.
        QString type = textOf(data, "type");
        if (type.isEmpty())
            type = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
        const int index = data[QLatin1String("index")].toInt();
        if (type == QLatin1String("content_block_delta"))
            readDelta(index, data[QLatin1String("delta")], out);
        else if (type == QLatin1String("content_block_start"))
            readBlock(index, data[QLatin1String("content_block")], out);
        else if (type == QLatin1String("content_block_stop"))
            endTool(index, out);
        else if (type == QLatin1String("message_start"))
            readMessage(data[QLatin1String("message")], out);
        else if (type == QLatin1String("message_delta"))
            readEnd(data[QLatin1String("delta")], data[QLatin1String("usage")], out);
        else if (type == QLatin1String("message_stop"))
            stop(out);
    }

    void onWhole(const QJsonObject& root, AnswerBuilder& out) override
    {
        if (!root[QLatin1String("content")].isArray())
            return out.fail(ErrorClass::BadResponse, "The answer holds no content");
        const QJsonArray blocks = root[QLatin1String("content")].toArray();
        if (!std::all_of(blocks.begin(), blocks.end(), isBlock))
            return out.fail(ErrorClass::BadResponse, "A part of the answer's content cannot be read");
        readMessage(root, out);
        endTools(out);
        readStopReason(root, out);
    }

private:
    void readMessage(const QJsonValue& message, AnswerBuilder& out)
    {
        out.setId(textOf(message, "id"));
        out.setModel(textOf(message, "model"));
        out.mergeUsage(message[QLatin1String("usage")].toObject());
        const QJsonArray blocks = message[QLatin1String("content")].toArray();
        int index = 0;
        for (const QJsonValue& block : blocks)
            readBlock(index++, block, out);
    }

    /// A field that is there has to be a text: read as one, anything else would pass for an answer without words.
    static bool isText(const QJsonValue& holder, const char* name)
    {
        const QJsonValue value = holder[QLatin1String(name)];
        return holder.isObject() && (value.isString() || value.isNull() || value.isUndefined());
    }

    static bool isBlock(const QJsonValue& block)
    {
        const QJsonValue input = block[QLatin1String("input")];
        return isText(block, "type") && isText(block, "text") && isText(block, "thinking") && isText(block, "name") &&
               (textOf(block, "type") != QLatin1String("tool_use") || input.isObject() || input.isNull() ||
                input.isUndefined());
    }

    /// A block as it begins; in a whole answer it is complete.
    void readBlock(int index, const QJsonValue& block, AnswerBuilder& out)
    {
        const QString type = textOf(block, "type");
        if (type == QLatin1String("text"))
            return out.say(textOf(block, "text"));
        if (type == QLatin1String("thinking"))
            return out.say({}, textOf(block, "thinking"));
        if (type == QLatin1String("tool_use"))
            return beginTool(index, block, out);
        foreignBlock_ = index;
        if (type == QLatin1String("redacted_thinking"))
            return out.warn(QStringLiteral("The provider encrypted a part of the reasoning: left out"));
        // What ran on the provider's side was already used for the text beside it.
        out.warn(QStringLiteral("A part of the kind \"%1\" was left out").arg(type.left(40)));
    }

    void readDelta(int index, const QJsonValue& delta, AnswerBuilder& out)
    {
        const QString type = textOf(delta, "type");
        if (type == QLatin1String("text_delta"))
            out.say(textOf(delta, "text"));
        else if (type == QLatin1String("thinking_delta"))
            out.say({}, textOf(delta, "thinking"));
        else if (type == QLatin1String("input_json_delta"))
            addInput(index, textOf(delta, "partial_json"), out);
    }

    void beginTool(int index, const QJsonValue& block, AnswerBuilder& out)
    {
        out.addToolCall(index, textOf(block, "id"), textOf(block, "name"), {});
        // Usually {} here and the pieces follow; without pieces this is the input.
        if (isKnown(index, out))
            waiting_[index] = block[QLatin1String("input")].toObject();
        out.say({});
    }

    void addInput(int index, const QString& piece, AnswerBuilder& out)
    {
        if (piece.isEmpty() || index == foreignBlock_)
            return;
        if (!isKnown(index, out))
            return out.warn(QStringLiteral("The input of a tool call came without the call: left out"));
        waiting_.erase(index);
        out.addToolCall(index, {}, {}, piece);
        out.say({});
    }

    void endTool(int index, AnswerBuilder& out)
    {
        const auto waiting = waiting_.find(index);
        if (waiting == waiting_.end())
            return;
        out.addToolCall(index, {}, {}, openai::argumentsText(waiting->second));
        waiting_.erase(waiting);
        out.say({});
    }

    void endTools(AnswerBuilder& out)
    {
        while (!waiting_.empty())
            endTool(waiting_.begin()->first, out);
    }

    static bool isKnown(int index, const AnswerBuilder& out)
    {
        const auto& calls = out.toolCalls();
        return std::ranges::find(calls.rbegin(), calls.rend(), index, &ToolCall::key) != calls.rend();
    }

    /// The usage here is cumulative: it replaces what message_start said.
    void readEnd(const QJsonValue& delta, const QJsonValue& usage, AnswerBuilder& out)
    {
        out.mergeUsage(usage.toObject());
        if (!textOf(delta, "stop_reason").isEmpty())
            endTools(out);
        readStopReason(delta, out);
    }

    static void readStopReason(const QJsonValue& holder, AnswerBuilder& out)
    {
        const QString reason = textOf(holder, "stop_reason");
        if (reason.isEmpty())
            return;
        if (reason == QLatin1String("pause_turn"))
            out.warn(QStringLiteral("The provider paused its turn: the answer would go on in a next request"));
        out.finishWith(reason);
    }

    void stop(AnswerBuilder& out)
    {
        endTools(out);
        out.done();
    }

    std::map<int, QJsonObject> waiting_; ///< inputs given at a tool call's beginning, until pieces come or it ends
    int foreignBlock_ = -1;              ///< the last block that is no answer: its input is not ours either
};
} // namespace

std::unique_ptr<DialectReader> makeAnthropicReader()
{
    return std::make_unique<AnthropicReader>();
}

} // namespace sg::provider
