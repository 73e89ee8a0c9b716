// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/edit/compare_dialog.h"

#include "core/workspace/compare.h"
#include "ui/format/format.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/rows_table.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>

namespace sg::ui {

namespace {

using workspace::Difference;

struct Sign
{
    QString word;
    RowsModel::Tone tone;
};

Sign signOf(Difference::Kind kind)
{
    switch (kind) {
    case Difference::Kind::Added:
        return {CompareDialog::tr("added"), RowsModel::Tone::Accent};
    case Difference::Kind::Removed:
        return {CompareDialog::tr("removed"), RowsModel::Tone::Warned};
    case Difference::Kind::Moved:
        return {CompareDialog::tr("moved"), RowsModel::Tone::Soft};
    case Difference::Kind::Changed:
        return {CompareDialog::tr("changed"), RowsModel::Tone::Soft};
    }
    return {};
}

RowsModel::Row rowOf(const Difference& difference)
{
    const Sign sign = signOf(difference.kind);
    const auto cell = [](const QString& text, RowsModel::Tone tone = RowsModel::Tone::Plain) {
        return RowsModel::Cell{text, tone, false, RowsModel::Swatch::None, text, false};
    };
    return {cell(difference.place), cell(difference.what), cell(sign.word, sign.tone),
            cell(difference.from, RowsModel::Tone::Soft), cell(difference.to)};
}

} // namespace

CompareDialog::CompareDialog(ThemeContext& context, Draft& draft, ServingControl& serving, ApplyFlow& flow,
                             QWidget* parent)
    : QDialog(parent)
    , context_(context)
    , draft_(draft)
    , serving_(serving)
    , flow_(flow)
    , versions_(new QComboBox)
    , words_(new QLabel)
    , rows_(new RowsModel({{tr("Where")}, {tr("What")}, {tr("Change")}, {tr("Was")}, {tr("Is")}}, this))
    , table_(makeRowsTable(context, rows_, 26, 4, tr("Differences")))
    , note_(new QLineEdit)
    , apply_(new QPushButton(tr("Apply")))
    , back_(new QPushButton)
{
    setObjectName(QStringLiteral("compareDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowModality(Qt::WindowModal);
    setWindowTitle(tr("Compare the draft"));
    context.applyTo(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(8);
    column->addLayout(makeHead());
    words_->setProperty("role", QStringLiteral("secondary"));
    words_->setWordWrap(true);
    column->addWidget(words_);
    column->addWidget(table_, 1);
    column->addLayout(makeFoot());
    connect(versions_, &QComboBox::currentIndexChanged, this, &CompareDialog::showDifferences);
    connect(&draft, &Draft::changed, this, &CompareDialog::showDifferences);
    connect(&serving, &ServingControl::servingChanged, this, &CompareDialog::fillVersions);
    connect(&flow, &ApplyFlow::changed, this, &CompareDialog::showDifferences);
    fillVersions();
    resize(820, 460);
    new FocusRing(context, this);
    note_->setFocus();
}

QLayout* CompareDialog::makeHead()
{
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    auto* label = new QLabel(tr("The draft against"));
    label->setProperty("role", QStringLiteral("heading"));
    row->addWidget(label);
    versions_->setObjectName(QStringLiteral("versions"));
    versions_->setAccessibleName(tr("Version to compare with"));
    versions_->setMinimumWidth(320);
    row->addWidget(versions_);
    row->addStretch(1);
    return row;
}

QLayout* CompareDialog::makeFoot()
{
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    note_->setObjectName(QStringLiteral("note"));
    note_->setAccessibleName(tr("Note kept with the version"));
    note_->setPlaceholderText(tr("Note, kept with the version"));
    note_->setMaxLength(200);
    row->addWidget(note_, 1);
    auto* close = new QPushButton(tr("Close"));
    close->setObjectName(QStringLiteral("close"));
    close->setAutoDefault(false);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    row->addWidget(close);
    back_->setObjectName(QStringLiteral("rollBack"));
    back_->setAutoDefault(false);
    connect(back_, &QPushButton::clicked, this, [this] {
        const int version = chosen();
        accept();
        flow_.rollBackTo(version);
    });
    row->addWidget(back_);
    apply_->setObjectName(QStringLiteral("applyDraft"));
    apply_->setProperty("role", QStringLiteral("primary"));
    apply_->setAutoDefault(false);
    connect(apply_, &QPushButton::clicked, this, [this] {
        const QString note = note_->text().trimmed();
        accept();
        flow_.apply(note);
    });
    row->addWidget(apply_);
    return row;
}

void CompareDialog::fillVersions()
{
    const QSignalBlocker blocker(versions_);
    versions_->clear();
    const workspace::VersionInfo serving = serving_.version();
    versions_->addItem(tr("%1 (serving)").arg(versionWords(serving)), 0);
    for (const workspace::VersionInfo& version : serving_.versions()) {
        if (version.number == serving.number)
            continue;
        const QString when = QLocale().toString(version.applied.toLocalTime(), QLocale::ShortFormat);
        versions_->addItem(version.note.isEmpty()
                               ? tr("v%1 · %2").arg(version.number).arg(when)
                               : tr("v%1 · %2 · %3").arg(version.number).arg(when, version.note.left(60)),
                           version.number);
    }
    showDifferences();
}

int CompareDialog::chosen() const
{
    return versions_->currentData().toInt();
}

workspace::WorkspacePtr CompareDialog::other() const
{
    return chosen() == 0 ? serving_.serving() : serving_.read(chosen()).value_or(nullptr);
}

QString CompareDialog::alsoChanged() const
{
    const QStringList names = flow_.hasChanges() ? serving_.environmentsChangedBy(draft_.workspace()) : QStringList();
    return names.isEmpty() ? QString()
                           : QLatin1Char(' ') + tr("Applying the draft makes %1 another too, because all environments "
                                                   "share what is changed.")
                                                    .arg(names.join(QStringLiteral(", ")));
}

void CompareDialog::showDifferences()
{
    const workspace::WorkspacePtr before = other();
    std::vector<RowsModel::Row> rows;
    if (before) {
        for (const Difference& difference : workspace::compare(*before, draft_.workspace()))
            rows.push_back(rowOf(difference));
    }
    words_->setText(!before        ? tr("This version cannot be read any more.")
                    : rows.empty() ? tr("No difference.")
                                   : changesWords(static_cast<int>(rows.size())) + alsoChanged());
    rows_->setRows(std::move(rows));
    table_->resizeColumnsToContents();
    back_->setVisible(chosen() > 0);
    back_->setText(tr("Roll back to v%1").arg(chosen()));
    back_->setEnabled(before && !flow_.isBusy());
    apply_->setEnabled(flow_.hasChanges() && !flow_.isBusy());
}

} // namespace sg::ui
