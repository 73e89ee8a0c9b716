// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/markdown_parts.h"

namespace sg::load::markdownparts {

QString plain(const QString& text)
{
    QString out;
    for (const QChar c : text.simplified()) {
        if (QStringView(u"\\`*_{}[]<>#|~&!").contains(c))
            out += QLatin1Char('\\');
        out += c;
    }
    return out;
}

QString row(const QStringList& cells)
{
    return QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
}

} // namespace sg::load::markdownparts
