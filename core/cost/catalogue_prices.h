// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/price_book.h"

/// Price lists as providers serve them.
namespace sg::cost {

/// The prices of a model listing in OpenRouter's form: {"data": [{"id", "pricing": {"prompt", "completion",
/// "input_cache_read", "input_cache_write", "internal_reasoning", "audio"}}]}, strings (or numbers) in USD per token.
/// "0" for prompt and completion is free and noted as such; for the others it means that they have no price of their
/// own. -1 and what is no number is unknown; a model of which nothing is known is left out and named in `findings`, and
/// costs the others nothing. `source` (not empty) and `date` become those of every entry.
PriceBook::Loaded pricesOfCatalogue(const QByteArray& json, const QString& source, QDate date);

} // namespace sg::cost
