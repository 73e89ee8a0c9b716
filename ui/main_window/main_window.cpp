// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window/main_window.h"
#include "ui/gateway/gateway_chip.h"
#include "ui/gateway/gateway_panel.h"
#include "ui/gateway/gateway_words.h"
#include "ui/main_window/command_palette.h"
#include "ui/main_window/rail.h"
#include "ui/main_window/settings_page.h"
#include "ui/main_window/status_strip.h"
#include "ui/settings/preferences.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/chart_data.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/segments.h"

#include <QDateTime>
#include <QKeyEvent>
#include <QShortcut>
#include <QStackedWidget>
#include <QToolTip>
#include <QWhatsThis>

namespace sg::ui {

namespace {

constexpr int kBeatMs = 66; ///< 15 Hz
constexpr int kNarrowBelow = 1280;

} // namespace

MainWindow::MainWindow(SnapshotSource& source, Options options)
    : source_(source)
    , options_(std::move(options))
    , topBar_(new TopBar(theme_))
    , banner_(new Banner)
    , rail_(new Rail(theme_))
    , stack_(new QStackedWidget)
    , status_(new StatusStrip(theme_, options_.version))
{
    if (!options_.nowUnixMs)
        options_.nowUnixMs = [] { return QDateTime::currentMSecsSinceEpoch(); };
    setWindowTitle(QStringLiteral("Switchgear"));
    setMinimumSize(960, 600);
    auto* center = new QWidget;
    // The window opens with the focus on nothing in particular: Space and the other single keys work at once.
    center->setFocusPolicy(Qt::ClickFocus);
    auto* row = new QHBoxLayout(center);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    column->addWidget(topBar_);
    column->addWidget(banner_);
    column->addWidget(stack_, 1);
    row->addWidget(rail_);
    row->addLayout(column, 1);
    setCentralWidget(center);
    center->setFocus();
    setStatusBar(status_);
    new FocusRing(theme_, this);

    topBar_->setGateway(gateway_);
    gatewayPanel_ = new GatewayPanel(theme_, gateway_, this);
    connect(topBar_, &TopBar::gatewayPressed, this, &MainWindow::openGateway);
    connect(gatewayPanel_, &GatewayPanel::settingsRequested, this, &MainWindow::gatewaySettingsRequested);
    connect(&gateway_, &GatewayFeed::phaseChanged, this, [this] { status_->setGateway(gateway_, now()); });
    connect(status_, &StatusStrip::gatewayPressed, this, [this] {
        const bool hasFailed = gateway_.status().phase == gateway::Phase::Failed;
        Q_EMIT gatewaySettingsRequested(hasFailed ? QStringLiteral("port") : QString());
    });
    connect(rail_, &Rail::selected, this, &MainWindow::showIndex);
    connect(topBar_, &TopBar::liveToggled, this, [this] { setPaused(!isPaused()); });
    connect(topBar_, &TopBar::findRequested, this, &MainWindow::openPalette);
    recall();
    connect(topBar_, &TopBar::rangeSelected, this, [this](int i) {
        source_.setWindow(TopBar::rangeAt(i));
        remember();
    });
    connect(&theme_, &ThemeContext::changed, this, &MainWindow::applyTheme);
    connect(&theme_, &ThemeContext::changed, this, &MainWindow::remember);
    makeShortcuts();
    source_.setWindow(TopBar::rangeAt(topBar_->ranges().current()));
    applyTheme();
    connect(&timer_, &QTimer::timeout, this, &MainWindow::tick);
    if (options_.isTicking)
        timer_.start(kBeatMs);
}

MainWindow::~MainWindow()
{
    // Pages refer to the theme and to this window: they go first.
    timer_.stop();
    pages_.clear();
}

void MainWindow::recall()
{
    const Preferences* known = options_.preferences;
    if (!known)
        return;
    theme_.setMode(known->theme());
    theme_.setReducedMotion(known->reducedMotion());
    topBar_->ranges().setCurrent(known->timeRange());
    restoreGeometry(known->windowPlace());
}

void MainWindow::remember()
{
    Preferences* known = options_.preferences;
    if (!known)
        return;
    known->setTheme(theme_.mode());
    known->setReducedMotion(theme_.theme().reducedMotion);
    known->setTimeRange(topBar_->ranges().current());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (options_.preferences)
        options_.preferences->setWindowPlace(saveGeometry());
    QMainWindow::closeEvent(event);
}

void MainWindow::makeShortcuts()
{
    for (int i = 0; i < 9; ++i) {
        const QKeySequence keys(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i));
        connect(new QShortcut(keys, this), &QShortcut::activated, this, [this, i] { showIndex(i); });
    }
    connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_K), this), &QShortcut::activated, this,
            &MainWindow::openPalette);
    connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), this), &QShortcut::activated,
            &topBar_->gatewayChip(), &GatewayChip::copyUrl);
    connect(new QShortcut(QKeySequence(Qt::Key_F6), this), &QShortcut::activated, this, &MainWindow::nextRegion);
    connect(new QShortcut(QKeySequence(Qt::Key_F1), this), &QShortcut::activated, this, &MainWindow::explainFocus);
}

