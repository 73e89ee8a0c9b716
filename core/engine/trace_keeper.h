// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/attempt_call.h"
#include "core/engine/watch.h"

#include <deque>

namespace sg::engine {

/// Keeps the traces of one request, masked and bounded. Engine thread.
class TraceKeeper
{
public:
    static constexpr std::size_t kMostTraces = 32;
    static constexpr qsizetype kMostRaw = 256 * 1024;

    void begin(int number, const EndpointRoute& route, const http::Request& request, const QStringList& leftOut);
    void headers(int status, const http::Headers& headers);
    void body(QByteArrayView piece);
    void end(); ///< of the latest; its body is masked as a whole

    std::vector<AttemptTrace> traces() const;
    int dropped() const { return dropped_; }

private:
    QByteArray maskedSoFar() const;

    std::deque<AttemptTrace> traces_;
    int dropped_ = 0;
    QByteArray key_;             ///< of the latest
    QByteArray raw_;             ///< of the latest, while it runs: not masked
    mutable QByteArray shown_;   ///< its whole lines, masked
    mutable qsizetype read_ = 0; ///< how much of raw_ is in shown_
    bool running_ = false;
};

} // namespace sg::engine
