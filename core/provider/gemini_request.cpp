// SPDX-License-Identifier: GPL-3.0-or-later
// After Google's reference of models.generateContent and its pages on function calling, structured output, thinking,
// thought signatures and OpenAI compatibility.
#include "core/provider/gemini_request.h"

#include "core/provider/gemini_schema.h"
#include "core/provider/request_parts.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <array>
#include <map>
#include <utility>

namespace sg::provider {

namespace {
constexpr int kFirstThinking = 205; ///< models from 2.5 think, with a budget
constexpr int kFirstSigned = 300;   ///< from 3 on with a level, and calls in the history must carry a signature
constexpr int kMaxStops = 5;

QJsonObject textPart(const QString& text)
{
    return {{QStringLiteral("text"), text}};
}

/// The type of a file by its name: Gemini wants one, an address in OpenAI's form says none.
QString mimeOf(const QUrl& url)
{
    static const std::map<QString, QString> types{{QStringLiteral("png"), QStringLiteral("image/png")},
                                                  {QStringLiteral("jpg"), QStringLiteral("image/jpeg")},
                                                  {QStringLiteral("jpeg"), QStringLiteral("image/jpeg")},
                                                  {QStringLiteral("webp"), QStringLiteral("image/webp")},
                                                  {QStringLiteral("gif"), QStringLiteral("image/gif")},
                                                  {QStringLiteral("heic"), QStringLiteral("image/heic")},
                                                  {QStringLiteral("heif"), QStringLiteral("image/heif")},
                                                  {QStringLiteral("pdf"), QStringLiteral("application/pdf")}};
    const QString name = url.fileName().toLower();
    const auto found = types.find(name.sliced(name.lastIndexOf(QLatin1Char('.')) + 1));
    return found == types.end() ? QString() : found->second;
}

QJsonObject partJson(const Part& part)
{
    if (part.isText())
        return textPart(part.text);
    if (!part.base64.isEmpty())
        return {{QStringLiteral("inlineData"),
                 QJsonObject{{QStringLiteral("mimeType"), part.mime}, {QStringLiteral("data"), part.base64}}}};
    QJsonObject file{{QStringLiteral("fileUri"), part.url.toString(QUrl::FullyEncoded)}};
    if (const QString mime = mimeOf(part.url); !mime.isEmpty())
        file[QLatin1String("mimeType")] = mime;
    return {{QStringLiteral("fileData"), file}};
}

QJsonArray partsJson(const Message& message, LeftOut& left)
{
    QJsonArray parts;
    for (const Part& part : partsOf(message, left)) {
        if (part.cacheControl.isObject())
            left.add(QStringLiteral("cache_control"));
        parts += partJson(part);
    }
    return parts;
}

QJsonObject withId(QJsonObject json, const QString& id)
{
    if (!id.isEmpty())
        json[QLatin1String("id")] = id;
    return json;
}

QJsonObject callPart(const CallMade& call)
{
    const QJsonObject json{{QStringLiteral("name"), call.name}, {QStringLiteral("args"), call.input}};
    QJsonObject part{{QStringLiteral("functionCall"), withId(json, call.id)}};
    if (!call.signature.isEmpty())
        part[QLatin1String("thoughtSignature")] = call.signature;
    return part;
}

/// The result has to be an object; most tools answer with text or with JSON in text.
QJsonObject responseOf(const QString& text)
{
    const QJsonDocument document = QJsonDocument::fromJson(text.toUtf8());
    if (document.isObject())
        return document.object();
    const QJsonValue result = document.isArray() ? QJsonValue(document.array()) : QJsonValue(text);
    return {{QStringLiteral("result"), result}};
}

/// The history as Gemini wants it.
class History
{
public:
    History(LeftOut& left, bool callsAreSigned)
        : left_(left)
        , callsAreSigned_(callsAreSigned)
    {
    }

    void add(const Message& message)
    {
        nameOtherFields(message, left_);
        if (isSystem(message)) {
            if (const QString text = textOf(message, left_); !text.isEmpty())
                system_ += text;
        } else if (isToolResult(message)) {
            addResult(message);
        } else if (message.role == "assistant") {
            addAnswer(message);
        } else {
            addParts(Kind::User, partsJson(message, left_));
        }
    }

