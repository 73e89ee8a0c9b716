// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/kept_run.h"

#include "core/load/plan_json.h"
#include "core/load/report_words.h"
#include "core/policy/text.h"

namespace sg::load {

history::RunRecord begunRun(const LoadPlan& plan, const QString& id, const QDateTime& started, const QString& name)
{
    history::RunRecord run;
    run.plan = planJson(plan, PlanDetail::Whole);
    run.summary.id = id;
    run.summary.started = started;
    run.summary.name = name;
    run.summary.target = targetNameIn(run.plan);
    return run;
}

history::RunRecord keptRun(const LoadPlan& plan, const QJsonObject& report, const QString& id, const QDateTime& started,
                           const QString& name)
{
    history::RunRecord run = begunRun(plan, id, started, name);
    run.report = report;
    run.summary.verdict = verdictWords(report).word;
    run.summary.figures = history::listedFigures(report);
    return run;
}

} // namespace sg::load
