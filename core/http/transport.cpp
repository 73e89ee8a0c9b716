// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/transport.h"

#include "core/http/header_text.h"

namespace sg::http {

QByteArray headerValue(const Headers& headers, QByteArrayView name)
{
    for (const auto& [key, value] : headers) {
        if (sameName(key, name))
            return value;
    }
    return {};
}

const char* toString(FailureKind kind)
{
    switch (kind) {
    case FailureKind::None:
        return "none";
    case FailureKind::BadUrl:
        return "bad_url";
    case FailureKind::HostNotFound:
        return "host_not_found";
    case FailureKind::ConnectionRefused:
        return "connection_refused";
    case FailureKind::ConnectionReset:
        return "connection_reset";
    case FailureKind::OutcomeUnknown:
        return "outcome_unknown";
    case FailureKind::TlsFailed:
        return "tls_failed";
    case FailureKind::CertificateUntrusted:
        return "certificate_untrusted";
    case FailureKind::HostnameMismatch:
        return "hostname_mismatch";
    case FailureKind::NoTls:
        return "no_tls";
    case FailureKind::ConnectTimeout:
        return "connect_timeout";
    case FailureKind::FirstByteTimeout:
        return "first_byte_timeout";
    case FailureKind::IdleTimeout:
        return "idle_timeout";
    case FailureKind::TotalTimeout:
        return "total_timeout";
    case FailureKind::ErrorBodyTimeout:
        return "error_body_timeout";
    case FailureKind::BodyTooLarge:
        return "body_too_large";
    case FailureKind::Protocol:
        return "protocol";
    case FailureKind::NoDescriptors:
        return "no_descriptors";
    case FailureKind::ProxyFailed:
        return "proxy_failed";
    case FailureKind::Cancelled:
        return "cancelled";
    }
    return "unknown";
}

} // namespace sg::http
