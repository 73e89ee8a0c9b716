// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/export_parts.h"
#include "core/load/svg_plot.h"
#include "core/policy/text.h"

#include <cmath>

namespace sg::load {

namespace {

// k6 takes whole rates only.
constexpr double kUnitSeconds = 1000;

QString wholeRate(double perSecond)
{
    return plainNumber(std::round(perSecond * kUnitSeconds), 0);
}

QString duration(Nanos span)
{
    return QStringLiteral("'%1ms'").arg(std::llround(toMs(span)));
}

QString closedScenario(const ClosedModel& closed, const LoadPlan& plan)
{
    const QString users = QString::number(closed.users);
    if (plan.stop.requests)
        return QStringLiteral("executor: 'shared-iterations', vus: %1, iterations: %2, maxDuration: %3")
            .arg(users)
            .arg(*plan.stop.requests)
            .arg(duration(plan.stop.duration.value_or(std::chrono::hours(24))));
    const Nanos length = plan.stop.duration.value_or(std::chrono::hours(24));
    if (closed.ramp > Nanos(0))
        return QStringLiteral(
                   "executor: 'ramping-vus', startVUs: 0, stages: [{ duration: %1, target: %2 }, { duration: "
                   "%3, target: %2 }]")
            .arg(duration(std::min(closed.ramp, length)), users, duration(std::max(Nanos(0), length - closed.ramp)));
    return QStringLiteral("executor: 'constant-vus', vus: %1, duration: %2").arg(users, duration(length));
}

/// Rates jump in a stage of no length.
QString openScenario(const std::vector<Stage>& stages, int mostInFlight)
{
    QStringList steps;
    double rate = stages.front().from;
    for (const Stage& stage : stages) {
        if (stage.from != rate)
            steps.append(QStringLiteral("{ duration: '0s', target: %1 }").arg(wholeRate(stage.from)));
        steps.append(QStringLiteral("{ duration: %1, target: %2 }").arg(duration(stage.length), wholeRate(stage.to)));
        rate = stage.to;
    }
    return QStringLiteral(
               "executor: 'ramping-arrival-rate', startRate: %1, timeUnit: '%2s', preAllocatedVUs: %3, maxVUs: "
               "%4,\n      stages: [%5]")
        .arg(wholeRate(stages.front().from))
        .arg(kUnitSeconds)
        .arg(std::min(mostInFlight, 100))
        .arg(mostInFlight)
        .arg(steps.join(QStringLiteral(", ")));
}

/// What k6 watches itself; the others are told as lost.
QString thresholds(const std::vector<measure::Objective>& objectives, QStringList& lost)
{
    QStringList durations, failures;
    for (const measure::Objective& objective : objectives) {
        const QString relation = text(toString(objective.relation));
        const bool isUpper =
            objective.relation == measure::Relation::Less || objective.relation == measure::Relation::AtMost;
        if (objective.metric == measure::Metric::Response && objective.statistic == measure::Statistic::Percentile)
            durations.append(
                QStringLiteral("'p(%1)%2%3'").arg(literal(objective.percentile), relation, literal(objective.bound)));
        else if (objective.metric == measure::Metric::SuccessRate && !isUpper)
            failures.append(
                QStringLiteral("'rate%1%2'")
                    .arg(objective.relation == measure::Relation::Greater ? QStringLiteral("<") : QStringLiteral("<="),
                         literal(1 - objective.bound / 100)));
        else
            lost.append(QStringLiteral("The objective %1.").arg(measure::textOf(objective)));
    }
    QStringList all;
    if (!durations.isEmpty()) {
        lost.append(QStringLiteral("Percentiles of k6's thresholds are over failures too."));
        all.append(QStringLiteral("http_req_duration: [%1]").arg(durations.join(QStringLiteral(", "))));
    }
    if (!failures.isEmpty())
        all.append(QStringLiteral("http_req_failed: [%1]").arg(failures.join(QStringLiteral(", "))));
    return all.join(QStringLiteral(", "));
}

/// In seconds.
QString thinking(const stats::Distribution& think)
{
    using Kind = stats::Distribution::Kind;
    const auto seconds = [](double ms) { return literal(ms / 1000); };
    const QString normal = QStringLiteral("Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * "
                                          "Math.random())");
    QString drawn = seconds(think.value);
    if (think.kind == Kind::Uniform)
        drawn = QStringLiteral("%1 + %2 * Math.random()").arg(seconds(think.low), seconds(think.high - think.low));
    if (think.kind == Kind::Lognormal)
        drawn = QStringLiteral("%1 * Math.exp(%2 * %3)").arg(seconds(think.median), literal(think.sigma), normal);
    if (think.kind == Kind::TwoHumped)
        drawn = QStringLiteral("(Math.random() < %1 ? %2 : %3) * Math.exp(%4 * %5)")
                    .arg(literal(think.secondShare), seconds(think.secondMedian), seconds(think.median),
                         literal(think.sigma), normal);
    return think.most ? QStringLiteral("Math.min(%1, %2)").arg(seconds(*think.most), drawn) : drawn;
}

bool thinks(const stats::Distribution& think)
{
    return think != stats::Distribution::constant(0);
}

} // namespace

Exported k6Of(const LoadPlan& plan, const ExportTarget& target)
{
    if (std::holds_alternative<ReplayModel>(plan.model))
        return tl::unexpected(QStringLiteral("k6 cannot replay recorded times. Describe the load in stages."));
    QStringList lost = commonlyLost(plan);
    lost.append(
        QStringLiteral("Times of tokens (TTFT, TPOT, ITL, chunk gaps), token counts and cost: k6 reads an answer "
                       "as a whole."));
    QString scenario, think;
    if (const auto* closed = std::get_if<ClosedModel>(&plan.model)) {
        scenario = closedScenario(*closed, plan);
        if (thinks(closed->think)) {
            think = QStringLiteral("  sleep(%1);\n").arg(thinking(closed->think));
            lost.append(QStringLiteral("The seed of the times between requests."));
        }
        if (plan.stop.requests && closed->ramp > Nanos(0))
            lost.append(QStringLiteral("The ramp of users: all begin at once."));
    } else {
        scenario = openScenario(stagesOf(plan.model), mostInFlightOf(plan.model).value_or(kMostInFlight));
        lost.append(
            QStringLiteral("Poisson arrivals: k6 spaces requests evenly. Response times begin when a request is "
                           "sent, not when it was due."));
        if (plan.stop.requests)
            lost.append(QStringLiteral("The number of requests: the stages decide it."));
        if (std::holds_alternative<SweepModel>(plan.model))
            lost.append(QStringLiteral("The end of the sweep at the knee: every step is run."));
    }
    const QString limits = thresholds(plan.objectives, lost);
    const QString bodies = bodiesOf(plan, target.model, lost);
    QString script = headOf(plan, lost, QStringLiteral("//"));
    script +=
        QStringLiteral("// Run: k6 run --out json=points.json FILE; points.json can be imported again.\n"
                       "import http from 'k6/http';\nimport exec from 'k6/execution';\nimport { sleep } from 'k6';\n\n"
                       "const url = ") +
        literal(chatUrl(target)) + QStringLiteral(";\nconst key = __ENV[") + literal(target.keyVariable) +
        QStringLiteral("] || '';\nconst bodies = ") + bodies +
        QStringLiteral(";\n\nexport const options = {\n  scenarios: {\n    load: { ") + scenario +
        QStringLiteral(" },\n  },\n  thresholds: { ") + limits +
        QStringLiteral(" },\n};\n\nexport default function () {\n"
                       "  const body = bodies[exec.scenario.iterationInTest % bodies.length];\n"
                       "  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };\n"
                       "  http.post(url, body, { headers, timeout: '600s' });\n") +
        think + QStringLiteral("}\n");
    return ExportedPlan{script.toUtf8(), lost};
}

} // namespace sg::load
