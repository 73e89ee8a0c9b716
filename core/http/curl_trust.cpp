// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/curl_trust.h"

#include "core/http/verdict.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

namespace sg::http {

namespace {

QSslCertificate fromOpenSsl(X509* certificate)
{
    unsigned char* der = nullptr;
    const int size = certificate ? i2d_X509(certificate, &der) : 0;
    if (size <= 0)
        return QSslCertificate(QByteArray());
    const QByteArray bytes(reinterpret_cast<const char*>(der), size);
    OPENSSL_free(der);
    return QSslCertificate(bytes, QSsl::Der);
}

} // namespace

TrustStore::TrustStore(const QList<QSslCertificate>& authorities)
    : store_(X509_STORE_new())
{
    X509_STORE_set_default_paths(store_);
    for (const QSslCertificate& authority : authorities) {
        const QByteArray der = authority.toDer();
        auto* bytes = reinterpret_cast<const unsigned char*>(der.constData());
        X509* const certificate = d2i_X509(nullptr, &bytes, static_cast<long>(der.size()));
        if (certificate)
            X509_STORE_add_cert(store_, certificate);
        X509_free(certificate);
    }
    ERR_clear_error();
}

TrustStore::~TrustStore()
{
    X509_STORE_free(store_);
}

void TrustStore::apply(ssl_ctx_st* context, CertificateProblem& problem) const
{
    problem = {};
    SSL_CTX_set1_cert_store(context, store_);
    SSL_CTX_set_app_data(context, &problem);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, &TrustStore::onVerified);
}

int TrustStore::onVerified(int isGood, x509_store_ctx_st* context)
{
    if (isGood)
        return isGood;
    const auto* ssl = static_cast<SSL*>(X509_STORE_CTX_get_ex_data(context, SSL_get_ex_data_X509_STORE_CTX_idx()));
    auto* problem = static_cast<CertificateProblem*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
    if (!problem || problem->kind != FailureKind::None)
        return isGood;
    const auto reason = QString::fromLatin1(X509_verify_cert_error_string(X509_STORE_CTX_get_error(context)));
    *problem = {FailureKind::CertificateUntrusted,
                withIssuer(reason, fromOpenSsl(X509_STORE_CTX_get_current_cert(context)))};
    return isGood;
}

QString certificateOf(const ssl_st* connection)
{
    X509* const certificate = SSL_get1_peer_certificate(connection);
    const QString text = certificateText(fromOpenSsl(certificate));
    X509_free(certificate);
    return text;
}

} // namespace sg::http
