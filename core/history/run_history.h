// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/keep_limits.h"
#include "core/history/run_record.h"

#include <functional>

namespace sg::history {

/// The runs that are kept, as the screen handles them. GUI thread; every call returns at once. `done` is called once,
/// in the same thread, after the call has returned; not at all when this goes first. May be empty.
class RunHistory
{
public:
    template <typename T>
    using Done = std::function<void(const HistoryResult<T>&)>;

    virtual ~RunHistory() = default;

    /// Fails only when the run is kept nowhere.
    virtual void save(RunRecord run, Done<void> done) = 0;
    /// Newest first; at most 500 at a time.
    virtual void list(std::int64_t offset, int limit, Done<RunPage> done) = 0;
    virtual void get(const QString& id, Done<RunRecord> done) = 0;
    virtual void setNote(const QString& id, const QString& note, Done<void> done) = 0;
    /// Another run of the same target that was the baseline is it no more.
    virtual void setBaseline(const QString& id, bool isBaseline, Done<void> done) = 0;
    /// A pinned run is never deleted to make room.
    virtual void setPinned(const QString& id, bool isPinned, Done<void> done) = 0;
    virtual void limits(Done<KeepLimits> done) = 0;
    virtual void setLimits(const KeepLimits& limits, Done<void> done) = 0;
    /// With its files.
    virtual void remove(const QString& id, Done<void> done) = 0;
    /// As it was after the newest call that is done. Any thread.
    virtual HistoryState state() const = 0;
    /// Where the requests of a run are kept, one a row; whether or not they are there. Any thread.
    virtual QString requestsPathOf(const QString& id) const = 0;
};

} // namespace sg::history
