// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_index.h"

#include <QJsonDocument>
#include <QSqlError>
#include <QUuid>

namespace sg::history {

namespace {

/// What brings an index from the version of that number to the next one; never changed, only added to.
const QStringList kSteps[] = {
    {
        QStringLiteral("CREATE TABLE runs (id TEXT PRIMARY KEY NOT NULL, started_ms INTEGER NOT NULL, name TEXT NOT "
                       "NULL, target TEXT NOT NULL, verdict TEXT NOT NULL, note TEXT NOT NULL, baseline INTEGER NOT "
                       "NULL, figures TEXT NOT NULL, plan TEXT NOT NULL, report TEXT NOT NULL)"),
        // Of what a list shows, so that it never reads the reports between.
        QStringLiteral("CREATE INDEX runs_by_time ON runs (started_ms DESC, id DESC)"),
        QStringLiteral("CREATE INDEX runs_baselines ON runs (target) WHERE baseline <> 0"),
    },
    {
        QStringLiteral("ALTER TABLE runs ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0"),
    },
};
constexpr int kVersion = static_cast<int>(std::size(kSteps));
const QString kListed = QStringLiteral("id, started_ms, name, target, verdict, note, baseline, figures, pinned");

// https://www.sqlite.org/rescode.html: the lowest byte of an extended code is the code.
HistoryFault faultOf(int code)
{
    switch (code & 0xff) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
        return HistoryFault::Locked;
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
        return HistoryFault::Damaged;
    case 3:  // SQLITE_PERM
    case 8:  // SQLITE_READONLY
    case 14: // SQLITE_CANTOPEN
        return HistoryFault::ReadOnly;
    case 13: // SQLITE_FULL
        return HistoryFault::Full;
    default:
        return HistoryFault::Failed;
    }
}

HistoryError errorOf(const QSqlError& error, const QString& path)
{
    const HistoryFault fault = faultOf(error.nativeErrorCode().toInt());
    switch (fault) {
    case HistoryFault::Locked:
        return {fault, QStringLiteral("Another program is writing to %1.").arg(path),
                QStringLiteral("Try again when it is done; runs are kept in their files until then.")};
    case HistoryFault::Damaged:
        return {fault, QStringLiteral("%1 is damaged.").arg(path),
                QStringLiteral("It is set aside and made again from the runs' files.")};
    case HistoryFault::ReadOnly:
        return {fault, QStringLiteral("%1 cannot be opened or written.").arg(path),
                QStringLiteral("Check who may write in its folder.")};
    case HistoryFault::Full:
        return {fault, QStringLiteral("There is no space left for %1.").arg(path),
                QStringLiteral("Free some space there.")};
    default:
        return {fault, QStringLiteral("%1: %2.").arg(path, error.databaseText()),
                QStringLiteral("Check its disk and the folder's permissions.")};
    }
}

HistoryError noSuchRun(const QString& id)
{
    return {HistoryFault::NotFound, QStringLiteral("There is no run \"%1\".").arg(id.left(40)),
            QStringLiteral("Look it up in the list of runs; it may have been deleted.")};
}

QString compact(const QJsonObject& json)
{
    return QString::fromUtf8(QJsonDocument(json).toJson(QJsonDocument::Compact));
}

QJsonObject objectOf(const QVariant& text)
{
    return QJsonDocument::fromJson(text.toString().toUtf8()).object();
}

/// Of a row that begins with kListed.
RunSummary summaryOf(const QSqlQuery& row)
{
    return {row.value(0).toString(), QDateTime::fromMSecsSinceEpoch(row.value(1).toLongLong(), Qt::UTC),
            row.value(2).toString(), row.value(3).toString(),
            row.value(4).toString(), row.value(5).toString(),
            row.value(6).toBool(),   objectOf(row.value(7)),
            row.value(8).toBool()};
}

/// Qt writes a null text as NULL.
QString some(const QString& text)
{
    return text.isNull() ? QString(QLatin1String("")) : text;
}

} // namespace

RunIndex::RunIndex(QString path, Millis busyWait)
    : path_(std::move(path))
    , connection_(QUuid::createUuid().toString())
    , busyWait_(busyWait)
{
}

RunIndex::~RunIndex()
{
    close();
}

void RunIndex::close()
{
    if (!database_.isValid())
        return;
    database_.close();
    database_ = QSqlDatabase();
    QSqlDatabase::removeDatabase(connection_);
}

