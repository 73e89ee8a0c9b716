// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/secrets/secret_store.h"

#include <QRegularExpression>

namespace sg::secrets {

namespace {

SecretError malformed(const QString& words, const QString& remedy)
{
    return {SecretErrorKind::Malformed, words, remedy};
}

bool isPlaceholder(const QString& key)
{
    static const QRegularExpression pattern(
        QStringLiteral(
            "^[<\\[{].*[>\\]}]$"                             // <your key>
            "|your[-_ ]?([a-z0-9]+[-_ ])*(key|token|secret)" // your-key-here
            "|(insert|replace|paste|enter|put)[-_ ]?(your|me|key|it|here)"
            "|(key|token)[-_ ]?here"
            "|change[-_ ]?me|placeholder|^example|dummy|^test[-_]?key$|^(api[-_]?key|key|token|todo|none|null)$"
            "|\\$\\{.*\\}|\\{\\{.*\\}\\}|^\\$\\(.*\\)$|^\\$[a-z_][a-z0-9_]*$|^%[a-z_][a-z0-9_]*%$" // ${VAR}, {{VAR}},
                                                                                                   // $VAR, %VAR%
            "|^(os\\.|process\\.)?env(iron)?[:./\\[]|^getenv\\(" // os.environ/VAR, env:VAR
            "|(^|[-_])x{3,}$|x{6,}|\\*{3,}|\\.{3}|^(sk|hs|gsk|pk)[-_]?$"),
        QRegularExpression::CaseInsensitiveOption);
    return pattern.match(key).hasMatch();
}

} // namespace

QByteArray trimmedKey(const QByteArray& key)
{
    static const QByteArray mark("\xEF\xBB\xBF");
    QByteArray trimmed = key.trimmed();
    while (trimmed.startsWith(mark))
        trimmed = trimmed.mid(mark.size()).trimmed();
    return trimmed;
}

std::optional<SecretError> checkKey(const QString& given)
{
    static const QRegularExpression blanks(QStringLiteral("\\s+"));
    const QString key = QString::fromUtf8(trimmedKey(given.toUtf8()));
    const QString again = QStringLiteral("Copy the key again and paste only it.");
    if (key.isEmpty())
        return malformed(QStringLiteral("The key is empty."), QStringLiteral("Put the key there, and only it."));
    if (isPlaceholder(key))
        return malformed(QStringLiteral("This is a placeholder, not a key."),
                         QStringLiteral("Put the real one there."));
    if (key.startsWith(QLatin1String("Bearer "), Qt::CaseInsensitive))
        return malformed(QStringLiteral("The key begins with the word \"Bearer\"."),
                         QStringLiteral("Paste only what comes after it; the word is added by itself."));
    if ((key.startsWith(QLatin1Char('"')) || key.startsWith(QLatin1Char('\''))) && key.size() > 1 &&
        key.back() == key.front())
        return malformed(QStringLiteral("The key stands in quotes."), QStringLiteral("Remove the quotes."));
    static const QRegularExpression separators(QStringLiteral("[\\s,;]+"));
    const QStringList parts = key.split(separators, Qt::SkipEmptyParts);
    const bool several = parts.size() > 1 &&
                         std::all_of(parts.begin(), parts.end(), [](const QString& part) { return part.size() >= 16; });
    if (several)
        return malformed(QStringLiteral("These are %1 keys.").arg(parts.size()),
                         QStringLiteral("Paste one key; make an endpoint of its own for each further one."));
    if (key.contains(QLatin1Char('\n')) || key.contains(QLatin1Char('\r')))
        return malformed(QStringLiteral("The key holds a line break."), again);
    if (blanks.match(key).hasMatch())
        return malformed(QStringLiteral("The key holds a blank."), again);
    const bool sendable =
        std::all_of(key.begin(), key.end(), [](QChar c) { return c.unicode() > 0x20 && c.unicode() < 0x7f; });
    if (!sendable)
        return malformed(QStringLiteral("The key holds a character that no key has, such as an accented letter or a "
                                        "typographic dash."),
                         again);
    const qsizetype colon = key.indexOf(QLatin1Char(':'));
    const bool isPair = colon > 0 && colon < key.size() - 1;
    if (key.size() < 8 && !isPair)
        return malformed(QStringLiteral("The key is only %1 characters long; 8 are the least.").arg(key.size()), again);
    return std::nullopt;
}

std::optional<SecretError> checkKeyPrefix(const QString& key, const QStringList& prefixes)
{
    const bool fits = prefixes.isEmpty() || std::any_of(prefixes.begin(), prefixes.end(),
                                                        [&](const QString& prefix) { return key.startsWith(prefix); });
    if (fits)
        return std::nullopt;
    return malformed(QStringLiteral("Keys of this provider begin with \"%1\"; this one does not.")
                         .arg(prefixes.join(QStringLiteral("\" or \""))),
                     QStringLiteral("Check that the key belongs to this provider."));
}

} // namespace sg::secrets
