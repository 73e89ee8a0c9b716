// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/head_scanner.h"

#include <QByteArray>

namespace sg::http {

/// Takes a chunked body apart (RFC 9112 7.1), whatever the cuts. Extensions are skipped within a limit, trailers are
/// checked and dropped: they must not pass for headers. Ours in place of Beast's, which knows no limit for extensions
/// and lets bare line feeds stand in them.
class ChunkReader
{
public:
    /// `maxBody` in bytes; `trailers` limits what follows the last chunk.
    ChunkReader(qint64 maxBody, const HeadScanner::Limits& trailers);

    /// Appends to `body`; returns how many bytes belong to it.
    qint64 feed(QByteArrayView bytes, QByteArray& body);
    bool done() const { return trailers_.done(); }
    const Refusal& refusal() const { return refusal_ ? refusal_ : trailers_.refusal(); }

private:
    enum class At { Size, Extension, SizeReturn, Data, DataEnd, DataReturn, Trailers };

    void step(char c);
    void inSize(char c);
    void refuse(int status, const char* words) { refusal_ = {status, words}; }

    qint64 maxBody_;
    HeadScanner trailers_;
    At at_ = At::Size;
    Refusal refusal_;
    int digits_ = 0;
    quint64 size_ = 0;  ///< of the present chunk
    quint64 left_ = 0;  ///< of it
    quint64 total_ = 0; ///< of all chunks announced
    int extensionBytes_ = 0;
};

} // namespace sg::http
