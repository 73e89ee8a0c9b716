// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/load_model.h"
#include "core/policy/random.h"

namespace sg::load {

/// The arrivals of an open load. Each is a function of model, seed and its number alone: nothing that a run does moves
/// one, so lateness can be measured. Needs no memory for them. Pure; not thread-safe.
class Schedule
{
public:
    /// `model` is no closed one and has been checked.
    Schedule(const LoadModel& model, std::uint64_t seed);

    /// The next arrival since the start; nothing: the schedule is over. The same until pop().
    std::optional<Nanos> peek() const;
    void pop();
    Nanos length() const { return length_; }

    /// By hand: from `at` (since the start, not before an arrival that was taken) on the rate is another one until the
    /// schedule's end. Of a replay: nothing changes.
    void setRate(Nanos at, double perSecond);

    /// Which stage that moment belongs to; behind the end: the last one.
    std::size_t stageAt(Nanos offset) const;
    /// Arrivals that the rate asks for from one moment to another; of a replay 0.
    double expectedBetween(Nanos from, Nanos to) const;
    double rateAt(Nanos offset) const; ///< requests a second; of a replay 0

private:
    /// A stage with what came before it.
    struct Piece
    {
        Stage stage;
        Nanos begin{0};
        double massBefore = 0;
    };
    void append(const Stage& stage);
    void draw();

    std::vector<Piece> pieces_;
    std::shared_ptr<const std::vector<Nanos>> recorded_; ///< replay
    double speed_ = 1;
    std::size_t taken_ = 0;
    Arrivals arrivals_ = Arrivals::Constant;
    policy::SeededRandom random_;
    double mass_ = 0; ///< expected arrivals before the next one: it comes where the integral of the rate reaches this
    Nanos length_{0};
};

} // namespace sg::load
