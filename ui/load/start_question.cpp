// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/start_question.h"

#include "ui/format/format.h"

#include <QCoreApplication>

#include <cmath>

namespace sg::ui {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::StartQuestion)
};

bool isKnown(const load::CostEstimate& estimate)
{
    return estimate.worstUsd && estimate.unpriced.empty();
}

bool needsMoneyQuestion(const load::LoadPlan& plan, const load::CostEstimate& estimate, double limitUsd)
{
    const bool hasBudget = plan.stop.budgetUsd && *plan.stop.budgetUsd <= limitUsd;
    return !hasBudget && !(isKnown(estimate) && *estimate.worstUsd <= limitUsd);
}

/// "about 1 200 requests/min", "12 requests at a time".
QString burdenWords(const load::LoadPlan& plan)
{
    const auto requests = load::plannedRequests(plan);
    const auto length = load::lengthOf(plan.model);
    if (!requests || !length || *length <= Nanos(0))
        return Words::tr("%1 requests at a time, as fast as it answers").arg(format::count(load::concurrencyOf(plan)));
    const double minutes = toMs(*length) / 60'000;
    return Words::tr("about %1 requests/min")
        .arg(format::count(std::llround(static_cast<double>(*requests) / std::max(minutes, 1.0 / 60))));
}

/// The service is somebody's: neither its price nor what it refuses can be known before.
StartQuestion askForReal(const load::LoadPlan& plan)
{
    const QString cost = plan.stop.budgetUsd
                             ? Words::tr("What it charges is unknown, so the budget cannot stop the run.")
                             : Words::tr("What it charges is unknown.");
    return {Words::tr("%1 is a real service: this run sends it %2 for \"%3\". %4")
                .arg(QString::fromStdString(plan.target), burdenWords(plan), plan.url->model, cost),
            Words::tr("Load %1").arg(QString::fromStdString(plan.target))};
}

} // namespace

std::optional<StartQuestion> questionBefore(const load::LoadPlan& plan, const load::CostEstimate& estimate,
                                            const loadwords::EstimateWords& estimateWords, double limitUsd)
{
    if (plan.targetKind == load::TargetKind::Url && plan.url && !load::isOnThisMachine(plan.url->baseUrl))
        return askForReal(plan);
    if (!needsMoneyQuestion(plan, estimate, limitUsd))
        return std::nullopt;
    if (isKnown(estimate))
        return StartQuestion{Words::tr("This run may cost up to %1, more than the %2 above which it asks.")
                                 .arg(estimateWords.worst, format::money(limitUsd)),
                             Words::tr("Start, up to %1").arg(estimateWords.worst)};
    return StartQuestion{
        Words::tr("Nobody knows what this run may cost: %1. Give it a budget, or start it all the same.")
            .arg(estimateWords.note),
        Words::tr("Start all the same")};
}

} // namespace sg::ui
