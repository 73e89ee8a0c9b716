// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_store.h"

namespace sg::history {

RunStore::RunStore(const QString& folder, Millis busyWait)
    : files_(folder)
    , home_(std::make_unique<http::Mailbox>())
    , slot_(std::make_shared<http::MailSlot>(*home_))
{
    worker_.start([this, folder, busyWait] {
        archive_ = std::make_unique<RunArchive>(folder, busyWait);
        archive_->stopWhen([this] { return isLeft_.load(); });
    });
}

void RunStore::leaveThread()
{
    isLeft_ = true;
    slot_->close();
    home_.reset();
}

RunStore::~RunStore()
{
    leaveThread();
    worker_.start([this] { archive_.reset(); }); // a database closes in the thread that opened it
    worker_.finish();
}

template <typename T>
void RunStore::ask(std::function<HistoryResult<T>(RunArchive&)> work, Done<T> done)
{
    const auto tell = [slot = slot_](const Done<T>& whom, HistoryResult<T> result) {
        if (whom)
            slot->post([whom, result = std::move(result)] { whom(result); });
    };
    if (waiting_.load() >= kMostWaiting)
        return tell(done,
                    tl::unexpected(HistoryError{HistoryFault::Busy, QStringLiteral("Too much is asked of the history."),
                                                QStringLiteral("Try again in a moment.")}));
    ++waiting_;
    worker_.start([this, tell, work = std::move(work), done = std::move(done)] {
        HistoryResult<T> result = work(*archive_);
        {
            const std::lock_guard lock(mutex_);
            state_ = archive_->state();
        }
        --waiting_;
        tell(done, std::move(result));
    });
}

void RunStore::save(RunRecord run, Done<void> done)
{
    ask<void>([run = std::move(run)](RunArchive& archive) { return archive.save(run); }, std::move(done));
}

void RunStore::list(std::int64_t offset, int limit, Done<RunPage> done)
{
    ask<RunPage>([offset, limit](RunArchive& archive) { return archive.list(offset, limit); }, std::move(done));
}

void RunStore::get(const QString& id, Done<RunRecord> done)
{
    ask<RunRecord>([id](RunArchive& archive) { return archive.get(id); }, std::move(done));
}

void RunStore::setNote(const QString& id, const QString& note, Done<void> done)
{
    ask<void>([id, note](RunArchive& archive) { return archive.setNote(id, note); }, std::move(done));
}

void RunStore::setBaseline(const QString& id, bool isBaseline, Done<void> done)
{
    ask<void>([id, isBaseline](RunArchive& archive) { return archive.setBaseline(id, isBaseline); }, std::move(done));
}

void RunStore::setPinned(const QString& id, bool isPinned, Done<void> done)
{
    ask<void>([id, isPinned](RunArchive& archive) { return archive.setPinned(id, isPinned); }, std::move(done));
}

void RunStore::limits(Done<KeepLimits> done)
{
    ask<KeepLimits>([](RunArchive& archive) { return archive.limits(); }, std::move(done));
}

void RunStore::setLimits(const KeepLimits& limits, Done<void> done)
{
    ask<void>([limits](RunArchive& archive) { return archive.setLimits(limits); }, std::move(done));
}

void RunStore::remove(const QString& id, Done<void> done)
{
    ask<void>([id](RunArchive& archive) { return archive.remove(id); }, std::move(done));
}

HistoryState RunStore::state() const
{
    const std::lock_guard lock(mutex_);
    return state_;
}

} // namespace sg::history
