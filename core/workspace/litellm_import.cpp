// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/edits.h"
#include "core/workspace/litellm_deployment.h"
#include "core/workspace/workspace_file.h"
#include "core/workspace/workspace_read.h"
#include "core/workspace/yaml_tree.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace sg::workspace {

namespace {

/// LiteLLM's own: openai.DEFAULT_MAX_RETRIES, and the waits of its retries (0.5 s, doubling, 8 s at most).
constexpr int kUsualRetries = 2;
constexpr double kFirstWaitMs = 500, kLongestWaitMs = 8000;
/// "Cooldowns": a deployment rests for 5 s when more than half of a minute's requests have failed.
constexpr Nanos kUsualCooldown = std::chrono::seconds(5);
constexpr int kUsualMinimumCalls = 5;
/// LiteLLM has no deadline for the whole request; beyond ten minutes no caller waits.
constexpr Nanos kLongestDeadline = std::chrono::minutes(10);

using FallbackMap = std::vector<std::pair<QString, QStringList>>; ///< in the file's order

struct Router
{
    int retries = kUsualRetries;
    policy::BackoffPolicy backoff;
    LiteLlmDefaults defaults;
    FallbackMap fallbacks, contextFallbacks, contentFallbacks;
    QStringList defaultFallbacks;
    std::vector<std::pair<QString, QString>> aliases;
    std::optional<chain::CacheSpec> cache;
};

Nanos seconds(double value)
{
    return fromMs(std::min(value, 86400.0) * 1000);
}

/// [{"gpt-4": ["claude"]}, …]
void readFallbacks(YamlFields& fields, const QString& name, FallbackMap& into)
{
    const QJsonArray list = fields.list(name);
    for (const QJsonValue& entry : list) {
        const QJsonObject object = entry.toObject();
        if (object.isEmpty())
            fields.tell(FindingLevel::Warning, name, QStringLiteral("an entry is no mapping and was not carried over"));
        for (auto group = object.constBegin(); group != object.constEnd(); ++group) {
            QStringList others;
            const QJsonArray names = group.value().toArray();
            for (const QJsonValue& other : names) {
                if (other.isString())
                    others << other.toString();
                else
                    fields.tell(FindingLevel::Warning, name,
                                QStringLiteral("a fallback of \"%1\" with parameters of its own was not carried over")
                                    .arg(group.key()));
            }
            into.emplace_back(group.key(), others);
        }
    }
}

void readCooldown(YamlFields& fields, policy::BreakerConfig& breaker)
{
    if (const auto fails = fields.number(QStringLiteral("allowed_fails"))) {
        breaker.failureRate.reset();
        breaker.minimumCalls = 1;
        breaker.consecutiveFailures = static_cast<int>(std::min(*fails, 1e6)) + 1;
        fields.tell(FindingLevel::Warning, QStringLiteral("allowed_fails"),
                    QStringLiteral("there it counts failures within a minute; the breaker here opens at %1 in a row")
                        .arg(*breaker.consecutiveFailures),
                    QStringLiteral("Look at the breaker's rules; a failure rate may be nearer to what you want"));
    }
    if (const auto cooldown = fields.number(QStringLiteral("cooldown_time"))) {
        breaker.open = seconds(std::max(*cooldown, 0.001));
        breaker.maxOpen = std::max(breaker.maxOpen, breaker.open);
    }
}

/// Fields that router_settings and litellm_settings have in common; the router's win, so they are read last.
void readCommon(YamlFields& fields, Router& router)
{
    if (const auto retries = fields.number(QStringLiteral("num_retries")))
        router.retries = static_cast<int>(std::min(*retries, 99.0));
    readFallbacks(fields, QStringLiteral("fallbacks"), router.fallbacks);
    readFallbacks(fields, QStringLiteral("context_window_fallbacks"), router.contextFallbacks);
    readFallbacks(fields, QStringLiteral("content_policy_fallbacks"), router.contentFallbacks);
    const QJsonArray others = fields.list(QStringLiteral("default_fallbacks"));
    for (const QJsonValue& other : others)
        router.defaultFallbacks << other.toString();
    readCooldown(fields, router.defaults.breaker);
    for (const char* name : {"request_timeout", "timeout"})
        if (const auto timeout = fields.number(QLatin1String(name)); timeout && *timeout > 0)
            router.defaults.timeout = seconds(*timeout);
}

void readCache(YamlFields& fields, Router& router)
{
    const bool isOn = fields.flag(QStringLiteral("cache")).value_or(false);
    YamlFields params(fields.object(QStringLiteral("cache_params")), fields.place(QStringLiteral("cache_params")),
                      fields.notes());
    const auto type = params.text(QStringLiteral("type"));
    const auto ttl = params.number(QStringLiteral("ttl"));
    if (!isOn)
        return;
    router.cache.emplace();
    if (ttl && *ttl > 0)
        router.cache->ttl = seconds(*ttl);
    if (type && *type != QLatin1String("local"))
        params.tell(FindingLevel::Warning, QStringLiteral("type"),
                    QStringLiteral("the cache here is this program's own and is not shared (%1)").arg(*type));
}

void readStrategy(YamlFields& fields)
{
    const QString name = QStringLiteral("routing_strategy");
    const auto strategy = fields.text(name);
    if (strategy && *strategy != QLatin1String("simple-shuffle"))
        fields.tell(
            FindingLevel::Warning, name,
            QStringLiteral("\"%1\" is not known here; deployments of one name are drawn by weight").arg(*strategy));
}

Router readRouter(YamlFields& file, Findings& notes)
{
    Router router;
    policy::BreakerConfig& breaker = router.defaults.breaker;
    breaker.failureRate = 0.5;
    breaker.minimumCalls = kUsualMinimumCalls;
    breaker.open = kUsualCooldown;
    router.backoff.kind = policy::BackoffKind::Exponential;
    router.backoff.baseMs = kFirstWaitMs;
    router.backoff.capMs = kLongestWaitMs;
    router.backoff.jitter.type = policy::JitterType::Proportional;
    router.backoff.jitter.r = 0.25;

    YamlFields general(file.object(QStringLiteral("litellm_settings")), QStringLiteral("litellm_settings"), notes);
    readCommon(general, router);
    readCache(general, router);
    if (general.flag(QStringLiteral("drop_params")))
        general.tell(FindingLevel::Note, QStringLiteral("drop_params"),
                     QStringLiteral("what a provider does not know is left out here anyway, whatever this says"));

    YamlFields routing(file.object(QStringLiteral("router_settings")), QStringLiteral("router_settings"), notes);
    readCommon(routing, router);
    readStrategy(routing);
    if (const auto least = routing.number(QStringLiteral("retry_after"))) {
        router.backoff.baseMs = std::max(router.backoff.baseMs, std::min(*least, 86400.0) * 1000);
        router.backoff.capMs = std::max(router.backoff.capMs, router.backoff.baseMs);
    }
    if (routing.flag(QStringLiteral("enable_pre_call_checks")) == false)
        routing.tell(FindingLevel::Note, QStringLiteral("enable_pre_call_checks"),
                     QStringLiteral("a prompt too long for a known window is never sent here"));
    const QJsonObject aliases = routing.object(QStringLiteral("model_group_alias"));
    for (auto alias = aliases.constBegin(); alias != aliases.constEnd(); ++alias) {
        const QJsonValue of = alias.value();
        router.aliases.emplace_back(alias.key(), of.isObject() ? of[QLatin1String("model")].toString() : of.toString());
    }
    return router;
}

/// The endpoints of one model name: indexes of the workspace's, by order.
struct Group
{
    QString name;
    struct Member
    {
        std::string endpoint;
        double weight;
        int order;
    };
    std::vector<Member> members;
};

const Group* find(const std::vector<Group>& groups, const QString& name)
{
    const auto found = std::ranges::find(groups, name, &Group::name);
    return found == groups.end() ? nullptr : &*found;
}

std::vector<Group> groupsOf(std::vector<ReadDeployment> deployments, Workspace& workspace)
{
    std::vector<Group> groups;
    for (ReadDeployment& read : deployments) {
        Endpoint endpoint = std::move(read.endpoint);
        const bool isOne = std::ranges::count(deployments, read.group, &ReadDeployment::group) == 1;
        if (!isOne)
            endpoint.spec.name = QStringLiteral("%1 (%2)").arg(read.group, endpoint.model).toStdString();
        endpoint.spec.name = freeEndpointName(workspace, endpoint.spec.name);
        if (endpoint.key.source == KeySource::Keychain)
            endpoint.key.name = QString::fromStdString(endpoint.spec.name);
        const std::string name = addEndpoint(workspace, std::move(endpoint));
        auto group = std::ranges::find(groups, read.group, &Group::name);
        if (group == groups.end())
            group = groups.insert(groups.end(), Group{read.group, {}});
        group->members.push_back({name, read.weight, read.order});
    }
    for (Group& group : groups)
        std::ranges::stable_sort(group.members, {}, &Group::Member::order);
    return groups;
}

class ChainBuilder
{
public:
    ChainBuilder(const std::vector<Group>& groups, const Router& router, const Workspace& workspace, Findings& notes)
        : groups_(groups)
        , router_(router)
        , workspace_(workspace)
        , notes_(notes)
    {
    }

