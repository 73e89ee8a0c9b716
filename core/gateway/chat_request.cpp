// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/chat_request.h"

#include "core/chain/cache.h"
#include "core/gateway/api_reply.h"
#include "core/gateway/long_bodies.h"
#include "core/gateway/model_names.h"
#include "core/provider/openai_request_reader.h"

namespace sg::gateway {

namespace {

tl::unexpected<Failure> wrong(QString message, const char* field)
{
    return tl::unexpected(badRequest(std::move(message), QLatin1String(field)));
}

const chain::TierSpec* servingTier(const chain::TierSpec& tier)
{
    return tier.enabled && tier.kind == chain::TierKind::Endpoint ? &tier : nullptr;
}

/// A tier of a chain that fits, best one that is its chain's first.
template <typename Fits>
std::optional<Destination> byTier(const engine::Switchboard& switchboard, Fits fits)
{
    std::optional<Destination> found;
    for (const std::string& name : switchboard.chainNames()) {
        bool isFirst = true;
        for (const chain::TierSpec& each : switchboard.chainSpec(name)->tiers) {
            const chain::TierSpec* tier = servingTier(each);
            if (!tier)
                continue;
            if (fits(*tier)) {
                const Destination here{{engine::TargetKind::Chain, name}, tier->name};
                if (isFirst)
                    return here;
                if (!found)
                    found = here;
            }
            isFirst = false;
        }
    }
    return found;
}

Failure modelNotFound(const QString& model, const engine::Switchboard& switchboard)
{
    QStringList names;
    for (const ModelName& name : modelNames(switchboard))
        names << name.id;
    Failure failure = noSuch(QStringLiteral("model"), model, names, QStringLiteral("chain or model"));
    if (names.isEmpty())
        failure.message = QStringLiteral("There is no chain to ask yet.");
    return failure;
}

} // namespace

tl::expected<ChatAsk, Failure> readChat(const QByteArray& body)
{
    const auto object = objectIn(body);
    if (!object)
        return tl::unexpected(object.error());
    const QJsonObject& json = *object;

    ChatAsk ask;
    const QJsonValue model = json.value(QLatin1String("model"));
    ask.model = model.toString();
    if (ask.model.isEmpty())
        return wrong(model.isUndefined() ? QStringLiteral("\"model\" is missing: the name of a chain or of a model.")
                                         : QStringLiteral("\"model\" must be a text: the name of a chain or a model."),
                     "model");
    const QJsonValue answers = json.value(QLatin1String("n"));
    if (!answers.isUndefined() && !answers.isNull() && answers != QJsonValue(1))
        return wrong(QStringLiteral("\"n\" must be 1: a chain answers once."), "n");
    const QJsonValue options = json.value(QLatin1String("stream_options"));
    if (!options.isUndefined() && !options.isNull() && !options.isObject())
        return wrong(QStringLiteral("\"stream_options\" must be an object."), "stream_options");
    const QJsonValue includes = options[QLatin1String("include_usage")];
    if (!includes.isUndefined() && !includes.isNull() && !includes.isBool())
        return wrong(QStringLiteral("\"stream_options.include_usage\" must be true or false."),
                     "stream_options.include_usage");
    ask.includeUsage = includes.toBool();

    auto request = provider::openai::readRequest(json);
    if (!request)
        return tl::unexpected(badRequest(provider::openai::sentence(request.error()), request.error().field));
    ask.request = std::move(*request);
    return ask;
}

tl::expected<ChatAsk, Failure> readLongChat(const QByteArray& body)
{
    auto ask = readChat(body);
    if (ask && body.size() > LongBodies::kShort)
        ask->facts = std::make_shared<chain::RequestFacts>(chain::RequestFacts{provider::needsOf(ask->request)});
    return ask;
}

tl::expected<ChatAsk, Failure> readLongChatForCache(const QByteArray& body)
{
    auto ask = readChat(body);
    if (ask && body.size() > LongBodies::kShort)
        ask->facts = std::make_shared<chain::RequestFacts>(
            chain::RequestFacts{provider::needsOf(ask->request), chain::contentDigest(ask->request)});
    return ask;
}

tl::expected<Destination, Failure> destinationOf(const QString& model, const engine::Switchboard& switchboard)
{
    const std::string name = model.toStdString();
    if (switchboard.chainSpec(name))
        return Destination{{engine::TargetKind::Chain, name}};
    const auto servesModel = [&](const chain::TierSpec& tier) {
        const engine::ServingEndpoint* serving = switchboard.endpoint(tier.endpoint);
        return serving && serving->config.model == model;
    };
    if (const auto found = byTier(switchboard, servesModel))
        return *found;
    if (const auto found = byTier(switchboard, [&](const chain::TierSpec& tier) { return tier.endpoint == name; }))
        return *found;
    return tl::unexpected(modelNotFound(model, switchboard));
}

} // namespace sg::gateway
