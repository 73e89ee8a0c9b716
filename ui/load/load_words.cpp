// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/load_words.h"

#include "ui/format/format.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QRegularExpression>

#include <cmath>

namespace sg::ui::loadwords {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::loadwords)
};

QString nameOf(const load::LoadPlan& plan)
{
    return load::targetName(plan);
}

QString amount(const load::LoadPlan& plan)
{
    if (plan.stop.requests == 1)
        return Words::tr("1 request");
    if (plan.stop.requests)
        return Words::tr("%1 requests").arg(format::count(*plan.stop.requests));
    const auto length = load::plannedLength(plan);
    if (!length)
        return {};
    const double seconds = toMs(*length) / 1000;
    return seconds < 3600 ? Words::tr("%1 min").arg(span(seconds)) : Words::tr("%1 h").arg(span(seconds));
}

std::optional<double> numberAt(const QJsonObject& object, QLatin1String key)
{
    const QJsonValue value = object.value(key);
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

QString shortOr(std::optional<double> value)
{
    return value ? format::shortCount(*value) : format::unknown();
}

QString reportCost(const QJsonObject& report)
{
    if (const auto exact = numberAt(report, QLatin1String("cost_usd")))
        return cost(exact, false);
    const auto known = numberAt(report, QLatin1String("cost_at_least_usd"));
    const auto estimated = numberAt(report, QLatin1String("cost_estimated_usd"));
    if (estimated && *estimated > 0)
        return cost(known.value_or(0) + *estimated, false, true);
    return cost(known && *known > 0 ? known : std::nullopt, true);
}

QString countText(std::int64_t value)
{
    return value < 100'000'000 ? format::count(value) : format::shortCount(static_cast<double>(value));
}

} // namespace

QString span(double seconds)
{
    const auto total = static_cast<std::int64_t>(std::max(0.0, std::floor(seconds)));
    const auto two = [](std::int64_t v) { return QStringLiteral("%1").arg(v, 2, 10, QLatin1Char('0')); };
    if (total < 3600)
        return QStringLiteral("%1:%2").arg(total / 60).arg(two(total % 60));
    return QStringLiteral("%1:%2:%3").arg(total / 3600).arg(two(total / 60 % 60), two(total % 60));
}

QString targetWord(const load::LoadPlan& plan)
{
    if (plan.targetKind == load::TargetKind::Url)
        return Words::tr("URL");
    return plan.targetKind == load::TargetKind::Chain ? Words::tr("chain") : Words::tr("endpoint");
}

QString loadWords(const load::LoadPlan& plan)
{
    const QString until = amount(plan);
    const QString model = load::modelWords(plan.model);
    return until.isEmpty() ? model : QStringLiteral("%1, %2").arg(until, model);
}

QString title(int number, const load::LoadPlan& plan)
{
    return Words::tr("Run %1, %2").arg(number).arg(amount(plan));
}

QString subtitle(const load::LoadPlan& plan)
{
    // "Most in flight" of an open load is a limit, not what is asked for.
    const bool isClosed = std::holds_alternative<load::ClosedModel>(plan.model);
    return Words::tr("%1 %2, %3, %4, seed %5")
        .arg(targetWord(plan), nameOf(plan),
             isClosed ? Words::tr("%1 at a time").arg(format::count(load::concurrencyOf(plan)))
                      : load::modelWords(plan.model),
             plan.stream ? Words::tr("streamed") : Words::tr("whole answers"), QString::number(plan.seed));
}

QString closedLoad(int concurrency)
{
    if (concurrency < 1)
        return Words::tr("Closed: each user waits for the answer before asking again.");
    if (concurrency == 1)
        return Words::tr("Closed: one user, who waits for each answer before asking again.");
    return Words::tr("Closed: %1 users, each waits for the answer before asking again. Slow answers mean fewer "
                     "requests.")
        .arg(format::count(concurrency));
}

QString ProgressLine::text() const
{
    const QString leftPart = left.isEmpty() ? strongLeft : strongLeft + QLatin1Char(' ') + left;
    const QString rightPart = QStringLiteral("%1 %2").arg(right, strongRight).trimmed();
    return rightPart.isEmpty() ? leftPart : leftPart + QStringLiteral(", ") + rightPart;
}

