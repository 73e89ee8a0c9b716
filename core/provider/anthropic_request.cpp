// SPDX-License-Identifier: GPL-3.0-or-later
// After Anthropic's reference of POST /v1/messages, its guides (structured outputs, effort, parallel tool use,
// migration to Opus 4.7) and its page on OpenAI compatibility.
#include "core/provider/anthropic_request.h"

#include "core/provider/request_parts.h"

#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>

namespace sg::provider {

namespace {
// The dialect has no default of its own and refuses a request without; every model can make as many.
constexpr qint64 kDefaultMaxTokens = 4096;
constexpr int kFirstWithEffort = 406;      ///< models from 4.6 know output_config.effort without a beta header
constexpr int kFirstWithoutSampling = 407; ///< from 4.7 on temperature, top_p and top_k are refused

bool isBlank(const QString& text)
{
    return text.trimmed().isEmpty();
}

QJsonObject textBlock(const QString& text)
{
    return {{QStringLiteral("type"), QStringLiteral("text")}, {QStringLiteral("text"), text}};
}

std::optional<QJsonObject> mediaBlock(const Part& part, LeftOut& left)
{
    const bool isPdf = part.mime == QLatin1String("application/pdf");
    if (!part.base64.isEmpty() && !isPdf && !part.mime.startsWith(QLatin1String("image/"))) {
        const bool isAudio = part.mime.startsWith(QLatin1String("audio/"));
        left.add(isAudio ? QStringLiteral("input_audio") : QStringLiteral("file"));
        return std::nullopt;
    }
    QJsonObject source{{QStringLiteral("type"), QStringLiteral("url")},
                       {QStringLiteral("url"), part.url.toString(QUrl::FullyEncoded)}};
    if (!part.base64.isEmpty())
        source = {{QStringLiteral("type"), QStringLiteral("base64")},
                  {QStringLiteral("media_type"), part.mime},
                  {QStringLiteral("data"), part.base64}};
    return QJsonObject{{QStringLiteral("type"), isPdf ? QStringLiteral("document") : QStringLiteral("image")},
                       {QStringLiteral("source"), source}};
}

/// Blank texts are refused, and say nothing.
QJsonArray blocksOf(const Message& message, LeftOut& left)
{
    QJsonArray blocks;
    for (const Part& part : partsOf(message, left)) {
        if (part.isText() && isBlank(part.text))
            continue;
        auto block = part.isText() ? std::optional(textBlock(part.text)) : mediaBlock(part, left);
        if (!block)
            continue;
        if (part.cacheControl.isObject())
            block->insert(QStringLiteral("cache_control"), part.cacheControl);
        blocks += *block;
    }
    return blocks;
}

/// Only letters, digits, _ and - may stand in an id; other providers write more.
QString callId(const QString& id)
{
    static const QRegularExpression foreign(QStringLiteral("[^A-Za-z0-9_-]"));
    return QString(id).replace(foreign, QStringLiteral("_"));
}

QJsonObject toolUse(const CallMade& call)
{
    return {{QStringLiteral("type"), QStringLiteral("tool_use")},
            {QStringLiteral("id"), callId(call.id)},
            {QStringLiteral("name"), call.name},
            {QStringLiteral("input"), call.input}};
}

QJsonObject toolResult(const Message& message, LeftOut& left)
{
    QJsonObject result{{QStringLiteral("type"), QStringLiteral("tool_result")},
                       {QStringLiteral("tool_use_id"), callId(callIdOf(message))}};
    if (const QJsonArray blocks = blocksOf(message, left); !blocks.isEmpty())
        result.insert(QStringLiteral("content"), blocks);
    return result;
}

/// Messages as they are collected: those of one role in a row become one, results of tools are the user's.
class Turns
{
public:
    void add(const QString& role, const QJsonArray& blocks)
    {
        if (blocks.isEmpty())
            return;
        if (turns_.empty() || turns_.back().role != role)
            turns_.push_back({role, {}});
        for (const QJsonValue& block : blocks)
            turns_.back().blocks += block;
    }
    bool isEmpty() const { return turns_.empty(); }

