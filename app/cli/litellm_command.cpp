// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/session/session.h"
#include "app/session/variable.h"
#include "core/workspace/document.h"
#include "core/workspace/litellm.h"

#include <QCommandLineParser>
#include <QFileInfo>

namespace sg::app {

namespace {

void tell(const workspace::Findings& notes, const QString& file)
{
    for (const auto level :
         {workspace::FindingLevel::Error, workspace::FindingLevel::Warning, workspace::FindingLevel::Note})
        for (const workspace::Finding& note : notes)
            if (note.level == level)
                printError(note.toText(file));
}

} // namespace

int importCommand(const QStringList& arguments)
{
    const QString name = QStringLiteral("import");
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Makes a workspace of a LiteLLM config.yaml. What could not be carried over is listed on standard error. Exit "
        "code 0: written, 1: written, but some models were left out or it needs mending, 2: not written."));
    parser.addOption({QStringLiteral("out"), QStringLiteral("The workspace to write; without it it is printed."),
                      QStringLiteral("FILE")});
    parser.addPositionalArgument(QStringLiteral("CONFIG"), QStringLiteral("LiteLLM's configuration."));
    if (const auto code = parseOne(parser, name, arguments, QStringLiteral("one file")))
        return *code;
    const QString path = parser.positionalArguments().constFirst();
    const auto bytes = readFile(path);
    if (!bytes) {
        printError(bytes.error());
        return kBadUsage;
    }
    const auto imported = workspace::importLiteLlm(*bytes, {QFileInfo(path).completeBaseName(), variable});
    if (!imported) {
        printError(imported.error().toText(path));
        return kBadUsage;
    }
    const QByteArray json = workspace::toJson(imported->workspace);
    if (!parser.isSet(QStringLiteral("out"))) {
        printOut(QString::fromUtf8(json).trimmed());
    } else if (const int code = writeNewFile(parser.value(QStringLiteral("out")), json)) {
        return code;
    }
    tell(imported->notes, path);
    const auto readable = workspace::parseWorkspace(json);
    if (!readable)
        for (const QString& line : linesOf(readable.error(), QStringLiteral("The workspace made of it")))
            printError(line);
    return workspace::hasErrors(imported->notes) || !readable ? kResultSaysNo : kFine;
}

int exportCommand(const QStringList& arguments)
{
    const QString name = QStringLiteral("export");
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Prints a chain as LiteLLM configuration. What LiteLLM has no word "
                                                    "for is listed in it and on standard error."));
    parser.addOptions({
        {QStringLiteral("chain"), QStringLiteral("Which chain; default: the first."), QStringLiteral("NAME")},
        {QStringLiteral("environment"), QStringLiteral("As it is in this environment."), QStringLiteral("NAME")},
    });
    parser.addPositionalArgument(QStringLiteral("WORKSPACE"), QStringLiteral("The workspace file."));
    if (const auto code = parseOne(parser, name, arguments, QStringLiteral("one file")))
        return *code;
    const QString path = parser.positionalArguments().constFirst();
    const auto document = workspace::Document::open(path, parser.value(QStringLiteral("environment")));
    if (!document) {
        for (const QString& line : linesOf(document.error(), path))
            printError(line);
        return kBadUsage;
    }
    const workspace::Workspace& workspace = document->workspace();
    QString chain = parser.value(QStringLiteral("chain"));
    if (chain.isEmpty() && !workspace.chains.empty())
        chain = QString::fromStdString(workspace.chains.front().spec.name);
    const auto exported = workspace::exportLiteLlm(workspace, chain.toStdString());
    if (!exported) {
        QStringList names;
        for (const workspace::Chain& each : workspace.chains)
            names << QString::fromStdString(each.spec.name);
        return usageError(names.isEmpty() ? QStringLiteral("The workspace has no chain.")
                                          : QStringLiteral("There is no chain \"%1\". Its chains are: %2.")
                                                .arg(chain, names.join(QStringLiteral(", "))),
                          name);
    }
    printOut(QString::fromUtf8(exported->yaml).trimmed());
    tell(exported->notes, path);
    return kFine;
}

} // namespace sg::app