HistoryResult<QSqlQuery> RunIndex::run(const QString& sql, const QVariantList& values)
{
    QSqlQuery query(database_);
    query.setForwardOnly(true);
    bool isFine = query.prepare(sql);
    for (qsizetype i = 0; isFine && i < values.size(); ++i)
        query.bindValue(static_cast<int>(i), values.at(i));
    isFine = isFine && query.exec();
    if (!isFine)
        return tl::unexpected(errorOf(query.lastError(), path_));
    return query;
}

HistoryResult<void> RunIndex::exec(const QString& sql, const QVariantList& values)
{
    const auto done = run(sql, values);
    return done ? HistoryResult<void>() : tl::unexpected(done.error());
}

template <typename Work>
HistoryResult<void> RunIndex::transact(Work work)
{
    // Immediate: a transaction that begins as a reader may not become a writer when another one was faster.
    if (auto begun = exec(QStringLiteral("BEGIN IMMEDIATE")); !begun)
        return begun;
    HistoryResult<void> done = work();
    if (done)
        done = exec(QStringLiteral("COMMIT"));
    if (!done)
        (void)exec(QStringLiteral("ROLLBACK"));
    return done;
}

HistoryResult<void> RunIndex::open()
{
    close();
    database_ = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), connection_);
    if (!database_.isValid()) {
        close();
        return tl::unexpected(HistoryError{HistoryFault::Failed, QStringLiteral("Qt's driver for SQLite is missing."),
                                           QStringLiteral("Install it: libqt6sql6-sqlite.")});
    }
    database_.setDatabaseName(path_);
    database_.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=%1").arg(busyWait_.count()));
    HistoryResult<void> done;
    if (!database_.open())
        done = tl::unexpected(errorOf(database_.lastError(), path_));
    else
        done = migrate();
    if (!done)
        close();
    return done;
}

HistoryResult<void> RunIndex::migrate()
{
    const auto version = [this]() -> HistoryResult<int> {
        auto row = run(QStringLiteral("PRAGMA user_version"));
        if (!row)
            return tl::unexpected(row.error());
        return row->next() ? row->value(0).toInt() : 0;
    };
    const HistoryResult<int> found = version();
    if (!found)
        return tl::unexpected(found.error());
    if (*found > kVersion)
        return tl::unexpected(
            HistoryError{HistoryFault::Newer, QStringLiteral("%1 was made by a newer version.").arg(path_),
                         QStringLiteral("Use that version to see it; runs are kept in their files.")});
    if (*found == 0) // it takes only while there are no tables; shrink() changes an older one
        (void)exec(QStringLiteral("PRAGMA auto_vacuum = FULL"));
    // Two programs may begin at once: then the other one has just set it, and it does not wait here.
    const auto wal = exec(QStringLiteral("PRAGMA journal_mode = WAL"));
    if (!wal && wal.error().fault != HistoryFault::Locked)
        return wal;
    if (const auto normal = exec(QStringLiteral("PRAGMA synchronous = NORMAL")); !normal)
        return normal;
    if (*found == kVersion)
        return {};
    return transact([&]() -> HistoryResult<void> {
        const HistoryResult<int> now = version(); // another program may have been faster
        if (!now)
            return tl::unexpected(now.error());
        for (int step = *now; step < kVersion; ++step)
            for (const QString& sql : kSteps[step])
                if (const auto done = exec(sql); !done)
                    return done;
        return exec(QStringLiteral("PRAGMA user_version = %1").arg(kVersion));
    });
}

bool RunIndex::isSound()
{
    auto row = run(QStringLiteral("PRAGMA quick_check(1)"));
    return row && row->next() && row->value(0).toString() == QLatin1String("ok");
}

HistoryResult<void> RunIndex::put(const std::vector<RunRecord>& runs)
{
    return transact([&]() -> HistoryResult<void> {
        for (const RunRecord& record : runs) {
            const RunSummary& summary = record.summary;
            const auto done =
                exec(QStringLiteral("INSERT OR REPLACE INTO runs (%1, plan, report) VALUES (?,?,?,?,?,?,?,?,?,?,?)")
                         .arg(kListed),
                     {summary.id, summary.started.toMSecsSinceEpoch(), some(summary.name), some(summary.target),
                      some(summary.verdict), some(summary.note), summary.isBaseline ? 1 : 0, compact(summary.figures),
                      summary.isPinned ? 1 : 0, compact(record.plan), compact(record.report)});
            if (!done)
                return done;
        }
        return {};
    });
}

