// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/export.h"

/// What exports have in common. Private to the room.
namespace sg::load {

/// As JSON, which is a literal of JavaScript, Python and YAML alike.
QString literal(const QString& text);
QString literal(double number);
QString secondsOf(Nanos span);

/// The bodies of the plan's first requests in their order, as a list of texts, one a line; `lost` learns when the plan
/// has more.
QString bodiesOf(const LoadPlan& plan, const QString& model, QStringList& lost);

/// Each line behind the comment mark.
QString comment(const QStringList& lines, const QString& mark);
/// The head of a script: what it is and what is lost.
QString headOf(const LoadPlan& plan, const QStringList& lost, const QString& mark);

/// Where chat completions are asked for.
QString chatUrl(const ExportTarget& target);

/// What no generator but ours does, as far as the plan has it.
QStringList commonlyLost(const LoadPlan& plan);

} // namespace sg::load
