// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/edit/notes_dialog.h"

#include "ui/widgets/rows_table.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace sg::ui {

namespace {

RowsModel::Cell levelCell(workspace::FindingLevel level)
{
    switch (level) {
    case workspace::FindingLevel::Error:
        return {NotesDialog::tr("left out"), RowsModel::Tone::Bad, true, RowsModel::Swatch::None, {}};
    case workspace::FindingLevel::Warning:
        return {NotesDialog::tr("changed"), RowsModel::Tone::Warned, true, RowsModel::Swatch::None, {}};
    case workspace::FindingLevel::Note:
        break;
    }
    return {NotesDialog::tr("no counterpart"), RowsModel::Tone::Soft, false, RowsModel::Swatch::None, {}};
}

RowsModel::Row rowOf(const workspace::Finding& note)
{
    const QString more = note.remedy.isEmpty() ? note.problem : note.problem + QStringLiteral(". ") + note.remedy;
    return {levelCell(note.level),
            {note.place, RowsModel::Tone::Plain, false, RowsModel::Swatch::None, note.place, true},
            {more, RowsModel::Tone::Plain, false, RowsModel::Swatch::None, more}};
}

} // namespace

NotesDialog::NotesDialog(ThemeContext& context, const QString& heading, const QString& summary,
                         const workspace::Findings& notes, QWidget* parent)
    : QDialog(parent)
    , notes_(notes)
{
    setObjectName(QStringLiteral("notes"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowModality(Qt::WindowModal);
    setWindowTitle(heading);
    context.applyTo(this);
    std::ranges::stable_sort(notes_, {}, &workspace::Finding::level);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(8);
    auto* title = new QLabel(heading);
    title->setProperty("role", QStringLiteral("heading"));
    auto* words = new QLabel(summary);
    words->setTextFormat(Qt::PlainText);
    words->setWordWrap(true);
    column->addWidget(title);
    column->addWidget(words);

    auto* model = new RowsModel({{tr("what became of it"), false}, {tr("where"), false}, {tr("why"), false}}, this);
    std::vector<RowsModel::Row> rows;
    for (const workspace::Finding& note : notes_)
        rows.push_back(rowOf(note));
    model->setRows(std::move(rows));
    QTableView* table = makeRowsTable(context, model, 22, 2, tr("What was not carried over as it was"));
    table->setColumnWidth(0, 120);
    table->setColumnWidth(1, 280);
    table->setVisible(!notes_.empty());
    column->addWidget(table, 1);

    auto* row = new QHBoxLayout;
    auto* copyAll = new QPushButton(tr("Copy the list"));
    auto* close = new QPushButton(tr("Close"));
    copyAll->setVisible(!notes_.empty());
    copyAll->setAutoDefault(false);
    close->setDefault(true);
    row->addStretch(1);
    row->addWidget(copyAll);
    row->addWidget(close);
    column->addLayout(row);
    connect(copyAll, &QPushButton::clicked, this, [this, heading] { copy(heading); });
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    resize(860, notes_.empty() ? 140 : 440);
}

void NotesDialog::copy(const QString& file) const
{
    QStringList lines;
    for (const workspace::Finding& note : notes_)
        lines << note.toText(file);
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace sg::ui
