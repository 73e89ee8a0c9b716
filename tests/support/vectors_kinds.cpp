// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/vectors.h"
#include "tests/support/vectors_runners.h"

namespace sg::vectors {

const std::vector<VectorKind>& vectorKinds()
{
    static const std::vector<VectorKind> kinds{
        {QStringLiteral("backoff"), runBackoffCase},
        {QStringLiteral("breaker"), runBreakerCase},
        {QStringLiteral("breaker_config"), runBreakerConfigCase},
        {QStringLiteral("errors"), {}},
        {QStringLiteral("limiters"), runLimiterCase},
        {QStringLiteral("wait_hints"), runWaitHintCase},
    };
    return kinds;
}

} // namespace sg::vectors
