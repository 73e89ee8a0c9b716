// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/run_record.h"
#include "core/load/plan.h"

namespace sg::load {

/// An ended run as the history keeps it, from its report (switchgear-load/2). `id`: history::newRunId(), made when the
/// run began, so that its requests are already kept under it.
history::RunRecord keptRun(const LoadPlan& plan, const QJsonObject& report, const QString& id, const QDateTime& started,
                           const QString& name);
/// The same of a run that begins: without a report and a verdict.
history::RunRecord begunRun(const LoadPlan& plan, const QString& id, const QDateTime& started, const QString& name);

} // namespace sg::load
