// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/watcher.h"
#include "tests/support/chat_server.h"

#include <QTest>

namespace sg::test {

/// A chat server in the test's thread, an engine with its own, and a watcher over it. The endpoints "first" and
/// "second" are the tiers of "chain"; all have the key kKey.
class WatchDesk
{
public:
    static constexpr const char* kKey = "watch-odd-key-0001"; ///< of no vendor's form
    using Change = std::function<void(workspace::Workspace&)>;
    explicit WatchDesk(const Change& change = [](workspace::Workspace&) {});

    std::uint64_t send(bool stream = false, engine::CallTarget target = {engine::TargetKind::Chain, "chain"});
    /// Waits for a picture that the test likes; null when none comes in time.
    engine::WatchViewPtr viewOf(std::uint64_t id, const std::function<bool(const engine::WatchView&)>& wanted) const;
    engine::WatchViewPtr end(std::uint64_t id) const;
    engine::WatchViewPtr run(bool stream = false, engine::CallTarget target = {engine::TargetKind::Chain, "chain"});

    ChatServer server;
    engine::Engine engine;
    engine::Watcher watcher;
    provider::ChatRequest request; ///< what send() sends
};

/// The steps of one kind.
template <typename Step>
std::vector<Step> stepsOf(const chain::RunRecord& record)
{
    std::vector<Step> steps;
    for (const chain::Step& step : record.steps)
        if (const auto* one = std::get_if<Step>(&step))
            steps.push_back(*one);
    return steps;
}

std::string valueOf(const policy::HeaderList& headers, const std::string& name);

} // namespace sg::test
