// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/transport_facts.h"

namespace sg::engine {

provider::TransportError toTransportError(http::FailureKind kind)
{
    using K = http::FailureKind;
    using E = provider::TransportError;
    switch (kind) {
    case K::BadUrl:
        return E::BadScheme;
    case K::HostNotFound:
        return E::Dns;
    case K::ConnectionRefused:
    case K::ProxyFailed:
        return E::Refused;
    case K::NoDescriptors:
        return E::NoDescriptors;
    case K::OutcomeUnknown:
        return E::OutcomeUnknown;
    case K::TlsFailed:
    case K::NoTls:
        return E::TlsHandshake;
    case K::CertificateUntrusted:
        return E::CertificateUntrusted;
    case K::HostnameMismatch:
        return E::HostnameMismatch;
    case K::ConnectTimeout:
        return E::ConnectTimeout;
    case K::FirstByteTimeout:
        return E::FirstByteTimeout;
    case K::IdleTimeout:
        return E::IdleTimeout;
    case K::TotalTimeout:
    case K::ErrorBodyTimeout: // never asked: there is a status, which decides
        return E::TotalTimeout;
    case K::BodyTooLarge:
        return E::BodyTooLarge;
    case K::Protocol:
        return E::NotHttp;
    case K::Cancelled:
        return E::Cancelled;
    case K::None:
    case K::ConnectionReset:
        break;
    }
    return E::Reset;
}

policy::HeaderList toHeaderList(const http::Headers& headers)
{
    policy::HeaderList list;
    list.reserve(headers.size());
    for (const auto& [name, value] : headers)
        list.emplace_back(name.toStdString(), value.toStdString());
    return list;
}

} // namespace sg::engine
