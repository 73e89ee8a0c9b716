// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <cstdint>
#include <optional>

namespace sg::ui {

/// What a plan will send and what it may cost, before the start. What is not known is empty.
struct PlanPreview
{
    std::optional<std::int64_t> requests;
    std::optional<std::int64_t> tokens; ///< in and out
    std::optional<double> seconds;
    std::optional<double> worstUsd;
    bool costIsLowerBound = false; ///< a part of it has no price
    bool operator==(const PlanPreview&) const = default;
};

/// "46 800 requests · 24.8 M tokens · 15 min · worst-case cost $62.00": what is not known says so.
QString previewLine(const PlanPreview& preview);

} // namespace sg::ui
