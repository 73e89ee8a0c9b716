// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/backoff_envelope.h"

#include "core/policy/amount.h"

#include <algorithm>
#include <cmath>

namespace sg::policy {

namespace {

/// Mean of a draw between `from` and `to` whose values beyond 0 and `cap` are held there.
double clampedMean(double from, double to, double cap)
{
    if (to <= from || from >= cap || to <= 0)
        return std::clamp(from, 0.0, cap);
    const double low = std::max(from, 0.0), high = std::min(to, cap);
    return ((high * high - low * low) / 2 + cap * std::max(0.0, to - cap)) / (to - from);
}

/// What is known of a delay with decorrelated jitter, as shares of requests at points between base and cap: the next
/// delay follows from it, as each one is drawn from base to three times the one before.
class Decorrelated
{
public:
    Decorrelated(double base, double cap)
        : base_(base)
        , cap_(cap)
        , points_{base}
        , shares_{1}
    {
    }

    /// The mean of the next delay, which becomes the one before.
    double next()
    {
        double mean = 0;
        for (std::size_t i = 0; i < points_.size(); ++i)
            mean += shares_[i] * clampedMean(base_, 3 * points_[i], cap_);
        spread();
        return mean;
    }

private:
    static constexpr int kCells = 200; // means within a percent of those drawn

    void spread()
    {
        const double top = std::min(cap_, 3 * points_.back());
        const double step = std::pow(top / base_, 1.0 / kCells);
        std::vector<double> points, shares;
        double below = 0, edge = base_;
        for (int cell = 1; cell <= kCells; ++cell) {
            const double nextEdge = cell == kCells ? top : edge * step;
            const double upTo = shareBelow(nextEdge);
            points.push_back((edge + nextEdge) / 2);
            shares.push_back(upTo - below);
            below = upTo;
            edge = nextEdge;
        }
        points.push_back(top);
        shares.push_back(1 - below);
        points_ = std::move(points);
        shares_ = std::move(shares);
    }

    double shareBelow(double delay) const
    {
        double share = 0;
        for (std::size_t i = 0; i < points_.size(); ++i) {
            const double width = 3 * points_[i] - base_;
            share += shares_[i] * std::min(1.0, (delay - base_) / width);
        }
        return share;
    }

    double base_, cap_;
    std::vector<double> points_, shares_;
};

double meanOf(const BackoffPolicy& policy, double plain, const EnvelopeStep& step)
{
    switch (policy.jitter.type) {
    case JitterType::Proportional: {
        const double reach = plain * amount(policy.jitter.r);
        return clampedMean(plain - reach, plain + reach, amount(policy.capMs));
    }
    case JitterType::Additive:
        return clampedMean(plain, plain + amount(policy.jitter.addMs), amount(policy.capMs));
    default:
        return (step.fromMs + step.toMs) / 2;
    }
}

} // namespace

BackoffEnvelope envelopeOf(const BackoffPolicy& policy, int retries)
{
    BackoffEnvelope envelope;
    BackoffPolicy withoutJitter = policy;
    withoutJitter.jitter = {};
    Backoff least(policy), most(policy), plain(withoutJitter);
    Decorrelated chained(amount(policy.baseMs), amount(policy.capMs));
    for (int retry = 0; retry < retries; ++retry) {
        // The shortest draw leads to the shortest next one and the longest to the longest, with decorrelated jitter
        // too.
        EnvelopeStep step{least.delayMs(retry, 0), most.delayMs(retry, 1), 0};
        const bool isChained = policy.kind != BackoffKind::None && policy.jitter.type == JitterType::Decorrelated;
        if (step.fromMs == step.toMs)
            step.meanMs = step.fromMs;
        else
            step.meanMs = isChained ? chained.next() : meanOf(policy, plain.delayMs(retry, 0), step);
        envelope.worstTotalMs += step.toMs;
        envelope.meanTotalMs += step.meanMs;
        envelope.steps.push_back(step);
    }
    return envelope;
}

} // namespace sg::policy
