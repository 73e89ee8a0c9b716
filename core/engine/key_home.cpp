// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/key_home.h"

#include <QUrl>

namespace sg::engine {

secrets::KeyHome homeOf(workspace::KeySource source)
{
    switch (source) {
    case workspace::KeySource::Environment:
        return secrets::KeyHome::Environment;
    case workspace::KeySource::Keychain:
        return secrets::KeyHome::Keychain;
    case workspace::KeySource::Session:
        return secrets::KeyHome::Session;
    case workspace::KeySource::None:
        break;
    }
    return secrets::KeyHome::None;
}

QStringList keyPrefixesOf(const workspace::Workspace& workspace, const workspace::Endpoint& endpoint)
{
    const provider::ProviderProfile profile = workspace.profileOf(endpoint);
    const bool isItself = endpoint.baseUrl.trimmed().isEmpty() || profile.baseUrl.isEmpty() ||
                          QUrl(endpoint.baseUrl.trimmed()).host() == QUrl(profile.baseUrl).host();
    return isItself ? profile.keyPrefixes : QStringList();
}

} // namespace sg::engine
