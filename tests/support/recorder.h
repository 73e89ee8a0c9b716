// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/http/transport.h"

#include <functional>

namespace sg::testing {

/// For QCOMPARE, which would free what http::toString returns.
inline QByteArray named(http::FailureKind kind)
{
    return http::toString(kind);
}

/// A listener that writes down what it hears and checks that the order of events is the promised one.
class Recorder final : public http::Listener
{
public:
    int status = 0;
    http::Headers headers;
    QByteArray body;
    int pieces = 0;
    std::optional<http::Outcome> outcome;
    bool orderBroken = false; ///< something after finished, a body before headers, finished or headers twice
    std::function<void()> atHeaders;
    std::function<void()> atBody;
    std::function<void()> atFinished;

    void onHeaders(int code, const http::Headers& list, Instant) override
    {
        orderBroken = orderBroken || outcome || status != 0;
        status = code;
        headers = list;
        if (atHeaders)
            atHeaders();
    }
    void onBody(QByteArrayView piece, Instant) override
    {
        orderBroken = orderBroken || outcome || status == 0 || piece.isEmpty();
        body.append(piece.data(), piece.size());
        ++pieces;
        if (atBody)
            atBody();
    }
    void onFinished(const http::Outcome& result) override
    {
        orderBroken = orderBroken || outcome;
        outcome = result;
        if (atFinished)
            atFinished();
    }
    QByteArray failure() const { return outcome ? QByteArray(http::toString(outcome->failure)) : QByteArray(); }
    double tookMs() const { return outcome ? toMs(outcome->timing.end - outcome->timing.dispatched) : -1; }
};

} // namespace sg::testing
