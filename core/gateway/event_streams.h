// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/engine_core.h"
#include "core/gateway/options.h"
#include "core/gateway/service.h"

#include <QTimer>

#include <list>

namespace sg::gateway {

/// GET /api/events: the lines of the activity list as server-sent events, to any number of readers. All of them share
/// one look at the list, ten times a second and only while somebody reads. A reader that does not take what it is sent
/// gets nothing more until it does; what has left the list by then is told as a count. Engine thread.
class EventStreams
{
public:
    static constexpr std::size_t kMostReaders = 256;

    /// Both outlive it.
    EventStreams(engine::EngineCore& core, const Options& options);
    ~EventStreams();

    /// From the event after "Last-Event-ID" (or last_event_id of the query) on; without one from now on.
    /// `over` is called once, when the stream has ended.
    void add(Exchange exchange, bool isHead, std::function<void(bool clientLeft)> over);
    /// Ends all streams; those that come later are refused.
    void drain();
    std::size_t readers() const { return readers_.size(); }

private:
    struct Reader
    {
        quint64 number = 0;
        Exchange exchange;
        std::uint64_t sent = 0; ///< the last event it got or was told of
        Instant lastSaid{};
        std::function<void(bool)> over;
    };
    /// What all readers are given, made once.
    struct Line
    {
        std::uint64_t sequence = 0;
        QByteArray bytes;
    };

    void poll();
    void tell(Reader& reader, const std::vector<Line>& lines, std::uint64_t newest, Instant now);
    std::list<Reader>::iterator find(quint64 number);
    void left(quint64 number);

    engine::EngineCore& core_;
    const Options& options_;
    QTimer timer_;
    std::list<Reader> readers_;
    quint64 next_ = 0;
    bool draining_ = false;
};

} // namespace sg::gateway
