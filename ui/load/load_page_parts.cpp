// SPDX-License-Identifier: GPL-3.0-or-later
// What stands where on the load page.
#include "ui/load/answers_view.h"
#include "ui/load/curve/run_charts.h"
#include "ui/load/legend.h"
#include "ui/load/load_page.h"
#include "ui/load/past_runs.h"
#include "ui/load/rate_bar.h"
#include "ui/load/result_view.h"
#include "ui/load/series/series_choice.h"
#include "ui/load/strip/live_strip.h"
#include "ui/load/token_times.h"
#include "ui/overview/latency_histogram.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/panel.h"

#include <QHeaderView>
#include <QScrollArea>
#include <QStackedWidget>

namespace sg::ui {

using load::RunState;

namespace {

QWidget* column(std::initializer_list<std::pair<QWidget*, int>> parts, const QMargins& margins, int spacing)
{
    auto* widget = new QWidget;
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins(margins);
    layout->setSpacing(spacing);
    for (const auto& [part, stretch] : parts)
        layout->addWidget(part, stretch);
    return widget;
}

} // namespace

QWidget* LoadPage::makeLeft()
{
    plan_ = new Panel(context_, tr("Load test"));
    plan_->setFixedWidth(318);
    form_ = new PlanForm(context_, control_);
    cost_ = new CostBox(context_);
    rate_ = new RateBar;
    plan_->setWhatsThis(
        tr("What the next run sends: the target, when it ends, how many requests are under way at a time "
           "and what they ask. The seed makes the same requests again. Repeats are what a cache can "
           "answer. The estimate below uses the price table."));
    past_ = new PastRuns(context_);
    past_->setMaximumHeight(130);
    openRuns_ = new QPushButton(tr("Kept runs, compare…"));
    openRuns_->setAutoDefault(false);
    openRuns_->hide();
    openSeries_ = new QPushButton(tr("Series, run beside run…"));
    openSeries_->setAutoDefault(false);
    openSeries_->hide();
    choice_ = new SeriesChoice;
    choice_->hide();
    auto* body = column({{form_, 1}}, {8, 0, 8, 0}, 0);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(body);
    scroll->viewport()->setAutoFillBackground(false);
    body->setAutoFillBackground(false);
    // What it costs stays in sight, however long the form is.
    plan_->setBody(column({{rate_, 0},
                           {choice_, 0},
                           {scroll, 1},
                           {column({{cost_, 0}, {openRuns_, 0}, {openSeries_, 0}}, {12, 6, 12, 0}, 6), 0},
                           {past_, 0}},
                          {0, 0, 0, 6}, 0));
    return plan_;
}

QWidget* LoadPage::makeTimeline()
{
    timelinePanel_ = new Panel(context_, tr("Timeline"));
    strip_ = new LiveStrip(context_);
    emptyWords_ = new QLabel;
    emptyWords_->setAlignment(Qt::AlignCenter);
    emptyWords_->setWordWrap(true);
    emptyWords_->setProperty("role", QStringLiteral("secondary"));
    emptyStart_ = new QPushButton;
    emptyStart_->setProperty("role", QStringLiteral("primary"));
    auto* empty = column({}, {40, 0, 40, 0}, 12);
    auto* layout = static_cast<QVBoxLayout*>(empty->layout());
    layout->addStretch(2);
    layout->addWidget(emptyWords_);
    layout->addWidget(emptyStart_, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    stack_ = new QStackedWidget;
    stack_->addWidget(empty);
    charts_ = new RunCharts(context_, strip_);
    stack_->addWidget(charts_);
    timelinePanel_->setBody(stack_);
    timelinePanel_->setCorner(charts_->choice());
    connect(charts_, &RunCharts::sweepWanted, this, &LoadPage::planSweep);
    connect(charts_, &RunCharts::choiceChanged, this, [this] {
        timelinePanel_->setTitle(charts_->showsRates() ? tr("Latency against rate") : tr("Timeline"));
        showProgress();
    });
    return timelinePanel_;
}

void LoadPage::planSweep()
{
    load::LoadPlan plan = form_->plan();
    plan.model = load::SweepModel{};
    plan.stop.requests.reset(); // it ends by itself: at the knee, or with its last step
    plan.stop.duration.reset();
    takePlan(plan);
}

QWidget* LoadPage::makeResult()
{
    result_ = new Panel(context_, tr("Result"));
    resultView_ = new ResultView(context_);
    result_->setWhatsThis(
        tr("Response time counts from when a request was meant to start to its last byte. A run whose "
           "own load generator was too slow is INVALID: its figures say nothing about the target."));
    save_ = new QPushButton(tr("Save report…"));
    copy_ = new QPushButton(tr("Copy"));
    copy_->setAccessibleName(tr("Copy the report as JSON"));
    copy_->setToolTip(copy_->accessibleName());
    auto* buttons = new QWidget;
    auto* row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 3, 0, 0);
    row->setSpacing(6);
    resultPages_ = new ResultPages(context_, resultView_);
    row->addWidget(resultPages_->choice());
    row->addWidget(save_);
    row->addWidget(copy_);
    result_->setCorner(buttons);
    result_->setBody(resultPages_);
    return result_;
}

QWidget* LoadPage::makeRight()
{
    answers_ = new Panel(context_, tr("Answers to the client"));
    answers_->setWhatsThis(tr("What the clients of the run got: from a model, from the cache, a canned reply or a "
                              "failure. Shares never round a failure away."));
    shares_ = new SharesBar(context_);
    statuses_ =
        new RowsModel({{tr("status"), false}, {tr("answer"), false}, {tr("count"), true}, {tr("share"), true}}, this);
    auto* statusTable = makeRowsTable(context_, statuses_, 18, 1, tr("Answers to the client by status"));
    statusTable->horizontalHeader()->hide();
    statusTable->setColumnWidth(0, 78);
    statusTable->setColumnWidth(2, 68);
    statusTable->setColumnWidth(3, 66);
    attempts_ = new QLabel;
    attempts_->setProperty("role", QStringLiteral("caption"));
    attempts_->setContentsMargins(12, 4, 12, 6);
    attempts_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* bar = column({{shares_, 0}}, {12, 0, 12, 4}, 0);
    answers_->setBody(column({{bar, 0}, {statusTable, 1}, {attempts_, 0}}, {}, 0));
    answers_->setFixedHeight(190);

    latencyPanel_ = new Panel(context_, tr("Latency distribution"));
    latencyLegend_ = new Legend(context_, {{tr("failed"), nullptr, {}, true}});
    latencyPanel_->setCorner(latencyLegend_);
    latency_ = new LatencyHistogram(context_);
    latency_->setMinimumHeight(120);
    for (QLabel** empty : {&noLatency_, &noSlow_}) {
        *empty = new QLabel(tr("No answers yet"));
        (*empty)->setAlignment(Qt::AlignCenter);
        (*empty)->setProperty("role", QStringLiteral("secondary"));
    }
    latencyPanel_->setBody(column({{latency_, 1}, {noLatency_, 1}}, {}, 0));
    latencyPanel_->setFixedHeight(184);

    auto* slow = new Panel(context_, tr("Slowest answers"));
    slow->setWhatsThis(tr("The slowest answers of the run: when they began, the endpoints they went through, how many "
                          "attempts that took and how long the client waited."));
    slowest_ = new RowsModel({{tr("at"), false}, {tr("path"), false}, {tr("tries"), true}, {tr("took"), true}}, this);
    slowTable_ = makeRowsTable(context_, slowest_, 22, 1, tr("Slowest answers"));
    slowTable_->setColumnWidth(0, 66);
    slowTable_->setColumnWidth(2, 44);
    slowTable_->setColumnWidth(3, 70);
    slow->setBody(column({{slowTable_, 1}, {noSlow_, 1}}, {}, 0));
    return column({{answers_, 0}, {latencyPanel_, 0}, {slow, 1}}, {}, 10);
}

void LoadPage::showFailure()
{
    const bool isOver = state() == RunState::Failed || state() == RunState::Finished;
    if (!isOver || failureShown_ == progress_)
        return;
    failureShown_ = progress_;
    if (state() == RunState::Failed && !progress_->seconds.empty())
        return banner_->say(tr("The run broke off: %1").arg(progress_->error));
    if (const QString words = loadwords::whyNothingCame(progress_->report); !words.isEmpty())
        banner_->say(words);
}

} // namespace sg::ui