    void writeTo(QJsonObject& body)
    {
        const QString system = system_.join(QStringLiteral("\n\n"));
        if (turns_.empty() && !system.isEmpty()) // a system prompt alone has to be said by someone
            addParts(Kind::User, {textPart(system)});
        else if (!system.isEmpty())
            body[QLatin1String("systemInstruction")] =
                QJsonObject{{QStringLiteral("parts"), QJsonArray{textPart(system)}}};
        QJsonArray contents;
        for (const auto& [kind, parts] : turns_) {
            const QString role = kind == Kind::Model ? QStringLiteral("model") : QStringLiteral("user");
            contents += QJsonObject{{QStringLiteral("role"), role}, {QStringLiteral("parts"), parts}};
        }
        body[QLatin1String("contents")] = contents;
    }

private:
    /// Results are the user's turn, but must stand alone in it: as many parts as there were calls.
    enum class Kind { User, Model, Results };

    void addParts(Kind kind, const QJsonArray& parts)
    {
        if (parts.isEmpty())
            return;
        if (turns_.empty() || turns_.back().first != kind)
            turns_.push_back({kind, {}});
        for (const QJsonValue& part : parts)
            turns_.back().second += part;
    }

    void addAnswer(const Message& message)
    {
        QJsonArray parts = partsJson(message, left_);
        bool isFirst = true;
        for (CallMade& call : callsOf(message, left_)) {
            names_[call.id] = call.name;
            // Calls that another provider made have no signature: this is the documented word for them. Only the first
            // of a turn needs one.
            if (callsAreSigned_ && std::exchange(isFirst, false) && call.signature.isEmpty())
                call.signature = QStringLiteral("skip_thought_signature_validator");
            parts += callPart(call);
        }
        addParts(Kind::Model, parts);
    }

    void addResult(const Message& message)
    {
        const QString id = callIdOf(message);
        const auto known = names_.find(id);
        QString name = known == names_.end() ? message.fields[QLatin1String("name")].toString() : known->second;
        if (name.isEmpty())
            name = id;
        const QJsonObject json{{QStringLiteral("name"), name},
                               {QStringLiteral("response"), responseOf(textOf(message, left_))}};
        addParts(Kind::Results, {QJsonObject{{QStringLiteral("functionResponse"), withId(json, id)}}});
    }