HistoryResult<RunPage> RunIndex::page(std::int64_t offset, int limit)
{
    const auto total = count();
    if (!total)
        return tl::unexpected(total.error());
    auto rows =
        run(QStringLiteral("SELECT %1 FROM runs ORDER BY started_ms DESC, id DESC LIMIT ? OFFSET ?").arg(kListed),
            {limit, static_cast<qlonglong>(offset)});
    if (!rows)
        return tl::unexpected(rows.error());
    RunPage page{{}, *total};
    while (rows->next())
        page.runs.push_back(summaryOf(*rows));
    // A row that cannot be read ends the rows like the last one does.
    if (rows->lastError().isValid())
        return tl::unexpected(errorOf(rows->lastError(), path_));
    return page;
}

HistoryResult<RunRecord> RunIndex::get(const QString& id)
{
    auto row = run(QStringLiteral("SELECT %1, plan, report FROM runs WHERE id = ?").arg(kListed), {id});
    if (!row)
        return tl::unexpected(row.error());
    if (row->next())
        return RunRecord{summaryOf(*row), objectOf(row->value(9)), objectOf(row->value(10))};
    if (row->lastError().isValid())
        return tl::unexpected(errorOf(row->lastError(), path_));
    return tl::unexpected(noSuchRun(id));
}

HistoryResult<QStringList> RunIndex::idsOf(HistoryResult<QSqlQuery>& rows)
{
    if (!rows)
        return tl::unexpected(rows.error());
    QStringList ids;
    while (rows->next())
        ids.append(rows->value(0).toString());
    if (rows->lastError().isValid())
        return tl::unexpected(errorOf(rows->lastError(), path_));
    return ids;
}

HistoryResult<QStringList> RunIndex::ids()
{
    auto rows = run(QStringLiteral("SELECT id FROM runs"));
    return idsOf(rows);
}

HistoryResult<std::int64_t> RunIndex::count()
{
    auto row = run(QStringLiteral("SELECT count(*) FROM runs"));
    if (!row)
        return tl::unexpected(row.error());
    return row->next() ? row->value(0).toLongLong() : 0;
}

HistoryResult<void> RunIndex::change(const QString& sql, const QVariantList& values, const QString& id)
{
    auto done = run(sql, values);
    if (!done)
        return tl::unexpected(done.error());
    if (done->numRowsAffected() == 0)
        return tl::unexpected(noSuchRun(id));
    return {};
}

HistoryResult<void> RunIndex::setNote(const QString& id, const QString& note)
{
    return change(QStringLiteral("UPDATE runs SET note = ? WHERE id = ?"), {some(note), id}, id);
}

HistoryResult<void> RunIndex::setPinned(const QString& id, bool isPinned)
{
    return change(QStringLiteral("UPDATE runs SET pinned = ? WHERE id = ?"), {isPinned ? 1 : 0, id}, id);
}

HistoryResult<QStringList> RunIndex::unguarded(int limit)
{
    auto rows = run(QStringLiteral("SELECT id FROM runs WHERE baseline = 0 AND pinned = 0 AND note = '' ORDER BY "
                                   "started_ms, id LIMIT ?"),
                    {limit});
    return idsOf(rows);
}

HistoryResult<QString> RunIndex::setBaseline(const QString& id, bool isBaseline)
{
    QString before;
    const auto done = transact([&]() -> HistoryResult<void> {
        if (isBaseline) {
            auto row = run(QStringLiteral("SELECT id FROM runs WHERE baseline <> 0 AND id <> ? AND target = (SELECT "
                                          "target FROM runs WHERE id = ?)"),
                           {id, id});
            if (!row)
                return tl::unexpected(row.error());
            if (row->next())
                before = row->value(0).toString();
        }
        if (!before.isEmpty())
            if (const auto cleared = exec(QStringLiteral("UPDATE runs SET baseline = 0 WHERE id = ?"), {before});
                !cleared)
                return cleared;
        return change(QStringLiteral("UPDATE runs SET baseline = ? WHERE id = ?"), {isBaseline ? 1 : 0, id}, id);
    });
    if (!done)
        return tl::unexpected(done.error());
    return before;
}

HistoryResult<void> RunIndex::remove(const QString& id)
{
    return change(QStringLiteral("DELETE FROM runs WHERE id = ?"), {id}, id);
}

void RunIndex::shrink()
{
    const bool isAutomatic = [this] {
        auto row = run(QStringLiteral("PRAGMA auto_vacuum"));
        return row && row->next() && row->value(0).toInt() != 0;
    }();
    // https://www.sqlite.org/pragma.html#pragma_auto_vacuum: a database that has tables takes it with VACUUM.
    if (!isAutomatic && exec(QStringLiteral("PRAGMA auto_vacuum = FULL")))
        (void)exec(QStringLiteral("VACUUM"));
    // Until its log is written back, the file is as long as it was.
    (void)exec(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)"));
}

} // namespace sg::history
