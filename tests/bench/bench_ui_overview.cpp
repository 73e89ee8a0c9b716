// SPDX-License-Identifier: GPL-3.0-or-later
// Time of a beat of the Overview page: taking the snapshot, updating every part that is due, painting. First with
// sample pictures in which everything moves, then with the real recorder, fed 5,000 requests a second in the engine's
// thread.
//   bench_ui_overview [endpoints] [beats]
//   bench_ui_overview --shots DIR     pictures of all sample states instead
#include "tests/support/bench_loop.h"
#include "tests/support/fake_gateway.h"
#include "tests/support/live_feed.h"
#include "tests/support/recorded_commands.h"
#include "tests/support/sample_snapshots.h"
#include "tests/ui/draft_desk.h"
#include "tests/ui/fake_keys.h"
#include "tests/ui/fake_load_control.h"
#include "ui/gateway/gateway_page.h"
#include "ui/load/load_page.h"
#include "ui/main_window/main_window.h"
#include "ui/overview/breaker_card.h"
#include "ui/overview/card_grid.h"
#include "ui/overview/overview_page.h"
#include "ui/overview/state_lanes.h"
#include "ui/shots.h"
#include "ui/widgets/confirm_dialog.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QTextStream>
#include <QTimer>

using namespace sg;

namespace {

constexpr int kBeatMs = 66; ///< as MainWindow's own timer
constexpr double kRequestsPerSecond = 5000;

class Source : public ui::SnapshotSource
{
public:
    observe::SnapshotPtr latest() override { return snapshot; }
    void setWindow(Nanos) override {}
    observe::SnapshotPtr snapshot;
};

struct Desk
{
    explicit Desk(observe::Snapshot first)
        : now(first.takenUnixMs)
        , source()
        , window(source, {[this] { return now; }, QStringLiteral("0.1.0"), false})
    {
        source.snapshot = test::shared(std::move(first));
        auto overview = std::make_unique<ui::OverviewPage>(window.theme(), commands, &window);
        page = overview.get();
        window.addPage(std::move(overview));
        window.addSettings();
        window.setGateway(&gateway);
        window.tick();
    }
    std::int64_t now;
    Source source;
    test::FakeGateway gateway{gateway::Phase::Serving};
    test::RecordedCommands commands;
    ui::MainWindow window;
    ui::OverviewPage* page = nullptr;
};

void shootLoad(const QString& directory)
{
    load::RunProgress broken = sample::running();
    broken.state = load::RunState::Failed;
    broken.error = QStringLiteral("The engine was stopped while requests were under way.");
    const std::pair<const char*, load::RunProgressPtr> states[] = {
        {"load-empty", nullptr},
        {"load-first-second", sample::shared(sample::withoutAnswers())},
        {"load-running", sample::shared(sample::running())},
        {"load-valid", sample::shared(sample::finished(true))},
        {"load-invalid", sample::shared(sample::finished(false))},
        {"load-failed", sample::shared(sample::failed())},
        {"load-broken-off", sample::shared(broken)},
        {"load-huge", sample::shared(sample::huge())},
    };
    for (const auto& [name, picture] : states) {
        FakeLoadControl control;
        Desk desk(test::normalSnapshot());
        control.picture = picture;
        desk.window.addPage(std::make_unique<ui::LoadPage>(desk.window.theme(), control));
        ui::grabPages(desk.window, QStringLiteral("%1/%2").arg(directory, QLatin1String(name)));
    }
}

/// The gateway's page and its panel over the overview, in every state.
void shootGateway(const QString& directory)
{
    using gateway::Phase;
    struct State
    {
        const char* name;
        Phase phase;
        QString words;
        gateway::Figures figures;
        int models = 4;
        QString url{};
    };
    const QString inUse = QStringLiteral("Port 8787 is in use by another program. Stop that program, or choose another "
                                         "port; applications get “connection refused” meanwhile.");
    const State states[] = {
        {"gateway-off", Phase::Off, {}, {}},
        {"gateway-starting", Phase::Starting, {}, {}},
        {"gateway-serving", Phase::Serving, {}, {48, 31, 4, 12, 18'204, 37, 9}},
        {"gateway-draining", Phase::Draining, {}, {9, 5, 0, 3, 18'204, 37, 9}},
        {"gateway-failed", Phase::Failed, inUse, {}},
        {"gateway-long",
         Phase::Serving,
         {},
         {1, 0, 0, 0, 3, 0, 0},
         4,
         QStringLiteral("http://switchgear-gateway.tenant-042.internal.operations.example.com:18787/v1")},
        {"gateway-hundred", Phase::Serving, {}, {1200, 512, 100, 480, 1'250'000, 41'200, 377}, 100},
    };
    for (const State& state : states) {
        test::DraftDesk draft;
        test::FakeKeys keys;
        Desk desk(test::normalSnapshot());
        desk.gateway.now.phase = state.phase;
        desk.gateway.now.words = state.words;
        desk.gateway.now.figures = state.figures;
        if (!state.url.isEmpty())
            desk.gateway.now.url = state.url;
        for (int i = 4; i < state.models; ++i)
            desk.gateway.now.models.append(QStringLiteral("vendor-%1/model-with-a-name-%2").arg(i % 7).arg(i));
        desk.window.gateway().setChains({QStringLiteral("support"), QStringLiteral("batch")});
        auto page = std::make_unique<ui::GatewayPage>(desk.window.theme(), draft.draft, draft.serving, keys,
                                                      desk.window.gateway());
        desk.window.addPage(std::move(page));
        desk.gateway.set(state.phase, state.words);
        for (int i = 0; i < 8; ++i) {
            desk.now += 500;
            desk.gateway.now.figures.requests += state.figures.inFlight / 4;
            desk.window.tick();
        }
        const QString folder = QStringLiteral("%1/%2").arg(directory, QLatin1String(state.name));
        ui::grabPages(desk.window, folder);
        ui::grabPages(desk.window, folder + QStringLiteral("-narrow"), {960, 620});
    }
}

int shoot(const QString& directory)
{
    shootLoad(directory);
    shootGateway(directory);
    const std::pair<const char*, observe::Snapshot> states[] = {
        {"normal", test::normalSnapshot()},   {"empty", test::emptySnapshot()},
        {"quiet", test::quietSnapshot()},     {"early", test::earlySnapshot()},
        {"extreme", test::extremeSnapshot()}, {"twelve", test::movingSnapshot(12, 0)},
    };
    for (const auto& [name, snapshot] : states) {
        Desk desk(snapshot);
        if (QLatin1String(name) == QLatin1String("early"))
            desk.window.setGateway(nullptr);
        ui::grabPages(desk.window, QStringLiteral("%1/%2").arg(directory, QLatin1String(name)));
    }
    {
        Desk desk(test::normalSnapshot());
        desk.now += 12'000;
        ui::grabPages(desk.window, directory + QStringLiteral("/stale"));
        desk.window.resize(1100, 900);
        desk.window.show();
        QCoreApplication::processEvents();
        ui::grabPages(desk.window, directory + QStringLiteral("/narrow"), {1100, 900});
    }
    Desk desk(test::normalSnapshot());
    desk.window.resize(1440, 900);
    desk.window.theme().setMode(ui::ThemeMode::Dark);
    desk.window.show();
    desk.window.tick();
    QCoreApplication::processEvents();
    QMouseEvent move(QEvent::MouseMove, QPointF(689, 20), QPointF(689, 20), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&desk.page->lanes(), &move);
    desk.window.grab().save(directory + QStringLiteral("/tip.png"));
    desk.page->cards().cards().at(1)->button(0)->click();
    QCoreApplication::processEvents();
    desk.window.findChild<ui::ConfirmDialog*>()->grab().save(directory + QStringLiteral("/confirm.png"));
    desk.window.setPaused(true);
    QCoreApplication::processEvents();
    desk.window.grab().save(directory + QStringLiteral("/paused.png"));
    return 0;
}

struct Times
{
    std::vector<double> update, paint, total; ///< ms
    double guiShare = 0;                      ///< of one core, this thread, waits included in the time
};

/// One beat as the window's timer makes it, timed.
void beat(ui::MainWindow& window, Times& times)
{
    QElapsedTimer timer;
    timer.start();
    window.tick();
    const double updated = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    QCoreApplication::processEvents(); // delivers the coalesced paint events: what a beat really costs
    const double all = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    times.update.push_back(updated);
    times.paint.push_back(all - updated);
    times.total.push_back(all);
}

void print(const char* name, const std::vector<double>& values)
{
    QTextStream(stdout) << QString::asprintf("  %-22s median %6.2f ms  p95 %6.2f ms  max %6.2f ms\n", name,
                                             test::percentile(values, 50), test::percentile(values, 95),
                                             test::percentile(values, 100));
}

void print(const Times& times)
{
    print("update", times.update);
    print("paint", times.paint);
    print("update + paint", times.total);
}

/// Calls `work` at the screen's rate, `beats` times, with the event loop running between.
double atScreenRate(int beats, const std::function<void(int)>& work)
{
    QEventLoop loop;
    QTimer timer;
    int done = 0;
    QObject::connect(&timer, &QTimer::timeout, &loop, [&] {
        work(done);
        if (++done == beats)
            loop.quit();
    });
    QElapsedTimer wall;
    const double before = test::threadCpuMicros();
    wall.start();
    timer.start(kBeatMs);
    loop.exec();
    return (test::threadCpuMicros() - before) * 1000 / static_cast<double>(wall.nsecsElapsed());
}

void measureSamples(int endpoints, int beats)
{
    Desk desk(test::movingSnapshot(endpoints, 0));
    desk.window.resize(1440, 900);
    desk.window.show();
    QCoreApplication::processEvents();
    Times times;
    for (int i = 1; i <= beats; ++i) {
        desk.source.snapshot = test::shared(test::movingSnapshot(endpoints, i));
        desk.now = desk.source.snapshot->takenUnixMs;
        beat(desk.window, times);
    }
    std::vector<double> full;
    for (int i = 0; i < 30; ++i) {
        QElapsedTimer timer;
        timer.start();
        desk.window.grab();
        full.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    QTextStream(stdout) << "sample pictures, everything moves\n";
    print(times);
    print("whole window painted", full);
}

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

void measureLive(int endpoints, int beats)
{
    engine::Engine engine(engine::EngineOptions{});
    test::LiveFeed feed(engine, endpoints, kRequestsPerSecond);
    EngineSource source(engine);
    ui::MainWindow window(source, {{}, QStringLiteral("0.1.0"), false});
    auto overview = std::make_unique<ui::OverviewPage>(window.theme(), engine, &window);
    window.addPage(std::move(overview));
    window.addSettings();
    window.resize(1440, 900);
    window.show();
    Times warm, times;
    atScreenRate(beats / 10 + 1, [&](int) { beat(window, warm); });
    const std::int64_t fedBefore = feed.fed();
    QElapsedTimer wall;
    wall.start();
    times.guiShare = atScreenRate(beats, [&](int) { beat(window, times); });
    const double rate = static_cast<double>(feed.fed() - fedBefore) * 1e9 / static_cast<double>(wall.nsecsElapsed());
    QTextStream(stdout) << QString::asprintf("real recorder, %.0f requests/s, %.1f beats/s\n", rate,
                                             beats * 1e9 / static_cast<double>(wall.nsecsElapsed()));
    print(times);
    QTextStream(stdout) << QString::asprintf("  GUI thread %.1f %% of a core\n", times.guiShare * 100);
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    ui::prepareApplication(application);
    const QStringList arguments = application.arguments();
    if (arguments.size() == 3 && arguments.at(1) == QLatin1String("--shots"))
        return shoot(arguments.at(2));
    const int endpoints = arguments.size() > 1 ? arguments.at(1).toInt() : 12;
    const int beats = arguments.size() > 2 ? std::max(1, arguments.at(2).toInt()) : 300;
    QTextStream(stdout) << "1440x900, " << endpoints << " endpoints, " << beats << " beats" << Qt::endl;
    measureSamples(std::max(1, endpoints), beats);
    measureLive(std::max(1, endpoints), beats);
    return 0;
}
