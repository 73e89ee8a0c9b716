// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/qnam_errors.h"

#include <QDateTime>
#include <QSslCertificate>
#include <QSslError>

#include <optional>

namespace sg::http {
namespace {

/// Qt reports 4xx and 5xx as errors too: they are answers.
bool isStatusError(QNetworkReply::NetworkError error)
{
    switch (error) {
    case QNetworkReply::ContentAccessDenied:
    case QNetworkReply::ContentOperationNotPermittedError:
    case QNetworkReply::ContentNotFoundError:
    case QNetworkReply::AuthenticationRequiredError:
    case QNetworkReply::ContentConflictError:
    case QNetworkReply::ContentGoneError:
    case QNetworkReply::UnknownContentError:
    case QNetworkReply::ProtocolInvalidOperationError:    // 400
    case QNetworkReply::ProxyAuthenticationRequiredError: // 407
    case QNetworkReply::InternalServerError:
    case QNetworkReply::OperationNotImplementedError:
    case QNetworkReply::ServiceUnavailableError:
    case QNetworkReply::UnknownServerError:
        return true;
    default:
        return false;
    }
}

Verdict answered(const ReplyFacts& facts)
{
    // Told not to follow, Qt still wants to rewind the body after a 307 or 308, and reads no further when it cannot.
    if (facts.error == QNetworkReply::ContentReSendError && facts.status / 100 == 3)
        return {};
    // Where the answer was there before Qt had noted that the request is out, Qt takes the close that ends a body
    // without length for a lost connection (QHttpNetworkConnectionChannel stays in WaitingState) and wants to send
    // again. Whether the content is whole is for its reader to tell, as after any close.
    if (facts.error == QNetworkReply::ContentReSendError && facts.endsByClose)
        return {};
    const bool complete = facts.error == QNetworkReply::NoError || isStatusError(facts.error);
    if (!complete && facts.error == QNetworkReply::ProtocolFailure)
        return {FailureKind::Protocol, QStringLiteral("the answer's framing is not valid HTTP")};
    if (!complete)
        return {FailureKind::ConnectionReset, QStringLiteral("the connection was closed in the middle of the answer")};
    if (facts.expectedBytes >= 0 && facts.bodyBytes < facts.expectedBytes)
        return {FailureKind::ConnectionReset,
                QStringLiteral("the answer ended after %1 of %2 bytes").arg(facts.bodyBytes).arg(facts.expectedBytes)};
    return {};
}

Verdict closedEarly(const ReplyFacts& facts)
{
    if (facts.touched)
        return {FailureKind::OutcomeUnknown,
                QStringLiteral("the connection was closed after the request was sent and before any answer; the "
                               "request may have been executed")};
    return {FailureKind::ConnectionReset, QStringLiteral("the connection was closed before the request was sent")};
}

/// Of text that a stranger's certificate brings: one line, and not long.
QString shortName(QString text)
{
    text.removeIf([](QChar c) { return !c.isPrint(); });
    return text.simplified().left(80);
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

const QSslError* graverOf(const QList<QSslError>& errors)
{
    const QSslError* found = nullptr;
    for (const QSslError& error : errors) {
        if (error.error() == QSslError::NoError)
            continue;
        if (error.error() != QSslError::HostNameMismatch)
            return &error; // the name of an unproven certificate says nothing
        found = &error;
    }
    return found;
}

QString withReason(const QString& sentence, const QString& reason)
{
    return reason.isEmpty() ? sentence : QStringLiteral("%1: %2").arg(sentence, reason);
}

Verdict proxyFailed(const char* words)
{
    return {FailureKind::ProxyFailed, QString::fromLatin1(words)};
}

/// What ends before there is a connection to the server, where a proxy was named: Qt's codes for what proxies answer
/// to CONNECT (404, 503, 403, others) are those for the server itself.
std::optional<Verdict> proxyVerdict(const ReplyFacts& facts)
{
    switch (facts.error) {
    case QNetworkReply::ProxyAuthenticationRequiredError:
        return proxyFailed("the proxy asks for a user name and password, or refuses those it was given");
    case QNetworkReply::ProxyConnectionRefusedError:
    case QNetworkReply::ProxyNotFoundError:
    case QNetworkReply::ProxyTimeoutError:
        return proxyFailed("the proxy cannot be reached");
    case QNetworkReply::ProxyConnectionClosedError:
        return proxyFailed("the proxy closed the connection");
    case QNetworkReply::HostNotFoundError:
        if (facts.proxied)
            return proxyFailed("the proxy does not find the server");
        break;
    case QNetworkReply::ConnectionRefusedError:
        if (facts.proxied)
            return proxyFailed("the proxy opens no way to the server");
        break;
    case QNetworkReply::UnknownProxyError:
    case QNetworkReply::UnknownNetworkError: // a proxy that refuses connections, and one that answers 403 or 502
    case QNetworkReply::NetworkSessionFailedError:
    case QNetworkReply::TemporaryNetworkFailureError:
        if (facts.proxied && !facts.connected)
            return proxyFailed("the proxy cannot be reached, or opens no way to the server");
        break;
    default:
        break;
    }
    return std::nullopt;
}

/// What Qt calls a socket, or the resolver's, that the system did not open.
bool isWithoutSocket(QNetworkReply::NetworkError error)
{
    return error == QNetworkReply::UnknownNetworkError || error == QNetworkReply::UnknownProxyError ||
           error == QNetworkReply::HostNotFoundError || error == QNetworkReply::ProxyNotFoundError ||
           error == QNetworkReply::TemporaryNetworkFailureError;
}

} // namespace

Verdict withoutDescriptors()
{
    return {FailureKind::NoDescriptors,
            QStringLiteral("this process has as many files and connections open as it may; nothing was sent")};
}

Verdict judge(const ReplyFacts& facts)
{
    if (facts.status > 0)
        return answered(facts);
    if (facts.outOfDescriptors && !facts.connected && isWithoutSocket(facts.error))
        return withoutDescriptors();
    if (const auto verdict = proxyVerdict(facts))
        return *verdict;
    switch (facts.error) {
    case QNetworkReply::ConnectionRefusedError:
        return {FailureKind::ConnectionRefused, QStringLiteral("the server refuses connections on this port")};
    case QNetworkReply::HostNotFoundError:
        return {FailureKind::HostNotFound, QStringLiteral("the host name has no address")};
    case QNetworkReply::SslHandshakeFailedError:
        if (facts.certificate == FailureKind::HostnameMismatch)
            return {facts.certificate, withReason(QStringLiteral("the server's certificate is for another host name"),
                                                  facts.certificateWords)};
        if (facts.certificate == FailureKind::CertificateUntrusted)
            return {facts.certificate,
                    withReason(QStringLiteral("the server's certificate is not trusted on this machine"),
                               facts.certificateWords)};
        return {FailureKind::TlsFailed, QStringLiteral("the TLS handshake failed")};
    case QNetworkReply::TimeoutError:
        if (!facts.connected)
            return {FailureKind::ConnectTimeout, QStringLiteral("no connection within the system's own limit")};
        return closedEarly(facts);
    case QNetworkReply::ProtocolUnknownError:
    case QNetworkReply::ProtocolInvalidOperationError:
        return {FailureKind::BadUrl, QStringLiteral("the address cannot be used for HTTP")};
    case QNetworkReply::NoError:
    case QNetworkReply::ProtocolFailure:
        return {FailureKind::Protocol, QStringLiteral("what the server sent is not HTTP")};
    case QNetworkReply::UnknownNetworkError:
    case QNetworkReply::NetworkSessionFailedError:
    case QNetworkReply::TemporaryNetworkFailureError:
        if (!facts.connected)
            return {FailureKind::ConnectionRefused, QStringLiteral("the network cannot reach the server")};
        return closedEarly(facts);
    default:
        return closedEarly(facts);
    }
}

FailureKind certificateProblem(const QList<QSslError>& errors)
{
    const QSslError* error = graverOf(errors);
    if (!error)
        return FailureKind::None;
    return error->error() == QSslError::HostNameMismatch ? FailureKind::HostnameMismatch
                                                         : FailureKind::CertificateUntrusted;
}

QString certificateWords(const QList<QSslError>& errors)
{
    const QSslError* error = graverOf(errors);
    if (!error)
        return {};
    QString reason = error->errorString();
    while (reason.endsWith(QLatin1Char('.')))
        reason.chop(1);
    const QString issuer = nameIn(error->certificate(), true);
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
    default:
        return QStringLiteral("not complete within %1 ms").arg(time);
    }
}

} // namespace sg::http
