// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/rate_curve.h"

/// Latency against rate as a part of a document; empty where a run had no two rates. Pure.
namespace sg::load {

QString ratesHtml(const RateCurve& curve);     ///< a plot, its words and a table; of the page of html_parts.h
QString ratesMarkdown(const RateCurve& curve); ///< a table and the words

/// What may be said of a step in a word: "held", "did not hold", "INVALID".
QString stepWord(const RateStep& step);

} // namespace sg::load
