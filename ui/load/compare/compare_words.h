// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/load/compare/comparison.h"
#include "ui/theme/theme.h"

/// The texts of a comparison as rich text. Texts from outside are escaped. Pure.
namespace sg::ui {

/// What was different: of two runs a minus line for the reference and a plus line for the other, of more a line a run
/// with its letter; then the names of what was the same.
QString differenceHtml(const Comparison& comparison, const Theme& theme);
QString noteHtml(const Comparison& comparison, const Theme& theme);

} // namespace sg::ui
