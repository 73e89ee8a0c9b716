// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/schedule.h"

#include <algorithm>
#include <cmath>

namespace sg::load {

namespace {

double seconds(Nanos span)
{
    return toMs(span) / 1000;
}

/// Expected arrivals.
double massOf(const Stage& stage)
{
    return seconds(stage.length) * (stage.from + stage.to) / 2;
}

/// Where a stage has so many arrivals behind it. The root in the form that does not cancel out.
double secondsFor(const Stage& stage, double mass)
{
    const double slope = (stage.to - stage.from) / seconds(stage.length);
    const double root = std::sqrt(std::max(0.0, stage.from * stage.from + 2 * slope * mass));
    return mass <= 0 ? 0 : 2 * mass / (stage.from + root);
}

Arrivals arrivalsOf(const LoadModel& model)
{
    if (const auto* open = std::get_if<OpenModel>(&model))
        return open->arrivals;
    const auto* sweep = std::get_if<SweepModel>(&model);
    return sweep ? sweep->arrivals : Arrivals::Constant;
}

} // namespace

Schedule::Schedule(const LoadModel& model, std::uint64_t seed)
    : arrivals_(arrivalsOf(model))
    , random_(seed)
{
    if (const auto* replay = std::get_if<ReplayModel>(&model)) {
        recorded_ = replay->offsets;
        speed_ = replay->speed;
        length_ = *lengthOf(model);
        return;
    }
    for (const Stage& stage : stagesOf(model))
        append(stage);
    if (arrivals_ == Arrivals::Poisson)
        draw();
}

void Schedule::append(const Stage& stage)
{
    const double before = pieces_.empty() ? 0 : pieces_.back().massBefore + massOf(pieces_.back().stage);
    pieces_.push_back({stage, length_, before});
    length_ += stage.length;
}

/// A Poisson process of any rate is one of rate 1 on the integral of the rate.
void Schedule::draw()
{
    mass_ += arrivals_ == Arrivals::Poisson ? -std::log(1 - random_.uniform()) : 1;
}

std::optional<Nanos> Schedule::peek() const
{
    if (recorded_) {
        if (taken_ >= recorded_->size())
            return std::nullopt;
        return fromMs(toMs((*recorded_)[taken_]) / speed_);
    }
    // The last piece that begins at or before this mass and has a rate.
    const auto after = std::ranges::upper_bound(pieces_, mass_, {}, &Piece::massBefore);
    if (after == pieces_.begin())
        return std::nullopt;
    const Piece& piece = *std::prev(after);
    const double into = secondsFor(piece.stage, mass_ - piece.massBefore);
    if (!(mass_ - piece.massBefore < massOf(piece.stage)))
        return std::nullopt; // only behind the last piece that has a rate
    return piece.begin + std::min(fromMs(into * 1000), piece.stage.length - Nanos(1));
}

void Schedule::pop()
{
    ++taken_;
    if (!recorded_)
        draw();
}

void Schedule::setRate(Nanos at, double perSecond)
{
    if (recorded_ || at >= length_)
        return;
    at = std::max(at, Nanos(0));
    const Nanos end = length_;
    while (!pieces_.empty() && pieces_.back().begin >= at)
        pieces_.pop_back();
    if (!pieces_.empty()) {
        Stage& cut = pieces_.back().stage;
        const Nanos kept = at - pieces_.back().begin;
        cut.to = cut.from + (cut.to - cut.from) * (seconds(kept) / seconds(cut.length));
        cut.length = kept;
    }
    length_ = at;
    append({end - at, perSecond, perSecond});
}

std::size_t Schedule::stageAt(Nanos offset) const
{
    const auto after = std::ranges::upper_bound(pieces_, offset, {}, &Piece::begin);
    return after == pieces_.begin() ? 0 : static_cast<std::size_t>(std::prev(after) - pieces_.begin());
}

double Schedule::expectedBetween(Nanos from, Nanos to) const
{
    double sum = 0;
    for (const Piece& piece : pieces_) {
        const Nanos begin = std::max(from, piece.begin), end = std::min(to, piece.begin + piece.stage.length);
        if (end <= begin)
            continue;
        const double length = seconds(piece.stage.length);
        const auto rate = [&](Nanos at) {
            return piece.stage.from + (piece.stage.to - piece.stage.from) * seconds(at - piece.begin) / length;
        };
        sum += seconds(end - begin) * (rate(begin) + rate(end)) / 2;
    }
    return sum;
}

double Schedule::rateAt(Nanos offset) const
{
    if (pieces_.empty() || offset >= length_)
        return 0;
    const Piece& piece = pieces_[stageAt(offset)];
    const double share = seconds(offset - piece.begin) / seconds(piece.stage.length);
    return piece.stage.from + (piece.stage.to - piece.stage.from) * share;
}

} // namespace sg::load
