// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/workspace/finding.h"

#include <QJsonArray>
#include <QJsonObject>

/// An environment's part of a file and the part that all share. Pure, on JSON alone; undefined stands for "not there".
///
/// An object is laid over field by field, and null removes a field (as RFC 7396 has it). A list whose elements have
/// names of their own is laid over by name: {"name": "a", …} changes "a" or adds it at the end, "$remove": true takes
/// it out, "$after": "b" puts it behind "b" ("": first). {"$whole": […]} replaces a list, and so does every list whose
/// elements have no names. Internal to the room.
namespace sg::workspace {

/// "name", else "id", else what a tier without a name is called after: its endpoint, or "canned reply". Else empty.
QString nameOf(const QJsonValue& element);
/// The fields that nameOf() reads, so that an object with only these has that name.
QJsonObject namingFields(const QJsonObject& element);
QJsonObject renamed(QJsonObject element, const QString& name);
/// A list in which all have names, each its own.
bool isNamedList(const QJsonValue& list);
QStringList namesOf(const QJsonArray& list);
/// Index of the element of that name, -1: none.
qsizetype indexOf(const QJsonArray& list, const QString& name);
/// For each of `after` the index of the one in `before` that it was: by name, else at the same place, else -1.
std::vector<qsizetype> cameFrom(const QJsonArray& before, const QJsonArray& after);

QJsonValue laidOver(const QJsonValue& base, const QJsonValue& overlay);
/// The overlay that makes `target` of `base`; what `old` says needlessly stays said. Undefined: none is needed.
QJsonValue overlayFor(const QJsonValue& base, const QJsonValue& target,
                      const QJsonValue& old = QJsonValue(QJsonValue::Undefined));
/// `overlay`'s list with the "$after" that order its elements and those of `base` as `names` say.
QJsonArray ordered(const QJsonArray& base, const QJsonArray& overlay, const QStringList& names);

struct Layers
{
    QJsonValue shared, own; ///< own: the environment's
};
/// A named thing of the shared part that is called otherwise now, or is gone (`to` is empty). The path's elements of
/// lists begin with '#'.
struct Renaming
{
    QStringList path;
    QString from, to;
};
/// Layers that give `to` instead of `from`: each change where the field stands now.
Layers whereSet(const Layers& layers, const QJsonValue& from, const QJsonValue& to, const QStringList& path,
                std::vector<Renaming>& renamings);
/// Another environment's part after that.
QJsonObject following(const QJsonObject& overlay, const Renaming& renaming);

// The file as a whole.
QString environmentOf(const QJsonObject& file); ///< the one it opens with
QStringList environmentsOf(const QJsonObject& file);
/// The file as one environment has it, without "environments".
QJsonObject asIn(const QString& environment, const QJsonObject& file);
/// What is wrong with the parts of environments themselves.
void checkEnvironments(const QJsonObject& file, Findings& findings);
/// Names in them that stand for nothing, and doubled names in the shared part, by which nothing can be laid over it.
void checkOverlays(const QJsonObject& file, Findings& findings);

} // namespace sg::workspace
