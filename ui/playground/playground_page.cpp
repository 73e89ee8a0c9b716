// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playground/playground_page.h"

#include "ui/load/legend.h"
#include "ui/overview/empty_state.h"
#include "ui/playground/explanation_view.h"
#include "ui/playground/headers_view.h"
#include "ui/playground/prompt_form.h"
#include "ui/playground/response_view.h"
#include "ui/playground/waterfall_view.h"
#include "ui/settings/preferences.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/panel.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QPushButton>
#include <QStackedWidget>
#include <QStandardPaths>

namespace sg::ui {

namespace {

constexpr int kBeatMs = 66; ///< 15 Hz
constexpr int kDraftMs = 1500;

/// Wrapped texts would ask for heights of their own; panels have shares.
class PanelRow : public QWidget
{
public:
    bool hasHeightForWidth() const override { return false; }
};

provider::ChatRequest firstRequest()
{
    provider::ChatRequest request;
    request.messages = {
        {"system", PlaygroundPage::tr("You explain things to engineers. Answer in at most 120 words."), {}},
        {"user",
         PlaygroundPage::tr("Why does a circuit breaker help an application that calls several language models? Name "
                            "what it protects and what it costs."),
         {}}};
    request.sampling.maxTokens = 512;
    request.stream = true;
    return request;
}

} // namespace

PlaygroundPage::PlaygroundPage(ThemeContext& context, engine::WatchControl& control, Preferences* preferences,
                               QWidget* parent)
    : QWidget(parent)
    , context_(context)
    , control_(control)
    , preferences_(preferences)
{
    askRecorded = [](QWidget* window) {
        return QFileDialog::getOpenFileName(window, tr("Open a recorded answer"), {},
                                            tr("Answers (*.http *.sse *.json *.txt);;All files (*)"));
    };
    askSavePath = [](QWidget* window, const QString& name) {
        const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
        return QFileDialog::getSaveFileName(window, tr("Save as JSON"), QDir(folder).filePath(name),
                                            tr("JSON (*.json)"));
    };
    setAccessibleName(tr("Playground"));
    setAcceptDrops(true);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(12, 10, 12, 10);
    whole->setSpacing(10);
    banner_ = new Banner;
    stack_ = new QStackedWidget;
    auto* desk = new QWidget;
    auto* column = new QVBoxLayout(desk);
    auto* top = new PanelRow;
    auto* row = new QHBoxLayout(top);
    for (QBoxLayout* layout : {static_cast<QBoxLayout*>(column), static_cast<QBoxLayout*>(row)}) {
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(10);
    }
    // Shares of the room only: what a panel has to show moves no other.
    const auto put = [](QBoxLayout* layout, QWidget* panel, int share) {
        panel->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
        layout->addWidget(panel, share);
    };
    put(row, makePrompt(), 34);
    put(row, makeResponse(), 41);
    put(row, makeHeaders(), 25);
    put(column, top, 56);
    put(column, makeAttempts(), 44);
    nothing_ = new EmptyState(context);
    stack_->addWidget(desk);
    stack_->addWidget(nothing_);
    whole->addWidget(banner_);
    whole->addWidget(stack_, 1);
    wire();
    form_->setRequest(firstRequest());
    if (preferences_)
        form_->setDraft(preferences_->playgroundDraft());
    reloadTargets();
    draftTimer_.stop(); // that was no edit
    draftKept_ = form_->draft();
    showShown();
}

PlaygroundPage::~PlaygroundPage()
{
    if (draftTimer_.isActive())
        keepDraft();
}

QAction* PlaygroundPage::shortcut(const QString& text, const QList<QKeySequence>& keys, void (PlaygroundPage::*what)())
{
    // Of the window, because the focus may be in the rail; a page that is not shown does not hear them.
    auto* action = new QAction(text, this);
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WindowShortcut);
    connect(action, &QAction::triggered, this, what);
    addAction(action);
    return action;
}