void MainWindow::addPage(std::unique_ptr<Page> page, bool isFoot)
{
    buttons_.push_back(rail_->add(page->icon(), page->title(), isFoot));
    buttons_.back()->setHint(pages_.size() < 9 ? tr("%1 (Ctrl %2)").arg(page->title()).arg(pages_.size() + 1)
                                               : page->title());
    stack_->addWidget(page->widget());
    page->setNarrow(isNarrow_);
    pages_.push_back(std::move(page));
    if (pages_.size() == 1)
        showIndex(0);
}

void MainWindow::addSettings(QWidget* more)
{
    auto settings = std::make_unique<SettingsPage>(theme_, options_.preferences, more);
    connect(settings.get(), &SettingsPage::transportChosen, this, &MainWindow::transportChosen);
    addPage(std::move(settings), true);
}

void MainWindow::showPage(const QString& id)
{
    for (std::size_t i = 0; i < pages_.size(); ++i) {
        if (pages_[i]->id() == id)
            showIndex(static_cast<int>(i));
    }
}

QString MainWindow::currentPage() const
{
    const int index = stack_->currentIndex();
    return index < 0 ? QString() : pages_[static_cast<std::size_t>(index)]->id();
}

void MainWindow::showIndex(int index)
{
    if (index < 0 || index >= static_cast<int>(pages_.size()))
        return;
    stack_->setCurrentIndex(index);
    rail_->setCurrent(index);
    showSnapshot();
}

void MainWindow::openGateway()
{
    if (gateway_.control())
        gatewayPanel_->openBelow(topBar_->gatewayChip());
}

void MainWindow::applyTheme()
{
    theme_.applyTo(this);
    QToolTip::setPalette(paletteOf(theme_.c())); // explanations have no parent to take it from
    showSnapshot();
}

void MainWindow::setPaused(bool paused)
{
    if (paused == isPaused())
        return;
    pausedAt_ = paused ? std::optional(now()) : std::nullopt;
    eventsAtPause_ = snapshot_ ? snapshot_->eventsTotal : 0;
    tick();
}

void MainWindow::tick()
{
    const std::int64_t at = now();
    const observe::SnapshotPtr newest = source_.latest();
    if (!isPaused() && newest)
        snapshot_ = newest;
    const std::uint64_t total = newest ? newest->eventsTotal : eventsAtPause_;
    topBar_->setClock(at, pausedAt_, static_cast<std::int64_t>(total - std::min(total, eventsAtPause_)));
    countFrame(at);
    gateway_.tick(at);
    status_->setGateway(gateway_, at);
    // The recorder goes on while the view is frozen, and so does the line that watches it.
    if (newest)
        status_->setSnapshot(*newest, at);
    if (!isPaused())
        showSnapshot();
}

void MainWindow::showSnapshot()
{
    if (!snapshot_ || stack_->currentIndex() < 0)
        return;
    topBar_->setSnapshot(*snapshot_);
    for (std::size_t i = 0; i < pages_.size(); ++i)
        buttons_[i]->setBadge(pages_[i]->badge(*snapshot_));
    pages_[static_cast<std::size_t>(stack_->currentIndex())]->setSnapshot(snapshot_, pausedAt_.value_or(now()));
}

void MainWindow::countFrame(std::int64_t at)
{
    ++frames_;
    if (framesSince_ == 0)
        framesSince_ = at;
    if (at - framesSince_ < 1000)
        return;
    status_->setFrames(static_cast<int>(frames_ * 1000 / (at - framesSince_)));
    framesSince_ = at;
    frames_ = 0;
}

void MainWindow::keyPressEvent(QKeyEvent* event)
{
    // Here and not as a shortcut: a focused button or field has the first right to the key.
    Segments& ranges = topBar_->ranges();
    switch (event->modifiers() == Qt::NoModifier ? event->key() : 0) {
    case Qt::Key_Space:
        return setPaused(!isPaused());
    case Qt::Key_BracketLeft:
        return ranges.setCurrent(std::max(0, ranges.current() - 1));
    case Qt::Key_BracketRight:
        return ranges.setCurrent(std::min(ranges.count() - 1, ranges.current() + 1));
    case Qt::Key_T:
        return openData();
    default:
        QMainWindow::keyPressEvent(event);
    }
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    const bool isNarrow = width() < kNarrowBelow;
    if (isNarrow == isNarrow_)
        return;
    isNarrow_ = isNarrow;
    rail_->setNarrow(isNarrow);
    topBar_->setNarrow(isNarrow);
    for (auto& page : pages_)
        page->setNarrow(isNarrow);
}

