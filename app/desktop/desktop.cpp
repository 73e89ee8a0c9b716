// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/desktop.h"

#include "app/desktop/first_paint.h"
#include "app/session/interrupt.h"
#include "app/session/terminal_text.h"

#include "core/engine/watcher.h"
#include "core/load/practice_traffic.h"
#include "core/load/session.h"
#include "ui/load/load_page.h"
#include "ui/main_window/main_window.h"
#include "ui/opening/add_endpoint_dialog.h"
#include "ui/opening/cannot_open_window.h"
#include "ui/overview/overview_page.h"
#include "ui/playground/playground_page.h"
#include "ui/settings/preferences.h"
#include "ui/shots.h"
#include "ui/widgets/banner.h"

#include <QApplication>
#include <QDesktopServices>
#include <QFileDialog>
#include <QTimer>
#include <QUrl>

#include <cstdio>
#include <thread>

namespace sg::app {

namespace {

constexpr double kPracticeRequestsPerSecond = 12;

class EngineSource final : public ui::SnapshotSource
{
public:
    explicit EngineSource(engine::Engine& engine)
        : engine_(engine)
    {
    }
    observe::SnapshotPtr latest() override { return engine_.latest(); }
    void setWindow(Nanos window) override { engine_.setWindow(window); }

private:
    engine::Engine& engine_;
};

void say(std::FILE* to, const QString& text)
{
    const QByteArray line = terminalText(text).toUtf8() + '\n';
    std::fwrite(line.constData(), 1, static_cast<std::size_t>(line.size()), to);
    std::fflush(to);
}

/// Traffic through the first chain, so that a new user sees something happen. Lives and dies in the engine thread.
std::shared_ptr<void> startTraffic(engine::Engine& engine, const workspace::Workspace& workspace)
{
    load::LoadPlan plan;
    plan.target = workspace.chains.front().spec.name;
    plan.repeatShare = 0.25;
    plan.seed = 1;
    auto traffic = std::make_shared<std::unique_ptr<load::PracticeTraffic>>();
    engine.post([traffic, plan](engine::EngineCore& core) {
        *traffic = std::make_unique<load::PracticeTraffic>(core, plan, kPracticeRequestsPerSecond);
        (*traffic)->start();
    });
    return {traffic.get(),
            [&engine, traffic](void*) { engine.post([traffic](engine::EngineCore&) { traffic->reset(); }); }};
}

/// A load test under way makes the pictures show what its page is for.
void startLoadForShots(load::LoadSession& loads, double shotsAfterSeconds)
{
    load::LoadPlan plan;
    plan.target = loads.chains().front();
    plan.duration = std::chrono::seconds(static_cast<int>(std::ceil(shotsAfterSeconds * 1.5)));
    plan.concurrency = 12;
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

QString bannerText(const QStringList& lines)
{
    constexpr qsizetype kMost = 3;
    QStringList shown = lines.mid(0, kMost);
    if (lines.size() > kMost)
        shown.append(QObject::tr("… and %n more", nullptr, static_cast<int>(lines.size() - kMost)));
    return shown.join(QLatin1Char('\n'));
}

} // namespace

/// Where sessions end: their threads may be in the middle of something, and the GUI thread does not wait for them.
class Desktop::Retirement
{
public:
    Retirement() = default;
    Retirement(const Retirement&) = delete;
    Retirement& operator=(const Retirement&) = delete;
    ~Retirement()
    {
        for (std::thread& thread : threads_)
            thread.join();
    }
    void take(Session* session)
    {
        session->leaveThread();
        threads_.emplace_back([session] { delete session; });
    }

private:
    std::vector<std::thread> threads_;
};

/// Everything of one open workspace; members end in reverse order.
struct Desktop::Desk
{
    Desk(std::unique_ptr<Session> opened, std::shared_ptr<Retirement> retirement, ui::Preferences* preferences)
        : session(opened.release(), [home = std::move(retirement)](Session* left) { home->take(left); })
        , source(session->engine())
        , watcher(session->engine())
        , loads(session->engine(), session->workspace(), session->prices())
        , window(source, {{}, QApplication::applicationVersion(), true, preferences})
    {
        auto page = std::make_unique<ui::OverviewPage>(window.theme(), session->engine(), &window);
        overview = page.get();
        window.addPage(std::move(page));
        auto play = std::make_unique<ui::PlaygroundPage>(window.theme(), watcher, preferences);
        playground = play.get();
        play->setPrices(std::make_shared<const cost::PriceBook>(session->prices()));
        window.addPage(std::move(play));
        window.addPage(std::make_unique<ui::LoadPage>(window.theme(), loads));
        window.addSettings();
        if (!preferences || preferences->windowPlace().isEmpty())
            window.resize(1440, 900);
        session->readKeychain([this] {
            tellProblems();
            QObject::connect(&session->keys(), &secrets::KeyControl::changed, &window, [this] { tellProblems(); });
        });
    }

