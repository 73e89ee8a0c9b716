// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chain/words.h"

#include <algorithm>

namespace sg::chain {

namespace {

bool isLatinLetter(QChar c)
{
    return c.isLetter() && c.script() == QChar::Script_Latin;
}

bool continuesWord(QChar c)
{
    return isLatinLetter(c) || c.isDigit();
}

QString textOf(const provider::Message& message)
{
    const QJsonValue content = message.fields.value(QLatin1String("content"));
    if (content.isString())
        return content.toString();
    if (!content.isArray())
        return message.text;
    QStringList texts;
    const QJsonArray parts = content.toArray();
    for (const QJsonValue& part : parts)
        texts.append(part[QLatin1String("text")].toString());
    return texts.join(QLatin1Char('\n'));
}

} // namespace

QString comparable(const QString& text)
{
    return text.normalized(QString::NormalizationForm_C).toCaseFolded();
}

bool occurs(const QString& text, const QString& word)
{
    if (word.isEmpty())
        return false;
    for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        const qsizetype end = at + word.size();
        const bool cutsFront = isLatinLetter(word.front()) && at > 0 && continuesWord(text.at(at - 1));
        const bool cutsBack = isLatinLetter(word.back()) && end < text.size() && continuesWord(text.at(end));
        if (!cutsFront && !cutsBack)
            return true;
    }
    return false;
}

QString lastUserText(const provider::ChatRequest& request)
{
    const auto last = std::find_if(request.messages.rbegin(), request.messages.rend(),
                                   [](const provider::Message& m) { return m.role == "user"; });
    return last == request.messages.rend() ? QString() : textOf(*last);
}

} // namespace sg::chain
