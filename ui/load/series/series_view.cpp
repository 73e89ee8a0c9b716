// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/series/series_view.h"

#include "core/load/series_documents.h"
#include "ui/format/format.h"
#include "ui/load/series/series_model.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/rows_table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace sg::ui {

namespace {

constexpr int kLookEveryMs = 200;

QString titleOf(const load::SeriesProgress& series)
{
    return series.table.kind == load::SeriesKind::Strategies
               ? SeriesView::tr("Retry strategies of %1").arg(QString::fromStdString(series.plan->plan.target))
               : SeriesView::tr("Endpoints beside each other");
}

QString wordsOf(const load::SeriesProgress& series)
{
    using load::SeriesState;
    const auto runs = series.table.rows.size();
    const auto ended = std::ranges::count_if(series.runs, [](const load::SeriesRunPtr& run) { return run != nullptr; });
    switch (series.state) {
    case SeriesState::Running:
    case SeriesState::Stopping: {
        const QString at = series.current < runs ? SeriesView::tr("run %1 of %2, %3")
                                                       .arg(series.current + 1)
                                                       .arg(runs)
                                                       .arg(series.table.rows[series.current].words)
                                                 : QString();
        return series.state == SeriesState::Running
                   ? at
                   : SeriesView::tr("cancelling: %1 ends, the rest is skipped").arg(at);
    }
    case SeriesState::Finished:
        return SeriesView::tr("%n runs, all finished", nullptr, int(runs));
    case SeriesState::Cancelled:
        return SeriesView::tr("Cancelled after %1 of %2 runs; what had finished stays.").arg(ended).arg(runs);
    case SeriesState::Failed:
        return SeriesView::tr("Ended after %1 of %2 runs: %3").arg(ended).arg(runs).arg(series.error);
    case SeriesState::Idle:
        break;
    }
    return SeriesView::tr("No series yet");
}

} // namespace

