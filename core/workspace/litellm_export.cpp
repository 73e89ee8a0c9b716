// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/edits.h"
#include "core/workspace/litellm.h"
#include "core/workspace/litellm_deployment.h"
#include "core/workspace/workspace_read.h"

#include <QUrl>
#include <QUrlQuery>

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>

namespace sg::workspace {

namespace {

QString text(const std::string& from)
{
    return QString::fromStdString(from);
}

double secondsOf(Nanos span)
{
    return toMs(span) / 1000;
}

double perToken(cost::NanoDollars perMillion)
{
    return static_cast<double>(perMillion.count()) / 1e9 / 1e6;
}

/// As environment variables are written: "gpt-4.1 (eu)" becomes GPT_4_1_EU.
QString variableFor(const QString& name)
{
    QString variable;
    for (const QChar c : name.toUpper())
        variable += c.isLetterOrNumber() && c.unicode() < 128 ? c : QLatin1Char('_');
    return variable + QStringLiteral("_API_KEY");
}

class Exporter
{
public:
    Exporter(const Workspace& workspace, const chain::ChainSpec& chain, const cost::PriceBook* prices)
        : workspace_(workspace)
        , chain_(chain)
        , prices_(prices)
    {
    }

    LiteLlmExport write()
    {
        YAML::Emitter out;
        out.SetDoublePrecision(12);
        // Some readers take U+2028 for the end of a line, in quotes too.
        out.SetOutputCharset(YAML::EscapeNonAscii);
        out << YAML::BeginMap << YAML::Key << "model_list" << YAML::Value << YAML::BeginSeq;
        const std::vector<QString> groups = writeModels(out);
        out << YAML::EndSeq;
        writeRouter(out, groups);
        writeCache(out);
        out << YAML::EndMap;
        tellRest();
        notes_ = withoutSecrets(std::move(notes_));
        return {comments() + QByteArray(out.c_str(), qsizetype(out.size())) + '\n', notes_};
    }

private:
    void tell(const QString& place, const QString& problem)
    {
        notes_.push_back({FindingLevel::Warning, place, problem, {}});
    }

    QByteArray comments() const
    {
        QString lines = QStringLiteral("# The chain \"%1\" of the workspace \"%2\" as a LiteLLM configuration.\n")
                            .arg(oneLine(text(chain_.name)), oneLine(workspace_.name));
        if (!notes_.empty())
            lines += QStringLiteral("# Not carried over, or as something else:\n");
        for (const Finding& note : notes_)
            lines += QStringLiteral("#   %1: %2\n").arg(oneLine(note.place), oneLine(note.problem));
        return lines.toUtf8();
    }

    /// A name with a line break in it must not end the comment.
    static QString oneLine(QString words)
    {
        words.removeIf([](QChar c) { return c.category() == QChar::Other_Control || c == QChar::LineSeparator; });
        return words;
    }

    /// The first step answers to the chain's name, the others to their tiers', which programs may ask for, too.
    QString groupName(const TierGroup& group, std::size_t step) const
    {
        const QString own = text(chain_.tiers[group.first].name);
        if (step == 0)
            return text(chain_.name);
        return own == text(chain_.name) ? QStringLiteral("%1 step %2").arg(own).arg(step + 1) : own;
    }

    std::vector<QString> writeModels(YAML::Emitter& out)
    {
        std::vector<QString> groups;
        for (const TierGroup& group : splitGroups(chain_)) {
            const QString name = groupName(group, groups.size());
            bool any = false;
            for (std::size_t i = group.first; i < group.first + group.count; ++i)
                any = writeTier(out, chain_.tiers[i], name, group.isSplit) || any;
            if (any)
                groups.push_back(name);
        }
        return groups;
    }

