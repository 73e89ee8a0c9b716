// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/qnam_errors.h"

#include <QSslError>

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

} // namespace

Verdict judge(const ReplyFacts& facts)
{
    if (facts.status > 0)
        return answered(facts);
    switch (facts.error) {
    case QNetworkReply::ConnectionRefusedError:
        return {FailureKind::ConnectionRefused, QStringLiteral("the server refuses connections on this port")};
    case QNetworkReply::HostNotFoundError:
        return {FailureKind::HostNotFound, QStringLiteral("the host name has no address")};
    case QNetworkReply::SslHandshakeFailedError:
        if (facts.certificate == FailureKind::HostnameMismatch)
            return {facts.certificate, QStringLiteral("the server's certificate is for another host name")};
        if (facts.certificate == FailureKind::CertificateUntrusted)
            return {facts.certificate, QStringLiteral("the server's certificate is not trusted on this machine")};
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
    case QNetworkReply::ProxyConnectionRefusedError:
    case QNetworkReply::ProxyNotFoundError:
    case QNetworkReply::ProxyTimeoutError:
        return {FailureKind::ConnectionRefused, QStringLiteral("the proxy cannot be reached")};
    default:
        return closedEarly(facts);
    }
}

FailureKind certificateProblem(const QList<QSslError>& errors)
{
    FailureKind found = FailureKind::None;
    for (const QSslError& error : errors) {
        if (error.error() == QSslError::NoError)
            continue;
        if (error.error() != QSslError::HostNameMismatch)
            return FailureKind::CertificateUntrusted; // the graver of the two: the name of an unproven certificate
                                                      // says nothing
        found = FailureKind::HostnameMismatch;
    }
    return found;
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
