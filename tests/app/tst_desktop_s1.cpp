// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/desk.h"
#include "app/desktop/desktop.h"
#include "core/workspace/edits.h"
#include "core/workspace/replace_file.h"
#include "core/workspace/workspace_file.h"
#include "tests/app/gui_hand.h"
#include "ui/chains/chain_canvas.h"
#include "ui/chains/chain_inspector.h"
#include "ui/chains/chain_palette.h"
#include "ui/chains/chain_tree.h"
#include "ui/chains/chains_page.h"
#include "ui/endpoints/endpoint_form.h"
#include "ui/endpoints/endpoints_page.h"
#include "ui/overview/empty_state.h"
#include "ui/overview/overview_page.h"
#include "ui/widgets/banner.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>

using namespace sg;
using ui::ChainNode;

namespace {

/// The endpoints of the gateway in the order of its tiers, each with its breaker's policy.
const std::pair<const char*, const char*> kEndpoints[] = {{"gpt-4.1", "s1-gpt-4.1"},
                                                          {"claude-sonnet-4.5", "s1-claude"},
                                                          {"gemini-2.5-flash", "s1-gemini"},
                                                          {"deepseek-v3.2", "s1-deepseek"}};

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Providers that answer in a moment; the first fails now and then, so that retries are under way at every swap.
const char kScript[] = R"({"version": 1, "seed": 7, "endpoints": [
  {"name": "gpt-4.1", "latency": {"kind": "constant", "ms": 60}, "faults": [{"kind": "status", "status": 503, "share": 0.2}]},
  {"name": "claude-sonnet-4.5", "latency": {"kind": "constant", "ms": 60}},
  {"name": "gemini-2.5-flash", "latency": {"kind": "constant", "ms": 40}},
  {"name": "deepseek-v3.2", "latency": {"kind": "constant", "ms": 40}}]})";

/// A desk on a new, empty workspace.
struct Fresh
{
    Fresh()
        : file(folder.filePath(QStringLiteral("gateway.json")))
        , desktop(options())
    {
        const auto opened = desktop.open();
        if (!opened)
            qFatal("%s", qPrintable(opened.error().join(QLatin1Char('\n'))));
        first = desktop.desk()->draft().pointer();
        firstBytes = bytesOf(file);
        window().show();
        window().activateWindow();
        if (!QTest::qWaitForWindowActive(&window()))
            qFatal("the window does not become active");
    }
    app::DesktopOptions options() const
    {
        if (const auto made = app::Desktop::createFile(file); !made)
            qFatal("%s", qPrintable(made.error()));
        const QString script = folder.filePath(QStringLiteral("script.json"));
        if (!workspace::replaceFile(script, kScript))
            qFatal("the test cannot write its script");
        app::DesktopOptions options;
        options.session.workspaceFile = file;
        options.session.scriptFile = script;
        options.dataFolder = folder.filePath(QStringLiteral("data"));
        return options;
    }
    ui::MainWindow& window() { return *desktop.window(); }
    app::Desk& desk() { return *desktop.desk(); }
    ui::ChainsPage& chains() { return *desk().chains(); }
    ui::EndpointsPage& endpoints() { return *desk().endpoints(); }
    const workspace::Workspace& draft() { return desk().draft().workspace(); }
    const chain::ChainSpec& chain() { return draft().chains.front().spec; }

    QTemporaryDir folder;
    QString file;
    app::Desktop desktop;
    workspace::WorkspacePtr first;
    QByteArray firstBytes;
};

void verifyS1(Fresh& fresh)
{
    const workspace::Workspace& made = fresh.draft();
    QCOMPARE(made.endpoints.size(), std::size(kEndpoints));
    QCOMPARE(made.chains.size(), 1u);
    const chain::ChainSpec& chain = fresh.chain();
    QCOMPARE(chain.tiers.size(), std::size(kEndpoints) + 1);
    for (std::size_t i = 0; i < std::size(kEndpoints); ++i) {
        const workspace::Endpoint& endpoint = made.endpoints[i];
        QCOMPARE(endpoint.spec.name, std::string(kEndpoints[i].first));
        QCOMPARE(endpoint.baseUrl, QStringLiteral("sim:") + QLatin1String(kEndpoints[i].first));
        QCOMPARE(endpoint.breakerPolicy, std::string(kEndpoints[i].second));
        QCOMPARE(chain.tiers[i].endpoint, endpoint.spec.name);
    }
    QVERIFY(chain.tiers.back().kind == chain::TierKind::CannedReply);
    QVERIFY(chain.cache);
    QVERIFY(chain.limiter && chain.limiter->ratePerSecond > 0 && chain.limiter->windowLimit);
    QCOMPARE(chain.limiterPolicy, std::string("s1-2000-a-minute"));
}

