// SPDX-License-Identifier: GPL-3.0-or-later
// What most tests of core and app include one way or another: reading it anew took them a quarter of their time.
#pragma once
#include "cmake/core_pch.h"
#include "core/engine/engine_core.h"
#include "core/simulator/simulator.h"
#include "core/workspace/workspace_file.h"
#include "tests/support/json.h"
#include "tests/support/literals.h"