ProgressLine progressLine(const load::RunProgress& progress, std::int64_t nowUnixMs)
{
    using load::RunState;
    ProgressLine line;
    if (progress.state == RunState::Idle)
        return line;
    const std::int64_t done = progress.answered + progress.failed + progress.cancelled;
    const QString elapsed = span(progress.elapsedSeconds);
    const auto length = load::plannedLength(progress.plan);
    if (length && !progress.plan.stop.requests) {
        line.strongLeft = elapsed;
        line.left = Words::tr("of %1").arg(span(toMs(*length) / 1000));
    } else {
        line.strongLeft = format::count(done);
        line.left =
            Words::tr("of %1 requests in %2").arg(format::count(progress.plan.stop.requests.value_or(0)), elapsed);
    }
    if (progress.state == RunState::Starting)
        line.right = Words::tr("starting");
    else if (progress.state == RunState::Stopping)
        line.right = Words::tr("stopping, %1 still in flight").arg(format::count(progress.inFlight));
    else if (progress.state == RunState::Finished)
        line.right = Words::tr("ended after %1").arg(elapsed);
    else if (progress.state == RunState::Failed)
        line.right = Words::tr("failed after %1").arg(elapsed);
    else if (!progress.etaSeconds)
        line.right = Words::tr("end not known yet");
    else {
        const auto endsAt = nowUnixMs + static_cast<std::int64_t>(*progress.etaSeconds * 1000);
        const bool isToday = *progress.etaSeconds < 20 * 3600;
        line.right = isToday ? Words::tr("ends %1,").arg(format::clock(endsAt)) : QString();
        line.strongRight = Words::tr("%1 left").arg(span(std::ceil(*progress.etaSeconds)));
    }
    return line;
}

QString cost(std::optional<double> usd, bool isLowerBound, bool isEstimated)
{
    if (!usd)
        return Words::tr("unknown");
    if (isEstimated) // also with an unknown part: an estimate bounds nothing
        return QStringLiteral("≈\u202F") + format::money(usd);
    return isLowerBound ? QStringLiteral("≥\u202F") + format::money(usd) : format::money(usd);
}

EstimateWords estimate(const load::CostEstimate& estimate, const load::LoadPlan& plan)
{
    const bool isPartial = !estimate.unpriced.empty();
    EstimateWords words{cost(estimate.likelyUsd, isPartial), cost(estimate.worstUsd, isPartial), {}};
    if (isPartial) {
        QStringList names;
        for (const std::string& name : estimate.unpriced)
            names << QString::fromStdString(name);
        constexpr qsizetype kShown = 3;
        QString list = names.mid(0, kShown).join(QStringLiteral(", "));
        if (names.size() > kShown)
            list = Words::tr("%1 and %2 more").arg(list).arg(names.size() - kShown);
        words.note = Words::tr("unknown: no price for %1").arg(list);
    } else if (!estimate.likelyUsd) {
        words.note = plan.stop.requests
                         ? Words::tr("unknown: nothing to estimate from yet")
                         : Words::tr("unknown: a run that ends by the clock has no known number of requests");
    } else {
        words.note =
            Words::tr("About %1 tokens in, %2 out. Worst: full answers of the dearest tier, every attempt billed.")
                .arg(format::shortCount(static_cast<double>(estimate.inputTokens)),
                     format::shortCount(static_cast<double>(estimate.outputTokens)));
    }
    return words;
}

QString whyNothingCame(const QJsonObject& report)
{
    const QJsonArray errors = report.value(QLatin1String("errors")).toArray();
    if (errors.isEmpty() || report.value(QLatin1String("succeeded")).toDouble() > 0)
        return {};
    const QJsonObject first = errors.first().toObject();
    const QString example = first.value(QLatin1String("example")).toString();
    const QString words = first.value(QLatin1String("words")).toString();
    QString remedy = first.value(QLatin1String("remedy")).toString();
    if (report.value(QLatin1String("plan"))[QLatin1String("url")].isObject())
        remedy = Words::tr("Check the base URL, the model and the key in the plan; Test beside them asks for nothing "
                           "but the list of models");
    return Words::tr("No request was answered. %1: %2 %3.").arg(words, example, remedy);
}

bool isActive(load::RunState state)
{
    using load::RunState;
    return state == RunState::Starting || state == RunState::Running || state == RunState::Stopping;
}

QString attemptsLine(const load::RunProgress& progress)
{
    if (progress.plan.targetKind == load::TargetKind::Url)
        return Words::tr("Attempts behind the URL: unknown");
    std::int64_t cached = 0;
    for (const load::StatusRow& row : progress.statuses)
        if (row.words == QLatin1String("from cache"))
            cached += row.count;
    const std::int64_t uncached = progress.answered + progress.failed + progress.cancelled - cached;
    if (uncached <= 0)
        return Words::tr("%1 attempts").arg(format::count(progress.attempts));
    const double each = static_cast<double>(progress.attempts) / static_cast<double>(uncached);
    return Words::tr("%1 attempts for %2 uncached requests (%3 each)")
        .arg(countText(progress.attempts), countText(uncached), format::number(each, 2));
}

