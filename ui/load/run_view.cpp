// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/run_view.h"

#include "ui/format/format.h"
#include "ui/load/form/load_texts.h"
#include "ui/load/load_words.h"
#include "ui/load/run_axes.h"

#include <QCoreApplication>

namespace sg::ui::runview {

namespace {

using measure::Metric;
using measure::Unit;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::runview)
};

QString numberText(double value)
{
    return value == std::round(value) ? format::number(value, 0) : format::number(value, value < 10 ? 2 : 1);
}

StripMoment momentOf(const load::RunSecond& second, bool hasRate)
{
    StripMoment moment;
    moment.second = second.second;
    moment.width = second.width;
    const auto perSecond = [&](int count) {
        return second.width > 0 ? static_cast<float>(count / second.width) : 0.0F;
    };
    if (hasRate)
        moment.due = perSecond(second.requested);
    moment.sent = perSecond(second.dispatched);
    moment.answered = perSecond(second.answered);
    moment.p50Ms = second.p50Ms;
    moment.p95Ms = second.p95Ms;
    moment.p99Ms = second.p99Ms;
    moment.inFlight = static_cast<float>(second.mostInFlight);
    moment.statuses.assign(second.statuses.begin(), second.statuses.end());
    moment.heat = second.heat;
    moment.tries = second.attempts;
    moment.triesFailed = second.attemptsFailed;
    moment.causes.assign(second.causes.begin(), second.causes.end());
    return moment;
}

StripStatus statusOf(int status)
{
    using Look = StripStatus::Look;
    if (status == 0)
        return {Words::tr("none"), Look::Failed};
    const Look look = status < 400 ? Look::Model : status == 429 ? Look::Refused : Look::Failed;
    return {QString::number(status), look};
}

StripCause causeOf(const QString& name)
{
    using Look = StripCause::Look;
    bool isStatus = false;
    const int status = name.toInt(&isStatus);
    if (isStatus)
        return {name, status == 429   ? Look::Refused
                      : status == 408 ? Look::Timeout
                      : status >= 500 ? Look::Server
                                      : Look::Other};
    if (name == QLatin1String("timeout"))
        return {name, Look::Timeout};
    if (name == QLatin1String("rate limited") || name == QLatin1String("quota exhausted"))
        return {name, Look::Refused};
    if (name == QLatin1String("connection") || name == QLatin1String("tls") || name == QLatin1String("stream broken"))
        return {name, Look::Connection};
    return {name, Look::Other};
}

std::vector<StripBreaker> breakersOf(const load::RunProgress& progress)
{
    std::vector<StripBreaker> all;
    for (const std::string& endpoint : progress.endpoints) {
        StripBreaker breaker{QString::fromStdString(endpoint), {}};
        for (const load::BreakerSpan& span : progress.breakers)
            if (span.endpoint == endpoint)
                breaker.spans.push_back(
                    {static_cast<policy::BreakerState>(span.state), span.fromSecond, span.toSecond});
        all.push_back(std::move(breaker));
    }
    return all;
}

std::vector<StripPhase> phasesOf(const load::LoadPlan& plan, double elapsed, bool isOn)
{
    std::vector<StripPhase> phases;
    const double warmUp = toMs(plan.warmUp) / 1000, coolDown = toMs(plan.coolDown) / 1000;
    if (warmUp > 0)
        phases.push_back({Words::tr("warm-up"), 0, warmUp, true});
    if (const auto length = load::plannedLength(plan); coolDown > 0 && length) {
        const double end = toMs(*length) / 1000;
        if (isOn || elapsed > end - coolDown)
            phases.push_back({Words::tr("cool-down"), end - coolDown, end, true});
    }
    return phases;
}

} // namespace

QString metricText(Metric metric, double value)
{
    const QString thin = format::thin();
    switch (measure::infoOf(metric).unit) {
    case Unit::Milliseconds:
        return format::latency(value).text();
    case Unit::Percent:
        return (metric == Metric::SuccessRate ? format::success(value / 100) : numberText(value)) + thin +
               QLatin1Char('%');
    case Unit::PerSecond:
        return format::rate(value) + thin + QStringLiteral("/s");
    case Unit::TokensPerSecond:
        return format::rate(value) + thin + Words::tr("tokens/s");
    case Unit::UsDollars:
        return format::money(value);
    case Unit::Tokens:
        return numberText(value) + thin + Words::tr("tokens");
    case Unit::Count:
        break;
    }
    return numberText(value);
}

