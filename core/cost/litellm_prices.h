// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/price_book.h"

/// LiteLLM's table of models, model_prices_and_context_window.json.
namespace sg::cost {

/// The price of one of its objects: USD per single token ("input_cost_per_token"), tiers above a number of input tokens
/// ("input_cost_per_token_above_200k_tokens"), cache prices ("cache_read_input_token_cost",
/// "cache_creation_input_token_cost", "…_above_1hr"). A price that is negative, no number or beyond a cent a token is
/// left unknown and named in `problems` (without a full stop).
Price priceOfLiteLlm(const QJsonObject& model, QStringList& problems);

/// All its models that are paid by the token. Those paid otherwise (an image, a second) are counted in one finding; a
/// model with a bad price is named and costs the others nothing. `source` (not empty) and `date` become those of every
/// entry.
PriceBook::Loaded pricesOfLiteLlm(const QByteArray& json, const QString& source, QDate date);

/// Why a table should not take the place of the one before: it lost half of its models or more, which is a broken
/// download rather than a market. Empty: it may.
QString refusalOfTable(const PriceBook& before, const PriceBook& after);

/// `book` with the entries of one source in the place of those it had from that source.
PriceBook withTable(const PriceBook& book, const PriceBook& table, const QString& source);

} // namespace sg::cost
