// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/rate_curve.h"

#include "core/load/svg_plot.h"
#include "core/measure/figures_json.h"
#include "core/policy/text.h"
#include "core/stats/knee.h"

#include <QJsonArray>

#include <algorithm>
#include <array>
#include <cmath>

namespace sg::load {

namespace {

using measure::KneeSign;

constexpr std::array kSigns{KneeSign::None, KneeSign::RateNotReached, KneeSign::LatencyDoubled, KneeSign::Failures};

std::optional<double> numberAt(const QJsonValue& object, const char* name)
{
    const QJsonValue value = object[QLatin1String(name)];
    return value.isDouble() && std::isfinite(value.toDouble()) ? std::optional(value.toDouble()) : std::nullopt;
}

measure::KneePoint pointOf(const RateStep& step)
{
    // Reports before "due_rps" have answers in a step in which nothing seems to have been due.
    const bool isDueKnown = step.dueRate > 0 || !step.successShare;
    return {step.requestedRate, step.achievedRate, step.p50Ms,
            step.p99Ms,         step.successShare, isDueKnown ? std::optional(step.dueRate) : std::nullopt};
}

std::vector<std::size_t> risingOf(const std::vector<RateStep>& steps)
{
    std::vector<std::size_t> rising;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (steps[i].isRise)
            rising.push_back(i);
    return rising;
}

std::optional<std::size_t> bendOf(const RateCurve& curve, const std::vector<std::size_t>& rising)
{
    std::vector<stats::RatePoint> points;
    std::vector<std::size_t> places;
    for (const std::size_t i : rising) {
        if (!curve.steps[i].invalidBecause.isEmpty())
            continue;
        points.push_back({curve.steps[i].requestedRate, curve.steps[i].p99Ms});
        places.push_back(i);
    }
    const auto bend = stats::kneeOf(points);
    return bend ? std::optional(places[*bend]) : std::nullopt;
}

QJsonValue rateAt(const RateCurve& curve, std::optional<std::size_t> step)
{
    return step ? QJsonValue(curve.steps[*step].requestedRate) : QJsonValue(QJsonValue::Null);
}

QJsonObject toJson(const RateStep& step)
{
    return {{QStringLiteral("from_ms"), toMs(step.from)},
            {QStringLiteral("to_ms"), toMs(step.to)},
            {QStringLiteral("from_rps"), step.fromRate},
            {QStringLiteral("to_rps"), step.toRate},
            {QStringLiteral("requested_rps"), step.requestedRate},
            {QStringLiteral("due_rps"), step.dueRate},
            {QStringLiteral("sent_rps"), measure::numberOrNull(step.sentRate)},
            {QStringLiteral("achieved_rps"), step.achievedRate},
            {QStringLiteral("answered_rps"), measure::numberOrNull(step.answeredRate)},
            {QStringLiteral("p50_ms"), measure::numberOrNull(step.p50Ms)},
            {QStringLiteral("p95_ms"), measure::numberOrNull(step.p95Ms)},
            {QStringLiteral("p99_ms"), measure::numberOrNull(step.p99Ms)},
            {QStringLiteral("success_share"), measure::numberOrNull(step.successShare)},
            {QStringLiteral("requests"), static_cast<qint64>(step.requests)},
            {QStringLiteral("dropped"), static_cast<qint64>(step.dropped)},
            {QStringLiteral("rising"), step.isRise},
            {QStringLiteral("sign"), text(measure::toString(step.sign))},
            {QStringLiteral("valid"), step.invalidBecause.isEmpty()},
            {QStringLiteral("reasons"), QJsonArray::fromStringList(step.invalidBecause)}};
}

RateStep stepIn(const QJsonValue& json)
{
    RateStep step;
    step.from = fromMs(numberAt(json, "from_ms").value_or(0));
    step.to = fromMs(numberAt(json, "to_ms").value_or(0));
    step.requestedRate = numberAt(json, "requested_rps").value_or(0);
    step.fromRate = numberAt(json, "from_rps").value_or(step.requestedRate);
    step.toRate = numberAt(json, "to_rps").value_or(step.requestedRate);
    step.dueRate = numberAt(json, "due_rps").value_or(0);
    step.sentRate = numberAt(json, "sent_rps");
    step.achievedRate = numberAt(json, "achieved_rps").value_or(0);
    step.answeredRate = numberAt(json, "answered_rps");
    step.p50Ms = numberAt(json, "p50_ms");
    step.p95Ms = numberAt(json, "p95_ms");
    step.p99Ms = numberAt(json, "p99_ms");
    step.successShare = numberAt(json, "success_share");
    step.requests = static_cast<std::int64_t>(numberAt(json, "requests").value_or(0));
    step.dropped = static_cast<std::int64_t>(numberAt(json, "dropped").value_or(0));
    for (const QJsonValue& reason : json[QLatin1String("reasons")].toArray())
        step.invalidBecause.append(reason.toString());
    return step;
}

std::optional<std::size_t> stepOfRate(const std::vector<RateStep>& steps, const QJsonValue& rate)
{
    if (!rate.isDouble())
        return std::nullopt;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (steps[i].isRise && steps[i].requestedRate == rate.toDouble())
            return i;
    return std::nullopt;
}

/// Reports before "rate_steps" name the knee, but say of no step why it did not hold.
RateCurve curveOfSweep(const QJsonValue& sweep)
{
    std::vector<RateStep> steps;
    for (const QJsonValue& json : sweep[QLatin1String("steps")].toArray())
        steps.push_back(stepIn(json));
    RateCurve curve = rateCurveOf(std::move(steps));
    if (curve.steps.empty())
        return curve;
    const auto sign = std::ranges::find(kSigns, sweep[QLatin1String("sign")].toString().toStdString(),
                                        [](KneeSign one) { return std::string(measure::toString(one)); });
    curve.lastHeld = stepOfRate(curve.steps, sweep[QLatin1String("knee_rps")]);
    const std::size_t next = curve.lastHeld ? *curve.lastHeld + 1 : 0;
    curve.beyond.reset();
    for (std::size_t i = 0; i < curve.steps.size(); ++i)
        if (i < next)
            curve.steps[i].sign = KneeSign::None;
    if (sign != kSigns.end() && *sign != KneeSign::None && next < curve.steps.size()) {
        curve.steps[next].sign = *sign;
        curve.beyond = next;
    }
    return curve;
}

QString rateWords(double perSecond)
{
    return plainNumber(perSecond, perSecond < 10 ? 2 : 1) + QStringLiteral("/s");
}

} // namespace

bool RateCurve::isCurve() const
{
    return std::ranges::any_of(steps,
                               [this](const RateStep& step) { return step.requestedRate != steps[0].requestedRate; });
}

RateCurve rateCurveOf(std::vector<RateStep> steps)
{
    RateCurve curve{std::move(steps), {}, {}, {}};
    double highest = 0;
    for (RateStep& step : curve.steps) {
        step.isRise = step.requestedRate > highest;
        highest = std::max(highest, step.requestedRate);
    }
    const auto rising = risingOf(curve.steps);
    if (rising.empty())
        return curve;
    std::vector<measure::KneePoint> points;
    for (const std::size_t i : rising)
        points.push_back(pointOf(curve.steps[i]));
    for (RateStep& step : curve.steps)
        step.sign = measure::kneeSignOf(pointOf(step), points.front());
    const measure::Knee knee = measure::kneeOf(points);
    if (knee.last)
        curve.lastHeld = rising[*knee.last];
    if (knee.sign != KneeSign::None)
        curve.beyond = rising[knee.last ? *knee.last + 1 : 0];
    curve.bend = bendOf(curve, rising);
    return curve;
}

QJsonValue rateStepsJson(const RateCurve& curve)
{
    if (curve.steps.empty())
        return QJsonValue();
    QJsonArray steps;
    for (const RateStep& step : curve.steps)
        steps.append(toJson(step));
    return QJsonObject{{QStringLiteral("steps"), steps},
                       {QStringLiteral("last_held_rps"), rateAt(curve, curve.lastHeld)},
                       {QStringLiteral("beyond_rps"), rateAt(curve, curve.beyond)},
                       {QStringLiteral("bend_rps"), rateAt(curve, curve.bend)}};
}

QJsonObject sweepJson(const RateCurve& curve)
{
    QJsonArray steps;
    for (const RateStep& step : curve.steps)
        steps.append(QJsonObject{{QStringLiteral("requested_rps"), step.requestedRate},
                                 {QStringLiteral("due_rps"), step.dueRate},
                                 {QStringLiteral("achieved_rps"), step.achievedRate},
                                 {QStringLiteral("p50_ms"), measure::numberOrNull(step.p50Ms)},
                                 {QStringLiteral("p99_ms"), measure::numberOrNull(step.p99Ms)},
                                 {QStringLiteral("success_share"), measure::numberOrNull(step.successShare)}});
    const auto sign = curve.beyond ? curve.steps[*curve.beyond].sign : KneeSign::None;
    return QJsonObject{{QStringLiteral("steps"), steps},
                       {QStringLiteral("knee_rps"), rateAt(curve, curve.lastHeld)},
                       {QStringLiteral("sign"), text(measure::toString(sign))}};
}

RateCurve rateCurveIn(const QJsonObject& report)
{
    const QJsonValue told = report.value(QLatin1String("rate_steps"));
    if (!told.isObject())
        return curveOfSweep(report.value(QLatin1String("sweep")));
    std::vector<RateStep> steps;
    for (const QJsonValue& json : told[QLatin1String("steps")].toArray())
        steps.push_back(stepIn(json));
    return rateCurveOf(std::move(steps));
}

QString signWords(KneeSign sign)
{
    switch (sign) {
    case KneeSign::None:
        break;
    case KneeSign::RateNotReached:
        return QStringLiteral("answers came at less than 95 % of the rate");
    case KneeSign::LatencyDoubled:
        return QStringLiteral("p99 is above twice that of the first step");
    case KneeSign::Failures:
        return QStringLiteral("more requests failed than at the first step, and more than 1 %");
    }
    return {};
}

QString kneeWords(const RateCurve& curve)
{
    if (curve.steps.empty())
        return {};
    QString words = QStringLiteral("Knee, the last step that held: %1.")
                        .arg(curve.lastHeld ? rateWords(curve.steps[*curve.lastHeld].requestedRate)
                                            : QStringLiteral("below the first step"));
    // What held although the generator was late holds all the more, but one should know.
    if (curve.lastHeld && !curve.steps[*curve.lastHeld].invalidBecause.isEmpty())
        words += QStringLiteral(" In that step the generator was late itself (INVALID).");
    if (!curve.beyond)
        words += QStringLiteral(" Every step held, so it may lie higher.");
    else {
        const RateStep& beyond = curve.steps[*curve.beyond];
        words += QStringLiteral(" At %1 %2.").arg(rateWords(beyond.requestedRate), signWords(beyond.sign));
        if (!beyond.invalidBecause.isEmpty())
            words += QStringLiteral(" That step is INVALID: it may be the generator that did not keep up.");
    }
    return words + QStringLiteral(" Where p99 bends (Kneedle): %1.")
                       .arg(curve.bend ? rateWords(curve.steps[*curve.bend].requestedRate) : QStringLiteral("nowhere"));
}

} // namespace sg::load
