// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/secrets/secret_store.h"

namespace sg::secrets {

enum class KeyHome { None, Environment, Keychain, Session };

enum class KeyState {
    NotNeeded, ///< none, on purpose
    Ready,     ///< it is there and can be sent
    Reading,   ///< the keychain has not answered yet
    Missing,   ///< the place has no such key
    Malformed, ///< what is there cannot be a key
    Locked,    ///< the keychain is closed
    Absent,    ///< there is no keychain here
    Denied,    ///< the keychain or its owner refused, or it does not keep what it is given
};

/// One endpoint's key as the screen shows it; never the key.
struct KeyStatus
{
    KeyHome home = KeyHome::None;
    QString name; ///< the variable or entry
    KeyState state = KeyState::NotNeeded;
    QString words;      ///< a sentence: what is wrong or odd; empty when nothing is
    QString remedy;     ///< a sentence: the way on
    bool isOdd = false; ///< usable, but does not begin as its provider's keys do
    bool operator==(const KeyStatus&) const = default;
};

/// Keys as the operator handles them. Lives in the GUI thread; nothing waits. Nothing is ever kept in plain text.
class KeyControl : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    /// Where a key is named, by home and name, whatever endpoint uses it. One that was not asked for before is Reading.
    virtual KeyStatus status(KeyHome home, const QString& name) = 0;
    /// Keeps a key in the keychain or for this run; `done` once.
    virtual void store(KeyHome home, const QString& name, const Secret& key,
                       std::function<void(const WriteResult&)> done) = 0;
    virtual void remove(KeyHome home, const QString& name, std::function<void(const WriteResult&)> done) = 0;
    /// What the key's provider begins its keys with, for KeyStatus::isOdd; empty: nothing is known.
    virtual void expect(KeyHome, const QString&, const QStringList&) {}
    virtual void readAgain() = 0;           ///< after unlocking, or after a variable was set
    virtual bool keychainWorks() const = 0; ///< as far as is known

Q_SIGNALS:
    void changed(); ///< some status is another one now
};

} // namespace sg::secrets
