// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/gateway/ended.h"

#include <deque>
#include <memory>
#include <vector>

namespace sg::gateway {

/// One request that is over, as a list shows it.
struct Passage
{
    std::int64_t endedUnixMs = 0;
    QByteArray requestId, path; ///< as they were sent
    int status = 0;             ///< kClientLeft: the client did not wait for it
    QString code{};             ///< the error's; empty: none
    std::string chain{};        ///< empty: none was asked
    std::string endpoint{};     ///< that answered, or else was asked last; empty: none was asked
    chain::Source source = chain::Source::None;
    bool isRefused{};                          ///< by the gateway, nobody was asked
    int attempts = 0;                          ///< upstream
    Nanos took{0}, waited{0};                  ///< since it was received; of that, for a place, a retry or a limiter
    std::optional<std::int64_t> costNanoUsd{}; ///< empty: unknown
    bool costIsLowerBound{}, costIsEstimated{};
    int sentStatus{}; ///< the status line that went out, 200 with a stream that failed after its begin; 0: none did
    provider::ErrorClass error{};
    std::string errorWords{}; ///< the provider's own, or ours; keys masked, at most 300 characters
};

/// What came of it; a status line is not that: a stream that breaks has begun with 200.
enum class Result {
    Answered,
    Refused,     ///< by the gateway, nobody was asked
    Failed,      ///< and its status says so
    StreamError, ///< the stream had begun; its error event was the last that was sent
    CutShort,    ///< as that: the provider's stream ended before its end
    ClientLeft
};
Result resultOf(const Passage& passage);

/// Requests that were turned away for one reason, without anybody having been asked.
struct Refusals
{
    int status = 0;
    QString code; ///< empty: the status says all there is
    qint64 count = 0;
};

/// A picture of what has come through; never changes.
struct Traffic
{
    std::vector<Passage> latest;    ///< newest first
    std::vector<Refusals> refusals; ///< most frequent first
};
using TrafficPtr = std::shared_ptr<const Traffic>;

/// Keeps the latest requests and counts refusals. Memory is bounded: `most` requests, and as many reasons as there are
/// in this program. One thread.
class TrafficLog
{
public:
    explicit TrafficLog(std::size_t most = 60)
        : most_(most)
    {
    }
    void add(const Ended& ended, std::int64_t unixMs);
    void clear();
    TrafficPtr picture(); ///< the same one until something has come; never null

private:
    std::size_t most_;
    std::deque<Passage> latest_; ///< newest first
    std::vector<Refusals> refusals_;
    TrafficPtr picture_; ///< null: there is news
};

} // namespace sg::gateway