QString objectiveName(const measure::Objective& objective)
{
    using measure::Statistic;
    const QString words = QString::fromUtf8(measure::infoOf(objective.metric).words);
    QString statistic;
    if (objective.statistic == Statistic::Percentile)
        statistic = QStringLiteral("p%1").arg(objective.percentile);
    else if (objective.statistic == Statistic::Mean)
        statistic = Words::tr("mean");
    else if (objective.statistic == Statistic::Min)
        statistic = Words::tr("min");
    else if (objective.statistic == Statistic::Max)
        statistic = Words::tr("max");
    if (objective.metric == Metric::Response)
        return statistic;
    return statistic.isEmpty() ? words : QStringLiteral("%1 %2").arg(words, statistic);
}

QString limitText(const measure::Objective& objective)
{
    using measure::Relation;
    const QChar sign = objective.relation == Relation::Less      ? QChar(u'<')
                       : objective.relation == Relation::AtMost  ? QChar(u'≤')
                       : objective.relation == Relation::Greater ? QChar(u'>')
                                                                 : QChar(u'≥');
    return sign + format::thin() + metricText(objective.metric, objective.bound);
}

StripPicture stripOf(const load::RunProgress& progress, double endBefore)
{
    StripPicture picture;
    picture.elapsed = progress.elapsedSeconds;
    picture.isOn = loadwords::isActive(progress.state);
    picture.end = runaxes::timeEnd(progress, endBefore);
    const bool hasRate = !std::holds_alternative<load::ClosedModel>(progress.plan.model);
    for (const int status : progress.secondStatuses)
        picture.statuses.push_back(statusOf(status));
    // Over a URL an attempt is the request itself; those behind it are not known.
    if (progress.plan.targetKind != load::TargetKind::Url)
        for (const QString& cause : progress.attemptCauses)
            picture.causes.push_back(causeOf(cause));
    picture.heatEdgesMs = progress.heatEdgesMs;
    picture.moments.reserve(progress.seconds.size());
    for (const load::RunSecond& second : progress.seconds)
        picture.moments.push_back(momentOf(second, hasRate));
    for (const StagePoint& point : loadtexts::pointsOf(load::stagesOf(progress.plan.model)))
        picture.planned.emplace_back(point.second, point.perSecond);
    picture.breakers = breakersOf(progress);
    picture.phases = phasesOf(progress.plan, progress.elapsedSeconds, picture.isOn);
    picture.limits = limitsOf(progress.plan);
    return picture;
}

std::vector<StripLimit> limitsOf(const load::LoadPlan& plan)
{
    std::vector<StripLimit> limits;
    for (const measure::Objective& objective : plan.objectives)
        if (objective.metric == Metric::Response && objective.statistic == measure::Statistic::Percentile)
            limits.push_back(
                {QStringLiteral("%1 %2").arg(objectiveName(objective), limitText(objective)), objective.bound});
    return limits;
}

std::vector<ObjectiveChip> chipsOf(const load::RunProgress& progress)
{
    using State = ObjectiveChip::State;
    std::vector<ObjectiveChip> chips;
    for (const measure::ObjectiveVerdict& verdict : progress.objectives) {
        const measure::Metric metric = verdict.objective.metric;
        chips.push_back({objectiveName(verdict.objective),
                         verdict.measured ? metricText(metric, *verdict.measured) : format::unknown(),
                         limitText(verdict.objective),
                         !verdict.measured ? State::NoData
                         : verdict.met()   ? State::Met
                                           : State::Missed,
                         QString::fromUtf8(measure::infoOf(metric).formula)});
    }
    return chips;
}

VerdictBanner::Content verdictOf(const load::RunProgress& progress)
{
    using Kind = VerdictBanner::Kind;
    if (progress.state == load::RunState::Failed)
        return {Kind::Failed,
                progress.seconds.empty() ? Words::tr("The run did not take place") : Words::tr("The run broke off"),
                {progress.error}};
    if (progress.state != load::RunState::Finished)
        return {};
    int missed = 0, without = 0;
    for (const measure::ObjectiveVerdict& verdict : progress.objectives) {
        without += verdict.measured ? 0 : 1;
        missed += verdict.measured && !verdict.met() ? 1 : 0;
    }
    const loadwords::Verdict verdict = loadwords::verdict(progress.report);
    auto content =
        ui::verdictOf(verdict.isValid, verdict.reasons, static_cast<int>(progress.objectives.size()), missed, without);
    const load::StopReason reason = progress.stopReason;
    if (reason != load::StopReason::None && reason != load::StopReason::Requests &&
        reason != load::StopReason::Duration && reason != load::StopReason::ScheduleOver)
        content.reasons << Words::tr("It ended early: %1.").arg(load::inWords(reason));
    return content;
}

} // namespace sg::ui::runview
