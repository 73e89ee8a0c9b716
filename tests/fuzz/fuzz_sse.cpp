// SPDX-License-Identifier: GPL-3.0-or-later
// Streams: whatever comes, in whatever cuts, the same is read. Input: dialect, seed of the cuts, stream.
#include "tests/fuzz/fuzz.h"

using namespace sg;
using namespace sg::fuzz;

namespace {
constexpr std::uint8_t kWhole = 255;

template <typename Feed>
void feedAll(QByteArrayView stream, std::uint8_t cuts, Feed feed)
{
    if (cuts == kWhole)
        feed(stream);
    else
        inPieces(stream, cuts, feed);
}

QByteArray eventsOf(QByteArrayView stream, std::uint8_t cuts, qint64 maxEventBytes)
{
    QByteArray read;
    provider::SseParser parser(
        [&read](const provider::SseEvent& event) {
            for (const QByteArrayView field : {event.event, event.data, event.id})
                read.append(field).append('\0');
        },
        maxEventBytes);
    bool ok = true;
    feedAll(stream, cuts, [&](QByteArrayView piece) {
        ok = parser.feed(piece);
        require(parser.heldBytes() <= maxEventBytes, "a parser holds no more than allowed");
    });
    return read + QByteArray::number(parser.comments()) + (ok ? "ok" : "overflow");
}

QByteArray answerOf(QByteArrayView stream, std::uint8_t cuts, provider::Dialect dialect)
{
    provider::AnswerContext context;
    context.dialect = dialect;
    context.nowUnixMs = 1'767'225'600'000;
    QByteArray deltas;
    provider::StreamReader reader(
        [&deltas](const provider::Delta& delta) {
            deltas += delta.text.toUtf8() + '\0' + delta.reasoning.toUtf8() + '\0';
            for (const provider::ToolCallPiece& piece : delta.toolCalls)
                deltas += QByteArray::number(piece.index) + piece.name.toUtf8() + piece.arguments.toUtf8() + '\0';
        },
        context);
    feedAll(stream, cuts, [&reader](QByteArrayView piece) { reader.feed(piece); });
    const auto result = reader.finish();
    checkPromises(result);
    return inOneText(result) + '|' + deltas + '|' + inOneText(reader.partial());
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Input input(data, size);
    const provider::Dialect dialect = input.dialect();
    const std::uint8_t cuts = input.choice();
    const QByteArrayView stream = input.rest();
    for (const qint64 cap : {40, 1 << 24})
        require(eventsOf(stream, kWhole, cap) == eventsOf(stream, cuts, cap), "cuts change no event");
    require(answerOf(stream, kWhole, dialect) == answerOf(stream, cuts, dialect), "cuts change no answer");
    return 0;
}
