// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/request_parts.h"

#include "core/provider/openai_pieces.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QUrl>

#include <array>

namespace sg::provider {

namespace {
QString stringIn(const QJsonValue& holder, const char* name)
{
    return holder[QLatin1String(name)].toString();
}

bool isSaid(const QJsonValue& value)
{
    return !value.isNull() && !value.isUndefined() && !(value.isArray() && value.toArray().isEmpty());
}

/// "data:image/png;base64,AAAA"; other addresses stay addresses.
Part partOfAddress(const QString& address)
{
    Part part;
    const qsizetype comma = address.indexOf(QLatin1Char(','));
    if (!address.startsWith(QLatin1String("data:"), Qt::CaseInsensitive) || comma < 0) {
        part.url = QUrl(address);
        return part;
    }
    const QStringList words = address.sliced(5, comma - 5).split(QLatin1Char(';'));
    part.mime = words.front().trimmed().toLower();
    const QString data = address.sliced(comma + 1);
    const bool encoded = words.contains(QLatin1String("base64"), Qt::CaseInsensitive);
    part.base64 = encoded ? QString::fromLatin1(QByteArray::fromPercentEncoding(data.toLatin1()))
                          : QString::fromLatin1(QByteArray::fromPercentEncoding(data.toUtf8()).toBase64());
    return part;
}

std::optional<Part> imagePart(const QJsonValue& json, LeftOut& left)
{
    const QJsonValue image = json[QLatin1String("image_url")];
    const QString address = image.isString() ? image.toString() : stringIn(image, "url");
    const QString detail = stringIn(image.isObject() ? image : json, "detail");
    if (!detail.isEmpty() && detail != QLatin1String("auto"))
        left.add(QStringLiteral("detail"));
    if (address.isEmpty())
        return std::nullopt;
    return partOfAddress(address);
}

std::optional<Part> audioPart(const QJsonValue& json)
{
    const QJsonValue audio = json[QLatin1String("input_audio")];
    if (stringIn(audio, "data").isEmpty())
        return std::nullopt;
    Part part;
    part.mime = QStringLiteral("audio/") + stringIn(audio, "format");
    part.base64 = stringIn(audio, "data");
    return part;
}

/// A file that was uploaded elsewhere (file_id) no other provider knows.
std::optional<Part> filePart(const QJsonValue& json)
{
    const QString data = stringIn(json[QLatin1String("file")], "file_data");
    if (!data.startsWith(QLatin1String("data:"), Qt::CaseInsensitive))
        return std::nullopt;
    return partOfAddress(data);
}

std::optional<Part> textPart(const QString& text)
{
    Part part;
    part.text = text;
    return part;
}

std::optional<Part> readPart(const QJsonValue& json, LeftOut& left)
{
    const QString type = stringIn(json, "type");
    if (type == QLatin1String("text") || type == QLatin1String("input_text") || type == QLatin1String("output_text"))
        return textPart(stringIn(json, "text"));
    if (type == QLatin1String("refusal"))
        return textPart(stringIn(json, "refusal"));
    std::optional<Part> part;
    if (type == QLatin1String("image_url") || type == QLatin1String("input_image"))
        part = imagePart(json, left);
    else if (type == QLatin1String("input_audio"))
        part = audioPart(json);
    else if (type == QLatin1String("file"))
        part = filePart(json);
    if (!part)
        left.add(type.isEmpty() ? QStringLiteral("content") : type);
    return part;
}

QJsonObject inputOf(const QJsonValue& arguments, LeftOut& left)
{
    if (arguments.isObject())
        return arguments.toObject();
    const QString text = arguments.toString().trimmed();
    if (text.isEmpty())
        return {};
    const QJsonDocument document = QJsonDocument::fromJson(text.toUtf8());
    if (document.isObject())
        return document.object();
    // A model wrote these: a history with one bad call must still be sendable.
    left.add(QStringLiteral("tool_calls.arguments"));
    return {{QStringLiteral("arguments"), text}};
}

CallMade readCall(const QJsonValue& call, LeftOut& left)
{
    const QJsonValue function = call[QLatin1String("function")];
    return {stringIn(call, "id"), stringIn(function, "name"), inputOf(function[QLatin1String("arguments")], left),
            openai::signatureOf(call)};
}
} // namespace

void LeftOut::add(const QString& name)
{
    if (names_ && !names_->contains(name))
        names_->append(name);
}

Parameters::Parameters(const ChatRequest& request)
    : rest_(request.extra)
{
    // What the product says itself, or every dialect does anyway.
    for (const auto* name : {"model", "messages", "stream", "stream_options"})
        rest_.remove(QLatin1String(name));
    if (rest_.value(QLatin1String("n")).toInt() == 1)
        rest_.remove(QLatin1String("n"));
    const Sampling& sampling = request.sampling;
    if (sampling.temperature)
        rest_[QLatin1String("temperature")] = *sampling.temperature;
    if (sampling.topP)
        rest_[QLatin1String("top_p")] = *sampling.topP;
    if (sampling.maxTokens)
        rest_[QLatin1String("max_tokens")] = *sampling.maxTokens;
    if (sampling.jsonMode)
        rest_[QLatin1String("response_format")] = QJsonObject{{QStringLiteral("type"), QStringLiteral("json_object")}};
    if (!request.tools.isEmpty())
        rest_[QLatin1String("tools")] = request.tools;
}

QJsonValue Parameters::take(const char* name)
{
    const QJsonValue value = rest_.take(QLatin1String(name));
    return value.isNull() ? QJsonValue(QJsonValue::Undefined) : value;
}

void Parameters::nameRest(LeftOut& left) const
{
    for (auto field = rest_.constBegin(); field != rest_.constEnd(); ++field) {
        if (isSaid(field.value()))
            left.add(field.key());
    }
}

std::optional<qint64> takeMaxTokens(Parameters& parameters)
{
    const QJsonValue newer = parameters.take("max_completion_tokens");
    const QJsonValue older = parameters.take("max_tokens");
    const QJsonValue said = newer.isDouble() ? newer : older;
    return said.isDouble() ? std::optional(said.toInteger()) : std::nullopt;
}

QStringList takeStops(Parameters& parameters)
{
    const QJsonValue stop = parameters.take("stop");
    QStringList stops;
    if (stop.isString())
        stops += stop.toString();
    const QJsonArray list = stop.toArray();
    for (const QJsonValue& one : list)
        stops += one.toString();
    stops.removeAll(QString());
    return stops;
}

std::vector<Tool> takeTools(Parameters& parameters, LeftOut& left)
{
    std::vector<Tool> tools;
    const QJsonArray list = parameters.take("tools").toArray();
    for (const QJsonValue& tool : list) {
        const QJsonValue function = tool[QLatin1String("function")];
        if (stringIn(function, "name").isEmpty()) {
            left.add(QStringLiteral("tools"));
            continue;
        }
        if (function[QLatin1String("strict")].toBool())
            left.add(QStringLiteral("strict"));
        tools.push_back({stringIn(function, "name"), stringIn(function, "description"),
                         function[QLatin1String("parameters")].toObject()});
    }
    return tools;
}

std::optional<ToolChoice> takeToolChoice(Parameters& parameters, LeftOut& left)
{
    using enum ToolChoice::Kind;
    const QJsonValue choice = parameters.take("tool_choice");
    const QString word = choice.toString();
    const QString name = stringIn(choice[QLatin1String("function")], "name");
    if (choice.isUndefined())
        return std::nullopt;
    if (!name.isEmpty())
        return ToolChoice{Named, name};
    if (word == QLatin1String("auto"))
        return ToolChoice{Auto};
    if (word == QLatin1String("none"))
        return ToolChoice{None};
    if (word == QLatin1String("required") || word == QLatin1String("any")) // Mistral says any
        return ToolChoice{Required};
    left.add(QStringLiteral("tool_choice"));
    return std::nullopt;
}

std::vector<Part> partsOf(const Message& message, LeftOut& left)
{
    const QJsonValue content = message.fields[QLatin1String("content")];
    std::vector<Part> parts;
    const auto keep = [&parts](std::optional<Part> part) {
        if (part && !(part->isText() && part->text.isEmpty()))
            parts.push_back(std::move(*part));
    };
    const QJsonArray list = content.toArray();
    for (const QJsonValue& json : list) {
        auto part = readPart(json, left);
        if (part)
            part->cacheControl = json[QLatin1String("cache_control")];
        keep(std::move(part));
    }
    if (content.isUndefined() || content.isString())
        keep(textPart(content.isString() ? content.toString() : message.text));
    if (parts.empty()) // an assistant that refused said it in a field of its own
        keep(textPart(stringIn(message.fields, "refusal")));
    return parts;
}

QString textOf(const Message& message, LeftOut& left)
{
    QString text;
    for (const Part& part : partsOf(message, left)) {
        if (part.isText())
            text += part.text;
        else
            left.add(QStringLiteral("image_url"));
    }
    return text;
}

std::vector<CallMade> callsOf(const Message& message, LeftOut& left)
{
    std::vector<CallMade> calls;
    const QJsonArray list = message.fields[QLatin1String("tool_calls")].toArray();
    for (const QJsonValue& call : list) {
        if (stringIn(call[QLatin1String("function")], "name").isEmpty())
            left.add(QStringLiteral("tool_calls"));
        else
            calls.push_back(readCall(call, left));
    }
    // The form before tool_calls: one call, known by its name.
    const QJsonValue old = message.fields[QLatin1String("function_call")];
    if (!stringIn(old, "name").isEmpty())
        calls.push_back(
            {stringIn(old, "name"), stringIn(old, "name"), inputOf(old[QLatin1String("arguments")], left), {}});
    return calls;
}

void nameOtherFields(const Message& message, LeftOut& left)
{
    static const QStringList known{QStringLiteral("role"),         QStringLiteral("content"),
                                   QStringLiteral("refusal"),      QStringLiteral("tool_calls"),
                                   QStringLiteral("annotations"),  QStringLiteral("tool_call_id"),
                                   QStringLiteral("function_call")};
    const QJsonObject& fields = message.fields;
    for (auto field = fields.constBegin(); field != fields.constEnd(); ++field) {
        const bool ofTool = isToolResult(message) && field.key() == QLatin1String("name");
        if (!ofTool && !known.contains(field.key()) && isSaid(field.value()))
            left.add(field.key());
    }
}

bool isSystem(const Message& message)
{
    return message.role == "system" || message.role == "developer";
}

bool isToolResult(const Message& message)
{
    return message.role == "tool" || message.role == "function";
}

QString callIdOf(const Message& message)
{
    const QString id = stringIn(message.fields, "tool_call_id");
    return id.isEmpty() ? stringIn(message.fields, "name") : id;
}

std::optional<int> versionInName(const std::string& model, const QString& family)
{
    // Words may stand before the number (claude-opus-4-1) or behind it (claude-3-5-sonnet); dates are no versions.
    const QRegularExpression pattern(QStringLiteral("%1-(?:[a-z]+-)?(\\d{1,2})(?:[-.](\\d{1,2}))?(?!\\d)").arg(family),
                                     QRegularExpression::CaseInsensitiveOption);
    const auto match = pattern.match(QString::fromStdString(model));
    if (!match.hasMatch())
        return std::nullopt;
    return match.captured(1).toInt() * 100 + match.captured(2).toInt();
}

} // namespace sg::provider
