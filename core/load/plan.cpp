// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/plan.h"

#include <algorithm>
#include <cmath>

namespace sg::load {

namespace {

constexpr Nanos kLongest = std::chrono::hours(24 * 7);

bool isShare(double value)
{
    return value >= 0 && value <= 1;
}

QString checkStop(const LoadPlan& plan)
{
    const StopRules& stop = plan.stop;
    if (!stop.requests && !stop.duration && !lengthOf(plan.model))
        return QStringLiteral("The run has no end: give a number of requests or a duration.");
    if (stop.requests && (*stop.requests < 1 || *stop.requests > 100'000'000))
        return QStringLiteral("Requests must be from 1 to 100,000,000, not %1.").arg(*stop.requests);
    if (stop.duration && (*stop.duration < Millis(100) || *stop.duration > kLongest))
        return QStringLiteral("The duration must be from 0.1 s to 7 days.");
    if (stop.errorShare && !isShare(*stop.errorShare))
        return QStringLiteral("The share of failures that stops the run must be from 0 to 1.");
    if (stop.budgetUsd && !(*stop.budgetUsd > 0 && *stop.budgetUsd <= 1e9))
        return QStringLiteral("The budget must be above $0.");
    if (stop.objectivesBrokenFor && plan.objectives.empty())
        return QStringLiteral("There is no objective whose breach could stop the run: give one.");
    if (stop.objectivesBrokenFor && *stop.objectivesBrokenFor < std::chrono::seconds(1))
        return QStringLiteral("Objectives are looked at once a second: stop after 1 s or more.");
    return {};
}

QString checkMeasuredPart(const LoadPlan& plan)
{
    if (plan.warmUp < Nanos(0) || plan.coolDown < Nanos(0) || plan.warmUp > kLongest || plan.coolDown > kLongest)
        return QStringLiteral("Warm-up and cool-down must be from 0 to 7 days.");
    const auto length = plannedLength(plan);
    if (plan.coolDown > Nanos(0) && !length)
        return QStringLiteral("A cool-down needs a run whose end is known before: give a duration.");
    if (length && plan.warmUp + plan.coolDown >= *length)
        return QStringLiteral("Warm-up and cool-down leave nothing to measure: make the run longer.");
    return {};
}

QString checkPrompts(const LoadPlan& plan)
{
    if (!isShare(plan.repeatShare))
        return QStringLiteral("The share of repeated prompts must be from 0 to 1.");
    if (plan.maxTokens < 1 || plan.maxTokens > 1'000'000)
        return QStringLiteral("Max tokens must be from 1 to 1,000,000, not %1.").arg(plan.maxTokens);
    if (plan.synthetic && (plan.synthetic->sharedPrefixTokens < 0 || plan.synthetic->sharedPrefixTokens > 1'000'000))
        return QStringLiteral("The shared beginning must be from 0 to 1,000,000 tokens.");
    return {};
}

} // namespace

QString checkPlan(const LoadPlan& plan)
{
    if (plan.targetKind == TargetKind::Url) {
        if (const QString problem = plan.url ? checkUrl(*plan.url) : QStringLiteral("No address: give its base URL.");
            !problem.isEmpty())
            return problem;
    } else if (plan.target.empty())
        return QStringLiteral("No target: name a chain or an endpoint.");
    for (const auto& check :
         {checkStop, +[](const LoadPlan& p) { return checkModel(p.model); }, checkMeasuredPart, checkPrompts})
        if (const QString problem = check(plan); !problem.isEmpty())
            return problem;
    return {};
}

QString targetName(const LoadPlan& plan)
{
    const QString name = QString::fromStdString(plan.target);
    return plan.targetKind == TargetKind::Url && plan.url ? QStringLiteral("%1 at %2").arg(plan.url->model, name)
                                                          : name;
}

void aimAt(LoadPlan& plan, const UrlTarget& url)
{
    plan.targetKind = TargetKind::Url;
    plan.target = hostOf(url.baseUrl).toStdString();
    plan.url = url;
}

std::optional<Nanos> plannedLength(const LoadPlan& plan)
{
    const auto schedule = lengthOf(plan.model);
    if (!schedule || !plan.stop.duration)
        return schedule ? schedule : plan.stop.duration;
    return std::min(*schedule, *plan.stop.duration);
}

std::optional<std::int64_t> plannedRequests(const LoadPlan& plan)
{
    const auto arrivals = arrivalsIn(plan.model);
    if (!arrivals)
        return plan.stop.requests;
    const auto expected = static_cast<std::int64_t>(std::ceil(*arrivals));
    return std::min(expected, plan.stop.requests.value_or(expected));
}

int concurrencyOf(const LoadPlan& plan)
{
    return mostInFlightOf(plan.model).value_or(1);
}

} // namespace sg::load
