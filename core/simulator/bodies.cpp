// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/bodies.h"
#include "core/simulator/dialects.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QRegularExpression>

#include <QtEndian>

#include <array>
#include <bit>
#include <map>

namespace sg::simulator {

namespace {

/// Field names and codes as the providers document them; the sentences are our own.
const std::map<QString, QByteArray>& bodies()
{
    static const std::map<QString, QByteArray> all{
        {QStringLiteral("openai_rate_limit"),
         R"({"error":{"message":"Rate limit reached for requests per minute","type":"requests","param":null,"code":"rate_limit_exceeded"}})"},
        {QStringLiteral("openai_insufficient_quota"),
         R"({"error":{"message":"The current quota is used up; check plan and billing","type":"insufficient_quota","param":null,"code":"insufficient_quota"}})"},
        {QStringLiteral("openai_server_error"),
         R"({"error":{"message":"The server had an error while processing the request","type":"server_error","param":null,"code":null}})"},
        {QStringLiteral("openai_overloaded"),
         R"({"error":{"message":"The engine is currently overloaded, try again later","type":"service_unavailable","param":null,"code":null}})"},
        {QStringLiteral("openai_invalid_key"),
         R"({"error":{"message":"Incorrect API key provided","type":"invalid_request_error","param":null,"code":"invalid_api_key"}})"},
        {QStringLiteral("openai_context_length"),
         R"({"error":{"message":"This model's maximum context length is exceeded","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}})"},
        {QStringLiteral("openai_content_filter"),
         R"({"error":{"message":"The prompt was filtered by the content policy","type":"invalid_request_error","param":"prompt","code":"content_filter"}})"},
        {QStringLiteral("anthropic_rate_limit"),
         R"({"type":"error","error":{"type":"rate_limit_error","message":"The request would exceed the rate limit"}})"},
        {QStringLiteral("anthropic_overloaded"),
         R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})"},
        {QStringLiteral("gemini_resource_exhausted"),
         R"({"error":{"code":429,"message":"Resource has been exhausted","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"2s"}]}})"},
        {QStringLiteral("gemini_unavailable"),
         R"({"error":{"code":503,"message":"The model is overloaded","status":"UNAVAILABLE"}})"},
        {QStringLiteral("html_bad_gateway"),
         "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"},
    };
    return all;
}

const QRegularExpression& placeholder()
{
    static const QRegularExpression pattern(
        QStringLiteral("\\{(date|unix_ms|unix|iso)(?:\\+(\\d{1,9})(ms|s|m|h|d))?\\}"));
    return pattern;
}

qint64 spanMs(const QString& amount, const QString& unit)
{
    const qint64 number = amount.toLongLong();
    if (unit == QLatin1String("ms"))
        return number;
    if (unit == QLatin1String("m"))
        return number * 60000;
    if (unit == QLatin1String("h"))
        return number * 3600000;
    if (unit == QLatin1String("d"))
        return number * 86400000;
    return number * 1000;
}

QString momentText(const QString& form, qint64 unixMs)
{
    if (form == QLatin1String("unix_ms"))
        return QString::number(unixMs);
    if (form == QLatin1String("unix"))
        return QString::number((unixMs + 999) / 1000); // never earlier than asked for
    const QDateTime moment = QDateTime::fromMSecsSinceEpoch(unixMs).toUTC();
    if (form == QLatin1String("iso"))
        return moment.toString(Qt::ISODateWithMs);
    const QDateTime rounded = QDateTime::fromMSecsSinceEpoch((unixMs + 999) / 1000 * 1000).toUTC();
    return QLocale::c().toString(rounded, QStringLiteral("ddd, dd MMM yyyy hh:mm:ss 'GMT'"));
}

QByteArray chunkHead(const AnswerFacts& facts)
{
    return QByteArrayLiteral("data: {\"id\":\"") + facts.id +
           QByteArrayLiteral("\",\"object\":\"chat.completion.chunk\",\"created\":") +
           QByteArray::number(facts.createdUnix) + QByteArrayLiteral(",\"model\":") + facts.model;
}

QByteArray chunkTail(const AnswerFacts& facts)
{
    return facts.includeUsage ? QByteArrayLiteral(",\"usage\":null}\n\n") : QByteArrayLiteral("}\n\n");
}

QByteArray usageJson(const AnswerFacts& facts)
{
    return QByteArrayLiteral("{\"prompt_tokens\":") + QByteArray::number(facts.promptTokens) +
           QByteArrayLiteral(",\"completion_tokens\":") + QByteArray::number(facts.outputTokens) +
           QByteArrayLiteral(",\"total_tokens\":") + QByteArray::number(facts.promptTokens + facts.outputTokens) +
           QByteArrayLiteral("}");
}

