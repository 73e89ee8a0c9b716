// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <mutex>
#include <string>

namespace sg::policy {

/// Retry quota after the AWS SDKs: a retry pays, a success pays back. Thread-safe; negative amounts and NaN are 0.
class AwsRetryBudget
{
public:
    struct Config
    {
        double capacity = 500, cost = 5, firstTryRefund = 1;
        std::map<std::string, double> costByCause; ///< "timeout" -> 10
    };
    explicit AwsRetryBudget(Config config);
    /// What one call has paid last; keep one per call.
    struct Account
    {
        double lastCost = 0;
        bool retried = false;
    };
    bool tryRetry(Account& account, const std::string& cause); ///< pays, or is refused and changes nothing
    void onSuccess(Account& account); ///< the call's last cost comes back, or firstTryRefund without a retry
    void onFailure(Account& account); ///< gives nothing back and ends the account
    double available() const;

private:
    void giveBack(double amount);
    mutable std::mutex mutex_;
    Config config_;
    double level_;
};

/// Retry throttling after gRPC (A6): failures take 1, successes give tokenRatio; retries while above half. Thread-safe.
class GrpcRetryBudget
{
public:
    GrpcRetryBudget(double maxTokens, double tokenRatio);
    void onFailure();
    void onSuccess();
    bool retryAllowed() const;
    double tokens() const;

private:
    mutable std::mutex mutex_;
    double max_, ratio_, tokens_;
};

} // namespace sg::policy
