// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/session/session.h"

#include <QCommandLineParser>
#include <QJsonDocument>

namespace sg::app {

namespace {

bool looksLikeScript(const QByteArray& bytes)
{
    const QJsonObject object = QJsonDocument::fromJson(bytes).object();
    return object.contains(QLatin1String("endpoints")) && !object.contains(QLatin1String("chains")) &&
           !object.contains(QLatin1String("name"));
}

workspace::Findings findingsIn(const QByteArray& bytes)
{
    if (looksLikeScript(bytes)) {
        const auto script = simulator::parseScript(bytes);
        return script ? workspace::Findings{} : script.error();
    }
    auto loaded = workspace::parseWorkspace(bytes);
    if (!loaded)
        return loaded.error();
    workspace::Findings findings = loaded->warnings;
    for (const workspace::Finding& finding : simulatorFindings(loaded->workspace))
        if (std::ranges::find(findings, finding) == findings.end())
            findings.push_back(finding);
    return findings;
}

QJsonObject toJson(const workspace::Findings& findings, const QString& file)
{
    QJsonArray list;
    for (const workspace::Finding& finding : findings)
        list.append(QJsonObject{{QStringLiteral("level"), finding.level == workspace::FindingLevel::Error
                                                              ? QStringLiteral("error")
                                                              : QStringLiteral("warning")},
                                {QStringLiteral("place"), finding.place},
                                {QStringLiteral("problem"), finding.problem},
                                {QStringLiteral("remedy"), finding.remedy}});
    return {{QStringLiteral("file"), file},
            {QStringLiteral("valid"), !workspace::hasErrors(findings)},
            {QStringLiteral("findings"), list}};
}

} // namespace

int checkCommand(const QStringList& arguments)
{
    const QString name = QStringLiteral("check");
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Checks a workspace or a simulator script. Exit code 0: fine (warnings allowed), 2: it cannot be used."));
    parser.addOption({QStringLiteral("json"), QStringLiteral("Print the findings as JSON.")});
    parser.addPositionalArgument(QStringLiteral("FILE"), QStringLiteral("The file."));
    parser.addHelpOption();
    if (!parser.parse(QStringList{name} + arguments))
        return usageError(parser.errorText(), name);
    if (parser.isSet(QStringLiteral("help"))) {
        printHelp(parser, name);
        return kFine;
    }
    if (parser.positionalArguments().size() != 1)
        return usageError(QStringLiteral("check takes one file."), name);

    const QString path = parser.positionalArguments().first();
    const auto bytes = readFile(path);
    if (!bytes) {
        printError(bytes.error());
        return kBadUsage;
    }
    const workspace::Findings findings = findingsIn(*bytes);
    if (parser.isSet(QStringLiteral("json"))) {
        printJson(toJson(findings, path));
    } else {
        for (const QString& line : linesOf(findings, path))
            printOut(line);
        if (!workspace::hasErrors(findings))
            printOut(QStringLiteral("%1: fine").arg(path));
    }
    return workspace::hasErrors(findings) ? kBadUsage : kFine;
}

} // namespace sg::app