void PlaygroundPage::wire()
{
    shortcut(tr("Send"), {QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)},
             &PlaygroundPage::send);
    cancelAction_ = shortcut(tr("Cancel"), {QKeySequence(Qt::Key_Escape)}, &PlaygroundPage::cancel);
    closeAction_ =
        shortcut(tr("Close the recorded answer"), {QKeySequence(Qt::Key_Escape)}, &PlaygroundPage::closeRecorded);
    shortcut(tr("Open a recorded answer"), {QKeySequence(Qt::CTRL | Qt::Key_O)}, &PlaygroundPage::askAndOpen);
    timer_.setInterval(kBeatMs);
    connect(&timer_, &QTimer::timeout, this, &PlaygroundPage::poll);
    draftTimer_.setInterval(kDraftMs);
    draftTimer_.setSingleShot(true);
    connect(&draftTimer_, &QTimer::timeout, this, &PlaygroundPage::keepDraft);
    connect(form_, &PromptForm::changed, this, [this] {
        draftTimer_.start();
        showButtons();
    });
    connect(form_, &PromptForm::sendClicked, this, [this] { isRunning() ? cancel() : send(); });
    connect(response_, &ResponseView::sendClicked, this, &PlaygroundPage::send);
    connect(response_, &ResponseView::openClicked, this, &PlaygroundPage::askAndOpen);
    connect(response_, &ResponseView::backClicked, this, &PlaygroundPage::closeRecorded);
    connect(headers_, &HeadersView::attemptSelected, this, &PlaygroundPage::selectAttempt);
    connect(headers_, &HeadersView::closeClicked, this, [this] { setHeadersShown(false); });
    connect(waterfall_, &WaterfallView::attemptSelected, this, &PlaygroundPage::selectAttempt);
    connect(all_, &SideBySide::selectedChanged, this, [this](quint64 id) { showRun(id); });
    connect(all_, &SideBySide::opened, this, [this](quint64 id) {
        showRun(id);
        bottom_->setCurrentIndex(0);
        waterfall_->setFocus(Qt::OtherFocusReason);
        showButtons();
    });
    connect(nothing_, &EmptyState::addEndpointRequested, this, &PlaygroundPage::addEndpointRequested);
    connect(nothing_, &EmptyState::simulatorRequested, this, &PlaygroundPage::simulatorRequested);
}

void PlaygroundPage::reloadTargets()
{
    form_->reloadTargets();
    surroundings_.targets = control_.targets();
    stack_->setCurrentIndex(surroundings_.targets.empty() ? 1 : 0);
    showButtons();
}

bool PlaygroundPage::isRunning() const
{
    return std::ranges::any_of(
        runs_, [](const SideBySide::Run& run) { return run.id != 0 && (!run.view || run.view->running); });
}

void PlaygroundPage::send()
{
    if (isRunning())
        return;
    const auto request = form_->request();
    const auto target = form_->target();
    if (!request || !target)
        return form_->focusProblem();
    start(*target, *request);
}

void PlaygroundPage::sendAgain()
{
    if (last_ && !isRunning())
        start(last_->first, provider::ChatRequest(last_->second));
}

void PlaygroundPage::start(const engine::CallTarget& target, const provider::ChatRequest& request)
{
    forgetAll();
    last_ = {target, request};
    surroundings_.targets = control_.targets();
    surroundings_.reach.clear();
    for (const engine::WatchEstimate& estimate : control_.estimate(target, request))
        surroundings_.reach.push_back(estimate.endpoint);
    isSideBySide_ = false;
    runs_ = {{{target, {}, {}, {}}, control_.send(target, request), {}}};
    bottom_->setCurrentIndex(0);
    showRun(runs_.front().id);
    timer_.start();
}

void PlaygroundPage::sendToAll()
{
    const auto request = form_->request();
    if (isRunning() || !request)
        return isRunning() ? void() : form_->focusProblem();
    forgetAll();
    surroundings_.targets = control_.targets();
    surroundings_.reach.clear();
    isSideBySide_ = true;
    for (const engine::WatchTarget& target : surroundings_.targets) {
        if (target.target.kind != engine::TargetKind::Endpoint)
            continue;
        const bool isUsable = target.unusable.isEmpty();
        runs_.push_back({target, isUsable ? control_.send(target.target, *request) : 0, {}});
    }
    last_ = {form_->target().value_or(engine::CallTarget()), *request};
    bottom_->setCurrentIndex(1);
    all_->setRuns(runs_);
    const auto first = std::ranges::find_if(runs_, [](const auto& run) { return run.id != 0; });
    if (first != runs_.end())
        showRun(first->id);
    timer_.start();
}

void PlaygroundPage::cancel()
{
    for (const SideBySide::Run& run : runs_)
        if (run.id != 0 && (!run.view || run.view->running))
            control_.cancel(run.id);
    poll();
}

void PlaygroundPage::forgetAll()
{
    for (const SideBySide::Run& run : runs_)
        if (run.id != 0)
            control_.forget(run.id);
    runs_.clear();
    shown_.reset();
    shownId_ = 0;
    recorded_.reset();
    ++reading_; // a file that is still being read comes too late
    banner_->clear();
}

void PlaygroundPage::showRun(std::uint64_t id)
{
    if (id != shownId_)
        chosenAttempt_ = 0;
    shownId_ = id;
    shown_.reset();
    recorded_.reset();
    for (const SideBySide::Run& run : runs_)
        if (run.id == id)
            shown_ = run.view;
    poll();
    showShown();
}

void PlaygroundPage::poll()
{
    bool hasChanged = false;
    for (SideBySide::Run& run : runs_) {
        if (run.id == 0)
            continue;
        // Views of requests that ended long ago are given up there; what was shown stays.
        engine::WatchViewPtr now = control_.view(run.id);
        if (!now || now == run.view)
            continue;
        run.view = std::move(now);
        hasChanged = true;
        if (run.id == shownId_) {
            shown_ = run.view;
            if (!recorded_)
                showShown();
        }
    }
    if (hasChanged && isSideBySide_)
        all_->setRuns(runs_);
    if (!isRunning())
        timer_.stop();
    showButtons();
}

