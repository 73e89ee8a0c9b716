// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/money.h"

#include <QJsonValue>
#include <QString>

#include <tl/expected.hpp>

namespace sg::cost {

/// A rate that a catalogue gives in USD per single token, as a number or as a text, in nano-dollars per 1,000,000
/// tokens. The error stands after the price's name and has no full stop: "is no number".
tl::expected<NanoDollars, QString> ratePerToken(const QJsonValue& value);

} // namespace sg::cost
