// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/secrets/secret_store.h"

namespace sg::secrets {

const char* toString(SecretErrorKind kind)
{
    switch (kind) {
    case SecretErrorKind::Missing:
        return "missing";
    case SecretErrorKind::Locked:
        return "locked";
    case SecretErrorKind::Absent:
        return "absent";
    case SecretErrorKind::Malformed:
        return "malformed";
    case SecretErrorKind::Denied:
        return "denied";
    }
    return "";
}

ReadResult EnvironmentStore::readNow(const QString& variable) const
{
    const QByteArray name = variable.toLocal8Bit();
    if (!qEnvironmentVariableIsSet(name.constData()))
        return tl::unexpected(SecretError{
            SecretErrorKind::Missing, QStringLiteral("The environment variable %1 is not set.").arg(variable),
            QStringLiteral("Set it and start Switchgear from there, or keep the key in the keychain.")});
    const QByteArray value = trimmedKey(qgetenv(name.constData()));
    if (auto problem = checkKey(QString::fromLocal8Bit(value))) {
        problem->words = QStringLiteral("%1: %2").arg(variable, problem->words);
        return tl::unexpected(*problem);
    }
    return Secret(value);
}

void EnvironmentStore::read(const QString& variable, std::function<void(const ReadResult&)> done)
{
    done(readNow(variable));
}

WriteResult SessionStore::write(const QString& name, const Secret& secret)
{
    if (const auto problem = checkKey(QString::fromUtf8(secret.reveal())))
        return tl::unexpected(*problem);
    const std::scoped_lock lock(mutex_);
    secrets_[name] = Secret(trimmedKey(secret.reveal()));
    return {};
}

void SessionStore::remove(const QString& name)
{
    const std::scoped_lock lock(mutex_);
    secrets_.erase(name);
}

ReadResult SessionStore::readNow(const QString& name) const
{
    const std::scoped_lock lock(mutex_);
    const auto found = secrets_.find(name);
    if (found != secrets_.end())
        return found->second;
    return tl::unexpected(SecretError{SecretErrorKind::Missing,
                                      QStringLiteral("No key \"%1\" was entered in this run.").arg(name),
                                      QStringLiteral("Enter it, or keep it in the keychain to have it next time.")});
}

void SessionStore::read(const QString& name, std::function<void(const ReadResult&)> done)
{
    done(readNow(name));
}

} // namespace sg::secrets