    bool writeTier(YAML::Emitter& out, const chain::TierSpec& tier, const QString& group, bool isSplit)
    {
        if (!tier.enabled) {
            tell(text(tier.name), QStringLiteral("the tier is switched off and was left out"));
            return false;
        }
        if (tier.kind == chain::TierKind::CannedReply) {
            tell(text(tier.name), QStringLiteral("LiteLLM has no canned replies"));
            return false;
        }
        const Endpoint* endpoint = workspace_.endpoint(tier.endpoint);
        if (!endpoint) {
            tell(text(tier.name), QStringLiteral("there is no such endpoint"));
            return false;
        }
        if (endpoint->baseUrl.startsWith(QLatin1String("sim:")))
            tell(text(tier.name),
                 QStringLiteral("the endpoint is simulated; its address is only known to this program"));
        out << YAML::BeginMap;
        put(out, "model_name", group);
        out << YAML::Key << "litellm_params" << YAML::Value << YAML::BeginMap;
        writeParams(out, tier, *endpoint, isSplit);
        out << YAML::EndMap;
        writeInfo(out, *endpoint);
        out << YAML::EndMap;
        tellOfTier(tier, *endpoint);
        return true;
    }

    void writeParams(YAML::Emitter& out, const chain::TierSpec& tier, const Endpoint& endpoint, bool isSplit)
    {
        put(out, "model", providerToLiteLlm(endpoint.provider) + QLatin1Char('/') + endpoint.model);
        if (!endpoint.baseUrl.isEmpty() && !endpoint.baseUrl.startsWith(QLatin1String("sim:")))
            writeAddress(out, endpoint);
        else if (const QString usual = workspace_.profileOf(endpoint).baseUrl;
                 providerToLiteLlm(endpoint.provider) == QLatin1String("openai") && !usual.isEmpty())
            put(out, "api_base", usual);
        writeKey(out, endpoint);
        put(out, "rpm", endpoint.spec.requestsPerMinute);
        put(out, "tpm", endpoint.spec.tokensPerMinute);
        if (endpoint.spec.maxInFlight)
            put(out, "max_parallel_requests", std::optional<double>(*endpoint.spec.maxInFlight));
        put(out, "timeout",
            std::optional(secondsOf(std::min(endpoint.timeouts.total, tier.attemptTimeout.value_or(Nanos::max())))));
        if (endpoint.timeouts.tokens.firstToken)
            put(out, "stream_timeout", std::optional(secondsOf(*endpoint.timeouts.tokens.firstToken)));
        if (isSplit)
            put(out, "weight", std::optional(tier.weight));
        if (endpoint.spec.breaker.consecutiveFailures || endpoint.spec.breaker.failureRate)
            put(out, "cooldown_time", std::optional(secondsOf(endpoint.spec.breaker.open)));
        writePrice(out, endpoint);
    }

    /// The version that an address carries here has a field of its own there.
    static void writeAddress(YAML::Emitter& out, const Endpoint& endpoint)
    {
        const QString field = QStringLiteral("api-version");
        QUrl url(endpoint.baseUrl);
        QUrlQuery query(url);
        if (endpoint.provider != QLatin1String("azure") || !query.hasQueryItem(field))
            return put(out, "api_base", endpoint.baseUrl);
        const QString version = query.queryItemValue(field);
        query.removeAllQueryItems(field);
        url.setQuery(query.isEmpty() ? QString() : query.toString(QUrl::FullyEncoded));
        put(out, "api_base", url.toString());
        put(out, "api_version", version);
    }

    void writeKey(YAML::Emitter& out, const Endpoint& endpoint)
    {
        const QString name = text(endpoint.spec.name);
        if (endpoint.key.source == KeySource::None)
            return;
        if (endpoint.key.source == KeySource::Environment)
            return put(out, "api_key", QStringLiteral("os.environ/") + endpoint.key.name);
        const QString variable = variableFor(name);
        put(out, "api_key", QStringLiteral("os.environ/") + variable);
        tell(name, QStringLiteral("its key is not in a variable here; set %1 for LiteLLM").arg(variable));
    }

