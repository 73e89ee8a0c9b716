// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/mask.h"
#include "core/workspace/workspace_read.h"

#include <QRegularExpression>

namespace sg::workspace {

namespace {

bool isTokenOfGateway(const QString& place)
{
    return place == QLatin1String("gateway.token") || place.endsWith(QLatin1String(".gateway.token"));
}

Finding pasted(const QString& place, const QString& problem, const QString& remedy, const QString& why)
{
    Finding finding{FindingLevel::Error, place, problem, remedy};
    finding.why = why;
    finding.rule = QLatin1String(kPastedKeyRule);
    return finding;
}

Finding pastedKey(const QString& place)
{
    if (isTokenOfGateway(place)) // nobody's key, but it opens the gateway
        return pasted(place, QStringLiteral("a file never holds the gateway's token itself"),
                      QStringLiteral("Put it into an environment variable or the keychain and say where, as in "
                                     "\"${SWITCHGEAR_TOKEN}\"; take another one if others may have seen it"),
                      QStringLiteral("Everybody who sees the file could call the gateway"));
    return pasted(place, QStringLiteral("this looks like a key, and a file never holds a key"),
                  QStringLiteral("Remove it, put the key into the keychain or an environment variable, name that under "
                                 "\"key\", and replace the key at the provider if others may have seen it"),
                  QStringLiteral("Everybody who sees the file could spend on it"));
}

/// A key without a form of its own (Azure's hexadecimal digits, Mistral's letters) where the name of a key belongs: no
/// variable and no entry is called that, and every text about it would show it.
bool isNoName(const QString& text)
{
    static const QRegularExpression form(QStringLiteral("^(?=.*[0-9])(?=.*[a-z])[A-Za-z0-9]{28,}$"));
    return form.match(text).hasMatch();
}

/// The name that stands at this place, if it is that of a key: {"name": …} or "${…}" under "key", "proxy_key" or the
/// gateway's "token".
QString nameOfKeyAt(const QString& place, const QString& text)
{
    for (const QLatin1String key : {QLatin1String("key"), QLatin1String("proxy_key"), QLatin1String("token")}) {
        if (place.endsWith(QLatin1Char('.') + key + QLatin1String(".name")))
            return text;
        if (place.endsWith(QLatin1Char('.') + key) && text.startsWith(QLatin1String("${")))
            return text.mid(2).chopped(1);
    }
    return {};
}

void scanForKeys(const QJsonValue& value, const QString& field, const QString& place, Findings& findings)
{
    static const QStringList namesOfKeys{QStringLiteral("api_key"),       QStringLiteral("apikey"),
                                         QStringLiteral("api-key"),       QStringLiteral("secret"),
                                         QStringLiteral("token"),         QStringLiteral("password"),
                                         QStringLiteral("authorization"), QStringLiteral("bearer"),
                                         QStringLiteral("x-api-key"),     QStringLiteral("x-goog-api-key")};
    if (value.isString()) {
        const QString text = value.toString();
        const bool refers = isTokenOfGateway(place) && isPlaceholder(text);
        const bool named = namesOfKeys.contains(field.toLower()) && !text.isEmpty() && !refers;
        if (named || provider::looksLikeKey(text) || isNoName(nameOfKeyAt(place, text)))
            findings.push_back(pastedKey(place));
    }
    const QJsonArray array = value.toArray();
    for (qsizetype i = 0; i < array.size(); ++i)
        scanForKeys(array.at(i), field, QStringLiteral("%1[%2]").arg(place).arg(i), findings);
    const QJsonObject object = value.toObject();
    for (auto entry = object.constBegin(); entry != object.constEnd(); ++entry) {
        if (provider::looksLikeKey(entry.key()))
            findings.push_back(pastedKey(place.isEmpty() ? QStringLiteral("a field's name") : place));
        scanForKeys(entry.value(), entry.key(), place.isEmpty() ? entry.key() : place + QLatin1Char('.') + entry.key(),
                    findings);
    }
}

} // namespace

void checkForKeys(const QJsonObject& file, Findings& findings)
{
    scanForKeys(file, QString(), QString(), findings);
}

} // namespace sg::workspace
