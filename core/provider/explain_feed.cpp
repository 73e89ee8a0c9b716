// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/explain_feed.h"

#include "core/provider/error_body.h"

#include <QJsonDocument>

#include <algorithm>

namespace sg::provider {

namespace {
// What a person looks at; a stream of a million chunks repeats itself.
constexpr qsizetype kMostFilterObjects = 256;
constexpr qsizetype kLongestRandomCut = 64;
constexpr qsizetype kMostWatched = 64 * 1024 * 1024; ///< the reader has its own limit, and says so

bool mayNameFilter(QByteArrayView data)
{
    return data.contains("filter_result") || data.contains("safetyRatings") || data.contains("blockReason");
}
} // namespace

StreamFeed::StreamFeed(const AnswerContext& context, Cuts cuts)
    : cuts_(cuts)
    , random_(cuts.seed)
    , watch_([this](const SseEvent& event) { onEvent(event); }, kMostWatched)
    , reader_([this](const Delta& delta) { onDelta(delta); }, context)
{
}

void StreamFeed::onDelta(const Delta& delta)
{
    if (!facts_.commit)
        facts_.commit = at_;
    if (delta.text.isEmpty() && delta.reasoning.isEmpty())
        return;
    if (!facts_.firstToken)
        facts_.firstToken = at_;
    facts_.lastToken = at_;
}

void StreamFeed::onEvent(const SseEvent& event)
{
    ++facts_.events;
    if (!facts_.firstEvent)
        facts_.firstEvent = at_;
    if (failed_)
        return;
    lastEvent_ = event.data.toByteArray();
    lastEventName_ = event.event.toByteArray();
    if (filterObjects_.size() < kMostFilterObjects && mayNameFilter(event.data))
        filterObjects_.append(QJsonDocument::fromJson(event.data.toByteArray()).object());
}

void StreamFeed::noteEnd()
{
    if (!facts_.terminal && reader_.terminalSeen())
        facts_.terminal = at_;
}

void StreamFeed::feed(QByteArrayView bytes)
{
    at_ += bytes.size();
    watch_.feed(bytes);
    if (failed_)
        return;
    failed_ = !reader_.feed(bytes);
    noteEnd();
}

qsizetype StreamFeed::nextCut(qsizetype left)
{
    switch (cuts_.kind) {
    case Cuts::Kind::Whole:
        break;
    case Cuts::Kind::EveryByte:
        return 1;
    case Cuts::Kind::Random:
        return std::min<qsizetype>(left, 1 + static_cast<qsizetype>(random_() % kLongestRandomCut));
    }
    return left;
}

void StreamFeed::feedLine(QByteArrayView line)
{
    while (!line.isEmpty()) {
        const qsizetype cut = nextCut(line.size());
        feed(line.first(cut));
        line = line.sliced(cut);
    }
}

void StreamFeed::readStream(QByteArrayView body)
{
    facts_.bytes = body.size();
    const char* at = body.begin();
    while (at != body.end()) {
        const char* const end = std::find_if(at, body.end(), [](char c) { return c == '\n' || c == '\r'; });
        const char* const next = end == body.end() ? end : end + 1;
        const QByteArrayView line(at, next - at);
        if (strayError_.isEmpty() && line.startsWith('{') &&
            namesError(QJsonDocument::fromJson(line.toByteArray()).object()))
            strayError_ = line.toByteArray();
        feedLine(line);
        at = next;
    }
}

void StreamFeed::readObjects(QByteArrayView body, const std::vector<JsonPieces::Range>& objects)
{
    facts_.bytes = body.size();
    for (const auto& [from, to] : objects) {
        QByteArray data = body.sliced(from, to - from).toByteArray();
        // Between the parts of an object, where alone line ends can be, any blank is as good.
        data.replace('\n', ' ').replace('\r', ' ');
        at_ = to;
        const QByteArray event = "data: " + data + "\n\n";
        watch_.feed(event);
        if (failed_)
            continue;
        failed_ = !reader_.feed(event);
        noteEnd();
    }
}

tl::expected<Answer, ErrorFacts> StreamFeed::finish()
{
    at_ = facts_.bytes;
    auto result = reader_.finish();
    noteEnd();
    facts_.comments = watch_.comments();
    facts_.terminalSeen = reader_.terminalSeen();
    facts_.doneSeen = reader_.doneSeen();
    return result;
}

} // namespace sg::provider
