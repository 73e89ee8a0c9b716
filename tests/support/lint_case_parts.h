// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "tests/support/lint_cases.h"

/// What the files with the linter's cases have in common.
namespace sg::test::lintcases {

using namespace sg::workspace;
using std::chrono::hours;
using std::chrono::seconds;

cost::Price price(double usdPerMillion);
Endpoint endpoint(const char* name); ///< remote, priced, with a breaker
chain::TierSpec tier(const char* endpoint);
chain::TierSpec canned(const char* name, std::vector<chain::CannedRule> rules);
chain::ChainSpec& chainOf(Workspace& w);
policy::BreakerConfig& breakerOf(Workspace& w);
void addTier(Workspace& w, const char* name);
/// Only a rate, judged in a window of a minute.
void rateOnly(Workspace& w, int minimum, double perMinute);
/// Context windows of the chain's tiers, of which there are then as many.
void windows(Workspace& w, std::vector<std::int64_t> sizes);

using W = Workspace&;
using F = LintFacts&;

class Cases
{
public:
    template <typename Spoil>
    void row(const char* rule, const char* place, Spoil spoil, const char* words, const char* fix = nullptr)
    {
        all.push_back({QString::fromUtf8(rule), QString::fromUtf8(place), spoil, QString::fromUtf8(words),
                       fix != nullptr, QString::fromUtf8(fix)});
    }
    std::vector<LintCase> all;
};

// The families.
void namesAndFields(Cases& c); ///< lint_cases_fields.cpp
void access(Cases& c);
void times(Cases& c); ///< lint_cases_limits.cpp
void breakers(Cases& c);
void fallback(Cases& c); ///< lint_cases_chains.cpp
void reach(Cases& c);
void route(Cases& c);
void gateway(Cases& c); ///< lint_cases_gateway.cpp

} // namespace sg::test::lintcases
