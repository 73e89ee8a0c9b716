// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/answer_builder.h"

#include "core/provider/finish_reason.h"
#include "core/provider/openai_pieces.h"
#include "core/provider/usage.h"

#include <algorithm>

namespace sg::provider {

namespace {
// No model calls that many tools in one answer; a broken server must not make the search for a call slow.
constexpr std::size_t kMaxToolCalls = 512;
// Far above what a model can say, and little enough for many answers at once.
constexpr qsizetype kMaxAnswerCharacters = 8 * 1024 * 1024;
constexpr qsizetype kMaxWarnings = 20;
constexpr qsizetype kMaxUsageFields = 64; ///< of one object; a dozen is usual

void mergeInto(QJsonObject& into, const QJsonObject& from)
{
    for (auto field = from.constBegin(); field != from.constEnd(); ++field) {
        if (field->isNull())
            continue;
        // Some send the usage with every token: looks each name up once and makes it once.
        const QString name = field.key();
        const auto known = into.find(name);
        if (known == into.end()) {
            if (into.size() < kMaxUsageFields)
                into.insert(name, field.value());
            continue;
        }
        QJsonObject nested = field->isObject() ? known->toObject() : QJsonObject();
        if (nested.isEmpty()) {
            *known = field.value();
            continue;
        }
        mergeInto(nested, field->toObject());
        *known = nested;
    }
}

ErrorFacts factsOf(ErrorClass error, std::string message)
{
    ErrorFacts facts;
    facts.disposition = dispositionOf(error);
    facts.message = std::move(message);
    return facts;
}

/// The service is healthy: it did what its filter asks for.
ErrorFacts filtered()
{
    ErrorFacts facts = factsOf(ErrorClass::ContentFiltered, std::string(inWords(ErrorClass::ContentFiltered)));
    facts.disposition.breaker = policy::CallOutcome::Success;
    facts.status = 200;
    return facts;
}
} // namespace

AnswerBuilder::AnswerBuilder(AnswerContext context, StreamReader::OnDelta onDelta)
    : context_(std::move(context))
    , onDelta_(std::move(onDelta))
{
}

void AnswerBuilder::setModel(const QString& model)
{
    if (answer_.model.empty() && !model.isEmpty())
        answer_.model = model.toStdString();
}

void AnswerBuilder::setId(const QString& id)
{
    if (answer_.id.empty() && !id.isEmpty())
        answer_.id = id.toStdString();
}

void AnswerBuilder::say(QString text, QString reasoning)
{
    const Delta delta{std::move(text), std::move(reasoning), std::exchange(pending_, {})};
    if (!delta.isCommit() || error_)
        return;
    held_ += delta.text.size() + delta.reasoning.size();
    if (held_ > kMaxAnswerCharacters)
        return fail(ErrorClass::BadResponse, "The answer is longer than allowed");
    committed_ = true;
    answer_.text += delta.text;
    answer_.reasoning += delta.reasoning;
    if (onDelta_)
        onDelta_(delta);
}

ToolCall* AnswerBuilder::callFor(int key)
{
    const auto known = std::ranges::find(toolCalls_.rbegin(), toolCalls_.rend(), key, &ToolCall::key);
    if (known != toolCalls_.rend())
        return &*known;
    if (toolCalls_.size() >= kMaxToolCalls)
        return nullptr;
    return &toolCalls_.emplace_back(ToolCall{key, {}, {}, {}, {}});
}

void AnswerBuilder::addToolCall(int key, const QString& id, const QString& name, const QString& arguments,
                                const QString& signature)
{
    ToolCall* const call = callFor(key);
    if (!call)
        return warn(QStringLiteral("More than %1 tool calls: the rest was left out").arg(kMaxToolCalls));
    ToolCallPiece piece{static_cast<int>(call - toolCalls_.data()), {}, {}, arguments};
    if (call->id.isEmpty())
        call->id = piece.id = id;
    if (call->name.isEmpty())
        call->name = piece.name = name;
    if (call->signature.isEmpty())
        call->signature = piece.signature = signature;
    held_ += arguments.size() + piece.id.size() + piece.name.size() + piece.signature.size();
    call->arguments += arguments;
    pending_.push_back(std::move(piece));
}

void AnswerBuilder::finishWith(const QString& sent)
{
    answer_.finishReason = normalFinishReason(sent);
    if (answer_.finishReasonSent.empty())
        answer_.finishReasonSent = sent.toStdString();
    terminal_ = true;
}

void AnswerBuilder::setFinishReasonSent(const QString& sent)
{
    if (!sent.isEmpty())
        answer_.finishReasonSent = sent.toStdString();
}

void AnswerBuilder::mergeUsage(const QJsonObject& sent)
{
    const bool isWhole = answer_.usageSent.isEmpty() && sent.size() <= kMaxUsageFields &&
                         std::none_of(sent.begin(), sent.end(), [](const auto& field) { return field.isNull(); });
    if (isWhole)
        answer_.usageSent = sent;
    else if (!sent.isEmpty())
        mergeInto(answer_.usageSent, sent);
}

void AnswerBuilder::warn(const QString& sentence)
{
    if (answer_.warnings.size() < kMaxWarnings && !answer_.warnings.contains(sentence))
        answer_.warnings += sentence;
}

void AnswerBuilder::end()
{
    terminal_ = true;
}

void AnswerBuilder::done()
{
    terminal_ = done_ = true;
}

void AnswerBuilder::fail(ErrorFacts facts)
{
    if (error_)
        return;
    if (committed_) // what was delivered stays delivered
        facts.disposition = streamBroken(true, {}).disposition;
    facts.status = 200;
    error_ = std::move(facts);
}

void AnswerBuilder::fail(ErrorClass error, const char* sentence)
{
    fail(factsOf(error, sentence));
}

Answer AnswerBuilder::withRest(Answer answer, std::vector<ToolCall> calls) const
{
    // By the number that the pieces carried: who relays the stream has made the same id.
    for (std::size_t index = 0; index < calls.size(); ++index)
        if (calls[index].id.isEmpty())
            calls[index].id = openai::madeCallId(static_cast<int>(index));
    std::ranges::stable_sort(calls, {}, &ToolCall::key);
    for (const ToolCall& call : calls)
        answer.toolCalls += openai::toolCallJson(call.id, call.name, call.arguments, call.signature);
    // Anthropic and Gemini leave it to the reader to see that a stop is a call.
    if (answer.finishReason == "stop" && !calls.empty())
        answer.finishReason = "tool_calls";
    answer.usage = readUsage(context_.dialect, answer.usageSent);
    return answer;
}

tl::expected<Answer, ErrorFacts> AnswerBuilder::finishWhole()
{
    if (error_)
        return tl::make_unexpected(*error_);
    if (!committed_ && answer_.finishReason == "content_filter")
        return tl::make_unexpected(filtered());
    return withRest(std::move(answer_), std::move(toolCalls_));
}

tl::expected<Answer, ErrorFacts> AnswerBuilder::finishStream()
{
    if (error_)
        return tl::make_unexpected(*error_);
    if (!terminal_) {
        ErrorFacts facts = streamBroken(committed_, "The stream ended before the answer was complete");
        facts.status = 200;
        return tl::make_unexpected(std::move(facts));
    }
    if (answer_.finishReason.empty())
        warn(QStringLiteral("The stream ended without a finish reason"));
    // A reasoning model may spend the whole limit before it says a word: that is an answer, and it was billed.
    if (committed_ || answer_.finishReason == "length")
        return answer();
    if (answer_.finishReason == "content_filter")
        return tl::make_unexpected(filtered());
    ErrorFacts facts = factsOf(ErrorClass::BadResponse, "The stream ended without a word");
    facts.status = 200;
    return tl::make_unexpected(std::move(facts));
}

} // namespace sg::provider
