// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/plan.h"

#include <QJsonObject>

#include <tl/expected.hpp>

/// A plan as JSON, "switchgear-plan/1" (docs/load-report.md), and back: what was read is the plan that was written, so
/// that the same seed makes the same requests at the same moments. Pure.
namespace sg::load {

enum class PlanDetail {
    Settings, ///< of prompts and recorded arrivals only how many, and their SHA-256: for a report that is shown around
    Whole,    ///< these too, up to kMostInlineBytes of each
};
constexpr qint64 kMostInlineBytes = 4 * 1024 * 1024;

QJsonObject planJson(const LoadPlan& plan, PlanDetail detail);

/// The plan in it: of a run file or a report, or the object itself.
QJsonObject planIn(const QJsonObject& json);

/// `given`: prompts and arrivals for a plan that only names them; others than it names are refused. The error is
/// sentences with the remedy: unknown fields and versions, values out of their range, a plan that checkPlan() refuses.
tl::expected<LoadPlan, QString> readPlan(const QJsonObject& json, const PromptFile& given = {});

} // namespace sg::load
