// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/lint_ranges.h"
#include "core/workspace/workspace_read.h"

#include <QUrl>

namespace sg::workspace {

namespace {

std::optional<double> ms(std::optional<Nanos> span)
{
    return span ? std::optional(toMs(*span)) : std::nullopt;
}

std::optional<double> number(std::optional<std::int64_t> value)
{
    return value ? std::optional(double(*value)) : std::nullopt;
}

void endpointRanges(const EndpointScope& scope, const Tell& tell)
{
    const Timeouts& t = scope.endpoint.timeouts;
    const chain::EndpointSpec& spec = scope.endpoint.spec;
    const auto perTask = t.byTask.value_or(policy::TaskTimeout());
    tellOutside(named("endpoint", spec.name, scope.at),
                {{"timeouts.connect_ms", toMs(t.connect), 0, kDayMs, false},
                 {"timeouts.first_byte_ms", ms(t.firstByte), 0, kDayMs, false},
                 {"timeouts.first_token_ms", ms(t.tokens.firstToken), 0, kDayMs, false},
                 {"timeouts.idle_ms", ms(t.idle), 0, kDayMs, false},
                 {"timeouts.total_ms", toMs(t.total), 0, kDayMs, false},
                 {"timeouts.by_task.base_ms", ms(perTask.base), 0, kDayMs, false},
                 {"timeouts.by_task.per_100_tokens_ms", toMs(perTask.per100Tokens), 0, kDayMs},
                 {"timeouts.by_task.floor_ms", toMs(perTask.floor), 0, kDayMs},
                 {"timeouts.by_task", toMs(perTask.per100Tokens) + toMs(perTask.floor), 0, 2 * kDayMs, false},
                 {"capabilities.context_window", number(spec.capabilities.contextWindow), 1, 1e9},
                 {"limits.requests_per_minute", spec.requestsPerMinute, 0, 1e9, false},
                 {"limits.tokens_per_minute", spec.tokensPerMinute, 0, 1e12, false},
                 {"limits.max_in_flight", number(spec.maxInFlight), 1, 1e6}},
                tell);
}

void tierRanges(const chain::TierSpec& tier, std::size_t at, const Tell& tell)
{
    tellOutside(named("tier", tier.name, at),
                {{"max_attempts", double(tier.maxAttempts), 1, 100},
                 {"attempt_timeout_ms", ms(tier.attemptTimeout), 0, kDayMs, false},
                 {"weight", tier.weight, 0, 1e9}},
                [&](const QString& field, const Words& words) { tell.tier(at, field, words); });
}

void chainRanges(const ChainScope& scope, const Tell& tell)
{
    const chain::ChainSpec& spec = scope.spec;
    const chain::LimiterSpec limiter = spec.limiter.value_or(chain::LimiterSpec());
    const chain::CacheSpec cache = spec.cache.value_or(chain::CacheSpec());
    const Caller& caller = scope.chain.caller;
    tellOutside(named("chain", spec.name, scope.at),
                {{"deadline_ms", toMs(spec.deadline), 0, kDayMs, false},
                 {"attempt_budget", double(spec.attemptBudget), 1, 1000},
                 {"max_server_wait_ms", toMs(spec.maxServerWait), 0, kDayMs},
                 {"limiter.rate_per_second", limiter.ratePerSecond, 0, 1e9},
                 {"limiter.burst", limiter.burst, 0, 1e9},
                 {"limiter.max_wait_ms", toMs(limiter.maxWait), 0, kDayMs},
                 {"limiter.window_limit", number(limiter.windowLimit), 1, 1e9},
                 {"limiter.window_ms", toMs(limiter.window), 0, kDayMs, false},
                 {"cache.max_entries", double(cache.maxEntries), 1, 1e8},
                 {"cache.max_bytes", double(cache.maxBytes), 1024, double(std::int64_t(1) << 40)},
                 {"cache.ttl_ms", toMs(cache.ttl), 0, 365 * kDayMs, false},
                 {"caller.waits_ms", ms(caller.waits), 0, kDayMs, false},
                 {"caller.retries", number(caller.retries), 0, 100},
                 {"caller.pays_usd", caller.pays ? std::optional(caller.pays->toUsd()) : std::nullopt, 0, 1e6}},
                tell);
    for (std::size_t i = 0; i < spec.tiers.size(); ++i)
        tierRanges(spec.tiers[i], i, tell);
    const auto classes = spec.router ? spec.router->classes : std::vector<chain::RouteClass>();
    for (std::size_t i = 0; i < classes.size(); ++i)
        tellOutside(named("class", classes[i].name, i), {{"at_least", double(classes[i].atLeast), 1, 1000}},
                    [&](const QString& field, const Words& words) {
                        tell(QStringLiteral("router.classes[%1].%2").arg(i).arg(field), words);
                    });
}

Words lacks(const QString& problem, const QString& remedy)
{
    return {problem, {}, remedy};
}

bool isBlank(const std::string& text)
{
    return QString::fromStdString(text).trimmed().isEmpty();
}

void endpointEmpty(const EndpointScope& scope, const Tell& tell)
{
    const Endpoint& endpoint = scope.endpoint;
    const QString whose = named("endpoint", endpoint.spec.name, scope.at);
    if (isBlank(endpoint.spec.name))
        tell(QStringLiteral("name"),
             lacks(whose + QStringLiteral(" has no name"), QStringLiteral("Give the endpoint a name")));
    if (endpoint.model.trimmed().isEmpty())
        tell(QStringLiteral("model"),
             lacks(whose + QStringLiteral(" names no model"), QStringLiteral("Name the model, as in gpt-4.1")));
    if (endpoint.baseUrl.trimmed().isEmpty() && scope.workspace.profileOf(endpoint).baseUrl.isEmpty())
        tell(QStringLiteral("base_url"),
             lacks(whose + QStringLiteral(" has no address"),
                   QStringLiteral("Write the provider's address, as in https://api.openai.com/v1, or sim:NAME")));
    if (endpoint.key.source != KeySource::None && endpoint.key.name.trimmed().isEmpty())
        tell(QStringLiteral("key.name"), lacks(whose + QStringLiteral(" does not say which key"),
                                               QStringLiteral("Name the variable or the keychain entry")));
}

void ruleEmpty(const chain::TierSpec& tier, std::size_t at, std::size_t i, const Tell& tell)
{
    const QString rule = QStringLiteral("rule %1 of %2").arg(i + 1).arg(named("tier", tier.name, at));
    const QString place = placeOf("rules", i);
    if (tier.rules[i].reply.empty())
        tell.tier(at, place + QStringLiteral(".reply"),
                  lacks(rule + QStringLiteral(" has no reply"), QStringLiteral("Write what is answered")));
    if (std::ranges::any_of(tier.rules[i].words, isBlank))
        tell.tier(at, place + QStringLiteral(".words"),
                  lacks(rule + QStringLiteral(" has an empty word"), QStringLiteral("Remove the empty word")));
}

void tierEmpty(const chain::TierSpec& tier, std::size_t at, const Tell& tell)
{
    const QString whose = named("tier", tier.name, at);
    if (isBlank(tier.name))
        tell.tier(at, QStringLiteral("name"),
                  lacks(whose + QStringLiteral(" has no name"), QStringLiteral("Give the tier a name")));
    if (tier.kind == chain::TierKind::Endpoint) {
        if (tier.endpoint.empty())
            tell.tier(at, QStringLiteral("endpoint"),
                      lacks(whose + QStringLiteral(" calls no endpoint"),
                            QStringLiteral("Name the endpoint this tier calls")));
        return;
    }
    if (tier.rules.empty())
        tell.tier(at, QStringLiteral("rules"),
                  lacks(whose + QStringLiteral(" has no rule"), QStringLiteral("Add a rule with a reply")));
    for (std::size_t i = 0; i < tier.rules.size(); ++i)
        ruleEmpty(tier, at, i, tell);
}

void chainEmpty(const ChainScope& scope, const Tell& tell)
{
    const chain::ChainSpec& spec = scope.spec;
    const QString whose = named("chain", spec.name, scope.at);
    if (isBlank(spec.name))
        tell(QStringLiteral("name"),
             lacks(whose + QStringLiteral(" has no name"), QStringLiteral("Give the chain a name")));
    if (spec.tiers.empty())
        tell(QStringLiteral("tiers"),
             lacks(whose + QStringLiteral(" has no tier, so it can answer nothing"), QStringLiteral("Add one")));
    for (std::size_t i = 0; i < spec.tiers.size(); ++i)
        tierEmpty(spec.tiers[i], i, tell);
    const auto classes = spec.router ? spec.router->classes : std::vector<chain::RouteClass>();
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const QString place = QStringLiteral("router.") + placeOf("classes", i);
        const QString it = named("class", classes[i].name, i);
        if (isBlank(classes[i].name))
            tell(place + QStringLiteral(".name"),
                 lacks(it + QStringLiteral(" has no name"), QStringLiteral("Give the class a name")));
        if (std::ranges::any_of(classes[i].words, isBlank))
            tell(place + QStringLiteral(".words"),
                 lacks(it + QStringLiteral(" has an empty word"), QStringLiteral("Remove the empty word")));
    }
}

/// Errors that the readers of files find in what the endpoint would have a file say.
template <typename Read>
void tellErrors(const QJsonObject& object, const Tell& tell, Read read)
{
    Findings findings;
    ObjectReader reader(object, QString(), findings, FindingLevel::Warning);
    read(reader);
    for (const Finding& finding : findings)
        if (finding.level == FindingLevel::Error)
            tell(finding.place, {finding.problem, finding.why, finding.remedy});
}

void badAddress(const EndpointScope& scope, const Tell& tell)
{
    const Endpoint& endpoint = scope.endpoint;
    if (!endpoint.baseUrl.trimmed().isEmpty())
        tellErrors({}, tell, [&](ObjectReader& reader) { checkBaseUrl(reader, endpoint.baseUrl); });
    if (!endpoint.proxy.isEmpty() || !endpoint.caFile.isEmpty())
        tellErrors({{QStringLiteral("proxy"), endpoint.proxy}, {QStringLiteral("ca_file"), endpoint.caFile}}, tell,
                   [](ObjectReader& reader) {
                       Endpoint read;
                       QJsonObject unknown;
                       readProxy(reader, read, unknown);
                   });
}

void badVariable(const EndpointScope& scope, const Tell& tell)
{
    const std::pair<QString, const KeyRef*> keys[] = {{QStringLiteral("key"), &scope.endpoint.key},
                                                      {QStringLiteral("proxy_key"), &scope.endpoint.proxyKey}};
    for (const auto& [field, key] : keys) {
        if (key->source != KeySource::Environment || key->name.trimmed().isEmpty())
            continue;
        const QJsonObject said{{QStringLiteral("source"), QStringLiteral("environment")},
                               {QStringLiteral("name"), key->name}};
        tellErrors({{field, said}}, tell, [&part = field](ObjectReader& reader) {
            QJsonObject unknown;
            readKey(reader, part, unknown);
        });
    }
}

void unknownProvider(const EndpointScope& scope, const Tell& tell)
{
    if (!scope.workspace.catalogue.find(scope.endpoint.provider.toStdString()))
        tell(QStringLiteral("provider"),
             {QStringLiteral("nobody knows the provider \"%1\"").arg(scope.endpoint.provider),
              {},
              QStringLiteral("Choose one of the list, or openai-compatible")});
}

QString sentence(const std::string& remedy)
{
    QString text = QString::fromStdString(remedy);
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

void badBackoff(const ChainScope& scope, const Tell& tell)
{
    for (std::size_t i = 0; i < scope.spec.tiers.size(); ++i)
        if (const auto finding = policy::checkBackoffPolicy(scope.spec.tiers[i].backoff))
            tell.tier(i, QStringLiteral("backoff.") + QString::fromStdString(finding->field),
                      {named("tier", scope.spec.tiers[i].name, i) + QStringLiteral(": ") +
                           fieldWords(QStringLiteral("backoff.") + QString::fromStdString(finding->field)) +
                           QLatin1Char(' ') + QString::fromStdString(finding->problem),
                       {},
                       sentence(finding->remedy)});
}

void badLimiter(const ChainScope& scope, const Tell& tell)
{
    if (!scope.spec.limiter)
        return;
    const chain::LimiterSpec& limiter = *scope.spec.limiter;
    if (limiter.ratePerSecond > 0 && limiter.burst < 1)
        tell(QStringLiteral("limiter.burst"),
             {QStringLiteral("a bucket that holds less than 1 never lets a request through"),
              QStringLiteral("Every request would be refused"), QStringLiteral("Make it 1 or more")},
             scope.fix(QStringLiteral("Make burst 1"), [](chain::ChainSpec& changed) {
                 if (changed.limiter)
                     changed.limiter->burst = 1;
             }));
    if (limiter.ratePerSecond <= 0 && limiter.burst > 0)
        tell(QStringLiteral("limiter.rate_per_second"), {QStringLiteral("the bucket has a burst but is never refilled"),
                                                         QStringLiteral("Without a rate there is no bucket"),
                                                         QStringLiteral("Give a rate above 0 or remove burst")});
}

constexpr EndpointRule kEndpoint[] = {
    {"endpoint_empty_field", FindingLevel::Error, "An endpoint without name, model, address or name of its key",
     endpointEmpty},
    {"endpoint_out_of_range", FindingLevel::Error, "A time or limit of an endpoint that no file may have",
     endpointRanges},
    {"bad_address", FindingLevel::Error,
     "A base URL or proxy that is no address, or that carries a key; a relative path of a CA", badAddress},
    {"bad_variable", FindingLevel::Error, "A name that no environment variable can have", badVariable},
    {"unknown_provider", FindingLevel::Error, "A provider that nobody knows", unknownProvider},
};
constexpr ChainRule kChain[] = {
    {"chain_empty_field", FindingLevel::Error, "A chain, tier, rule or class without what it needs", chainEmpty},
    {"chain_out_of_range", FindingLevel::Error, "A number of a chain or tier that no file may have", chainRanges},
    {"bad_backoff", FindingLevel::Error, "Numbers of a backoff that no wait can be made of", badBackoff},
    {"bad_limiter", FindingLevel::Error, "A limiter that lets nothing through or is never refilled", badLimiter},
};

} // namespace

std::span<const EndpointRule> endpointFieldRules()
{
    return kEndpoint;
}

std::span<const ChainRule> chainFieldRules()
{
    return kChain;
}

} // namespace sg::workspace
