// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/overlay.h"
#include "core/workspace/model.h"
#include "core/workspace/workspace_read.h"

#include <algorithm>

namespace sg::workspace {

namespace {

const QJsonValue kNothing(QJsonValue::Undefined);
const QLatin1String kWhole("$whole"), kRemove("$remove"), kEnvironments("environments"), kEnvironment("environment");

bool isWhole(const QJsonValue& overlay)
{
    return overlay.isObject() && overlay.toObject().contains(kWhole);
}

void set(QJsonObject& object, const QString& field, const QJsonValue& value)
{
    if (value.isUndefined())
        object.remove(field);
    else
        object.insert(field, value);
}

QStringList fieldsOf(const QJsonObject& one, const QJsonObject& other)
{
    QStringList fields = one.keys() + other.keys();
    fields.removeDuplicates();
    return fields;
}

QJsonValue objectOverlay(const QJsonObject& base, const QJsonObject& target, const QJsonObject& old)
{
    QJsonObject overlay;
    const QStringList fields = fieldsOf(base, target);
    for (const QString& field : fields) {
        const QJsonValue under = base.value(field), wanted = target.value(field);
        if (wanted.isUndefined() || (wanted.isNull() && !under.isNull()))
            overlay.insert(field, QJsonValue::Null);
        else
            set(overlay, field, overlayFor(under, wanted, old.value(field)));
    }
    return overlay.isEmpty() ? kNothing : QJsonValue(overlay);
}

QJsonObject elementOverlay(const QJsonObject& base, const QJsonObject& target, const QJsonObject& old)
{
    QJsonObject overlay = overlayFor(base, target, old).toObject();
    if (!overlay.isEmpty() && nameOf(overlay) != nameOf(target))
        joinUnknown(overlay, namingFields(target));
    return overlay;
}

QJsonValue listOverlay(const QJsonArray& base, const QJsonArray& target, const QJsonArray& old)
{
    QJsonArray overlay;
    const auto put = [&](const QString& name) {
        const qsizetype under = indexOf(base, name), wanted = indexOf(target, name), before = indexOf(old, name);
        QJsonObject element;
        if (wanted >= 0 && under >= 0)
            element = elementOverlay(base.at(under).toObject(), target.at(wanted).toObject(),
                                     before >= 0 ? old.at(before).toObject() : QJsonObject());
        else if (wanted >= 0)
            element = target.at(wanted).toObject();
        else if (under >= 0) {
            element = namingFields(base.at(under).toObject());
            element.insert(kRemove, true);
        }
        if (!element.isEmpty())
            overlay.append(element);
    };
    // Those that were there keep their places, so that a file changes where it must and nowhere else.
    QStringList names = namesOf(old) + namesOf(base) + namesOf(target);
    names.removeDuplicates();
    for (const QString& name : std::as_const(names))
        put(name);
    overlay = ordered(base, overlay, namesOf(target));
    return overlay.isEmpty() ? kNothing : QJsonValue(overlay);
}

QJsonArray withoutAfter(const QJsonArray& list)
{
    QJsonArray plain;
    for (const QJsonValue& element : list) {
        QJsonObject object = element.toObject();
        object.remove(QLatin1String("$after"));
        plain.append(object);
    }
    return plain;
}

QStringList onlyThoseIn(const QStringList& names, const QStringList& wanted)
{
    QStringList common;
    for (const QString& name : names)
        if (wanted.contains(name))
            common << name;
    return common;
}

/// Changes of a list that is laid over by name.
class ListChange
{
public:
    ListChange(const Layers& layers, const QJsonArray& from, const QJsonArray& to, const QStringList& path,
               std::vector<Renaming>& renamings)
        : shared_(layers.shared.toArray())
        , own_(layers.own.toArray())
        , from_(from)
        , to_(to)
        , path_(path)
        , renamings_(renamings)
        , ordersShared_(withoutAfter(own_) != own_)
    {
    }

    Layers result()
    {
        const std::vector<qsizetype> origin = cameFrom(from_, to_);
        dropGone(origin);
        for (qsizetype i = 0; i < to_.size(); ++i) {
            if (origin[std::size_t(i)] >= 0)
                change(from_.at(origin[std::size_t(i)]).toObject(), to_.at(i).toObject());
            else
                add(i);
        }
        order();
        const QJsonArray own = ordered(shared_, own_, namesOf(to_));
        return {shared_, own.isEmpty() ? kNothing : QJsonValue(own)};
    }

private:
    static void replace(QJsonArray& list, qsizetype at, const QJsonValue& value)
    {
        if (at >= 0 && value.isUndefined())
            list.removeAt(at);
        else if (at >= 0)
            list[at] = value;
    }

    void dropGone(const std::vector<qsizetype>& origin)
    {
        for (qsizetype i = 0; i < from_.size(); ++i) {
            if (std::find(origin.begin(), origin.end(), i) != origin.end())
                continue;
            const QString name = nameOf(from_.at(i));
            if (const qsizetype at = indexOf(shared_, name); at >= 0) {
                shared_.removeAt(at);
                renamings_.push_back({path_, name, {}});
            }
            replace(own_, indexOf(own_, name), kNothing);
        }
    }

