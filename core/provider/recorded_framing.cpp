// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/recorded_framing.h"

#include <algorithm>
#include <charconv>
#include <zlib.h>

namespace sg::provider {

namespace {
// A size of more digits is beyond any file; text that happens to begin with hexadecimal digits is none.
constexpr qsizetype kMostSizeDigits = 8;

/// The size line at `at`: hexadecimal digits, perhaps an extension, a line end. Moves `at` behind it.
std::optional<qsizetype> takeSize(QByteArrayView body, qsizetype& at)
{
    const qsizetype end = body.indexOf('\n', at);
    if (end < 0 || end - at > 256)
        return std::nullopt;
    QByteArrayView line = body.sliced(at, end - at);
    if (line.endsWith('\r'))
        line.chop(1);
    const qsizetype semicolon = line.indexOf(';');
    const QByteArrayView digits = (semicolon < 0 ? line : line.first(semicolon)).trimmed();
    qsizetype size = 0;
    const auto [stop, failed] = std::from_chars(digits.begin(), digits.end(), size, 16);
    if (digits.isEmpty() || digits.size() > kMostSizeDigits || failed != std::errc() || stop != digits.end() ||
        size < 0)
        return std::nullopt;
    at = end + 1;
    return size;
}

bool takeLineEnd(QByteArrayView body, qsizetype& at)
{
    if (body.sliced(at).startsWith("\r\n"))
        at += 2;
    else if (body.sliced(at).startsWith('\n'))
        at += 1;
    else
        return false;
    return true;
}

/// zlib's stream, ended with its scope.
class Inflater
{
public:
    explicit Inflater(int windowBits) { ready_ = inflateInit2(&stream_, windowBits) == Z_OK; }
    ~Inflater()
    {
        if (ready_)
            inflateEnd(&stream_);
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    bool ready() const { return ready_; }
    z_stream& stream() { return stream_; }

private:
    z_stream stream_{};
    bool ready_ = false;
};
} // namespace

std::optional<Unchunked> undoChunks(QByteArrayView body)
{
    Unchunked out;
    qsizetype at = 0;
    while (at < body.size()) {
        const auto size = takeSize(body, at);
        if (!size && at == 0)
            return std::nullopt;
        if (!size) // what follows is no chunk: a recording that was edited, or broke off in a size
            return out;
        if (*size == 0) {
            out.complete = true;
            return out;
        }
        const qsizetype there = std::min(*size, body.size() - at);
        const bool isFirst = out.body.isEmpty();
        out.body.append(body.sliced(at, there));
        at += there;
        out.missing = *size - there;
        if (at == body.size())
            break;
        if (!takeLineEnd(body, at))
            return isFirst ? std::nullopt : std::optional(out);
    }
    return out.body.isEmpty() ? std::nullopt : std::optional(out);
}

Packing packingOf(QByteArrayView body)
{
    if (body.size() < 3)
        return Packing::None;
    const auto first = static_cast<unsigned char>(body[0]);
    const auto second = static_cast<unsigned char>(body[1]);
    if (first == 0x1F && second == 0x8B)
        return Packing::Gzip;
    return first == 0x78 && (first * 256 + second) % 31 == 0 ? Packing::Zlib : Packing::None; // RFC 1950, 2.2
}

std::optional<Unpacked> unpack(QByteArrayView body, Packing packing, qsizetype most)
{
    constexpr int kWindow = 15, kGzip = 16;
    Inflater inflater(packing == Packing::Gzip ? kWindow + kGzip : kWindow);
    if (packing == Packing::None || !inflater.ready())
        return std::nullopt;
    z_stream& stream = inflater.stream();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data())); // zlib does not write there
    stream.avail_in = static_cast<uInt>(std::min<qsizetype>(body.size(), UINT_MAX));
    Unpacked out;
    QByteArray piece(64 * 1024, Qt::Uninitialized);
    int result = Z_OK;
    while (result == Z_OK && !out.tooLarge) {
        stream.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_out = static_cast<uInt>(piece.size());
        result = inflate(&stream, Z_NO_FLUSH);
        const qsizetype got = piece.size() - static_cast<qsizetype>(stream.avail_out);
        out.tooLarge = out.body.size() + got > most;
        out.body.append(piece.constData(), std::min(got, most - out.body.size()));
        if (got == 0 && stream.avail_in == 0)
            break;
    }
    out.complete = result == Z_STREAM_END;
    if (out.body.isEmpty() && !out.complete)
        return std::nullopt;
    return out;
}

} // namespace sg::provider
