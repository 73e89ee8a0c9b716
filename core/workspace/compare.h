// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/model.h"

namespace sg::workspace {

/// One difference between two workspaces, in words and units.
struct Difference
{
    enum class Kind { Added, Removed, Changed, Moved };
    Kind kind = Kind::Changed;
    QString place;      ///< "Chain support, tier 2 gpt-4.1"; "Endpoint gpt-4.1"; "Workspace"
    QString what;       ///< "whole reply within"; empty: the place itself
    QString from, to{}; ///< "30 s", "45 s"; empty: there was, or is, nothing
    bool operator==(const Difference&) const = default;
};

/// What is other in `now`: of the workspace, then endpoint by endpoint, then chain by chain, by name. Empty when they
/// are equal, never empty when they are not. A thing with another name is one that went and one that came. Pure.
std::vector<Difference> compare(const Workspace& before, const Workspace& now);

/// "Chain support, tier 2 gpt-4.1: whole reply within 30 s → 45 s".
QString inWords(const Difference& difference);

} // namespace sg::workspace
