// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/secrets/secret_store.h"

#include <QRandomGenerator>

#include <qt6keychain/keychain.h>

namespace sg::secrets {

namespace {

bool mentions(const QString& text, std::initializer_list<const char*> words)
{
    return std::any_of(words.begin(), words.end(),
                       [&](const char* word) { return text.contains(QLatin1String(word), Qt::CaseInsensitive); });
}

SecretError absent()
{
    return {SecretErrorKind::Absent, QStringLiteral("No keychain service answers in this session."),
            QStringLiteral("Start one (GNOME Keyring or KWallet), or use an environment variable, or enter the key for "
                           "this run only.")};
}

SecretError locked()
{
    return {SecretErrorKind::Locked, QStringLiteral("The keychain is locked."),
            QStringLiteral("Unlock it and try again, or enter the key for this run only.")};
}

/// Backends differ in which code they give for which state; their words decide where the code says nothing.
SecretError errorOf(const QKeychain::Job& job, const QString& name)
{
    const QString said = job.errorString();
    switch (job.error()) {
    case QKeychain::EntryNotFound:
        return {SecretErrorKind::Missing, QStringLiteral("The keychain has no key \"%1\".").arg(name),
                QStringLiteral("Enter the key; it is then kept there.")};
    case QKeychain::AccessDeniedByUser:
    case QKeychain::AccessDenied:
        if (mentions(said, {"locked", "dismissed"}))
            return locked();
        return {SecretErrorKind::Denied, QStringLiteral("The keychain refused access."),
                QStringLiteral("Allow Switchgear in the keychain's own window, or enter the key for this run only.")};
    case QKeychain::NoBackendAvailable:
    case QKeychain::NotImplemented:
        return absent();
    default:
        break;
    }
    if (mentions(said, {"locked", "dismissed", "prompt"}))
        return locked();
    if (mentions(said, {"Object does not exist"})) // a fresh session: the service is there and has no keyring yet
        return {SecretErrorKind::Absent, QStringLiteral("The keychain has no keyring to keep keys in."),
                QStringLiteral("Create a default keyring in the desktop's password program, or use an environment "
                               "variable, or enter the key for this run only.")};
    if (mentions(said, {"org.freedesktop", "dbus", "d-bus", "not provided by any", "service", "connect"}))
        return absent();
    return {SecretErrorKind::Denied, QStringLiteral("The keychain does not work: %1").arg(said),
            QStringLiteral("Check the keychain service, or use an environment variable.")};
}

} // namespace

KeychainStore::KeychainStore(QString service, QObject* parent)
    : QObject(parent)
    , service_(std::move(service))
{
}

void KeychainStore::readRaw(const QString& name, std::function<void(const tl::expected<QByteArray, SecretError>&)> done)
{
    auto* job = new QKeychain::ReadPasswordJob(service_, this);
    job->setInsecureFallback(false);
    job->setKey(name);
    connect(job, &QKeychain::Job::finished, this, [job, name, done = std::move(done)] {
        if (job->error() != QKeychain::NoError)
            return done(tl::unexpected(errorOf(*job, name)));
        done(job->textData().toUtf8());
    });
    job->start();
}

void KeychainStore::writeRaw(const QString& name, const QByteArray& value, std::function<void(const WriteResult&)> done)
{
    auto* job = new QKeychain::WritePasswordJob(service_, this);
    job->setInsecureFallback(false);
    job->setKey(name);
    job->setTextData(QString::fromUtf8(value));
    connect(job, &QKeychain::Job::finished, this, [job, name, done = std::move(done)] {
        if (job->error() != QKeychain::NoError)
            return done(tl::unexpected(errorOf(*job, name)));
        done({});
    });
    job->start();
}

void KeychainStore::read(const QString& name, std::function<void(const ReadResult&)> done)
{
    readRaw(name, [this, name, done = std::move(done)](const tl::expected<QByteArray, SecretError>& found) {
        if (found) {
            if (const auto problem = checkKey(QString::fromUtf8(*found)))
                return done(tl::unexpected(*problem));
            return done(Secret(trimmedKey(*found)));
        }
        if (found.error().kind != SecretErrorKind::Missing)
            return done(tl::unexpected(found.error()));
        check([done, missing = found.error()](const WriteResult& works) {
            done(tl::unexpected(works ? missing : works.error()));
        });
    });
}

void KeychainStore::write(const QString& name, const Secret& secret, std::function<void(const WriteResult&)> done)
{
    if (const auto problem = checkKey(QString::fromUtf8(secret.reveal())))
        return done(tl::unexpected(*problem));
    writeRaw(name, trimmedKey(secret.reveal()), std::move(done));
}

void KeychainStore::remove(const QString& name, std::function<void(const WriteResult&)> done)
{
    auto* job = new QKeychain::DeletePasswordJob(service_, this);
    job->setInsecureFallback(false);
    job->setKey(name);
    connect(job, &QKeychain::Job::finished, this, [job, name, done = std::move(done)] {
        if (job->error() != QKeychain::NoError && job->error() != QKeychain::EntryNotFound)
            return done(tl::unexpected(errorOf(*job, name)));
        done({});
    });
    job->start();
}

void KeychainStore::check(std::function<void(const WriteResult&)> done)
{
    // A name of its own for each trial, so that two programs checking at once do not remove each other's entry.
    const QString name = QStringLiteral("trial-%1").arg(QRandomGenerator::global()->generate64(), 0, 16);
    const QByteArray value = "trial-value-" + QByteArray::number(QRandomGenerator::global()->generate64(), 16);
    writeRaw(name, value, [this, name, value, done = std::move(done)](const WriteResult& written) {
        if (!written)
            return done(written);
        readRaw(name, [this, name, value, done](const tl::expected<QByteArray, SecretError>& found) {
            const bool same = found && *found == value;
            remove(name, [done, same](const WriteResult&) {
                if (same)
                    return done({});
                done(tl::unexpected(locked())); // it took the entry and does not show it: closed behind a prompt
            });
        });
    });
}

} // namespace sg::secrets
