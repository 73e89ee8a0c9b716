// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/series_control.h"

/// A series as a document. Pure; numbers know no locale.
namespace sg::load {

/// Its table and the reports of its runs (format switchgear-load-series/1, docs/load-report.md).
QJsonObject reportOf(const SeriesProgress& series);

QString tableOf(const SeriesProgress& series); ///< for a terminal
/// For a pull request (GitHub's Markdown). Texts from outside cannot add markup.
QString markdownOf(const SeriesProgress& series, const QString& title);
/// One page that needs nothing else; see htmlOf() of a report.
QString htmlOf(const SeriesProgress& series, const QString& title);

/// What the marks in it mean and how the ranks were made, a line each.
QStringList notesOf(const SeriesTable& table);

} // namespace sg::load
