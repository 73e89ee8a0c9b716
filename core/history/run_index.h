// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/run_record.h"
#include "core/policy/time.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QVariant>

namespace sg::history {

/// The runs in SQLite (WAL). Several programs may have the same file open. Lives and dies in one thread; blocks, for
/// another program's writing as long as `busyWait`.
class RunIndex
{
public:
    explicit RunIndex(QString path, Millis busyWait = std::chrono::seconds(2));
    ~RunIndex();
    RunIndex(const RunIndex&) = delete;
    RunIndex& operator=(const RunIndex&) = delete;

    /// Makes it, or brings an older one to this version. One of a newer version is left alone: Newer.
    HistoryResult<void> open();
    void close();
    bool isOpen() const { return database_.isOpen(); }
    /// SQLite finds no damage. Reads all of it.
    bool isSound();

    /// All of them or none; in the place of those with the same id.
    HistoryResult<void> put(const std::vector<RunRecord>& runs);
    HistoryResult<RunPage> page(std::int64_t offset, int limit);
    HistoryResult<RunRecord> get(const QString& id);
    HistoryResult<QStringList> ids();
    HistoryResult<std::int64_t> count();
    HistoryResult<void> setNote(const QString& id, const QString& note);
    HistoryResult<void> setPinned(const QString& id, bool isPinned);
    /// Ids of those that are neither the baseline nor pinned nor noted, oldest first.
    HistoryResult<QStringList> unguarded(int limit);
    /// Answers with the other run of its target that is the baseline no more, or an empty id.
    HistoryResult<QString> setBaseline(const QString& id, bool isBaseline);
    HistoryResult<void> remove(const QString& id); ///< NotFound when there is none
    /// Gives the disk back what removed runs have left, unless another program is reading.
    void shrink();

private:
    HistoryResult<QSqlQuery> run(const QString& sql, const QVariantList& values = {});
    HistoryResult<void> exec(const QString& sql, const QVariantList& values = {}); ///< whose rows are not needed
    template <typename Work>
    HistoryResult<void> transact(Work work);
    HistoryResult<QStringList> idsOf(HistoryResult<QSqlQuery>& rows);
    HistoryResult<void> migrate();
    HistoryResult<void> change(const QString& sql, const QVariantList& values, const QString& id);

    QString path_;
    QString connection_;
    QSqlDatabase database_;
    Millis busyWait_;
};

} // namespace sg::history
