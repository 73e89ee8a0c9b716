// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/exchange.h"

#include "app/session/session.h"
#include "app/session/variable.h"
#include "core/workspace/document.h"
#include "core/workspace/edits.h"
#include "core/workspace/litellm.h"
#include "core/workspace/presets.h"
#include "core/workspace/replace_file.h"
#include "ui/edit/notes_dialog.h"
#include "ui/main_window/command_palette.h"

#include <QFileDialog>
#include <QFileInfo>

namespace sg::app {

Exchange::Exchange(ui::Draft& draft, ui::ThemeContext& context, QWidget& window, QObject* parent)
    : QObject(parent)
    , askFile([](QWidget* asking) {
        return QFileDialog::getOpenFileName(asking, tr("Import LiteLLM's configuration"), QString(),
                                            tr("LiteLLM (*.yaml *.yml);;All files (*)"));
    })
    , askNewFile([](QWidget* asking) {
        return QFileDialog::getSaveFileName(asking, tr("Export as LiteLLM's configuration"),
                                            QStringLiteral("config.yaml"), tr("LiteLLM (*.yaml *.yml);;All files (*)"));
    })
    , draft_(draft)
    , context_(context)
    , window_(window)
{
}

void Exchange::askForFile()
{
    if (const QString file = askFile(&window_); !file.isEmpty())
        takeFile(file);
}

void Exchange::takeFile(const QString& file)
{
    const auto bytes = readFile(file);
    if (!bytes)
        return Q_EMIT refused(bytes.error());
    const QString name = QFileInfo(file).fileName();
    const auto imported = workspace::importLiteLlm(*bytes, {name, variable});
    if (!imported)
        return Q_EMIT refused(imported.error().toText(name));
    const QStringList chains = take(tr("Import %1").arg(name), imported->workspace);
    const auto endpoints = static_cast<int>(imported->workspace.endpoints.size());
    const QString summary =
        tr("%1 and %2 came into the draft. Nothing serves before it is applied.")
            .arg(tr("%n endpoint(s)", nullptr, endpoints), tr("%n chain(s)", nullptr, static_cast<int>(chains.size())));
    (new ui::NotesDialog(context_, name, summary, imported->notes, &window_))->open();
    Q_EMIT arrived(chains.value(0));
}

void Exchange::askWhereTo(const std::string& chain)
{
    if (const QString file = askNewFile(&window_); !file.isEmpty())
        putInto(file, chain);
}

void Exchange::putInto(const QString& file, const std::string& chain)
{
    const auto exported = workspace::exportLiteLlm(draft_.workspace(), chain);
    if (!exported)
        return Q_EMIT refused(tr("There is no such chain."));
    const QString name = QFileInfo(file).fileName();
    if (const auto written = workspace::replaceFile(file, exported->yaml); !written)
        return Q_EMIT refused(tr("%1 was not written: %2.").arg(name, written.error()));
    const QString summary = tr("The chain %1 of the draft was written. What LiteLLM has no word for also stands at the "
                               "head of the file.")
                                .arg(QString::fromStdString(chain));
    (new ui::NotesDialog(context_, name, summary, exported->notes, &window_))->open();
}

void Exchange::askForPreset()
{
    std::vector<ui::PaletteCommand> choices;
    for (const workspace::Preset& preset : workspace::presets())
        choices.push_back({preset.title, preset.words, [this, id = preset.id] { takePreset(id); }});
    auto* list = new ui::CommandPalette(context_, std::move(choices), &window_);
    list->open();
}

void Exchange::takePreset(const QString& id)
{
    const workspace::Preset* preset = workspace::preset(id);
    if (!preset)
        return Q_EMIT refused(tr("There is no such preset."));
    const auto document = workspace::Document::parse(preset->json, QStringLiteral("development"));
    if (!document)
        return Q_EMIT refused(tr("This preset cannot be read."));
    const QStringList chains = take(tr("Begin with %1").arg(preset->title), document->workspace());
    Q_EMIT arrived(chains.value(0));
}

QStringList Exchange::take(const QString& words, const workspace::Workspace& other)
{
    QStringList chains;
    draft_.closeMerge();
    draft_.edit(words, [&](workspace::Workspace& workspace) {
        if (usesPracticeScript(workspace))
            workspace.simulator = practiceScript();
        for (const std::string& chain : workspace::addAll(workspace, other))
            chains << QString::fromStdString(chain);
    });
    return chains;
}

} // namespace sg::app
