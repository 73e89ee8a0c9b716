// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/secrets/secret.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <tl/expected.hpp>

/// Where keys are kept. A file never holds one.
namespace sg::secrets {

enum class SecretErrorKind {
    Missing,   ///< the store works and has no such entry
    Locked,    ///< the keychain is there but closed
    Absent,    ///< this machine or session has no keychain
    Malformed, ///< what is kept there cannot be a key
    Denied,    ///< the store or its owner refused
};
const char* toString(SecretErrorKind kind); // snake_case

struct SecretError
{
    SecretErrorKind kind = SecretErrorKind::Missing;
    QString words;  ///< a sentence: what is wrong; never holds a key
    QString remedy; ///< a sentence: the way on
    bool operator==(const SecretError&) const = default;
};
using ReadResult = tl::expected<Secret, SecretError>;
using WriteResult = tl::expected<void, SecretError>;

/// Reads are asynchronous because a keychain may ask its owner first. `done` is called exactly once, in the calling
/// thread, possibly before read returns; not at all when the store is destroyed first.
class SecretStore
{
public:
    virtual ~SecretStore() = default;
    virtual void read(const QString& name, std::function<void(const ReadResult&)> done) = 0;
};

/// Environment variables, read anew each time. Any thread.
class EnvironmentStore final : public SecretStore
{
public:
    ReadResult readNow(const QString& variable) const;
    void read(const QString& variable, std::function<void(const ReadResult&)> done) override;
};

/// Keys typed in for this run; gone when the program ends. Thread-safe.
class SessionStore final : public SecretStore
{
public:
    WriteResult write(const QString& name, const Secret& secret); ///< trimmed; Malformed as checkKey says
    void remove(const QString& name);
    ReadResult readNow(const QString& name) const;
    void read(const QString& name, std::function<void(const ReadResult&)> done) override;

private:
    mutable std::mutex mutex_;
    std::map<QString, Secret> secrets_;
};

/// The desktop's keychain through QtKeychain, never its plain-text substitute. Lives in one thread with an event loop.
/// Some keychains report "no such entry" while they are closed; before Missing is answered, a trial entry is written,
/// read back and removed, and what goes wrong with that is answered instead.
class KeychainStore final : public QObject, public SecretStore
{
    Q_OBJECT
public:
    explicit KeychainStore(QString service = QStringLiteral("switchgear"), QObject* parent = nullptr);
    void read(const QString& name, std::function<void(const ReadResult&)> done) override;
    void write(const QString& name, const Secret& secret, std::function<void(const WriteResult&)> done);
    void remove(const QString& name, std::function<void(const WriteResult&)> done); ///< a missing entry is fine
    /// Writes, reads back and removes a trial entry: does this keychain keep what it is given?
    void check(std::function<void(const WriteResult&)> done);

private:
    void readRaw(const QString& name, std::function<void(const tl::expected<QByteArray, SecretError>&)> done);
    void writeRaw(const QString& name, const QByteArray& value, std::function<void(const WriteResult&)> done);
    QString service_;
};

/// A key without what copying leaves around it: blanks, line breaks, a byte order mark. Stores answer with this.
QByteArray trimmedKey(const QByteArray& key);

/// Why a text cannot be a key, in plain words without the text itself; nothing when it can. What trimmedKey() takes
/// off is no fault. "user:password" of a proxy is a key too, and may be short.
std::optional<SecretError> checkKey(const QString& key);

/// What is odd about a key that begins with none of its provider's prefixes ("hs_"); nothing when it does, or when none
/// are known. Providers change their prefixes, so this is a warning and no verdict.
std::optional<SecretError> checkKeyPrefix(const QString& key, const QStringList& prefixes);

} // namespace sg::secrets
