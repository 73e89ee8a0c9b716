// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QSslCertificate>
#include <QSslKey>
#include <QTcpServer>

#include <optional>

namespace sg::testing {

struct Identity
{
    QSslCertificate certificate;
    QSslKey key;
};

/// A certificate signed by itself, made now by the openssl program; empty when there is none.
std::optional<Identity> selfSigned(const QByteArray& subjectAltName);

/// A certificate authority of the test's own, and a server's certificate that it signed; empty without openssl.
struct PrivateAuthority
{
    QByteArray pem; ///< the authority's certificate
    Identity server;
};
std::optional<PrivateAuthority> privateAuthority(const QByteArray& subjectAltName);

/// Answers every request with "200 ok" over TLS, or with what it was told to.
class TlsServer final : public QTcpServer
{
public:
    explicit TlsServer(Identity identity);
    void setAnswer(const QByteArray& answer) { answer_ = answer; } ///< status line, headers and body
    int connections() const { return connections_; }
    const QList<QByteArray>& heads() const { return heads_; }

protected:
    void incomingConnection(qintptr descriptor) override;

private:
    Identity identity_;
    QByteArray answer_ = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    QList<QByteArray> heads_;
    int connections_ = 0;
};

} // namespace sg::testing
