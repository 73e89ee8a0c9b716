// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "app/session/session.h"
#include "core/workspace/document.h"
#include "core/workspace/presets.h"
#include "core/workspace/replace_file.h"

#include <QCommandLineParser>
#include <QFileInfo>

namespace sg::app {

namespace {

const QString kName = QStringLiteral("new");

QString listOfPresets()
{
    QString lines;
    for (const workspace::Preset& preset : workspace::presets())
        lines += QStringLiteral("\n  %1  %2").arg(preset.id.leftJustified(24), preset.words);
    return lines;
}

tl::expected<QByteArray, QString> contents(const QString& presetId, const QString& file)
{
    if (presetId.isEmpty())
        return workspace::newWorkspaceFile(QFileInfo(file).completeBaseName());
    if (const workspace::Preset* preset = workspace::preset(presetId))
        return preset->json;
    return tl::unexpected(QStringLiteral("There is no preset \"%1\". There are:%2").arg(presetId, listOfPresets()));
}

} // namespace

int newCommand(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Writes a workspace to begin with. Its environment \"development\" needs no key.\n\nPresets:%1")
            .arg(listOfPresets()));
    parser.addOption({QStringLiteral("preset"), QStringLiteral("Begin with this one instead of an empty workspace."),
                      QStringLiteral("ID")});
    parser.addPositionalArgument(QStringLiteral("FILE"),
                                 QStringLiteral("The file to write; it must not be there yet."));
    if (const auto code = parseOne(parser, kName, arguments, QStringLiteral("one file")))
        return *code;
    const QString file = parser.positionalArguments().constFirst();
    const auto json = contents(parser.value(QStringLiteral("preset")), file);
    if (!json) {
        printError(json.error());
        return kBadUsage;
    }
    return writeNewFile(file, *json);
}

} // namespace sg::app
