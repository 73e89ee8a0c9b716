// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/openai_writer.h"

#include "core/provider/json_text.h"
#include "core/provider/openai_pieces.h"

#include <QJsonDocument>

#include <utility>

namespace sg::provider::openai {

namespace {
/// Of an answer beside its words; what is written last needs room for its escapes while it is written.
constexpr qsizetype kRoomForTheRest = 4096;

void appendText(QByteArray& out, const std::string& text)
{
    appendJsonString(out, QString::fromStdString(text));
}

void appendName(QByteArray& out, const char* name)
{
    if (!out.endsWith('{'))
        out.append(',');
    out.append('"').append(name).append("\":");
}

void appendCount(QByteArray& out, const char* name, const std::optional<std::int64_t>& count)
{
    if (!count)
        return;
    appendName(out, name);
    appendJsonNumber(out, *count);
}

/// An object of counts; nothing when none is known.
template <typename... Counts>
void appendDetails(QByteArray& out, const char* name, const Counts&... counts)
{
    QByteArray details("{");
    (appendCount(details, counts.first, counts.second), ...);
    if (details.size() == 1)
        return;
    appendName(out, name);
    out.append(details).append('}');
}

std::optional<std::int64_t> totalOf(const Usage& usage)
{
    if (!usage.inputTokens || !usage.outputTokens)
        return std::nullopt;
    return *usage.inputTokens + *usage.outputTokens;
}

/// Empty when nothing is known.
QByteArray usageJson(const Usage& usage)
{
    using Row = std::pair<const char*, std::optional<std::int64_t>>;
    QByteArray out("{");
    appendCount(out, "prompt_tokens", usage.inputTokens);
    appendCount(out, "completion_tokens", usage.outputTokens);
    appendCount(out, "total_tokens", totalOf(usage));
    appendDetails(out, "prompt_tokens_details", Row("cached_tokens", usage.cachedInputTokens),
                  Row("cache_write_tokens", usage.cacheWriteTokens), Row("audio_tokens", usage.audioInputTokens));
    appendDetails(out, "completion_tokens_details", Row("reasoning_tokens", usage.reasoningTokens),
                  Row("audio_tokens", usage.audioOutputTokens));
    // Anthropic's name: nobody else has a price for the hour.
    appendDetails(out, "cache_creation", Row("ephemeral_1h_input_tokens", usage.cacheWriteHourTokens));
    if (usage.reportedCost && usage.reportedCost->count() >= 0) {
        appendName(out, "cost");
        out.append(cost::decimalUsd(*usage.reportedCost));
    }
    if (out.size() == 1)
        return {};
    if (usage.estimated)
        out.append(",\"estimated\":true");
    return out + '}';
}

void appendFinish(QByteArray& out, const Answer& answer)
{
    out.append(",\"finish_reason\":");
    if (answer.finishReason.empty()) {
        out.append("null");
        return;
    }
    appendText(out, answer.finishReason);
    if (answer.finishReasonSent.empty() || answer.finishReasonSent == answer.finishReason)
        return;
    out.append(",\"native_finish_reason\":");
    appendText(out, answer.finishReasonSent);
}

void appendHead(QByteArray& head, const char* object, const std::string& id, const std::string& model,
                std::int64_t created)
{
    head.append("{\"id\":");
    appendText(head, id);
    head.append(",\"object\":\"").append(object).append("\",\"created\":");
    appendJsonNumber(head, created);
    head.append(",\"model\":");
    appendText(head, model);
}

/// What of `text` can be written. Providers that cut their tokens between the halves of a surrogate pair exist; the
/// first half waits in `held`.
QString readyText(QString& held, const QString& text)
{
    if (held.isEmpty() && (text.isEmpty() || !text.back().isHighSurrogate()))
        return text;
    QString all = std::exchange(held, {}) + text;
    if (all.back().isHighSurrogate()) {
        held = all.last(1);
        all.chop(1);
    }
    return all;
}

Delta deltaOf(const Answer& answer)
{
    Delta delta{answer.text, answer.reasoning, {}};
    for (const QJsonValue& call : answer.toolCalls) {
        const QJsonValue function = call[QLatin1String("function")];
        delta.toolCalls.push_back({static_cast<int>(delta.toolCalls.size()), call[QLatin1String("id")].toString(),
                                   function[QLatin1String("name")].toString(),
                                   function[QLatin1String("arguments")].toString(), signatureOf(call)});
    }
    return delta;
}
} // namespace

QByteArray writeWhole(const Answer& answer, std::int64_t created)
{
    QByteArray out;
    out.reserve(answer.text.size() + answer.reasoning.size() + kRoomForTheRest);
    appendHead(out, "chat.completion", answer.id, answer.model, created);
    out.append(",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":");
    if (answer.text.isEmpty() && !answer.toolCalls.isEmpty())
        out.append("null");
    else
        appendJsonString(out, answer.text);
    out.append(",\"refusal\":null");
    if (!answer.reasoning.isEmpty()) {
        out.append(",\"reasoning_content\":");
        appendJsonString(out, answer.reasoning);
    }
    if (!answer.toolCalls.isEmpty())
        out.append(",\"tool_calls\":").append(QJsonDocument(answer.toolCalls).toJson(QJsonDocument::Compact));
    out.append("},\"logprobs\":null");
    appendFinish(out, answer);
    out.append("}]");
    if (const QByteArray usage = usageJson(answer.usage); !usage.isEmpty())
        out.append(",\"usage\":").append(usage);
    return out + '}';
}

/// One chunk while it is put together: nothing goes out unless a field was added.
class StreamWriter::Chunk
{
public:
    explicit Chunk(const QByteArray& head, qsizetype expected)
    {
        out_.reserve(head.size() + expected + 128);
        out_.append(head).append(",\"choices\":[{\"index\":0,\"delta\":{");
        empty_ = out_.size();
    }
    bool isEmpty() const { return out_.size() == empty_; }
    QByteArray& field(const char* name)
    {
        appendName(out_, name);
        return out_;
    }
    QByteArray& bytes() { return out_; }
    /// `role`: this is the first chunk.
    QByteArray ended(bool role, const Answer* finished = nullptr)
    {
        if (role)
            out_.insert(empty_, isEmpty() ? "\"role\":\"assistant\",\"content\":\"\"" : "\"role\":\"assistant\",");
        out_.append('}');
        if (finished)
            appendFinish(out_, *finished);
        else
            out_.append(",\"finish_reason\":null");
        out_.append("}]}\n\n");
        return std::move(out_);
    }

private:
    QByteArray out_;
    qsizetype empty_ = 0;
};

StreamWriter::StreamWriter(const std::string& id, const std::string& model, std::int64_t created)
    : head_("data: ")
{
    appendHead(head_, "chat.completion.chunk", id, model, created);
}

QByteArray StreamWriter::write(const Delta& delta)
{
    Chunk chunk(head_, delta.text.size() + delta.reasoning.size());
    if (const QString ready = readyText(reasoning_, delta.reasoning); !ready.isEmpty())
        appendJsonString(chunk.field("reasoning_content"), ready);
    if (const QString ready = readyText(text_, delta.text); !ready.isEmpty())
        appendJsonString(chunk.field("content"), ready);
    if (!delta.toolCalls.empty()) {
        for (const ToolCallPiece& piece : delta.toolCalls)
            take(piece);
        addCalls(chunk, false);
    }
    if (chunk.isEmpty())
        return {};
    return chunk.ended(!std::exchange(begun_, true));
}

void StreamWriter::take(const ToolCallPiece& piece)
{
    const auto index = static_cast<std::size_t>(piece.index);
    if (index >= calls_.size())
        calls_.resize(index + 1);
    Call& call = calls_[index];
    if (call.id.isEmpty())
        call.id = piece.id;
    if (call.name.isEmpty())
        call.name = piece.name;
    if (call.signature.isEmpty())
        call.signature = piece.signature;
    call.arguments += piece.arguments;
}

/// Every call that may begin or go on; after the last piece all may.
void StreamWriter::addCalls(Chunk& chunk, bool isLast)
{
    bool any = false;
    const auto open = [&chunk, &any](std::size_t index) -> QByteArray& {
        QByteArray& out = any ? chunk.bytes().append(',') : chunk.field("tool_calls").append('[');
        any = true;
        out.append("{\"index\":");
        appendJsonNumber(out, static_cast<std::int64_t>(index));
        return out;
    };
    for (std::size_t index = 0; index < calls_.size(); ++index) {
        Call& call = calls_[index];
        if (!call.isBegun && !isLast && (call.id.isEmpty() || call.name.isEmpty()))
            break;
        const bool split = !isLast && !call.arguments.isEmpty() && call.arguments.back().isHighSurrogate();
        const QStringView ready = QStringView(call.arguments).chopped(split ? 1 : 0);
        if (call.isBegun && ready.isEmpty() && call.signature.isEmpty())
            continue;
        QByteArray& out = open(index);
        if (!call.isBegun) {
            out.append(",\"id\":");
            appendJsonString(out, call.id.isEmpty() ? madeCallId(static_cast<int>(index)) : call.id);
            out.append(",\"type\":\"function\"");
        }
        out.append(",\"function\":{");
        if (!std::exchange(call.isBegun, true)) {
            out.append("\"name\":");
            appendJsonString(out, call.name);
            out.append(',');
        }
        out.append("\"arguments\":");
        appendJsonString(out, ready);
        out.append('}');
        if (!call.signature.isEmpty()) {
            out.append(",\"extra_content\":{\"google\":{\"thought_signature\":");
            appendJsonString(out, std::exchange(call.signature, {}));
            out.append("}}");
        }
        out.append('}');
        call.arguments = call.arguments.right(split ? 1 : 0);
    }
    if (any)
        chunk.bytes().append(']');
}

QByteArray StreamWriter::finish(const Answer& answer, bool includeUsage)
{
    QByteArray out;
    if (!begun_ && calls_.empty() && text_.isEmpty() && reasoning_.isEmpty())
        out = write(deltaOf(answer));
    Chunk rest(head_, 0);
    if (!reasoning_.isEmpty())
        appendJsonString(rest.field("reasoning_content"), reasoning_);
    if (!text_.isEmpty())
        appendJsonString(rest.field("content"), text_);
    addCalls(rest, true);
    if (!rest.isEmpty() || !begun_)
        out.append(rest.ended(!std::exchange(begun_, true)));
    out.append(Chunk(head_, 0).ended(false, &answer));
    if (const QByteArray usage = usageJson(answer.usage); includeUsage && !usage.isEmpty())
        out.append(head_).append(",\"choices\":[],\"usage\":").append(usage).append("}\n\n");
    return out.append("data: [DONE]\n\n");
}

QByteArray StreamWriter::fail(const std::string& type, const std::string& message, const std::string& code)
{
    QByteArray out("data: {\"error\":{\"message\":");
    appendText(out, message);
    out.append(",\"type\":");
    appendText(out, type);
    out.append(",\"param\":null,\"code\":");
    if (code.empty())
        out.append("null");
    else
        appendText(out, code);
    return out.append("}}\n\n");
}

} // namespace sg::provider::openai
