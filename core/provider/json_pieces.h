// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArrayView>

#include <vector>

/// JSON objects one after another: lines of JSON, or the chunks of a stream in one list. Private to the room.
namespace sg::provider {

struct JsonPieces
{
    struct Range
    {
        qsizetype from = 0, to = 0; ///< the object's bytes
    };
    std::vector<Range> objects; ///< complete ones of the outermost level, or of the one list around them
    bool isList = false;
    bool unfinished = false; ///< an object or the list is still open at the end
    bool foreign = false;    ///< something stands between them that is no JSON object
};

/// Finds the objects by their braces, without reading what is in them. Linear in the bytes.
JsonPieces splitObjects(QByteArrayView body);

} // namespace sg::provider
