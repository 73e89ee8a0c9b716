// SPDX-License-Identifier: GPL-3.0-or-later
// Time of the chain canvas with many tiers: layout with facts, painting at 100 % and as a whole, a live beat, an edit.
//   bench_ui_chain_canvas [tiers] [endpoints]
//   bench_ui_chain_canvas --shots DIR    pictures of the usual and of extreme chains instead
#include "tests/support/bench_loop.h"
#include "tests/support/recorded_commands.h"
#include "tests/ui/canvas_desk.h"
#include "ui/chains/chain_canvas.h"
#include "ui/chains/chain_palette.h"
#include "ui/widgets/panel.h"

#include <QApplication>
#include <QDir>
#include <QDragMoveEvent>
#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QPainter>
#include <QTextStream>

using namespace sg;

namespace {

/// Palette and canvas beside each other, as on the page.
struct Window
{
    explicit Window(workspace::Workspace w, QSize size = {1056, 642})
        : desk(std::move(w))
    {
        auto* row = new QHBoxLayout(&widget);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(8);
        palette = new ui::ChainPalette(context, desk.editor);
        palette->setFixedWidth(172);
        canvas = new ui::ChainCanvas(context, desk.editor);
        row->addWidget(palette);
        row->addWidget(canvas, 1);
        widget.resize(size);
    }
    void show(ui::ThemeMode mode)
    {
        context.setMode(mode);
        context.applyTo(&widget);
        widget.show();
        widget.setFocus();
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
    }
    void live(observe::Snapshot snapshot)
    {
        const auto shared = test::shared(std::move(snapshot));
        canvas->setLive(shared, true);
        palette->setLive(shared);
    }
    test::CanvasDesk desk;
    ui::ThemeContext context;
    QWidget widget;
    ui::ChainPalette* palette = nullptr;
    ui::ChainCanvas* canvas = nullptr;
};

void dragOver(Window& window, QPoint at, const ui::NodeKind& node)
{
    QMimeData mime;
    ui::writeNode(mime, node);
    QDragEnterEvent enter(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window.canvas->viewport(), &enter);
    QDragMoveEvent move(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window.canvas->viewport(), &move);
}

workspace::Workspace tall()
{
    workspace::Workspace w = test::pictureWorkspace();
    auto& spec = w.chains.front().spec;
    spec.tiers.clear();
    for (int i = 0; i < 12; ++i) {
        auto endpoint = test::canvasEndpoint("x", "provider", 1, 2, 128'000, 60);
        endpoint.spec.name = "eu-west-3/company-internal/very-long-model-name-" + std::to_string(i + 1) + "-preview";
        w.endpoints.push_back(endpoint);
        workspace::insertTier(spec, static_cast<std::size_t>(i), workspace::tierFor(endpoint.spec.name));
    }
    spec.tiers[3].enabled = false;
    spec.tiers[5].movesOn.contentPolicy = true;
    return w;
}

workspace::Workspace splitAndRouter()
{
    workspace::Workspace w = test::pictureWorkspace();
    auto& spec = w.chains.front().spec;
    workspace::insertTier(spec, 2, workspace::tierFor("claude-haiku-4.5"));
    workspace::joinSplit(spec, 2);
    spec.tiers[1].weight = 7;
    spec.tiers[2].weight = 3;
    workspace::insertTier(spec, 4, workspace::tierFor("gpt-4.1 (eu)"));
    spec.tiers[4].enabled = false;
    spec.router = chain::RouterSpec{workspace::standardClasses()};
    auto& classes = spec.router->classes;
    for (std::size_t i = 0; i < classes.size(); ++i)
        classes[i].tier = spec.tiers[i == 0 ? 0 : i == 1 ? 2 : 5].name;
    return w;
}

observe::Snapshot splitSnapshot()
{
    observe::Snapshot s = test::pictureSnapshot();
    auto& tiers = s.chainsMinute.front().tiers;
    tiers[1] = test::tierView("claude-sonnet-4.5", 540, 420);
    test::moved(tiers[1], observe::MovedBy::Timeout) = 90;
    tiers.insert(tiers.begin() + 2, test::tierView("claude-haiku-4.5", 260, 209));
    test::moved(tiers[2], observe::MovedBy::RateLimited) = 51;
    tiers.insert(tiers.begin() + 4, test::tierView("gpt-4.1 (eu)", 137, 0));
    test::moved(tiers[4], observe::MovedBy::Disabled) = 137;
    return s;
}

workspace::Workspace one()
{
    workspace::Workspace w = test::canvasWorkspace();
    test::addTier(w.chains.front(), "gpt-4.1");
    return w;
}

workspace::Workspace big(int tiers, int endpoints)
{
    workspace::Workspace w = test::canvasWorkspace();
    for (int i = 0; i < endpoints; ++i) {
        auto endpoint = test::canvasEndpoint("model", "provider", 1, 2, 128'000, 600);
        endpoint.spec.name = "endpoint-" + std::to_string(i);
        w.endpoints.push_back(endpoint);
    }
    auto& spec = w.chains.front().spec;
    for (int i = 0; i < tiers; ++i) {
        chain::TierSpec tier = workspace::tierFor("endpoint-" + std::to_string(i % endpoints));
        tier.name = "tier-" + std::to_string(i);
        spec.tiers.push_back(tier);
    }
    return w;
}

observe::Snapshot bigSnapshot(int tiers, int endpoints, int tick)
{
    observe::Snapshot s = test::normalSnapshot();
    s.endpoints.clear();
    for (int i = 0; i < endpoints; ++i) {
        observe::EndpointView view;
        view.name = "endpoint-" + std::to_string(i);
        view.state = static_cast<policy::BreakerState>((i + tick) % 3);
        view.attempts = 100 + tick;
        view.inFlight = (i + tick) % 40;
        s.endpoints.push_back(view);
    }
    observe::ChainView view;
    view.name = "prod-chat";
    view.requests = view.answered = 100'000;
    view.requestsPerSecond = 1600 + tick;
    for (int i = 0; i < tiers; ++i) {
        observe::TierView tier;
        tier.name = "tier-" + std::to_string(i);
        tier.endpoint = "endpoint-" + std::to_string(i % endpoints);
        tier.entered = 100'000 - i * 100;
        tier.answered = 100 + (i + tick) % 7;
        tier.moved[2] = tier.entered - tier.answered;
        view.tiers.push_back(tier);
    }
    s.chainsMinute = {view};
    return s;
}

void shootStates(const QString& directory)
{
    const auto save = [&](Window& window, const char* name) {
        window.widget.grab().save(QStringLiteral("%1/%2.png").arg(directory, QLatin1String(name)));
    };
    Window window(test::pictureWorkspace());
    window.live(test::pictureSnapshot());
    window.show(ui::ThemeMode::Dark);
    window.widget.activateWindow();
    window.canvas->setFocus();
    window.canvas->focusStop({ui::layout::Stop::Kind::Way, 4});
    save(window, "line-focused");
    window.canvas->focusStop({ui::layout::Stop::Kind::Node, 3});
    save(window, "node-focused");
    const auto mouse = [&](QEvent::Type type, QPoint pos) {
        QMouseEvent event(type, pos, window.canvas->viewport()->mapToGlobal(pos),
                          type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window.canvas->viewport(), &event);
    };
    mouse(QEvent::MouseButtonPress, {700, 460});
    mouse(QEvent::MouseMove, {500, 400});
    mouse(QEvent::MouseMove, {330, 330});
    save(window, "reorder");
    Window many(tall());
    many.show(ui::ThemeMode::Light);
    many.canvas->fit();
    save(many, "overview");
    Window most(big(500, 100));
    most.live(bigSnapshot(500, 100, 1));
    most.show(ui::ThemeMode::Dark);
    most.canvas->zoomTo(0.2);
    save(most, "far");
}

int shoot(const QString& directory)
{
    QDir().mkpath(directory);
    struct Shot
    {
        const char* name;
        workspace::Workspace workspace;
        std::optional<observe::Snapshot> live;
    };
    const Shot shots[] = {
        {"normal", test::pictureWorkspace(), test::pictureSnapshot()},
        {"empty", test::canvasWorkspace(), test::normalSnapshot()},
        {"one", one(), test::normalSnapshot()},
        {"twelve", tall(), {}},
        {"split", splitAndRouter(), splitSnapshot()},
        {"quiet", test::pictureWorkspace(), test::quietSnapshot()},
        {"off", test::pictureWorkspace(), {}},
    };
    for (const auto& shot : shots) {
        for (const auto& [mode, name] : {std::pair(ui::ThemeMode::Dark, "dark"), {ui::ThemeMode::Light, "light"}}) {
            const bool isSplit = QLatin1String(shot.name) == QLatin1String("split");
            Window window(shot.workspace, isSplit ? QSize(1440, 860) : QSize(1056, 642));
            if (shot.live)
                window.live(*shot.live);
            window.show(mode);
            const bool isNormal = QLatin1String(shot.name) == QLatin1String("normal");
            window.desk.editor.select(ui::ChainNode::ofTier(isNormal ? 1 : 0));
            if (isNormal)
                dragOver(window, {344, 470}, {ui::NodeKind::Kind::Endpoint, "gpt-4.1-mini"});
            QPixmap picture = window.widget.grab();
            if (isNormal) {
                const auto index = window.palette->list().model()->index(2, 0);
                QPainter(&picture).drawPixmap(QPoint(184 + 344 - 108, 4 + 470 - 40),
                                              window.palette->list().ghost(index));
            }
            picture.save(QStringLiteral("%1/%2-%3.png").arg(directory, QLatin1String(shot.name), QLatin1String(name)));
        }
    }
    shootStates(directory);
    return 0;
}

void time(const char* name, int rounds, const std::function<void(int)>& work)
{
    std::vector<double> ms;
    for (int i = 0; i < rounds; ++i) {
        QElapsedTimer timer;
        timer.start();
        work(i);
        ms.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    QTextStream(stdout) << QString::asprintf("  %-40s median %7.2f ms  p95 %7.2f ms  max %7.2f ms\n", name,
                                             test::percentile(ms, 50), test::percentile(ms, 95),
                                             test::percentile(ms, 100));
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    ui::prepareApplication(application);
    const QStringList arguments = application.arguments();
    if (arguments.size() == 3 && arguments.at(1) == QLatin1String("--shots"))
        return shoot(arguments.at(2));
    const int tiers = arguments.size() > 1 ? std::max(1, arguments.at(1).toInt()) : 500;
    const int endpoints = arguments.size() > 2 ? std::max(1, arguments.at(2).toInt()) : 100;
    QTextStream(stdout) << tiers << " tiers, " << endpoints << " endpoints, 1056x642" << Qt::endl;
    Window window(big(tiers, endpoints));
    window.show(ui::ThemeMode::Dark);
    window.live(bigSnapshot(tiers, endpoints, 0));
    std::vector<observe::Snapshot> beats;
    for (int i = 0; i < 20; ++i)
        beats.push_back(bigSnapshot(tiers, endpoints, i + 1));
    const workspace::Workspace& w = window.desk.draft.workspace();
    time("layout", 50, [&](int) { (void)ui::layout::chainLayout(w.chains.front()); });
    const auto layout = ui::layout::chainLayout(w.chains.front());
    time("facts", 50, [&](int i) {
        (void)ui::facts::chainFacts(w, w.chains.front(), layout, &beats[static_cast<std::size_t>(i) % 20], true);
    });
    const auto paint = [&](int) { (void)window.canvas->grab(); };
    window.canvas->zoomTo(1);
    time("whole canvas painted at 100 %", 50, paint);
    time("a live beat, everything changes, 100 %", 20, [&](int i) {
        window.live(beats[static_cast<std::size_t>(i)]);
        QCoreApplication::processEvents();
    });
    time("an edit with its painting, 100 %", 20, [&](int i) {
        window.desk.editor.setEnabled(1, i % 2 == 1);
        QCoreApplication::processEvents();
    });
    window.canvas->zoomTo(0.5);
    time("whole canvas painted at 50 %", 50, paint);
    window.canvas->fit();
    time("whole canvas painted, all in sight", 50, paint);
    time("a live beat, everything changes, all in sight", 20, [&](int i) {
        window.live(beats[static_cast<std::size_t>(19 - i)]);
        QCoreApplication::processEvents();
    });
    return 0;
}
