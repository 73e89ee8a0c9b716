// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/session/check_facts.h"
#include "app/session/prices.h"
#include "app/session/session.h"
#include "core/workspace/document.h"
#include "core/workspace/lint.h"

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

using workspace::FindingLevel;

/// What the simulator's own reader says of places that nothing was said of yet.
void addUnknownPlaces(workspace::Findings& findings, const workspace::Findings& more)
{
    for (const workspace::Finding& finding : more)
        if (std::ranges::find(findings, finding.place, &workspace::Finding::place) == findings.end())
            findings.push_back(finding);
}

/// Of the environments that were not asked about only what keeps them from being opened.
void addErrorsOfOthers(const workspace::Document& document, workspace::Findings& findings)
{
    for (const QString& other : document.environments()) {
        const auto opened = workspace::Document::parse(document.bytes(), other);
        if (opened)
            continue;
        for (workspace::Finding finding : opened.error()) {
            if (finding.level != FindingLevel::Error || std::ranges::find(findings, finding) != findings.end())
                continue;
            finding.place = QStringLiteral("in %1: %2").arg(other, finding.place);
            findings.push_back(std::move(finding));
        }
    }
}

workspace::Findings findingsIn(const QByteArray& bytes, const QString& environment)
{
    if (looksLikeScript(bytes)) {
        const auto script = simulator::parseScript(bytes);
        return script ? workspace::Findings{} : script.error();
    }
    const auto document = workspace::Document::parse(bytes, environment);
    if (!document)
        return document.error();
    const cost::PriceBook prices = knownPrices().book;
    workspace::Findings findings =
        workspace::withLint(document->warnings(),
                            workspace::lint(document->workspace(), {&prices, environmentKeyFacts(document->workspace()),
                                                                    environmentTokenFact(document->workspace())}));
    addUnknownPlaces(findings, simulatorFindings(document->workspace()));
    if (environment.isEmpty())
        addErrorsOfOthers(*document, findings);
    return findings;
}

struct LevelWords
{
    FindingLevel level;
    QString one, many;
};

const std::vector<LevelWords>& levels()
{
    static const std::vector<LevelWords> all{
        {FindingLevel::Error, QStringLiteral("error"), QStringLiteral("errors")},
        {FindingLevel::Warning, QStringLiteral("warning"), QStringLiteral("warnings")},
        {FindingLevel::Note, QStringLiteral("note"), QStringLiteral("notes")}};
    return all;
}

QString wordOf(FindingLevel level)
{
    return std::ranges::find(levels(), level, &LevelWords::level)->one;
}

QJsonObject toJson(const workspace::Finding& finding)
{
    QJsonObject object{{QStringLiteral("level"), wordOf(finding.level)},
                       {QStringLiteral("rule"), finding.rule},
                       {QStringLiteral("place"), finding.place},
                       {QStringLiteral("problem"), finding.problem},
                       {QStringLiteral("why"), finding.why},
                       {QStringLiteral("remedy"), finding.remedy}};
    if (finding.fix)
        object.insert(QStringLiteral("fix"), finding.fix->label);
    return object;
}

QJsonObject toJson(const workspace::Findings& findings, const QString& file)
{
    QJsonArray list;
    for (const workspace::Finding& finding : findings)
        list.append(toJson(finding));
    return {{QStringLiteral("file"), file},
            {QStringLiteral("valid"), !workspace::hasErrors(findings)},
            {QStringLiteral("findings"), list}};
}

/// Level by level, each under its own heading; the last line says how it stands.
void print(const workspace::Findings& findings, const QString& file)
{
    QStringList counts;
    for (const LevelWords& level : levels()) {
        QStringList lines;
        for (const workspace::Finding& finding : findings)
            if (finding.level == level.level)
                lines << finding.toText(file);
        if (lines.isEmpty())
            continue;
        counts << QStringLiteral("%1 %2").arg(lines.size()).arg(lines.size() == 1 ? level.one : level.many);
        printOut(counts.back() + QLatin1Char(':'));
        for (const QString& line : lines)
            printOut(line);
    }
    if (workspace::hasErrors(findings))
        return;
    const QString fine = QStringLiteral("%1: fine").arg(file);
    printOut(counts.isEmpty() ? fine : fine + QStringLiteral(", with ") + counts.join(QStringLiteral(" and ")));
}

} // namespace

int checkCommand(const QStringList& arguments)
{
    const QString name = QStringLiteral("check");
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Checks a workspace or a simulator script. Exit code 0: fine (warnings and notes allowed), 2: it cannot be "
        "used. Environment variables with keys are looked at, the keychain is not. The rules: docs/lint.md."));
    parser.addOption({QStringLiteral("json"), QStringLiteral("Print the findings as JSON.")});
    parser.addOption({QStringLiteral("environment"),
                      QStringLiteral("Check this environment of the workspace; without it the one it names, and of the "
                                     "others what keeps them from being opened."),
                      QStringLiteral("NAME")});
    parser.addPositionalArgument(QStringLiteral("FILE"), QStringLiteral("The file."));
    if (const auto code = parseOne(parser, name, arguments, QStringLiteral("one file")))
        return *code;

    const QString path = parser.positionalArguments().first();
    const auto bytes = readFile(path);
    if (!bytes) {
        printError(bytes.error());
        return kBadUsage;
    }
    const workspace::Findings findings = findingsIn(*bytes, parser.value(QStringLiteral("environment")));
    if (parser.isSet(QStringLiteral("json")))
        printJson(toJson(findings, path));
    else
        print(findings, path);
    return workspace::hasErrors(findings) ? kBadUsage : kFine;
}

} // namespace sg::app
