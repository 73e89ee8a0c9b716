// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/report_errors.h"

#include "core/policy/text.h"

#include <QJsonObject>

namespace sg::load {

namespace {

QString remedyOf(provider::ErrorClass error)
{
    using E = provider::ErrorClass;
    switch (error) {
    case E::RateLimited:
        return QStringLiteral("Lower the concurrency, set the endpoint's limits, or raise them at the provider");
    case E::QuotaExhausted:
        return QStringLiteral("Top up the account at the provider");
    case E::Authentication:
    case E::Permission:
        return QStringLiteral("Check the key that the endpoint's \"key\" names, and what it may do at the provider");
    case E::NotFound:
        return QStringLiteral("Check the endpoint's base_url and model");
    case E::Timeout:
        return QStringLiteral("Raise the endpoint's timeouts or lower the concurrency");
    case E::Connection:
        return QStringLiteral("Check the endpoint's base_url, that its server runs, and that the network reaches it");
    case E::Tls:
        return QStringLiteral("Check the host name in base_url, this machine's clock and certificates, and that Qt has "
                              "its TLS plugin");
    case E::BadResponse:
        return QStringLiteral("Check that base_url leads to an OpenAI-compatible server");
    case E::BadRequest:
    case E::ContextTooLong:
    case E::PayloadTooLarge:
    case E::ContentFiltered:
        return QStringLiteral("Change the prompts, or the model");
    case E::StreamBroken:
        return QStringLiteral("See how the chain dealt with it; where an own limit ended it (idle_ms, total_ms, "
                              "abort_slow_streams), widen that in the endpoint's timeouts");
    case E::LocalReject:
        return QStringLiteral("See the breakers and limits of the chain");
    default:
        return QStringLiteral("Nothing to mend here; see how the chain dealt with it");
    }
}

} // namespace

QJsonArray errorsOf(const Tally& tally)
{
    QJsonArray errors;
    for (int i = 1; i < provider::kErrorClassCount; ++i) {
        const auto error = static_cast<provider::ErrorClass>(i);
        const auto& example = tally.exampleOf(error);
        if (!example)
            continue;
        errors.append(QJsonObject{
            {QStringLiteral("class"), text(provider::toString(error))},
            {QStringLiteral("words"), text(provider::inWords(error))},
            {QStringLiteral("endpoint"), example->endpoint.empty() ? QJsonValue() : text(example->endpoint)},
            {QStringLiteral("status"), example->status ? QJsonValue(example->status) : QJsonValue()},
            {QStringLiteral("example"), text(example->message)},
            {QStringLiteral("remedy"), remedyOf(error)},
        });
    }
    return errors;
}

} // namespace sg::load
