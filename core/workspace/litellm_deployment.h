// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/litellm.h"
#include "core/workspace/litellm_fields.h"

namespace sg::workspace {

/// What the router says for all deployments.
struct LiteLlmDefaults
{
    std::optional<Nanos> timeout;
    policy::BreakerConfig breaker;
};

struct ReadDeployment
{
    QString group; ///< model_name
    Endpoint endpoint;
    double weight = 1;
    int order = 0; ///< lower ones come first
};

/// One entry of model_list; nothing when it cannot serve chats here, which the notes then say.
std::optional<ReadDeployment> readDeployment(const QJsonObject& entry, const QString& place,
                                             const LiteLlmDefaults& defaults, const LiteLlmOptions& options,
                                             Findings& notes);

/// LiteLLM's word for a provider of ours, and back; empty: there is none.
QString providerFromLiteLlm(const QString& prefix);
QString providerToLiteLlm(const QString& provider);

} // namespace sg::workspace
