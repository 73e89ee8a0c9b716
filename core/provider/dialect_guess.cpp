// SPDX-License-Identifier: GPL-3.0-or-later
// Which header belongs to whom is taken from the providers' API references and recorded answers in public issues.
#include "core/provider/dialect_guess.h"

#include "core/policy/text_scan.h"

#include <QJsonArray>

#include <algorithm>
#include <cctype>

namespace sg::provider {

namespace {

struct HeaderMark
{
    std::string_view name;  ///< a beginning when it ends in '-'
    std::string_view value; ///< must begin with this, ignoring case; empty: anything
    Dialect dialect;
    std::string_view provider;
};

// The more telling first: gateways and clouds pass on headers of those behind them.
constexpr HeaderMark kHeaders[] = {
    {"x-openrouter-", "", Dialect::OpenAi, "openrouter"},
    {"x-generation-id", "gen-", Dialect::OpenAi, "openrouter"},
    {"x-amzn-errortype", "", Dialect::OpenAi, "bedrock"},
    {"x-amzn-bedrock-", "", Dialect::OpenAi, "bedrock"},
    {"x-amzn-requestid", "", Dialect::OpenAi, "bedrock"},
    {"x-groq-", "", Dialect::OpenAi, "groq"},
    {"mistral-correlation-id", "", Dialect::OpenAi, "mistral"},
    {"x-ds-trace-id", "", Dialect::OpenAi, "deepseek"},
    {"x-endpoint-monthly-call-limit", "", Dialect::OpenAi, "cohere"},
    {"x-trial-endpoint-call-", "", Dialect::OpenAi, "cohere"},
    {"x-debug-trace-id", "", Dialect::OpenAi, "cohere"},
    {"apim-request-id", "", Dialect::Azure, "azure"},
    {"azureml-model-", "", Dialect::Azure, "azure"},
    {"azure-openai-", "", Dialect::Azure, "azure"},
    {"x-ms-", "", Dialect::Azure, "azure"},
    {"anthropic-", "", Dialect::Anthropic, "anthropic"},
    {"request-id", "req_0", Dialect::Anthropic, "anthropic"},
    {"x-gemini-", "", Dialect::Gemini, "gemini"},
    {"x-goog-", "", Dialect::Gemini, "gemini"},
    {"server", "scaffolding on httpserver2", Dialect::Gemini, "gemini"},
    {"server", "esf", Dialect::Gemini, "gemini"},
    {"server-timing", "gfet4t7", Dialect::Gemini, "gemini"},
    {"openai-", "", Dialect::OpenAi, "openai"},
    {"server", "llama.cpp", Dialect::OpenAi, "llama.cpp"},
};

bool startsWithIgnoringCase(std::string_view text, std::string_view start)
{
    return text.size() >= start.size() && policy::equalsIgnoringCase(text.substr(0, start.size()), start);
}

bool hasMark(const std::pair<std::string, std::string>& header, const HeaderMark& mark)
{
    const std::string_view name = policy::trimmed(header.first);
    const bool named = mark.name.ends_with('-') ? startsWithIgnoringCase(name, mark.name)
                                                : policy::equalsIgnoringCase(name, mark.name);
    return named && startsWithIgnoringCase(policy::trimmed(header.second), mark.value);
}

bool has(const QJsonObject& object, const char* name)
{
    return object.contains(QLatin1String(name));
}

QString textAt(const QJsonValue& object, const char* name)
{
    return object[QLatin1String(name)].toString();
}

DialectGuess shaped(Dialect dialect, const char* provider, const char* what)
{
    return {dialect, provider, QStringLiteral("body: ") + QLatin1String(what)};
}

/// Who speaks OpenAI's dialect here.
DialectGuess compatible(const QJsonObject& root)
{
    if (has(root, "prompt_filter_results") || has(root, "prompt_annotations"))
        return shaped(Dialect::Azure, "azure", "prompt_filter_results");
    if (root[QLatin1String("choices")][0][QLatin1String("content_filter_results")].isObject())
        return shaped(Dialect::Azure, "azure", "content_filter_results");
    if (has(root, "x_groq"))
        return shaped(Dialect::OpenAi, "groq", "x_groq");
    if (has(root, "provider") || textAt(root, "id").startsWith(QLatin1String("gen-")))
        return shaped(Dialect::OpenAi, "openrouter", "choices of OpenRouter");
    if (textAt(root, "system_fingerprint") == QLatin1String("fp_ollama"))
        return shaped(Dialect::OpenAi, "ollama", "system_fingerprint fp_ollama");
    if (has(root, "timings"))
        return shaped(Dialect::OpenAi, "llama.cpp", "timings");
    if (root[QLatin1String("usage")].toObject().contains(QLatin1String("prompt_cache_hit_tokens")))
        return shaped(Dialect::OpenAi, "deepseek", "usage of DeepSeek");
    if (has(root, "prompt_logprobs") || has(root, "kv_transfer_params"))
        return shaped(Dialect::OpenAi, "vllm", "prompt_logprobs");
    static const std::pair<const char*, const char*> models[] = {{"gpt-", "openai"},
                                                                 {"chatgpt-", "openai"},
                                                                 {"o1", "openai"},
                                                                 {"o3", "openai"},
                                                                 {"o4", "openai"},
                                                                 {"deepseek-chat", "deepseek"},
                                                                 {"deepseek-reasoner", "deepseek"},
                                                                 {"mistral-", "mistral"},
                                                                 {"ministral-", "mistral"},
                                                                 {"magistral-", "mistral"},
                                                                 {"codestral-", "mistral"},
                                                                 {"command-", "cohere"}};
    for (const auto& [start, provider] : models) {
        if (textAt(root, "model").startsWith(QLatin1String(start)))
            return shaped(Dialect::OpenAi, provider, "choices, and the model's name");
    }
    return shaped(Dialect::OpenAi, "", "choices");
}

bool isUpperWord(const QString& text)
{
    return text.size() > 3 && std::ranges::all_of(text, [](QChar c) { return c.isUpper() || c == QLatin1Char('_'); });
}

bool isDigits(const QString& text)
{
    return std::ranges::all_of(text, [](QChar c) { return c.isDigit(); });
}

DialectGuess errorShape(const QJsonObject& root)
{
    const QJsonObject error = root[QLatin1String("error")].toObject();
    if (textAt(root, "type") == QLatin1String("error") && !error.isEmpty())
        return shaped(Dialect::Anthropic, "anthropic", "an error of type error");
    if (error[QLatin1String("code")].isDouble() && isUpperWord(textAt(error, "status")))
        return shaped(Dialect::Gemini, "gemini", "an error with a google.rpc status");
    if (has(error, "innererror") || has(error, "content_filter_result") || has(root, "statusCode"))
        return shaped(Dialect::Azure, "azure", "an error of Azure");
    if (!textAt(error, "code").isEmpty() && isDigits(textAt(error, "code")) && !has(error, "type"))
        return shaped(Dialect::Azure, "azure", "an error with its status as text");
    const QJsonObject metadata = error[QLatin1String("metadata")].toObject();
    if (has(root, "user_id") || has(metadata, "provider_name") || has(metadata, "limit_source"))
        return shaped(Dialect::OpenAi, "openrouter", "an error of OpenRouter");
    if (has(root, "__type"))
        return shaped(Dialect::OpenAi, "bedrock", "an error of AWS");
    if (has(error, "n_ctx") || textAt(error, "type") == QLatin1String("exceed_context_size_error"))
        return shaped(Dialect::OpenAi, "llama.cpp", "an error of llama.cpp");
    if (textAt(root, "object") == QLatin1String("error")) {
        const bool isMistral = has(root, "raw_status_code") || root[QLatin1String("code")].isString();
        return isMistral                                ? shaped(Dialect::OpenAi, "mistral", "an error of Mistral")
               : root[QLatin1String("code")].isDouble() ? shaped(Dialect::OpenAi, "vllm", "an error of vLLM")
                                                        : shaped(Dialect::OpenAi, "", "an error of OpenAI's shape");
    }
    if (root[QLatin1String("error")].isString() && root.size() == 1)
        return shaped(Dialect::OpenAi, "ollama", "an error as text");
    if (!error.isEmpty())
        return shaped(Dialect::OpenAi, "", "an error of OpenAI's shape");
    return {};
}

bool isAnthropic(const QJsonObject& root)
{
    static const QStringList events{QStringLiteral("message_start"),
                                    QStringLiteral("content_block_start"),
                                    QStringLiteral("content_block_delta"),
                                    QStringLiteral("content_block_stop"),
                                    QStringLiteral("message_delta"),
                                    QStringLiteral("message_stop"),
                                    QStringLiteral("message"),
                                    QStringLiteral("ping")};
    return events.contains(textAt(root, "type")) ||
           (root[QLatin1String("content")].isArray() && has(root, "stop_reason"));
}
} // namespace

DialectGuess guessByHeaders(const policy::HeaderList& headers)
{
    for (const HeaderMark& mark : kHeaders) {
        for (const auto& header : headers) {
            if (hasMark(header, mark))
                return {mark.dialect, std::string(mark.provider),
                        QStringLiteral("header: ") + QString::fromStdString(header.first).toLower().left(60)};
        }
    }
    return {};
}

DialectGuess guessByShape(const QJsonObject& root)
{
    if (has(root, "candidates") || has(root, "promptFeedback") || has(root, "usageMetadata"))
        return shaped(Dialect::Gemini, "gemini", has(root, "candidates") ? "candidates" : "promptFeedback");
    if (isAnthropic(root))
        return shaped(Dialect::Anthropic, "anthropic", "a message of Anthropic's");
    if (has(root, "choices"))
        return compatible(root);
    if (has(root, "done") && (has(root, "message") || has(root, "response")))
        return shaped(Dialect::OpenAi, "ollama", "Ollama's own form");
    if (textAt(root, "object") == QLatin1String("response") ||
        textAt(root, "type").startsWith(QLatin1String("response.")))
        return shaped(Dialect::OpenAi, "openai", "a response of OpenAI's Responses API");
    if (textAt(root, "type").startsWith(QLatin1String("message-")) ||
        textAt(root, "type").startsWith(QLatin1String("content-")) ||
        (root[QLatin1String("message")].isObject() && has(root, "finish_reason")))
        return shaped(Dialect::OpenAi, "cohere", "Cohere's own form");
    if (root[QLatin1String("output")][QLatin1String("message")].isObject() && has(root, "stopReason"))
        return shaped(Dialect::OpenAi, "bedrock", "Bedrock's Converse");
    return errorShape(root);
}

DialectGuess guess(const policy::HeaderList& headers, const std::vector<QJsonObject>& objects)
{
    const DialectGuess sender = guessByHeaders(headers);
    DialectGuess body;
    for (const QJsonObject& object : objects) {
        DialectGuess more = guessByShape(object);
        const bool isBetter = !body.dialect || (body.provider.empty() && !more.provider.empty() && more.dialect);
        if (isBetter && more.dialect)
            body = std::move(more);
    }
    if (!body.dialect)
        return sender;
    if (!sender.provider.empty()) {
        body.provider = sender.provider;
        body.source += QStringLiteral("; ") + sender.source;
        // A filter's words come in some chunks only, but the cloud says in its head that it is Azure.
        if (sender.dialect == Dialect::Azure && body.dialect == Dialect::OpenAi)
            body.dialect = Dialect::Azure;
    }
    return body;
}

} // namespace sg::provider
