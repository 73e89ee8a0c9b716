// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/secrets/key_control.h"

#include <deque>

namespace sg::secrets {

/// The one way to keys: environment, keychain and what was typed in for this run. The keychain is asked one thing after
/// the other, so that it never shows two windows at once, and once it was locked or absent not again by itself.
class KeyDesk final : public KeyControl
{
    Q_OBJECT
public:
    /// `service` is the name under which the keychain keeps the entries.
    explicit KeyDesk(const QString& service = QStringLiteral("switchgear"), QObject* parent = nullptr);

    KeyStatus status(KeyHome home, const QString& name) override;
    void store(KeyHome home, const QString& name, const Secret& key,
               std::function<void(const WriteResult&)> done) override;
    void remove(KeyHome home, const QString& name, std::function<void(const WriteResult&)> done) override;
    void expect(KeyHome home, const QString& name, const QStringList& prefixes) override;
    void readAgain() override;
    bool keychainWorks() const override { return !keychainFault_; }

    /// The key itself, for those who send it, or how it stands instead. Asks no keychain: an entry that status() was
    /// never called for is Reading.
    tl::expected<Secret, KeyStatus> key(KeyHome home, const QString& name);
    /// Calls `done` when nothing is being asked of the keychain any more; at once when nothing is.
    void whenIdle(std::function<void()> done);

private:
    using Place = std::pair<KeyHome, QString>;
    struct Entry
    {
        std::optional<ReadResult> read; ///< not set: the keychain has not answered yet
        QStringList prefixes;
        bool asked = false;
    };
    using Task = std::function<void(std::function<void()> next)>;

    Entry& entryAt(const Place& place);
    static KeyStatus statusOf(const Place& place, const Entry& entry);
    void settle(const Place& place, const ReadResult& read);
    void readLater(const QString& name);
    void enqueue(Task task);
    void runNext();
    void noteFault(const std::optional<SecretError>& fault);
    void storeInKeychain(const QString& name, const Secret& key, const std::function<void(const WriteResult&)>& done);
    void readBack(const QString& name, const Secret& key, const std::function<void(const WriteResult&)>& done);
    WriteResult storeForThisRun(const QString& name, const Secret& key);

    EnvironmentStore environment_;
    SessionStore session_;
    KeychainStore keychain_;
    std::map<Place, Entry> entries_;
    std::deque<Task> tasks_;
    std::vector<std::function<void()>> waiting_;
    std::optional<SecretError> keychainFault_; ///< locked or absent, as it said last
    bool busy_ = false;
};

} // namespace sg::secrets
