// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/export_parts.h"

#include <algorithm>
#include <cmath>

namespace sg::load {

namespace {

constexpr double kLongestStepSeconds = 10;

/// Ramps as steps of the same length, each at the rate of its middle.
QString rateStages(const std::vector<Stage>& stages, bool& hasRamp)
{
    QString text;
    for (const Stage& stage : stages) {
        const double seconds = toMs(stage.length) / 1000;
        const bool isRamp = stage.from != stage.to;
        hasRamp = hasRamp || isRamp;
        const int steps = isRamp ? std::max(1, static_cast<int>(std::ceil(seconds / kLongestStepSeconds))) : 1;
        for (int i = 0; i < steps; ++i) {
            const double rate = stage.from + (stage.to - stage.from) * (i + 0.5) / steps;
            if (rate > 0)
                text += QStringLiteral("  - rate: %1\n    duration: %2\n")
                            .arg(literal(rate))
                            .arg(std::max<std::int64_t>(1, std::llround(seconds / steps)));
        }
    }
    return text;
}

struct Lengths
{
    double min = 0, max = 0, mean = 0, deviation = 0;
};

Lengths lengthsOf(const stats::Distribution& tokens)
{
    using Kind = stats::Distribution::Kind;
    const double most = tokens.most.value_or(1e6);
    const auto logNormal = [&](double median) { return median * std::exp(tokens.sigma * tokens.sigma / 2); };
    const double spread = std::sqrt(std::exp(tokens.sigma * tokens.sigma) - 1);
    switch (tokens.kind) {
    case Kind::Constant:
        return {tokens.value, tokens.value, tokens.value, 0};
    case Kind::Uniform:
        return {tokens.low, tokens.high, (tokens.low + tokens.high) / 2, (tokens.high - tokens.low) / std::sqrt(12)};
    case Kind::Lognormal: {
        const double mean = logNormal(tokens.median);
        return {1, std::min(most, tokens.median * std::exp(4 * tokens.sigma)), mean, mean * spread};
    }
    case Kind::TwoHumped: {
        const double first = logNormal(tokens.median), second = logNormal(tokens.secondMedian);
        const double share = tokens.secondShare, mean = first * (1 - share) + second * share;
        const double square = (first * first * (1 - share) + second * second * share) * (1 + spread * spread);
        const double highest = std::max(tokens.median, tokens.secondMedian);
        return {1, std::min(most, highest * std::exp(4 * tokens.sigma)), mean,
                std::sqrt(std::max(0.0, square - mean * mean))};
    }
    }
    return {};
}

QString distribution(const char* name, const stats::Distribution& tokens, std::int64_t count)
{
    const Lengths lengths = lengthsOf(tokens);
    const auto whole = [](double number) { return std::max<std::int64_t>(1, std::llround(number)); };
    return QStringLiteral("  %1:\n    min: %2\n    max: %3\n    mean: %4\n    std: %5\n    total_count: %6\n")
        .arg(QLatin1String(name))
        .arg(whole(lengths.min))
        .arg(whole(lengths.max))
        .arg(whole(lengths.mean))
        .arg(std::llround(lengths.deviation))
        .arg(std::max<std::int64_t>(1, count));
}

QString baseWithoutVersion(const QString& url)
{
    QString base = url;
    while (base.endsWith(QLatin1Char('/')))
        base.chop(1);
    if (base.endsWith(QLatin1String("/v1")))
        base.chop(3);
    return base;
}

} // namespace

Exported inferencePerfOf(const LoadPlan& plan, const ExportTarget& target)
{
    if (std::holds_alternative<ReplayModel>(plan.model))
        return tl::unexpected(QStringLiteral("Recorded times are not exported to inference-perf. Describe the load in "
                                             "stages."));
    QStringList lost = commonlyLost(plan);
    QString load;
    bool hasRamp = false;
    if (const auto* closed = std::get_if<ClosedModel>(&plan.model)) {
        if (!plan.stop.requests)
            return tl::unexpected(
                QStringLiteral("inference-perf runs a number of users for a number of requests. Give the "
                               "plan a number of requests."));
        load = QStringLiteral("  type: concurrent\n  stages:\n  - num_requests: %1\n    concurrency_level: %2\n")
                   .arg(*plan.stop.requests)
                   .arg(closed->users);
        if (closed->think != stats::Distribution::constant(0) || closed->ramp > Nanos(0))
            lost.append(QStringLiteral("The ramp of users and their time to think."));
    } else {
        const auto* open = std::get_if<OpenModel>(&plan.model);
        const auto* sweep = std::get_if<SweepModel>(&plan.model);
        const Arrivals arrivals = open ? open->arrivals : sweep->arrivals;
        load = QStringLiteral("  type: %1\n  stages:\n%2")
                   .arg(arrivals == Arrivals::Poisson ? QStringLiteral("poisson") : QStringLiteral("constant"),
                        rateStages(stagesOf(plan.model), hasRamp));
        if (sweep)
            lost.append(QStringLiteral("The end of the sweep at the knee: every step is run."));
        if (hasRamp)
            lost.append(QStringLiteral("Ramps: they are steps of at most %1 s, and pauses are left out.")
                            .arg(literal(kLongestStepSeconds)));
    }
    for (const measure::Objective& objective : plan.objectives)
        lost.append(QStringLiteral("The objective %1.").arg(measure::textOf(objective)));
    lost.append(QStringLiteral("The prompts themselves: made-up ones of about the same length are asked, as plain "
                               "completions (/v1/completions), which not every server has."));
    if (plan.repeatShare > 0)
        lost.append(QStringLiteral("Repeated prompts."));
    if (plan.synthetic && plan.synthetic->sharedPrefixTokens > 0)
        lost.append(QStringLiteral("The beginning that all prompts share."));
    lost.append(QStringLiteral("The key: give it as server.api_key where the server asks for one."));

    const std::int64_t count = plannedRequests(plan).value_or(1000);
    const auto input = plan.synthetic ? plan.synthetic->inputTokens : stats::Distribution::constant(50);
    const auto output = plan.synthetic && plan.synthetic->outputTokens ? *plan.synthetic->outputTokens
                                                                       : stats::Distribution::constant(plan.maxTokens);
    QString text = headOf(plan, lost, QStringLiteral("#"));
    text +=
        QStringLiteral("# Run: inference-perf --config_file FILE; per_request_lifecycle_metrics.json can be imported "
                       "again.\nload:\n") +
        load + QStringLiteral("  base_seed: %1\n").arg(plan.seed) +
        QStringLiteral("api:\n  type: completion\n  streaming: %1\n")
            .arg(plan.stream ? QStringLiteral("true") : QStringLiteral("false")) +
        QStringLiteral("server:\n  type: vllm\n  model_name: %1\n  base_url: %2\n  ignore_eos: false\n")
            .arg(literal(target.model), literal(baseWithoutVersion(target.baseUrl))) +
        QStringLiteral("tokenizer:\n  pretrained_model_name_or_path: gpt2\ndata:\n  type: random\n") +
        distribution("input_distribution", input, count) + distribution("output_distribution", output, count) +
        QStringLiteral(
            "report:\n  request_lifecycle:\n    summary: true\n    per_stage: true\n    per_request: true\n");
    return ExportedPlan{text.toUtf8(), lost};
}

} // namespace sg::load
