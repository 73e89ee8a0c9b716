// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/price_book.h"

#include <QStringList>

namespace sg::app {

struct KnownPrices
{
    cost::PriceBook book;
    QStringList warnings; ///< lines for people
};

/// Those the product ships, and those the operator imported. What is wrong with an entry costs nobody the others.
KnownPrices knownPrices();
/// Where prices that were imported are kept.
QString ownPriceBook();

} // namespace sg::app
