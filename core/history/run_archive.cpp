// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_archive.h"

#include <QFile>
#include <QFileInfo>
#include <QLockFile>

namespace sg::history {

namespace {

constexpr std::size_t kBatch = 50;   // runs in memory at a time
constexpr int kMostDeleted = 10'000; // at a time, to make room

HistoryError inFilesAlone(HistoryError error)
{
    error.words += QStringLiteral(" Runs are kept in their files alone.");
    return error;
}

} // namespace

RunArchive::RunArchive(const QString& folder, Millis busyWait)
    : files_(folder)
    , busyWait_(busyWait)
    , index_(files_.indexPath(), busyWait)
{
}

void RunArchive::note(const std::optional<HistoryError>& fault)
{
    state_.fault = fault;
    if (fault)
        return;
    if (const auto runs = index_.count())
        state_.runs = *runs;
}

/// Opens the index, makes a damaged one again and gives it what is in files only.
HistoryResult<void> RunArchive::ready()
{
    if (index_.isOpen() && hasAllFiles_)
        return {};
    makePrivateFolder(files_.folder());
    HistoryResult<void> opened;
    if (!index_.isOpen())
        opened = index_.open();
    if (!opened && opened.error().fault == HistoryFault::Damaged)
        opened = setAside();
    if (!opened)
        return opened;
    auto taken = takeInFiles();
    if (!taken && taken.error().fault == HistoryFault::Damaged) // it opened, but the damage is further in
        taken = setAside().and_then([this] { return takeInFiles(); });
    hasAllFiles_ = taken.has_value();
    return taken;
}

HistoryResult<void> RunArchive::setAside()
{
    index_.close();
    hasAllFiles_ = false;
    QLockFile lock(files_.indexPath() + QStringLiteral(".lock"));
    if (!lock.tryLock(static_cast<int>(busyWait_.count())))
        return tl::unexpected(HistoryError{HistoryFault::Locked,
                                           QStringLiteral("Another program is mending %1.").arg(files_.indexPath()),
                                           QStringLiteral("Try again when it is done.")});
    // What another program has mended meanwhile is fine.
    if (index_.open() && index_.isSound())
        return {};
    index_.close();
    files_.removeDamaged(); // one to look at is enough
    const QString from = files_.indexPath(), to = files_.damagedPath();
    for (const QString& part : {QString(), QStringLiteral("-wal"), QStringLiteral("-shm")})
        QFile::rename(from + part, to + part);
    return index_.open();
}

HistoryResult<void> RunArchive::takeInFiles()
{
    const auto known = index_.ids();
    if (!known)
        return tl::unexpected(known.error());
    const QSet<QString> there(known->begin(), known->end());
    std::vector<RunRecord> batch;
    const auto flush = [&]() -> HistoryResult<void> {
        if (batch.empty())
            return {};
        const auto done = index_.put(batch);
        batch.clear();
        return done;
    };
    const QStringList ids = files_.ids();
    for (const QString& id : ids) {
        if (there.contains(id))
            continue;
        if (auto run = files_.read(id)) // one that cannot be read stays where it is
            batch.push_back(*std::move(run));
        if (batch.size() < kBatch)
            continue;
        if (const auto done = flush(); !done)
            return done;
    }
    return flush();
}

template <typename Work>
auto RunArchive::withIndex(Work work) -> decltype(work())
{
    if (const auto opened = ready(); !opened) {
        note(inFilesAlone(opened.error()));
        return tl::unexpected(opened.error());
    }
    auto done = work();
    if (!done && done.error().fault == HistoryFault::Damaged && setAside() && ready())
        done = work();
    const bool isIndexFine = done || done.error().fault == HistoryFault::NotFound;
    note(isIndexFine ? std::nullopt : std::optional(inFilesAlone(done.error())));
    return done;
}

HistoryResult<void> RunArchive::save(RunRecord run)
{
    run = cleaned(std::move(run));
    const auto written = files_.write(run);
    if (!written && written.error().fault == HistoryFault::Invalid)
        return written;
    const auto indexed = withIndex([&] { return index_.put({run}); });
    if (!indexed)
        hasAllFiles_ = false;
    if (indexed && !written) { // kept, but a damaged index would lose it
        HistoryError error = written.error();
        error.words += QStringLiteral(" The run is kept in the index alone.");
        note(error);
    }
    if (!indexed && !written)
        return written;
    makeRoom(run.summary.id);
    return {};
}

void RunArchive::takeInCutOff()
{
    const QStringList ids = files_.cutOffIds();
    for (const QString& id : ids) {
        if (unkeptCutOff_.contains(id))
            continue;
        const std::optional<RunRecord> run = files_.cutOff(id, isOver_);
        if (!run)
            return;
        if (!files_.write(*run)) {
            unkeptCutOff_.insert(id);
            continue;
        }
        if (!withIndex([&] { return index_.put({cleaned(*run)}); }))
            hasAllFiles_ = false;
    }
}

void RunArchive::measureRoom(const KeepLimits& limits)
{
    state_.bytes = files_.bytes();
    state_.mostRuns = limits.runs;
    state_.mostBytes = limits.bytes;
}

void RunArchive::makeRoom(const QString& newest)
{
    auto limits = readLimits(files_.folder());
    state_.notice = limits ? QString() : limits.error().words + QLatin1Char(' ') + limits.error().remedy;
    if (!limits)
        return;
    measureRoom(*limits);
    if (!hasAllFiles_ || (state_.runs <= limits->runs && state_.bytes <= limits->bytes))
        return;
    const QString limitWords = QStringLiteral("%1 runs or %2").arg(limits->runs).arg(bytesText(limits->bytes));
    if (!limits->isSaid) {
        limits->isSaid = true;
        (void)writeLimits(files_.folder(), *limits);
        state_.notice =
            QStringLiteral("More is kept than %1. When the next run is kept, the oldest are deleted, but no "
                           "baseline and none with a note or a pin. Raise the limit or pin what is to stay.")
                .arg(limitWords);
        return;
    }
    if (state_.bytes > limits->bytes)
        files_.removeDamaged(); // before any run
    measureRoom(*limits);
    const int deleted = deleteOldest(*limits, newest);
    if (deleted > 0)
        state_.notice = QStringLiteral("The oldest %1 runs were deleted, because no more than %2 are kept.")
                            .arg(deleted)
                            .arg(limitWords);
    measureRoom(*limits);
    if (state_.runs > limits->runs || state_.bytes > limits->bytes)
        state_.notice +=
            QStringLiteral("%1More is kept than %2, but what is left is a baseline, has a note or a pin, or "
                           "is the newest. Delete what is not needed, or raise the limit.")
                .arg(deleted > 0 ? QStringLiteral(" ") : QString(), limitWords);
}

int RunArchive::deleteOldest(const KeepLimits& limits, const QString& newest)
{
    const auto oldest = index_.unguarded(kMostDeleted);
    int deleted = 0;
    std::int64_t bytes = state_.bytes;
    for (const QString& id : oldest.value_or(QStringList())) {
        if (state_.runs <= limits.runs && bytes <= limits.bytes)
            break;
        if (id == newest)
            continue;
        // The index holds the same as the run's own file.
        const std::int64_t freed = files_.bytesOf(id) + QFileInfo(files_.pathOf(id)).size();
        if (!files_.remove(id) || !index_.remove(id))
            break; // a folder that does not let go of one lets go of none
        bytes -= freed;
        --state_.runs;
        ++deleted;
    }
    if (deleted > 0)
        index_.shrink();
    return deleted;
}

HistoryResult<KeepLimits> RunArchive::limits()
{
    const auto limits = readLimits(files_.folder());
    (void)withIndex([this] { return index_.count(); });
    if (limits)
        measureRoom(*limits);
    return limits;
}

HistoryResult<void> RunArchive::setLimits(KeepLimits limits)
{
    const auto before = readLimits(files_.folder());
    const bool isLower = !before || limits.runs < before->runs || limits.bytes < before->bytes;
    limits.isSaid = before && before->isSaid && !isLower;
    const auto written = writeLimits(files_.folder(), limits);
    if (written)
        measureRoom(limits);
    return written;
}

HistoryResult<void> RunArchive::setPinned(const QString& id, bool isPinned)
{
    const auto done = withIndex([&] { return index_.setPinned(id, isPinned); });
    if (done)
        copyToFile(id);
    return done;
}

HistoryResult<RunPage> RunArchive::list(std::int64_t offset, int limit)
{
    offset = std::max<std::int64_t>(0, offset);
    limit = std::clamp(limit, 0, kMostOnPage);
    takeInCutOff();
    if (const auto limits = readLimits(files_.folder()))
        measureRoom(*limits);
    if (auto page = withIndex([&] { return index_.page(offset, limit); }))
        return page;
    const QStringList ids = files_.ids();
    RunPage page{{}, ids.size()};
    state_.runs = ids.size();
    for (qsizetype i = offset; i < ids.size() && i < offset + limit; ++i)
        if (auto run = files_.read(ids.at(i)))
            page.runs.push_back(run->summary);
    return page;
}

HistoryResult<RunRecord> RunArchive::get(const QString& id)
{
    if (auto run = withIndex([&] { return index_.get(id); }))
        return run;
    return files_.read(id);
}

/// So that a new index would say the same. What is wrong with the file is not the change's fault.
void RunArchive::copyToFile(const QString& id)
{
    if (const auto run = index_.get(id))
        (void)files_.write(*run);
}

HistoryResult<void> RunArchive::setNote(const QString& id, const QString& text)
{
    const auto done = withIndex([&] { return index_.setNote(id, cleanNote(text)); });
    if (done)
        copyToFile(id);
    return done;
}

HistoryResult<void> RunArchive::setBaseline(const QString& id, bool isBaseline)
{
    const auto before = withIndex([&] { return index_.setBaseline(id, isBaseline); });
    if (!before)
        return tl::unexpected(before.error());
    copyToFile(id);
    if (!before->isEmpty())
        copyToFile(*before);
    return {};
}

HistoryResult<void> RunArchive::remove(const QString& id)
{
    // The file first: one that stayed would come back into the index.
    if (const auto removed = files_.remove(id); !removed)
        return removed;
    const auto removed = withIndex([&] { return index_.remove(id); });
    if (removed)
        index_.shrink();
    return removed;
}

} // namespace sg::history
