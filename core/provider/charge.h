// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/chat.h"

#include <string_view>

/// What an attempt cost, and how that is known.
namespace sg::provider {

enum class CostBasis {
    Unknown,
    PriceBook,          ///< counted tokens times price
    ReportedByProvider, ///< the provider said what it bills: outranks every price
    Estimated,          ///< estimated tokens times price
};
std::string_view toString(CostBasis basis); // "unknown", "price_book", "provider", "estimated"

struct UsageCharge
{
    std::optional<cost::NanoDollars> total; ///< >= 0; empty: unknown
    CostBasis basis = CostBasis::Unknown;
    bool inconsistent = false; ///< the usage contradicts itself
    bool hasPrice = false;     ///< there is a price for the model, if not for every kind of token
    std::optional<cost::Invoice>
        invoice{}; ///< tokens and rates, where both are known; of a reported cost for comparison
    bool operator==(const UsageCharge&) const = default;
};
UsageCharge chargeOf(const Usage& usage, const std::optional<cost::Price>& price);

/// One line for people: "612 in × $2.00/M + 148 out × $8.00/M", "reported by the provider", "estimated: …", "free: …";
/// of an unknown one why: "no usage", "no price for this model", "no price for reasoning tokens".
QString inWords(const UsageCharge& charge, const QLocale& locale = QLocale::c());

} // namespace sg::provider
