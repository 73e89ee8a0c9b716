// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/model.h"

/// What an operator does to a workspace, as changes of a value. Pure; an index out of range, a name that is not there
/// and a new name that another one has change nothing. Names that something else refers to are changed there too.
namespace sg::workspace {

/// `wanted` when it is free, else "WANTED 2", "WANTED 3", …
std::string freeEndpointName(const Workspace& workspace, const std::string& wanted);
std::string freeChainName(const Workspace& workspace, const std::string& wanted);
std::string freeTierName(const chain::ChainSpec& chain, const std::string& wanted);

/// A workspace with nothing in it, ready to be built up.
Workspace emptyWorkspace(const QString& name);

// Endpoints. Those that are added get a free name, which is answered.
std::string addEndpoint(Workspace& workspace, Endpoint endpoint);
void removeEndpoint(Workspace& workspace, const std::string& name); ///< its tiers go with it
/// Those that share its quota or key go on sharing it.
void renameEndpoint(Workspace& workspace, const std::string& from, const std::string& to);
std::string duplicateEndpoint(Workspace& workspace, const std::string& name); ///< right after it; empty: none
/// Where it is used: names of chains, each once.
std::vector<std::string> chainsUsing(const Workspace& workspace, const std::string& endpoint);

// Chains.
std::string addChain(Workspace& workspace, Chain chain);
void removeChain(Workspace& workspace, const std::string& name);
void renameChain(Workspace& workspace, const std::string& from, const std::string& to);
std::string duplicateChain(Workspace& workspace, const std::string& name);

// Tiers of one chain. `at` counts in the list before the change; its size puts at the end.
chain::TierSpec tierFor(const std::string& endpoint);                           ///< with sensible retries
chain::TierSpec cannedTier();                                                   ///< one rule that always answers
void insertTier(chain::ChainSpec& chain, std::size_t at, chain::TierSpec tier); ///< gets a free name
void removeTier(chain::ChainSpec& chain, std::size_t at);                       ///< the router's classes forget it
void removeLimiter(chain::ChainSpec& chain);                                    ///< and forgets its policy
void moveTier(chain::ChainSpec& chain, std::size_t from, std::size_t to);       ///< `to`: its index afterwards
void duplicateTier(chain::ChainSpec& chain, std::size_t at);
void renameTier(chain::ChainSpec& chain, std::size_t at, const std::string& name);

// Weighted split. A group is what splitGroups() answers; every tier is in exactly one.
struct TierGroup
{
    std::size_t first = 0, count = 1; ///< count > 1, or a split of one
    bool isSplit = false;
};
std::vector<TierGroup> splitGroups(const chain::ChainSpec& chain);
void joinSplit(chain::ChainSpec& chain, std::size_t at);  ///< with the tier before it
void leaveSplit(chain::ChainSpec& chain, std::size_t at); ///< moves behind its group
/// Of each tier of the group in turn; they add up to 1 unless all weights are 0.
std::vector<double> splitShares(const chain::ChainSpec& chain, const TierGroup& group);

/// All endpoints and chains of another workspace, under free names; its tiers find their endpoints again. Of its
/// policies and its simulator's endpoints those come whose names are free. Answers the names of the chains that came.
std::vector<std::string> addAll(Workspace& workspace, const Workspace& other);

/// The words of SEEDS' two routers, English and Thai, as classes without tiers.
std::vector<chain::RouteClass> standardClasses();

} // namespace sg::workspace
