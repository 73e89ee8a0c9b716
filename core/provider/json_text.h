// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QJsonValue>
#include <QStringView>

#include <cstdint>

/// JSON written as it comes, without a document: what a stream needs for every token. Private to the room.
namespace sg::provider {

/// Half a character, which UTF-8 cannot hold: as U+FFFD, or as \udXXX, from which the other side reads it again.
enum class LoneSurrogates { Replace, Escape };

/// Appends `text` as a JSON string with its quotes, in UTF-8. Control characters and every other line end of Unicode
/// are escaped.
void appendJsonString(QByteArray& out, QStringView text, LoneSurrogates lone = LoneSurrogates::Replace);
void appendJsonNumber(QByteArray& out, std::int64_t number);

/// Any value, compact, as QJsonDocument writes it but in a fraction of its time: that takes a piece of memory for every
/// text and name. What is undefined, or a number that is none, becomes null; half a character stays what it is.
void appendJson(QByteArray& out, const QJsonValue& value);

} // namespace sg::provider
