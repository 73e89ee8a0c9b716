// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStringList>

namespace sg::load {

/// A text from outside in GitHub's Markdown, on one line, without adding markup.
inline QString markdownText(const QString& text)
{
    QString out;
    for (const QChar c : text.simplified()) {
        if (QStringView(u"\\`*_{}[]<>#|~&!").contains(c))
            out += QLatin1Char('\\');
        out += c;
    }
    return out;
}

inline QString markdownRow(const QStringList& cells)
{
    return QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
}

} // namespace sg::load
