// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/load_options.h"
#include "core/history/run_lock.h"
#include "core/history/run_record.h"
#include "core/history/sample_log.h"

#include <QDateTime>
#include <QJsonObject>

#include <functional>

namespace sg::app {

/// Said before the run: an hour of load is lost on a mistyped folder otherwise. No output may be another one, or one of
/// the files that the load reads.
tl::expected<void, QString> checkOutputs(const LoadOutputs& outputs, const QStringList& inputs);

/// Where a run's requests go while it runs.
class RequestLogs
{
public:
    /// Opens them. What cannot be written is said and costs the run nothing but its rows.
    static RequestLogs begin(const LoadOptions& options);

    bool isEmpty() const { return logs_.empty(); }
    void add(const measure::Sample& sample, Instant start);
    /// Waits for the disk, and says in the report what came of it. False, and said: requests are missing that should be
    /// there. What is left out because a file reached its limit is said, too.
    bool finish(QJsonObject& report);

    const QString& id() const { return id_; } ///< of the run
    const QDateTime& began() const { return began_; }

private:
    void say(const QString& problem); ///< once

    QDateTime began_;
    QString id_;
    std::vector<std::unique_ptr<history::SampleLog>> logs_;
    QStringList said_;      ///< problems
    history::RunLock lock_; ///< of the run that is kept
};

/// What came of a load; documents are made where they are asked for.
struct LoadDocuments
{
    QJsonObject report;
    std::function<QString()> table, html, markdown;
};

/// Prints and saves; false when something could not be saved. A report that cannot be saved is printed, so that it is
/// not lost.
bool deliver(const LoadDocuments& documents, const LoadOptions& options);
/// The same of one run, which is kept, too, where that was asked for.
bool deliver(const QJsonObject& report, const RequestLogs& logs, const LoadOptions& options);

/// Puts it into the history; false, and said: it is kept nowhere.
bool keepRun(history::RunRecord run);

/// Of documents: the name under which a run is kept, or when it began.
QString titleOf(const LoadOptions& options, const QDateTime& began);

} // namespace sg::app
