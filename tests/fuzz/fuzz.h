// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/answer_reader.h"

#include <QByteArrayView>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

/// What the fuzzers share. A fuzzer ends the process where something is not so: libFuzzer keeps the input.
namespace sg::fuzz {

inline void require(bool holds, const char* what)
{
    if (holds)
        return;
    std::fprintf(stderr, "Not so: %s\n", what);
    std::abort();
}

/// The input: a few letters that choose, then the bytes under test.
class Input
{
public:
    Input(const std::uint8_t* data, std::size_t size)
        : rest_(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size))
    {
    }
    /// 0 when there is no more.
    std::uint8_t choice()
    {
        if (rest_.isEmpty())
            return 0;
        const auto c = static_cast<std::uint8_t>(rest_.front());
        rest_ = rest_.sliced(1);
        return c;
    }
    provider::Dialect dialect() { return static_cast<provider::Dialect>(choice() % 4); }
    QByteArrayView rest() const { return rest_; }
    std::string_view text() const { return {rest_.data(), static_cast<std::size_t>(rest_.size())}; }

private:
    QByteArrayView rest_;
};

/// Hands `bytes` out in pieces: 0 byte by byte, else pseudo-random lengths of the seed. Each piece is a buffer of its
/// own, so that a reader that looks beyond it is seen.
template <typename Feed>
void inPieces(QByteArrayView bytes, std::uint8_t seed, Feed feed)
{
    std::uint32_t state = seed;
    while (!bytes.isEmpty()) {
        state = state * 1664525u + 1013904223u;
        const qsizetype wanted = seed == 0 ? 1 : 1 + static_cast<qsizetype>((state >> 16) % (seed % 2 ? 7 : 200));
        const QByteArray piece = bytes.first(std::min(wanted, bytes.size())).toByteArray();
        feed(QByteArrayView(piece));
        bytes = bytes.sliced(piece.size());
    }
}

/// Everything that a reader says, as one text to compare.
QByteArray inOneText(const provider::Answer& answer);
QByteArray inOneText(const provider::ErrorFacts& error);
QByteArray inOneText(const tl::expected<provider::Answer, provider::ErrorFacts>& result);

/// What every answer and every error must keep, whatever came in.
void checkPromises(const tl::expected<provider::Answer, provider::ErrorFacts>& result);
void checkPromises(const provider::ErrorFacts& error);

} // namespace sg::fuzz
