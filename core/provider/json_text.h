// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QStringView>

#include <cstdint>

/// JSON written as it comes, without a document: what a stream needs for every token. Private to the room.
namespace sg::provider {

/// Appends `text` as a JSON string with its quotes, in UTF-8. Lone surrogates become U+FFFD; control characters and
/// every other line end of Unicode are escaped.
void appendJsonString(QByteArray& out, QStringView text);
void appendJsonNumber(QByteArray& out, std::int64_t number);

} // namespace sg::provider
