// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/policy/wait_hint.h"

#include <QString>

#include <optional>

/// HTML where an answer was expected: the page of a proxy or an edge. Private to the room.
namespace sg::provider {

/// One line for people: "HTTP 524 from edge (cloudflare): A timeout occurred, ray 0123456789abcdef". `title` is the
/// page's. At most 200 characters; the title alone when nobody says whose page it is.
QString pageMessage(int status, const policy::HeaderList& headers, const QString& title, std::string_view body);

/// Cloudflare's name of the request: from the header (with the place behind a dash), else from the page or JSON.
std::optional<QString> rayId(const policy::HeaderList& headers, std::string_view body);

} // namespace sg::provider
