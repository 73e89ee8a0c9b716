// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonObject>
#include <QString>

#include <utility>
#include <vector>

/// How a run came about, from its report (switchgear-load/2), for documents for people. Pure.
namespace sg::load {

/// "after 7.5 s: too many requests failed"; empty when it ended as it was planned to.
QString earlyEndWords(const QJsonObject& report);

using NamedWords = std::vector<std::pair<QString, QString>>;
/// Seed, wall time, rates, transport and what the generator itself was late, as far as the report says them.
NamedWords runFacts(const QJsonObject& report);
/// Each endpoint with what its breaker did: "8.9 s open (failure share), 38.9 s half-open (open time over)".
NamedWords breakerFacts(const QJsonObject& report);

} // namespace sg::load
