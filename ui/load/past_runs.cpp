// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/past_runs.h"

#include "ui/format/format.h"
#include "ui/load/load_words.h"

#include <QHeaderView>
#include <QLabel>

namespace sg::ui {

namespace {

RowsModel::Row rowOf(int number, const load::RunProgress& run)
{
    using Tone = RowsModel::Tone;
    using Swatch = RowsModel::Swatch;
    const bool isFinished = run.state == load::RunState::Finished;
    const bool isValid = isFinished && loadwords::verdict(run.report).isValid;
    const auto settled = run.answered + run.failed;
    const QString success = settled > 0
                                ? format::success(static_cast<double>(run.answered) / static_cast<double>(settled)) +
                                      format::thin() + QLatin1Char('%')
                                : format::unknown();
    const QString verdict = isValid      ? PastRuns::tr("valid")
                            : isFinished ? PastRuns::tr("INVALID")
                                         : PastRuns::tr("failed");
    const QString tip = QStringLiteral("%1\n%2\n%3")
                            .arg(loadwords::title(number, run.plan), loadwords::subtitle(run.plan),
                                 PastRuns::tr("%1 requests, charged %2")
                                     .arg(format::count(settled),
                                          loadwords::cost(run.costUsd, run.costIsLowerBound, run.costIsEstimated)));
    const auto figure = [&](const QString& text) {
        return RowsModel::Cell{text, isValid ? Tone::Plain : Tone::Soft, false, Swatch::None, tip};
    };
    return {{QStringLiteral("%1  %2").arg(number).arg(QString::fromStdString(run.plan.target)), Tone::Plain, false,
             Swatch::None, tip},
            {verdict, Tone::Plain, !isValid, isValid ? Swatch::Model : Swatch::Failed, tip},
            figure(success),
            figure(format::latency(run.p95Ms).text())};
}

} // namespace

PastRuns::PastRuns(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , model_(new RowsModel(
          {{tr("run"), false}, {tr("verdict"), false}, {tr("success"), true}, {QStringLiteral("p95"), true}}, this))
    , table_(makeRowsTable(context, model_, 22, 0, tr("Runs of this session")))
    , note_(new QLabel(tr("Each run's figures stay here, to compare.")))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    auto* title = new QLabel(tr("Runs of this session"));
    title->setProperty("role", QStringLiteral("title"));
    title->setContentsMargins(12, 0, 12, 0);
    note_->setProperty("role", QStringLiteral("caption"));
    note_->setContentsMargins(12, 0, 12, 0);
    table_->setColumnWidth(1, 82);
    table_->setColumnWidth(2, 66);
    table_->setColumnWidth(3, 66);
    table_->setMinimumHeight(72);
    table_->setToolTip(tr("Enter takes a run's plan again"));
    table_->hide();
    column->addWidget(title);
    column->addWidget(note_);
    column->addWidget(table_, 1);
    column->addStretch(1); // while the table is hidden the words stay on top
    column->setStretchFactor(table_, 1000);
    connect(table_, &QTableView::activated, this,
            [this](const QModelIndex& index) { Q_EMIT planWanted(plans_.at(static_cast<std::size_t>(index.row()))); });
}

void PastRuns::add(int number, const load::RunProgress& run)
{
    std::vector<RowsModel::Row> rows = model_->rows();
    rows.insert(rows.begin(), rowOf(number, run));
    plans_.insert(plans_.begin(), run.plan);
    rows.resize(std::min(rows.size(), kMost));
    plans_.resize(rows.size());
    model_->setRows(std::move(rows));
    note_->hide();
    table_->show();
}

} // namespace sg::ui