    void tellProblems()
    {
        QStringList lines;
        for (const KeyProblem& problem : session->keyProblems())
            lines.append(problem.line);
        for (const KeyProblem& problem : session->keyWarnings())
            lines.append(problem.line);
        lines += session->warnings();
        const QString text = lines.isEmpty() ? QString() : bannerText(lines);
        if (text == told)
            return;
        if (!text.isEmpty())
            window.banner().say(text);
        else if (window.banner().text() == told) // somebody else's words stay
            window.banner().clear();
        told = text;
    }

    std::unique_ptr<Session, std::function<void(Session*)>> session;
    EngineSource source;
    engine::Watcher watcher;
    load::LoadSession loads;
    ui::MainWindow window;
    ui::OverviewPage* overview = nullptr;     ///< the window's
    ui::PlaygroundPage* playground = nullptr; ///< the window's
    QString told;                             ///< what the banner was given about keys and files
    std::shared_ptr<void> traffic;
};

Desktop::Desktop(DesktopOptions options)
    : askFile([](QWidget* parent) {
        return QFileDialog::getOpenFileName(parent, tr("Open a workspace"), QString(),
                                            tr("Workspaces (*.json);;All files (*)"));
    })
    , showFolder([](const QUrl& folder) { QDesktopServices::openUrl(folder); })
    , options_(std::move(options))
    , retirement_(std::make_shared<Retirement>())
{
}

Desktop::~Desktop() = default;

Session* Desktop::session() const
{
    return desk_ ? desk_->session.get() : nullptr;
}

ui::MainWindow* Desktop::window() const
{
    return desk_ ? &desk_->window : nullptr;
}

QStringList Desktop::warnings() const
{
    return desk_ ? desk_->session->warnings() : QStringList();
}

ui::OverviewPage* Desktop::overview() const
{
    return desk_ ? desk_->overview : nullptr;
}

ui::CannotOpenWindow* Desktop::problemWindow() const
{
    return problems_.get();
}

QWidget* Desktop::front() const
{
    return desk_ ? static_cast<QWidget*>(&desk_->window) : problems_.get();
}

tl::expected<void, QStringList> Desktop::open()
{
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
    auto desk = std::make_unique<Desk>(std::move(session), retirement_, options_.preferences);
    connect(desk->overview, &ui::OverviewPage::simulatorRequested, this, &Desktop::openPractice);
    connect(desk->overview, &ui::OverviewPage::addEndpointRequested, this, &Desktop::explainEndpoints);
    connect(desk->playground, &ui::PlaygroundPage::simulatorRequested, this, &Desktop::openPractice);
    connect(desk->playground, &ui::PlaygroundPage::addEndpointRequested, this, &Desktop::explainEndpoints);
    if (const QWidget* before = front(); desk_ && before)
        desk->window.setGeometry(before->geometry());
    if (options_.practiceTraffic && !desk->session->workspace().chains.empty())
        desk->traffic = startTraffic(desk->session->engine(), desk->session->workspace());
    if (options_.shotsDirectory && desk->traffic && options_.shotsAfterSeconds >= 1) {
        startLoadForShots(desk->loads, options_.shotsAfterSeconds);
        // Late enough to show what the script does then, early enough to be over when the pictures are taken.
        const double sendAfter = std::max(options_.shotsAfterSeconds - 6, options_.shotsAfterSeconds / 3);
        QTimer::singleShot(std::chrono::milliseconds(static_cast<int>(sendAfter * 1000)), desk->playground->widget(),
                           [page = desk->playground] { page->send(); });
    }
    if (options_.measureStart)
        new FirstPaint(desk->window, [] {
            const double ms = millisecondsSinceStart().value_or(-1);
            say(stdout, QStringLiteral("first paint after %1 ms").arg(ms, 0, 'f', 1));
            QApplication::exit(0);
        });
    desk->window.show();
    // What is left may be in the middle of a click: it goes when the event loop is back.
    const std::shared_ptr<Desk> oldDesk = std::exchange(desk_, std::move(desk));
    const std::shared_ptr<ui::CannotOpenWindow> oldProblems = std::exchange(problems_, nullptr);
    if (oldDesk)
        oldDesk->window.hide();
    if (oldProblems)
        oldProblems->hide();
    if (oldDesk || oldProblems)
        QTimer::singleShot(0, this, [oldDesk, oldProblems] {});
}

void Desktop::showProblems(const QStringList& lines)
{
    if (desk_)
        return desk_->window.banner().say(bannerText(lines));
    if (!options_.showsProblems)
        return;
    if (!problems_) {
        problems_ = std::make_unique<ui::CannotOpenWindow>();
        connect(problems_.get(), &ui::CannotOpenWindow::retryRequested, this, [this] { (void)open(); });
        connect(problems_.get(), &ui::CannotOpenWindow::otherFileRequested, this, &Desktop::askForFile);
        connect(problems_.get(), &ui::CannotOpenWindow::simulatorRequested, this, &Desktop::openPractice);
    }
    problems_->setProblems(options_.session.workspaceFile.value_or(QString()), lines);
    problems_->show();
}

void Desktop::tryOptions(DesktopOptions options)
{
    std::swap(options_, options);
    if (!open() && desk_)
        options_ = std::move(options); // the desk that stays is still the old file's
}

void Desktop::openFile(const QString& file)
{
    DesktopOptions options = options_;
    options.session.workspaceFile = file;
    options.practiceTraffic = false;
    tryOptions(std::move(options));
}

void Desktop::openPractice()
{
    DesktopOptions options = options_;
    options.session.workspaceFile.reset();
    options.practiceTraffic = true;
    tryOptions(std::move(options));
}

void Desktop::askForFile()
{
    if (const QString file = askFile(front()); !file.isEmpty())
        openFile(file);
}

void Desktop::explainEndpoints()
{
    const QString file = desk_->session->file();
    auto* dialog = new ui::AddEndpointDialog(desk_->window.theme(), file, &desk_->window);
    connect(dialog, &ui::AddEndpointDialog::folderRequested, this,
            [this, file] { showFolder(QUrl::fromLocalFile(QFileInfo(file).absolutePath())); });
    connect(dialog, &ui::AddEndpointDialog::reloadRequested, this, [this] { (void)open(); });
    dialog->open();
}

int runDesktop(const DesktopOptions& wanted)
{
    // Ends by the event loop: whatever the windows and the engine have open is closed in order.
    const Interrupt interrupt([] { QApplication::exit(0); });
    ui::Preferences preferences(ui::Preferences::standardFile());
    DesktopOptions options = wanted;
    if (!options.shotsDirectory) // pictures look the same on every machine
        options.preferences = &preferences;
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
