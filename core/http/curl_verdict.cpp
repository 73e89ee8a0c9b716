// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/curl_verdict.h"

#include <cerrno>
#include <optional>

namespace sg::http {

namespace {

Verdict answered(const CurlFacts& facts)
{
    switch (facts.code) {
    case CURLE_OK:
        return {};
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_HTTP2:
        return badFraming();
    case CURLE_HTTP2_STREAM:
        return {FailureKind::ConnectionReset, QStringLiteral("the server broke off the answer's stream")};
    default:
        break;
    }
    if (facts.badChunks)
        return badFraming();
    const bool isShort = facts.expectedBytes >= 0 && facts.bodyBytes < facts.expectedBytes;
    return cutShort(facts.bodyBytes, isShort ? facts.expectedBytes : -1);
}

Verdict socksFailed(CURLproxycode error)
{
    switch (error) {
    case CURLPX_NO_AUTH:
    case CURLPX_USER_REJECTED:
    case CURLPX_GSSAPI:
        return proxyFailed(ProxyTrouble::Credentials);
    case CURLPX_CLOSED:
    case CURLPX_RECV_CONNECT:
    case CURLPX_RECV_AUTH:
    case CURLPX_RECV_REQACK:
    case CURLPX_RECV_ADDRESS:
        return proxyFailed(ProxyTrouble::Closed);
    case CURLPX_RESOLVE_HOST:
    case CURLPX_REPLY_HOST_UNREACHABLE:
        return proxyFailed(ProxyTrouble::HostUnknown);
    default:
        return proxyFailed(ProxyTrouble::NoWay);
    }
}

Verdict tunnelFailed(int status)
{
    switch (status) {
    case 407:
        return proxyFailed(ProxyTrouble::Credentials);
    case 404:
        return proxyFailed(ProxyTrouble::HostUnknown);
    default:
        return proxyFailed(ProxyTrouble::NoWay);
    }
}

/// What ends before there is a connection to the server, where there is a proxy.
std::optional<Verdict> proxyVerdict(const CurlFacts& facts)
{
    switch (facts.code) {
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
        return proxyFailed(ProxyTrouble::Unreachable);
    case CURLE_PROXY:
        return socksFailed(facts.proxyError);
    case CURLE_COULDNT_RESOLVE_HOST:
        return proxyFailed(ProxyTrouble::HostUnknown);
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_WEIRD_SERVER_REPLY:
        if (facts.connectStatus > 0)
            return tunnelFailed(facts.connectStatus);
        return proxyFailed(ProxyTrouble::Closed);
    default:
        return std::nullopt;
    }
}

Verdict notConnected(const CurlFacts& facts)
{
    if (facts.outOfDescriptors)
        return withoutDescriptors();
    if (facts.proxied) {
        if (const auto verdict = proxyVerdict(facts))
            return *verdict;
    }
    switch (facts.code) {
    case CURLE_COULDNT_RESOLVE_HOST:
        return hostNotFound();
    case CURLE_COULDNT_CONNECT:
        if (facts.systemError == ETIMEDOUT)
            break;
        return facts.systemError == ECONNREFUSED ? refused() : unreachable();
    case CURLE_OPERATION_TIMEDOUT:
        break;
    case CURLE_PEER_FAILED_VERIFICATION: // libcurl itself compares names, once OpenSSL trusts the certificate
        return badCertificate(facts.certificate == FailureKind::None ? FailureKind::HostnameMismatch
                                                                     : facts.certificate,
                              facts.certificateWords);
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_ENGINE_INITFAILED:
        return tlsFailed();
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
        return {FailureKind::BadUrl, QStringLiteral("the address cannot be used for HTTP")};
    default:
        return closedEarly(false);
    }
    return {FailureKind::ConnectTimeout, QStringLiteral("no connection within the system's own limit")};
}

/// For a header of more than 100 KiB libcurl is out of memory, from 8.6 on "too large".
bool isTooLarge(CURLcode code)
{
    return code == CURLE_OUT_OF_MEMORY || static_cast<int>(code) == 100;
}

} // namespace

Verdict judge(const CurlFacts& facts)
{
    if (facts.status > 0)
        return answered(facts);
    if (!facts.connected)
        return notConnected(facts);
    if (facts.headTooLong || (facts.headBegun && isTooLarge(facts.code)))
        return {FailureKind::Protocol, QStringLiteral("the answer's headers do not end")};
    switch (facts.code) {
    case CURLE_OK:
    case CURLE_UNSUPPORTED_PROTOCOL: // HTTP/0.9, as which libcurl takes what is not HTTP
    case CURLE_WEIRD_SERVER_REPLY:
        return notHttp();
    default:
        return closedEarly(facts.touched);
    }
}

} // namespace sg::http
