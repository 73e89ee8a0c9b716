// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of a chain stand, and what is written on them: without a widget.
#include "tests/ui/canvas_desk.h"
#include "ui/chains/chain_facts.h"
#include "ui/chains/chain_layout.h"

#include <QtTest>

#include <numeric>

using namespace sg;
using ui::ChainNode;
using ui::layout::ChainLayout;

namespace {

workspace::Workspace splitWorkspace()
{
    workspace::Workspace w = test::pictureWorkspace();
    auto& spec = w.chains.front().spec;
    workspace::insertTier(spec, 2, workspace::tierFor("claude-haiku-4.5"));
    workspace::joinSplit(spec, 2);
    spec.tiers[1].weight = 7;
    spec.tiers[2].weight = 3;
    spec.router = chain::RouterSpec{workspace::standardClasses()};
    spec.router->classes[0].tier = "gpt-4.1";
    spec.router->classes[1].tier = "claude-haiku-4.5";
    spec.router->classes[2].tier = "deepseek-v3.2";
    return w;
}

workspace::Workspace longWorkspace()
{
    workspace::Workspace w = test::canvasWorkspace();
    for (int i = 0; i < 40; ++i)
        test::addTier(w.chains.front(), i % 3 == 0 ? "gpt-4.1" : "deepseek-v3.2");
    auto& spec = w.chains.front().spec;
    for (const std::size_t at : {std::size_t{5}, std::size_t{6}, std::size_t{20}})
        workspace::joinSplit(spec, at);
    return w;
}

QString thin(const char* text)
{
    return QString::fromUtf8(text).replace(QLatin1Char('_'), QChar(0x202F));
}

struct Pictured
{
    explicit Pictured(workspace::Workspace w, const observe::Snapshot* snapshot)
        : workspace(std::move(w))
        , layout(ui::layout::chainLayout(workspace.chains.front()))
        , facts(ui::facts::chainFacts(workspace, workspace.chains.front(), layout, snapshot, true))
    {
    }
    workspace::Workspace workspace;
    ChainLayout layout;
    ui::facts::ChainFacts facts;
};

} // namespace

