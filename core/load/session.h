// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/price_book.h"
#include "core/engine/engine.h"
#include "core/load/control.h"
#include "core/workspace/model.h"

#include <mutex>

namespace sg::load {

class LoadRun;

/// Load runs as another thread handles them: the run lives in the engine thread, pictures of it come out 10 times a
/// second. `engine` must outlive it.
class LoadSession final : public LoadControl
{
public:
    LoadSession(engine::Engine& engine, const workspace::Workspace& workspace, const cost::PriceBook& prices);
    ~LoadSession() override;

    /// Another workspace serves: runs that are begun from now on may have its targets. One thread with the rest.
    void setWorkspace(const workspace::Workspace& workspace);

    /// How keys of URLs are found; without it they have none. It is asked in this thread, and `expect` before it, so
    /// that a keychain can be read.
    void setKeys(engine::KeyLookup keys, std::function<void(const workspace::KeyRef&)> expect = {});
    void setGateway(std::optional<OwnGateway> gateway) { gateway_ = std::move(gateway); }

    /// Runs that are begun from now on write their requests into this folder, as history::RunFiles has them, and have
    /// an id to be kept under. Empty: neither.
    void keepRequestsIn(const QString& folder) { requestFolder_ = folder; }

    std::vector<std::string> chains() const override;
    std::vector<std::string> endpoints() const override;
    std::optional<OwnGateway> gateway() const override { return gateway_; }
    QString keyProblem(const workspace::KeyRef& key) const override;
    void test(const UrlTarget& url, std::function<void(const engine::ConnectionResult&)> done) override;
    QString start(const LoadPlan& plan) override;
    void stop() override;
    void setRate(double perSecond) override;
    void setUsers(int users) override;
    RunProgressPtr progress() const override;
    CostEstimate estimate(const LoadPlan& plan) const override;

private:
    struct Keeping;
    struct Shared; ///< what both threads touch
    static std::shared_ptr<Keeping> beginKeeping(LoadRun& run, const QString& folder);
    QString refusalOf(const LoadPlan& plan) const;
    const workspace::Chain* ownChain(const UrlTarget& url) const;
    engine::Engine& engine_;
    std::vector<std::string> chains_, endpoints_;
    workspace::Workspace workspace_;
    QString requestFolder_;
    engine::KeyLookup keys_;
    std::function<void(const workspace::KeyRef&)> expectKey_;
    std::unique_ptr<engine::ConnectionTester> tester_;
    std::optional<OwnGateway> gateway_;
    cost::PriceBook prices_;
    std::shared_ptr<Shared> shared_;
};

/// What a plan may cost on this workspace: likely = every request that no cache can answer is answered by the first
/// enabled tier with half of its token limit; worst = the dearest tier, the whole limit, every attempt billed.
CostEstimate estimateCost(const LoadPlan& plan, const workspace::Workspace& workspace, const cost::PriceBook& prices);

} // namespace sg::load
