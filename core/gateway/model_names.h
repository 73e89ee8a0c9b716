// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/switchboard.h"

namespace sg::gateway {

/// What the "model" of a request may be.
struct ModelName
{
    QString id;
    QString provider{}; ///< of the model; empty: it is a chain
};

/// The chains, then the models that their tiers serve, each name once, in the order in which a request's model is
/// looked for. Endpoints' own names lead somewhere too, but are not among them.
std::vector<ModelName> modelNames(const engine::Switchboard& switchboard);
std::vector<ModelName> modelNames(const workspace::Workspace& workspace);

} // namespace sg::gateway
