// SPDX-License-Identifier: GPL-3.0-or-later
// Slips in the parts of environments. A part that names nothing would be laid over nothing, and what it was meant to
// change would serve as it is in the shared part.
#include "core/workspace/json_reader.h"
#include "core/workspace/overlay.h"

namespace sg::workspace {

namespace {

const QLatin1String kRemove("$remove"), kAfter("$after"), kWhole("$whole");

struct Teller
{
    Findings& findings;
    void error(const QString& place, const QString& problem, const QString& remedy) const
    {
        findings.push_back({FindingLevel::Error, place, problem, remedy});
    }
};

QString didYouMean(const QString& name, const QStringList& known, const QString& otherwise)
{
    const auto nearest = nearestName(name, known);
    return nearest ? QStringLiteral("Did you mean \"%1\"?").arg(*nearest) : otherwise;
}

QString twice(const QJsonArray& list)
{
    QStringList seen;
    for (const QJsonValue& element : list) {
        const QString name = nameOf(element);
        if (!name.isEmpty() && seen.contains(name))
            return name;
        seen << name;
    }
    return {};
}

/// What an element of its own must have, so that a slip in a name is not taken for something new.
bool isNew(const QString& list, const QJsonObject& element)
{
    if (list == QLatin1String("endpoints"))
        return element.contains(QLatin1String("model"));
    if (list == QLatin1String("chains"))
        return element.contains(QLatin1String("tiers"));
    return true;
}

void checkElement(const QString& list, const QJsonObject& element, const QString& place, const QStringList& shared,
                  const QStringList& own, const Teller& tell)
{
    const QString name = nameOf(element);
    const bool isShared = shared.contains(name);
    if (element.contains(kRemove) && !element.value(kRemove).isBool())
        tell.error(place + QStringLiteral(".$remove"), QStringLiteral("this must be true or left out"),
                   QStringLiteral("Write true without quotes"));
    else if (element.value(kRemove).toBool() && !isShared)
        tell.error(place, QStringLiteral("there is no \"%1\" to take out").arg(name),
                   didYouMean(name, shared, QStringLiteral("Remove this entry")));
    else if (!isShared && !isNew(list, element))
        tell.error(place, QStringLiteral("the shared part has no \"%1\" to change").arg(name),
                   didYouMean(name, shared, QStringLiteral("Write it out in full to add it here")));
    const QString after = element.value(kAfter).toString();
    if (element.contains(kAfter) && !(after.isEmpty() || shared.contains(after) || own.contains(after)))
        tell.error(
            place + QStringLiteral(".$after"), QStringLiteral("there is no \"%1\"").arg(after),
            didYouMean(after, shared + own, QStringLiteral("Name what it comes after, or \"\" for the first place")));
}

void checkObject(const QJsonObject& shared, const QJsonObject& own, const QString& place, const Teller& tell);

void checkList(const QString& name, const QJsonArray& shared, const QJsonValue& own, const QString& place,
               const Teller& tell)
{
    if (own.isObject() && !own.toObject().contains(kWhole)) {
        tell.error(place, QStringLiteral("this must be a list in [ ]"),
                   QStringLiteral("Write it as in [{\"name\": …, what is other}]"));
        return;
    }
    if (!own.isArray())
        return;
    const QJsonArray list = own.toArray();
    if (const QString doubled = twice(shared); !doubled.isEmpty()) {
        tell.error(name, QStringLiteral("the name \"%1\" is there twice").arg(doubled),
                   QStringLiteral("Give each its own name: an environment tells them apart by it"));
        return;
    }
    const QStringList sharedNames = namesOf(shared), ownNames = namesOf(list);
    for (qsizetype i = 0; i < list.size(); ++i) {
        const QJsonObject element = list.at(i).toObject();
        const QString here = QStringLiteral("%1[%2]").arg(place).arg(i);
        const QString of = nameOf(element);
        if (of.isEmpty())
            continue; // read, and judged, as a list without names
        checkElement(name, element, here, sharedNames, ownNames, tell);
        if (const qsizetype at = indexOf(shared, of); at >= 0)
            checkObject(shared.at(at).toObject(), element, here, tell);
    }
}

void checkObject(const QJsonObject& shared, const QJsonObject& own, const QString& place, const Teller& tell)
{
    for (auto field = own.constBegin(); field != own.constEnd(); ++field) {
        const QJsonValue under = shared.value(field.key());
        const bool isNamed = field.key() == QLatin1String("endpoints") || field.key() == QLatin1String("chains") ||
                             field.key() == QLatin1String("tiers") || field.key() == QLatin1String("providers");
        if (isNamed)
            checkList(field.key(), under.toArray(), field.value(), place + QLatin1Char('.') + field.key(), tell);
    }
}

} // namespace

void checkOverlays(const QJsonObject& file, Findings& findings)
{
    const QJsonObject environments = file.value(QLatin1String("environments")).toObject();
    for (auto own = environments.constBegin(); own != environments.constEnd(); ++own)
        checkObject(file, own.value().toObject(), QStringLiteral("environments.") + own.key(), Teller{findings});
    const QString named = environmentOf(file);
    if (environments.isEmpty() || environments.contains(named) || !file.contains(QLatin1String("environment")))
        return;
    if (const auto nearest = nearestName(named, environments.keys()))
        findings.push_back({FindingLevel::Error, QStringLiteral("environment"),
                            QStringLiteral("\"environments\" has no \"%1\"").arg(named),
                            QStringLiteral("Did you mean \"%1\"?").arg(*nearest)});
}

} // namespace sg::workspace
