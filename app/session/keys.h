// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/endpoint_route.h"
#include "core/secrets/key_desk.h"
#include "core/workspace/model.h"

#include <functional>
#include <map>
#include <vector>

namespace sg::app {

/// The keys of a workspace's endpoints and of their proxies, each checked before the first request, so that a pasted
/// newline is not reported as the provider's 401. Lives in the desk's thread; the desk outlives it.
class KeyRing
{
public:
    KeyRing(secrets::KeyDesk& desk, const workspace::Workspace& workspace);

    bool needsKeychain() const;
    /// Asks the keychain for every entry; `done` is called once, when each was read or refused.
    void readKeychain(std::function<void()> done);

    /// What every reference of the workspace names right now, by reference; the error is a sentence with the way on.
    /// Entries of the keychain that were not read yet say so.
    using Key = tl::expected<QByteArray, QString>;
    using Keys = std::map<std::pair<workspace::KeySource, QString>, Key>;
    Keys keys() const;
    /// A picture of them for the engine's thread.
    static engine::KeyLookup lookupIn(Keys keys);
    /// What one reference names right now.
    static Key keyIn(secrets::KeyDesk& desk, const workspace::KeyRef& ref);

    /// Something about one reference of the workspace.
    struct Remark
    {
        std::string endpoint;
        QString place; ///< "endpoints[2].key"
        QString words;
    };
    std::vector<Remark> problems() const; ///< keys that cannot be used; entries that were not read yet count
    /// Keys that can be sent but do not begin as their provider's do.
    std::vector<Remark> warnings() const;

private:
    struct Use
    {
        std::string endpoint;
        QString place;
        workspace::KeyRef ref;
        QStringList prefixes;
    };
    secrets::KeyDesk& desk_;
    std::vector<Use> uses_; ///< in the order of the endpoints; those of no key are left out
};

} // namespace sg::app
