// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/lint.h"

namespace sg::app {

/// What is known of keys without asking anybody: environment variables are looked at, keychains are not.
std::map<std::string, workspace::KeyFact> environmentKeyFacts(const workspace::Workspace& workspace);
/// The same of the gateway's token; nothing when it is in no variable.
std::optional<workspace::KeyFact> environmentTokenFact(const workspace::Workspace& workspace);

} // namespace sg::app