SeriesView::SeriesView(ThemeContext& context, load::SeriesControl& control, QWidget* parent)
    : QWidget(parent)
    , control_(control)
    , model_(new SeriesModel(this))
    , sorter_(new SeriesSorter(this))
{
    setAccessibleName(tr("Series of runs"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    column->addWidget(makeTop());
    auto* panel = new Panel(context, tr("Run beside run"));
    panel->setSubtitle(tr("Enter opens a run"));
    panel->setBody(makeBody(context));
    column->addWidget(panel, 1);
    timer_.setInterval(kLookEveryMs);
    connect(&timer_, &QTimer::timeout, this, &SeriesView::poll);
    timer_.start();
    poll();
}

QWidget* SeriesView::makeTop()
{
    auto* top = new QWidget;
    auto* row = new QHBoxLayout(top);
    row->setContentsMargins(4, 4, 4, 4); // the focus ring reaches over its button
    row->setSpacing(8);
    auto* back = new QPushButton(tr("Back"));
    back->setAccessibleName(tr("Back to the run"));
    title_ = new QLabel;
    title_->setProperty("role", QStringLiteral("title"));
    state_ = new QLabel;
    state_->setProperty("role", QStringLiteral("secondary"));
    state_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    bar_ = new QProgressBar;
    bar_->setRange(0, 1000);
    bar_->setFixedWidth(160);
    bar_->setTextVisible(false);
    bar_->setAccessibleName(tr("How far the series is"));
    cancel_ = new QPushButton;
    cancel_->setProperty("role", QStringLiteral("danger"));
    copy_ = new QPushButton(tr("Copy as Markdown"));
    row->addWidget(back);
    row->addWidget(title_);
    row->addWidget(state_, 1);
    for (QWidget* widget : {static_cast<QWidget*>(bar_), static_cast<QWidget*>(cancel_), static_cast<QWidget*>(copy_)})
        row->addWidget(widget);
    connect(back, &QPushButton::clicked, this, &SeriesView::backWanted);
    connect(copy_, &QPushButton::clicked, this, &SeriesView::copy);
    connect(cancel_, &QPushButton::clicked, this, [this] {
        control_.stop();
        poll();
    });
    return top;
}

QWidget* SeriesView::makeBody(ThemeContext& context)
{
    sorter_->setSourceModel(model_);
    table_ = new QTableView;
    table_->setModel(sorter_);
    table_->setItemDelegate(new RowsDelegate(context, table_));
    dressTable(*table_, 30);
    QHeaderView* head = table_->horizontalHeader();
    head->setSectionResizeMode(QHeaderView::Stretch);
    head->setMinimumSectionSize(64);
    head->setHighlightSections(false);
    head->setSortIndicator(-1, Qt::AscendingOrder); // the order of running
    head->setSortIndicatorClearable(true);
    table_->setSortingEnabled(true);
    table_->setAccessibleName(tr("Runs of the series"));
    connect(&context, &ThemeContext::changed, table_->viewport(), qOverload<>(&QWidget::update));
    connect(table_, &QTableView::activated, this, &SeriesView::activate);
    notes_ = new QLabel;
    notes_->setProperty("role", QStringLiteral("caption"));
    notes_->setWordWrap(true);
    notes_->setTextFormat(Qt::PlainText);
    notes_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    notes_->setContentsMargins(12, 4, 12, 10);
    auto* body = new QWidget;
    auto* inner = new QVBoxLayout(body);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(4);
    inner->addWidget(table_, 1);
    inner->addWidget(notes_);
    auto* empty =
        new QLabel(tr("No series yet. Choose \"Each strategy\" or \"Each endpoint\" at the plan, and start it: "
                      "the runs come one after another, and their figures stand here side by side."));
    empty->setAlignment(Qt::AlignCenter);
    empty->setWordWrap(true);
    empty->setContentsMargins(60, 0, 60, 0);
    empty->setProperty("role", QStringLiteral("secondary"));
    stack_ = new QStackedWidget;
    stack_->addWidget(empty);
    stack_->addWidget(body);
    return stack_;
}

QString SeriesView::stateWords() const
{
    return state_->text();
}

void SeriesView::poll()
{
    static const load::SeriesProgress nothing;
    load::SeriesProgressPtr now = control_.progress();
    if (now == shown_ && !title_->text().isEmpty())
        return;
    shown_ = std::move(now);
    show(shown_ ? *shown_ : nothing);
    if (shown_)
        tellEnded(*shown_);
    if (const bool isActive = shown_ && load::isActive(shown_->state); isActive != std::exchange(wasActive_, isActive))
        Q_EMIT activeChanged(isActive);
}

void SeriesView::show(const load::SeriesProgress& series)
{
    const bool isActive = load::isActive(series.state), isThere = series.plan != nullptr;
    title_->setText(isThere ? titleOf(series) : tr("Series"));
    state_->setText(wordsOf(series));
    state_->setToolTip(format::plainTip(state_->text()));
    bar_->setVisible(isActive);
    bar_->setValue(static_cast<int>(series.share * 1000));
    cancel_->setVisible(isActive);
    cancel_->setText(series.state == load::SeriesState::Stopping ? tr("Cancel its requests") : tr("Cancel series"));
    copy_->setEnabled(isThere);
    stack_->setCurrentIndex(isThere ? 1 : 0);
    model_->setTable(series.table);
    QStringList notes = load::notesOf(series.table);
    for (const load::SeriesRow& row : series.table.rows)
        for (const QString& reason : row.reasons)
            notes.append(QStringLiteral("%1: %2").arg(row.words, reason));
    notes_->setText(notes.join(QLatin1Char('\n')));
    notes_->setVisible(!notes.isEmpty());
}

void SeriesView::tellEnded(const load::SeriesProgress& series)
{
    if (told_ != series.id) {
        told_ = series.id;
        isTold_.assign(series.runs.size(), false);
    }
    for (std::size_t i = 0; i < series.runs.size(); ++i) {
        if (!series.runs[i] || isTold_[i])
            continue;
        isTold_[i] = true;
        Q_EMIT runEnded(series.runs[i]);
        if (!series.runs[i]->logProblem.isEmpty())
            Q_EMIT said(series.runs[i]->logProblem);
    }
}

void SeriesView::activate(const QModelIndex& index)
{
    const auto row = static_cast<std::size_t>(sorter_->mapToSource(index).row());
    if (!shown_ || row >= shown_->runs.size())
        return;
    if (shown_->runs[row])
        Q_EMIT runWanted(shown_->runs[row]);
    else if (shown_->table.rows[row].state == load::SeriesRunState::Running)
        Q_EMIT liveWanted();
    else
        Q_EMIT said(tr("%1 has not been run.").arg(shown_->table.rows[row].words));
}

void SeriesView::copy()
{
    if (!shown_ || !shown_->plan)
        return;
    QGuiApplication::clipboard()->setText(load::markdownOf(*shown_, titleOf(*shown_)));
    Q_EMIT said(tr("The table is in the clipboard, as Markdown."));
}

} // namespace sg::ui
