// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/run_record.h"

namespace sg::history {

/// How much is kept in a folder of runs. In its file "limits.json", because several programs share the folder.
struct KeepLimits
{
    std::int64_t runs = 500;                 ///< kept at most, 1 to kMostRuns
    std::int64_t bytes = 5'000'000'000;      ///< of all their files, from kFewestBytes
    std::int64_t bytesOfOne = 1'000'000'000; ///< of one run's requests, from kFewestBytes
    bool isSaid = false;                     ///< that runs are going to be deleted; before it was, none is

    static constexpr std::int64_t kMostRuns = 100'000;
    static constexpr std::int64_t kFewestBytes = 1'000'000;
    static constexpr std::int64_t kMostBytes = 1'000'000'000'000'000;
    bool operator==(const KeepLimits&) const = default;
};

/// Empty when fine; otherwise a sentence with the remedy.
QString checkLimits(const KeepLimits& limits);
/// The defaults where there is no such file. One that cannot be read is an error: nobody knows what may be deleted.
HistoryResult<KeepLimits> readLimits(const QString& folder);
HistoryResult<void> writeLimits(const QString& folder, const KeepLimits& limits);

/// "2.1 GB", decimal, at most one place behind the point.
QString bytesText(std::int64_t bytes);
/// "2.1GB", "500 MB"; empty: it says no size.
std::optional<std::int64_t> readBytes(const QString& text);

} // namespace sg::history
