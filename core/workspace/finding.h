// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <vector>

namespace sg::workspace {

enum class FindingLevel { Error, Warning };

/// One thing wrong with a file: where (JSON path as "chains[0].tiers[2].backoff.cap_ms"; line and column for broken
/// JSON), what, and what mends it. The two sentences end without a full stop; a remedy may be a question.
struct Finding
{
    FindingLevel level = FindingLevel::Error;
    QString place;
    QString problem;
    QString remedy;
    QString toText(const QString& file) const; ///< "FILE: PLACE: PROBLEM. REMEDY."
    bool operator==(const Finding&) const = default;
};
using Findings = std::vector<Finding>;

bool hasErrors(const Findings& findings);

} // namespace sg::workspace
