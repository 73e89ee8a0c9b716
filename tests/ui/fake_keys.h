// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/secrets/key_control.h"

namespace sg::test {

/// Keys without a keychain: states as a test sets them, and what was stored where.
class FakeKeys : public secrets::KeyControl
{
public:
    using Place = std::pair<secrets::KeyHome, QString>;

    std::map<Place, secrets::KeyStatus> states; ///< one that is not there is Missing
    std::map<Place, QByteArray> stored;
    std::optional<secrets::SecretError> refusal; ///< answered to the next store()
    bool isSlow = false;                         ///< the answer to store() waits for answer()
    std::function<void()> answer;
    bool works = true;
    int readings = 0;

    void set(secrets::KeyHome home, const QString& name, secrets::KeyState state, const QString& words = {},
             const QString& remedy = {})
    {
        states[{home, name}] = {home, name, state, words, remedy, false};
        Q_EMIT changed();
    }
    secrets::KeyStatus status(secrets::KeyHome home, const QString& name) override
    {
        if (home == secrets::KeyHome::None)
            return {};
        if (const auto found = states.find({home, name}); found != states.end())
            return found->second;
        return {home,
                name,
                secrets::KeyState::Missing,
                QStringLiteral("There is no key named %1.").arg(name),
                QStringLiteral("Store one."),
                false};
    }
    void store(secrets::KeyHome home, const QString& name, const secrets::Secret& key,
               std::function<void(const secrets::WriteResult&)> done) override
    {
        if (std::exchange(isSlow, false)) {
            answer = [=, this] { store(home, name, key, done); };
            return;
        }
        if (refusal) {
            done(tl::unexpected(*std::exchange(refusal, std::nullopt)));
            return;
        }
        stored[{home, name}] = key.reveal();
        set(home, name, secrets::KeyState::Ready);
        done({});
    }
    void remove(secrets::KeyHome home, const QString& name,
                std::function<void(const secrets::WriteResult&)> done) override
    {
        stored.erase({home, name});
        states.erase({home, name});
        Q_EMIT changed();
        done({});
    }
    void readAgain() override { ++readings; }
    bool keychainWorks() const override { return works; }
};

} // namespace sg::test
