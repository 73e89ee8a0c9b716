// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

/// What the pages of this room are put together from. Texts are escaped here; bodies are HTML already. Pure.
namespace sg::load::htmlparts {

QString cell(const QString& text, const char* cssClass = "");
QString head(const QString& text, const char* cssClass = "");
QString table(const QString& heads, const QString& rows);   ///< empty without a row
QString section(const QString& title, const QString& body); ///< empty without a body
/// One page that needs nothing else: its style is in it, no script, no address is ever asked.
QString page(const QString& title, const QString& body);

} // namespace sg::load::htmlparts
