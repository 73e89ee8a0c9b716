// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/engine/watch.h"

#include <QString>

#include <optional>
#include <vector>

/// One request's way as rows on a time axis, read off the record that the run kept. Words are for people; times are
/// milliseconds since the request began.
namespace sg::ui::waterfall {

enum class BarKind { Queue, Connect, FirstToken, Streaming, Failed, RateLimited, Cache };
constexpr int kBarKinds = 8;

struct Bar
{
    BarKind kind = BarKind::Failed;
    double from = 0, to = 0;
    QString words; ///< inside the bar where they fit; may be empty
    bool operator==(const Bar&) const = default;
};

/// A wait that follows a row's bars.
struct Wait
{
    double from = 0, to = 0;
    QString words, detail; ///< "backoff 0.31 s"; "drawn from 0 – 0.50 s"
    QString kind{};        ///< "exponential backoff, full jitter", where the detail does not say it
    bool isAsked = false;  ///< a server asked for it
    bool isOn = false;     ///< not over yet
    bool operator==(const Wait&) const = default;
};

enum class Tone { Plain, Good, Bad, Warned, Faint };

struct Row
{
    int number = 0; ///< of the attempt; 0: no attempt
    QString step, provider, outcome, took;
    Tone tone = Tone::Plain;
    bool isOfAnsweringTier = false;
    std::vector<Bar> bars;
    std::optional<double> firstByte{}; ///< a tick in the bars
    std::optional<Wait> wait{};
    std::optional<double> movedAt{}; ///< the tier was left here
    QString move{};                  ///< why, in words
    bool movesOn = false;            ///< to the next row
    std::vector<QString> facts{};    ///< lines of the tip
    QString sentence{};              ///< the row for assistive technology
    bool operator==(const Row&) const = default;
};

/// A part of the whole time. The parts' texts add up to the total's.
struct Part
{
    enum class Kind { Queue, Failed, Backoff, Asked, Connect, FirstToken, Streaming, Other };
    Kind kind = Kind::Other;
    double ms = 0;
    QString name, text;
    bool operator==(const Part&) const = default;
};

struct Scene
{
    std::uint64_t id = 0;
    bool running = false;
    std::vector<Row> rows;
    double total = 0; ///< ms so far
    QString totalText;
    std::vector<Part> parts;
    std::optional<double> commit; ///< the first words, after which nothing is tried again
    QString summary;              ///< "5 tries over 2 tiers"
    bool operator==(const Scene&) const = default;
};

/// What the record does not know and the workspace does.
struct Surroundings
{
    std::vector<engine::WatchTarget> targets;
    std::vector<std::string> reach; ///< the endpoints that the chain could have used, in its order
};

Scene sceneOf(const engine::WatchView& view, const Surroundings& surroundings);

/// A tick step and an end for an axis that must hold `total` ms, with at most `ticks` steps.
struct Axis
{
    double end = 1000, step = 200;
    bool operator==(const Axis&) const = default;
};
Axis axisFor(double total, int ticks);
QString tickText(double ms, double step);

/// "503 overloaded", "no connection"
QString outcomeOf(const provider::ErrorFacts& error);
QString moveWords(chain::MoveReason reason, std::optional<Nanos> wait);
QString span(double ms);
QString text(const std::string& utf8);

} // namespace sg::ui::waterfall