    void change(QJsonObject was, const QJsonObject& is)
    {
        const QString before = nameOf(was), now = nameOf(is);
        const qsizetype under = indexOf(shared_, before), over = indexOf(own_, before);
        if (before != now) {
            was = renamed(was, now);
            if (under >= 0) {
                shared_[under] = renamed(shared_.at(under).toObject(), now);
                renamings_.push_back({path_, before, now});
            }
            if (over >= 0)
                own_[over] = renamed(own_.at(over).toObject(), now);
        }
        if (was == is)
            return;
        QJsonObject own = over >= 0 ? own_.at(over).toObject() : QJsonObject();
        const QJsonValue after = own.take(QLatin1String("$after"));
        const Layers changed =
            whereSet({under >= 0 ? shared_.at(under) : kNothing, over >= 0 ? QJsonValue(own) : kNothing}, was, is,
                     path_ + QStringList{QLatin1Char('#') + now}, renamings_);
        replace(shared_, under, changed.shared);
        if (over < 0)
            return;
        own = changed.own.toObject();
        if (nameOf(own) != now)
            joinUnknown(own, namingFields(is));
        if (after.isString())
            own.insert(QStringLiteral("$after"), after);
        own_[over] = own;
    }

    /// Behind the one that is before it, where all share it.
    void add(qsizetype i)
    {
        qsizetype at = 0;
        for (qsizetype before = i - 1; before >= 0 && at == 0; --before)
            at = indexOf(shared_, nameOf(to_.at(before))) + 1;
        const QString name = nameOf(to_.at(i));
        const qsizetype hidden = indexOf(shared_, name);
        replace(own_, indexOf(own_, name), kNothing);
        if (hidden < 0)
            shared_.insert(at, to_.at(i));
        else if (const QJsonObject own = elementOverlay(shared_.at(hidden).toObject(), to_.at(i).toObject(), {});
                 !own.isEmpty()) // others have one of that name, which this environment took out
            own_.append(own);
    }

    void order()
    {
        const QStringList wanted = onlyThoseIn(namesOf(to_), namesOf(shared_));
        if (ordersShared_ || onlyThoseIn(namesOf(shared_), wanted) == wanted)
            return;
        // Those that this environment takes out keep their places.
        qsizetype next = 0;
        const QJsonArray before = shared_;
        for (qsizetype i = 0; i < before.size(); ++i)
            if (wanted.contains(nameOf(before.at(i))))
                shared_[i] = before.at(indexOf(before, wanted[next++]));
    }

