// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/system_proxy.h"

#include "core/policy/loopback.h"

#include <QNetworkProxy>
#include <QUrl>

namespace sg::http {

std::optional<Proxy> systemProxy(const QUrl& url)
{
    if (policy::isLoopback(url.host()))
        return std::nullopt;
    for (const QNetworkProxy& found : QNetworkProxyFactory::proxyForQuery(QNetworkProxyQuery(url))) {
        if (found.type() == QNetworkProxy::NoProxy)
            return std::nullopt;
        const bool isSocks = found.type() == QNetworkProxy::Socks5Proxy;
        if (!isSocks && found.type() != QNetworkProxy::HttpProxy && found.type() != QNetworkProxy::HttpCachingProxy)
            continue;
        Proxy proxy{isSocks ? Proxy::Kind::Socks5 : Proxy::Kind::Http, found.hostName(), found.port()};
        if (!found.user().isEmpty())
            proxy.credentials = (found.user() + QLatin1Char(':') + found.password()).toUtf8();
        return proxy;
    }
    return std::nullopt;
}

} // namespace sg::http
