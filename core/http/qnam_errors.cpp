// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/qnam_errors.h"

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
        return badFraming();
    if (!complete)
        return cutShort(facts.bodyBytes, -1);
    if (facts.expectedBytes >= 0 && facts.bodyBytes < facts.expectedBytes)
        return cutShort(facts.bodyBytes, facts.expectedBytes);
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

/// What ends before there is a connection to the server, where a proxy was named: Qt's codes for what proxies answer
/// to CONNECT (404, 503, 403, others) are those for the server itself.
std::optional<Verdict> proxyVerdict(const ReplyFacts& facts)
{
    switch (facts.error) {
    case QNetworkReply::ProxyAuthenticationRequiredError:
        return proxyFailed(ProxyTrouble::Credentials);
    case QNetworkReply::ProxyConnectionRefusedError:
    case QNetworkReply::ProxyNotFoundError:
    case QNetworkReply::ProxyTimeoutError:
        return proxyFailed(ProxyTrouble::Unreachable);
    case QNetworkReply::ProxyConnectionClosedError:
        return proxyFailed(ProxyTrouble::Closed);
    case QNetworkReply::HostNotFoundError:
        if (facts.proxied)
            return proxyFailed(ProxyTrouble::HostUnknown);
        break;
    case QNetworkReply::ConnectionRefusedError:
        if (facts.proxied)
            return proxyFailed(ProxyTrouble::NoWay);
        break;
    case QNetworkReply::UnknownProxyError:
    case QNetworkReply::UnknownNetworkError: // a proxy that refuses connections, and one that answers 403 or 502
    case QNetworkReply::NetworkSessionFailedError:
    case QNetworkReply::TemporaryNetworkFailureError:
        if (facts.proxied && !facts.connected)
            return proxyFailed(ProxyTrouble::UnreachableOrNoWay);
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
        return refused();
    case QNetworkReply::HostNotFoundError:
        return hostNotFound();
    case QNetworkReply::SslHandshakeFailedError:
        return facts.certificate == FailureKind::None ? tlsFailed()
                                                      : badCertificate(facts.certificate, facts.certificateWords);
    case QNetworkReply::TimeoutError:
        if (!facts.connected)
            return {FailureKind::ConnectTimeout, QStringLiteral("no connection within the system's own limit")};
        return closedEarly(facts.touched);
    case QNetworkReply::ProtocolUnknownError:
    case QNetworkReply::ProtocolInvalidOperationError:
        return {FailureKind::BadUrl, QStringLiteral("the address cannot be used for HTTP")};
    case QNetworkReply::NoError:
    case QNetworkReply::ProtocolFailure:
        return notHttp();
    case QNetworkReply::UnknownNetworkError:
    case QNetworkReply::NetworkSessionFailedError:
    case QNetworkReply::TemporaryNetworkFailureError:
        if (!facts.connected)
            return unreachable();
        return closedEarly(facts.touched);
    default:
        return closedEarly(facts.touched);
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
    return error ? withIssuer(error->errorString(), error->certificate()) : QString();
}

} // namespace sg::http
