// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/load_options.h"
#include "core/history/sample_log.h"

#include <QDateTime>
#include <QJsonObject>

namespace sg::app {

/// Said before the run: an hour of load is lost on a mistyped folder otherwise.
tl::expected<void, QString> checkOutputs(const LoadOutputs& outputs);

/// Where a run's requests go while it runs.
class RequestLogs
{
public:
    /// Opens them; the error is a sentence with its remedy.
    static tl::expected<RequestLogs, QString> begin(const LoadOutputs& outputs);

    bool isEmpty() const { return logs_.empty(); }
    void add(const measure::Sample& sample, Instant start);
    /// Waits for the disk, and says in the report what came of it. False, and said: not every request was written.
    bool finish(QJsonObject& report);

    const QString& id() const { return id_; } ///< of the run
    const QDateTime& began() const { return began_; }

private:
    QDateTime began_;
    QString id_;
    std::vector<std::unique_ptr<history::SampleLog>> logs_;
};

/// Prints and saves; false when something could not be saved. A report that cannot be saved is printed, so that it is
/// not lost.
bool deliver(const QJsonObject& report, const RequestLogs& logs, const LoadOptions& options);

} // namespace sg::app
