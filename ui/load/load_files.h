// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QJsonObject>
#include <QString>

#include <tl/expected.hpp>

#include <vector>

namespace sg::ui::loadfiles {

/// A text file with one prompt a line, UTF-8, empty lines skipped, at most 16 MiB. The error is a sentence with the
/// remedy.
tl::expected<std::vector<QString>, QString> readPrompts(const QString& path);

/// Empty when saved; otherwise what went wrong, what it means and what to do. A file that was there before stays whole.
QString saveReport(const QJsonObject& report, const QString& path);

} // namespace sg::ui::loadfiles
