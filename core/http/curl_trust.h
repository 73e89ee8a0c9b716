// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/transport.h"

#include <QList>
#include <QSslCertificate>

struct ssl_st;
struct ssl_ctx_st;
struct x509_store_st;
struct x509_store_ctx_st;

namespace sg::http {

/// What OpenSSL found wrong with a server's certificate.
struct CertificateProblem
{
    FailureKind kind = FailureKind::None;
    QString words;
};

/// Authorities in the form that OpenSSL takes: read once, not for every connection. Immutable; any thread.
class TrustStore
{
public:
    /// The machine's own, which OpenSSL loads when it needs them, and these.
    explicit TrustStore(const QList<QSslCertificate>& authorities);
    ~TrustStore();
    TrustStore(const TrustStore&) = delete;
    TrustStore& operator=(const TrustStore&) = delete;

    /// Connections of that context trust these; what is wrong with a certificate is written to `problem`, which has to
    /// live as long as the handshake.
    void apply(ssl_ctx_st* context, CertificateProblem& problem) const;

private:
    static int onVerified(int isGood, x509_store_ctx_st* context);
    x509_store_st* store_;
};

/// As in Outcome.
QString certificateOf(const ssl_st* connection);

} // namespace sg::http
