// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QList>
#include <QSslCertificate>
#include <QString>

#include <optional>
#include <tl/expected.hpp>

namespace sg::http {

struct Proxy
{
    enum class Kind { Http, Socks5 };
    Kind kind = Kind::Http; ///< Http: a tunnel (CONNECT), also to addresses without TLS
    QString host;
    quint16 port = 0;
    QByteArray credentials{}; ///< "user:password"; empty: it asks for none
    bool operator==(const Proxy&) const = default;
};

/// Http1: HTTP/1.1. Http2: over TLS where the server offers it, else HTTP/1.1. Http2Only: also without TLS, and without
/// asking. Transports that know HTTP/1.1 only take that.
enum class HttpVersion { Http1, Http2, Http2Only };

/// How connections to an address are made, where that is not as the system has it. Immutable; any thread.
class ConnectionProfile
{
public:
    ConnectionProfile(std::optional<Proxy> proxy, QList<QSslCertificate> authorities,
                      HttpVersion version = HttpVersion::Http1);

    /// Nothing: as the system says, and directly to this machine's own addresses. Named ones are used for every
    /// address.
    const std::optional<Proxy>& proxy() const { return proxy_; }
    const QList<QSslCertificate>& authorities() const { return authorities_; } ///< trusted beside the system's
    HttpVersion version() const { return version_; }
    /// Two profiles with the same id make the same connections. A hash: what it is made of cannot be read from it.
    const QByteArray& id() const { return id_; }

private:
    std::optional<Proxy> proxy_;
    QList<QSslCertificate> authorities_;
    HttpVersion version_;
    QByteArray id_;
};

/// "http://host:port" or "socks5://host:port". The error is a sentence with the way on and holds no password.
tl::expected<Proxy, QString> parseProxy(const QString& address);

/// The certificates of a PEM file of 1 MiB at most; its path is absolute. The error is a sentence with the way on.
tl::expected<QList<QSslCertificate>, QString> readAuthorities(const QString& path);

} // namespace sg::http
