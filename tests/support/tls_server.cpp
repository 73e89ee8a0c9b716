// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/tls_server.h"

#include <QFile>
#include <QProcess>
#include <QSslSocket>
#include <QStandardPaths>
#include <QTemporaryDir>

namespace sg::testing {

namespace {

struct Issued
{
    Identity identity;
    QByteArray pem;
};

/// In `folder`, as NAME.key and NAME.pem; signed by itself or by the `signer` of that folder.
std::optional<Issued> issue(const QTemporaryDir& folder, const QString& name, const QString& commonName,
                            const QByteArray& subjectAltName, const QString& signer = {})
{
    const QString openssl = QStandardPaths::findExecutable(QStringLiteral("openssl"));
    if (openssl.isEmpty() || !folder.isValid())
        return std::nullopt;
    const auto file = [&folder](const QString& of, const char* ending) {
        return folder.filePath(of + QLatin1String(ending));
    };
    QStringList arguments{QStringLiteral("req"),
                          QStringLiteral("-x509"),
                          QStringLiteral("-newkey"),
                          QStringLiteral("ec"),
                          QStringLiteral("-pkeyopt"),
                          QStringLiteral("ec_paramgen_curve:prime256v1"),
                          QStringLiteral("-nodes"),
                          QStringLiteral("-days"),
                          QStringLiteral("2"),
                          QStringLiteral("-subj"),
                          QStringLiteral("/CN=") + commonName,
                          QStringLiteral("-addext"),
                          QStringLiteral("subjectAltName=") + QString::fromLatin1(subjectAltName),
                          QStringLiteral("-keyout"),
                          file(name, ".key"),
                          QStringLiteral("-out"),
                          file(name, ".pem")};
    if (!signer.isEmpty())
        arguments << QStringLiteral("-CA") << file(signer, ".pem") << QStringLiteral("-CAkey") << file(signer, ".key");
    QProcess process;
    process.start(openssl, arguments);
    if (!process.waitForFinished(20000) || process.exitCode() != 0)
        return std::nullopt;
    QFile key(file(name, ".key"));
    QFile certificate(file(name, ".pem"));
    if (!key.open(QIODevice::ReadOnly) || !certificate.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QByteArray pem = certificate.readAll();
    return Issued{{QSslCertificate(pem), QSslKey(key.readAll(), QSsl::Ec)}, pem};
}

} // namespace

std::optional<Identity> selfSigned(const QByteArray& subjectAltName)
{
    const QTemporaryDir folder;
    const auto issued = issue(folder, QStringLiteral("server"), QStringLiteral("switchgear test"), subjectAltName);
    return issued ? std::optional(issued->identity) : std::nullopt;
}

std::optional<PrivateAuthority> privateAuthority(const QByteArray& subjectAltName)
{
    const QTemporaryDir folder;
    const auto authority = issue(folder, QStringLiteral("ca"), QStringLiteral("Switchgear Test CA"), "DNS:ca.invalid");
    if (!authority)
        return std::nullopt;
    const auto server = issue(folder, QStringLiteral("server"), QStringLiteral("switchgear test"), subjectAltName,
                              QStringLiteral("ca"));
    return server ? std::optional(PrivateAuthority{authority->pem, server->identity}) : std::nullopt;
}

TlsServer::TlsServer(Identity identity)
    : identity_(std::move(identity))
{
    if (!listen(QHostAddress::LocalHost, 0))
        qFatal("cannot listen on loopback");
}

void TlsServer::incomingConnection(qintptr descriptor)
{
    ++connections_;
    auto* socket = new QSslSocket(this);
    socket->setSocketDescriptor(descriptor);
    socket->setLocalCertificate(identity_.certificate);
    socket->setPrivateKey(identity_.key);
    connect(socket, &QSslSocket::readyRead, socket, [this, socket] {
        const QByteArray read = socket->readAll();
        if (!read.contains("\r\n\r\n"))
            return;
        heads_.append(read.left(read.indexOf("\r\n\r\n")));
        socket->write(answer_);
    });
    connect(socket, &QSslSocket::disconnected, socket, &QObject::deleteLater);
    socket->startServerEncryption();
}

} // namespace sg::testing