    Chain build(const QString& name, const Group& group)
    {
        Chain chain;
        chain.spec.name = name.toStdString();
        chain.spec.cache = router_.cache;
        const QStringList general = fallbacksOf(router_.fallbacks, group.name, router_.defaultFallbacks);
        const QStringList context = fallbacksOf(router_.contextFallbacks, group.name);
        const QStringList content = fallbacksOf(router_.contentFallbacks, group.name);
        append(chain.spec, group);
        if (!content.isEmpty())
            for (chain::TierSpec& tier : chain.spec.tiers)
                tier.movesOn.contentPolicy = true;
        if (general.isEmpty() && (!context.isEmpty() || !content.isEmpty()))
            moveOnOnlyFor(chain.spec, !context.isEmpty(), group);
        for (const QStringList& names : {general, context, content})
            for (const QString& other : names)
                appendFallback(chain.spec, other, group.name);
        checkWindows(chain.spec, group, context);
        bound(chain.spec);
        notes_.push_back({FindingLevel::Note, QStringLiteral("model_name \"%1\"").arg(group.name),
                          QStringLiteral("LiteLLM has no deadline for a whole request; this chain's is %1 s")
                              .arg(toMs(chain.spec.deadline) / 1000),
                          QStringLiteral("Set it to what the callers wait for")});
        return chain;
    }

private:
    static QStringList fallbacksOf(const FallbackMap& map, const QString& name, const QStringList& otherwise = {})
    {
        QStringList found;
        bool isNamed = false;
        for (const auto& [group, others] : map)
            if (group == name) {
                found += others;
                isNamed = true;
            }
        if (!isNamed)
            found = otherwise;
        found.removeAll(name);
        found.removeDuplicates();
        return found;
    }

