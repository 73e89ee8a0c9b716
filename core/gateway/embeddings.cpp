// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/embeddings.h"

#include "core/gateway/api_reply.h"
#include "core/gateway/health.h"

#include <QJsonArray>

#include <algorithm>

namespace sg::gateway {

namespace {

constexpr std::int64_t kCharactersPerToken = 4;
constexpr qsizetype kMostInputs = 2048; // OpenAI's own limit

tl::unexpected<Failure> wrong(const QString& message, const char* param)
{
    return tl::unexpected(badRequest(message, QLatin1String(param)));
}

bool isTokens(const QJsonValue& value)
{
    const QJsonArray list = value.toArray();
    return !list.isEmpty() &&
           std::all_of(list.begin(), list.end(), [](const QJsonValue& one) { return one.isDouble(); });
}

/// In quarters of tokens, which is what a character of text is taken for; nothing when it is no input.
std::optional<std::int64_t> lengthOf(const QJsonValue& input)
{
    if (input.isString() && !input.toString().isEmpty())
        return input.toString().size();
    if (isTokens(input))
        return input.toArray().size() * kCharactersPerToken;
    return std::nullopt;
}

std::optional<std::int64_t> lengthOfAll(const QJsonValue& input)
{
    if (const auto one = lengthOf(input))
        return one;
    std::int64_t all = 0;
    const QJsonArray list = input.toArray();
    for (const QJsonValue& each : list) {
        const auto one = lengthOf(each);
        if (!one)
            return std::nullopt;
        all += *one;
    }
    return list.isEmpty() ? std::nullopt : std::optional(all);
}

/// An address that cannot be used at all is told by the call itself, with its reason.
bool hasEmbeddings(const engine::ServingEndpoint& endpoint)
{
    return endpoint.route->embeddingsUrl || !endpoint.route->unusable.isEmpty();
}

/// The endpoints of a chain, in order.
std::vector<std::string> endpointsOf(const chain::ChainSpec& chain)
{
    std::vector<std::string> names;
    for (const chain::TierSpec& tier : chain.tiers)
        if (tier.enabled && tier.kind == chain::TierKind::Endpoint)
            names.push_back(tier.endpoint);
    return names;
}

/// Looks along candidates for the first that has embeddings; one that is out is kept until one with its model is not.
struct Search
{
    const engine::Switchboard& switchboard;
    Instant now;
    std::optional<std::string> found{};
    bool isSettled = false;
    QString refusal{}; ///< of the first that has none

    void consider(const std::string& name)
    {
        const engine::ServingEndpoint* endpoint = isSettled ? nullptr : switchboard.endpoint(name);
        if (!endpoint || (found && switchboard.endpoint(*found)->config.model != endpoint->config.model))
            return;
        if (!hasEmbeddings(*endpoint)) {
            if (refusal.isEmpty())
                refusal = endpoint->route->embeddingsUrl.error();
            return;
        }
        isSettled = !isOut(*endpoint, now);
        if (isSettled || !found)
            found = name;
    }
};

/// The chains and models that lead to embeddings.
QStringList namesWithEmbeddings(const engine::Switchboard& switchboard)
{
    const auto leadsThere = [&](const std::string& name) {
        const engine::ServingEndpoint* endpoint = switchboard.endpoint(name);
        return endpoint && hasEmbeddings(*endpoint);
    };
    QStringList names;
    for (const std::string& name : switchboard.chainNames())
        if (std::ranges::any_of(endpointsOf(*switchboard.chainSpec(name)), leadsThere))
            names << text(name);
    for (const std::string& name : switchboard.endpointNames())
        if (leadsThere(name))
            names << switchboard.endpoint(name)->config.model;
    names.removeDuplicates();
    return names;
}

} // namespace

tl::expected<EmbeddingsAsk, Failure> readEmbeddings(const QJsonObject& body)
{
    EmbeddingsAsk ask;
    ask.model = body.value(QLatin1String("model")).toString();
    if (ask.model.isEmpty())
        return wrong(QStringLiteral("\"model\" must be a text: the model, or the name of an endpoint or a chain."),
                     "model");
    const QJsonValue input = body.value(QLatin1String("input"));
    if (input.toArray().size() > kMostInputs && !isTokens(input))
        return wrong(QStringLiteral("\"input\" may have %1 entries at most.").arg(kMostInputs), "input");
    const auto all = lengthOfAll(input);
    if (!all)
        return wrong(QStringLiteral("\"input\" must be a text, a list of texts, or tokens, and none of them empty."),
                     "input");
    ask.tokens = (*all + kCharactersPerToken - 1) / kCharactersPerToken;
    ask.body = body;
    return ask;
}

tl::expected<std::string, Failure> embeddingsEndpoint(const QString& model, const engine::Switchboard& switchboard,
                                                      Instant now)
{
    Search search{switchboard, now};
    for (const std::string& name : switchboard.endpointNames())
        if (switchboard.endpoint(name)->config.model == model)
            search.consider(name);
    search.consider(model.toStdString());
    if (const chain::ChainSpec* chain = switchboard.chainSpec(model.toStdString()))
        for (const std::string& name : endpointsOf(*chain))
            search.consider(name);
    if (search.found)
        return *search.found;
    if (search.refusal.isEmpty())
        return tl::unexpected(noSuch(QStringLiteral("model"), model, namesWithEmbeddings(switchboard),
                                     QStringLiteral("chain or model with embeddings")));
    Failure failure = badRequest(search.refusal, QStringLiteral("model"));
    failure.code = QStringLiteral("embeddings_not_supported");
    return tl::unexpected(failure);
}

} // namespace sg::gateway
