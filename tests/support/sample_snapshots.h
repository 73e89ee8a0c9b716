// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/snapshot.h"

/// Pictures of a desk in typical and in extreme states, for tests, benchmarks and screenshots. Every number is made up.
namespace sg::test {

/// Local 14:32:08 on a fixed day, in any time zone.
std::int64_t sampleNowMs();

/// Five endpoints in four states, traffic with a failover eight minutes ago.
observe::Snapshot normalSnapshot();
/// A workspace without endpoints.
observe::Snapshot emptySnapshot();
/// Endpoints are there, no request has come.
observe::Snapshot quietSnapshot();
/// 38 requests: not enough for a p99.
observe::Snapshot earlySnapshot();
/// `endpoints` endpoints with long names, all states, huge numbers.
observe::Snapshot extremeSnapshot(int endpoints = 100);
/// normalSnapshot() with `endpoints` endpoints, a little later and different for each `tick`.
observe::Snapshot movingSnapshot(int endpoints, int tick);

} // namespace sg::test
