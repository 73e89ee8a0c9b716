// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/verdict.h"

#include <QNetworkReply>

namespace sg::http {

/// What is known about an exchange that Qt says is over.
struct ReplyFacts
{
    QNetworkReply::NetworkError error = QNetworkReply::NoError;
    int status = 0;
    bool outOfDescriptors = false;               ///< there was none for a socket, when last seen
    bool connected = false;                      ///< a connection existed
    bool touched = false;                        ///< at least one byte of the request may have reached the server
    FailureKind certificate = FailureKind::None; ///< what Qt found wrong with the server's certificate
    qint64 expectedBytes = -1;                   ///< Content-Length of a body that has to come; -1: not told
    qint64 bodyBytes = 0;
    bool endsByClose = false;   ///< the answer has neither a length nor chunks: the connection's end is its own
    bool proxied = false;       ///< through a proxy that was named for it
    QString certificateWords{}; ///< what Qt found wrong, for people; may be empty
};

Verdict judge(const ReplyFacts& facts);
FailureKind certificateProblem(const QList<QSslError>& errors);
/// "REASON (issued by "NAME")" of the error that certificateProblem() speaks of.
QString certificateWords(const QList<QSslError>& errors);

} // namespace sg::http
