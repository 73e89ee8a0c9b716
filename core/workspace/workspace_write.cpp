// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/workspace_write.h"
#include "core/workspace/replace_file.h"
#include "core/workspace/workspace_file.h"
#include "core/workspace/workspace_read.h"

#include <QFileInfo>
#include <QJsonDocument>

namespace sg::workspace {

namespace {

QString saveRemedy(const QFileInfo& info)
{
    const QFileInfo folder(info.absolutePath());
    if (!folder.exists())
        return QStringLiteral("Create the folder %1 or choose another place").arg(info.absolutePath());
    if (!folder.isDir())
        return QStringLiteral("%1 is no folder; choose another place").arg(info.absolutePath());
    if (!folder.isWritable() || (info.exists() && !info.isWritable()))
        return QStringLiteral("Choose a place you may write to, or change its permissions");
    return QStringLiteral("Free some space there, or choose another place");
}

tl::unexpected<QString> notSaved(const QString& path, const QString& why, const QString& remedy)
{
    const QString kept = QFileInfo::exists(path) ? QStringLiteral(" The file there is as it was.") : QString();
    return tl::unexpected(QStringLiteral("%1 was not saved: %2.%3 %4.").arg(path, why, kept, remedy));
}

/// The first one, without the key itself. What is written must be what can be read again.
std::optional<Finding> keyIn(const QByteArray& json)
{
    Findings keys;
    checkForKeys(QJsonDocument::fromJson(json).object(), keys);
    if (keys.empty())
        return std::nullopt;
    return withoutSecrets(std::move(keys)).front();
}

} // namespace

/// Into every object of `target` the fields of `unknown` that it lacks; lists are matched by their elements' names,
/// and by position where those have none.
QJsonValue withUnknown(const QJsonValue& target, const QJsonObject& unknown)
{
    if (target.isArray()) {
        QJsonArray merged;
        const QJsonArray list = target.toArray();
        for (qsizetype i = 0; i < list.size(); ++i) {
            const QString name = list.at(i).toObject().value(QStringLiteral("name")).toString(QString::number(i));
            merged.append(withUnknown(list.at(i), unknown.value(name).toObject()));
        }
        return merged;
    }
    if (!target.isObject())
        return target;
    QJsonObject merged = target.toObject();
    for (auto field = unknown.constBegin(); field != unknown.constEnd(); ++field) {
        const bool nested = merged.contains(field.key()) && field.value().isObject();
        if (nested)
            merged.insert(field.key(), withUnknown(merged.value(field.key()), field.value().toObject()));
        else if (!merged.contains(field.key()))
            merged.insert(field.key(), field.value());
    }
    return merged;
}

QJsonObject toJsonObject(const Workspace& workspace)
{
    QJsonArray endpoints, chains;
    for (const Endpoint& endpoint : workspace.endpoints)
        endpoints.append(endpointJson(endpoint, workspace));
    for (const Chain& chain : workspace.chains)
        chains.append(chainJson(chain, workspace));
    QJsonObject object{{QStringLiteral("version"), kWorkspaceVersion},
                       {QStringLiteral("name"), workspace.name},
                       {QStringLiteral("environment"), workspace.environment},
                       {QStringLiteral("endpoints"), endpoints},
                       {QStringLiteral("chains"), chains}};
    if (workspace.policies != PolicyLibrary())
        object.insert(QStringLiteral("policies"), policiesJson(workspace.policies));
    if (const QJsonObject gateway = gatewayJson(workspace.gateway); !gateway.isEmpty())
        object.insert(QStringLiteral("gateway"), gateway);
    if (!workspace.providers.isEmpty())
        object.insert(QStringLiteral("providers"), workspace.providers);
    if (!workspace.simulator.isEmpty())
        object.insert(QStringLiteral("simulator"), workspace.simulator);
    const QJsonObject& unknown = workspace.unknown;
    for (auto field = unknown.constBegin(); field != unknown.constEnd(); ++field) {
        if (!object.contains(field.key()))
            object.insert(field.key(), field.value());
        else if (field.key() == QLatin1String("policies") || field.key() == QLatin1String("gateway"))
            object.insert(field.key(), withUnknown(object.value(field.key()), field.value().toObject()));
    }
    return object;
}

QByteArray toJson(const Workspace& workspace)
{
    return QJsonDocument(toJsonObject(workspace)).toJson(QJsonDocument::Indented);
}

tl::expected<void, QString> saveBytes(const QByteArray& json, const QString& path)
{
    const QFileInfo info(path);
    // Replacing a device or a folder by a file would destroy more than a workspace.
    if (info.exists() && !info.isFile())
        return notSaved(path, QStringLiteral("there is something else of that name"),
                        QStringLiteral("Choose another name"));
    if (const auto key = keyIn(json))
        return notSaved(path, key->place + QStringLiteral(" looks like a key, and a file never holds a key"),
                        key->remedy);
    const auto replaced = replaceFile(path, json);
    return replaced ? replaced : notSaved(path, replaced.error(), saveRemedy(info));
}

tl::expected<void, QString> saveWorkspace(const Workspace& workspace, const QString& path)
{
    return saveBytes(toJson(workspace), path);
}

} // namespace sg::workspace
