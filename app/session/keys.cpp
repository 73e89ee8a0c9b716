// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/keys.h"

#include <QUrl>

namespace sg::app {

namespace {

/// `kept` says where the key is, as it stands in the sentence about a key that cannot be one.
KeyRing::Key keyOf(const secrets::ReadResult& read, const QString& kept)
{
    if (!read)
        return tl::unexpected(read.error().words + QLatin1Char(' ') + read.error().remedy);
    if (const auto problem = secrets::checkKey(QString::fromUtf8(read->reveal())))
        return tl::unexpected(QStringLiteral("%1: %2 %3").arg(kept, problem->words, problem->remedy));
    return read->reveal();
}

/// What keys of the endpoint's provider begin with. Behind another address than the provider's own there is a relay,
/// which gives out keys of its own.
QStringList prefixesOf(const workspace::Workspace& workspace, const workspace::Endpoint& endpoint)
{
    const provider::ProviderProfile profile = workspace.profileOf(endpoint);
    const bool isItself = endpoint.baseUrl.trimmed().isEmpty() || profile.baseUrl.isEmpty() ||
                          QUrl(endpoint.baseUrl.trimmed()).host() == QUrl(profile.baseUrl).host();
    return isItself ? profile.keyPrefixes : QStringList();
}

} // namespace

KeyRing::KeyRing(const workspace::Workspace& workspace, const KeyRing* before)
    : entries_(before ? before->entries_ : std::map<QString, secrets::ReadResult>())
{
    const secrets::EnvironmentStore environment;
    for (const workspace::Endpoint& endpoint : workspace.endpoints) {
        const std::string& name = endpoint.spec.name;
        prefixes_[name] = prefixesOf(workspace, endpoint);
        switch (endpoint.key.source) {
        case workspace::KeySource::None:
            break;
        case workspace::KeySource::Environment:
            take(name, environment.readNow(endpoint.key.name), endpoint.key.name);
            break;
        case workspace::KeySource::Keychain:
            keys_[name] = tl::unexpected(QStringLiteral("The key is still being read from the keychain."));
            if (const auto known = entries_.find(endpoint.key.name); known != entries_.end() && known->second)
                take(name, known->second, endpoint.key.name);
            pending_.emplace_back(name, endpoint.key.name);
            break;
        case workspace::KeySource::Session:
            keys_[name] = tl::unexpected(QStringLiteral("The key was typed in for one run only. Name an environment "
                                                        "variable or a keychain entry in the workspace."));
            break;
        }
    }
}

void KeyRing::take(const std::string& endpoint, const secrets::ReadResult& read, const QString& kept)
{
    const Key key = keys_[endpoint] = keyOf(read, kept);
    if (!key)
        return;
    if (const auto odd = secrets::checkKeyPrefix(QString::fromUtf8(*key), prefixes_[endpoint]))
        warnings_[endpoint] = QStringLiteral("%1: %2 %3").arg(kept, odd->words, odd->remedy);
}

void KeyRing::readKeychain(std::function<void()> done)
{
    done_ = std::move(done);
    readNext();
}

void KeyRing::readNext()
{
    if (pending_.empty()) {
        if (const auto done = std::exchange(done_, {}))
            done();
        return;
    }
    const auto [endpoint, entry] = pending_.back();
    pending_.pop_back();
    keychain_.read(entry, [this, name = endpoint, entry = entry](const secrets::ReadResult& read) {
        entries_.insert_or_assign(entry, read);
        take(name, read, QStringLiteral("Keychain entry \"%1\"").arg(entry));
        readNext();
    });
}

} // namespace sg::app
