// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/secrets/key_control.h"
#include "core/workspace/model.h"

/// Keys as workspaces name them and as stores know them.
namespace sg::engine {

secrets::KeyHome homeOf(workspace::KeySource source);

/// What keys of the endpoint's provider begin with. Behind another address than the provider's own there is a relay,
/// which gives out keys of its own.
QStringList keyPrefixesOf(const workspace::Workspace& workspace, const workspace::Endpoint& endpoint);

} // namespace sg::engine
