// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/lint.h"
#include "core/workspace/worst_case.h"

#include <functional>
#include <map>
#include <span>
#include <unordered_map>

/// What the linter's rules look at and how they tell. Internal to the room. A rule is a short function; each family has
/// a file of its own with a table of its rules.
namespace sg::workspace {

struct Words
{
    QString problem, why, remedy;
};

/// Things by name, so that no rule searches a list for each tier. Of two with one name the first counts, as in a run.
struct Index
{
    explicit Index(const Workspace& workspace);
    std::unordered_map<std::string, std::size_t> endpoints;
    std::vector<Nanos> longestCall; ///< by endpoint: the longest attempt of a tier that is on; 0: no tier calls it
};

struct WholeScope
{
    const Workspace& workspace;
    const LintFacts& facts;
    const Index& index;
};

struct EndpointScope
{
    const Workspace& workspace;
    const LintFacts& facts;
    const Endpoint& endpoint;
    std::size_t at;
    Nanos longestCall;
    bool isRemote; ///< beyond this machine, and not the simulator
    Fix fix(const QString& label, std::function<void(Endpoint&)> change) const;
};

struct ChainScope
{
    const Workspace& workspace;
    const Chain& chain;
    const chain::ChainSpec& spec;
    std::size_t at;
    std::vector<const Endpoint*> endpoints; ///< by tier; null for canned replies and what is not there
    std::vector<Reach> reach;               ///< by tier
    std::vector<std::size_t> calling;       ///< tiers that are on, reached and have an endpoint, in order
    WorstCase worst;
    Fix fix(const QString& label, std::function<void(chain::ChainSpec&)> change) const;
    Fix tierFix(std::size_t tier, const QString& label, std::function<void(chain::TierSpec&)> change) const;
};

/// Where a finding stands in the workspace, for the order of the list.
struct Told
{
    Finding finding;
    std::size_t part = 0, at = 0, tier = 0;
};

/// Notes down what one rule finds. Places are relative to what the rule looks at.
class Tell
{
public:
    Tell(std::vector<Told>& told, Told start);
    void operator()(const QString& field, const Words& words, std::optional<Fix> fix = {}) const;
    void about(Subject subject, const QString& field, const Words& words) const;
    void tier(std::size_t tier, const QString& field, const Words& words, std::optional<Fix> fix = {}) const;

private:
    std::vector<Told>& told_;
    Told start_;
};

template <typename Scope>
struct Rule
{
    const char* id;
    FindingLevel level;
    const char* line;
    void (*check)(const Scope&, const Tell&);
    bool whenReading = false; ///< also told when a file is read
};
using WholeRule = Rule<WholeScope>;
using EndpointRule = Rule<EndpointScope>;
using ChainRule = Rule<ChainScope>;

// The families.
std::span<const WholeRule> namingRules(); ///< lint_names.cpp
std::span<const ChainRule> tierNameRules();
std::span<const EndpointRule> endpointFieldRules(); ///< lint_fields.cpp
std::span<const ChainRule> chainFieldRules();
std::span<const EndpointRule> breakerRules();      ///< lint_breaker.cpp
std::span<const WholeRule> pastedKeyRules();       ///< lint_access.cpp
std::span<const EndpointRule> accessRules();       ///< lint_access.cpp: keys, addresses, prices
std::span<const EndpointRule> endpointTimeRules(); ///< lint_times.cpp
std::span<const ChainRule> chainTimeRules();
std::span<const ChainRule> worstCaseRules(); ///< lint_worst.cpp
std::span<const ChainRule> fallbackRules();  ///< lint_fallback.cpp
std::span<const ChainRule> reachRules();     ///< lint_reach.cpp
std::span<const ChainRule> routeRules();     ///< lint_route.cpp: router and split
std::span<const WholeRule> gatewayRules();   ///< lint_gateway.cpp

// Words.
QString quoted(const std::string& name);                                  ///< "name", in quotes
QString named(const char* kind, const std::string& name, std::size_t at); ///< tier "gpt", or of none: tier 2
QString fieldWords(const QString& field);                                 ///< "limits.max_in_flight" as "max in flight"
QString spanWords(Nanos span);                                            ///< "500 ms", "302 s", "25 min", "3 h"
QString countWords(std::int64_t count);                                   ///< "131 072", with thin spaces
QString listWords(const QStringList& names);                              ///< "a, b and c"; of many the first three
QString placeOf(const char* list, std::size_t index);                     ///< "tiers[2]"
QString tierName(const ChainScope& scope, std::size_t tier);              ///< quoted
QString clause(QString words);      ///< a sentence of the key stores as findings have it: no full stop, no capital
QString withoutStop(QString words); ///< no full stop

} // namespace sg::workspace
