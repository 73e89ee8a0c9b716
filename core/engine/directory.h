// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/cost.h"
#include "core/engine/call.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sg::engine {

class Switchboard;

struct DirectoryEndpoint
{
    std::string name, provider, model;
    QString unusable; ///< not empty: why nothing can be sent there
    std::optional<cost::Price> price;
};

struct DirectoryChain
{
    std::string name;
    std::vector<std::string> endpoints; ///< of the tiers that are on, in their order, each once
};

/// Where requests can go, as the applied workspace says it. Immutable: other threads read it.
struct Directory
{
    std::vector<DirectoryChain> chains;
    std::vector<DirectoryEndpoint> endpoints;

    const DirectoryEndpoint* endpoint(const std::string& name) const; ///< null when there is none
    std::vector<std::string> reachedBy(const CallTarget& target) const;
};
using DirectoryPtr = std::shared_ptr<const Directory>;

DirectoryPtr directoryOf(const Switchboard& switchboard);

} // namespace sg::engine
