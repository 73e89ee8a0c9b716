// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>

#include <optional>

/// What HTTP wraps around a body, undone. Private to the room.
namespace sg::provider {

struct Unchunked
{
    QByteArray body;
    bool complete = false; ///< the last chunk was there
    qsizetype missing = 0; ///< bytes that the chunk at the end lacks
};
/// A body in chunked form (RFC 9112, 7.1; line ends may be LF alone); empty when it is not in that form.
std::optional<Unchunked> undoChunks(QByteArrayView body);

enum class Packing { None, Gzip, Zlib };
/// By the first bytes.
Packing packingOf(QByteArrayView body);

struct Unpacked
{
    QByteArray body;
    bool complete = false; ///< the end of the compressed data was there
    bool tooLarge = false; ///< the rest was left out
};
/// What can be unpacked, also of data that ends early; empty when nothing could.
std::optional<Unpacked> unpack(QByteArrayView body, Packing packing, qsizetype most);

} // namespace sg::provider
