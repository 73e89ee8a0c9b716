// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/openai.h"
#include "core/provider/openai_pieces.h"

#include <QJsonDocument>

#include <algorithm>

namespace sg::provider::openai {

namespace {
// No model calls that many tools in one answer; a broken server must not make the search for an index slow.
constexpr std::size_t kMaxToolCalls = 512;
// Far above what a model can say, and little enough for many answers at once.
constexpr qsizetype kMaxAnswerCharacters = 8 * 1024 * 1024;

std::string_view view(const QByteArray& bytes)
{
    return {bytes.data(), static_cast<std::size_t>(bytes.size())};
}

bool isError(const SseEvent& event, const QJsonObject& chunk)
{
    const QJsonValue error = chunk[QLatin1String("error")];
    return event.event == "error" || event.event.endsWith("xception") || error.isString() ||
           (error.isObject() && !error.toObject().isEmpty());
}

/// Several chunks may carry usage: the last value of each field counts, a missing one keeps the earlier.
void mergeUsage(Usage& into, const Usage& from)
{
    const auto take = [](auto& old, const auto& now) {
        if (now)
            old = now;
    };
    take(into.inputTokens, from.inputTokens);
    take(into.outputTokens, from.outputTokens);
    take(into.cachedInputTokens, from.cachedInputTokens);
    take(into.reasoningTokens, from.reasoningTokens);
}
} // namespace

StreamReader::StreamReader(OnDelta onDelta, AnswerContext context)
    : parser_([this](const SseEvent& event) { onEvent(event); })
    , onDelta_(std::move(onDelta))
    , context_(std::move(context))
{
}

bool StreamReader::feed(QByteArrayView bytes)
{
    if (error_)
        return false;
    if (!parser_.feed(bytes) && !error_ && !done_) {
        ErrorFacts facts;
        facts.disposition = dispositionOf(ErrorClass::BadResponse);
        facts.message = "An event of the stream is larger than allowed";
        fail(std::move(facts));
    }
    return !error_;
}

void StreamReader::fail(ErrorFacts facts)
{
    if (committed_) // what was delivered stays delivered
        facts.disposition = streamBroken(true, {}).disposition;
    facts.status = 200;
    error_ = std::move(facts);
}

void StreamReader::onEvent(const SseEvent& event)
{
    if (error_ || done_)
        return;
    const QByteArray data = event.data.trimmed();
    if (data == "[DONE]") {
        done_ = terminal_ = true;
        return;
    }
    // Some relays wrap a comment of their upstream as data.
    if (data.isEmpty() || data.startsWith(':'))
        return;
    const QJsonDocument document = QJsonDocument::fromJson(data);
    if (isError(event, document.object()))
        return fail(classifyStreamError(context_, view(event.event), view(data), committed_));
    if (!document.isObject()) {
        ErrorFacts facts;
        facts.disposition = dispositionOf(ErrorClass::BadResponse);
        facts.message = "An event of the stream is not JSON";
        return fail(std::move(facts));
    }
    onChunk(document.object());
}

void StreamReader::onChunk(const QJsonObject& chunk)
{
    const QString model = chunk[QLatin1String("model")].toString();
    if (!model.isEmpty())
        answer_.model = model.toStdString();
    mergeUsage(answer_.usage, readUsage(chunk[QLatin1String("usage")].toObject()));
    const QJsonArray choices = chunk[QLatin1String("choices")].toArray();
    for (const QJsonValue& choice : choices) {
        if (choice[QLatin1String("index")].toInt() == 0) // the product never asks for more than one
            onChoice(choice.toObject());
    }
}

void StreamReader::onChoice(const QJsonObject& choice)
{
    const QJsonValue delta = choice[QLatin1String("delta")];
    // Servers that cannot stream send the whole message as the only chunk.
    const QJsonObject said = delta.isObject() ? delta.toObject() : choice[QLatin1String("message")].toObject();
    Pieces pieces = readPieces(said);
    const QJsonArray calls = said[QLatin1String("tool_calls")].toArray();
    for (const QJsonValue& call : calls)
        mergeToolCall(call.toObject());

    const QString reason = choice[QLatin1String("finish_reason")].toString();
    if (!reason.isEmpty()) {
        answer_.finishReason = reason.toStdString();
        terminal_ = true;
    }
    const Delta out{std::move(pieces.text), std::move(pieces.reasoning), !calls.isEmpty()};
    if (!out.isCommit())
        return;
    held_ += out.text.size() + out.reasoning.size();
    if (held_ > kMaxAnswerCharacters) {
        ErrorFacts facts;
        facts.disposition = dispositionOf(ErrorClass::BadResponse);
        facts.message = "The answer is longer than allowed";
        return fail(std::move(facts));
    }
    committed_ = true;
    answer_.text += out.text;
    answer_.reasoning += out.reasoning;
    if (onDelta_)
        onDelta_(out);
}

StreamReader::ToolCall* StreamReader::toolCallFor(const QJsonObject& piece)
{
    const QJsonValue index = piece[QLatin1String("index")];
    const QString id = piece[QLatin1String("id")].toString();
    // Without an index a new id begins a new call, and a piece without both continues the last one.
    const auto same = [&](const ToolCall& call) {
        return index.isDouble() ? call.index == index.toInt() : id.isEmpty() || call.id == id;
    };
    const auto it = std::find_if(toolCalls_.rbegin(), toolCalls_.rend(), same);
    if (it != toolCalls_.rend())
        return &*it;
    if (toolCalls_.size() >= kMaxToolCalls)
        return nullptr;
    const int next = toolCalls_.empty() ? 0 : toolCalls_.back().index + 1;
    return &toolCalls_.emplace_back(ToolCall{index.toInt(next), {}, {}, {}});
}

void StreamReader::mergeToolCall(const QJsonObject& piece)
{
    ToolCall* const call = toolCallFor(piece);
    if (!call)
        return;
    const QString id = piece[QLatin1String("id")].toString();
    const QJsonValue function = piece[QLatin1String("function")];
    const QString name = function[QLatin1String("name")].toString();
    // Id and name come once, or again with every piece, or empty: the first that says something counts.
    if (call->id.isEmpty())
        call->id = id;
    if (call->name.isEmpty())
        call->name = name;
    const QString arguments = argumentsText(function[QLatin1String("arguments")]);
    held_ += arguments.size();
    call->arguments += arguments;
}

tl::expected<Answer, ErrorFacts> StreamReader::finish()
{
    answer_.toolCalls = {};
    std::ranges::stable_sort(toolCalls_, {}, &ToolCall::index);
    for (const ToolCall& call : toolCalls_)
        answer_.toolCalls += toolCallJson(call.index, call.id, call.name, call.arguments);

    if (error_)
        return tl::make_unexpected(*error_);
    ErrorFacts facts;
    facts.status = 200;
    if (!terminal_) {
        facts = streamBroken(committed_, "The stream ended before the answer was complete");
        facts.status = 200;
        return tl::make_unexpected(std::move(facts));
    }
    if (committed_)
        return answer_;
    if (answer_.finishReason == "content_filter") {
        facts.disposition = dispositionOf(ErrorClass::ContentFiltered);
        facts.disposition.breaker = policy::CallOutcome::Success;
        facts.message = inWords(ErrorClass::ContentFiltered);
        return tl::make_unexpected(std::move(facts));
    }
    // A reasoning model may spend the whole limit before it says a word: that is an answer, and it was billed.
    if (answer_.finishReason == "length")
        return answer_;
    facts.disposition = dispositionOf(ErrorClass::BadResponse);
    facts.message = "The stream ended without a word";
    return tl::make_unexpected(std::move(facts));
}

} // namespace sg::provider::openai
