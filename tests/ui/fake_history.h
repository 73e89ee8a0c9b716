// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/run_history.h"

#include <QTimer>

#include <algorithm>

namespace sg::test {

/// A history in memory: answers from the event loop, as the real one does, or with the error a test puts in.
class FakeHistory : public history::RunHistory
{
public:
    std::vector<history::RunRecord> runs; ///< newest first
    std::optional<history::HistoryError> error;
    history::KeepLimits kept;
    std::int64_t bytes = 0;
    QString notice;
    QString rows = QStringLiteral("/dev/null/none"); ///< file of everybody's requests

    void save(history::RunRecord run, Done<void> done) override
    {
        if (!error)
            runs.insert(runs.begin(), std::move(run));
        answer<void>(std::move(done), {});
    }
    void list(std::int64_t offset, int limit, Done<history::RunPage> done) override
    {
        history::RunPage page{{}, std::ssize(runs)};
        for (auto i = offset; i < std::min<std::int64_t>(offset + limit, std::ssize(runs)); ++i)
            page.runs.push_back(runs[static_cast<std::size_t>(i)].summary);
        answer<history::RunPage>(std::move(done), page);
    }
    void get(const QString& id, Done<history::RunRecord> done) override
    {
        const auto* run = find(id);
        if (!run)
            return answer<history::RunRecord>(std::move(done), tl::unexpected(missing()));
        answer<history::RunRecord>(std::move(done), *run);
    }
    void setNote(const QString& id, const QString& note, Done<void> done) override
    {
        if (auto* run = find(id); run && !error)
            run->summary.note = note;
        answer<void>(std::move(done), {});
    }
    void setBaseline(const QString& id, bool isBaseline, Done<void> done) override
    {
        for (auto& run : runs)
            run.summary.isBaseline = run.summary.id == id && isBaseline;
        answer<void>(std::move(done), {});
    }
    void setPinned(const QString& id, bool isPinned, Done<void> done) override
    {
        if (auto* run = find(id); run && !error)
            run->summary.isPinned = isPinned;
        answer<void>(std::move(done), {});
    }
    void limits(Done<history::KeepLimits> done) override { answer<history::KeepLimits>(std::move(done), kept); }
    void setLimits(const history::KeepLimits& limits, Done<void> done) override
    {
        kept = limits;
        answer<void>(std::move(done), {});
    }
    void remove(const QString& id, Done<void> done) override
    {
        std::erase_if(runs, [&](const history::RunRecord& run) { return run.summary.id == id; });
        answer<void>(std::move(done), {});
    }
    history::HistoryState state() const override
    {
        return {{}, std::ssize(runs), bytes, kept.runs, kept.bytes, notice};
    }
    QString requestsPathOf(const QString&) const override { return rows; }

private:
    template <typename T>
    void answer(Done<T> done, history::HistoryResult<T> result)
    {
        if (error)
            result = tl::unexpected(*error);
        QTimer::singleShot(0, [done = std::move(done), result = std::move(result)] {
            if (done)
                done(result);
        });
    }
    history::RunRecord* find(const QString& id)
    {
        const auto found =
            std::ranges::find_if(runs, [&](const history::RunRecord& run) { return run.summary.id == id; });
        return found == runs.end() ? nullptr : &*found;
    }
    static history::HistoryError missing()
    {
        return {history::HistoryFault::NotFound, QStringLiteral("There is no such run."), {}};
    }
};

} // namespace sg::test
