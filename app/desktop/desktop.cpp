// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/desktop.h"

#include "app/desktop/desk.h"
#include "app/desktop/first_paint.h"
#include "app/desktop/practice_callers.h"
#include "app/session/gateway_host.h"
#include "app/session/interrupt.h"
#include "app/session/terminal_text.h"

#include "core/load/practice_traffic.h"
#include "core/load/session.h"
#include "core/workspace/document.h"
#include "core/workspace/replace_file.h"
#include "ui/edit/apply_flow.h"
#include "ui/main_window/main_window.h"
#include "ui/opening/cannot_open_window.h"
#include "ui/overview/overview_page.h"
#include "ui/playground/playground_page.h"
#include "ui/settings/preferences.h"
#include "ui/shots.h"
#include "ui/widgets/banner.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>

#include <cstdio>
#include <thread>

namespace sg::app {

namespace {

constexpr double kPracticeRequestsPerSecond = 12, kPracticeCallsPerSecond = 5;

void say(std::FILE* to, const QString& text)
{
    const QByteArray line = terminalText(text).toUtf8() + '\n';
    std::fwrite(line.constData(), 1, static_cast<std::size_t>(line.size()), to);
    std::fflush(to);
}

/// What lives and dies in the engine thread, made there by `make`.
template <class T, class Make>
std::shared_ptr<void> inEngine(engine::Engine& engine, Make make)
{
    auto made = std::make_shared<std::unique_ptr<T>>();
    engine.post([made, make = std::move(make)](engine::EngineCore& core) { *made = make(core); });
    return {made.get(), [&engine, made](void*) { engine.post([made](engine::EngineCore&) { made->reset(); }); }};
}

/// Traffic through a chain, so that a new user sees something happen.
std::shared_ptr<void> startTraffic(engine::Engine& engine, const std::string& target)
{
    load::LoadPlan plan;
    plan.target = target;
    plan.repeatShare = 0.25;
    plan.seed = 1;
    return inEngine<load::PracticeTraffic>(engine, [plan](engine::EngineCore& core) {
        auto traffic = std::make_unique<load::PracticeTraffic>(core, plan, kPracticeRequestsPerSecond);
        traffic->start();
        return traffic;
    });
}

/// Through the first chain, and through another when that one serves no more.
void keepTrafficGoing(Desk& desk)
{
    const auto target = std::make_shared<std::string>();
    const auto follow = [&desk, target] {
        const workspace::Workspace& serving = desk.session().workspace();
        if (!target->empty() && serving.chain(*target))
            return;
        *target = serving.chains.empty() ? std::string() : serving.chains.front().spec.name;
        desk.keep(target->empty() ? nullptr : startTraffic(desk.session().engine(), *target));
    };
    follow();
    QObject::connect(&desk.serving(), &ui::ServingControl::servingChanged, &desk, follow);
}

std::unique_ptr<gateway::Control> realGateway(Session& session)
{
    GatewayOverrides overrides;
    overrides.keepsTraffic = true;
    return std::make_unique<GatewayHost>(session, overrides);
}

/// Callers of the gateway once it serves, so that the pictures show what its page is for.
void callGatewayForShots(Desk& desk)
{
    gateway::Control& control = desk.gateway().control();
    const auto callers = std::make_shared<std::shared_ptr<void>>(); // ends with the control, and so before the engine
    QObject::connect(&control, &gateway::Control::changed, &control, [&desk, &control, callers] {
        const gateway::Status status = control.status();
        if (status.phase != gateway::Phase::Serving || *callers)
            return;
        load::LoadPlan plan;
        plan.target = desk.session().workspace().chains.front().spec.name;
        plan.repeatShare = 0.25;
        plan.seed = 2;
        *callers =
            inEngine<PracticeCallers>(desk.session().engine(), [plan, url = status.url](engine::EngineCore& core) {
                return std::make_unique<PracticeCallers>(core, url, plan, kPracticeCallsPerSecond);
            });
    });
    control.start();
}

/// A load test under way makes the pictures show what its page is for.
void startLoadForShots(load::LoadSession& loads, double shotsAfterSeconds)
{
    load::LoadPlan plan;
    plan.target = loads.chains().front();
    plan.stop.duration = std::chrono::seconds(static_cast<int>(std::ceil(shotsAfterSeconds * 1.5)));
    plan.model = load::ClosedModel{12};
    plan.repeatShare = 0.2;
    loads.start(plan);
}

int takeShots(ui::MainWindow& window, const DesktopOptions& options)
{
    const QStringList files = ui::grabPages(window, *options.shotsDirectory);
    if (files.isEmpty()) {
        say(stderr, QStringLiteral("%1: no picture can be written there. Name a directory that can be written to.")
                        .arg(*options.shotsDirectory));
        return 2;
    }
    for (const QString& file : files)
        say(stdout, file);
    return 0;
}

} // namespace

Desktop::Desktop(DesktopOptions options)
    : askFile([](QWidget* parent) {
        return QFileDialog::getOpenFileName(parent, tr("Open a workspace"), QString(),
                                            tr("Workspaces (*.json);;All files (*)"));
    })
    , askNewFile([](QWidget* parent, const QString& title) {
        return QFileDialog::getSaveFileName(parent, title, QString(), tr("Workspaces (*.json);;All files (*)"));
    })
    , options_(std::move(options))
    , retirement_(std::make_shared<Retirement>())
{
}

Desktop::~Desktop() = default;

Session* Desktop::session() const
{
    return desk_ ? &desk_->session() : nullptr;
}

ui::MainWindow* Desktop::window() const
{
    return desk_ ? &desk_->window() : nullptr;
}

QStringList Desktop::warnings() const
{
    return desk_ ? desk_->session().warnings() : QStringList();
}

ui::OverviewPage* Desktop::overview() const
{
    return desk_ ? desk_->overview() : nullptr;
}

ui::ChainsPage* Desktop::chains() const
{
    return desk_ ? desk_->chains() : nullptr;
}

ui::CannotOpenWindow* Desktop::problemWindow() const
{
    return problems_.get();
}

QWidget* Desktop::front() const
{
    return desk_ ? static_cast<QWidget*>(&desk_->window()) : problems_.get();
}

tl::expected<void, QStringList> Desktop::open()
{
    if (desk_) { // the new desk may be of the same file
        if (const auto kept = desk_->keepDraft(); !kept) {
            const QStringList why{
                tr("The draft cannot be kept: %1 Apply it or undo it, then try again.").arg(kept.error())};
            showProblems(why);
            return tl::unexpected(why);
        }
    }
    auto session = Session::open(options_.session);
    if (!session) {
        showProblems(session.error());
        return tl::unexpected(session.error());
    }
    showDesk(*std::move(session));
    return {};
}

void Desktop::showDesk(std::unique_ptr<Session> session)
{
    const QString folder = options_.dataFolder.isEmpty() ? DesktopServing::standardFolder() : options_.dataFolder;
    auto desk = std::make_unique<Desk>(std::move(session), retirement_, folder, options_.preferences,
                                       options_.makeGateway ? options_.makeGateway : realGateway);
    connect(desk.get(), &Desk::simulatorRequested, this, &Desktop::openPractice);
    connect(desk.get(), &Desk::reloadRequested, this, [this] { leave([this] { (void)open(); }); });
    connect(desk.get(), &Desk::environmentRequested, this, &Desktop::askEnvironment);
    ui::MainWindow& window = desk->window();
    window.setCommands([this] { return commands(); });
    if (const QWidget* before = front(); desk_ && before)
        window.setGeometry(before->geometry());
    const bool hasTraffic = options_.practiceTraffic && !desk->session().workspace().chains.empty();
    if (hasTraffic)
        keepTrafficGoing(*desk);
    if (options_.shotsDirectory && hasTraffic && options_.shotsAfterSeconds >= 1) {
        startLoadForShots(desk->loads(), options_.shotsAfterSeconds);
        callGatewayForShots(*desk);
        // Late enough to show what the script does then, early enough to be over when the pictures are taken.
        const double sendAfter = std::max(options_.shotsAfterSeconds - 6, options_.shotsAfterSeconds / 3);
        QTimer::singleShot(std::chrono::milliseconds(static_cast<int>(sendAfter * 1000)), desk->playground()->widget(),
                           [page = desk->playground()] { page->send(); });
    }
    if (options_.measureStart)
        new FirstPaint(window, [] {
            const double ms = millisecondsSinceStart().value_or(-1);
            say(stdout, QStringLiteral("first paint after %1 ms").arg(ms, 0, 'f', 1));
            QApplication::exit(0);
        });
    window.show();
    // What is left may be in the middle of a click: it goes when the event loop is back.
    const std::shared_ptr<Desk> oldDesk = std::exchange(desk_, std::move(desk));
    const std::shared_ptr<ui::CannotOpenWindow> oldProblems = std::exchange(problems_, nullptr);
    if (oldDesk)
        oldDesk->window().hide();
    if (oldProblems)
        oldProblems->hide();
    if (oldDesk || oldProblems)
        QTimer::singleShot(0, this, [oldDesk, oldProblems] {});
}

void Desktop::showProblems(const QStringList& lines)
{
    if (desk_)
        return desk_->window().banner().say(bannerText(lines));
    if (!options_.showsProblems)
        return;
    if (!problems_) {
        problems_ = std::make_unique<ui::CannotOpenWindow>();
        connect(problems_.get(), &ui::CannotOpenWindow::retryRequested, this, [this] { (void)open(); });
        connect(problems_.get(), &ui::CannotOpenWindow::otherFileRequested, this, &Desktop::askForFile);
        connect(problems_.get(), &ui::CannotOpenWindow::simulatorRequested, this, &Desktop::openPractice);
        connect(problems_.get(), &ui::CannotOpenWindow::newRequested, this, &Desktop::askForNew);
    }
    problems_->setProblems(options_.session.workspaceFile.value_or(QString()), lines);
    problems_->show();
}

void Desktop::tryOptions(DesktopOptions options)
{
    std::swap(options_, options);
    if (open() || !desk_)
        return;
    options_ = std::move(options); // the desk that stays is still the old file's
    desk_->window().topBar().setEnvironments(desk_->serving().environments(), desk_->serving().environment());
}

void Desktop::leave(const std::function<void()>& then)
{
    if (desk_)
        desk_->askToLeave(then);
    else
        then();
}

void Desktop::openFile(const QString& file)
{
    DesktopOptions options = options_;
    options.session.workspaceFile = file;
    options.session.environment.clear();
    options.practiceTraffic = false;
    leave([this, options] { tryOptions(options); });
}

void Desktop::openPractice()
{
    DesktopOptions options = options_;
    options.session.workspaceFile.reset();
    options.session.environment.clear();
    options.practiceTraffic = true;
    leave([this, options] { tryOptions(options); });
}

void Desktop::askForFile()
{
    if (const QString file = askFile(front()); !file.isEmpty())
        openFile(file);
}

tl::expected<void, QString> Desktop::createFile(const QString& file)
{
    if (QFileInfo::exists(file))
        return tl::unexpected(tr("%1: there is a file already. Choose another name, or open it.").arg(file));
    const auto saved = workspace::createFile(file, workspace::newWorkspaceFile(QFileInfo(file).completeBaseName()));
    if (!saved)
        return tl::unexpected(tr("%1: cannot be written: %2.").arg(file, saved.error()));
    return {};
}

void Desktop::askForNew()
{
    const QString file = askNewFile(front(), tr("New workspace"));
    if (file.isEmpty())
        return;
    if (const auto made = createFile(file); !made)
        return showProblems({made.error()});
    openFile(file);
}

void Desktop::askSaveAs()
{
    const QString file = desk_ ? askNewFile(front(), tr("Save the workspace as")) : QString();
    if (file.isEmpty())
        return;
    const QString errors = ui::errorsIn(desk_->draft().workspace(), desk_->serving().lintFacts());
    if (!errors.isEmpty()) // it would serve at once
        return showProblems({tr("Not saved: mend this first.") + QLatin1Char('\n') + errors});
    // The draft, because that is what is seen; the file then serves as it is.
    if (const auto saved = desk_->serving().saveAs(desk_->draft().workspace(), file); !saved)
        return showProblems({tr("%1: cannot be written: %2.").arg(file, saved.error())});
    openFile(file);
}

void Desktop::askEnvironment(const QString& environment)
{
    if (!desk_->hasUnappliedDraft() && desk_->lossOnLeaving().isEmpty())
        return openEnvironment(environment);
    QStringList words;
    if (desk_->hasUnappliedDraft())
        words.append(tr("The draft for %1 is not applied. It is kept and offered again there.")
                         .arg(desk_->serving().environment()));
    if (const QString loss = desk_->lossOnLeaving(); !loss.isEmpty())
        words.append(loss);
    auto* question = new QMessageBox(QMessageBox::Question, tr("Switch to %1?").arg(environment),
                                     words.join(QStringLiteral("\n\n")), QMessageBox::Cancel, &desk_->window());
    question->setObjectName(QStringLiteral("switchEnvironment"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    desk_->window().theme().applyTo(question);
    const auto* go = question->addButton(tr("Switch"), QMessageBox::AcceptRole);
    connect(go, &QPushButton::clicked, this, [this, environment] { openEnvironment(environment); });
    connect(question, &QMessageBox::rejected, this, [this] {
        desk_->window().topBar().setEnvironments(desk_->serving().environments(), desk_->serving().environment());
    });
    question->open();
}

void Desktop::openEnvironment(const QString& environment)
{
    DesktopOptions options = options_;
    options.session.environment = environment;
    tryOptions(std::move(options));
}

std::vector<ui::PaletteCommand> Desktop::commands()
{
    return {{tr("New workspace…"), {}, [this] { askForNew(); }},
            {tr("Open a workspace…"), {}, [this] { askForFile(); }},
            {tr("Save the workspace as…"), {}, [this] { askSaveAs(); }},
            {tr("Open the practice workspace"), {}, [this] { openPractice(); }}};
}

int runDesktop(const DesktopOptions& wanted)
{
    // Ends by the event loop: whatever the windows and the engine have open is closed in order.
    const Interrupt interrupt([] { QApplication::exit(0); });
    ui::Preferences preferences(ui::Preferences::standardFile());
    DesktopOptions options = wanted;
    const QTemporaryDir shotsData;
    if (!options.shotsDirectory)
        options.preferences = &preferences;
    else if (options.dataFolder.isEmpty()) // pictures look the same on every machine, and leave no runs behind
        options.dataFolder = shotsData.path();
    Desktop desktop(options);
    if (const auto opened = desktop.open(); !opened) {
        for (const QString& line : opened.error())
            say(stderr, line);
        if (!options.showsProblems)
            return 2;
    } else {
        for (const QString& warning : desktop.warnings())
            say(stderr, QStringLiteral("Warning: ") + warning);
    }
    if (options.shotsDirectory) {
        const auto delay =
            std::chrono::duration_cast<std::chrono::milliseconds>(fromMs(options.shotsAfterSeconds * 1000));
        QTimer::singleShot(delay, &desktop, [&] { QApplication::exit(takeShots(*desktop.window(), options)); });
    }
    const int code = QApplication::exec();
    return desktop.window() ? code : 2;
}

} // namespace sg::app
