// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/desktop.h"

#include "app/desktop/first_paint.h"

#include "core/load/practice_traffic.h"
#include "core/load/session.h"
#include "ui/load/load_page.h"
#include "ui/main_window/main_window.h"
#include "ui/overview/overview_page.h"
#include "ui/shots.h"

#include <QApplication>
#include <QProcess>
#include <QTimer>

#include <cstdio>

namespace sg::app {

namespace {

constexpr double kPracticeRequestsPerSecond = 12;

class EngineSource final : public ui::SnapshotSource
{
public:
    explicit EngineSource(engine::Engine& engine) : engine_(engine) {}
    observe::SnapshotPtr latest() override { return engine_.latest(); }
    void setWindow(Nanos window) override { engine_.setWindow(window); }

private:
    engine::Engine& engine_;
};

/// The load page as a place of the rail.
class LoadPlace final : public ui::Page
{
public:
    LoadPlace(ui::ThemeContext& context, load::LoadControl& control) : page_(new ui::LoadPage(context, control)) {}
    QString id() const override { return QStringLiteral("load"); }
    QString title() const override { return QStringLiteral("Load tests"); }
    QString icon() const override { return QStringLiteral("load-tests"); }
    QWidget* widget() override { return page_; }
    void setSnapshot(const observe::SnapshotPtr&, std::int64_t) override {}

private:
    ui::LoadPage* page_; ///< the window's layout owns it
};

void say(std::FILE* to, const QString& text)
{
    const QByteArray line = text.toUtf8() + '\n';
    std::fwrite(line.constData(), 1, static_cast<std::size_t>(line.size()), to);
    std::fflush(to);
}

/// Traffic through the first chain, so that a new user sees something happen. Dies in the engine thread.
std::shared_ptr<load::PracticeTraffic> startTraffic(Session& session)
{
    load::LoadPlan plan;
    plan.target = session.workspace().chains.front().spec.name;
    plan.repeatShare = 0.25;
    plan.seed = 1;
    auto traffic = std::make_shared<std::unique_ptr<load::PracticeTraffic>>();
    session.engine().run([&](engine::EngineCore& core) {
        *traffic = std::make_unique<load::PracticeTraffic>(core, plan, kPracticeRequestsPerSecond);
        (*traffic)->start();
    });
    load::PracticeTraffic* raw = traffic->get();
    return {raw, [&session, traffic](load::PracticeTraffic*) {
                session.engine().run([&](engine::EngineCore&) { traffic->reset(); });
            }};
}

/// A load test under way makes the pictures show what its page is for.
void startLoadForShots(load::LoadSession& loads, double shotsAfterSeconds)
{
    load::LoadPlan plan;
    plan.target = loads.chains().front();
    plan.duration = fromMs(shotsAfterSeconds * 1500);
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

} // namespace

int runDesktop(const DesktopOptions& options)
{
    auto opened = Session::open(options.session);
    if (!opened) {
        for (const QString& line : opened.error())
            say(stderr, line);
        return 2;
    }
    Session& session = **opened;
    for (const QString& warning : session.warnings())
        say(stderr, QStringLiteral("Warning: ") + warning);
    session.readKeychain([] {});

    EngineSource source(session.engine());
    load::LoadSession loads(session.engine(), session.workspace(), session.prices());
    ui::MainWindow::Options windowOptions;
    windowOptions.version = QApplication::applicationVersion();
    ui::MainWindow window(source, windowOptions);
    window.addPage(std::make_unique<ui::OverviewPage>(window.theme(), session.engine(), &window));
    window.addPage(std::make_unique<LoadPlace>(window.theme(), loads));
    window.addSettings();
    window.resize(1440, 900);
    if (options.measureStart) {
        new FirstPaint(window, [] {
            say(stdout, QStringLiteral("first paint after %1 ms").arg(millisecondsSinceStart().value_or(-1), 0, 'f', 1));
            QApplication::exit(0);
        });
    }
    window.show();

    std::shared_ptr<load::PracticeTraffic> traffic;
    if (options.practiceTraffic && !session.workspace().chains.empty())
        traffic = startTraffic(session);
    if (options.shotsDirectory) {
        if (traffic && options.shotsAfterSeconds >= 1)
            startLoadForShots(loads, options.shotsAfterSeconds);
        const auto delay = std::chrono::duration_cast<std::chrono::milliseconds>(fromMs(options.shotsAfterSeconds * 1000));
        QTimer::singleShot(delay, &window, [&] { QApplication::exit(takeShots(window, options)); });
    }
    return QApplication::exec();
}

} // namespace sg::app
