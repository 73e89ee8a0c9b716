// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/edits.h"

#include <QTest>

using namespace sg;
using namespace sg::workspace;

namespace {

Endpoint endpoint(const std::string& name)
{
    Endpoint made;
    made.model = QString::fromStdString(name);
    made.spec.name = made.spec.quotaGroup = made.spec.credential = name;
    return made;
}

/// Endpoints and a chain of tiers a, b, c, …
Workspace workspaceOf(const std::vector<std::string>& names)
{
    Workspace made = emptyWorkspace(QStringLiteral("test"));
    Chain chain;
    chain.spec.name = "main";
    for (const std::string& name : names) {
        addEndpoint(made, endpoint(name));
        insertTier(chain.spec, chain.spec.tiers.size(), tierFor(name));
    }
    addChain(made, chain);
    return made;
}

std::string order(const chain::ChainSpec& chain)
{
    std::string names;
    for (const chain::TierSpec& tier : chain.tiers)
        names += (names.empty() ? "" : " ") + tier.name;
    return names;
}

/// "a (b c) d": members of a split in brackets.
std::string shape(const chain::ChainSpec& chain)
{
    std::string text;
    for (const TierGroup& group : splitGroups(chain)) {
        text += text.empty() ? "" : " ";
        text += group.isSplit ? "(" : "";
        for (std::size_t i = 0; i < group.count; ++i)
            text += (i ? " " : "") + chain.tiers[group.first + i].name;
        text += group.isSplit ? ")" : "";
    }
    return text;
}

chain::ChainSpec& mainOf(Workspace& workspace)
{
    return workspace.chains.front().spec;
}

} // namespace

