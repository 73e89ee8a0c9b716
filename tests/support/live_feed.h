// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/engine.h"

#include <atomic>
#include <memory>

namespace sg::test {

/// Tells the engine's recorder of finished requests, as fast as a busy application would make them, in the engine's
/// thread and in real time; one in fifty fails first and is answered by the next endpoint, and now and then a breaker
/// is forced open and released. No request is sent.
class LiveFeed
{
public:
    LiveFeed(engine::Engine& engine, int endpoints, double requestsPerSecond);
    ~LiveFeed();
    std::int64_t fed() const { return fed_; }

private:
    struct Feeder;
    engine::Engine& engine_;
    std::atomic<std::int64_t> fed_{0};
    std::unique_ptr<Feeder> feeder_; ///< lives in the engine's thread
};

} // namespace sg::test
