// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/backoff.h"

#include "core/policy/amount.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sg::policy {

namespace {

BackoffPolicy cleaned(BackoffPolicy policy)
{
    policy.baseMs = amount(policy.baseMs);
    policy.multiplier = amount(policy.multiplier);
    policy.capMs = amount(policy.capMs);
    policy.jitter.r = amount(policy.jitter.r);
    policy.jitter.addMs = amount(policy.jitter.addMs);
    return policy;
}

double plainDelay(const BackoffPolicy& policy, int attempt)
{
    if (policy.baseMs == 0)
        return 0; // and not 0 * infinity
    if (policy.kind == BackoffKind::Fixed)
        return std::min(policy.capMs, policy.baseMs);
    return std::min(policy.capMs, policy.baseMs * std::pow(policy.multiplier, std::max(0, attempt)));
}

std::optional<ConfigFinding> checkAmount(const char* field, double value)
{
    if (!std::isfinite(value))
        return ConfigFinding{field, "is no finite number", "give a finite number"};
    if (value < 0)
        return ConfigFinding{field, "is negative", "give 0 or more"};
    return {};
}

} // namespace

std::string_view toString(BackoffKind kind)
{
    switch (kind) {
    case BackoffKind::None:
        return "none";
    case BackoffKind::Fixed:
        return "fixed";
    case BackoffKind::Exponential:
        return "exponential";
    }
    return {};
}

std::string_view toString(JitterType type)
{
    switch (type) {
    case JitterType::None:
        return "none";
    case JitterType::Proportional:
        return "proportional";
    case JitterType::Additive:
        return "additive";
    case JitterType::Full:
        return "full";
    case JitterType::Equal:
        return "equal";
    case JitterType::Decorrelated:
        return "decorrelated";
    }
    return {};
}

std::optional<ConfigFinding> checkBackoffPolicy(const BackoffPolicy& policy)
{
    const std::pair<const char*, double> amounts[] = {{"base_ms", policy.baseMs},
                                                      {"multiplier", policy.multiplier},
                                                      {"cap_ms", policy.capMs},
                                                      {"jitter.r", policy.jitter.r},
                                                      {"jitter.a_ms", policy.jitter.addMs}};
    for (const auto& [field, value] : amounts) {
        if (auto finding = checkAmount(field, value))
            return finding;
    }
    if (policy.jitter.type == JitterType::Proportional && policy.jitter.r > 1)
        return ConfigFinding{"jitter.r", "is above 1, so delays could be negative",
                             "give a fraction: 0.3 is 30 % either way"};
    return {};
}

Backoff::Backoff(const BackoffPolicy& policy)
    : policy_(cleaned(policy))
    , previousMs_(policy_.baseMs)
{
}

double Backoff::delayMs(int attempt, double u)
{
    if (policy_.kind == BackoffKind::None)
        return 0;
    u = u > 0 ? std::min(u, 1.0) : 0;
    const double cap = policy_.capMs;
    const double e = plainDelay(policy_, attempt);
    switch (policy_.jitter.type) {
    case JitterType::None:
        return e;
    case JitterType::Full:
        return u * e;
    case JitterType::Equal:
        return e / 2 + u * e / 2;
    case JitterType::Proportional:
        return std::clamp(e * (1 + policy_.jitter.r * (2 * u - 1)), 0.0, cap);
    case JitterType::Additive:
        return std::min(cap, e + u * policy_.jitter.addMs);
    case JitterType::Decorrelated: {
        const double base = policy_.baseMs;
        previousMs_ = std::min(cap, base + u * (std::max(base, 3 * previousMs_) - base));
        return previousMs_;
    }
    }
    return e;
}

DelayBand Backoff::nextBand() const
{
    Backoff least = *this, most = *this; // a draw changes what decorrelated jitter remembers
    return {fromMs(least.delayMs(attempt_, 0)), fromMs(most.delayMs(attempt_, 1))};
}

Nanos Backoff::next(RandomSource& random)
{
    const double u = policy_.kind == BackoffKind::None ? 0 : random.uniform();
    const int attempt = attempt_;
    if (attempt_ < std::numeric_limits<int>::max())
        ++attempt_;
    return fromMs(delayMs(attempt, u));
}

} // namespace sg::policy
