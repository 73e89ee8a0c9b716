// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/transport_kind.h"

namespace sg::http {

TransportKind transportKind(TransportKind wanted, int mostInFlight)
{
    if (wanted != TransportKind::Automatic)
        return wanted;
    return mostInFlight > kCurlAbove ? TransportKind::Curl : TransportKind::Qnam;
}

std::unique_ptr<Transport> makeTransport(TransportKind wanted, int mostInFlight, TransportOptions options)
{
    return transportKind(wanted, mostInFlight) == TransportKind::Curl ? makeCurlTransport(options)
                                                                      : makeQnamTransport(options);
}

const char* toString(TransportKind kind)
{
    switch (kind) {
    case TransportKind::Automatic:
        return "auto";
    case TransportKind::Qnam:
        return "qt";
    case TransportKind::Curl:
        return "curl";
    }
    return "unknown";
}

std::optional<TransportKind> transportKindOf(const QString& word)
{
    for (const auto kind : {TransportKind::Automatic, TransportKind::Qnam, TransportKind::Curl}) {
        if (word == QLatin1String(toString(kind)))
            return kind;
    }
    return std::nullopt;
}

} // namespace sg::http
