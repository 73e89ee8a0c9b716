// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/answer_reader.h"

#include "core/provider/dialect_reader.h"
#include "core/provider/error_body.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace sg::provider {

namespace {
std::string_view view(QByteArrayView bytes)
{
    return {bytes.data(), static_cast<std::size_t>(bytes.size())};
}

bool isError(const SseEvent& event, const QJsonObject& chunk)
{
    return event.event == "error" || event.event.endsWith("xception") || namesError(chunk);
}

bool looksLikeStream(QByteArrayView body)
{
    const QByteArrayView start = body.trimmed();
    return start.startsWith("data:") || start.startsWith("event:") || start.startsWith(':');
}

/// The chunks of a stream in one JSON list, as Gemini sends them without alt=sse; empty unless there are several.
QJsonArray chunkList(QByteArrayView body)
{
    if (!body.trimmed().startsWith('['))
        return {};
    const QJsonArray list = QJsonDocument::fromJson(body.toByteArray()).array();
    return list.size() > 1 ? list : QJsonArray();
}

tl::expected<Answer, ErrorFacts> readUnaskedStream(QByteArrayView body, const AnswerContext& context)
{
    StreamReader reader({}, context);
    reader.feed(body);
    auto answer = reader.finish();
    if (answer)
        answer->warnings += QStringLiteral("A stream came where a whole answer was asked for");
    return answer;
}

tl::expected<Answer, ErrorFacts> readChunkList(const QJsonArray& chunks, const AnswerContext& context)
{
    AnswerBuilder answer(context, {});
    const auto reader = makeReader(context.dialect);
    for (const QJsonValue& chunk : chunks) {
        if (chunk[QLatin1String("error")].isObject()) {
            const QByteArray text = QJsonDocument(chunk.toObject()).toJson(QJsonDocument::Compact);
            answer.fail(classifyStreamError(context, {}, view(text), answer.committed()));
        } else if (!answer.failed()) {
            reader->onEvent("message", chunk.toObject(), answer);
        }
    }
    return answer.finishStream();
}
} // namespace

std::unique_ptr<DialectReader> makeReader(Dialect dialect)
{
    switch (dialect) {
    case Dialect::OpenAi:
    case Dialect::Azure:
        break;
    case Dialect::Anthropic:
        return makeAnthropicReader();
    case Dialect::Gemini:
        return makeGeminiReader();
    }
    return makeOpenAiReader();
}

tl::expected<Answer, ErrorFacts> parseWhole(QByteArrayView body, const AnswerContext& context)
{
    if (looksLikeStream(body))
        return readUnaskedStream(body, context);
    if (const QJsonArray chunks = chunkList(body); !chunks.isEmpty())
        return readChunkList(chunks, context);
    const BodyFacts read = readBody(context.headers, view(body));
    ErrorFacts facts = classifyRead(context, 200, view(body), read);
    if (facts.disposition.error != ErrorClass::None)
        return tl::make_unexpected(std::move(facts));
    AnswerBuilder answer(context, {});
    makeReader(context.dialect)->onWhole(read.root, answer);
    return answer.finishWhole();
}

StreamReader::StreamReader(OnDelta onDelta, AnswerContext context)
    : parser_([this](const SseEvent& event) { onEvent(event); })
    , answer_(std::make_unique<AnswerBuilder>(std::move(context), std::move(onDelta)))
    , dialect_(makeReader(answer_->context().dialect))
{
}

StreamReader::~StreamReader() = default;

bool StreamReader::committed() const
{
    return answer_->committed();
}

bool StreamReader::terminalSeen() const
{
    return answer_->terminal();
}

bool StreamReader::doneSeen() const
{
    return answer_->isDone();
}

bool StreamReader::feed(QByteArrayView bytes)
{
    if (answer_->failed())
        return false;
    if (!parser_.feed(bytes) && !answer_->isDone())
        answer_->fail(ErrorClass::BadResponse, "An event of the stream is larger than allowed");
    return !answer_->failed();
}

void StreamReader::onEvent(const SseEvent& event)
{
    if (answer_->failed() || answer_->isDone())
        return;
    const QByteArrayView data = event.data.trimmed();
    if (data == "[DONE]")
        return answer_->done();
    if (data.isEmpty())
        return;
    if (data.startsWith(':'))
        return answer_->warn(QStringLiteral("A relay wrapped a comment of its upstream as data: skipped"));
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromRawData(data.data(), data.size()));
    const QJsonObject object = document.object();
    if (ending_ && !document.isObject())
        return;
    if (isError(event, object))
        return answer_->fail(
            classifyStreamError(answer_->context(), view(event.event), view(data), answer_->committed()));
    if (!document.isObject() && answer_->terminal()) // it has said its last word; relays add lines of their own
        return answer_->warn(QStringLiteral("A line after the end of the answer is not JSON: skipped"));
    if (!document.isObject())
        return answer_->fail(ErrorClass::BadResponse, "An event of the stream is not JSON");
    dialect_->onEvent(view(event.event), object, *answer_);
}

tl::expected<Answer, ErrorFacts> StreamReader::finish()
{
    ending_ = true;
    parser_.finish();
    return answer_->finishStream();
}

Answer StreamReader::partial() const
{
    return answer_->answer();
}

} // namespace sg::provider
