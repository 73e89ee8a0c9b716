// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/mask.h"
#include "core/provider/request_writer.h"

#include <QJsonDocument>

#include <initializer_list>

namespace sg::provider {

namespace {
std::optional<std::int64_t> tokens(const QJsonValue& value)
{
    const double number = value.toDouble(-1);
    return number > 0 && number < 1e12 ? std::optional(std::int64_t(number)) : std::nullopt;
}

std::optional<std::int64_t> firstTokens(const QJsonObject& model, std::initializer_list<const char*> names)
{
    for (const char* name : names)
        if (const auto found = tokens(model[QLatin1String(name)]))
            return found;
    return std::nullopt;
}

/// OpenRouter, Together and Fireworks say context_length, Groq context_window, vLLM max_model_len, Mistral and LM
/// Studio max_context_length, Anthropic max_input_tokens, llama.cpp meta.n_ctx_train.
std::optional<std::int64_t> contextWindow(const QJsonObject& model)
{
    if (const auto found = firstTokens(model, {"context_length", "context_window", "max_model_len",
                                               "max_context_length", "max_input_tokens", "inputTokenLimit"}))
        return found;
    const QJsonObject meta = model[QLatin1String("meta")].toObject();
    return firstTokens(meta, {"n_ctx", "n_ctx_train"});
}

std::optional<std::int64_t> maxOutput(const QJsonObject& model)
{
    if (const auto found =
            firstTokens(model, {"max_completion_tokens", "max_output_tokens", "outputTokenLimit", "max_tokens"}))
        return found;
    return firstTokens(model[QLatin1String("top_provider")].toObject(), {"max_completion_tokens"});
}

/// Some list what cannot chat too, and say so.
bool canChat(const QJsonObject& model)
{
    const QJsonValue methods = model[QLatin1String("supportedGenerationMethods")];
    if (methods.isArray())
        return methods.toArray().contains(QJsonValue(QStringLiteral("generateContent")));
    const QJsonObject can = model[QLatin1String("capabilities")].toObject();
    return can[QLatin1String("chat_completion")].toBool(true) && // Azure
           can[QLatin1String("completion_chat")].toBool(true);   // Mistral
}

QString firstText(const QJsonObject& model, std::initializer_list<const char*> names)
{
    for (const char* name : names)
        if (const QString text = model[QLatin1String(name)].toString(); !text.isEmpty())
            return text;
    return {};
}

std::optional<ListedModel> readModel(Dialect dialect, const QJsonObject& json)
{
    ListedModel model;
    model.id = firstText(json, {"id", "name", "model"});
    if (dialect == Dialect::Gemini && model.id.startsWith(QLatin1String("models/")))
        model.id = model.id.mid(7);
    if (model.id.isEmpty() || !canChat(json))
        return std::nullopt;
    model.title = firstText(json, {"display_name", "displayName", "name"});
    if (model.title.isEmpty())
        model.title = model.id;
    model.contextWindow = contextWindow(json);
    model.maxOutput = maxOutput(json);
    return model;
}

/// The list itself, wherever it stands: Together sends it bare, Gemini and Ollama's own API call it "models".
std::optional<QJsonArray> listIn(const QJsonDocument& document)
{
    if (document.isArray())
        return document.array();
    for (const char* name : {"data", "models"})
        if (const QJsonValue list = document.object()[QLatin1String(name)]; list.isArray())
            return list.toArray();
    return std::nullopt;
}
} // namespace

tl::expected<std::vector<ListedModel>, QString> readModels(Dialect dialect, QByteArrayView body)
{
    const QJsonDocument document = QJsonDocument::fromJson(body.toByteArray());
    const auto list = listIn(document);
    if (!list) {
        const QJsonValue error = document.object()[QLatin1String("error")];
        const QString said = error.isString() ? error.toString() : error[QLatin1String("message")].toString();
        return tl::make_unexpected(
            said.isEmpty()
                ? QStringLiteral("The answer holds no list of models.")
                : QStringLiteral("The answer is an error: %1").arg(QString::fromStdString(shortMessage(said))));
    }
    std::vector<ListedModel> models;
    for (const QJsonValue& entry : *list)
        if (auto model = readModel(dialect, entry.toObject()))
            models.push_back(*std::move(model));
    return models;
}

} // namespace sg::provider
