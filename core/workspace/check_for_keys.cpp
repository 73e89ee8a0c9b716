// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/mask.h"
#include "core/workspace/workspace_read.h"

namespace sg::workspace {

namespace {

Finding pastedKey(const QString& place)
{
    Finding finding{FindingLevel::Error, place, QStringLiteral("this looks like a key, and a file never holds a key"),
                    QStringLiteral("Remove it, put the key into the keychain or an environment variable, name that "
                                   "under \"key\", and replace the key at the provider if others may have seen it")};
    finding.why = QStringLiteral("Everybody who sees the file could spend on it");
    finding.rule = QLatin1String(kPastedKeyRule);
    return finding;
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
        const bool named = namesOfKeys.contains(field.toLower()) && !text.isEmpty();
        if (named || provider::looksLikeKey(text))
            findings.push_back(pastedKey(place));
    }
    const QJsonArray array = value.toArray();
    for (qsizetype i = 0; i < array.size(); ++i)
        scanForKeys(array.at(i), field, QStringLiteral("%1[%2]").arg(place).arg(i), findings);
    const QJsonObject object = value.toObject();
    for (auto entry = object.constBegin(); entry != object.constEnd(); ++entry)
        scanForKeys(entry.value(), entry.key(), place.isEmpty() ? entry.key() : place + QLatin1Char('.') + entry.key(),
                    findings);
}

} // namespace

void checkForKeys(const QJsonObject& file, Findings& findings)
{
    scanForKeys(file, QString(), QString(), findings);
}

} // namespace sg::workspace
