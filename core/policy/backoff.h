// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/breaker.h" // ConfigFinding
#include "core/policy/random.h"
#include "core/policy/time.h"

#include <optional>
#include <string_view>

namespace sg::policy {

enum class BackoffKind { None, Fixed, Exponential };
enum class JitterType { None, Proportional, Additive, Full, Equal, Decorrelated };
std::string_view toString(BackoffKind kind);
std::string_view toString(JitterType type);

struct Jitter
{
    JitterType type = JitterType::None;
    double r = 0;     ///< proportional: share of the delay, 0..1
    double addMs = 0; ///< additive: most that is added, ms
    bool operator==(const Jitter&) const = default;
};

/// How long to wait before a retry. Formulas: tests/data/vectors/README.md, section Backoff. Delays are doubles in ms.
struct BackoffPolicy
{
    BackoffKind kind = BackoffKind::Exponential;
    double baseMs = 500;
    double multiplier = 2;
    double capMs = 8000;
    Jitter jitter;
    bool operator==(const BackoffPolicy&) const = default;
};
std::optional<ConfigFinding> checkBackoffPolicy(const BackoffPolicy& policy);

/// What a delay is drawn from; both ends alike where nothing is drawn.
struct DelayBand
{
    Nanos from{0}, to{0};
    bool operator==(const DelayBand&) const = default;
};

/// The delays of one request; holds what decorrelated jitter remembers between attempts.
class Backoff
{
public:
    explicit Backoff(const BackoffPolicy& policy);
    /// Delay in ms before retry number `attempt` (from 0), with the draw `u` in [0, 1).
    double delayMs(int attempt, double u);
    DelayBand nextBand() const;       ///< what next() would draw from
    Nanos next(RandomSource& random); ///< delay for the next attempt in turn

private:
    BackoffPolicy policy_;
    double previousMs_;
    int attempt_ = 0;
};

} // namespace sg::policy
