// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/transport.h"

#include <QSslCertificate>

namespace sg::http {

/// What an exchange that is over came to.
struct Verdict
{
    FailureKind failure = FailureKind::None;
    QString detail; ///< own words: those of libraries contain the URL, and a URL may hold a key
};

// What every transport says in the same words.
Verdict withoutDescriptors();
/// `touched`: at least one byte of the request may have reached the server.
Verdict closedEarly(bool touched);
/// The connection ended within the answer. `expected`: what its Content-Length says; negative: nothing.
Verdict cutShort(qint64 bytes, qint64 expected);
Verdict badFraming();
Verdict notHttp();
Verdict refused();
Verdict unreachable();
Verdict hostNotFound();
Verdict tlsFailed();
/// `problem`: HostnameMismatch or CertificateUntrusted; `reason`: what was found wrong, for people; may be empty.
Verdict badCertificate(FailureKind problem, const QString& reason);
Verdict tooLargeAnnounced(qint64 announced, qint64 allowed);
Verdict tooLarge(qint64 allowed);

enum class ProxyTrouble { Credentials, Unreachable, Closed, HostUnknown, NoWay, UnreachableOrNoWay };
Verdict proxyFailed(ProxyTrouble trouble);

/// What can be refused without a connection, but for TLS that is not there.
Verdict precheck(const Request& request);

/// Of the subject or the issuer; text that a stranger's certificate brings: one line, and not long. May be empty.
QString nameIn(const QSslCertificate& certificate, bool issuer);
/// "REASON (issued by "NAME")".
QString withIssuer(QString reason, const QSslCertificate& certificate);
/// As in Outcome.
QString certificateText(const QSslCertificate& certificate);
QString limitText(FailureKind limit, Nanos length);

} // namespace sg::http