QByteArray finishReason(const AnswerFacts& facts)
{
    if (facts.cutByLimit)
        return QByteArrayLiteral("\"length\"");
    return facts.toolName.isEmpty() ? QByteArrayLiteral("\"stop\"") : QByteArrayLiteral("\"tool_calls\"");
}

/// A tool call up to its arguments' first character.
QByteArray toolCallHead(const AnswerFacts& facts)
{
    return QByteArrayLiteral("\"id\":\"call-") + facts.id +
           QByteArrayLiteral("\",\"type\":\"function\",\"function\":{\"name\":") + facts.toolName +
           QByteArrayLiteral(",\"arguments\":\"");
}

QByteArray wholeMessage(const AnswerFacts& facts, const QByteArray& text)
{
    if (facts.toolName.isEmpty())
        return QByteArrayLiteral("\"content\":\"") + text + QByteArrayLiteral("\",\"refusal\":null");
    return QByteArrayLiteral("\"content\":null,\"tool_calls\":[{") + toolCallHead(facts) + text +
           QByteArrayLiteral("\"}}],\"refusal\":null");
}

QByteArray vectorJson(std::uint64_t hash, bool asBase64)
{
    QByteArrayList numbers;
    QByteArray bytes;
    for (int byte = 0; byte < 8; ++byte) {
        const float value = (float((hash >> (8 * byte)) & 255) - 127.5F) / 127.5F;
        numbers << QByteArray::number(double(value), 'g', 9);
        const auto littleEndian = qToLittleEndian(std::bit_cast<quint32>(value));
        bytes.append(reinterpret_cast<const char*>(&littleEndian), sizeof littleEndian);
    }
    return asBase64 ? '"' + bytes.toBase64() + '"' : '[' + numbers.join(',') + ']';
}

} // namespace

QStringList knownBodyNames()
{
    QStringList names;
    for (const auto& [name, text] : bodies())
        names << name;
    return names;
}

std::optional<KnownBody> knownBody(const QString& name)
{
    const auto found = bodies().find(name);
    if (found == bodies().end())
        return std::nullopt;
    return KnownBody{found->second, contentTypeOf(found->second)};
}

QByteArray defaultErrorBody(int status, provider::Dialect dialect)
{
    if (dialect == provider::Dialect::Anthropic)
        return anthropic::error(status);
    if (dialect == provider::Dialect::Gemini)
        return gemini::error(status);
    if (status == 429)
        return bodies().at(QStringLiteral("openai_rate_limit"));
    if (status == 401)
        return bodies().at(QStringLiteral("openai_invalid_key"));
    if (status == 503)
        return bodies().at(QStringLiteral("openai_overloaded"));
    if (status >= 500)
        return bodies().at(QStringLiteral("openai_server_error"));
    return QByteArrayLiteral("{\"error\":{\"message\":\"Simulated status ") + QByteArray::number(status) +
           QByteArrayLiteral("\",\"type\":\"invalid_request_error\",\"param\":null,\"code\":null}}");
}

QByteArray errorEvent(const QByteArray& body, provider::Dialect dialect)
{
    return (dialect == provider::Dialect::Anthropic ? "event: error\ndata: " : "data: ") + body + "\n\n";
}

QByteArray contentTypeOf(const QByteArray& body)
{
    const QByteArray start = body.trimmed().left(1);
    if (start == "{" || start == "[")
        return QByteArrayLiteral("application/json");
    if (start == "<")
        return QByteArrayLiteral("text/html; charset=utf-8");
    return QByteArrayLiteral("text/plain; charset=utf-8");
}

std::optional<QString> headerTemplateProblem(const QString& value)
{
    QString rest = value;
    rest.remove(placeholder());
    static const QRegularExpression anyBraces(QStringLiteral("\\{[^}]*\\}?"));
    const auto match = anyBraces.match(rest);
    if (match.hasMatch() && !rest.trimmed().startsWith(QLatin1String("{\"")))
        return QStringLiteral("the placeholder %1 is not known").arg(match.captured());
    static const QRegularExpression control(QStringLiteral("[\\r\\n\\x00]"));
    if (value.contains(control))
        return QStringLiteral("a header value cannot hold a line break");
    return std::nullopt;
}

QByteArray expandHeader(const QByteArray& value, qint64 nowUnixMs)
{
    if (!value.contains('{'))
        return value;
    QString text = QString::fromLatin1(value);
    for (auto match = placeholder().match(text); match.hasMatch(); match = placeholder().match(text)) {
        const qint64 moment = nowUnixMs + spanMs(match.captured(2), match.captured(3));
        text.replace(match.capturedStart(), match.capturedLength(), momentText(match.captured(1), moment));
    }
    return text.toLatin1();
}

