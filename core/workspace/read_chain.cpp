// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/workspace_read.h"

namespace sg::workspace {

namespace {

constexpr double kDayMs = 86400000;
constexpr Bounds kPositiveSpan{0, kDayMs, false};

std::optional<chain::CacheSpec> readCache(ObjectReader& owner, QJsonObject& unknown)
{
    const QString part = QStringLiteral("cache");
    const auto object = owner.object(part);
    if (!object)
        return std::nullopt;
    ObjectReader reader(*object, owner.place(part), owner.findings(), owner.unknownLevel());
    chain::CacheSpec cache;
    if (const auto most = reader.integer(QStringLiteral("max_entries"), 1, 100000000))
        cache.maxEntries = std::size_t(*most);
    if (const auto most = reader.integer(QStringLiteral("max_bytes"), 1024, qint64(1) << 40))
        cache.maxBytes = std::size_t(*most);
    cache.ttl = reader.millis(QStringLiteral("ttl_ms"), {0, 365 * kDayMs, false}).value_or(cache.ttl);
    keepUnknown(unknown, part, reader.finish());
    return cache;
}

void readRules(ObjectReader& owner, chain::TierSpec& tier, QJsonObject& unknown)
{
    const QString part = QStringLiteral("rules");
    const auto list = owner.array(part);
    if (!list)
        return;
    QJsonObject kept;
    for (qsizetype i = 0; i < list->size(); ++i) {
        ObjectReader reader(list->at(i).toObject(), owner.place(part, i), owner.findings(), owner.unknownLevel());
        chain::CannedRule rule;
        rule.words = readWords(reader);
        rule.reply = reader.text(QStringLiteral("reply")).value_or(QString()).toStdString();
        if (rule.reply.empty())
            reader.missing(QStringLiteral("reply"), QStringLiteral("Write what is answered"));
        tier.rules.push_back(rule);
        keepUnknown(kept, QString::number(i), reader.finish());
    }
    keepUnknown(unknown, part, kept);
}

chain::TierSpec readTier(ObjectReader& reader, const Workspace& workspace, QJsonObject& unknown)
{
    chain::TierSpec tier;
    using Kind = chain::TierKind;
    tier.kind = reader
                    .choice<Kind>(QStringLiteral("kind"), {{QStringLiteral("endpoint"), Kind::Endpoint},
                                                           {QStringLiteral("canned_reply"), Kind::CannedReply}})
                    .value_or(Kind::Endpoint);
    tier.endpoint = reader.text(QStringLiteral("endpoint")).value_or(QString()).toStdString();
    const QString otherwise =
        tier.kind == Kind::Endpoint ? QString::fromStdString(tier.endpoint) : QStringLiteral("canned reply");
    tier.name = reader.text(QStringLiteral("name")).value_or(otherwise).toStdString();
    tier.enabled = reader.flag(QStringLiteral("enabled")).value_or(true);
    tier.maxAttempts = int(reader.integer(QStringLiteral("max_attempts"), 1, 100).value_or(1));
    tier.attemptTimeout = reader.millis(QStringLiteral("attempt_timeout_ms"), kPositiveSpan);
    tier.backoff = readBackoff(reader, workspace, tier.backoffPolicy, unknown).value_or(tier.backoff);
    tier.movesOn = readMovesOn(reader, unknown);
    tier.split = reader.text(QStringLiteral("split")).value_or(QString()).toStdString();
    tier.weight = reader.number(QStringLiteral("weight"), {0, 1e9}).value_or(tier.weight);
    if (tier.split.empty() && reader.has(QStringLiteral("weight")))
        reader.warning(QStringLiteral("weight"), QStringLiteral("without split this does nothing"),
                       QStringLiteral("Give this tier and its neighbour the same text in split, or remove it"));
    readRules(reader, tier, unknown);
    if (tier.kind == Kind::Endpoint && tier.endpoint.empty())
        reader.missing(QStringLiteral("endpoint"), QStringLiteral("Name the endpoint this tier calls"));
    if (tier.kind == Kind::CannedReply && tier.rules.empty())
        reader.missing(QStringLiteral("rules"),
                       QStringLiteral("Write at least one, as in [{\"reply\": \"Please try again later.\"}]"));
    return tier;
}

void readTiers(ObjectReader& owner, Chain& result, const Workspace& workspace, QJsonObject& unknown)
{
    const QString part = QStringLiteral("tiers");
    const QJsonArray list = owner.array(part).value_or(QJsonArray());
    if (list.isEmpty())
        owner.error(part, QStringLiteral("the chain has no tier, so it can answer nothing"),
                    QStringLiteral("Add one, as in {\"endpoint\": \"NAME\"}"));
    QJsonObject kept;
    for (qsizetype i = 0; i < list.size(); ++i) {
        const QString place = owner.place(part, i);
        if (!list.at(i).isObject()) {
            owner.findings().push_back(
                {FindingLevel::Error, place, QStringLiteral("a tier is an object"), QStringLiteral("Write it in { }")});
            continue;
        }
        ObjectReader reader(list.at(i).toObject(), place, owner.findings(), owner.unknownLevel());
        QJsonObject nested;
        result.spec.tiers.push_back(readTier(reader, workspace, nested));
        QJsonObject all = reader.finish();
        joinUnknown(all, nested);
        keepUnknown(kept, QString::fromStdString(result.spec.tiers.back().name), all);
    }
    keepUnknown(unknown, part, kept);
}

} // namespace

std::optional<Chain> readChain(const QJsonValue& value, const QString& place, Findings& findings,
                               const Workspace& workspace)
{
    if (!value.isObject()) {
        findings.push_back(
            {FindingLevel::Error, place, QStringLiteral("a chain is an object"), QStringLiteral("Write it in { }")});
        return std::nullopt;
    }
    ObjectReader reader(value.toObject(), place, findings, FindingLevel::Warning);
    Chain result;
    QJsonObject nested;
    chain::ChainSpec& spec = result.spec;
    spec.name = reader.text(QStringLiteral("name")).value_or(QString()).toStdString();
    if (spec.name.empty())
        reader.missing(QStringLiteral("name"), QStringLiteral("Give the chain a name"));
    spec.limiter = readLimiter(reader, workspace, spec.limiterPolicy, nested);
    spec.cache = readCache(reader, nested);
    readTiers(reader, result, workspace, nested);
    spec.router = readRouter(reader, spec.tiers, nested);
    spec.deadline = reader.millis(QStringLiteral("deadline_ms"), kPositiveSpan).value_or(spec.deadline);
    spec.attemptBudget = int(reader.integer(QStringLiteral("attempt_budget"), 1, 1000).value_or(spec.attemptBudget));
    spec.maxServerWait = reader.millis(QStringLiteral("max_server_wait_ms"), {0, kDayMs}).value_or(spec.maxServerWait);
    result.caller = readCaller(reader, nested);
    result.unknown = reader.finish();
    joinUnknown(result.unknown, nested);
    return result;
}

} // namespace sg::workspace
