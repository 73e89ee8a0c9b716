// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/load_model.h"
#include "core/measure/spelling.h"

namespace sg::load {

/// Stages in words, comma-separated, one after another:
///   0-60s 10/s               a constant rate from here to there; begins where the last one ended
///   60s at 10/s              a constant rate for so long ("at" may be left out)
///   hold 60s                 as it is (0/s at the beginning)
///   ramp 60s to 50/s         straight from the last rate; "ramp 60s from 10/s to 50/s"
///   spike 200/s for 5s       that rate, after which the last one counts again
///   pause 10s                the same with 0/s
/// Rates: /s, rps, /min, /h. Errors know their place.
measure::Parsed<std::vector<Stage>> parseStages(std::string_view text);
/// Reads back as the same stages.
QString textOf(const std::vector<Stage>& stages);

/// "1/s to 200/s each 10s by 1.5": the last two may be left out.
measure::Parsed<SweepModel> parseSweep(std::string_view text);

/// "500", "200-800", "lognormal 500 0.6" (median, and sigma of the logarithm). `isTime`: times with units, in ms.
measure::Parsed<stats::Distribution> parseDistribution(std::string_view text, bool isTime);

} // namespace sg::load
