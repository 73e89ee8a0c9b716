// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/explain.h"

#include <QJsonArray>

/// The single facts of an explanation. Private to the room.
namespace sg::provider {

/// What content filters say in errors, answers and chunks; each category once, the strictest word on it.
std::vector<FilterVerdict> readFilters(const QJsonArray& objects);
/// "Limit 12000, Requested 14137", "can only afford 222", "210000 tokens > 200000 maximum".
NamedLimits readLimits(const QString& message);
/// What the chain does with endpoint and quota group after this error.
QuotaMeaning quotaMeaning(const ErrorFacts& error);
/// What the answer costs, and who says so.
Charge chargeFor(const Answer& answer, bool isCut, const ExplainOptions& options);
/// The provider's name of the request: from the headers, else from the body.
std::optional<QString> requestIdOf(const policy::HeaderList& headers, const QJsonObject& root);

} // namespace sg::provider
