// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/call.h"
#include "core/measure/sample.h"

namespace sg::load {

/// What a finished call means for the figures; `chunks` as they were heard.
measure::Sample sampleOf(const engine::CallResult& result, Instant dispatched, std::vector<measure::Chunk> chunks);

/// Why it is no success. An answer that says nothing at all (no text, no reasoning, no tool call) is none either.
provider::ErrorFacts failureOf(const engine::CallResult& result);
bool isSuccess(const engine::CallResult& result);

} // namespace sg::load
