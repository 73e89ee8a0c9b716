// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/overlay.h"

#include <QSet>

#include <algorithm>

namespace sg::workspace {

namespace {

const QLatin1String kName("name"), kId("id"), kEndpoint("endpoint"), kKind("kind"), kAfter("$after");
const QLatin1String kCanned("canned_reply");

/// The field that says the name; none when nothing does.
QLatin1String namingField(const QJsonObject& element)
{
    for (const QLatin1String field : {kName, kId, kEndpoint})
        if (!element.value(field).toString().isEmpty())
            return field;
    return element.value(kKind).toString() == kCanned ? kKind : QLatin1String();
}

/// Those that may stay where they are while the others are put in their places: a longest rising row.
QSet<QString> staying(const QStringList& now, const QStringList& wanted)
{
    std::vector<qsizetype> place(std::size_t(wanted.size())), length(place.size()), before(place.size());
    qsizetype best = -1;
    for (std::size_t i = 0; i < place.size(); ++i) {
        place[i] = now.indexOf(wanted[qsizetype(i)]);
        length[i] = 1;
        before[i] = -1;
        for (std::size_t j = 0; j < i; ++j) {
            if (place[j] >= place[i] || length[j] + 1 <= length[i])
                continue;
            length[i] = length[j] + 1;
            before[i] = qsizetype(j);
        }
        if (best < 0 || length[i] > length[std::size_t(best)])
            best = qsizetype(i);
    }
    QSet<QString> names;
    for (qsizetype at = best; at >= 0; at = before[std::size_t(at)])
        names.insert(wanted[at]);
    return names;
}

QJsonArray laidOverList(const QJsonArray& base, const QJsonArray& overlay)
{
    const QJsonValue nothing(QJsonValue::Undefined);
    QJsonArray merged;
    std::vector<std::pair<QString, QJsonValue>> moving; // after which, what
    const auto add = [&](const QJsonValue& under, const QJsonValue& over) {
        QJsonObject element = laidOver(under, over).toObject();
        element.remove(QLatin1String("$remove"));
        const QJsonValue after = element.take(kAfter);
        if (after.isString())
            moving.emplace_back(after.toString(), element);
        else
            merged.append(element);
    };
    for (const QJsonValue& under : base) {
        const qsizetype at = indexOf(overlay, nameOf(under));
        if (at < 0)
            merged.append(under);
        else if (!overlay.at(at)[QLatin1String("$remove")].toBool())
            add(under, overlay.at(at));
    }
    for (const QJsonValue& over : overlay)
        if (indexOf(base, nameOf(over)) < 0 && !over[QLatin1String("$remove")].toBool())
            add(nothing, over);
    while (!moving.empty()) {
        // One whose place does not exist goes to the end, and others may follow it there.
        auto next = std::find_if(moving.begin(), moving.end(), [&](const auto& each) {
            return each.first.isEmpty() || indexOf(merged, each.first) >= 0;
        });
        const bool hasPlace = next != moving.end();
        next = hasPlace ? next : moving.begin();
        const qsizetype at = hasPlace ? (next->first.isEmpty() ? 0 : indexOf(merged, next->first) + 1) : merged.size();
        merged.insert(at, next->second);
        moving.erase(next);
    }
    return merged;
}

} // namespace

QString nameOf(const QJsonValue& element)
{
    const QJsonObject object = element.toObject();
    const QLatin1String field = namingField(object);
    return field == kKind ? QStringLiteral("canned reply") : object.value(field).toString();
}

QJsonObject namingFields(const QJsonObject& element)
{
    const QLatin1String field = namingField(element);
    return field.isEmpty() ? QJsonObject() : QJsonObject{{QString(field), element.value(field)}};
}

QJsonObject renamed(QJsonObject element, const QString& name)
{
    element.insert(namingField(element) == kId ? kId : kName, name);
    return element;
}

QStringList namesOf(const QJsonArray& list)
{
    QStringList names;
    for (const QJsonValue& element : list)
        names << nameOf(element);
    return names;
}

bool isNamedList(const QJsonValue& list)
{
    if (!list.isArray())
        return false;
    QStringList names = namesOf(list.toArray());
    return !names.contains(QString()) && names.removeDuplicates() == 0;
}

qsizetype indexOf(const QJsonArray& list, const QString& name)
{
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const QJsonValue& element) { return nameOf(element) == name; });
    return found == list.end() ? -1 : found - list.begin();
}

std::vector<qsizetype> cameFrom(const QJsonArray& before, const QJsonArray& after)
{
    const QStringList old = namesOf(before), now = namesOf(after);
    std::vector<qsizetype> origin(std::size_t(now.size()), -1);
    QSet<qsizetype> taken;
    const auto take = [&](qsizetype i, qsizetype from) {
        origin[std::size_t(i)] = from;
        taken.insert(from);
    };
    for (qsizetype i = 0; i < now.size(); ++i)
        if (const qsizetype from = old.indexOf(now[i]); from >= 0 && !now[i].isEmpty() && !taken.contains(from))
            take(i, from);
    for (qsizetype i = 0; i < now.size(); ++i)
        if (origin[std::size_t(i)] < 0 && old.size() == now.size() && !taken.contains(i))
            take(i, i);
    return origin;
}

QJsonValue laidOver(const QJsonValue& base, const QJsonValue& overlay)
{
    if (overlay.isArray())
        return isNamedList(overlay) && (isNamedList(base) || !base.isArray())
                   ? laidOverList(base.toArray(), overlay.toArray())
                   : overlay;
    if (!overlay.isObject())
        return overlay;
    const QJsonObject over = overlay.toObject();
    if (over.value(QLatin1String("$whole")).isArray())
        return over.value(QLatin1String("$whole"));
    QJsonObject merged = base.toObject();
    for (auto field = over.constBegin(); field != over.constEnd(); ++field) {
        if (field.value().isNull())
            merged.remove(field.key());
        else
            merged.insert(field.key(), laidOver(merged.value(field.key()), field.value()));
    }
    return merged;
}

QJsonArray ordered(const QJsonArray& base, const QJsonArray& overlay, const QStringList& names)
{
    if (namesOf(laidOverList(base, overlay)) == names)
        return overlay;
    QJsonArray plain;
    for (const QJsonValue& element : overlay) {
        QJsonObject object = element.toObject();
        object.remove(kAfter);
        plain.append(object);
    }
    const QSet<QString> stay = staying(namesOf(laidOverList(base, plain)), names);
    for (qsizetype i = 0; i < names.size(); ++i) {
        if (stay.contains(names[i]))
            continue;
        const QJsonValue after(i == 0 ? QString() : names[i - 1]);
        const qsizetype at = indexOf(plain, names[i]);
        const qsizetype under = indexOf(base, names[i]);
        QJsonObject element = at >= 0      ? plain.at(at).toObject()
                              : under >= 0 ? namingFields(base.at(under).toObject())
                                           : QJsonObject();
        element.insert(kAfter, after);
        if (at >= 0)
            plain[at] = element;
        else
            plain.append(element);
    }
    return plain;
}

} // namespace sg::workspace