    void append(chain::ChainSpec& spec, const Group& group)
    {
        const int members = static_cast<int>(group.members.size());
        const int attempts = router_.retries + 1;
        for (std::size_t i = 0; i < group.members.size(); ++i) {
            const Group::Member& member = group.members[i];
            chain::TierSpec tier = tierFor(member.endpoint);
            // Retries there go to any deployment of the name; here each has its part of them.
            const int more = static_cast<int>(i) < attempts % members ? 1 : 0;
            tier.maxAttempts = std::max(1, attempts / members + more);
            tier.backoff = router_.backoff;
            insertTier(spec, spec.tiers.size(), tier);
            if (i > 0 && group.members[i - 1].order == member.order)
                joinSplit(spec, spec.tiers.size() - 1);
        }
        const std::size_t first = spec.tiers.size() - group.members.size();
        for (std::size_t i = 0; i < group.members.size(); ++i)
            if (chain::TierSpec& tier = spec.tiers[first + i]; !tier.split.empty())
                tier.weight = group.members[i].weight;
    }

    void appendFallback(chain::ChainSpec& spec, const QString& name, const QString& of)
    {
        const Group* group = find(groups_, aliased(name));
        if (!group) {
            tell(of,
                 QStringLiteral("its fallback \"%1\" is not in model_list or was left out of it, so it is missing here")
                     .arg(name));
            return;
        }
        const bool isThere = std::ranges::any_of(
            spec.tiers, [&](const chain::TierSpec& tier) { return tier.endpoint == group->members.front().endpoint; });
        if (!isThere)
            append(spec, *group);
    }

    QString aliased(const QString& name) const
    {
        const auto alias = std::ranges::find(router_.aliases, name, &std::pair<QString, QString>::first);
        return alias == router_.aliases.end() ? name : alias->second;
    }