QByteArray words(std::uint64_t start, int count)
{
    static constexpr std::array<const char*, 31> kWords{
        "the ",  "queue ",   "drains ", "while ",   "every ", "switch ", "holds ", "its ",
        "line ", "and ",     "a ",      "breaker ", "opens ", "when ",   "load ",  "rises ",
        "then ", "traffic ", "takes ",  "another ", "way ",   "until ",  "calm ",  "returns ",
        "so ",   "answers ", "keep ",   "coming ",  "in ",    "good ",   "time "};
    QByteArray text;
    text.reserve(count * 8);
    for (int i = 0; i < count; ++i)
        text += kWords[(start + std::uint64_t(i)) % kWords.size()];
    return text;
}

QByteArray wholeAnswer(const AnswerFacts& facts, const QByteArray& text)
{
    if (facts.dialect == provider::Dialect::Anthropic)
        return anthropic::whole(facts, text);
    if (facts.dialect == provider::Dialect::Gemini)
        return gemini::whole(facts, text);
    return QByteArrayLiteral("{\"id\":\"") + facts.id +
           QByteArrayLiteral("\",\"object\":\"chat.completion\",\"created\":") + QByteArray::number(facts.createdUnix) +
           QByteArrayLiteral(",\"model\":") + facts.model +
           QByteArrayLiteral(",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",") +
           wholeMessage(facts, text) + QByteArrayLiteral("},\"logprobs\":null,\"finish_reason\":") +
           finishReason(facts) + QByteArrayLiteral("}],\"usage\":") + usageJson(facts) + QByteArrayLiteral("}");
}

QByteArray roleChunk(const AnswerFacts& facts)
{
    if (facts.dialect == provider::Dialect::Anthropic)
        return anthropic::opening(facts);
    if (facts.dialect == provider::Dialect::Gemini)
        return {};
    if (!facts.toolName.isEmpty())
        return chunkHead(facts) +
               QByteArrayLiteral(",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":null,"
                                 "\"tool_calls\":[{\"index\":0,") +
               toolCallHead(facts) + QByteArrayLiteral("\"}}]},\"finish_reason\":null}]") + chunkTail(facts);
    return chunkHead(facts) +
           QByteArrayLiteral(",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},"
                             "\"finish_reason\":null}]") +
           chunkTail(facts);
}

QByteArray contentChunk(const AnswerFacts& facts, const QByteArray& text)
{
    if (facts.dialect == provider::Dialect::Anthropic)
        return anthropic::piece(text);
    if (facts.dialect == provider::Dialect::Gemini)
        return gemini::piece(facts, text);
    if (!facts.toolName.isEmpty())
        return chunkHead(facts) +
               QByteArrayLiteral(",\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,"
                                 "\"function\":{\"arguments\":\"") +
               text + QByteArrayLiteral("\"}}]},\"finish_reason\":null}]") + chunkTail(facts);
    return chunkHead(facts) + QByteArrayLiteral(",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"") + text +
           QByteArrayLiteral("\"},\"finish_reason\":null}]") + chunkTail(facts);
}

QByteArray closingChunks(const AnswerFacts& facts)
{
    if (facts.dialect == provider::Dialect::Anthropic)
        return anthropic::closing(facts);
    if (facts.dialect == provider::Dialect::Gemini)
        return gemini::closing(facts);
    QByteArray closing = chunkHead(facts) +
                         QByteArrayLiteral(",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":") +
                         finishReason(facts) + QByteArrayLiteral("}]") + chunkTail(facts);
    if (facts.includeUsage)
        closing += chunkHead(facts) + QByteArrayLiteral(",\"choices\":[],\"usage\":") + usageJson(facts) +
                   QByteArrayLiteral("}\n\n");
    return closing + QByteArrayLiteral("data: [DONE]\n\n");
}

QByteArray quotedJson(const QString& text)
{
    const QByteArray list = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return list.mid(1, list.size() - 2);
}

std::uint64_t stableHash(const QByteArray& bytes)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : bytes)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return hash;
}

QByteArray embeddings(const QByteArray& model, const QStringList& inputs, bool asBase64)
{
    QByteArray data;
    qsizetype characters = 0;
    for (qsizetype i = 0; i < inputs.size(); ++i) {
        characters += inputs[i].size();
        data += (i ? "," : "") + QByteArrayLiteral("{\"object\":\"embedding\",\"index\":") + QByteArray::number(i) +
                QByteArrayLiteral(",\"embedding\":") + vectorJson(stableHash(inputs[i].toUtf8()), asBase64) + '}';
    }
    const QByteArray tokens = QByteArray::number(std::max<qsizetype>(1, (characters + 3) / 4));
    return QByteArrayLiteral("{\"object\":\"list\",\"data\":[") + data + QByteArrayLiteral("],\"model\":") + model +
           QByteArrayLiteral(",\"usage\":{\"prompt_tokens\":") + tokens + QByteArrayLiteral(",\"total_tokens\":") +
           tokens + QByteArrayLiteral("}}");
}

} // namespace sg::simulator