QString formulaOf(measure::Metric metric, int percentile)
{
    const measure::MetricInfo& info = measure::infoOf(metric);
    const QString formula = QString::fromUtf8(info.formula);
    const QString name = QString::fromUtf8(info.words);
    return percentile > 0
               ? Words::tr("%1 p%2, nearest rank over successes\n%1 = %3").arg(name).arg(percentile).arg(formula)
               : QStringLiteral("%1 = %2").arg(name, formula);
}

Verdict verdict(const QJsonObject& report)
{
    const QJsonObject object = report.value(QLatin1String("verdict")).toObject();
    Verdict verdict{object.value(QLatin1String("valid")).toBool(), {}};
    for (const QJsonValue& reason : object.value(QLatin1String("reasons")).toArray())
        verdict.reasons << reason.toString();
    return verdict;
}

std::vector<Figure> figures(const QJsonObject& report)
{
    const QJsonObject response = report.value(QLatin1String("response_ms")).toObject();
    const QJsonObject firstToken = report.value(QLatin1String("ttft_ms")).toObject();
    const QJsonObject tokens = report.value(QLatin1String("tokens")).toObject();
    const auto rps = numberAt(report, QLatin1String("achieved_rps"));
    const bool isUrl = report.value(QLatin1String("plan"))[QLatin1String("url")].isObject();
    const auto tries = numberAt(report, QLatin1String("attempts_per_request"));
    const auto success = numberAt(report, QLatin1String("success_rate"));
    const auto ms = [](const QJsonObject& of, QLatin1String key) { return format::latency(numberAt(of, key)).text(); };
    using measure::Metric;
    return {
        {Words::tr("Success"), success ? format::success(success) + QStringLiteral("\u202F%") : format::unknown(),
         formulaOf(Metric::SuccessRate)},
        {Words::tr("Charged"), reportCost(report), formulaOf(Metric::Cost)},
        {Words::tr("Rate"), rps ? format::rate(*rps) + QStringLiteral("\u202F/s") : format::unknown(),
         formulaOf(Metric::AchievedRate)},
        {Words::tr("p50"), ms(response, QLatin1String("p50")), formulaOf(Metric::Response, 50)},
        {Words::tr("p95"), ms(response, QLatin1String("p95")), formulaOf(Metric::Response, 95)},
        {Words::tr("p99"), ms(response, QLatin1String("p99")), formulaOf(Metric::Response, 99)},
        {Words::tr("First token p50"), ms(firstToken, QLatin1String("p50")), formulaOf(Metric::Ttft, 50)},
        {Words::tr("Tries each"), tries && !isUrl ? format::number(*tries, 2) : format::unknown(),
         Words::tr("Tries each = attempts / requests that no cache answered")},
        {Words::tr("Tokens in / out"),
         shortOr(numberAt(tokens, QLatin1String("input"))) + QStringLiteral(" / ") +
             shortOr(numberAt(tokens, QLatin1String("output"))),
         Words::tr("Tokens in / out = sums over all answers, from the provider's usage")},
    };
}

std::vector<Figure> figures(const load::RunProgress& progress)
{
    const auto count = [](const QString& name, std::int64_t value, const QString& formula) {
        return Figure{name, format::count(value), formula};
    };
    Figure attempts = count(Words::tr("Attempts"), progress.attempts,
                            Words::tr("Attempts = calls to endpoints, retries and fallbacks included"));
    if (progress.plan.targetKind == load::TargetKind::Url)
        attempts.value = format::unknown();
    return {
        count(Words::tr("Sent"), progress.started, Words::tr("Sent = requests begun, also those before measuring")),
        count(Words::tr("Answered"), progress.answered, Words::tr("Answered = measured requests that succeeded")),
        count(Words::tr("Failed"), progress.failed,
              Words::tr("Failed = measured requests that failed or were cut off")),
        count(Words::tr("In flight"), progress.inFlight, Words::tr("In flight = begun and not ended yet")),
        count(Words::tr("Cancelled"), progress.cancelled,
              Words::tr("Cancelled = measured requests given up by the run")),
        attempts,
    };
}

QString fileName(const load::LoadPlan& plan, std::int64_t nowUnixMs)
{
    static const QRegularExpression unsafe(QStringLiteral("[^A-Za-z0-9._-]+"));
    const QString name = nameOf(plan).replace(unsafe, QStringLiteral("-")).left(60);
    const QString time = QDateTime::fromMSecsSinceEpoch(nowUnixMs).toString(QStringLiteral("yyyyMMdd-HHmmss"));
    return QStringLiteral("switchgear-load-%1-%2.json").arg(name, time);
}

} // namespace sg::ui::loadwords
