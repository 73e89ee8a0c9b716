// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/mask.h"
#include "core/workspace/workspace_file.h"
#include "core/workspace/workspace_read.h"

#include <QFile>
#include <QFileInfo>

namespace sg::workspace {

namespace {

constexpr qint64 kLargestFile = 16 * 1024 * 1024;

template <typename Part, typename Read>
void readList(ObjectReader& reader, const QString& field, std::vector<Part>& parts, Read read)
{
    const auto list = reader.array(field);
    if (!list) {
        if (!reader.has(field))
            reader.missing(field, QStringLiteral("Add it, even if it is empty: []"));
        return;
    }
    for (qsizetype i = 0; i < list->size(); ++i)
        if (auto part = read(list->at(i), reader.place(field, i), reader.findings()))
            parts.push_back(std::move(*part));
}

tl::unexpected<Findings> single(const QString& problem, const QString& remedy)
{
    return tl::unexpected(Findings{{FindingLevel::Error, QString(), problem, remedy}});
}

/// A key may stand in any field, and findings repeat what fields hold.
Findings withoutSecrets(Findings findings)
{
    for (Finding& finding : findings) {
        finding.place = provider::maskSecrets(finding.place);
        finding.problem = provider::maskSecrets(finding.problem);
        finding.remedy = provider::maskSecrets(finding.remedy);
    }
    return findings;
}

} // namespace

LoadResult parseWorkspace(const QByteArray& json)
{
    const auto object = readJsonObject(json);
    if (!object)
        return tl::unexpected(Findings{object.error()});
    Findings findings;
    ObjectReader reader(*object, QString(), findings, FindingLevel::Warning);
    if (!checkVersion(reader, kWorkspaceVersion, QStringLiteral("the workspace")))
        return tl::unexpected(
            withoutSecrets(std::move(findings))); // the rest would be judged by rules that are not its own
    Loaded loaded;
    Workspace& workspace = loaded.workspace;
    workspace.name = reader.text(QStringLiteral("name")).value_or(QString());
    workspace.environment = reader.text(QStringLiteral("environment")).value_or(workspace.environment);
    readProviders(reader, workspace);
    readList(reader, QStringLiteral("endpoints"), workspace.endpoints,
             [&](const QJsonValue& value, const QString& place, Findings& all) {
                 return readEndpoint(value, place, all, workspace.catalogue);
             });
    readList(reader, QStringLiteral("chains"), workspace.chains, readChain);
    workspace.simulator = reader.object(QStringLiteral("simulator")).value_or(QJsonObject());
    workspace.unknown = reader.finish();
    checkWhole(workspace, findings);
    checkForKeys(*object, findings);
    findings = withoutSecrets(std::move(findings));
    if (hasErrors(findings))
        return tl::unexpected(findings);
    loaded.warnings = findings;
    return loaded;
}

LoadResult loadWorkspace(const QString& path)
{
    const QFileInfo info(path);
    if (!info.exists())
        return single(QStringLiteral("the file does not exist"),
                      QStringLiteral("Check the path, or save a workspace there first"));
    if (!info.isFile())
        return single(QStringLiteral("this is not a file"), QStringLiteral("Choose a workspace file, not a folder"));
    if (info.size() > kLargestFile)
        return single(QStringLiteral("the file is larger than 16 MiB"),
                      QStringLiteral("This is hardly a workspace; choose another file"));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return single(QStringLiteral("the file cannot be read: ") + file.errorString(),
                      QStringLiteral("Check its permissions"));
    const QByteArray json = file.readAll();
    if (file.error() != QFileDevice::NoError)
        return single(QStringLiteral("the file cannot be read: ") + file.errorString(),
                      QStringLiteral("Check the disk"));
    return parseWorkspace(json);
}

} // namespace sg::workspace