class TestChainLayout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void standsAsInThePicture()
    {
        const workspace::Workspace w = test::pictureWorkspace();
        const ChainLayout l = ui::layout::chainLayout(w.chains.front());
        QCOMPARE(l.nodes.size(), std::size_t{7});
        QCOMPARE(l.nodes[0].box, QRectF(32, 128, 76, 82));
        QCOMPARE(l.nodes[1].box, QRectF(140, 133, 82, 72));
        for (int i = 0; i < 4; ++i)
            QCOMPARE(l.nodes[std::size_t(2 + i)].box, QRectF(254 + 130 * i, 128 + 98 * i, 138, 82));
        QCOMPARE(l.busbar.left(), 172.0);
        QCOMPARE(l.nodes[2].answerPort, QPointF(366, 128));
        QVERIFY(!l.nodes[0].canAnswer);
    }

    void nothingOverlaps_data()
    {
        QTest::addColumn<workspace::Workspace>("workspace");
        QTest::newRow("picture") << test::pictureWorkspace();
        QTest::newRow("split and router") << splitWorkspace();
        QTest::newRow("40 tiers with splits") << longWorkspace();
    }
    void nothingOverlaps()
    {
        QFETCH(workspace::Workspace, workspace);
        const ChainLayout l = ui::layout::chainLayout(workspace.chains.front());
        for (std::size_t i = 0; i < l.nodes.size(); ++i) {
            QVERIFY(l.bounds.contains(l.nodes[i].box));
            for (std::size_t j = i + 1; j < l.nodes.size(); ++j)
                QVERIFY(!l.nodes[i].box.intersects(l.nodes[j].box));
        }
        // An answer goes straight up to the busbar past everything above it.
        for (const auto& node : l.nodes) {
            if (!node.canAnswer)
                continue;
            const QRectF way(node.answerPort.x() - 1, 70, 2, node.answerPort.y() - 71);
            for (const auto& other : l.nodes)
                QVERIFY(!way.intersects(other.box));
            QVERIFY(l.busbar.left() < node.answerPort.x() && node.answerPort.x() < l.busbar.right());
        }
        for (const auto& step : l.steps) {
            for (const auto& other : l.steps)
                QVERIFY(&step == &other || !step.frame.intersects(other.frame));
        }
    }

    void linesSayWhereTheyInsert()
    {
        const workspace::Workspace w = splitWorkspace();
        const ChainLayout l = ui::layout::chainLayout(w.chains.front());
        std::vector<int> at;
        for (const auto& way : l.ways)
            at.push_back(way.insertAt);
        // Request, limiter, cache and router lead to tier 0; the split of tiers 1 and 2 is entered as one.
        QCOMPARE(at, (std::vector<int>{0, 0, 0, 0, 1, 3, 4, 5, 6}));
        QCOMPARE(l.gaps.size(), std::size_t{1});
        QCOMPARE(l.gaps.front().insertAt, 2);
        QCOMPARE(l.wayTo(0), 3);
        QCOMPARE(l.wayTo(2), -1);
        QCOMPARE(l.ways.back().to, -1);
    }

    void arrowsWalkLinesAndNodesInTurn()
    {
        const workspace::Workspace w = test::pictureWorkspace();
        const ChainLayout l = ui::layout::chainLayout(w.chains.front());
        QCOMPARE(l.stops.size(), l.nodes.size() + l.ways.size());
        for (std::size_t i = 0; i < l.stops.size(); ++i)
            QCOMPARE(l.stops[i].kind == ui::layout::Stop::Kind::Way, i % 2 == 0);
    }

    void membersOfASplitStandSideBySide()
    {
        const workspace::Workspace w = splitWorkspace();
        const ChainLayout l = ui::layout::chainLayout(w.chains.front());
        const auto& a = l.nodes[std::size_t(l.nodeOf(ChainNode::ofTier(1)))];
        const auto& b = l.nodes[std::size_t(l.nodeOf(ChainNode::ofTier(2)))];
        QCOMPARE(a.box.top(), b.box.top());
        QVERIFY(a.box.right() < b.box.left());
        QCOMPARE(a.step, b.step);
        QVERIFY(l.steps[std::size_t(a.step)].frame.contains(a.box.united(b.box)));
    }

    void routesEndAtTheirTiersAndDoNotCross()
    {
        const workspace::Workspace w = splitWorkspace();
        const ChainLayout l = ui::layout::chainLayout(w.chains.front());
        QCOMPARE(l.routes.size(), std::size_t{3});
        for (const auto& route : l.routes) {
            const QRectF box = l.nodes[std::size_t(route.to)].box.adjusted(-1, -1, 1, 1);
            QVERIFY(box.contains(route.line.last()));
        }
        QCOMPARE(l.routes[0].words, QStringLiteral("simple"));
        QVERIFY(l.routes[0].line.first().x() < l.routes[1].line.first().x());
    }

    void classesWithoutATierHaveNoLine()
    {
        workspace::Workspace w = splitWorkspace();
        w.chains.front().spec.router->classes[1].tier = "gone";
        w.chains.front().spec.router->classes[2].tier.clear();
        QCOMPARE(ui::layout::chainLayout(w.chains.front()).routes.size(), std::size_t{1});
    }

    void anEmptyChainHasAPlaceToBegin()
    {
        const workspace::Workspace w = test::canvasWorkspace();
        const ChainLayout l = ui::layout::chainLayout(w.chains.front());
        QVERIFY(l.nodes.empty());
        QCOMPARE(l.ways.size(), std::size_t{1});
        QCOMPARE(l.ways.front().insertAt, 0);
        QCOMPARE(ui::layout::nearestWay(l, {900, 900}).way, 0);
    }

    // ---- what is written

    void numbersAsInThePicture()
    {
        const observe::Snapshot snapshot = test::pictureSnapshot();
        const Pictured p(test::pictureWorkspace(), &snapshot);
        QStringList shares, words;
        for (const auto& answer : p.facts.answers) {
            shares << answer.shareText;
            words << answer.words;
        }
        QCOMPARE(shares,
                 (QStringList{
                     {}, thin("23.0_%"), thin("0_%"), thin("62.9_%"), thin("0.4_%"), thin("12.6_%"), thin("1.1_%")}));
        QCOMPARE(words[1], QStringLiteral("from cache"));
        QCOMPARE(words[4], QStringLiteral("probes only"));
        QCOMPARE(words[6], QStringLiteral("canned"));
        QCOMPARE(p.facts.busWords, thin("100_% of 12.4 req/s · 98.9_% by a model"));
        QCOMPARE(p.facts.nodes[3].lines,
                 (QStringList{thin("p95 2.41_s · 24 in flight"), QStringLiteral("468 / 800 rpm")}));
        QCOMPARE(p.facts.nodes[2].lines, (QStringList{thin("probe in 10_s"), QStringLiteral("8 failed probes")}));
        QCOMPARE(p.facts.nodes[6].lines.front(), QStringLiteral("6 rules, always"));
        QCOMPARE(p.facts.nodes[3].sentence, thin("tier 2, claude-sonnet-4.5, breaker closed, 62.9_% answered"));
        QCOMPARE(p.facts.nodes[4].sentence,
                 thin("tier 3, gemini-2.5-flash, half-open, 2 of 3 probes passed, 0.4_% probes only"));
        QCOMPARE(p.facts.ways[3].shareText, thin("77.0_%"));
        QCOMPARE(p.facts.ways[3].words, QStringLiteral("skipped"));
        QCOMPARE(p.facts.ways[4].words, QStringLiteral("moved on"));
        QCOMPARE(*p.facts.ways[2].share, 0.77);
    }

    void tagsThatWereSeenComeFirst()
    {
        const observe::Snapshot snapshot = test::pictureSnapshot();
        const Pictured p(test::pictureWorkspace(), &snapshot);
        const auto& tags = p.facts.ways[5].tags; // behind gemini
        QStringList words;
        for (const auto& tag : tags)
            words << tag.words;
        QCOMPARE(words,
                 (QStringList{QStringLiteral("429"), QStringLiteral("half-open"), QStringLiteral("content filter")}));
        QVERIFY(tags[0].tone == ui::facts::Tag::Tone::Seen && tags[0].count == 7);
        QVERIFY(tags[2].tone == ui::facts::Tag::Tone::Quiet);
        QVERIFY(p.facts.ways[3].tags[0].tone == ui::facts::Tag::Tone::Bad);
    }

    void withoutTrafficNoNumbers()
    {
        observe::Snapshot snapshot = test::pictureSnapshot();
        snapshot.chainsMinute.front().requests = 0;
        for (const observe::Snapshot* live :
             {static_cast<const observe::Snapshot*>(nullptr), static_cast<const observe::Snapshot*>(&snapshot)}) {
            const Pictured p(test::pictureWorkspace(), live);
            QVERIFY(!p.facts.hasTraffic && p.facts.busWords.isEmpty());
            for (const auto& answer : p.facts.answers)
                QVERIFY(!answer.share && answer.shareText.isEmpty());
            for (const auto& way : p.facts.ways) {
                QVERIFY(!way.share && way.shareText.isEmpty() && way.request.isEmpty());
                for (const auto& tag : way.tags)
                    QCOMPARE(tag.count, std::int64_t{0});
            }
            QVERIFY(!p.facts.nodes[0].gauge);
        }
    }

    void aTierThatDoesNotServeYetHasNoNumbers()
    {
        const observe::Snapshot snapshot = test::pictureSnapshot();
        workspace::Workspace w = test::pictureWorkspace();
        workspace::insertTier(w.chains.front().spec, 1, workspace::tierFor("gpt-4.1-mini"));
        w.chains.front().spec.tiers[4].endpoint = "sim-flaky"; // under its old name
        const Pictured p(std::move(w), &snapshot);
        for (const int tier : {1, 4}) {
            const auto node = std::size_t(p.layout.nodeOf(ChainNode::ofTier(tier)));
            QVERIFY(!p.facts.answers[node].share);
        }
        QVERIFY(p.facts.answers[3 + 1].share.has_value());
    }

    void aSwitchedOffTierSaysSo()
    {
        const observe::Snapshot snapshot = test::pictureSnapshot();
        workspace::Workspace w = test::pictureWorkspace();
        w.chains.front().spec.tiers[1].enabled = false;
        const Pictured p(std::move(w), &snapshot);
        QVERIFY(p.facts.nodes[3].isOff && !p.facts.nodes[3].state);
        QVERIFY(p.facts.nodes[3].sentence.startsWith(QLatin1String("tier 2, claude-sonnet-4.5, off")));
        QVERIFY(p.facts.ways[4].isPassing);
        QCOMPARE(p.facts.ways[4].tags.front().words, QStringLiteral("off"));
    }

    void whatLeavesASplitIsCountedOnce()
    {
        observe::Snapshot snapshot = test::pictureSnapshot();
        auto& tiers = snapshot.chainsMinute.front().tiers;
        // 770 come in, 540 to the first, 230 to the second; 60 go across, either way; 141 leave.
        tiers[1] = test::tierView("claude-sonnet-4.5", 570, 420);
        tiers.insert(tiers.begin() + 2, test::tierView("claude-haiku-4.5", 260, 209));
        test::moved(tiers[1], observe::MovedBy::Timeout) = 150;
        test::moved(tiers[2], observe::MovedBy::RateLimited) = 51;
        workspace::Workspace w = splitWorkspace();
        w.chains.front().spec.router.reset();
        const Pictured p(w, &snapshot);
        const auto way =
            std::find_if(p.layout.ways.begin(), p.layout.ways.end(), [](const auto& one) { return one.insertAt == 3; });
        const auto& f = p.facts.ways[std::size_t(way - p.layout.ways.begin())];
        QCOMPARE(f.shareText, thin("14.1_%"));
        QCOMPARE(p.facts.nodes[3].share, thin("70_%"));
        // With a router requests come in by several ways, and that number is not known.
        const Pictured routed(splitWorkspace(), &snapshot);
        QVERIFY(!routed.facts.ways[std::size_t(way - p.layout.ways.begin()) + 1].share);
    }

    void sharesAddUp_data()
    {
        QTest::addColumn<std::vector<std::int64_t>>("counts");
        QTest::addColumn<std::int64_t>("total");
        QTest::addColumn<int>("sum");
        QTest::newRow("thirds") << std::vector<std::int64_t>{1, 1, 1} << std::int64_t{3} << 1000;
        QTest::newRow("sevenths") << std::vector<std::int64_t>{1, 2, 4} << std::int64_t{7} << 1000;
        QTest::newRow("some failed") << std::vector<std::int64_t>{1, 1} << std::int64_t{3} << 667;
        QTest::newRow("nothing") << std::vector<std::int64_t>{0, 0} << std::int64_t{5} << 0;
        QTest::newRow("no requests") << std::vector<std::int64_t>{0, 0} << std::int64_t{0} << 0;
    }
    void sharesAddUp()
    {
        QFETCH(std::vector<std::int64_t>, counts);
        QFETCH(std::int64_t, total);
        const auto tenths = ui::facts::tenths(counts, total);
        QTEST(std::accumulate(tenths.begin(), tenths.end(), 0), "sum");
    }

    void aDropSaysOnlyWhatIsKnown()
    {
        workspace::Workspace w = test::pictureWorkspace();
        const cost::PriceBook none;
        const auto hint = [&](const char* endpoint, int at) {
            return ui::facts::dropHint(w, w.chains.front(), {ui::NodeKind::Kind::Endpoint, endpoint}, at, none);
        };
        QCOMPARE(hint("gpt-4.1-mini", 2).title, QStringLiteral("Release to insert as tier 3"));
        QCOMPARE(hint("gpt-4.1-mini", 2).lines,
                 (QStringList{thin("takes 1_047_576 tokens, tier before 200_000"),
                              thin("−$2.60 in, −$13.40 out per M tokens against tier before")}));
        w.endpoints[1].price.reset();
        w.endpoints[1].spec.capabilities.contextWindow.reset();
        QVERIFY(hint("gpt-4.1-mini", 2).lines.isEmpty());
        // A tier on its way is held against the one that will be before it.
        const auto moved = [&](int from, int to) {
            return ui::facts::moveHint(w, w.chains.front(), from, to, none);
        };
        QCOMPARE(moved(0, 1).title, QStringLiteral("Release to make it tier 2"));
        QCOMPARE(moved(0, 1).lines.value(0), thin("takes 1_047_576 tokens, tier before 200_000"));
        QCOMPARE(moved(1, 0).lines.value(0), thin("takes 200_000 tokens"));
        QVERIFY(moved(1, -1).lines.isEmpty());
        const auto limiter = ui::facts::dropHint(w, w.chains.front(), {ui::NodeKind::Kind::Limiter}, 0, none);
        QVERIFY(!limiter.isAllowed);
    }
};

QTEST_GUILESS_MAIN(TestChainLayout)
#include "tst_chain_layout.moc"
