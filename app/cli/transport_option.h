// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/transport_kind.h"

#include <QCommandLineParser>

#include <tl/expected.hpp>

namespace sg::app {

/// --transport, of every command that asks providers by itself.
inline void addTransportOption(QCommandLineParser& parser)
{
    parser.addOption({QStringLiteral("transport"),
                      QStringLiteral("Which library carries requests: auto, qt or curl (default: auto, which is curl "
                                     "where more than %1 are in flight at once).")
                          .arg(http::kCurlAbove),
                      QStringLiteral("KIND")});
}

inline tl::expected<http::TransportKind, QString> transportOption(const QCommandLineParser& parser)
{
    if (!parser.isSet(QStringLiteral("transport")))
        return http::TransportKind::Automatic;
    const QString word = parser.value(QStringLiteral("transport"));
    if (const auto kind = http::transportKindOf(word))
        return *kind;
    return tl::unexpected(QStringLiteral("--transport takes auto, qt or curl, not \"%1\".").arg(word));
}

} // namespace sg::app
