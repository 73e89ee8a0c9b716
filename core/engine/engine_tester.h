// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/connection_test.h"
#include "core/engine/engine.h"
#include "core/http/mailbox.h"

#include <map>

namespace sg::engine {

/// The test over the engine's own transport, so that it takes the way that requests take. The engine may end first:
/// what was not answered then is NotTested. Ends by itself after ten seconds.
class EngineTester final : public ConnectionTester
{
public:
    /// Keys are looked up in the tester's own thread, when a test begins.
    EngineTester(const Engine& engine, KeyLookup keys);
    ~EngineTester() override;
    void test(const workspace::WorkspacePtr& workspace, const std::string& endpoint,
              std::function<void(const ConnectionResult&)> done) override;

private:
    class Run;
    struct Pending
    {
        std::function<void(const ConnectionResult&)> done;
        std::weak_ptr<Run> run{};
    };
    void tell(std::uint64_t id, const ConnectionResult& result);

    Engine::Poster post_;
    KeyLookup keys_;
    std::map<std::uint64_t, Pending> pending_;
    std::uint64_t nextId_ = 1;
    http::Mailbox here_;
    std::shared_ptr<http::MailSlot> home_; ///< into here_
};

} // namespace sg::engine
