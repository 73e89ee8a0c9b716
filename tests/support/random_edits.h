// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/random.h"
#include "core/workspace/model.h"

namespace sg::test {

/// One change that a person could make. What comes out can be written in a file, and may be unfinished.
void editAtRandom(workspace::Workspace& workspace, policy::SeededRandom& random);

} // namespace sg::test
