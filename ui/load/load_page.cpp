// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/load_page.h"

#include "core/load/kept_run.h"
#include "ui/format/format.h"
#include "ui/load/answers_view.h"
#include "ui/load/curve/run_charts.h"
#include "ui/load/form/model_part.h"
#include "ui/load/history/runs_desk.h"
#include "ui/load/legend.h"
#include "ui/load/load_files.h"
#include "ui/load/past_runs.h"
#include "ui/load/rate_bar.h"
#include "ui/load/result_view.h"
#include "ui/load/run_view.h"
#include "ui/load/series/run_switch.h"
#include "ui/load/start_question.h"
#include "ui/load/strip/live_strip.h"
#include "ui/load/token_times.h"
#include "ui/overview/latency_histogram.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/panel.h"

#include <QAction>
#include <QClipboard>
#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTableView>

namespace sg::ui {

namespace {

using load::RunState;

constexpr int kNarrow = 1200; // px of the page; below it the form gives way to the figures

// The histogram of the overview shows snapshots: this is a run seen as one.
observe::SnapshotPtr asSnapshot(const load::RunProgress& progress)
{
    auto snapshot = std::make_shared<observe::Snapshot>();
    snapshot->tiles.answered = progress.answered;
    snapshot->tiles.failed = progress.failed;
    snapshot->tiles.p50Ms = progress.p50Ms;
    snapshot->tiles.p95Ms = progress.p95Ms;
    snapshot->tiles.p99Ms = progress.p99Ms;
    for (const load::LatencyBar& bar : progress.latency)
        snapshot->latency.push_back({bar.lowMs, bar.highMs, bar.answered, 0, bar.failed});
    return snapshot;
}

PlanPreview previewOf(const load::LoadPlan& plan, const load::CostEstimate& estimate)
{
    PlanPreview preview;
    preview.requests = load::plannedRequests(plan);
    if (const std::int64_t tokens = estimate.inputTokens + estimate.outputTokens; tokens > 0)
        preview.tokens = tokens;
    if (const auto length = load::plannedLength(plan))
        preview.seconds = toMs(*length) / 1000;
    preview.worstUsd = estimate.worstUsd;
    preview.costIsLowerBound = !estimate.unpriced.empty();
    return preview;
}

} // namespace

LoadPage::LoadPage(ThemeContext& context, load::LoadControl& control, history::RunHistory* history, QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , switch_(std::make_unique<RunSwitch>(control))
    , control_(*switch_)
{
    askReportPath = [](QWidget* window, const QString& name) {
        const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
        return QFileDialog::getSaveFileName(window, tr("Save the report"), QDir(folder).filePath(name),
                                            tr("JSON (*.json)"));
    };
    setAccessibleName(tr("Load tests"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 10, 12, 10);
    column->setSpacing(10);
    auto* view = new QWidget;
    auto* grid = new QGridLayout(view);
    grid_ = grid;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(10);
    banner_ = new Banner;
    header_ = new RunHeader(context);
    column->addWidget(banner_);
    views_ = new QStackedWidget;
    views_->addWidget(view);
    column->addWidget(views_, 1);
    grid->addWidget(makeLeft(), 1, 0, 3, 1);
    grid->addWidget(header_, 1, 1, 1, 2);
    grid->addWidget(makeTimeline(), 2, 1);
    grid->addWidget(makeResult(), 3, 1);
    grid->addWidget(makeRight(), 2, 2, 2, 1);
    grid->setColumnStretch(1, 65);
    grid->setColumnStretch(2, 35);
    grid->setRowStretch(2, 1);
    if (history)
        makeRuns(*history);
    wire();
    onFormChanged();
    poll();
}

void LoadPage::wire()
{
    // Of the window, because the focus may be in the rail; a page that is not shown does not hear them.
    const auto shortcut = [this](const QString& text, std::initializer_list<QKeySequence> keys,
                                 void (LoadPage::*what)()) {
        auto* action = new QAction(text, this);
        action->setShortcuts(keys);
        action->setShortcutContext(Qt::WindowShortcut);
        connect(action, &QAction::triggered, this, what);
        addAction(action);
    };
    shortcut(tr("Start run"), {QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)},
             &LoadPage::start);
    shortcut(tr("Stop run"), {QKeySequence(Qt::CTRL | Qt::Key_Period)}, &LoadPage::stop);
    timer_.setInterval(100);
    connect(&timer_, &QTimer::timeout, this, &LoadPage::poll);
    connect(form_, &PlanForm::changed, this, &LoadPage::onFormChanged);
    connect(header_->button(), &RunButton::clicked, this, [this] { isActive() ? stop() : start(); });
    connect(emptyStart_, &QPushButton::clicked, this, &LoadPage::start);
    connect(save_, &QPushButton::clicked, this, &LoadPage::saveReport);
    connect(copy_, &QPushButton::clicked, this, &LoadPage::copyReport);
    connect(rate_, &RateBar::rateWanted, this, [this](double perSecond) { control_.setRate(perSecond); });
    connect(rate_, &RateBar::usersWanted, this, [this](int users) { control_.setUsers(users); });
    connect(past_, &PastRuns::planWanted, this, &LoadPage::takePlan);
}

RunState LoadPage::state() const
{
    return progress_ ? progress_->state : RunState::Idle;
}

bool LoadPage::isActive() const
{
    return awaitsRun_ || loadwords::isActive(state());
}

void LoadPage::start()
{
    if (isActive())
        return;
    if (!form_->problem().isEmpty()) {
        form_->focusProblem();
        return;
    }
    if (!asksFirst())
        begin();
}

bool LoadPage::asksFirst()
{
    const auto question =
        questionBefore(switch_->asWhole(form_->plan()), estimate_, estimateOfPlan_, form_->costLimit());
    if (question)
        banner_->say(question->words, {{question->button, [this] { begin(); }}}, Banner::Tone::Notice);
    return question.has_value();
}

void LoadPage::begin()
{
    if (isActive() || !form_->problem().isEmpty())
        return;
    keepWhatEnded(); // the next run's picture takes the place of its own
    const load::LoadPlan plan = form_->plan();
    const QString refusal = control_.start(plan);
    if (!refusal.isEmpty()) {
        banner_->say(tr("The run did not start: %1").arg(refusal));
        return;
    }
    banner_->clear();
    awaitsRun_ = true;
    poll();
}

void LoadPage::stop()
{
    if (!isActive())
        return;
    control_.stop();
    poll();
}

std::vector<PaletteCommand> LoadPage::paletteCommands()
{
    poll(); // hidden pages do not look
    std::vector<PaletteCommand> all;
    if (isActive())
        all.push_back({tr("Stop the load test"), tr("Ctrl ."), [this] { stop(); }});
    else
        all.push_back({tr("Start the load test"), tr("Ctrl Enter"), [this] { start(); }});
    if (state() == RunState::Finished)
        all.push_back({tr("Save the load test's report"), QString(), [this] { saveReport(); }});
    if (desk_)
        all.push_back({tr("Runs that are kept, and their comparison"), QString(), [this] { showRuns(); }});
    return all;
}

PageBadge LoadPage::badge(const observe::Snapshot&) const
{
    // Asked of the control: the page itself does not look while it is hidden.
    const load::RunProgressPtr run = control_.progress();
    if (!run || !loadwords::isActive(run->state))
        return {};
    const QString done = format::number(std::floor(run->share * 100), 0) + QStringLiteral("\u202F%");
    return {done, tr("A load test is running, %1 done").arg(done), false};
}

void LoadPage::reloadTargets()
{
    form_->reloadTargets();
}

void LoadPage::poll()
{
    load::RunProgressPtr now = control_.progress();
    if (now != progress_) {
        const bool wasAwaited = std::exchange(awaitsRun_, false);
        const bool wasActive = isActive();
        progress_ = std::move(now);
        // A short run may have ended before it was seen.
        if (progress_ && (wasAwaited || (isActive() && !wasActive)))
            onRunSeen();
        keepInHistory();
    }
    showProgress();
}

void LoadPage::onRunSeen()
{
    // The run may have been started elsewhere: its plan is the one to show.
    form_->setPlan(progress_->plan);
    onFormChanged();
    estimateOfRun_ = loadwords::estimate(control_.estimate(progress_->plan), progress_->plan);
    result_->setSubtitle({});
    ++runs_;
}

void LoadPage::onFormChanged()
{
    const load::LoadPlan plan = form_->plan();
    estimate_ = control_.estimate(plan);
    estimateOfPlan_ = loadwords::estimate(estimate_, plan);
    form_->setPreview(previewOf(plan, estimate_));
    showEmpty();
    showCost();
    showButton();
}

void LoadPage::showEmpty()
{
    const bool canStart = form_->problem().isEmpty();
    const load::LoadPlan plan = form_->plan();
    const bool hasFailed = state() == RunState::Failed;
    const QString lead = hasFailed ? tr("The run did not take place. %1").arg(progress_->error) : tr("No run yet.");
    const QString next =
        !canStart ? form_->problem()
                  : tr("The plan on the left is ready: %1 %2, %3.")
                        .arg(loadwords::targetWord(plan), load::targetName(plan), loadwords::loadWords(plan));
    emptyWords_->setText(lead + QLatin1Char('\n') + next);
    emptyStart_->setText(hasFailed ? tr("Try again (Ctrl+Enter)") : tr("Start run (Ctrl+Enter)"));
    emptyStart_->setEnabled(canStart);
}

void LoadPage::showCost()
{
    if (isActive() && progress_)
        cost_->setContent(costOfRun(*progress_, estimateOfRun_));
    else
        cost_->setContent(costBeforeStart(estimateOfPlan_));
}

void LoadPage::showButton()
{
    using Mode = RunButton::Mode;
    RunButton* button = header_->button();
    const int inFlight = progress_ ? progress_->inFlight : 0;
    const QString requests = inFlight == 1 ? tr("1 request") : tr("%1 requests").arg(format::count(inFlight));
    if (awaitsRun_ || state() == RunState::Starting)
        button->setMode(Mode::Stop, tr("starting"));
    else if (state() == RunState::Running)
        button->setMode(Mode::Stop, tr("lets %1 finish").arg(requests));
    else if (state() == RunState::Stopping)
        button->setMode(Mode::StopNow, tr("cancels %1").arg(requests));
    else
        button->setMode(Mode::Start, form_->problem().isEmpty() ? tr("Ctrl+Enter") : tr("see the plan"));
    button->setEnabled(isActive() || form_->problem().isEmpty());
    button->setToolTip(button->mode() == Mode::Start ? form_->problem() : tr("Ctrl+."));
}

void LoadPage::showProgress()
{
    // A run that failed before its first second has nothing to draw.
    const bool hasRun = state() != RunState::Idle && !(state() == RunState::Failed && progress_->seconds.empty());
    const bool isOver = state() == RunState::Finished || state() == RunState::Failed;
    // Fields that go grey drop the focus to nowhere; what one wants next is the stop button.
    if (isActive() && form_->isEnabled() && form_->isAncestorOf(QApplication::focusWidget()))
        header_->button()->setFocus(Qt::OtherFocusReason);
    form_->setLocked(isActive());
    form_->model()->setNow(isActive() && progress_ ? std::optional(progress_->elapsedSeconds) : std::nullopt);
    rate_->setRun(progress_.get());
    plan_->setSubtitle(isActive() ? tr("locked while running") : QString());
    header_->setContent(headerContent(progress_.get(), std::max(1, runs_), QDateTime::currentMSecsSinceEpoch()));
    showButton();
    showCost();
    if (isVisible() || isOver) {
        stack_->setCurrentIndex(hasRun || charts_->showsRates() ? 1 : 0);
        timelinePanel_->setSubtitle(hasRun ? tr("← → or point to read, T for a table") : QString());
        if (!hasRun)
            showEmpty();
        showStrip();
        showTables();
    }
    resultView_->setContent(resultContent(progress_.get()));
    const bool hasReport = state() == RunState::Finished && !progress_->report.isEmpty();
    save_->setVisible(hasReport);
    copy_->setVisible(hasReport);
    showFailure();
    if (progress_ && progress_->rowsProblem != rowsProblem_) {
        rowsProblem_ = progress_->rowsProblem;
        if (!rowsProblem_.isEmpty())
            banner_->say(rowsProblem_, {}, Banner::Tone::Notice);
    }
    timer_.setInterval(isActive() ? 100 : 500);
    keepEnded();
}

void LoadPage::showStrip()
{
    if (stripShown_ == progress_)
        return;
    const bool isOther = !progress_ || !stripShown_ || progress_->elapsedSeconds < stripShown_->elapsedSeconds;
    stripShown_ = progress_;
    charts_->setRun(progress_);
    if (!progress_)
        return strip_->setPicture(nullptr);
    auto picture = std::make_shared<StripPicture>(runview::stripOf(*progress_, isOther ? 0 : stripEnd_));
    stripEnd_ = picture->end;
    strip_->setPicture(std::move(picture));
}

void LoadPage::keepEnded()
{
    const bool isOver = state() == RunState::Finished || state() == RunState::Failed;
    if (!isOver || awaitsRun_)
        return;
    runs_ = std::max(1, runs_); // it ended before the page was made
    if (lastEnded_ != runs_)
        past_->add(runs_, *progress_);
    lastEnded_ = runs_;
}

void LoadPage::makeRuns(history::RunHistory& history)
{
    desk_ = new RunsDesk(context_, history);
    views_->addWidget(desk_);
    openRuns_->show();
    connect(openRuns_, &QPushButton::clicked, this, &LoadPage::showRuns);
    connect(desk_, &RunsDesk::backWanted, this, &LoadPage::showRun);
    connect(desk_, &RunsDesk::said, this,
            [this](const QString& words) { banner_->say(words, {}, Banner::Tone::Notice); });
    connect(desk_, &RunsDesk::planWanted, this, [this](const load::LoadPlan& plan) {
        showRun();
        takePlan(plan);
    });
    connect(&keeper_, &QTimer::timeout, this, &LoadPage::keepInHistory);
    keeper_.start(1000);
}

void LoadPage::keepInHistory()
{
    const load::RunProgressPtr run = desk_ ? control_.progress() : nullptr;
    if (!run || run->state != load::RunState::Finished || run->id.isEmpty() || run->id == kept_)
        return;
    kept_ = run->id;
    const QString name = tr("%1, %2").arg(load::targetName(run->plan), loadwords::loadWords(run->plan));
    desk_->keep(load::keptRun(run->plan, run->report, run->id, run->began, name), run->lock);
}

void LoadPage::showRuns()
{
    if (!desk_)
        return;
    desk_->showList();
    views_->setCurrentWidget(desk_);
}

void LoadPage::showRun()
{
    views_->setCurrentIndex(0);
    openRuns_->setFocus(Qt::OtherFocusReason);
}

void LoadPage::takePlan(const load::LoadPlan& plan)
{
    if (isActive())
        return;
    form_->setPlan(plan);
    onFormChanged();
    header_->button()->setFocus(Qt::OtherFocusReason);
}

void LoadPage::showTables()
{
    static const load::RunProgress nothing;
    const load::RunProgress& progress = progress_ ? *progress_ : nothing;
    if (tablesShown_ == progress_ && tablesShown_)
        return;
    tablesShown_ = progress_;
    shares_->setParts(statusParts(progress));
    statuses_->setRows(statusRows(progress));
    slowest_->setRows(slowestRows(progress));
    attempts_->setText(progress.started > 0 ? loadwords::attemptsLine(progress) : tr("No answers yet"));
    const std::int64_t answers = progress.answered + progress.failed;
    answers_->setSubtitle(answers > 0 ? tr("%1 requests").arg(format::count(answers)) : QString());
    latency_->setSnapshot(asSnapshot(progress));
    std::vector<std::pair<QString, double>> limits;
    for (const StripLimit& limit : runview::limitsOf(progress.plan))
        limits.emplace_back(limit.words, limit.ms);
    latency_->setLimits(std::move(limits));
    latency_->setVisible(answers > 0);
    noLatency_->setVisible(answers == 0);
    latencyLegend_->setVisible(answers > 0);
    latencyPanel_->setSubtitle(answers > 0 ? tr("whole run") : QString());
    resultPages_->setRun(progress_);
    slowTable_->setVisible(!progress.slowest.empty());
    noSlow_->setVisible(progress.slowest.empty());
}

void LoadPage::saveReport()
{
    if (state() != RunState::Finished)
        return;
    const QString name = loadwords::fileName(progress_->plan, QDateTime::currentMSecsSinceEpoch());
    const QString path = askReportPath(window(), name);
    if (path.isEmpty())
        return;
    const QString problem = loadfiles::saveReport(progress_->report, path);
    if (!problem.isEmpty()) {
        banner_->say(problem, {{tr("Save elsewhere…"), [this] { saveReport(); }}});
        return;
    }
    banner_->clear();
    result_->setSubtitle(tr("saved as %1").arg(QDir::toNativeSeparators(path)));
}

void LoadPage::copyReport()
{
    if (state() != RunState::Finished)
        return;
    QGuiApplication::clipboard()->setText(
        QString::fromUtf8(QJsonDocument(progress_->report).toJson(QJsonDocument::Indented)));
    result_->setSubtitle(tr("copied as JSON"));
}

void LoadPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool isNarrow = width() < kNarrow;
    plan_->setFixedWidth(isNarrow ? 276 : 318);
    grid_->setColumnStretch(1, isNarrow ? 58 : 65);
    grid_->setColumnStretch(2, isNarrow ? 42 : 35);
}

void LoadPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    timer_.start();
    poll();
}

void LoadPage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    timer_.stop();
}

} // namespace sg::ui
