// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonObject>
#include <QString>

namespace sg::load {

class LoadRun;

/// The report of an ended run (format switchgear-load/2: docs/load-report.md). Numbers in ms, requests a second, USD;
/// null = unknown.
QJsonObject reportOf(const LoadRun& run);

/// The same as a table for a terminal.
QString tableOf(const QJsonObject& report);

/// One entry of the report's "errors" as a sentence with its remedy.
QString errorLine(const QJsonObject& error);

/// "valid" or "INVALID": a run whose generator was the bottleneck says nothing about the target.
bool isValid(const QJsonObject& report);

/// A valid run that did not keep what was asked of it.
bool missedAnObjective(const QJsonObject& report);

} // namespace sg::load
