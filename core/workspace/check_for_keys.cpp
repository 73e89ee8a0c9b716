// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/mask.h"
#include "core/workspace/workspace_read.h"

namespace sg::workspace {

namespace {

/// Shorter texts that look like keys may be names: "sk-proxy".
constexpr qsizetype kShortestKey = 20;

struct Teller
{
    Findings& findings;
    void error(const QString& place, const QString& problem, const QString& remedy) const
    {
        findings.push_back({FindingLevel::Error, place, problem, remedy});
    }
};

void scanForKeys(const QJsonValue& value, const QString& field, const QString& place, const Teller& tell)
{
    static const QStringList namesOfKeys{QStringLiteral("api_key"),       QStringLiteral("apikey"),
                                         QStringLiteral("api-key"),       QStringLiteral("secret"),
                                         QStringLiteral("token"),         QStringLiteral("password"),
                                         QStringLiteral("authorization"), QStringLiteral("bearer"),
                                         QStringLiteral("x-api-key"),     QStringLiteral("x-goog-api-key")};
    if (value.isString()) {
        const QString text = value.toString();
        const bool named = namesOfKeys.contains(field.toLower()) && !text.isEmpty();
        const bool looksLikeOne = text.size() >= kShortestKey && provider::maskSecrets(text) != text;
        if (named || looksLikeOne)
            tell.error(place, QStringLiteral("this looks like a key, and a file never holds a key"),
                       QStringLiteral("Remove it, put the key into the keychain or an environment variable, name that "
                                      "under \"key\", and replace the key at the provider if others may have seen it"));
    }
    const QJsonArray array = value.toArray();
    for (qsizetype i = 0; i < array.size(); ++i)
        scanForKeys(array.at(i), field, QStringLiteral("%1[%2]").arg(place).arg(i), tell);
    const QJsonObject object = value.toObject();
    for (auto entry = object.constBegin(); entry != object.constEnd(); ++entry)
        scanForKeys(entry.value(), entry.key(), place.isEmpty() ? entry.key() : place + QLatin1Char('.') + entry.key(),
                    tell);
}

} // namespace

void checkForKeys(const QJsonObject& file, Findings& findings)
{
    scanForKeys(file, QString(), QString(), Teller{findings});
}

} // namespace sg::workspace