/// Traffic through the chain while something happens, and what came of it.
class Traffic
{
public:
    explicit Traffic(Fresh& fresh)
        : loads_(fresh.desk().loads())
    {
        load::LoadPlan plan;
        plan.target = fresh.chain().name;
        plan.stop.duration = std::chrono::minutes(5);
        plan.model = load::ClosedModel{4};
        const QString refusal = loads_.start(plan);
        if (!refusal.isEmpty())
            QTest::qFail(qPrintable(refusal), __FILE__, __LINE__);
    }
    std::int64_t answered() const { return loads_.progress() ? loads_.progress()->answered : 0; }
    /// Some more answers have come since now.
    void flows() const
    {
        const std::int64_t before = answered();
        QTRY_VERIFY_WITH_TIMEOUT(answered() >= before + 12, 30000);
    }
    /// Nobody has lost anything: no failure, and no reply made up because a model could not be asked.
    void endsWell()
    {
        loads_.stop();
        QTRY_VERIFY_WITH_TIMEOUT(loads_.progress()->state == load::RunState::Finished, 60000);
        const load::RunProgressPtr end = loads_.progress();
        QCOMPARE(end->failed, 0);
        QCOMPARE(end->cancelled, 0);
        QCOMPARE(end->answered, end->started);
        for (const load::StatusRow& row : end->statuses)
            QVERIFY2(row.words != QStringLiteral("canned reply") || row.count == 0, qPrintable(row.words));
    }

private:
    load::LoadSession& loads_;
};

int version(Fresh& fresh)
{
    return fresh.desk().serving().version().number;
}

/// Applies by `press`, which is how a person does it, and waits until it serves.
template <typename Press>
void apply(Fresh& fresh, Press press)
{
    const int before = version(fresh);
    press();
    QTRY_VERIFY2_WITH_TIMEOUT(version(fresh) > before && !fresh.chains().flow().isBusy(),
                              qPrintable(fresh.chains().banner().text()), 15000);
    QVERIFY(!fresh.desk().hasUnappliedDraft());
}

} // namespace

class TestS1 : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("Negative sizes|QLayout|QObject::"))); }
    void byMouse();
    void byKeyboard();

private:
    void undoAll(Fresh& fresh);
};

