// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/terminal_text.h"

namespace sg::app {

namespace {

bool isHarmless(QChar c)
{
    if (c == QLatin1Char('\n') || c == QLatin1Char('\t'))
        return true;
    const char16_t code = c.unicode();
    const bool turnsDirection =
        code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return c.category() != QChar::Other_Control && !turnsDirection;
}

} // namespace

QString terminalText(const QString& text)
{
    if (std::ranges::all_of(text, isHarmless))
        return text;
    QString safe;
    safe.reserve(text.size() + 32);
    for (const QChar c : text) {
        if (isHarmless(c))
            safe += c;
        else
            safe += QStringLiteral("\\u%1").arg(int(c.unicode()), 4, 16, QLatin1Char('0'));
    }
    return safe;
}

} // namespace sg::app
