// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/retry_budget.h"

#include "core/policy/amount.h"

#include <algorithm>
#include <utility>

namespace sg::policy {

namespace {

AwsRetryBudget::Config cleaned(AwsRetryBudget::Config config)
{
    config.capacity = amount(config.capacity);
    config.cost = amount(config.cost);
    config.firstTryRefund = amount(config.firstTryRefund);
    for (auto& [cause, cost] : config.costByCause)
        cost = amount(cost);
    return config;
}

} // namespace

AwsRetryBudget::AwsRetryBudget(Config config)
    : config_(cleaned(std::move(config)))
    , level_(config_.capacity)
{
}

bool AwsRetryBudget::tryRetry(Account& account, const std::string& cause)
{
    const std::scoped_lock lock(mutex_);
    const auto special = config_.costByCause.find(cause);
    const double cost = special == config_.costByCause.end() ? config_.cost : special->second;
    if (level_ + kTolerance < cost)
        return false;
    level_ = std::max(0.0, level_ - cost);
    account = {cost, true};
    return true;
}

void AwsRetryBudget::giveBack(double amount)
{
    level_ = std::min(config_.capacity, level_ + amount);
}

void AwsRetryBudget::onSuccess(Account& account)
{
    const std::scoped_lock lock(mutex_);
    giveBack(account.retried ? account.lastCost : config_.firstTryRefund);
    account = {};
}

void AwsRetryBudget::onFailure(Account& account)
{
    account = {};
}

double AwsRetryBudget::available() const
{
    const std::scoped_lock lock(mutex_);
    return level_;
}

GrpcRetryBudget::GrpcRetryBudget(double maxTokens, double tokenRatio)
    : max_(amount(maxTokens))
    , ratio_(amount(tokenRatio))
    , tokens_(max_)
{
}

void GrpcRetryBudget::onFailure()
{
    const std::scoped_lock lock(mutex_);
    tokens_ = std::max(0.0, tokens_ - 1);
}

void GrpcRetryBudget::onSuccess()
{
    const std::scoped_lock lock(mutex_);
    tokens_ = std::min(max_, tokens_ + ratio_);
}

bool GrpcRetryBudget::retryAllowed() const
{
    const std::scoped_lock lock(mutex_);
    return tokens_ > max_ / 2 + kTolerance;
}

double GrpcRetryBudget::tokens() const
{
    const std::scoped_lock lock(mutex_);
    return tokens_;
}

} // namespace sg::policy
