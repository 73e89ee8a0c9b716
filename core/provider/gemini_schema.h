// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/request_parts.h"

#include <QJsonObject>

/// Private to the room.
namespace sg::provider {

/// A JSON schema in Gemini's Schema object, a part of OpenAPI 3.0's. References are written out, null becomes
/// `nullable`, oneOf anyOf; words that it does not have are left out and named.
QJsonObject geminiSchema(const QJsonObject& schema, LeftOut& left);

} // namespace sg::provider