    QJsonArray shared_, own_, from_, to_;
    QStringList path_;
    std::vector<Renaming>& renamings_;
    bool ordersShared_;
};

QJsonValue withTierEndpoints(const QJsonValue& part, const Renaming& renaming)
{
    if (part.isArray()) {
        QJsonArray list = part.toArray();
        for (qsizetype i = 0; i < list.size(); ++i)
            list[i] = withTierEndpoints(list.at(i), renaming);
        return list;
    }
    if (!part.isObject())
        return part;
    QJsonObject object = part.toObject();
    for (const QString& field : {QStringLiteral("chains"), QStringLiteral("tiers"), QString(kWhole)})
        if (object.contains(field))
            object.insert(field, withTierEndpoints(object.value(field), renaming));
    if (object.value(QLatin1String("endpoint")).toString() == renaming.from)
        object.insert(QStringLiteral("endpoint"), renaming.to);
    return object;
}

/// Elements that stand behind the one that is called otherwise now.
QJsonArray behindTheSame(QJsonArray list, const Renaming& renaming)
{
    const QString after = QStringLiteral("$after");
    for (qsizetype i = 0; i < list.size(); ++i) {
        QJsonObject element = list.at(i).toObject();
        if (element.value(after).toString() != renaming.from)
            continue;
        element.insert(after, renaming.to);
        list[i] = element;
    }
    return list;
}

QJsonValue followed(const QJsonValue& part, const Renaming& renaming, qsizetype depth)
{
    if (part.isObject() && isWhole(part)) {
        // A list of its own loses nothing because others lose it.
        const QJsonValue list = part.toObject().value(kWhole);
        return renaming.to.isEmpty() ? part : QJsonObject{{QString(kWhole), followed(list, renaming, depth)}};
    }
    if (depth < renaming.path.size() && part.isObject()) {
        QJsonObject object = part.toObject();
        if (const QString& field = renaming.path[depth]; object.contains(field))
            object.insert(field, followed(object.value(field), renaming, depth + 1));
        return object;
    }
    if (!isNamedList(part))
        return part;
    QJsonArray list = part.toArray();
    const bool isHere = depth == renaming.path.size();
    if (isHere && !renaming.to.isEmpty())
        list = behindTheSame(list, renaming);
    const qsizetype at = indexOf(list, isHere ? renaming.from : renaming.path[depth].mid(1));
    if (at < 0)
        return list;
    if (!isHere)
        list[at] = followed(list.at(at), renaming, depth + 1);
    else if (renaming.to.isEmpty())
        list.removeAt(at);
    else
        list[at] = renamed(list.at(at).toObject(), renaming.to);
    return list;
}

} // namespace

QJsonValue overlayFor(const QJsonValue& base, const QJsonValue& target, const QJsonValue& old)
{
    if (!old.isUndefined() && !old.isNull() && laidOver(base, old) == target)
        return old;
    if (base == target)
        return kNothing;
    if (isWhole(old) && target.isArray())
        return QJsonObject{{QString(kWhole), target}};
    if (base.isObject() && target.isObject())
        return objectOverlay(base.toObject(), target.toObject(), old.toObject());
    if (isNamedList(base) && isNamedList(target))
        return listOverlay(base.toArray(), target.toArray(), old.toArray());
    return target;
}

Layers whereSet(const Layers& layers, const QJsonValue& from, const QJsonValue& to, const QStringList& path,
                std::vector<Renaming>& renamings)
{
    const auto& [shared, own] = layers;
    if (from == to)
        return layers;
    if (own.isUndefined() && !from.isArray() && !from.isObject())
        return {to, own};
    if (to.isUndefined())
        return own.isUndefined() ? Layers{to, own} : Layers{shared, shared.isUndefined() ? to : QJsonValue::Null};
    if (from.isObject() && to.isObject() && shared.isObject() && (own.isObject() || own.isUndefined()) &&
        !isWhole(own)) {
        QJsonObject sharedNow = shared.toObject(), ownNow = own.toObject();
        const QJsonObject was = from.toObject(), is = to.toObject();
        const QStringList fields = fieldsOf(was, is);
        for (const QString& field : fields) {
            const Layers part = whereSet({sharedNow.value(field), ownNow.value(field)}, was.value(field),
                                         is.value(field), path + QStringList{field}, renamings);
            set(sharedNow, field, part.shared);
            set(ownNow, field, part.own);
        }
        return {sharedNow, own.isUndefined() && ownNow.isEmpty() ? own : QJsonValue(ownNow)};
    }
    if (isNamedList(from) && isNamedList(to) && isNamedList(shared) && (isNamedList(own) || own.isUndefined()))
        return ListChange(layers, from.toArray(), to.toArray(), path, renamings).result();
    return own.isUndefined() ? Layers{to, own} : Layers{shared, overlayFor(shared, to, own)};
}

QJsonObject following(const QJsonObject& overlay, const Renaming& renaming)
{
    QJsonObject now = followed(overlay, renaming, 0).toObject();
    if (renaming.path == QStringList{QStringLiteral("endpoints")} && !renaming.to.isEmpty())
        now = withTierEndpoints(now, renaming).toObject();
    return now;
}

QString environmentOf(const QJsonObject& file)
{
    return file.value(kEnvironment).toString(Workspace().environment);
}

QStringList environmentsOf(const QJsonObject& file)
{
    QStringList names{environmentOf(file)};
    names += file.value(kEnvironments).toObject().keys();
    names.removeDuplicates();
    return names;
}

QJsonObject asIn(const QString& environment, const QJsonObject& file)
{
    QJsonObject shared = file;
    QJsonObject own = shared.take(kEnvironments).toObject().value(environment).toObject();
    for (const QLatin1String field : {QLatin1String("version"), kEnvironment, kEnvironments})
        own.remove(field);
    QJsonObject merged = laidOver(shared, own).toObject();
    if (environmentOf(file) != environment)
        merged.insert(kEnvironment, environment);
    return merged;
}

void checkEnvironments(const QJsonObject& file, Findings& findings)
{
    if (!file.contains(kEnvironments))
        return;
    const QString all = kEnvironments;
    const QString remedy = QStringLiteral("Write it as in {\"staging\": {\"endpoints\": [...]}}");
    if (!file.value(kEnvironments).isObject()) {
        findings.push_back({FindingLevel::Error, all, QStringLiteral("this must be an object in { }"), remedy});
        return;
    }
    const QJsonObject environments = file.value(kEnvironments).toObject();
    for (auto own = environments.constBegin(); own != environments.constEnd(); ++own) {
        const QString place = all + QLatin1Char('.') + own.key();
        if (own.key().trimmed().isEmpty())
            findings.push_back({FindingLevel::Error, all, QStringLiteral("an environment's name is empty"),
                                QStringLiteral("Give it a name")});
        if (!own.value().isObject())
            findings.push_back({FindingLevel::Error, place, QStringLiteral("this must be an object in { }"), remedy});
        for (const QLatin1String field : {QLatin1String("version"), kEnvironment, kEnvironments})
            if (own.value().toObject().contains(field))
                findings.push_back({FindingLevel::Warning, place + QLatin1Char('.') + field,
                                    QStringLiteral("this is the whole file's and has no effect here"),
                                    QStringLiteral("Remove it")});
    }
    checkOverlays(file, findings);
}

} // namespace sg::workspace
