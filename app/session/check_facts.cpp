// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/check_facts.h"

#include "app/session/session.h"
#include "core/engine/key_home.h"
#include "core/secrets/secret_store.h"

namespace sg::app {

std::map<std::string, workspace::KeyFact> environmentKeyFacts(const workspace::Workspace& workspace)
{
    const secrets::EnvironmentStore environment;
    std::map<std::string, workspace::KeyFact> facts;
    for (const workspace::Endpoint& endpoint : workspace.endpoints) {
        if (endpoint.key.source != workspace::KeySource::Environment)
            continue;
        workspace::KeyFact& fact = facts[endpoint.spec.name];
        const auto key = environment.readNow(endpoint.key.name);
        if (!key) {
            fact = {false, key.error().words, key.error().remedy};
        } else if (const auto odd = secrets::checkKeyPrefix(QString::fromUtf8(key->reveal()),
                                                            engine::keyPrefixesOf(workspace, endpoint))) {
            fact = {true, QStringLiteral("%1: %2").arg(endpoint.key.name, odd->words), odd->remedy};
        }
    }
    return facts;
}

std::optional<workspace::KeyFact> environmentTokenFact(const workspace::Workspace& workspace)
{
    const workspace::KeyRef& token = workspace.gateway.token;
    if (token.source != workspace::KeySource::Environment || token.name.isEmpty())
        return std::nullopt;
    const auto key = secrets::EnvironmentStore().readNow(token.name);
    return key ? workspace::KeyFact{} : workspace::KeyFact{false, key.error().words, key.error().remedy};
}

} // namespace sg::app
