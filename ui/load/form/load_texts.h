// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/stages_text.h"
#include "core/measure/objective.h"
#include "ui/load/stages/stages_editor.h"

/// Between the values of a load plan and what its fields show.
namespace sg::ui::loadtexts {

Stages pointsOf(const std::vector<load::Stage>& stages);
std::vector<load::Stage> stagesOf(const Stages& points);
StagesEditor::Language stagesLanguage();

/// The problem and where it is: "A comma or the end is expected here (character 12)."
QString problemOf(const measure::ParseError& error);

QString textOf(const stats::Distribution& distribution, bool isTime); ///< reads back as the same, where it can be typed
QString textOf(const load::SweepModel& sweep);
QString textOf(const std::vector<measure::Objective>& objectives);

} // namespace sg::ui::loadtexts
