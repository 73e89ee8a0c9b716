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

/// Answers every request with "200 ok" over TLS.
class TlsServer final : public QTcpServer
{
public:
    explicit TlsServer(Identity identity);

protected:
    void incomingConnection(qintptr descriptor) override;

private:
    Identity identity_;
};

} // namespace sg::testing