    void writePrice(YAML::Emitter& out, const Endpoint& endpoint)
    {
        const auto price = prices_ ? priceOf(endpoint, *prices_) : endpoint.price;
        if (!price)
            return;
        const auto rate = [&](const char* field, const std::optional<cost::NanoDollars>& value) {
            if (value)
                put(out, field, std::optional(perToken(*value)));
        };
        rate("input_cost_per_token", price->input);
        rate("output_cost_per_token", price->output);
        rate("cache_read_input_token_cost", price->cachedInput);
        rate("cache_creation_input_token_cost", price->cacheWrite);
        if (!price->tiers.empty())
            tell(text(endpoint.spec.name), QStringLiteral("its prices for long prompts were left out"));
    }

    void writeInfo(YAML::Emitter& out, const Endpoint& endpoint)
    {
        const chain::Capabilities& can = endpoint.spec.capabilities;
        out << YAML::Key << "model_info" << YAML::Value << YAML::BeginMap;
        if (can.contextWindow)
            put(out, "max_input_tokens", std::optional(static_cast<double>(*can.contextWindow)));
        out << YAML::Key << "supports_function_calling" << YAML::Value << can.tools;
        out << YAML::Key << "supports_vision" << YAML::Value << can.images;
        out << YAML::Key << "supports_response_schema" << YAML::Value << can.jsonMode << YAML::EndMap;
    }

    void writeRouter(YAML::Emitter& out, const std::vector<QString>& groups)
    {
        out << YAML::Key << "router_settings" << YAML::Value << YAML::BeginMap;
        put(out, "routing_strategy", QStringLiteral("simple-shuffle"));
        put(out, "num_retries", std::optional<double>(retries()));
        if (groups.size() > 1)
            for (const char* kind : kinds())
                writeFallbacks(out, kind, groups);
        if (const auto fails = allowedFails())
            put(out, "allowed_fails", std::optional<double>(*fails));
        out << YAML::EndMap;
    }

    std::vector<const char*> kinds() const
    {
        std::vector<const char*> names;
        const auto any = [&](bool chain::MovesOn::*flag) {
            return std::ranges::any_of(chain_.tiers, [&](const chain::TierSpec& tier) { return tier.movesOn.*flag; });
        };
        if (any(&chain::MovesOn::rateLimited) || any(&chain::MovesOn::serverError) || any(&chain::MovesOn::timeout))
            names.push_back("fallbacks");
        if (any(&chain::MovesOn::contextTooLong))
            names.push_back("context_window_fallbacks");
        if (any(&chain::MovesOn::contentPolicy))
            names.push_back("content_policy_fallbacks");
        return names;
    }

    static void writeFallbacks(YAML::Emitter& out, const char* kind, const std::vector<QString>& groups)
    {
        out << YAML::Key << kind << YAML::Value << YAML::BeginSeq << YAML::BeginMap;
        out << YAML::Key << YAML::DoubleQuoted << groups.front().toStdString() << YAML::Value << YAML::Flow
            << YAML::BeginSeq;
        for (std::size_t i = 1; i < groups.size(); ++i)
            out << YAML::DoubleQuoted << groups[i].toStdString();
        out << YAML::EndSeq << YAML::EndMap << YAML::EndSeq;
    }

    void writeCache(YAML::Emitter& out)
    {
        if (!chain_.cache)
            return;
        out << YAML::Key << "litellm_settings" << YAML::Value << YAML::BeginMap;
        out << YAML::Key << "cache" << YAML::Value << true;
        out << YAML::Key << "cache_params" << YAML::Value << YAML::BeginMap;
        put(out, "type", QStringLiteral("local"));
        put(out, "ttl", std::optional(secondsOf(chain_.cache->ttl)));
        out << YAML::EndMap << YAML::EndMap;
        tell(QStringLiteral("cache"), QStringLiteral("its size is not carried over"));
    }

