// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// Limiters after the note of tests/data/vectors/limiters.json. All are thread-safe, take the time as an argument,
/// treat a time older than one seen before as that one, and compare amounts with a tolerance of 1e-9.
/// An optional wait that is empty means: never.
#include "core/policy/dual_limiter.h"
#include "core/policy/priority_queue.h"
#include "core/policy/retry_budget.h"
#include "core/policy/sliding_window.h"
#include "core/policy/token_bucket.h"