    QJsonArray json() const
    {
        QJsonArray list;
        for (const Turn& turn : turns_)
            list += QJsonObject{{QStringLiteral("role"), turn.role}, {QStringLiteral("content"), turn.blocks}};
        return list;
    }
    /// An answer to go on with must not end in blanks.
    void trimLastAnswer()
    {
        if (turns_.empty() || turns_.back().role != QLatin1String("assistant"))
            return;
        QJsonObject last = turns_.back().blocks.last().toObject();
        QString text = last.value(QLatin1String("text")).toString();
        while (!text.isEmpty() && text.back().isSpace())
            text.chop(1);
        if (!text.isEmpty()) {
            last[QLatin1String("text")] = text;
            turns_.back().blocks.replace(turns_.back().blocks.size() - 1, last);
        }
    }

private:
    struct Turn
    {
        QString role;
        QJsonArray blocks;
    };
    std::vector<Turn> turns_;
};

/// One text, unless parts carry marks for the prompt cache.
QJsonValue systemOf(const QJsonArray& blocks)
{
    QStringList texts;
    for (const QJsonValue& block : blocks) {
        if (block[QLatin1String("cache_control")].isObject())
            return blocks;
        texts += block[QLatin1String("text")].toString();
    }
    return texts.join(QStringLiteral("\n\n"));
}

void addSystem(const Message& message, QJsonArray& system, LeftOut& left)
{
    const QJsonArray blocks = blocksOf(message, left);
    for (const QJsonValue& block : blocks) {
        if (block[QLatin1String("type")].toString() == QLatin1String("text"))
            system += block;
        else
            left.add(QStringLiteral("image_url"));
    }
}

void addMessages(QJsonObject& body, const ChatRequest& request, LeftOut& left)
{
    Turns turns;
    QJsonArray system;
    for (const Message& message : request.messages) {
        nameOtherFields(message, left);
        if (isSystem(message)) {
            addSystem(message, system, left);
        } else if (isToolResult(message)) {
            turns.add(QStringLiteral("user"), {toolResult(message, left)});
        } else if (message.role == "assistant") {
            QJsonArray blocks = blocksOf(message, left);
            for (const CallMade& call : callsOf(message, left))
                blocks += toolUse(call);
            turns.add(QStringLiteral("assistant"), blocks);
        } else {
            turns.add(QStringLiteral("user"), blocksOf(message, left));
        }
    }
    turns.trimLastAnswer();
    if (turns.isEmpty()) // a prompt that is a system prompt alone has to be said by someone
        turns.add(QStringLiteral("user"), std::exchange(system, {}));
    if (!system.isEmpty())
        body[QLatin1String("system")] = systemOf(system);
    body[QLatin1String("messages")] = turns.json();
}

void addSampling(QJsonObject& body, Parameters& parameters, std::optional<int> version, LeftOut& left)
{
    if (version.value_or(0) >= kFirstWithoutSampling)
        return; // stays with the parameters, and is named
    const QJsonValue temperature = parameters.take("temperature");
    const QJsonValue topP = parameters.take("top_p");
    if (temperature.isDouble()) {
        // OpenAI goes to 2, this dialect to 1 and refuses more.
        body[QLatin1String("temperature")] = std::clamp(temperature.toDouble(), 0.0, 1.0);
        if (temperature.toDouble() > 1.0 || temperature.toDouble() < 0.0)
            left.add(QStringLiteral("temperature"));
    }
    // Models from 4.1 on take one of the two and refuse both.
    if (topP.isDouble() && temperature.isDouble())
        left.add(QStringLiteral("top_p"));
    else if (topP.isDouble())
        body[QLatin1String("top_p")] = topP;
    if (const QJsonValue topK = parameters.take("top_k"); topK.isDouble())
        body[QLatin1String("top_k")] = topK;
}

void addStops(QJsonObject& body, Parameters& parameters, LeftOut& left)
{
    QStringList stops = takeStops(parameters);
    if (stops.removeIf(isBlank) > 0) // refused
        left.add(QStringLiteral("stop"));
    if (!stops.isEmpty())
        body[QLatin1String("stop_sequences")] = QJsonArray::fromStringList(stops);
}

/// Alternatives at the root of a schema are refused, and with them the whole request: the model is told less then.
void dropAlternatives(QJsonObject& schema, LeftOut& left)
{
    for (const QLatin1String word : {QLatin1String("oneOf"), QLatin1String("allOf"), QLatin1String("anyOf")})
        if (!schema.take(word).isUndefined())
            left.add(word);
}

QJsonObject toolJson(const Tool& tool, LeftOut& left)
{
    QJsonObject schema = tool.parameters;
    dropAlternatives(schema, left);
    if (!schema.contains(QLatin1String("type"))) // required, also of a function without parameters
        schema[QLatin1String("type")] = QStringLiteral("object");
    QJsonObject json{{QStringLiteral("name"), tool.name}, {QStringLiteral("input_schema"), schema}};
    if (!tool.description.isEmpty())
        json[QLatin1String("description")] = tool.description;
    return json;
}

QJsonObject choiceJson(const ToolChoice& choice)
{
    using enum ToolChoice::Kind;
    switch (choice.kind) {
    case Auto:
        break;
    case None:
        return {{QStringLiteral("type"), QStringLiteral("none")}};
    case Required:
        return {{QStringLiteral("type"), QStringLiteral("any")}};
    case Named:
        return {{QStringLiteral("type"), QStringLiteral("tool")}, {QStringLiteral("name"), choice.name}};
    }
    return {{QStringLiteral("type"), QStringLiteral("auto")}};
}

/// Choices without tools are refused, so they go only together.
void addTools(QJsonObject& body, Parameters& parameters, LeftOut& left)
{
    const std::vector<Tool> tools = takeTools(parameters, left);
    if (tools.empty())
        return;
    QJsonArray list;
    for (const Tool& tool : tools)
        list += toolJson(tool, left);
    body[QLatin1String("tools")] = list;
    const auto choice = takeToolChoice(parameters, left);
    const QJsonValue parallel = parameters.take("parallel_tool_calls");
    const bool oneAtATime = parallel.isBool() && !parallel.toBool();
    if (!choice && !oneAtATime)
        return;
    QJsonObject json = choiceJson(choice.value_or(ToolChoice{}));
    if (oneAtATime && (!choice || choice->kind != ToolChoice::Kind::None))
        json[QLatin1String("disable_parallel_tool_use")] = true;
    body[QLatin1String("tool_choice")] = json;
}

/// Any JSON at all cannot be asked for here, only JSON after a schema.
void addOutputFormat(QJsonObject& config, Parameters& parameters, LeftOut& left)
{
    const QJsonValue format = parameters.take("response_format");
    const QString type = format[QLatin1String("type")].toString();
    const QJsonValue schema = format[QLatin1String("json_schema")][QLatin1String("schema")];
    if (schema.isObject())
        config[QLatin1String("format")] =
            QJsonObject{{QStringLiteral("type"), QStringLiteral("json_schema")}, {QStringLiteral("schema"), schema}};
    else if (!format.isUndefined() && type != QLatin1String("text"))
        left.add(QStringLiteral("response_format"));
}

/// Older models refuse the field, so of an unknown model nothing is asked.
void addEffort(QJsonObject& config, Parameters& parameters, std::optional<int> version)
{
    static const QStringList known{QStringLiteral("low"), QStringLiteral("medium"), QStringLiteral("high"),
                                   QStringLiteral("xhigh"), QStringLiteral("max")};
    if (version.value_or(0) < kFirstWithEffort)
        return;
    const QJsonValue effort = parameters.take("reasoning_effort");
    if (known.contains(effort.toString()))
        config[QLatin1String("effort")] = effort;
    else
        parameters.putBack("reasoning_effort", effort);
}

/// The only thing that may be told about the caller is an id.
void addCaller(QJsonObject& body, Parameters& parameters)
{
    const QJsonValue metadata = parameters.take("metadata");
    QString id = metadata[QLatin1String("user_id")].toString();
    const QJsonValue user = parameters.take("user");
    if (id.isEmpty())
        id = user.toString();
    if (!id.isEmpty())
        body[QLatin1String("metadata")] = QJsonObject{{QStringLiteral("user_id"), id}};
    QJsonObject rest = metadata.toObject();
    rest.remove(QLatin1String("user_id"));
    if (!rest.isEmpty())
        parameters.putBack("metadata", rest);
}
} // namespace

QJsonObject anthropicBody(const ChatRequest& request, const std::string& model, QStringList* leftOut)
{
    LeftOut left(leftOut);
    Parameters parameters(request);
    const auto version = versionInName(model, QStringLiteral("claude"));
    QJsonObject body{{QStringLiteral("model"), QString::fromStdString(model)},
                     {QStringLiteral("max_tokens"), takeMaxTokens(parameters).value_or(kDefaultMaxTokens)}};
    addMessages(body, request, left);
    addSampling(body, parameters, version, left);
    addStops(body, parameters, left);
    addTools(body, parameters, left);
    QJsonObject config;
    addOutputFormat(config, parameters, left);
    addEffort(config, parameters, version);
    if (!config.isEmpty())
        body[QLatin1String("output_config")] = config;
    addCaller(body, parameters);
    // The dialect's own switch, which its OpenAI-compatible address takes in the same form.
    if (const QJsonValue thinking = parameters.take("thinking"); thinking.isObject())
        body[QLatin1String("thinking")] = thinking;
    if (request.stream)
        body[QLatin1String("stream")] = true;
    parameters.nameRest(left);
    return body;
}

} // namespace sg::provider