    LeftOut& left_;
    bool callsAreSigned_;
    QStringList system_;
    std::map<QString, QString> names_; ///< of the functions, by the call's id
    std::vector<std::pair<Kind, QJsonArray>> turns_;
};

void addTools(QJsonObject& body, const std::vector<Tool>& tools, LeftOut& left)
{
    QJsonArray list;
    for (const Tool& tool : tools) {
        QJsonObject json{{QStringLiteral("name"), tool.name}};
        if (!tool.description.isEmpty())
            json[QLatin1String("description")] = tool.description;
        // An object without properties is refused: a function without parameters says nothing of them.
        const QJsonObject schema = geminiSchema(tool.parameters, left);
        const bool isEmpty = schema[QLatin1String("type")].toString() == QLatin1String("object") &&
                             schema[QLatin1String("properties")].toObject().isEmpty();
        if (!schema.isEmpty() && !isEmpty)
            json[QLatin1String("parameters")] = schema;
        list += json;
    }
    body[QLatin1String("tools")] = QJsonArray{QJsonObject{{QStringLiteral("functionDeclarations"), list}}};
}

void addToolChoice(QJsonObject& body, const ToolChoice& choice)
{
    using enum ToolChoice::Kind;
    QJsonObject config;
    const bool mustCall = choice.kind == Required || choice.kind == Named;
    config[QLatin1String("mode")] = mustCall              ? QStringLiteral("ANY")
                                    : choice.kind == None ? QStringLiteral("NONE")
                                                          : QStringLiteral("AUTO");
    if (choice.kind == Named)
        config[QLatin1String("allowedFunctionNames")] = QJsonArray{choice.name};
    body[QLatin1String("toolConfig")] = QJsonObject{{QStringLiteral("functionCallingConfig"), config}};
}

void addNumbers(QJsonObject& config, Parameters& parameters)
{
    static constexpr std::array<std::pair<const char*, const char*>, 6> names{
        {{"temperature", "temperature"},
         {"top_p", "topP"},
         {"top_k", "topK"},
         {"seed", "seed"},
         {"presence_penalty", "presencePenalty"},
         {"frequency_penalty", "frequencyPenalty"}}};
    for (const auto& [openAi, gemini] : names) {
        if (const QJsonValue value = parameters.take(openAi); value.isDouble())
            config[QLatin1String(gemini)] = value;
    }
    if (const auto maxTokens = takeMaxTokens(parameters))
        config[QLatin1String("maxOutputTokens")] = *maxTokens;
}

void addStops(QJsonObject& config, Parameters& parameters, LeftOut& left)
{
    QStringList stops = takeStops(parameters);
    if (stops.size() > kMaxStops) {
        stops.resize(kMaxStops);
        left.add(QStringLiteral("stop"));
    }
    if (!stops.isEmpty())
        config[QLatin1String("stopSequences")] = QJsonArray::fromStringList(stops);
}

void addOutputFormat(QJsonObject& config, Parameters& parameters, LeftOut& left)
{
    const QJsonValue format = parameters.take("response_format");
    const QString type = format[QLatin1String("type")].toString();
    if (format.isUndefined() || type == QLatin1String("text"))
        return;
    if (!type.startsWith(QLatin1String("json")))
        return left.add(QStringLiteral("response_format"));
    config[QLatin1String("responseMimeType")] = QStringLiteral("application/json");
    const QJsonValue schema = format[QLatin1String("json_schema")][QLatin1String("schema")];
    if (schema.isObject())
        config[QLatin1String("responseSchema")] = geminiSchema(schema.toObject(), left);
}

/// The table of Google's own OpenAI-compatible address. Whether thinking can be switched off depends on the model.
void addEffort(QJsonObject& config, Parameters& parameters, std::optional<int> version)
{
    static const std::map<QString, int> budgets{{QStringLiteral("minimal"), 1024},
                                                {QStringLiteral("low"), 1024},
                                                {QStringLiteral("medium"), 8192},
                                                {QStringLiteral("high"), 24576}};
    if (version.value_or(0) < kFirstThinking)
        return; // stays with the parameters, and is named
    const QJsonValue effort = parameters.take("reasoning_effort");
    const auto budget = budgets.find(effort.toString());
    if (budget == budgets.end())
        return parameters.putBack("reasoning_effort", effort);
    // From 3 on budgets are still understood, and unlike levels they are so by every model.
    config[QLatin1String("thinkingConfig")] = QJsonObject{{QStringLiteral("thinkingBudget"), budget->second}};
}
} // namespace

QJsonObject geminiBody(const ChatRequest& request, QStringList* leftOut, const std::string& model)
{
    LeftOut left(leftOut);
    Parameters parameters(request);
    const auto version = versionInName(model, QStringLiteral("gemini"));
    QJsonObject body;
    History history(left, version.value_or(0) >= kFirstSigned);
    for (const Message& message : request.messages)
        history.add(message);
    history.writeTo(body);
    if (const auto tools = takeTools(parameters, left); !tools.empty()) {
        addTools(body, tools, left);
        if (const auto choice = takeToolChoice(parameters, left))
            addToolChoice(body, *choice);
        if (parameters.take("parallel_tool_calls").toBool(true) == false)
            left.add(QStringLiteral("parallel_tool_calls"));
    }
    QJsonObject config;
    addNumbers(config, parameters);
    addStops(config, parameters, left);
    addOutputFormat(config, parameters, left);
    addEffort(config, parameters, version);
    if (!config.isEmpty())
        body[QLatin1String("generationConfig")] = config;
    parameters.nameRest(left);
    return body;
}

} // namespace sg::provider
