// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/keys.h"

#include "core/engine/key_home.h"

namespace sg::app {

namespace {

QString inOneLine(const secrets::KeyStatus& status)
{
    return status.words + QLatin1Char(' ') + status.remedy;
}

/// Where the key is, as it stands before what is odd about it.
QString placeOf(const workspace::KeyRef& ref)
{
    return ref.source == workspace::KeySource::Environment ? ref.name
                                                           : QStringLiteral("Keychain entry \"%1\"").arg(ref.name);
}

} // namespace

KeyRing::KeyRing(secrets::KeyDesk& desk, const workspace::Workspace& workspace)
    : desk_(desk)
{
    for (std::size_t i = 0; i < workspace.endpoints.size(); ++i) {
        const workspace::Endpoint& endpoint = workspace.endpoints[i];
        const QString place = QStringLiteral("endpoints[%1].").arg(i);
        const auto use = [&](const workspace::KeyRef& ref, const QString& field, const QStringList& prefixes) {
            if (ref.source != workspace::KeySource::None)
                uses_.push_back({endpoint.spec.name, place + field, ref, prefixes});
        };
        use(endpoint.key, QStringLiteral("key"), engine::keyPrefixesOf(workspace, endpoint));
        if (!endpoint.proxy.isEmpty())
            use(endpoint.proxyKey, QStringLiteral("proxy_key"), {});
        desk_.expect(engine::homeOf(endpoint.key.source), endpoint.key.name,
                     engine::keyPrefixesOf(workspace, endpoint));
    }
}

bool KeyRing::needsKeychain() const
{
    return std::ranges::any_of(uses_, [](const Use& use) { return use.ref.source == workspace::KeySource::Keychain; });
}

void KeyRing::readKeychain(std::function<void()> done)
{
    for (const Use& use : uses_)
        desk_.status(engine::homeOf(use.ref.source), use.ref.name);
    desk_.whenIdle(std::move(done));
}

KeyRing::Key KeyRing::keyIn(secrets::KeyDesk& desk, const workspace::KeyRef& ref)
{
    const auto key = desk.key(engine::homeOf(ref.source), ref.name);
    if (!key)
        return tl::unexpected(inOneLine(key.error()));
    return key->reveal();
}

KeyRing::Keys KeyRing::keys() const
{
    Keys keys;
    for (const Use& use : uses_)
        keys.insert_or_assign({use.ref.source, use.ref.name}, keyIn(desk_, use.ref));
    return keys;
}

engine::KeyLookup KeyRing::lookupIn(Keys keys)
{
    return [keys = std::move(keys)](const workspace::KeyRef& ref) -> Key {
        const auto key = keys.find({ref.source, ref.name});
        return key == keys.end() ? tl::unexpected(QStringLiteral("The endpoint has no key.")) : key->second;
    };
}

std::vector<KeyRing::Remark> KeyRing::problems() const
{
    std::vector<Remark> problems;
    for (const Use& use : uses_)
        if (const Key key = keyIn(desk_, use.ref); !key)
            problems.push_back({use.endpoint, use.place, key.error()});
    return problems;
}

std::vector<KeyRing::Remark> KeyRing::warnings() const
{
    std::vector<Remark> warnings;
    for (const Use& use : uses_) {
        const Key key = keyIn(desk_, use.ref);
        if (!key)
            continue;
        if (const auto odd = secrets::checkKeyPrefix(QString::fromUtf8(*key), use.prefixes))
            warnings.push_back(
                {use.endpoint, use.place, QStringLiteral("%1: %2 %3").arg(placeOf(use.ref), odd->words, odd->remedy)});
    }
    return warnings;
}

} // namespace sg::app