    /// Retries of one step in LiteLLM go to any of its deployments.
    int retries() const
    {
        int most = 0;
        for (const TierGroup& group : splitGroups(chain_)) {
            int attempts = 0;
            for (std::size_t i = group.first; i < group.first + group.count; ++i)
                if (chain_.tiers[i].enabled && chain_.tiers[i].kind == chain::TierKind::Endpoint)
                    attempts += chain_.tiers[i].maxAttempts;
            most = std::max(most, attempts - 1);
        }
        return most;
    }

    std::optional<int> allowedFails() const
    {
        std::optional<int> least;
        for (const chain::TierSpec& tier : chain_.tiers)
            if (const Endpoint* endpoint = workspace_.endpoint(tier.endpoint))
                if (const auto failures = endpoint->spec.breaker.consecutiveFailures)
                    least = std::min(least.value_or(*failures - 1), *failures - 1);
        return least;
    }

    void tellOfTier(const chain::TierSpec& tier, const Endpoint& endpoint)
    {
        const QString name = text(tier.name);
        const policy::BreakerConfig& breaker = endpoint.spec.breaker;
        if (breaker.consecutiveFailures || breaker.failureRate || breaker.rateLimitedShare || breaker.slowRate)
            tell(name, QStringLiteral("its breaker becomes a cooldown; window, probes and shares have no counterpart"));
        if (tier.backoff != policy::BackoffPolicy())
            tell(name, QStringLiteral("its waits between retries are LiteLLM's own there"));
        if (endpoint.spec.quotaGroup != endpoint.spec.name)
            tell(name, QStringLiteral("a shared quota has no counterpart"));
        if (!endpoint.proxy.isEmpty() || !endpoint.caFile.isEmpty())
            tell(name, QStringLiteral("proxy and private CA are set for the whole of LiteLLM"));
        if (endpoint.timeouts.firstByte || endpoint.timeouts.idle || endpoint.timeouts.byTask)
            tell(name, QStringLiteral("of its timeouts only the whole and the first token are carried over"));
        const chain::MovesOn& on = tier.movesOn;
        if (on.rateLimited != on.serverError || on.serverError != on.timeout || on.timeout != on.openBreaker)
            tell(name, QStringLiteral("what it moves on for is not told apart there"));
    }

    void tellRest()
    {
        if (chain_.limiter)
            tell(QStringLiteral("limiter"), QStringLiteral("LiteLLM limits keys and users, not a chain"));
        if (chain_.router)
            tell(QStringLiteral("router"), QStringLiteral("routing by words has no counterpart"));
        tell(QStringLiteral("deadline_ms"), QStringLiteral("LiteLLM has no deadline for the whole request"));
        if (chain_.attemptBudget < retries() + 1)
            tell(QStringLiteral("attempt_budget"), QStringLiteral("LiteLLM does not bound the attempts of a request"));
    }

    static void put(YAML::Emitter& out, const char* field, const QString& value)
    {
        out << YAML::Key << field << YAML::Value << YAML::DoubleQuoted << value.toStdString();
    }
    static void put(YAML::Emitter& out, const char* field, const std::optional<double>& value)
    {
        if (!value)
            return;
        out << YAML::Key << field << YAML::Value;
        if (*value == std::floor(*value) && std::abs(*value) < 1e15)
            out << static_cast<std::int64_t>(*value);
        else
            out << *value;
    }

    const Workspace& workspace_;
    const chain::ChainSpec& chain_;
    const cost::PriceBook* prices_;
    Findings notes_;
};

} // namespace

std::optional<LiteLlmExport> exportLiteLlm(const Workspace& workspace, const std::string& name,
                                           const cost::PriceBook* prices)
{
    const Chain* chain = workspace.chain(name);
    if (!chain)
        return std::nullopt;
    return Exporter(workspace, chain->spec, prices).write();
}

} // namespace sg::workspace
