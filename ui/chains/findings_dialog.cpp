// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chains/findings_dialog.h"

#include "ui/chains/checks_words.h"
#include "ui/format/format.h"
#include "ui/widgets/rows_table.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>

namespace sg::ui {

FindingsDialog::FindingsDialog(ThemeContext& context, ChainEditor& editor, QWidget* parent)
    : QDialog(parent)
    , editor_(editor)
    , model_(new RowsModel({{tr("Level"), false}, {tr("What"), false}}, this))
    , count_(new QLabel)
    , detail_(new QLabel)
    , fix_(new QPushButton)
    , show_(new QPushButton(tr("Show")))
{
    setObjectName(QStringLiteral("findings"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowModality(Qt::WindowModal);
    setWindowTitle(tr("Checks"));
    context.applyTo(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(8);
    auto* heading = new QLabel(tr("Checks"));
    heading->setProperty("role", QStringLiteral("heading"));
    count_->setProperty("role", QStringLiteral("caption"));
    column->addWidget(heading);
    column->addWidget(count_);
    table_ = makeRowsTable(context, model_, 22, 1, tr("Findings"));
    table_->setColumnWidth(0, 76);
    column->addWidget(table_, 1);
    detail_->setWordWrap(true);
    detail_->setTextFormat(Qt::PlainText);
    detail_->setMinimumHeight(48);
    detail_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    column->addWidget(detail_);
    auto* row = new QHBoxLayout;
    auto* close = new QPushButton(tr("Close"));
    for (QPushButton* button : {fix_, show_, close})
        button->setAutoDefault(false);
    row->addStretch(1);
    row->addWidget(fix_);
    row->addWidget(show_);
    row->addWidget(close);
    column->addLayout(row);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    connect(fix_, &QPushButton::clicked, this, [this] {
        if (const auto* at = current())
            editor_.applyFix(workspace::Finding(*at));
    });
    const auto go = [this] {
        if (const auto* at = current()) {
            const workspace::Finding wanted = *at;
            accept();
            Q_EMIT showWanted(wanted);
        }
    };
    connect(show_, &QPushButton::clicked, this, go);
    connect(table_, &QTableView::activated, this, go);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &FindingsDialog::showCurrent);
    connect(&editor_, &ChainEditor::findingsChanged, this, &FindingsDialog::refresh);
    resize(720, 460);
    refresh();
    table_->setFocus();
}

const workspace::Finding* FindingsDialog::current() const
{
    const int row = table_->currentIndex().row();
    const auto& all = editor_.findings();
    return row >= 0 && row < static_cast<int>(all.size()) ? &all[static_cast<std::size_t>(row)] : nullptr;
}

void FindingsDialog::refresh()
{
    const int before = table_->currentIndex().row();
    std::vector<RowsModel::Row> rows;
    for (const auto& finding : editor_.findings()) {
        const QString title = checkswords::title(finding, editor_.draft().workspace());
        rows.push_back(
            {{checkswords::level(finding.level), checkswords::tone(finding.level), true, RowsModel::Swatch::None, {}},
             {title, RowsModel::Tone::Plain, false, RowsModel::Swatch::None, title}});
    }
    const auto count = static_cast<int>(rows.size());
    count_->setText(count == 0 ? tr("Nothing is wrong.") : count == 1 ? tr("1 finding") : tr("%1 findings").arg(count));
    model_->setRows(std::move(rows));
    if (count > 0)
        table_->setCurrentIndex(model_->index(std::clamp(before, 0, count - 1), 0));
    showCurrent();
}

void FindingsDialog::showCurrent()
{
    const auto* at = current();
    detail_->setText(at ? checkswords::detail(*at) : QString());
    fix_->setVisible(at && at->fix);
    fix_->setText(at && at->fix ? at->fix->label : QString());
    show_->setEnabled(at && at->subject != workspace::Subject());
}

} // namespace sg::ui
