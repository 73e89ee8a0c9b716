// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/secrets/secret_store.h"
#include "core/workspace/model.h"

#include <functional>
#include <map>
#include <tl/expected.hpp>

namespace sg::app {

/// The keys of a workspace's endpoints, each checked before the first request, so that a pasted newline is not reported
/// as the provider's 401. Lives in one thread with an event loop.
class KeyRing
{
public:
    /// Reads the environment at once; keychain entries are unknown until readKeychain has answered.
    /// A keychain entry that `before` has read is known at once: who applies another workspace loses no key by it.
    explicit KeyRing(const workspace::Workspace& workspace, const KeyRing* before = nullptr);

    bool needsKeychain() const { return !pending_.empty(); }
    /// `done` is called once, when every entry was read or refused.
    void readKeychain(std::function<void()> done);

    /// By endpoint name; the error is a sentence with the way on.
    using Key = tl::expected<QByteArray, QString>;
    std::map<std::string, Key> keys() const { return keys_; }
    /// Keys that can be sent but do not begin as their provider's do: by endpoint name, a sentence with the way on.
    const std::map<std::string, QString>& warnings() const { return warnings_; }

private:
    void take(const std::string& endpoint, const secrets::ReadResult& read, const QString& kept);
    void readNext();
    std::map<std::string, Key> keys_;
    std::map<std::string, QString> warnings_;
    std::map<std::string, QStringList> prefixes_; ///< of those endpoints whose provider's are known
    std::map<QString, secrets::ReadResult> entries_;       ///< of the keychain, as far as they were read
    std::vector<std::pair<std::string, QString>> pending_; ///< endpoint, entry
    std::function<void()> done_;
    secrets::KeychainStore keychain_;
};

} // namespace sg::app
