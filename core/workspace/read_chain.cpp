// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/workspace_read.h"

namespace sg::workspace {

namespace {

constexpr double kDayMs = 86400000;
constexpr Bounds kPositiveSpan{0, kDayMs, false};

std::optional<chain::LimiterSpec> readLimiter(ObjectReader& owner, QJsonObject& unknown)
{
    const QString part = QStringLiteral("limiter");
    const auto object = owner.object(part);
    if (!object)
        return std::nullopt;
    ObjectReader reader(*object, owner.place(part), owner.findings(), owner.unknownLevel());
    chain::LimiterSpec limiter;
    limiter.ratePerSecond = reader.number(QStringLiteral("rate_per_second"), {0, 1e9}).value_or(0);
    limiter.burst = reader.number(QStringLiteral("burst"), {0, 1e9}).value_or(limiter.ratePerSecond);
    limiter.maxWait = reader.millis(QStringLiteral("max_wait_ms"), {0, kDayMs}).value_or(limiter.maxWait);
    if (const auto most = reader.integer(QStringLiteral("window_limit"), 1, 1000000000))
        limiter.windowLimit = *most;
    limiter.window = reader.millis(QStringLiteral("window_ms"), kPositiveSpan).value_or(limiter.window);
    if (limiter.ratePerSecond > 0 && limiter.burst < 1)
        reader.error(QStringLiteral("burst"),
                     QStringLiteral("a bucket that holds less than 1 never lets a request through"),
                     QStringLiteral("Make it 1 or more"));
    if (limiter.ratePerSecond <= 0 && reader.has(QStringLiteral("burst")) && limiter.burst > 0)
        reader.error(QStringLiteral("rate_per_second"), QStringLiteral("the bucket has a burst but is never refilled"),
                     QStringLiteral("Give a rate above 0 or remove burst"));
    if (limiter.ratePerSecond <= 0 && !limiter.windowLimit)
        reader.warning(QString(), QStringLiteral("this limiter limits nothing"),
                       QStringLiteral("Set rate_per_second or window_limit, or remove it"));
    keepUnknown(unknown, part, reader.finish());
    return limiter;
}

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
        const QJsonArray words = reader.array(QStringLiteral("words")).value_or(QJsonArray());
        for (const QJsonValue& word : words) {
            if (word.toString().trimmed().isEmpty())
                reader.error(QStringLiteral("words"), QStringLiteral("a word is a text that is not empty"),
                             QStringLiteral("Put each word in quotes, as in [\"error\", \"bug\"]"));
            rule.words.push_back(word.toString().toStdString());
        }
        rule.reply = reader.text(QStringLiteral("reply")).value_or(QString()).toStdString();
        if (rule.reply.empty())
            reader.missing(QStringLiteral("reply"), QStringLiteral("Write what is answered"));
        tier.rules.push_back(rule);
        keepUnknown(kept, QString::number(i), reader.finish());
    }
    keepUnknown(unknown, part, kept);
}

chain::TierSpec readTier(ObjectReader& reader, QJsonObject& unknown)
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
    tier.backoff = readBackoff(reader, unknown);
    readRules(reader, tier, unknown);
    if (tier.kind == Kind::Endpoint && tier.endpoint.empty())
        reader.missing(QStringLiteral("endpoint"), QStringLiteral("Name the endpoint this tier calls"));
    if (tier.kind == Kind::CannedReply && tier.rules.empty())
        reader.missing(QStringLiteral("rules"),
                       QStringLiteral("Write at least one, as in [{\"reply\": \"Please try again later.\"}]"));
    return tier;
}

void readTiers(ObjectReader& owner, Chain& result, QJsonObject& unknown)
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
        result.spec.tiers.push_back(readTier(reader, nested));
        QJsonObject all = reader.finish();
        for (auto field = nested.constBegin(); field != nested.constEnd(); ++field)
            all.insert(field.key(), field.value());
        keepUnknown(kept, QString::fromStdString(result.spec.tiers.back().name), all);
    }
    keepUnknown(unknown, part, kept);
}

} // namespace

std::optional<Chain> readChain(const QJsonValue& value, const QString& place, Findings& findings)
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
    spec.limiter = readLimiter(reader, nested);
    spec.cache = readCache(reader, nested);
    readTiers(reader, result, nested);
    spec.deadline = reader.millis(QStringLiteral("deadline_ms"), kPositiveSpan).value_or(spec.deadline);
    spec.attemptBudget = int(reader.integer(QStringLiteral("attempt_budget"), 1, 1000).value_or(spec.attemptBudget));
    spec.maxServerWait = reader.millis(QStringLiteral("max_server_wait_ms"), {0, kDayMs}).value_or(spec.maxServerWait);
    if (reader.flag(QStringLiteral("content_policy_fallback")).value_or(false))
        for (chain::TierSpec& tier : spec.tiers)
            tier.movesOn.contentPolicy = true;
    result.unknown = reader.finish();
    for (auto part = nested.constBegin(); part != nested.constEnd(); ++part)
        result.unknown.insert(part.key(), part.value());
    return result;
}

} // namespace sg::workspace
