// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/small_chat.h"

#include "core/gateway/api_reply.h"
#include "core/gateway/chat_request.h"

#include <QJsonDocument>

namespace sg::gateway {

namespace {

/// The breaker of whoever answered or was asked last; where nobody was asked, of the chain's first endpoint.
QJsonValue circuitStatus(const chain::RunRecord& record, const engine::Switchboard& switchboard, Instant now)
{
    std::string name = record.endpoint;
    if (const auto* attempt = chain::lastAttempt(record); attempt && name.empty())
        name = attempt->endpoint;
    const chain::ChainSpec* chain = switchboard.chainSpec(record.chain);
    if (name.empty() && chain)
        for (const chain::TierSpec& tier : chain->tiers)
            if (name.empty() && tier.enabled)
                name = tier.endpoint;
    const engine::ServingEndpoint* endpoint = switchboard.endpoint(name);
    return endpoint ? QJsonValue(text(policy::toString(endpoint->state->breaker().state(now)))) : QJsonValue();
}

} // namespace

tl::expected<SmallChatAsk, Failure> readSmallChat(const QByteArray& json)
{
    const auto body = objectIn(json);
    if (!body)
        return tl::unexpected(body.error());
    const QJsonValue message = body->value(QLatin1String("message")), model = body->value(QLatin1String("model"));
    if (message.toString().trimmed().isEmpty())
        return tl::unexpected(badRequest(QStringLiteral("\"message\" must be a text."), QStringLiteral("message")));
    if (!model.isUndefined() && !model.isNull() && !model.isString())
        return tl::unexpected(badRequest(QStringLiteral("\"model\" must be a text."), QStringLiteral("model")));
    return SmallChatAsk{message.toString(), model.toString()};
}

tl::expected<engine::Call, Failure> smallChatCall(const SmallChatAsk& ask, const engine::Switchboard& switchboard)
{
    QString name = ask.model;
    const std::vector<std::string>& chains = switchboard.chainNames();
    if (name.isEmpty() && !chains.empty())
        name = text(chains.front());
    auto destination = destinationOf(name, switchboard);
    if (!destination)
        return tl::unexpected(destination.error());
    engine::Call call;
    call.target = std::move(destination->target);
    call.request.messages.push_back({"user", ask.message});
    call.request.preferredTier = std::move(destination->preferredTier);
    return call;
}

QJsonObject smallChatAnswer(const engine::CallResult& result, const engine::Switchboard& switchboard, Instant now)
{
    return {{QStringLiteral("response"), result.answer->text},
            {QStringLiteral("model"),
             text(result.record.source == chain::Source::CannedReply ? result.record.chain : result.answer->model)},
            {QStringLiteral("circuit_status"), circuitStatus(result.record, switchboard, now)}};
}

QJsonObject smallChatFailure(const Failure& failure, const chain::RunRecord& record,
                             const engine::Switchboard& switchboard, Instant now)
{
    QJsonObject body = QJsonDocument::fromJson(errorBody(failure)).object();
    body.insert(QStringLiteral("reason"), failure.message);
    body.insert(QStringLiteral("retry_after"),
                failure.retryAfter
                    ? QJsonValue(qint64(std::chrono::ceil<std::chrono::seconds>(*failure.retryAfter).count()))
                    : QJsonValue());
    body.insert(QStringLiteral("circuit_status"), circuitStatus(record, switchboard, now));
    return body;
}

} // namespace sg::gateway
