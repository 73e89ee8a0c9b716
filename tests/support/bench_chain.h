// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/engine_core.h"
#include "tests/support/bench_loop.h"

namespace sg::test {

struct BenchChainOptions
{
    std::vector<QUrl> endpoints; ///< tiers in this order
    bool cache = false;
};
/// One chain, "bench", with everything a real one has: limiter, tiers of endpoints with breaker, limits, retries and a
/// price. The limits are out of reach.
workspace::Workspace benchWorkspace(const BenchChainOptions& options);
void applyBench(engine::EngineCore& core, const BenchChainOptions& options);

provider::ChatRequest benchRequest(bool stream, std::int64_t number = 0);

/// Sends requests through the whole chain; no cache. An answer without text or price ends the program.
class ChainLoop final : public BenchLoop
{
public:
    ChainLoop(const QUrl& url, bool stream);
    void startOne() override;
    engine::EngineCore& core() { return core_; }

private:
    provider::ChatRequest request_;
    engine::EngineCore core_;
    qint64 characters_ = 0;
};

} // namespace sg::test