void MainWindow::nextRegion()
{
    std::vector<QWidget*> regions{topBar_, rail_};
    if (stack_->currentIndex() >= 0)
        std::ranges::copy(pages_[static_cast<std::size_t>(stack_->currentIndex())]->regions(),
                          std::back_inserter(regions));
    const QWidget* focused = focusWidget();
    std::size_t current = regions.size() - 1;
    for (std::size_t i = 0; i < regions.size(); ++i) {
        if (focused && (regions[i] == focused || regions[i]->isAncestorOf(focused)))
            current = i;
    }
    const auto takesFocus = [](const QWidget* widget) {
        return (widget->focusPolicy() & Qt::TabFocus) && widget->isVisible() && widget->isEnabled();
    };
    for (std::size_t step = 1; step <= regions.size(); ++step) { // one without anything to stop at is passed over
        QWidget* region = regions[(current + step) % regions.size()];
        if (takesFocus(region))
            return region->setFocus(Qt::TabFocusReason);
        for (QWidget* child : region->findChildren<QWidget*>()) {
            if (takesFocus(child))
                return child->setFocus(Qt::TabFocusReason);
        }
    }
}

std::vector<PaletteCommand> MainWindow::paletteCommands()
{
    std::vector<PaletteCommand> all;
    for (std::size_t i = 0; i < pages_.size(); ++i)
        all.push_back({tr("Go to %1").arg(pages_[i]->title()), i < 9 ? tr("Ctrl %1").arg(i + 1) : QString(),
                       [this, i] { showIndex(static_cast<int>(i)); }});
    all.push_back({isPaused() ? tr("Go live") : tr("Pause the view"), tr("Space"), [this] { setPaused(!isPaused()); }});
    const QStringList ranges{tr("5 min"), tr("15 min"), tr("1 h"), tr("6 h"), tr("24 h")};
    for (int i = 0; i < ranges.size(); ++i)
        all.push_back(
            {tr("Show the last %1").arg(ranges[i]), QString(), [this, i] { topBar_->ranges().setCurrent(i); }});
    all.push_back({tr("Theme: as the desktop"), QString(), [this] { theme_.setMode(ThemeMode::System); }});
    all.push_back({tr("Theme: dark"), QString(), [this] { theme_.setMode(ThemeMode::Dark); }});
    all.push_back({tr("Theme: light"), QString(), [this] { theme_.setMode(ThemeMode::Light); }});
    all.push_back({tr("Explain what has the focus"), tr("F1"), [this] { explainFocus(); }});
    all.push_back({tr("Show the focused chart's data as a table"), tr("T"), [this] { openData(); }});
    addGatewayCommands(all);
    if (commands_)
        std::ranges::copy(commands_(), std::back_inserter(all));
    for (std::size_t i = 0; i < pages_.size(); ++i) {
        for (const auto& command : pages_[i]->paletteCommands())
            all.push_back({command.words, command.hint, [this, i, run = command.run] {
                               showIndex(static_cast<int>(i));
                               run();
                           }});
    }
    return all;
}

void MainWindow::addGatewayCommands(std::vector<PaletteCommand>& all)
{
    if (!gateway_.control())
        return;
    const bool isDraining = gateway_.status().phase == gateway::Phase::Draining;
    all.push_back({isDraining                                    ? tr("Stop the gateway: cut off what is left")
                   : gatewaywords::isOn(gateway_.status().phase) ? tr("Stop the gateway")
                                                                 : tr("Start the gateway"),
                   QString(), [this, isDraining] { isDraining ? gateway_.stop() : gateway_.toggle(); }});
    all.push_back({tr("Show the gateway"), QString(), [this] { openGateway(); }});
    if (!gateway_.status().url.isEmpty())
        all.push_back(
            {tr("Copy the gateway's address"), tr("Ctrl Shift C"), [this] { topBar_->gatewayChip().copyUrl(); }});
}

void MainWindow::openData()
{
    for (QWidget* widget = focusWidget(); widget; widget = widget->parentWidget()) {
        if (const auto* chart = dynamic_cast<const ChartData*>(widget))
            return (new DataTableDialog(theme_, chart->dataTable(), this))->open();
    }
}

void MainWindow::explainFocus()
{
    const QString nothing =
        tr("Tab moves to a figure, a chart or a field; F1 then says what it means. T shows a chart's "
           "data as a table, Ctrl K finds pages and commands.");
    QWidget* widget = focusWidget();
    while (widget && widget != this && widget->whatsThis().isEmpty())
        widget = widget->parentWidget();
    const bool isKnown = widget && widget != this && !widget->whatsThis().isEmpty();
    QWidget* place = isKnown ? widget : centralWidget();
    QWhatsThis::showText(place->mapToGlobal(place->rect().center()), isKnown ? widget->whatsThis() : nothing, place);
}

void MainWindow::openPalette()
{
    auto* palette = new CommandPalette(theme_, paletteCommands(), this);
    palette->show();
}

} // namespace sg::ui
