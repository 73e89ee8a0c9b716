// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/changes.h"
#include "core/workspace/overlay.h"
#include "core/workspace/workspace_file.h"
#include "core/workspace/workspace_read.h"

namespace sg::workspace {

namespace {

/// Without them the other fields of their object mean nothing.
bool isDiscriminator(const QString& field)
{
    return field == QLatin1String("type") || field == QLatin1String("kind") || field == QLatin1String("source");
}

QJsonObject changedObject(const QJsonObject& file, const QJsonObject& before, const QJsonObject& after, bool isNew)
{
    QJsonObject now = file;
    for (auto field = before.constBegin(); field != before.constEnd(); ++field)
        if (!after.contains(field.key()))
            now.remove(field.key());
    for (auto field = after.constBegin(); field != after.constEnd(); ++field) {
        const QJsonValue was = before.value(field.key());
        if (was != field.value())
            now.insert(field.key(), changed(file.value(field.key()), was, field.value()));
        else if (isNew && isDiscriminator(field.key()))
            now.insert(field.key(), field.value());
    }
    return now;
}

/// A tier that goes by its endpoint's name goes on doing so where that is its name.
QJsonObject changedElement(const QJsonObject& file, const QJsonObject& before, const QJsonObject& after)
{
    const bool saysName = file.contains(QLatin1String("name")) || before.value(QLatin1String("name")).isUndefined();
    const QJsonObject now = changedObject(file, before, after, false);
    if (saysName)
        return now;
    QJsonObject unnamed = now;
    unnamed.remove(QLatin1String("name"));
    return nameOf(unnamed) == nameOf(after) ? unnamed : renamed(unnamed, nameOf(after));
}

QJsonValue changedList(const QJsonArray& file, const QJsonArray& before, const QJsonArray& after)
{
    if (file.size() != before.size())
        return after;
    const std::vector<qsizetype> origin = cameFrom(before, after);
    QJsonArray now;
    for (qsizetype i = 0; i < after.size(); ++i) {
        const qsizetype from = origin[std::size_t(i)];
        const bool isKept =
            from >= 0 && file.at(from).isObject() && before.at(from).isObject() && after.at(i).isObject();
        now.append(isKept ? QJsonValue(changedElement(file.at(from).toObject(), before.at(from).toObject(),
                                                      after.at(i).toObject()))
                          : after.at(i));
    }
    return now;
}

} // namespace

QJsonValue changed(const QJsonValue& file, const QJsonValue& before, const QJsonValue& after)
{
    if (before == after)
        return file;
    const bool isNew = file.isUndefined() || file.isNull();
    if (before.isObject() && after.isObject() && (file.isObject() || isNew))
        return changedObject(file.toObject(), before.toObject(), after.toObject(), isNew);
    if (before.isArray() && after.isArray() && file.isArray())
        return changedList(file.toArray(), before.toArray(), after.toArray());
    return after;
}

QJsonObject sayingWhat(const Workspace& now, const QJsonObject& file)
{
    const QJsonObject wanted = toJsonObject(now);
    QJsonObject said = file;
    // What is left out follows from other fields (a burst from its rate), so a change may ask for another one.
    for (int round = 0; round < 4; ++round) {
        Findings ignored;
        const QJsonObject reads = toJsonObject(workspaceFrom(said, ignored));
        if (reads == wanted)
            return said;
        said = changed(said, reads, wanted).toObject();
    }
    return wanted;
}

} // namespace sg::workspace
