// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/transport.h"

namespace sg::http {

/// Automatic: libcurl where more than kCurlAbove requests are to be in flight at once, else Qt's.
enum class TransportKind { Automatic, Qnam, Curl };

/// Below it both keep a server's true times, and Qt's knows the system's proxies and certificates at every moment.
inline constexpr int kCurlAbove = 64;

/// Never Automatic. `mostInFlight`: how many are to be in flight at once; 0: nobody knows.
TransportKind transportKind(TransportKind wanted, int mostInFlight);
std::unique_ptr<Transport> makeTransport(TransportKind wanted, int mostInFlight, TransportOptions options = {});

const char* toString(TransportKind kind); ///< "auto", "qt", "curl"
std::optional<TransportKind> transportKindOf(const QString& word);

} // namespace sg::http
