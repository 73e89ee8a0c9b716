// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "core/workspace/workspace_file.h"

#include <QCommandLineParser>

namespace sg::app {

int schemaCommand(const QStringList& arguments)
{
    const QString name = QStringLiteral("schema");
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Prints the JSON Schema (draft 2020-12) of workspace files, for editors that complete and check them."));
    if (const auto code = parseArguments(parser, name, arguments))
        return *code;
    if (!parser.positionalArguments().isEmpty())
        return usageError(QStringLiteral("schema takes no file."), name);
    printOut(QString::fromUtf8(workspace::workspaceSchema().trimmed()));
    return kFine;
}

} // namespace sg::app
