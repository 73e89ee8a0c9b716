// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/chain_scene.h"

namespace sg::test {

namespace {

template <class T>
std::vector<T> stepsOf(const chain::RunRecord& record)
{
    std::vector<T> steps;
    for (const chain::Step& step : record.steps)
        if (const T* is = std::get_if<T>(&step))
            steps.push_back(*is);
    return steps;
}

template <class T>
std::shared_ptr<T> shared(std::map<std::string, std::shared_ptr<T>>& all, const std::string& name)
{
    std::shared_ptr<T>& one = all[name];
    if (!one)
        one = std::make_shared<T>();
    return one;
}

} // namespace

chain::EndpointSpec plainEndpoint(const std::string& name)
{
    chain::EndpointSpec spec;
    spec.name = spec.quotaGroup = spec.credential = name;
    return spec;
}

chain::TierSpec tierOn(const std::string& endpoint, int maxAttempts)
{
    chain::TierSpec tier;
    tier.name = tier.endpoint = endpoint;
    tier.maxAttempts = maxAttempts;
    tier.backoff = fixedBackoff(1000);
    return tier;
}

chain::TierSpec cannedTier(std::vector<chain::CannedRule> rules)
{
    chain::TierSpec tier;
    tier.name = "rules";
    tier.kind = chain::TierKind::CannedReply;
    tier.rules = std::move(rules);
    return tier;
}

policy::BackoffPolicy fixedBackoff(double ms)
{
    policy::BackoffPolicy backoff;
    backoff.kind = policy::BackoffKind::Fixed;
    backoff.baseMs = ms;
    backoff.capMs = ms;
    return backoff;
}

provider::ChatRequest userSays(const QString& text)
{
    provider::ChatRequest request;
    request.messages = {{"user", text, {}}};
    return request;
}

std::shared_ptr<const provider::Answer> answerSaying(const QString& text)
{
    auto answer = std::make_shared<provider::Answer>();
    answer->text = text;
    return answer;
}

policy::WaitHint hintOf(policy::HintAction action, Nanos wait, std::string source)
{
    return {action, wait, std::move(source)};
}

chain::AttemptResult failure(provider::ErrorClass error, int status, policy::WaitHint hint)
{
    chain::AttemptResult result;
    result.error.disposition = provider::dispositionOf(error);
    result.error.status = status;
    result.error.hint = std::move(hint);
    return result;
}

chain::AttemptResult success(const QString& text)
{
    chain::AttemptResult result;
    result.answer = answerSaying(text);
    return result;
}

chain::AttemptResult tooMany(Nanos wait)
{
    return failure(provider::ErrorClass::RateLimited, 429, hintOf(policy::HintAction::Wait, wait));
}

Scene& Scene::tier(const std::string& endpoint, int maxAttempts)
{
    return tier(tierOn(endpoint, maxAttempts));
}

Scene& Scene::tier(chain::TierSpec tier)
{
    if (tier.kind == chain::TierKind::Endpoint)
        endpoints.emplace(tier.endpoint, plainEndpoint(tier.endpoint));
    spec.tiers.push_back(std::move(tier));
    return *this;
}

std::shared_ptr<chain::ChainState> Scene::chain()
{
    if (chain_)
        return chain_;
    for (const auto& [name, e] : endpoints)
        states_[name] = std::make_shared<chain::EndpointState>(e, shared(quotas_, e.quotaGroup),
                                                               shared(credentials_, e.credential), nullptr, nullptr);
    std::vector<std::shared_ptr<chain::EndpointState>> ofTiers;
    for (const chain::TierSpec& t : spec.tiers)
        ofTiers.push_back(t.kind == chain::TierKind::Endpoint ? states_.at(t.endpoint) : nullptr);
    chain_ = std::make_shared<chain::ChainState>(spec, std::move(ofTiers));
    return chain_;
}

chain::EndpointState& Scene::state(const std::string& endpoint)
{
    chain();
    return *states_.at(endpoint);
}

chain::ChainRun& Scene::run(provider::ChatRequest request)
{
    runs_.push_back(std::make_unique<chain::ChainRun>(chain(), std::move(request), runs_.size() + 1, random));
    return *runs_.back();
}

std::vector<chain::MoveRecord> movesOf(const chain::RunRecord& record)
{
    return stepsOf<chain::MoveRecord>(record);
}

std::vector<chain::WaitRecord> waitsOf(const chain::RunRecord& record)
{
    return stepsOf<chain::WaitRecord>(record);
}

std::vector<chain::AttemptRecord> attemptsOf(const chain::RunRecord& record)
{
    return stepsOf<chain::AttemptRecord>(record);
}

std::string reasonsOf(const chain::RunRecord& record)
{
    std::string all;
    for (const chain::MoveRecord& move : movesOf(record)) {
        all += (all.empty() ? "" : ", ") + move.endpoint + ": ";
        all += chain::toString(move.reason);
    }
    return all;
}

} // namespace sg::test
