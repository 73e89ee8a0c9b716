// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/litellm_deployment.h"

#include "core/cost/litellm_prices.h"

#include <array>

namespace sg::workspace {

namespace {

struct ProviderName
{
    const char *theirs, *ours;
};
/// The first of several with the same meaning is the one that is written.
constexpr std::array<ProviderName, 21> kProviders{{
    {"openai", "openai"},
    {"azure", "azure"},
    {"anthropic", "anthropic"},
    {"gemini", "gemini"},
    {"mistral", "mistral"},
    {"deepseek", "deepseek"},
    {"groq", "groq"},
    {"cohere_chat", "cohere"},
    {"cohere", "cohere"},
    {"openrouter", "openrouter"},
    {"together_ai", "together"},
    {"fireworks_ai", "fireworks"},
    {"xai", "xai"},
    {"perplexity", "perplexity"},
    {"ollama_chat", "ollama"},
    {"ollama", "ollama"},
    {"hosted_vllm", "vllm"},
    {"vllm", "vllm"},
    {"lm_studio", "lmstudio"},
    {"litellm_proxy", "litellm"},
    {"openai_like", "openai-compatible"},
}};

/// A name without a provider: LiteLLM looks it up in its table of models.
QString guessedProvider(const QString& model)
{
    constexpr std::array<ProviderName, 9> kBeginnings{{{"gpt", "openai"},
                                                       {"chatgpt", "openai"},
                                                       {"o1", "openai"},
                                                       {"o3", "openai"},
                                                       {"o4", "openai"},
                                                       {"claude", "anthropic"},
                                                       {"gemini", "gemini"},
                                                       {"mistral", "mistral"},
                                                       {"command", "cohere"}}};
    for (const auto& [beginning, provider] : kBeginnings)
        if (model.startsWith(QLatin1String(beginning)))
            return QLatin1String(provider);
    return {};
}

Nanos seconds(double value)
{
    return fromMs(std::min(value, 86400.0) * 1000);
}

struct Named
{
    QString provider, model;
};

std::optional<Named> nameOf(YamlFields& params)
{
    const QString full = params.text(QStringLiteral("model")).value_or(QString());
    const QString forced = params.text(QStringLiteral("custom_llm_provider")).value_or(QString());
    const auto unknown = [&](const QString& problem) {
        params.tell(FindingLevel::Error, QStringLiteral("model"),
                    problem + QStringLiteral(", so this one was left out"),
                    QStringLiteral("Add it by hand if it has an OpenAI-compatible address"));
        return std::nullopt;
    };
    if (full.isEmpty())
        return unknown(QStringLiteral("the model is missing"));
    if (full.contains(QLatin1Char('*')))
        return unknown(QStringLiteral("a pattern of models has no counterpart here"));
    const QString prefix = full.section(QLatin1Char('/'), 0, 0);
    const QString byPrefix = full.contains(QLatin1Char('/')) ? providerFromLiteLlm(prefix) : QString();
    if (!forced.isEmpty()) {
        const QString provider = providerFromLiteLlm(forced);
        if (provider.isEmpty())
            return unknown(QStringLiteral("requests to \"%1\" cannot be written here").arg(forced));
        return Named{provider, byPrefix == provider ? full.section(QLatin1Char('/'), 1) : full};
    }
    if (!byPrefix.isEmpty())
        return Named{byPrefix, full.section(QLatin1Char('/'), 1)};
    const QString guessed = guessedProvider(full);
    if (guessed.isEmpty())
        return unknown(QStringLiteral("requests to \"%1\" cannot be written here").arg(prefix));
    return Named{guessed, full};
}

void readAddress(YamlFields& params, const LiteLlmOptions& options, Endpoint& endpoint)
{
    const QString other = params.text(QStringLiteral("base_url")).value_or(QString());
    QString base = params.text(QStringLiteral("api_base")).value_or(other);
    if (const auto variable = environmentName(base)) {
        const auto value = options.variable ? options.variable(*variable) : std::nullopt;
        base = value.value_or(
            QStringLiteral("https://%1.invalid").arg(variable->toLower().replace(QLatin1Char('_'), QLatin1Char('-'))));
        params.tell(
            FindingLevel::Warning, QStringLiteral("api_base"),
            value ? QStringLiteral("the address is that of %1 now; it will not follow the variable").arg(*variable)
                  : QStringLiteral("the address is kept in %1, which is not set here").arg(*variable),
            value ? QString() : QStringLiteral("Write the address into base_url"));
    }
    const QString version = params.text(QStringLiteral("api_version")).value_or(QString());
    if (!version.isEmpty() && environmentName(version))
        params.tell(FindingLevel::Warning, QStringLiteral("api_version"),
                    QStringLiteral("the version is kept in a variable; the usual one is asked for"),
                    QStringLiteral("Add ?api-version=… to base_url"));
    else if (!version.isEmpty() && endpoint.provider == QLatin1String("azure") && !base.isEmpty())
        base += (base.contains(QLatin1Char('?')) ? QStringLiteral("&api-version=") : QStringLiteral("?api-version=")) +
                version;
    else if (!version.isEmpty())
        params.tell(FindingLevel::Note, QStringLiteral("api_version"),
                    QStringLiteral("only Azure takes a version here"));
    // Behind another address than OpenAI's own answers a server that only speaks like it.
    if (endpoint.provider == QLatin1String("openai") && !base.isEmpty() &&
        !base.contains(QLatin1String("api.openai.com")))
        endpoint.provider = QStringLiteral("openai-compatible");
    endpoint.baseUrl = base;
}

void readKey(YamlFields& params, Endpoint& endpoint)
{
    const QString field = QStringLiteral("api_key");
    const provider::Catalogue catalogue = provider::Catalogue::builtIn();
    const provider::ProviderProfile* profile = catalogue.find(endpoint.provider.toStdString());
    const bool isGiven = params.has(field);
    const QString key = params.text(field).value_or(QString());
    if (const auto variable = environmentName(key)) {
        endpoint.key = {KeySource::Environment, *variable};
    } else if (isGiven) {
        endpoint.key = {KeySource::Keychain, QString::fromStdString(endpoint.spec.name)};
        params.tell(FindingLevel::Warning, field,
                    QStringLiteral("a key stands in the file; it was not taken over, for a workspace never holds one"),
                    QStringLiteral("Store it in the keychain, under the entry that the endpoint names"));
    } else if (profile && profile->needsKey && !profile->keyVariable.isEmpty()) {
        endpoint.key = {KeySource::Environment, profile->keyVariable}; // where LiteLLM looks, too
    } else {
        endpoint.key.saysNone = true;
    }
}

void readLimits(YamlFields& params, const LiteLlmDefaults& defaults, Endpoint& endpoint)
{
    const auto positive = [&](const char* field) -> std::optional<double> {
        const auto value = params.number(QLatin1String(field));
        return value && *value > 0 && *value <= 1e9 ? value : std::nullopt;
    };
    endpoint.spec.requestsPerMinute = positive("rpm");
    endpoint.spec.tokensPerMinute = positive("tpm");
    if (const auto most = positive("max_parallel_requests"))
        endpoint.spec.maxInFlight = static_cast<int>(std::min(*most, 1e6));
    // LiteLLM waits for 6,000 s where nothing is said, which no caller does.
    endpoint.timeouts.total = defaults.timeout.value_or(endpoint.timeouts.total);
    if (const auto timeout = positive("timeout"))
        endpoint.timeouts.total = seconds(*timeout);
    if (const auto timeout = positive("stream_timeout"))
        endpoint.timeouts.tokens.firstToken = seconds(*timeout);
    endpoint.spec.breaker = defaults.breaker;
    if (const auto cooldown = positive("cooldown_time"))
        endpoint.spec.breaker.open = seconds(*cooldown);
    endpoint.spec.breaker.maxOpen = std::max(endpoint.spec.breaker.maxOpen, endpoint.spec.breaker.open);
}

void readPrice(YamlFields& fields, Endpoint& endpoint)
{
    QJsonObject prices;
    for (const char* name : {"input_cost_per_token", "output_cost_per_token", "cache_read_input_token_cost",
                             "cache_creation_input_token_cost"})
        if (const auto value = fields.number(QLatin1String(name)))
            prices.insert(QLatin1String(name), *value);
    if (prices.isEmpty())
        return;
    QStringList problems;
    const cost::Price price = cost::priceOfLiteLlm(prices, problems);
    for (const QString& problem : problems)
        fields.tell(FindingLevel::Warning, QStringLiteral("input_cost_per_token"), problem);
    if (price.input || price.output)
        endpoint.price = price;
}

/// Nothing when the entry is for something else than chats.
bool readInfo(const QJsonObject& object, const QString& place, Endpoint& endpoint, Findings& notes)
{
    YamlFields info(object, place, notes);
    const QString mode = info.text(QStringLiteral("mode")).value_or(QStringLiteral("chat"));
    if (mode != QLatin1String("chat") && mode != QLatin1String("completion")) {
        info.tell(FindingLevel::Error, QStringLiteral("mode"),
                  QStringLiteral("only chats go through a chain, so this one (%1) was left out").arg(mode));
        return false;
    }
    const auto most = info.number(QStringLiteral("max_tokens"));
    if (const auto window =
            info.has(QStringLiteral("max_input_tokens")) ? info.number(QStringLiteral("max_input_tokens")) : most;
        window && *window >= 1)
        endpoint.spec.capabilities.contextWindow = static_cast<std::int64_t>(std::min(*window, 1e12));
    chain::Capabilities& can = endpoint.spec.capabilities;
    can.tools = info.flag(QStringLiteral("supports_function_calling")).value_or(can.tools);
    can.images = info.flag(QStringLiteral("supports_vision")).value_or(can.images);
    can.jsonMode = info.flag(QStringLiteral("supports_response_schema")).value_or(can.jsonMode);
    if (info.text(QStringLiteral("id")))
        info.tell(FindingLevel::Note, QStringLiteral("id"),
                  QStringLiteral("it names a deployment for LiteLLM alone; the endpoint's name does so here"));
    readPrice(info, endpoint);
    return true;
}

} // namespace

QString providerFromLiteLlm(const QString& prefix)
{
    for (const auto& [theirs, ours] : kProviders)
        if (prefix == QLatin1String(theirs))
            return QLatin1String(ours);
    return {};
}

QString providerToLiteLlm(const QString& provider)
{
    for (const auto& [theirs, ours] : kProviders)
        if (provider == QLatin1String(ours) && provider != QLatin1String("openai-compatible"))
            return QLatin1String(theirs);
    // LiteLLM speaks to any compatible server as to OpenAI, at the address it is given.
    return QStringLiteral("openai");
}

std::optional<ReadDeployment> readDeployment(const QJsonObject& entry, const QString& place,
                                             const LiteLlmDefaults& defaults, const LiteLlmOptions& options,
                                             Findings& notes)
{
    YamlFields fields(entry, place, notes);
    ReadDeployment read;
    read.group = fields.text(QStringLiteral("model_name")).value_or(QString());
    const QJsonObject info = fields.object(QStringLiteral("model_info"));
    YamlFields params(fields.object(QStringLiteral("litellm_params")), fields.place(QStringLiteral("litellm_params")),
                      notes);
    const auto named = nameOf(params);
    if (!named) // what else it says goes with it
        return std::nullopt;
    Endpoint& endpoint = read.endpoint;
    endpoint.provider = named->provider;
    endpoint.model = named->model;
    if (read.group.isEmpty())
        read.group = named->model;
    endpoint.spec.name = read.group.toStdString();
    readAddress(params, options, endpoint);
    readKey(params, endpoint);
    readLimits(params, defaults, endpoint);
    readPrice(params, endpoint);
    read.weight = params.number(QStringLiteral("weight"))
                      .value_or(endpoint.spec.requestsPerMinute.value_or(endpoint.spec.tokensPerMinute.value_or(1)));
    read.order = static_cast<int>(std::min(params.number(QStringLiteral("order")).value_or(0), 1e6));
    if (!readInfo(info, fields.place(QStringLiteral("model_info")), endpoint, notes))
        return std::nullopt;
    return read;
}

} // namespace sg::workspace
