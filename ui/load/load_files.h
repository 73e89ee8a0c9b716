// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/prompt.h"

#include <QJsonObject>
#include <QString>

#include <tl/expected.hpp>

namespace sg::ui::loadfiles {

/// The prompts of a file (load::readPromptFile), and when they are to be sent where it says so; UTF-8, at most 16 MiB.
/// The error is a sentence with the remedy.
tl::expected<load::PromptFile, QString> readPrompts(const QString& path);

/// Empty when saved; otherwise what went wrong, what it means and what to do. A file that was there before stays whole.
QString saveReport(const QJsonObject& report, const QString& path);

} // namespace sg::ui::loadfiles
