// SPDX-License-Identifier: GPL-3.0-or-later
// Time of a beat of the Overview page: taking the snapshot, updating every part that is due, painting.
//   bench_ui_overview [endpoints] [beats]
//   bench_ui_overview --shots DIR     pictures of all sample states instead
#include "tests/support/recorded_commands.h"
#include "tests/support/sample_snapshots.h"
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

using namespace sg;

namespace {

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
        window.setGateway(ui::GatewayStatus{true, QStringLiteral("http://127.0.0.1:8787/v1")});
        window.tick();
    }
    std::int64_t now;
    Source source;
    test::RecordedCommands commands;
    ui::MainWindow window;
    ui::OverviewPage* page = nullptr;
};

int shoot(const QString& directory)
{
    const std::pair<const char*, observe::Snapshot> states[] = {
        {"normal", test::normalSnapshot()},   {"empty", test::emptySnapshot()},
        {"quiet", test::quietSnapshot()},     {"early", test::earlySnapshot()},
        {"extreme", test::extremeSnapshot()}, {"twelve", test::movingSnapshot(12, 0)},
    };
    for (const auto& [name, snapshot] : states) {
        Desk desk(snapshot);
        if (QLatin1String(name) == QLatin1String("early"))
            desk.window.setGateway(std::nullopt);
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

int measure(int endpoints, int beats)
{
    Desk desk(test::movingSnapshot(endpoints, 0));
    desk.window.resize(1440, 900);
    desk.window.show();
    QCoreApplication::processEvents();
    std::vector<double> total, update, draw;
    for (int beat = 1; beat <= beats; ++beat) {
        desk.source.snapshot = test::shared(test::movingSnapshot(endpoints, beat));
        desk.now = desk.source.snapshot->takenUnixMs;
        QElapsedTimer timer;
        timer.start();
        desk.window.tick();
        const double updated = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        QCoreApplication::processEvents(); // delivers the coalesced paint events: what a beat really costs
        const double all = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        update.push_back(updated);
        draw.push_back(all - updated);
        total.push_back(all);
    }
    std::vector<double> full;
    for (int i = 0; i < 30; ++i) {
        QElapsedTimer timer;
        timer.start();
        desk.window.grab();
        full.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    QTextStream out(stdout);
    const auto line = [&out](const char* name, std::vector<double> values) {
        std::sort(values.begin(), values.end());
        const auto rank = [&](double p) {
            return values[std::min(values.size() - 1, static_cast<std::size_t>(p * double(values.size())))];
        };
        out << QString::fromLatin1("%1 median %2 ms  p95 %3 ms  max %4 ms\n")
                   .arg(QLatin1String(name), -28)
                   .arg(rank(0.5), 0, 'f', 2)
                   .arg(rank(0.95), 0, 'f', 2)
                   .arg(values.back(), 0, 'f', 2);
    };
    out << "1440x900, " << endpoints << " endpoints, " << beats << " beats\n";
    line("beat: update", update);
    line("beat: paint", draw);
    line("beat: update + paint", total);
    line("whole window painted", full);
    return 0;
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
    return measure(std::max(1, endpoints), arguments.size() > 2 ? arguments.at(2).toInt() : 300);
}