int PlaygroundPage::attempt() const
{
    if (!shown_)
        return 0;
    const bool isThere = chosenAttempt_ > 0 && chosenAttempt_ <= words::attemptsOf(*shown_);
    return isThere ? chosenAttempt_ : words::mainAttempt(*shown_);
}

void PlaygroundPage::showShown()
{
    if (recorded_)
        return showRecorded();
    if (!shown_)
        return showEmpty();
    // What the same answer would cost at the first other endpoint of the chain, once it is known how long it is.
    if (otherOf_ != shown_ && !shown_->running) {
        otherOf_ = shown_;
        other_.reset();
        if (last_ && shown_->answer.usage.outputTokens && shown_->target.kind == engine::TargetKind::Chain) {
            provider::ChatRequest same = last_->second;
            same.sampling.maxTokens =
                static_cast<int>(std::clamp<std::int64_t>(*shown_->answer.usage.outputTokens, 1, 1 << 30));
            for (const engine::WatchEstimate& estimate : control_.estimate(shown_->target, same))
                if (!other_ && estimate.worstNanoUsd && estimate.endpoint != shown_->record.endpoint)
                    other_ = estimate;
        }
    }
    response_->setView(shown_, attempt(), shown_->running ? std::nullopt : other_);
    headers_->setView(shown_, attempt());
    waterfall::Scene scene = waterfall::sceneOf(*shown_, surroundings_);
    attemptsPanel_->setSubtitle(scene.summary);
    attemptsStack_->setCurrentIndex(1);
    waterfall_->setScene(std::move(scene));
    waterfall_->selectAttempt(attempt());
    band_->refresh();
    showButtons();
}

void PlaygroundPage::showEmpty()
{
    const QString problem = form_->problem();
    response_->setEmpty(shownId_ != 0       ? tr("Sending…")
                        : problem.isEmpty() ? tr("Nothing sent yet. The prompt on the left is ready.")
                                            : tr("Nothing sent yet. %1").arg(problem),
                        problem.isEmpty() && shownId_ == 0);
    headers_->clear();
    attemptsPanel_->setSubtitle({});
    attemptsStack_->setCurrentIndex(0);
    waterfall_->setScene({});
    showButtons();
}

void PlaygroundPage::showButtons()
{
    const bool isBusy = isRunning();
    form_->setRunning(isBusy);
    cancelAction_->setEnabled(isBusy);
    closeAction_->setEnabled(!isBusy && recorded_.has_value());
    again_->setEnabled(!isBusy && last_.has_value() && !isSideBySide_);
    toAll_->setEnabled(!isBusy && form_->problem().isEmpty());
    save_->setEnabled(shown_ != nullptr && !shown_->running);
    curl_->setEnabled(shown_ && words::traceOf(*shown_, attempt()));
    toTable_->setVisible(isSideBySide_ && bottom_->currentIndex() == 0);
    legend_->setVisible(shown_ && !isNarrow_ && !recorded_);
    if (!shown_ && !recorded_ && shownId_ == 0) {
        const QString problem = form_->problem();
        response_->setEmpty(problem.isEmpty() ? tr("Nothing sent yet. The prompt on the left is ready.")
                                              : tr("Nothing sent yet. %1").arg(problem),
                            problem.isEmpty());
    }
}

void PlaygroundPage::selectAttempt(int number)
{
    chosenAttempt_ = number;
    if (shown_ && !recorded_)
        showShown();
}

void PlaygroundPage::setHeadersShown(bool shown)
{
    headersWanted_ = shown;
    headersPanel_->setVisible(shown);
    headersButton_->setVisible(!shown);
    explanation_->setHeadersButtonVisible(!shown);
    if (!shown && !recorded_)
        headersButton_->setFocus(Qt::OtherFocusReason);
}

void PlaygroundPage::setNarrow(bool narrow)
{
    if (narrow == isNarrow_)
        return;
    isNarrow_ = narrow;
    headersPanel_->setVisible(!narrow && headersWanted_);
    headersButton_->setVisible(narrow || !headersWanted_);
    explanation_->setHeadersButtonVisible(narrow || !headersWanted_);
    showButtons();
}

void PlaygroundPage::keepDraft()
{
    const QByteArray draft = preferences_ ? form_->draft() : QByteArray();
    if (draft.isEmpty() || draft == draftKept_)
        return;
    draftKept_ = draft;
    preferences_->setPlaygroundDraft(draft);
}

void PlaygroundPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    reloadTargets();
    poll();
    if (isRunning())
        timer_.start();
}

void PlaygroundPage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    timer_.stop();
    keepDraft();
}

} // namespace sg::ui
