// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace sg::workspace {

struct Workspace;

enum class FindingLevel { Error, Warning, Note };

/// A change that mends what was found and can do no harm of its own.
struct Fix
{
    QString label; ///< on the button: "Raise deadline to 90 s"
    std::function<void(Workspace&)> change;
    bool operator==(const Fix& other) const { return label == other.label; }
};

/// What a finding is about, by name, so that an editor can show it. Empty: the whole.
struct Subject
{
    std::string endpoint, chain;
    int tier = -1; ///< index in the chain; -1: none
    bool operator==(const Subject&) const = default;
};

/// One thing wrong with a file: where (JSON path as "chains[0].tiers[2].backoff.cap_ms"; line and column for broken
/// JSON), what, and what mends it. The two sentences end without a full stop; a remedy may be a question.
struct Finding
{
    FindingLevel level = FindingLevel::Error;
    QString place;
    QString problem;
    QString remedy;
    QString why{}; ///< what it does to requests, in one sentence without a full stop; may be empty
    std::optional<Fix> fix{};
    Subject subject{};
    QString rule{};                            ///< which check said so: "window_too_small"; empty: reading the file
    QString toText(const QString& file) const; ///< "FILE: PLACE: PROBLEM. WHY. REMEDY."
    bool operator==(const Finding&) const = default;
};
using Findings = std::vector<Finding>;

bool hasErrors(const Findings& findings);

} // namespace sg::workspace
