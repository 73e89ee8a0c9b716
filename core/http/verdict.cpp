// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/verdict.h"

#include "core/http/header_text.h"

#include <QDateTime>

namespace sg::http {

namespace {

Verdict verdict(FailureKind failure, const char* words)
{
    return {failure, QString::fromLatin1(words)};
}

QString shortName(QString text)
{
    text.removeIf([](QChar c) { return !c.isPrint(); });
    return text.simplified().left(80);
}

} // namespace

Verdict withoutDescriptors()
{
    return verdict(FailureKind::NoDescriptors,
                   "this process has as many files and connections open as it may; nothing was sent");
}

Verdict closedEarly(bool touched)
{
    if (touched)
        return verdict(FailureKind::OutcomeUnknown, "the connection was closed after the request was sent and before "
                                                    "any answer; the request may have been executed");
    return verdict(FailureKind::ConnectionReset, "the connection was closed before the request was sent");
}

Verdict cutShort(qint64 bytes, qint64 expected)
{
    if (expected < 0)
        return verdict(FailureKind::ConnectionReset, "the connection was closed in the middle of the answer");
    return {FailureKind::ConnectionReset,
            QStringLiteral("the answer ended after %1 of %2 bytes").arg(bytes).arg(expected)};
}

Verdict badFraming()
{
    return verdict(FailureKind::Protocol, "the answer's framing is not valid HTTP");
}

Verdict notHttp()
{
    return verdict(FailureKind::Protocol, "what the server sent is not HTTP");
}

Verdict refused()
{
    return verdict(FailureKind::ConnectionRefused, "the server refuses connections on this port");
}

Verdict unreachable()
{
    return verdict(FailureKind::ConnectionRefused, "the network cannot reach the server");
}

Verdict hostNotFound()
{
    return verdict(FailureKind::HostNotFound, "the host name has no address");
}

Verdict tlsFailed()
{
    return verdict(FailureKind::TlsFailed, "the TLS handshake failed");
}

Verdict badCertificate(FailureKind problem, const QString& reason)
{
    const QString sentence = problem == FailureKind::HostnameMismatch
                                 ? QStringLiteral("the server's certificate is for another host name")
                                 : QStringLiteral("the server's certificate is not trusted on this machine");
    return {problem, reason.isEmpty() ? sentence : QStringLiteral("%1: %2").arg(sentence, reason)};
}

Verdict tooLargeAnnounced(qint64 announced, qint64 allowed)
{
    return {FailureKind::BodyTooLarge,
            QStringLiteral("the answer is announced with %1 bytes; %2 are allowed").arg(announced).arg(allowed)};
}

Verdict tooLarge(qint64 allowed)
{
    return {FailureKind::BodyTooLarge, QStringLiteral("the answer is longer than the %1 bytes allowed").arg(allowed)};
}

Verdict proxyFailed(ProxyTrouble trouble)
{
    switch (trouble) {
    case ProxyTrouble::Credentials:
        return verdict(FailureKind::ProxyFailed,
                       "the proxy asks for a user name and password, or refuses those it was given");
    case ProxyTrouble::Unreachable:
        return verdict(FailureKind::ProxyFailed, "the proxy cannot be reached");
    case ProxyTrouble::Closed:
        return verdict(FailureKind::ProxyFailed, "the proxy closed the connection");
    case ProxyTrouble::HostUnknown:
        return verdict(FailureKind::ProxyFailed, "the proxy does not find the server");
    case ProxyTrouble::NoWay:
        return verdict(FailureKind::ProxyFailed, "the proxy opens no way to the server");
    case ProxyTrouble::UnreachableOrNoWay:
        break;
    }
    return verdict(FailureKind::ProxyFailed, "the proxy cannot be reached, or opens no way to the server");
}

Verdict precheck(const Request& request)
{
    const QString scheme = request.url.scheme();
    if (scheme != QLatin1String("http") && scheme != QLatin1String("https"))
        return verdict(FailureKind::BadUrl, "the address has to begin with http:// or https://");
    if (!request.url.isValid() || request.url.host().isEmpty())
        return verdict(FailureKind::BadUrl, "the address names no host");
    if (request.method.isEmpty() || breaksLine(request.method))
        return verdict(FailureKind::Protocol, "the request has no valid method");
    for (const auto& [name, value] : request.headers) {
        if (breaksLine(name) || breaksLine(value) || name.isEmpty())
            return {
                FailureKind::Protocol,
                QStringLiteral("the header \"%1\" contains a line break").arg(QString::fromLatin1(name).simplified())};
    }
    return {};
}

QString nameIn(const QSslCertificate& certificate, bool issuer)
{
    for (const auto kind : {QSslCertificate::CommonName, QSslCertificate::Organization}) {
        const QStringList names = issuer ? certificate.issuerInfo(kind) : certificate.subjectInfo(kind);
        if (!names.isEmpty() && !names.front().isEmpty())
            return shortName(names.front());
    }
    return {};
}

QString withIssuer(QString reason, const QSslCertificate& certificate)
{
    while (reason.endsWith(QLatin1Char('.')))
        reason.chop(1);
    const QString issuer = nameIn(certificate, true);
    return issuer.isEmpty() ? reason : QStringLiteral("%1 (issued by \"%2\")").arg(reason, issuer);
}

QString certificateText(const QSslCertificate& certificate)
{
    if (certificate.isNull())
        return {};
    return QStringLiteral("CN=%1, issued by %2, until %3")
        .arg(nameIn(certificate, false), nameIn(certificate, true),
             certificate.expiryDate().toUTC().date().toString(Qt::ISODate));
}

QString limitText(FailureKind limit, Nanos length)
{
    const QString time = QString::number(std::chrono::ceil<Millis>(length).count());
    switch (limit) {
    case FailureKind::ConnectTimeout:
        return QStringLiteral("no connection within %1 ms").arg(time);
    case FailureKind::FirstByteTimeout:
        return QStringLiteral("no answer within %1 ms after the request was sent").arg(time);
    case FailureKind::IdleTimeout:
        return QStringLiteral("the answer stopped for %1 ms").arg(time);
    case FailureKind::ErrorBodyTimeout:
        return QStringLiteral("the body of an error was not complete within %1 ms").arg(time);
    default:
        return QStringLiteral("not complete within %1 ms").arg(time);
    }
}

} // namespace sg::http
