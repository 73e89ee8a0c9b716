// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/chat_request.h"

#include "core/provider/openai_request_reader.h"
#include "core/workspace/json_reader.h"

#include <QJsonDocument>

namespace sg::gateway {

namespace {

constexpr qsizetype kMostNamed = 20;

tl::unexpected<Failure> wrong(QString message, const char* field)
{
    return tl::unexpected(badRequest(std::move(message), QLatin1String(field)));
}

Failure notJson(const QByteArray& body, const QJsonParseError& error)
{
    if (body.trimmed().isEmpty())
        return badRequest(QStringLiteral("The body is empty. It needs at least \"model\" and \"messages\"."));
    return badRequest(
        QStringLiteral("The body is not JSON: %1 at byte %2.").arg(error.errorString()).arg(error.offset));
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

QStringList namesThereAre(const engine::Switchboard& switchboard)
{
    QStringList chains, models;
    for (const std::string& name : switchboard.chainNames()) {
        chains << QString::fromStdString(name);
        for (const chain::TierSpec& each : switchboard.chainSpec(name)->tiers)
            if (const chain::TierSpec* tier = servingTier(each))
                if (const engine::ServingEndpoint* serving = switchboard.endpoint(tier->endpoint))
                    models << serving->config.model;
    }
    chains += models;
    chains.removeDuplicates();
    chains.removeAll(QString());
    return chains;
}

Failure modelNotFound(const QString& model, const engine::Switchboard& switchboard)
{
    QStringList names = namesThereAre(switchboard);
    if (const auto nearest = workspace::nearestName(model, names))
        names.move(names.indexOf(*nearest), 0);
    const qsizetype more = names.size() - kMostNamed;
    QString there = QStringLiteral("\"") +
                    names.first(std::min(kMostNamed, names.size())).join(QLatin1String("\", \"")) + QLatin1Char('"');
    if (more > 0)
        there += QStringLiteral(" and %1 more").arg(more);
    Failure failure;
    failure.status = 404;
    failure.type = QStringLiteral("invalid_request_error");
    failure.code = QStringLiteral("model_not_found");
    failure.param = QStringLiteral("model");
    failure.message =
        names.isEmpty()
            ? QStringLiteral("There is no chain to ask yet.")
            : QStringLiteral("No chain or model is called \"%1\". There is: %2.").arg(model.left(200), there);
    return failure;
}

} // namespace

tl::expected<ChatAsk, Failure> readChat(const QByteArray& body)
{
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(body, &error);
    if (error.error != QJsonParseError::NoError)
        return tl::unexpected(notJson(body, error));
    if (!document.isObject())
        return tl::unexpected(
            badRequest(QStringLiteral("The body must be an object with \"model\" and \"messages\".")));
    const QJsonObject json = document.object();

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
