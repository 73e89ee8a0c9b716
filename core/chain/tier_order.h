// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/chain/spec.h"
#include "core/policy/random.h"
#include "core/provider/chat.h"

#include <QString>

#include <unordered_map>

namespace sg::chain {

/// The way that one request takes.
struct Route
{
    std::vector<int> tiers; ///< indexes of ChainSpec::tiers in the order of trying, each once; empty: the chain's order
    std::string name;       ///< the router's class; empty: none fitted, or it was not asked
};

/// In which order a chain tries its tiers. Made once for a chain; asking changes nothing, so any thread may.
///
/// 1. One tier may be put first: the one the request asks for (ChatRequest::preferredTier; a tier of that name,
///    else the first that is switched on and uses an endpoint of that name), else the one of the first class of the
///    router that fits. A class without a tier, or whose tier does not exist, still decides: the order is the chain's
///    then. The others follow in the chain's order.
/// 2. Neighbours with the same `split` share traffic. Of those that are switched on and have a weight above 0 one is
///    drawn to come first; the others follow in their order, those of weight 0 last. Nothing is drawn where there is no
///    choice.
/// 3. A member of a split that was put first has left its group: the rest stays where it is in the chain and draws
///    among itself. So what a router or a caller decides is certain, and the weights still say who is the next.
class TierOrder
{
public:
    explicit TierOrder(const ChainSpec& spec);

    /// Draws once for each split with a choice, in the order of the chain.
    Route routeFor(const provider::ChatRequest& request, policy::RandomSource& random) const;

private:
    struct Class
    {
        std::string name;
        bool takesAll = false;
        std::vector<std::size_t> words{}; ///< in words_, each once
        int atLeast = 1;
        int tier = -1; ///< -1: none of that name
    };
    struct Group
    {
        int begin = 0, end = 0;
    };

    void addClasses(const RouterSpec& router);
    std::size_t placeOfWord(const QString& word);
    void addGroups(const std::vector<TierSpec>& tiers);
    int tierAskedFor(const std::string& name) const; ///< -1: none
    const Class* classOf(const provider::ChatRequest& request) const;
    std::vector<int> orderWith(int first, policy::RandomSource& random) const;
    int firstOf(const Group& group, int without, policy::RandomSource& random) const;

    std::unordered_map<std::string, int> byName_, byEndpoint_;
    std::vector<Class> classes_;
    std::vector<QString> words_; ///< of all classes, comparable, each once
    std::vector<Group> groups_;  ///< neighbours that share a split, and single tiers
    std::vector<double> shares_; ///< of each tier in its split's draw, the largest of a split 1; 0: takes no part
    std::vector<bool> goesLast_; ///< of each tier in its split
    bool splits_ = false;
};

} // namespace sg::chain
