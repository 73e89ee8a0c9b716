// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/compare/comparison.h"

#include <cmath>

/// Runs that were kept, and what comparing them says.
namespace sg::test::compared {

inline ui::ComparedRun run(int number, double slow, double tail)
{
    ui::ComparedRun run;
    run.id = QString::number(number);
    run.title = QStringLiteral("Run %1, outage-2min").arg(number);
    run.subtitle = QStringLiteral("prod-chat · 20 Nov 13:40 · 46\u202F800 requests");
    run.verdict = tail > 1.4 ? ui::RunVerdict::Missed : ui::RunVerdict::Passed;
    run.verdictWords = tail > 1.4 ? QStringLiteral("Missed 3 of 4 objectives") : QStringLiteral("Met all 4 objectives");
    for (int i = 0; i <= 400; ++i) {
        const double x = i / 100.0;
        const double share = 1 - std::pow(10, -x);
        const double ms = x < 0.1 ? 6 + x * 120 : 380 * slow * std::exp(tail * std::min(x, 3.4) * 0.75);
        run.percentiles.emplace_back(share, ms);
    }
    for (int i = 0; i < 180; ++i) {
        const bool isOutage = i >= 72 && i < 96;
        const double wobble = 1 + 0.08 * std::sin(i * 1.7 + number);
        ui::ComparedMoment m;
        m.second = i * 5.0;
        m.p50Ms = 650 * slow * wobble * (isOutage ? 1.8 : 1);
        m.p95Ms = 2000 * slow * wobble * (isOutage ? 2.2 * tail : 1);
        m.p99Ms = 4200 * slow * wobble * (isOutage ? 2.4 * tail : 1);
        m.perSecond = std::min(80.0, i * 1.2) * wobble;
        m.failShare = isOutage ? 0.02 * tail : 0.0004;
        run.moments.push_back(m);
    }
    run.moments[40].p95Ms.reset();
    run.settings = {{QStringLiteral("retry"), tail > 1.4 ? QStringLiteral("fixed 1.00 s × 5")
                                                         : QStringLiteral("exponential, full jitter, cap 8.0 s × 5")},
                    {QStringLiteral("breaker gpt-4.1"), tail > 1.4 ? QStringLiteral("trips at 70 %, window 120 s")
                                                                   : QStringLiteral("trips at 50 %, window 60 s")},
                    {QStringLiteral("stages"), QStringLiteral("ramp 120s to 40/s")},
                    {QStringLiteral("seed"), QStringLiteral("1184")}};
    using policy::BreakerState;
    const double trip = tail > 1.4 ? 444 : 380; // the outage begins at 360 s
    run.breakers = {{"gpt-4.1",
                     {{BreakerState::Closed, 0, trip},
                      {BreakerState::Open, trip, 475},
                      {BreakerState::HalfOpen, 475, 480},
                      {BreakerState::Open, 480, 505},
                      {BreakerState::HalfOpen, 505, 512},
                      {BreakerState::Closed, 512, 900}},
                     trip,
                     500 - trip,
                     2},
                    {"claude", {{BreakerState::Closed, 0, 900}}, {}}};
    run.limits = {{4000, QStringLiteral("p95 \u2264 4.00\u202Fs")}};
    run.note = number == 36 ? QStringLiteral("v15 trips sooner and spreads its retries.") : QString();
    return run;
}

inline ui::Comparison two()
{
    using ui::MetricChange;
    ui::Comparison all;
    all.runs = {run(35, 1.1, 1.6), run(36, 1.0, 1.25)};
    all.runs[0].isBaseline = true;
    const auto add = [&](const char* name, const char* a, const char* b, MetricChange change, std::optional<bool> up) {
        all.metrics.push_back({QString::fromUtf8(name),
                               QStringLiteral("end − intended, nearest rank over successes"),
                               {QString::fromUtf8(a), QString::fromUtf8(b)},
                               {{}, change},
                               up});
    };
    add("Success", "99.12 %", "99.95 %", {0.0083, 0.0079, 0.0088, true}, true);
    add("p50", "658 ms", "630 ms", {-0.043, -0.09, 0.01, false}, false);
    add("p95", "3.62 s", "2.09 s", {-0.42, -0.50, -0.33, false}, false);
    add("p99", "9.33 s", "4.30 s", {-0.54, -0.61, -0.40, false}, false);
    add("First token p95", "702 ms", "678 ms", {-0.034, -0.16, 0.09, false}, false);
    add("Tries per request", "1.58", "1.22", {-0.23, -0.25, -0.21, false}, false);
    add("Achieved rate", "44.8 /s", "40.1 /s", {-0.105, -0.12, -0.09, false}, true);
    add("Tokens", "8.1 M", "9.0 M", {0.11, 0.1, 0.12, false}, {});
    add("Cost / 1 000", "–", "$1.91", {}, false);
    return all;
}

inline ui::Comparison five()
{
    ui::Comparison all = two();
    for (const int number : {37, 38, 39})
        all.runs.push_back(run(number, 1 + 0.12 * (number - 36), 1.1 + 0.05 * (number - 36)));
    for (ui::ComparedMetric& metric : all.metrics)
        for (int i = 0; i < 3; ++i) {
            metric.values.push_back(metric.values[1]);
            metric.changes.push_back(metric.changes[1]);
        }
    all.reference = 0;
    return all;
}

} // namespace sg::test::compared
