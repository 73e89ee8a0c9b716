// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/provider/explain.h"
#include "core/provider/json_pieces.h"

#include <QJsonArray>
#include <QJsonObject>

#include <random>

/// Feeds a recorded stream to the product's reader and notes what came when. Private to the room.
namespace sg::provider {

class StreamFeed
{
public:
    StreamFeed(const AnswerContext& context, Cuts cuts);

    /// An event stream, in the cuts asked for and at each line end, so that places are the same whatever the cuts.
    void readStream(QByteArrayView body);
    /// Objects that stand for events, each complete behind its last byte.
    void readObjects(QByteArrayView body, const std::vector<JsonPieces::Range>& objects);

    const StreamFacts& facts() const { return facts_; }
    bool failed() const { return failed_; } ///< an error inside the stream, or one that could not be read
    const QByteArray& lastEvent() const { return lastEvent_; } ///< data of the last event read before the failure
    /// An error object on a line of its own, as proxies append it to a stream that they cannot go on with.
    const QByteArray& strayError() const { return strayError_; }
    const QByteArray& lastEventName() const { return lastEventName_; }
    const QJsonArray& filterObjects() const { return filterObjects_; } ///< chunks in which a content filter speaks
    bool committed() const { return reader_.committed(); }
    tl::expected<Answer, ErrorFacts> finish();
    Answer partial() const { return reader_.partial(); }

private:
    void feed(QByteArrayView bytes);
    void feedLine(QByteArrayView line);
    qsizetype nextCut(qsizetype left);
    void onDelta(const Delta& delta);
    void onEvent(const SseEvent& event);
    void noteEnd();

    StreamFacts facts_;
    Cuts cuts_;
    std::minstd_rand random_;
    qint64 at_ = 0; ///< bytes of the body up to the end of what is fed
    bool failed_ = false;
    QByteArray lastEvent_, lastEventName_, strayError_;
    QJsonArray filterObjects_;
    SseParser watch_; ///< counts; the reader keeps its own
    StreamReader reader_;
};

} // namespace sg::provider