class TestEdits : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void namesStayFree()
    {
        Workspace made = workspaceOf({"a"});
        QCOMPARE(addEndpoint(made, endpoint("a")), std::string("a 2"));
        QCOMPARE(addEndpoint(made, endpoint("a")), std::string("a 3"));
        QCOMPARE(made.endpoint("a 2")->spec.quotaGroup, std::string("a 2"));
        QCOMPARE(duplicateEndpoint(made, "a"), std::string("a 4"));
        QCOMPARE(made.endpoint("a 4")->spec.quotaGroup, std::string("a")); // the same provider and key
        QCOMPARE(made.endpoints[1].spec.name, std::string("a 4"));
        QCOMPARE(duplicateChain(made, "main"), std::string("main 2"));
        duplicateTier(mainOf(made), 0);
        QCOMPARE(order(mainOf(made)), std::string("a a 2"));
    }

    void renamingAnEndpointIsFollowed()
    {
        Workspace made = workspaceOf({"a", "b"});
        mainOf(made).router = chain::RouterSpec{{{"complex", {"code"}, 1, false, "a"}}};
        renameEndpoint(made, "a", "x");
        QCOMPARE(order(mainOf(made)), std::string("x b"));
        QCOMPARE(mainOf(made).tiers[0].endpoint, std::string("x"));
        QCOMPARE(mainOf(made).router->classes[0].tier, std::string("x"));
        QCOMPARE(made.endpoint("x")->spec.quotaGroup, std::string("x"));
        const Workspace before = made;
        renameEndpoint(made, "x", "b"); // taken
        renameEndpoint(made, "nobody", "y");
        QVERIFY(made == before);
    }

    void whatIsSharedIsSharedUnderTheNewName()
    {
        Workspace made = workspaceOf({"a", "b"});
        duplicateEndpoint(made, "a");
        renameEndpoint(made, "a", "x");
        for (const char* name : {"x", "a 2"}) {
            QCOMPARE(made.endpoint(name)->spec.quotaGroup, std::string("x"));
            QCOMPARE(made.endpoint(name)->spec.credential, std::string("x"));
        }
        QCOMPARE(made.endpoint("b")->spec.quotaGroup, std::string("b"));
    }

    void aLimiterGoesWithItsPolicy()
    {
        chain::ChainSpec chain;
        chain.limiter.emplace();
        chain.limiterPolicy = "gentle";
        removeLimiter(chain);
        QVERIFY(!chain.limiter && chain.limiterPolicy.empty());
    }

    void removingAnEndpointTakesItsTiers()
    {
        Workspace made = workspaceOf({"a", "b", "c"});
        mainOf(made).router = chain::RouterSpec{{{"complex", {"code"}, 1, false, "b"}}};
        QCOMPARE(chainsUsing(made, "b"), std::vector<std::string>{"main"});
        removeEndpoint(made, "b");
        QCOMPARE(order(mainOf(made)), std::string("a c"));
        QCOMPARE(mainOf(made).router->classes[0].tier, std::string());
        QVERIFY(chainsUsing(made, "b").empty());
    }

    void tiersMove_data()
    {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        QTest::addColumn<QByteArray>("result");
        QTest::newRow("down") << 0 << 2 << QByteArray("b c a d");
        QTest::newRow("to the end") << 0 << 3 << QByteArray("b c d a");
        QTest::newRow("up") << 3 << 0 << QByteArray("d a b c");
        QTest::newRow("nowhere") << 1 << 1 << QByteArray("a b c d");
        QTest::newRow("too far") << 1 << 4 << QByteArray("a b c d");
        QTest::newRow("from beyond") << 9 << 0 << QByteArray("a b c d");
    }
    void tiersMove()
    {
        QFETCH(int, from);
        QFETCH(int, to);
        QFETCH(QByteArray, result);
        Workspace made = workspaceOf({"a", "b", "c", "d"});
        moveTier(mainOf(made), std::size_t(from), std::size_t(to));
        QCOMPARE(order(mainOf(made)), result.toStdString());
    }

    void splitsAreJoinedAndLeft()
    {
        Workspace made = workspaceOf({"a", "b", "c", "d"});
        chain::ChainSpec& chain = mainOf(made);
        joinSplit(chain, 1);
        QCOMPARE(shape(chain), std::string("(a b) c d"));
        joinSplit(chain, 2);
        QCOMPARE(shape(chain), std::string("(a b c) d"));
        chain.tiers[1].weight = 3;
        const auto group = splitGroups(chain)[0];
        QCOMPARE(splitShares(chain, group), (std::vector<double>{0.2, 0.6, 0.2}));
        chain.tiers[1].enabled = false;
        QCOMPARE(splitShares(chain, group), (std::vector<double>{0.5, 0, 0.5}));
        leaveSplit(chain, 0);
        QCOMPARE(shape(chain), std::string("(b c) a d"));
        removeTier(chain, 1);
        QCOMPARE(shape(chain), std::string("b a d"));
        QCOMPARE(chain.tiers[0].weight, 1.0);
        joinSplit(chain, 0);
        QCOMPARE(shape(chain), std::string("b a d"));
    }

    void aMoveKeepsSplitsWhole_data()
    {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        QTest::addColumn<QByteArray>("result");
        QTest::newRow("into it") << 0 << 2 << QByteArray("(b c a d) e");
        QTest::newRow("within it") << 1 << 2 << QByteArray("a (c b d) e");
        QTest::newRow("to its end") << 1 << 3 << QByteArray("a (c d b) e");
        QTest::newRow("out of it") << 1 << 0 << QByteArray("b a (c d) e");
        QTest::newRow("before it") << 4 << 1 << QByteArray("a e (b c d)");
        QTest::newRow("behind it") << 0 << 3 << QByteArray("(b c d) a e");
    }
    void aMoveKeepsSplitsWhole()
    {
        QFETCH(int, from);
        QFETCH(int, to);
        QFETCH(QByteArray, result);
        Workspace made = workspaceOf({"a", "b", "c", "d", "e"});
        joinSplit(mainOf(made), 2);
        joinSplit(mainOf(made), 3);
        moveTier(mainOf(made), std::size_t(from), std::size_t(to));
        QCOMPARE(shape(mainOf(made)), result.toStdString());
    }

    void allOfAnotherWorkspaceComesUnderFreeNames()
    {
        Workspace made = workspaceOf({"a", "b"});
        Workspace other = workspaceOf({"b", "c"});
        other.chains.front().spec.router = chain::RouterSpec{{{"complex", {"code"}, 1, false, "b"}}};
        QCOMPARE(addAll(made, other), std::vector<std::string>{"main 2"});
        QCOMPARE(made.endpoints.size(), std::size_t(4));
        const chain::ChainSpec& came = made.chain("main 2")->spec;
        QCOMPARE(order(came), std::string("b 2 c"));
        QCOMPARE(came.tiers[0].endpoint, std::string("b 2"));
        QCOMPARE(came.router->classes[0].tier, std::string("b 2"));
        QCOMPARE(order(mainOf(made)), std::string("a b"));
    }

    void anInsertBetweenMembersJoinsThem()
    {
        Workspace made = workspaceOf({"a", "b"});
        joinSplit(mainOf(made), 1);
        insertTier(mainOf(made), 1, tierFor("a"));
        QCOMPARE(shape(mainOf(made)), std::string("(a a 2 b)"));
        insertTier(mainOf(made), 0, cannedTier());
        QCOMPARE(shape(mainOf(made)), std::string("canned reply (a a 2 b)"));
        insertTier(mainOf(made), 99, cannedTier());
        QCOMPARE(mainOf(made).tiers.size(), std::size_t(4));
    }
};

QTEST_GUILESS_MAIN(TestEdits)
#include "tst_edits.moc"
