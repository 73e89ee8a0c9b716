// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/per_token.h"

#include <cmath>

namespace sg::cost {

namespace {
// Ten times the dearest list price so far. What is above was given per million tokens by mistake.
constexpr double kMostUsdPerToken = 0.01;
} // namespace

tl::expected<NanoDollars, QString> ratePerToken(const QJsonValue& value)
{
    bool ok = value.isDouble();
    const double usd = value.isString() ? value.toString().toDouble(&ok) : value.toDouble();
    if (!ok || !std::isfinite(usd))
        return tl::unexpected(QStringLiteral("is no number"));
    if (usd < 0) // OpenRouter's -1
        return tl::unexpected(QStringLiteral("is negative, which says that it varies"));
    if (usd > kMostUsdPerToken)
        return tl::unexpected(QStringLiteral("is too large to be per token"));
    const NanoDollars rate = NanoDollars::fromUsd(usd * 1e6).value_or(NanoDollars());
    if (usd > 0 && rate.count() == 0) // and free is something else
        return tl::unexpected(QStringLiteral("is too small to be a price"));
    return rate;
}

} // namespace sg::cost
