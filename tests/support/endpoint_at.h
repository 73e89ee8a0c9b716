// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/model.h"

namespace sg::test {

/// A workspace of one endpoint without a key.
inline workspace::Workspace endpointAt(const QString& name, const QString& baseUrl)
{
    workspace::Workspace workspace;
    workspace::Endpoint endpoint;
    endpoint.provider = QStringLiteral("openai-compatible");
    endpoint.spec.name = name.toStdString();
    endpoint.baseUrl = baseUrl;
    endpoint.model = QStringLiteral("m");
    workspace.endpoints = {endpoint};
    return workspace;
}

/// Which asks the simulator's endpoint of that name.
inline workspace::Workspace simulatedEndpoint(const QString& name)
{
    return endpointAt(name, QStringLiteral("sim:") + name);
}

} // namespace sg::test
