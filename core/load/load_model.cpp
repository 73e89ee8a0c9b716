// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/load_model.h"

#include "core/load/stages_text.h"
#include "core/policy/text.h"

#include <algorithm>

namespace sg::load {

namespace {

constexpr double kMostRate = 100'000;
constexpr double kMostArrivals = 100e6;
constexpr int kMostUsers = 10'000;
constexpr int kMostAtATime = 100'000;
constexpr Nanos kLongest = std::chrono::hours(24 * 7);

QString checkInFlight(int most)
{
    if (most < 1 || most > kMostAtATime)
        return QStringLiteral("Requests in flight must be from 1 to 100,000, not %1.").arg(most);
    return {};
}

QString check(const ClosedModel& closed)
{
    if (closed.users < 1 || closed.users > kMostUsers)
        return QStringLiteral("Concurrency must be from 1 to 10,000, not %1.").arg(closed.users);
    if (closed.ramp < Nanos(0) || closed.ramp > kLongest)
        return QStringLiteral("The users' ramp must be from 0 to 7 days.");
    return {};
}

QString check(const OpenModel& open)
{
    if (open.stages.empty())
        return QStringLiteral("The open load has no stage: give a rate and for how long.");
    for (const Stage& stage : open.stages) {
        if (stage.length <= Nanos(0) || stage.length > kLongest)
            return QStringLiteral("A stage's length must be above 0 and at most 7 days.");
        if (!(stage.from >= 0 && stage.from <= kMostRate && stage.to >= 0 && stage.to <= kMostRate))
            return QStringLiteral("A rate must be from 0 to 100,000 requests a second.");
    }
    if (*arrivalsIn(open) <= 0)
        return QStringLiteral("All stages have the rate 0: nothing would be sent.");
    return checkInFlight(open.mostInFlight);
}

QString check(const SweepModel& sweep)
{
    if (!(sweep.from > 0 && sweep.from < sweep.to && sweep.to <= kMostRate))
        return QStringLiteral("A sweep goes from a rate above 0 to a higher one, at most 100,000 requests a second.");
    if (!(sweep.factor >= 1.01 && sweep.factor <= 100))
        return QStringLiteral("A sweep's step must be a factor from 1.01 to 100.");
    if (sweep.each < Millis(100) || sweep.each > kLongest)
        return QStringLiteral("A sweep's step must last from 0.1 s to 7 days.");
    return checkInFlight(sweep.mostInFlight);
}

QString check(const ReplayModel& replay)
{
    if (!replay.offsets || replay.offsets->empty())
        return QStringLiteral("The schedule to replay holds no arrival.");
    if (!std::ranges::is_sorted(*replay.offsets) || replay.offsets->front() < Nanos(0))
        return QStringLiteral("The arrivals to replay must be in order and none before the start.");
    if (!(replay.speed >= 0.001 && replay.speed <= 1000))
        return QStringLiteral("The speed of a replay must be from 0.001 to 1000.");
    return checkInFlight(replay.mostInFlight);
}

struct Words
{
    QString operator()(const ClosedModel& closed) const { return QStringLiteral("%1 users").arg(closed.users); }
    QString operator()(const OpenModel& open) const
    {
        return QStringLiteral("open, %1, %2").arg(text(toString(open.arrivals)), textOf(open.stages));
    }
    QString operator()(const SweepModel& sweep) const
    {
        return QStringLiteral("sweep, %1, %2 to %3 each %4")
            .arg(text(toString(sweep.arrivals)), measure::rateText(sweep.from), measure::rateText(sweep.to),
                 measure::spanText(sweep.each));
    }
    QString operator()(const ReplayModel& replay) const
    {
        return QStringLiteral("replay of %1 arrivals").arg(replay.offsets ? replay.offsets->size() : 0);
    }
};

} // namespace

std::string_view toString(Arrivals arrivals)
{
    return arrivals == Arrivals::Constant ? "constant" : "poisson";
}

std::vector<double> ratesOf(const SweepModel& sweep)
{
    std::vector<double> rates;
    for (double rate = sweep.from; rate < sweep.to; rate *= sweep.factor)
        rates.push_back(rate);
    rates.push_back(sweep.to);
    return rates;
}

QString checkModel(const LoadModel& model)
{
    QString problem = std::visit([](const auto& one) { return check(one); }, model);
    if (problem.isEmpty() && arrivalsIn(model).value_or(0) > kMostArrivals)
        problem = QStringLiteral("The schedule has more than 100,000,000 arrivals: shorten it or lower its rate.");
    return problem;
}

std::vector<Stage> stagesOf(const LoadModel& model)
{
    if (const auto* open = std::get_if<OpenModel>(&model))
        return open->stages;
    std::vector<Stage> stages;
    if (const auto* sweep = std::get_if<SweepModel>(&model))
        for (const double rate : ratesOf(*sweep))
            stages.push_back({sweep->each, rate, rate});
    return stages;
}

std::optional<Nanos> lengthOf(const LoadModel& model)
{
    if (std::holds_alternative<ClosedModel>(model))
        return std::nullopt;
    if (const auto* replay = std::get_if<ReplayModel>(&model)) {
        const Nanos last = replay->offsets && !replay->offsets->empty() ? replay->offsets->back() : Nanos(0);
        return fromMs(toMs(last) / replay->speed);
    }
    Nanos sum{0};
    for (const Stage& stage : stagesOf(model))
        sum += stage.length;
    return sum;
}

std::optional<double> arrivalsIn(const LoadModel& model)
{
    if (std::holds_alternative<ClosedModel>(model))
        return std::nullopt;
    if (const auto* replay = std::get_if<ReplayModel>(&model))
        return replay->offsets ? static_cast<double>(replay->offsets->size()) : 0;
    double sum = 0;
    for (const Stage& stage : stagesOf(model))
        sum += toMs(stage.length) / 1000 * (stage.from + stage.to) / 2;
    return sum;
}

std::optional<int> mostInFlightOf(const LoadModel& model)
{
    if (const auto* closed = std::get_if<ClosedModel>(&model))
        return closed->users;
    if (const auto* open = std::get_if<OpenModel>(&model))
        return open->mostInFlight;
    if (const auto* sweep = std::get_if<SweepModel>(&model))
        return sweep->mostInFlight;
    return std::get<ReplayModel>(model).mostInFlight;
}

QString modelWords(const LoadModel& model)
{
    return std::visit(Words{}, model);
}

} // namespace sg::load
