// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/connection_profile.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QSslSocket>
#include <QUrl>

namespace sg::http {

namespace {

constexpr qint64 kLargestFile = 1024 * 1024;

QByteArray idOf(const std::optional<Proxy>& proxy, const QList<QSslCertificate>& authorities, HttpVersion version)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const auto add = [&hash](const QByteArray& part) {
        hash.addData(QByteArray::number(part.size()) + ':'); // so that no two lists of parts read alike
        hash.addData(part);
    };
    if (proxy) {
        add(proxy->kind == Proxy::Kind::Http ? "http" : "socks5");
        add(proxy->host.toUtf8());
        add(QByteArray::number(proxy->port));
        add(proxy->credentials);
    }
    if (version != HttpVersion::Http1)
        add(version == HttpVersion::Http2 ? "h2" : "h2 only");
    for (const QSslCertificate& certificate : authorities)
        add(certificate.digest(QCryptographicHash::Sha256));
    return hash.result();
}

} // namespace

ConnectionProfile::ConnectionProfile(std::optional<Proxy> proxy, QList<QSslCertificate> authorities,
                                     HttpVersion version)
    : proxy_(std::move(proxy))
    , authorities_(std::move(authorities))
    , version_(version)
    , id_(idOf(proxy_, authorities_, version))
{
}

tl::expected<Proxy, QString> parseProxy(const QString& address)
{
    const QString form = QStringLiteral("Write http://host:port or socks5://host:port.");
    const QUrl url(address.trimmed(), QUrl::StrictMode);
    if (!url.userInfo().isEmpty() || address.contains(QLatin1Char('@')))
        return tl::unexpected(
            QStringLiteral("The proxy's address holds a user name or password. Keep \"user:password\" "
                           "as a key and name that as the proxy's key."));
    const QString scheme = url.scheme().toLower();
    Proxy proxy;
    if (scheme == QLatin1String("socks5") || scheme == QLatin1String("socks5h"))
        proxy.kind = Proxy::Kind::Socks5;
    else if (scheme != QLatin1String("http"))
        return tl::unexpected(QStringLiteral("The proxy's address begins with neither http:// nor socks5://. ") + form);
    if (!url.isValid() || url.host().isEmpty())
        return tl::unexpected(QStringLiteral("The proxy's address names no host. ") + form);
    if (url.port() <= 0)
        return tl::unexpected(QStringLiteral("The proxy's address names no port. ") + form);
    if (url.path().size() > 1 || url.hasQuery() || url.hasFragment())
        return tl::unexpected(QStringLiteral("The proxy's address has something after its port. ") + form);
    proxy.host = url.host();
    proxy.port = static_cast<quint16>(url.port());
    return proxy;
}

tl::expected<QList<QSslCertificate>, QString> readAuthorities(const QString& path)
{
    const auto wrong = [&path](const QString& what, const QString& remedy) {
        return tl::unexpected(QStringLiteral("The CA file %1 %2. %3").arg(path, what, remedy));
    };
    const QFileInfo info(path);
    if (!info.isAbsolute())
        return wrong(QStringLiteral("is not named by its whole path"), QStringLiteral("Write it from / on."));
    if (!info.exists())
        return wrong(QStringLiteral("does not exist"), QStringLiteral("Check the path."));
    if (!info.isFile() || info.size() > kLargestFile)
        return wrong(QStringLiteral("is not a file of certificates"),
                     QStringLiteral("Name a PEM file of 1 MiB at most."));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return wrong(QStringLiteral("cannot be read"), QStringLiteral("Check its permissions."));
    if (!QSslSocket::supportsSsl())
        return wrong(QStringLiteral("is of no use"),
                     QStringLiteral("Install Qt's OpenSSL backend and the OpenSSL library."));
    QList<QSslCertificate> found = QSslCertificate::fromData(file.read(kLargestFile), QSsl::Pem);
    found.removeIf([](const QSslCertificate& certificate) { return certificate.isNull(); });
    if (found.isEmpty())
        return wrong(QStringLiteral("holds no certificate in PEM form"),
                     QStringLiteral("It has to hold a block that begins with -----BEGIN CERTIFICATE-----."));
    return found;
}

} // namespace sg::http
