// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/series_bench.h"

namespace sg::app {

class Session;

/// Benches for series of load runs: each an engine of its own with the session's prices and keys as they are at this
/// moment, and a simulator of its own with the session's script and the plan's seed where the session has one. They may
/// outlive the session.
load::MakeBench benchesOf(Session& session, const engine::EngineOptions& options);

} // namespace sg::app
