// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/mask.h"
#include "core/workspace/json_text.h"
#include "core/workspace/migrate.h"
#include "core/workspace/overlay.h"
#include "core/workspace/workspace_file.h"
#include "core/workspace/workspace_read.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <iterator>

namespace sg::workspace {

namespace {

constexpr qint64 kLargestFile = 16 * 1024 * 1024;

Finding tooLarge()
{
    return {FindingLevel::Error, QString(), QStringLiteral("the file is larger than 16 MiB"),
            QStringLiteral("This is hardly a workspace; choose another file")};
}

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

} // namespace

Findings withoutSecrets(Findings findings)
{
    for (Finding& finding : findings) {
        finding.place = provider::maskSecrets(finding.place);
        finding.problem = provider::maskSecrets(finding.problem);
        finding.why = provider::maskSecrets(finding.why);
        finding.remedy = provider::maskSecrets(finding.remedy);
    }
    return findings;
}

std::optional<QJsonObject> currentFile(const QByteArray& json, Findings& findings)
{
    if (json.size() > kLargestFile) {
        findings.push_back(tooLarge());
        return std::nullopt;
    }
    const auto object = readJsonObject(json);
    if (!object) {
        findings.push_back(object.error());
        return std::nullopt;
    }
    for (const QString& place : doubledFields(json))
        findings.push_back({FindingLevel::Warning, place,
                            QStringLiteral("this field is there twice; the last one counts"),
                            QStringLiteral("Remove one of them")});
    ObjectReader reader(*object, QString(), findings, FindingLevel::Warning);
    // The rest of a version that is not understood would be judged by rules that are not its own.
    if (!checkVersion(reader, kWorkspaceVersion, QStringLiteral("the workspace")))
        return std::nullopt;
    return migrated(*object);
}

Workspace workspaceFrom(const QJsonObject& file, Findings& findings)
{
    ObjectReader reader(file, QString(), findings, FindingLevel::Warning);
    reader.any(QStringLiteral("version"));
    Workspace workspace;
    QJsonObject nested;
    workspace.name = reader.text(QStringLiteral("name")).value_or(QString());
    workspace.environment = reader.text(QStringLiteral("environment")).value_or(workspace.environment);
    readProviders(reader, workspace);
    workspace.policies = readPolicies(reader, nested);
    readList(reader, QStringLiteral("endpoints"), workspace.endpoints,
             [&](const QJsonValue& value, const QString& place, Findings& all) {
                 return readEndpoint(value, place, all, workspace);
             });
    readList(reader, QStringLiteral("chains"), workspace.chains,
             [&](const QJsonValue& value, const QString& place, Findings& all) {
                 return readChain(value, place, all, workspace);
             });
    workspace.gateway = readGateway(reader, nested);
    workspace.simulator = reader.object(QStringLiteral("simulator")).value_or(QJsonObject());
    workspace.unknown = reader.finish();
    joinUnknown(workspace.unknown, nested);
    checkWhole(workspace, findings);
    return workspace;
}

Workspace workspaceIn(const QString& environment, const QJsonObject& file, Findings& findings)
{
    Findings slips;
    checkEnvironments(file, slips);
    // What follows from them would hide them.
    Findings consequences;
    Workspace workspace = workspaceFrom(asIn(environment, file), consequences);
    const bool hides = hasErrors(slips);
    std::ranges::move(slips, std::back_inserter(findings));
    if (!hides)
        std::ranges::move(consequences, std::back_inserter(findings));
    checkForKeys(file, findings);
    findings = withoutSecrets(std::move(findings));
    return workspace;
}

ReadResult readWorkspace(const QByteArray& json)
{
    ReadResult result;
    const auto file = currentFile(json, result.findings);
    result.isWorkspace = file.has_value();
    if (file)
        result.workspace = workspaceIn(environmentOf(*file), *file, result.findings);
    result.findings = withoutSecrets(std::move(result.findings));
    return result;
}

LoadResult parseWorkspace(const QByteArray& json)
{
    ReadResult result = readWorkspace(json);
    if (hasErrors(result.findings))
        return tl::unexpected(std::move(result.findings));
    return Loaded{std::move(result.workspace), std::move(result.findings)};
}

tl::expected<QByteArray, Findings> workspaceBytes(const QString& path)
{
    const QFileInfo info(path);
    if (!info.exists())
        return single(QStringLiteral("the file does not exist"),
                      QStringLiteral("Check the path, or save a workspace there first"));
    if (!info.isFile())
        return single(QStringLiteral("this is not a file"), QStringLiteral("Choose a workspace file, not a folder"));
    if (info.size() > kLargestFile)
        return tl::unexpected(Findings{tooLarge()});
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return single(QStringLiteral("the file cannot be read: ") + file.errorString(),
                      QStringLiteral("Check its permissions"));
    const QByteArray json = file.readAll();
    if (file.error() != QFileDevice::NoError)
        return single(QStringLiteral("the file cannot be read: ") + file.errorString(),
                      QStringLiteral("Check the disk"));
    return json;
}

LoadResult loadWorkspace(const QString& path)
{
    const auto json = workspaceBytes(path);
    return json ? parseWorkspace(*json) : tl::unexpected(json.error());
}

} // namespace sg::workspace
