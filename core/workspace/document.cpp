// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/document.h"
#include "core/workspace/changes.h"
#include "core/workspace/json_text.h"
#include "core/workspace/migrate.h"
#include "core/workspace/overlay.h"
#include "core/workspace/workspace_read.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

namespace sg::workspace {

namespace {

const QLatin1String kEnvironments("environments");

/// What chain `i` was before it was changed.
const Chain* formerly(const Workspace& before, const Workspace& now, std::size_t i)
{
    if (const Chain* same = before.chain(now.chains[i].spec.name))
        return same;
    return before.chains.size() == now.chains.size() ? &before.chains[i] : nullptr;
}

/// Fields that are not understood are kept under their tier's name: they go with it when it gets another one.
void followTierNames(const Workspace& before, Workspace& now)
{
    const QString part = QStringLiteral("tiers");
    for (std::size_t i = 0; i < now.chains.size(); ++i) {
        Chain& chain = now.chains[i];
        const Chain* old = formerly(before, now, i);
        QJsonObject kept = chain.unknown.value(part).toObject();
        if (!old || kept.isEmpty() || old->spec.tiers.size() != chain.spec.tiers.size())
            continue;
        for (std::size_t t = 0; t < chain.spec.tiers.size(); ++t) {
            const QString from = QString::fromStdString(old->spec.tiers[t].name);
            const QString to = QString::fromStdString(chain.spec.tiers[t].name);
            const bool isGone = std::none_of(chain.spec.tiers.begin(), chain.spec.tiers.end(),
                                             [&](const auto& tier) { return tier.name == old->spec.tiers[t].name; });
            if (isGone && kept.contains(from) && !kept.contains(to))
                kept.insert(to, kept.take(from));
        }
        chain.unknown.insert(part, kept);
    }
}

QJsonObject withoutFileFields(QJsonObject object)
{
    for (const char* field : {"version", "environment", "environments"})
        object.remove(QLatin1String(field));
    return object;
}

/// All changes into the environment's own part.
QJsonObject inOwnPart(QJsonObject file, const QString& environment, const QJsonObject& wanted)
{
    QJsonObject environments = file.value(kEnvironments).toObject();
    const QJsonValue own = overlayFor(withoutFileFields(file), withoutFileFields(wanted),
                                      environments.contains(environment) ? environments.value(environment)
                                                                         : QJsonValue(QJsonValue::Undefined));
    // One that says nothing any more is still one that may be chosen.
    if (own.isUndefined() && !environments.contains(environment))
        return file;
    environments.insert(environment, own.isUndefined() ? QJsonObject() : own.toObject());
    file.insert(kEnvironments, environments);
    return file;
}

QJsonObject whereItStands(const QJsonObject& file, const QString& environment, const QJsonObject& merged,
                          const QJsonObject& wanted)
{
    QJsonObject environments = file.value(kEnvironments).toObject();
    QJsonObject shared = file;
    shared.remove(kEnvironments);
    const bool isOwn = environments.contains(environment);
    std::vector<Renaming> renamings;
    const Layers layers =
        whereSet({shared, isOwn ? environments.value(environment) : QJsonValue(QJsonValue::Undefined)}, merged, wanted,
                 {}, renamings);
    for (const QString& name : environments.keys())
        for (const Renaming& renaming : renamings)
            if (name != environment)
                environments.insert(name, following(environments.value(name).toObject(), renaming));
    if (isOwn)
        environments.insert(environment, layers.own.toObject());
    shared = layers.shared.toObject();
    if (file.contains(kEnvironments))
        shared.insert(kEnvironments, environments);
    return shared;
}

tl::expected<void, QString> backUp(const QString& path, int version)
{
    QFile old(path);
    const QByteArray bytes = old.open(QIODevice::ReadOnly) ? old.readAll() : QByteArray();
    for (int i = 0; i < 1000; ++i) {
        const QString name = i == 0 ? QStringLiteral("%1.v%2.bak").arg(path).arg(version)
                                    : QStringLiteral("%1.v%2.%3.bak").arg(path).arg(version).arg(i);
        if (QFile there(name); there.exists()) {
            if (there.open(QIODevice::ReadOnly) && there.readAll() == bytes)
                return {};
            continue;
        }
        if (old.copy(name))
            return {};
        return tl::unexpected(QStringLiteral("%1 was not saved: its older form could not be copied to %2: %3. The file "
                                             "there is as it was. Free some space there, or choose another place.")
                                  .arg(path, name, old.errorString()));
    }
    return tl::unexpected(
        QStringLiteral("%1 was not saved: there are too many backups beside it. Remove some of them.").arg(path));
}

} // namespace

tl::expected<Document, Findings> Document::open(const QString& path, const QString& environment)
{
    const auto json = workspaceBytes(path);
    return json ? parse(*json, environment) : tl::unexpected(json.error());
}

tl::expected<Document, Findings> Document::parse(const QByteArray& json, const QString& environment)
{
    Document document;
    Findings findings;
    const auto file = currentFile(json, findings);
    if (!file)
        return tl::unexpected(withoutSecrets(std::move(findings)));
    document.bytes_ = json;
    document.file_ = *file;
    document.environment_ = environment.isEmpty() ? environmentOf(*file) : environment;
    const QStringList known = document.environments();
    if (!known.contains(document.environment_)) {
        const auto nearest = nearestName(document.environment_, known);
        findings.push_back({FindingLevel::Error, kEnvironments,
                            QStringLiteral("there is no environment \"%1\"").arg(document.environment_),
                            nearest ? QStringLiteral("Did you mean \"%1\"?").arg(*nearest)
                                    : QStringLiteral("Choose one of: %1").arg(known.join(QStringLiteral(", ")))});
        return tl::unexpected(std::move(findings));
    }
    document.workspace_ = workspaceIn(document.environment_, *file, findings);
    if (hasErrors(findings))
        return tl::unexpected(std::move(findings));
    document.warnings_ = std::move(findings);
    const int version = versionOf(QJsonDocument::fromJson(json).object());
    document.migratedFrom_ = version < kWorkspaceVersion ? version : 0;
    return document;
}

QStringList Document::environments() const
{
    return environmentsOf(file_);
}

QByteArray Document::bytesFor(const Workspace& now, Scope scope) const
{
    if (now == workspace_)
        return bytes_;
    Workspace wantedNow = now;
    // Which environment is looked at is no change of the file.
    if (file_.contains(kEnvironments) || scope == Scope::ThisEnvironment)
        wantedNow.environment = environment_;
    followTierNames(workspace_, wantedNow);
    const QJsonObject merged = asIn(environment_, file_);
    const QJsonObject wanted = sayingWhat(wantedNow, merged);
    if (wanted == merged)
        return bytes_;
    const auto reads = [&](const QJsonObject& file) {
        Findings ignored;
        return toJsonObject(workspaceFrom(asIn(environment_, file), ignored)) == toJsonObject(wantedNow);
    };
    QJsonObject file = scope == Scope::WhereSet ? whereItStands(file_, environment_, merged, wanted)
                                                : inOwnPart(file_, environment_, wanted);
    // What cannot be told apart by name, or has no place in the shared part, is this environment's.
    if (scope == Scope::WhereSet && wantedNow.environment == environment_ && !reads(file))
        file = inOwnPart(file_, environment_, wanted);
    return rewritten(bytes_, file);
}

QByteArray newWorkspaceFile(const QString& name)
{
    const QByteArray quoted = QJsonDocument(QJsonArray{name}).toJson(QJsonDocument::Compact).chopped(1).mid(1);
    // Written out, because empty lists and objects are then as they are when everything in them was taken out again.
    return "{\n    \"version\": " + QByteArray::number(kWorkspaceVersion) + ",\n    \"name\": " + quoted +
           ",\n    \"environment\": \"development\",\n    \"endpoints\": [],\n    \"chains\": [],\n"
           "    \"environments\": {\n        \"development\": {},\n        \"staging\": {},\n"
           "        \"production\": {}\n    }\n}\n";
}

tl::expected<void, QString> saveDocument(const Document& document, const Workspace& now, const QString& path,
                                         Document::Scope scope)
{
    const QByteArray bytes = document.bytesFor(now, scope);
    if (QFile there(path); there.open(QIODevice::ReadOnly)) {
        const QByteArray old = there.readAll();
        there.close();
        const int version = versionOf(QJsonDocument::fromJson(old).object());
        if (old != bytes && version > 0 && version < kWorkspaceVersion)
            if (const auto done = backUp(path, version); !done)
                return done;
    }
    return saveBytes(bytes, path);
}

} // namespace sg::workspace
