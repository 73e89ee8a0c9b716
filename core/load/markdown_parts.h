// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStringList>

/// What the Markdown documents of this room are put together from. Pure.
namespace sg::load::markdownparts {

QString plain(const QString& text);    ///< that adds no markup
QString row(const QStringList& cells); ///< of a table; cells are Markdown already

} // namespace sg::load::markdownparts