void TestS1::byMouse()
{
    Fresh fresh;
    const test::Mouse mouse;

    // Endpoints, each of the simulator, named and given its breaker.
    mouse.click(fresh.window(), tr("Endpoints"));
    for (const auto& [name, breaker] : kEndpoints) {
        if (fresh.draft().endpoints.empty())
            mouse.click(fresh.endpoints(), "startSimulator");
        else
            mouse.choose(fresh.endpoints().findChild<QPushButton*>(QStringLiteral("add")),
                         QStringLiteral("Simulated endpoint, for practice"));
        auto* form = fresh.endpoints().form();
        mouse.type(form->findChild<QLineEdit*>(QStringLiteral("name")), QLatin1String(name));
        QCOMPARE(fresh.draft().endpoints.back().spec.name, std::string(name));
        mouse.choose(form->findChild<QComboBox*>(QStringLiteral("breaker_policy")), QLatin1String(breaker));
        QCOMPARE(fresh.draft().endpoints.back().breakerPolicy, std::string(breaker));
    }

    // The chain, dragged together on the canvas.
    mouse.click(fresh.window(), tr("Chains"));
    mouse.click(fresh.chains(), "newChain");
    ui::ChainCanvas& canvas = *fresh.chains().canvas();
    ui::PaletteList& palette = fresh.chains().palette()->list();
    const auto drag = [&](const QString& what, const QPoint& to) {
        mouse.drag(palette, mouse.rowOf(palette, what), *canvas.viewport(), to);
    };
    const auto end = [&] { // behind the last tier
        return canvas.stopRect({ui::layout::Stop::Kind::Way, static_cast<int>(canvas.chainLayout().ways.size()) - 1})
            .center();
    };
    drag(QStringLiteral("deepseek-v3.2"), canvas.viewport()->rect().center());
    QCOMPARE(fresh.chain().tiers.size(), 1u);
    drag(QStringLiteral("Rate limiter"), canvas.viewport()->rect().center());
    drag(QStringLiteral("Cache"), canvas.viewport()->rect().center());
    drag(QStringLiteral("Canned reply"), end());
    QCOMPARE(fresh.chain().tiers.size(), 2u);
    const auto lineTo = [&](int tier) {
        return canvas.stopRect({ui::layout::Stop::Kind::Way, canvas.chainLayout().wayTo(tier)}).center();
    };
    drag(QStringLiteral("gpt-4.1"), lineTo(0));
    drag(QStringLiteral("gemini-2.5-flash"), lineTo(1));
    drag(QStringLiteral("claude-sonnet-4.5"), lineTo(1));

    const auto nodeAt = [&](ChainNode node) {
        const auto& nodes = canvas.chainLayout().nodes;
        const auto found = std::ranges::find(nodes, node, &ui::layout::Node::node);
        return canvas.stopRect({ui::layout::Stop::Kind::Node, static_cast<int>(found - nodes.begin())}).center();
    };
    QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, nodeAt(ChainNode::of(ChainNode::Kind::Limiter)));
    mouse.choose(fresh.chains().inspector()->findChild<QComboBox*>(QStringLiteral("limiter_policy")),
                 QStringLiteral("s1-2000-a-minute"));
    verifyS1(fresh);

    const auto press = [&](const char* button) { return [&, button] { mouse.click(fresh.chains(), button); }; };
    apply(fresh, press("apply"));
    QCOMPARE(version(fresh), 2);

    // Other versions come and go while requests are under way.
    Traffic traffic(fresh);
    traffic.flows();
    QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, nodeAt(ChainNode::ofTier(0)));
    mouse.click(*fresh.chains().inspector(), "tier.enabled");
    apply(fresh, press("apply"));
    traffic.flows();
    mouse.dragWithin(*canvas.viewport(), nodeAt(ChainNode::ofTier(3)), lineTo(1)); // deepseek comes second
    QCOMPARE(fresh.chain().tiers[1].endpoint, std::string("deepseek-v3.2"));
    apply(fresh, press("apply"));
    traffic.flows();
    apply(fresh, [&] { mouse.click(fresh.chains().banner(), "bannerWay1"); }); // roll back
    QCOMPARE(fresh.chain().tiers[3].endpoint, std::string("deepseek-v3.2"));
    traffic.flows();
    traffic.endsWell();

    undoAll(fresh);
    apply(fresh, press("apply"));
    QCOMPARE(bytesOf(fresh.file), fresh.firstBytes);
}