    /// There are fallbacks for long prompts or refused contents alone: nothing else may lead to them.
    void moveOnOnlyFor(chain::ChainSpec& spec, bool context, const Group& group)
    {
        if (spec.tiers.size() > 1)
            return tell(group.name,
                        QStringLiteral("its special fallbacks are also asked when all its deployments fail; "
                                       "there is no way to say otherwise for several of them"));
        chain::MovesOn& on = spec.tiers.front().movesOn;
        on.rateLimited = on.serverError = on.timeout = on.openBreaker = false;
        on.contextTooLong = context;
    }

    void checkWindows(const chain::ChainSpec& spec, const Group& group, const QStringList& context)
    {
        if (context.isEmpty())
            return;
        for (const chain::TierSpec& tier : spec.tiers)
            if (const Endpoint* endpoint = workspace_.endpoint(tier.endpoint);
                endpoint && !endpoint->spec.capabilities.contextWindow)
                tell(group.name, QStringLiteral("prompts that are too long go to a larger window only, and that of "
                                                "\"%1\" is not known")
                                     .arg(QString::fromStdString(tier.endpoint)));
    }

    void bound(chain::ChainSpec& spec) const
    {
        int attempts = 0;
        Nanos longest{0};
        for (const chain::TierSpec& tier : spec.tiers) {
            const Endpoint* endpoint = workspace_.endpoint(tier.endpoint);
            attempts += tier.maxAttempts;
            if (endpoint)
                longest += endpoint->timeouts.total * tier.maxAttempts;
        }
        spec.attemptBudget = std::clamp(attempts, 1, 1000);
        spec.deadline = std::clamp(longest, spec.deadline, kLongestDeadline);
    }

    void tell(const QString& group, const QString& problem)
    {
        notes_.push_back({FindingLevel::Warning, QStringLiteral("model_name \"%1\"").arg(group), problem,
                          QStringLiteral("Look at its chain")});
    }

    const std::vector<Group>& groups_;
    const Router& router_;
    const Workspace& workspace_;
    Findings& notes_;
};

void importFile(const QJsonObject& tree, const LiteLlmOptions& options, LiteLlmImport& result)
{
    YamlFields file(tree, QString(), result.notes);
    const Router router = readRouter(file, result.notes);
    std::vector<ReadDeployment> deployments;
    const QJsonArray list = file.list(QStringLiteral("model_list"));
    for (qsizetype i = 0; i < list.size(); ++i)
        if (auto read = readDeployment(list.at(i).toObject(), QStringLiteral("model_list[%1]").arg(i), router.defaults,
                                       options, result.notes))
            deployments.push_back(*std::move(read));

    const std::vector<Group> groups = groupsOf(std::move(deployments), result.workspace);
    ChainBuilder builder(groups, router, result.workspace, result.notes);
    std::vector<Chain> chains;
    for (const Group& group : groups)
        chains.push_back(builder.build(group.name, group));
    for (const auto& [alias, name] : router.aliases) {
        if (const Group* group = find(groups, name))
            chains.push_back(builder.build(alias, *group));
        else
            result.notes.push_back(
                {FindingLevel::Error, QStringLiteral("router_settings.model_group_alias"),
                 QStringLiteral("\"%1\" stands for \"%2\", which is not in model_list").arg(alias, name),
                 QStringLiteral("Add the chain by hand")});
    }
    for (Chain& chain : chains)
        addChain(result.workspace, std::move(chain));
}

} // namespace

tl::expected<LiteLlmImport, Finding> importLiteLlm(const QByteArray& yaml, const LiteLlmOptions& options)
{
    const auto tree = readYaml(yaml);
    if (!tree)
        return tl::unexpected(tree.error());
    if (!tree->isObject() || !tree->toObject().value(QStringLiteral("model_list")).isArray())
        return tl::unexpected(Finding{FindingLevel::Error, QStringLiteral("model_list"),
                                      QStringLiteral("this is no configuration of LiteLLM: it has no list of models"),
                                      QStringLiteral("Choose its config.yaml")});
    LiteLlmImport result;
    result.workspace = emptyWorkspace(options.name);
    importFile(tree->toObject(), options, result);
    // A key may have been pasted into a name; nothing of such a file is taken, and no note repeats it.
    Findings keys;
    checkForKeys(toJsonObject(result.workspace), keys);
    if (hasErrors(keys))
        return tl::unexpected(withoutSecrets(std::move(keys)).front());
    result.notes = withoutSecrets(std::move(result.notes));
    return result;
}

} // namespace sg::workspace
