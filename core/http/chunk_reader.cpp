// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/chunk_reader.h"

namespace sg::http {
namespace {

constexpr int maxSizeDigits = 15;            ///< of hexadecimal: no overflow
constexpr int maxExtensionBytes = 16 * 1024; ///< of all chunks of a body

int hexValue(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

} // namespace

ChunkReader::ChunkReader(qint64 maxBody, const HeadScanner::Limits& trailers)
    : maxBody_(maxBody)
    , trailers_(trailers, HeadScanner::Part::Trailers)
{
}

qint64 ChunkReader::feed(QByteArrayView bytes, QByteArray& body)
{
    qint64 taken = 0;
    while (taken < bytes.size() && !done() && !refusal()) {
        if (at_ == At::Trailers) {
            taken += trailers_.feed(bytes.sliced(taken));
            continue;
        }
        if (at_ != At::Data) {
            step(bytes[taken++]);
            continue;
        }
        const qint64 count = std::min<qint64>(bytes.size() - taken, static_cast<qint64>(left_));
        body.append(bytes.sliced(taken, count));
        taken += count;
        left_ -= static_cast<quint64>(count);
        if (left_ == 0)
            at_ = At::DataEnd;
    }
    return taken;
}

void ChunkReader::inSize(char c)
{
    const int value = hexValue(c);
    if (value >= 0 && digits_ < maxSizeDigits) {
        ++digits_;
        size_ = size_ * 16 + static_cast<quint64>(value);
        return;
    }
    if (digits_ == 0 || value >= 0 || (c != '\r' && c != ';'))
        return refuse(400, "The size of a chunk is not a hexadecimal number.");
    total_ += size_;
    if (size_ > static_cast<quint64>(maxBody_) || total_ > static_cast<quint64>(maxBody_))
        return refuse(413, "The body is too large.");
    at_ = c == '\r' ? At::SizeReturn : At::Extension;
}

void ChunkReader::step(char c)
{
    switch (at_) {
    case At::Size:
        return inSize(c);
    case At::Extension:
        if (c == '\r')
            at_ = At::SizeReturn;
        else if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f)
            refuse(400, "The extension of a chunk has a character that is not allowed.");
        else if (++extensionBytes_ > maxExtensionBytes)
            refuse(400, "The extensions of the chunks are too long.");
        return;
    case At::SizeReturn:
        if (c != '\n')
            return refuse(400, "The size of a chunk does not end with CR LF.");
        at_ = size_ == 0 ? At::Trailers : At::Data;
        left_ = size_;
        size_ = 0;
        digits_ = 0;
        return;
    case At::DataEnd:
        if (c == '\r')
            at_ = At::DataReturn;
        else
            refuse(400, "A chunk is longer than it says.");
        return;
    case At::DataReturn:
        if (c == '\n')
            at_ = At::Size;
        else
            refuse(400, "A chunk is longer than it says.");
        return;
    case At::Data:
    case At::Trailers:
        return;
    }
}

} // namespace sg::http