void TestS1::byKeyboard()
{
    Fresh fresh;
    const test::Keys keys(fresh.window());

    keys.press(Qt::CTRL | Qt::Key_5);
    for (const auto& [name, breaker] : kEndpoints) {
        if (fresh.draft().endpoints.empty()) {
            keys.tabTo("startSimulator");
            keys.press(Qt::Key_Space);
        } else {
            keys.tabTo("add", Qt::ShiftModifier);
            keys.chooseInMenu(QStringLiteral("Simulated endpoint, for practice"));
        }
        keys.tabTo("name");
        keys.type(QLatin1String(name));
        keys.tabTo("breaker_policy");
        keys.chooseInList(QLatin1String(breaker));
    }

    keys.press(Qt::CTRL | Qt::Key_2);
    QCOMPARE(fresh.window().currentPage(), QStringLiteral("chains"));
    keys.press(Qt::Key_F6); // from the toolbar to what is below it
    keys.tabTo("newChain");
    keys.press(Qt::Key_Space);
    ui::ChainCanvas& canvas = *fresh.chains().canvas();
    const ui::ChainEditor& editor = fresh.chains().editor();
    QCOMPARE(keys.focused(), &canvas);
    const auto insert = [&](const QString& what) {
        keys.press(Qt::Key_Insert);
        keys.pick(what);
    };
    const auto walkTo = [&](const ChainNode& node) { // from the first node of the canvas, or row of the tree
        keys.press(Qt::Key_Home);
        for (int i = 0; i < 20 && editor.selected() != node; ++i)
            keys.press(Qt::Key_Down);
        QVERIFY(editor.selected() == node);
    };

    // The chain, on the canvas: each behind the one that is selected, one on the line between two.
    insert(QStringLiteral("gpt-4.1"));
    insert(QStringLiteral("gemini-2.5-flash"));
    insert(QStringLiteral("deepseek-v3.2"));
    insert(QStringLiteral("Canned reply"));
    insert(QStringLiteral("Cache"));
    insert(QStringLiteral("Rate limiter"));
    walkTo(ChainNode::ofTier(1));
    keys.press(Qt::Key_Left);
    QVERIFY(editor.selected() == ChainNode()); // the line before it
    keys.press(Qt::Key_Return);
    keys.pick(QStringLiteral("claude-sonnet-4.5"));
    QVERIFY(editor.selected() == ChainNode::ofTier(1));

    walkTo(ChainNode::of(ChainNode::Kind::Limiter));
    keys.press(Qt::Key_Return); // into the inspector
    QVERIFY(fresh.chains().inspector()->isAncestorOf(keys.focused()));
    keys.tabTo("limiter_policy");
    keys.chooseInList(QStringLiteral("s1-2000-a-minute"));
    verifyS1(fresh);

    const auto press = [&] { keys.press(Qt::CTRL | Qt::Key_Return); };
    apply(fresh, press);
    QCOMPARE(version(fresh), 2);

    // Other versions come and go while requests are under way.
    Traffic traffic(fresh);
    traffic.flows();
    keys.nextRegionTo(canvas);
    walkTo(ChainNode::ofTier(0));
    keys.press(Qt::Key_Space);
    QVERIFY(!fresh.chain().tiers[0].enabled);
    apply(fresh, press);
    traffic.flows();
    walkTo(ChainNode::ofTier(3));
    keys.press(Qt::ALT | Qt::Key_Up);
    keys.press(Qt::ALT | Qt::Key_Up); // deepseek comes second
    QCOMPARE(fresh.chain().tiers[1].endpoint, std::string("deepseek-v3.2"));
    apply(fresh, press);
    traffic.flows();

    // The same in the tree.
    keys.press(Qt::CTRL | Qt::Key_K);
    keys.pick(QStringLiteral("Chain as a tree"));
    keys.nextRegionTo(*fresh.chains().tree());
    walkTo(ChainNode::ofTier(1));
    keys.press(Qt::ALT | Qt::Key_Down);
    QCOMPARE(fresh.chain().tiers[2].endpoint, std::string("deepseek-v3.2"));
    walkTo(ChainNode::ofTier(0));
    keys.press(Qt::Key_Delete);
    QCOMPARE(fresh.chain().tiers.size(), 4u);
    apply(fresh, press);
    traffic.flows();
    const int last = version(fresh);
    apply(fresh, [&] {
        keys.press(Qt::CTRL | Qt::Key_K);
        keys.pick(QStringLiteral("Roll back to"));
    });
    QCOMPARE(version(fresh), last + 1);
    QCOMPARE(fresh.chain().tiers.size(), 5u);
    QCOMPARE(fresh.chain().tiers[1].endpoint, std::string("deepseek-v3.2"));
    traffic.flows();
    traffic.endsWell();

    undoAll(fresh);
    apply(fresh, press);
    QCOMPARE(bytesOf(fresh.file), fresh.firstBytes);
}

/// As a person does, with Ctrl+Z, until nothing is left to undo.
void TestS1::undoAll(Fresh& fresh)
{
    const test::Keys keys(fresh.window());
    for (int i = 0; i < 200 && fresh.desk().draft().undoStack().canUndo(); ++i)
        keys.press(Qt::CTRL | Qt::Key_Z);
    QVERIFY(!fresh.desk().draft().undoStack().canUndo());
    QCOMPARE(workspace::toJson(fresh.draft()), workspace::toJson(*fresh.first));
}

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QApplication::setQuitOnLastWindowClosed(false);
    QApplication::setDoubleClickInterval(1); // a list that has just opened takes the next click
    ui::prepareApplication(application);
    TestS1 test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_desktop_s1.moc"
