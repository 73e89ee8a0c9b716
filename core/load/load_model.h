// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/stats/distribution.h"

#include "core/policy/time.h"

#include <QString>

#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

/// When the requests of a run begin.
namespace sg::load {

/// Users who each wait for their answer, think, and ask again.
struct ClosedModel
{
    int users = 10;
    Nanos ramp{0}; ///< users begin evenly over it; 0: 1 ms apart, all within a second
    stats::Distribution think = stats::Distribution::constant(0); ///< ms between an answer and the next request
    bool operator==(const ClosedModel&) const = default;
};

enum class Arrivals {
    Constant, ///< the same gap between all of them
    Poisson,  ///< as many independent users come
};
std::string_view toString(Arrivals arrivals);

/// A part of an open load; the rate goes straight from one to the other, in requests a second.
struct Stage
{
    Nanos length{0};
    double from = 0, to = 0;
    bool operator==(const Stage&) const = default;
};

constexpr int kMostInFlight = 2000;

/// Requests come when they come, however long the answers take.
struct OpenModel
{
    std::vector<Stage> stages; ///< one after another
    Arrivals arrivals = Arrivals::Poisson;
    int mostInFlight = kMostInFlight; ///< arrivals beyond are dropped and counted
    bool operator==(const OpenModel&) const = default;
};

/// Higher and higher rates, until the target does not follow (measure::Knee).
struct SweepModel
{
    double from = 1, to = 100, factor = 1.5; ///< requests a second; each step is `factor` times the one before
    Nanos each{std::chrono::seconds(10)};
    Arrivals arrivals = Arrivals::Poisson;
    int mostInFlight = kMostInFlight;
    bool operator==(const SweepModel&) const = default;
};
std::vector<double> ratesOf(const SweepModel& sweep);

/// Arrivals as they were recorded.
struct ReplayModel
{
    std::shared_ptr<const std::vector<Nanos>> offsets; ///< since the start, in order; never null in a checked plan
    double speed = 1;                                  ///< 2: in half of the time
    int mostInFlight = kMostInFlight;
    bool operator==(const ReplayModel&) const = default;
};

using LoadModel = std::variant<ClosedModel, OpenModel, SweepModel, ReplayModel>;

/// Empty when fine; otherwise a sentence with the remedy.
QString checkModel(const LoadModel& model);
/// Stages of an open model or a sweep; empty for the others.
std::vector<Stage> stagesOf(const LoadModel& model);
std::optional<Nanos> lengthOf(const LoadModel& model);     ///< of the schedule; a closed model has none
std::optional<double> arrivalsIn(const LoadModel& model);  ///< expected; a closed model has none
std::optional<int> mostInFlightOf(const LoadModel& model); ///< of a closed model: its users
QString modelWords(const LoadModel& model);                ///< "10 users", "open, Poisson, 10/s for 60s"

} // namespace sg::load
