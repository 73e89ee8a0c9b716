// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/tally.h"

#include <QJsonArray>

namespace sg::load {

/// An example and the way on for every class of failure that was met; the report's `errors`.
QJsonArray errorsOf(const Tally& tally);

} // namespace sg::load
