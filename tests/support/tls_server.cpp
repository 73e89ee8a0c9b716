// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/tls_server.h"

#include <QFile>
#include <QProcess>
#include <QSslSocket>
#include <QStandardPaths>
#include <QTemporaryDir>

namespace sg::testing {

std::optional<Identity> selfSigned(const QByteArray& subjectAltName)
{
    const QString openssl = QStandardPaths::findExecutable(QStringLiteral("openssl"));
    QTemporaryDir folder;
    if (openssl.isEmpty() || !folder.isValid())
        return std::nullopt;
    const QString key = folder.filePath(QStringLiteral("key.pem"));
    const QString certificate = folder.filePath(QStringLiteral("cert.pem"));
    QProcess process;
    process.start(openssl,
                  {QStringLiteral("req"), QStringLiteral("-x509"), QStringLiteral("-newkey"), QStringLiteral("ec"),
                   QStringLiteral("-pkeyopt"), QStringLiteral("ec_paramgen_curve:prime256v1"), QStringLiteral("-nodes"),
                   QStringLiteral("-days"), QStringLiteral("2"), QStringLiteral("-subj"),
                   QStringLiteral("/CN=switchgear test"), QStringLiteral("-addext"),
                   QStringLiteral("subjectAltName=") + QString::fromLatin1(subjectAltName), QStringLiteral("-keyout"),
                   key, QStringLiteral("-out"), certificate});
    if (!process.waitForFinished(20000) || process.exitCode() != 0)
        return std::nullopt;
    QFile keyFile(key);
    QFile certificateFile(certificate);
    if (!keyFile.open(QIODevice::ReadOnly) || !certificateFile.open(QIODevice::ReadOnly))
        return std::nullopt;
    return Identity{QSslCertificate(certificateFile.readAll()), QSslKey(keyFile.readAll(), QSsl::Ec)};
}

TlsServer::TlsServer(Identity identity)
    : identity_(std::move(identity))
{
    if (!listen(QHostAddress::LocalHost, 0))
        qFatal("cannot listen on loopback");
}

void TlsServer::incomingConnection(qintptr descriptor)
{
    auto* socket = new QSslSocket(this);
    socket->setSocketDescriptor(descriptor);
    socket->setLocalCertificate(identity_.certificate);
    socket->setPrivateKey(identity_.key);
    connect(socket, &QSslSocket::readyRead, socket, [socket] {
        if (socket->readAll().contains("\r\n\r\n"))
            socket->write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    });
    socket->startServerEncryption();
}

} // namespace sg::testing
