// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/backoff.h"
#include "tests/support/vectors.h"
#include "tests/support/vectors_runners.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

namespace sg::vectors {

using namespace sg::policy;

namespace {

constexpr double kRelativeTolerance = 1e-6;

Jitter readJitter(const VectorFields& fields)
{
    Jitter jitter;
    jitter.type = static_cast<JitterType>(
        fields.word("type", {QStringLiteral("none"), QStringLiteral("proportional"), QStringLiteral("additive"),
                             QStringLiteral("full"), QStringLiteral("equal"), QStringLiteral("decorrelated")}));
    if (jitter.type == JitterType::Proportional)
        jitter.r = fields.number("r");
    if (jitter.type == JitterType::Additive)
        jitter.addMs = fields.number("a_ms");
    return jitter;
}

BackoffPolicy readPolicy(const VectorFields& fields)
{
    BackoffPolicy policy;
    policy.kind = static_cast<BackoffKind>(
        fields.word("kind", {QStringLiteral("none"), QStringLiteral("fixed"), QStringLiteral("exponential")}));
    policy.baseMs = fields.number("base_ms");
    policy.multiplier = fields.number("multiplier");
    policy.capMs = fields.number("cap_ms");
    policy.jitter = readJitter(fields.object("jitter"));
    return policy;
}

void compare(const VectorFields& fields, int attempt, double actual, double expected)
{
    fields.near(QStringLiteral("delay of attempt %1").arg(attempt), actual, expected,
                kRelativeTolerance * std::abs(expected));
}

} // namespace

void runBackoffCase(const QJsonObject& testCase)
{
    const VectorFields fields(testCase);
    Backoff backoff(readPolicy(fields.object("policy")));
    if (!fields.has("draws")) {
        const int attempt = fields.integer("attempt");
        compare(fields, attempt, backoff.delayMs(attempt, fields.number("u")), fields.number("expect_ms"));
        return;
    }
    const QJsonArray draws = fields.array("draws");
    const QJsonArray expected = fields.array("expect_ms");
    if (draws.isEmpty() || draws.size() != expected.size())
        fields.fail(QStringLiteral("draws and expect_ms must be of one length, above 0"));
    for (int attempt = 0; attempt < draws.size(); ++attempt) {
        if (!draws[attempt].isDouble() || !expected[attempt].isDouble())
            fields.fail(QStringLiteral("draws and expect_ms must be numbers"));
        compare(fields, attempt, backoff.delayMs(attempt, draws[attempt].toDouble()), expected[attempt].toDouble());
    }
}

} // namespace sg::vectors
