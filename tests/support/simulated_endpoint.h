// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/model.h"

namespace sg::test {

/// A workspace of one endpoint, which asks the simulator's endpoint of that name.
inline workspace::Workspace simulatedEndpoint(const QString& name)
{
    workspace::Workspace workspace;
    workspace::Endpoint endpoint;
    endpoint.provider = QStringLiteral("openai-compatible");
    endpoint.spec.name = name.toStdString();
    endpoint.baseUrl = QStringLiteral("sim:") + name;
    endpoint.model = QStringLiteral("m");
    workspace.endpoints = {endpoint};
    return workspace;
}

} // namespace sg::test
