// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/strict_client.h"

#include "core/provider/sse.h"
#include "tests/support/literals.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <utility>

namespace sg::test {

using namespace sg::provider;

namespace {
/// What a client that takes nothing for granted keeps from chunk to chunk.
struct StrictClient
{
    std::vector<QJsonObject> calls{};
    std::int64_t created = kStrictCreated;
    bool begun = false, finished = false, usage = false;

    QString take(const QJsonObject& chunk)
    {
        if (chunk["object"_L1] != "chat.completion.chunk"_L1 || chunk["created"_L1].toInteger() != created)
            return QStringLiteral("no chunk");
        if (!chunk["id"_L1].isString() || !chunk["model"_L1].isString() || !chunk["choices"_L1].isArray())
            return QStringLiteral("a field is missing");
        const QJsonArray choices = chunk["choices"_L1].toArray();
        if (choices.isEmpty())
            return takeUsage(chunk);
        if (choices.size() != 1 || finished || chunk.contains("usage"_L1))
            return QStringLiteral("a chunk after the last one, or with too much in it");
        return takeChoice(choices[0].toObject());
    }

private:
    QString takeUsage(const QJsonObject& chunk)
    {
        if (!finished || std::exchange(usage, true) || !chunk["usage"_L1].isObject())
            return QStringLiteral("usage in the wrong place");
        return {};
    }

    QString takeChoice(const QJsonObject& choice)
    {
        const QJsonObject delta = choice["delta"_L1].toObject();
        if (choice["index"_L1] != 0 || !choice["delta"_L1].isObject() || !choice.contains("finish_reason"_L1))
            return QStringLiteral("no choice");
        if (delta.contains("role"_L1) == begun || (!begun && delta["role"_L1] != "assistant"_L1))
            return QStringLiteral("the role belongs into the first chunk and nowhere else");
        begun = true;
        finished = delta.isEmpty() || choice["finish_reason"_L1].isString();
        const QJsonArray pieces = delta["tool_calls"_L1].toArray();
        if (delta.contains("tool_calls"_L1) && pieces.isEmpty())
            return QStringLiteral("a list of no calls");
        for (const QJsonValue& piece : pieces)
            if (const QString problem = takeCall(piece.toObject()); !problem.isEmpty())
                return problem;
        return {};
    }

    QString takeCall(const QJsonObject& piece)
    {
        const QJsonObject function = piece["function"_L1].toObject();
        const auto index = static_cast<std::size_t>(piece["index"_L1].toInt(99999));
        if (index > calls.size() || !function["arguments"_L1].isString())
            return QStringLiteral("no call");
        const bool first = index == calls.size();
        if (first)
            calls.push_back(piece);
        if (piece["id"_L1].isString() != first || function["name"_L1].isString() != first)
            return QStringLiteral("id and name belong into the first piece and nowhere else");
        if (first && (piece["id"_L1].toString().isEmpty() || piece["type"_L1] != "function"_L1))
            return QStringLiteral("no id or no type");
        return {};
    }
};
} // namespace

std::vector<QJsonObject> chunksOf(const QByteArray& stream)
{
    std::vector<QJsonObject> chunks;
    SseParser parser([&chunks](const SseEvent& event) {
        if (event.data != "[DONE]")
            chunks.push_back(QJsonDocument::fromJson(event.data.toByteArray()).object());
    });
    parser.feed(stream);
    return chunks;
}

QString strictProblem(const QByteArray& stream, bool wantsUsage, std::optional<std::int64_t> created)
{
    if (!stream.endsWith("\n\ndata: [DONE]\n\n") || stream.count("[DONE]\n") != 1)
        return QStringLiteral("no end");
    for (const char* lineEnd : {"\r", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xC2\x85"})
        if (stream.contains(lineEnd))
            return QStringLiteral("a line end within an event");
    const std::vector<QJsonObject> chunks = chunksOf(stream);
    StrictClient client;
    client.created = created.value_or(chunks.empty() ? 0 : chunks.front()["created"_L1].toInteger());
    for (const QJsonObject& chunk : chunks)
        if (const QString problem = client.take(chunk); !problem.isEmpty())
            return problem + QLatin1Char(' ') + QString::fromUtf8(QJsonDocument(chunk).toJson());
    if (!client.finished || client.usage != wantsUsage)
        return QStringLiteral("no finish, or usage where it was not wanted");
    return {};
}

} // namespace sg::test
