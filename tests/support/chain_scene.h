// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/chain_run.h"
#include "tests/support/word.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

/// A chain with its endpoints, built in a few words; nothing waits and nothing is random unless a test says so.
namespace sg::test {

chain::EndpointSpec plainEndpoint(const std::string& name); ///< a breaker that never trips, no limits
chain::TierSpec tierOn(const std::string& endpoint, int maxAttempts = 1);
chain::TierSpec cannedTier(std::vector<chain::CannedRule> rules);
policy::BackoffPolicy fixedBackoff(double ms);
provider::ChatRequest userSays(const QString& text);
std::shared_ptr<const provider::Answer> answerSaying(const QString& text);

policy::WaitHint hintOf(policy::HintAction action, Nanos wait = {}, std::string source = "retry-after");
chain::AttemptResult failure(provider::ErrorClass error, int status = 0, policy::WaitHint hint = {});
chain::AttemptResult success(const QString& text = QStringLiteral("fine"));
chain::AttemptResult tooMany(Nanos wait); ///< 429 with Retry-After

class Scene
{
public:
    chain::ChainSpec spec;
    std::map<std::string, chain::EndpointSpec> endpoints;
    policy::SeededRandom random{1};

    Scene() { spec.name = "chain"; }
    /// A tier on an endpoint of its own.
    Scene& tier(const std::string& endpoint, int maxAttempts = 1);
    Scene& tier(chain::TierSpec tier);
    std::shared_ptr<chain::ChainState> chain(); ///< built at the first call; change nothing afterwards
    chain::EndpointState& state(const std::string& endpoint);
    chain::ChainRun& run(provider::ChatRequest request = userSays(QStringLiteral("hello")));

private:
    std::shared_ptr<chain::ChainState> chain_;
    std::map<std::string, std::shared_ptr<chain::EndpointState>> states_;
    std::map<std::string, std::shared_ptr<chain::QuotaGroup>> quotas_;
    std::map<std::string, std::shared_ptr<chain::Credential>> credentials_;
    std::vector<std::unique_ptr<chain::ChainRun>> runs_;
};

// The action as what it is, or an empty one of its kind.
template <class T>
T as(const chain::Action& action)
{
    const T* is = std::get_if<T>(&action);
    return is ? *is : T{};
}
template <class T>
bool is(const chain::Action& action)
{
    return std::holds_alternative<T>(action);
}

std::vector<chain::MoveRecord> movesOf(const chain::RunRecord& record);
std::vector<chain::WaitRecord> waitsOf(const chain::RunRecord& record);
std::vector<chain::AttemptRecord> attemptsOf(const chain::RunRecord& record);
std::string reasonsOf(const chain::RunRecord& record); ///< "a: disabled, b: parked"

} // namespace sg::test
