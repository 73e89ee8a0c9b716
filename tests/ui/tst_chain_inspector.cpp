// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sample_snapshots.h"
#include "tests/ui/chain_desk.h"
#include "ui/chains/breaker_form.h"
#include "ui/chains/canned_rules_editor.h"
#include "ui/chains/chain_inspector.h"
#include "ui/chains/inspector_head.h"
#include "ui/chains/retry_form.h"
#include "ui/chains/tier_form.h"
#include "ui/edit/choice_field.h"

#include <QCheckBox>
#include <QMenu>
#include <QScrollArea>
#include <QToolButton>

#include <set>

using namespace sg;
using namespace sg::test;
using ui::ChainNode;

namespace {

struct Scene : ChainDesk
{
    explicit Scene(const workspace::Workspace& workspace = sampleWorkspace(), ui::ThemeMode mode = ui::ThemeMode::Dark,
                   QSize size = {272, 672})
        : ChainDesk(workspace, mode)
        , inspector(new ui::ChainInspector(form.theme, editor))
    {
        form.fill(inspector, size);
    }
    /// Fields of pages that are not in view have the same names.
    template <class W = QLineEdit>
    W* field(const char* name)
    {
        for (W* found : inspector->findChildren<W*>(QLatin1String(name)))
            if (found->isVisible())
                return found;
        qFatal("no field %s in view", name);
    }
    void type(const char* name, const char* text, bool leaves = true)
    {
        auto* at = field(name);
        at->setFocus(Qt::TabFocusReason);
        at->selectAll();
        QTest::keyClick(at, Qt::Key_Delete);
        QTest::keyClicks(at, QString::fromUtf8(text));
        if (leaves)
            QTest::keyClick(at, Qt::Key_Tab);
    }
    ui::Segments* segments(const char* name)
    {
        for (auto* found : inspector->findChildren<ui::Segments*>())
            if (found->property("field") == QLatin1String(name))
                return found;
        qFatal("no segments %s", name);
    }
    ui::ChainInspector* inspector;
};

using Expect = std::function<bool(Scene&)>;

workspace::Workspace extreme()
{
    workspace::Workspace workspace = sampleWorkspace();
    auto& spec = workspace.chains.front().spec;
    auto& tier = spec.tiers[1];
    tier.maxAttempts = 21;
    tier.backoff = {policy::BackoffKind::Exponential, 90000, 2, 86400e3, {policy::JitterType::Equal, 0, 0}};
    workspace::renameTier(spec, 1, "a tier with a name that is longer than what any inspector has room for");
    workspace::joinSplit(spec, 1);
    auto& rules = spec.tiers[4].rules;
    rules.clear();
    for (int i = 0; i < 30; ++i)
        rules.push_back({{"ประชาสัมพันธ์ระหว่างประเทศและการเปลี่ยนแปลงสภาพภูมิอากาศ", "word " + std::to_string(i)},
                         "สวัสดีครับ ขออภัยในความไม่สะดวก ขณะนี้ระบบไม่พร้อมให้บริการ " + std::to_string(i)});
    for (int i = 0; i < 12; ++i) {
        workspace::Chain other = workspace.chains.front();
        other.spec.name = "other " + std::to_string(i);
        workspace.chains.push_back(other);
    }
    return workspace;
}

} // namespace
Q_DECLARE_METATYPE(Expect)
Q_DECLARE_METATYPE(ui::ChainNode)

class TestChainInspector : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        ui::prepareApplication(*qApp);
    }

    void fieldsAreOneUndoStepEach_data()
    {
        QTest::addColumn<ChainNode>("node");
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QByteArray>("typed");
        QTest::addColumn<Expect>("expected");
        const auto row = [](ChainNode node, const char* field, const char* typed, Expect expected) {
            QTest::newRow(
                qPrintable(QStringLiteral("%1 %2").arg(static_cast<int>(node.kind)).arg(QLatin1String(field))))
                << node << QByteArray(field) << QByteArray(typed) << std::move(expected);
        };
        const auto tier = ChainNode::ofTier(1);
        const char* claude = "claude-sonnet-4.5";
        row(tier, "first_token_ms", "7.5",
            [=](Scene& s) { return s.endpoint(claude).timeouts.tokens.firstToken == Nanos(Millis(7500)); });
        row(tier, "total_ms", "120",
            [=](Scene& s) { return s.endpoint(claude).timeouts.total == Nanos(Millis(120000)); });
        row(tier, "requests_per_minute", "1250",
            [=](Scene& s) { return s.endpoint(claude).spec.requestsPerMinute == 1250.0; });
        row(tier, "max_in_flight", "", [=](Scene& s) { return !s.endpoint(claude).spec.maxInFlight; });
        row(tier, "max_attempts", "12", [](Scene& s) { return s.tier(1).maxAttempts == 13; });
        row(tier, "base_ms", "0.25", [](Scene& s) { return s.tier(1).backoff.baseMs == 250; });
        row(tier, "cap_ms", "30", [](Scene& s) { return s.tier(1).backoff.capMs == 30000; });
        row(tier, "multiplier", "1.5", [](Scene& s) { return s.tier(1).backoff.multiplier == 1.5; });
        row(tier, "attempt_timeout_ms", "20",
            [](Scene& s) { return s.tier(1).attemptTimeout == Nanos(Millis(20000)); });
        row(tier, "max_server_wait_ms", "35", [](Scene& s) { return s.chain().maxServerWait == Nanos(Millis(35000)); });
        row(tier, "failure_rate", "35", [=](Scene& s) { return s.endpoint(claude).spec.breaker.failureRate == 0.35; });
        row(tier, "half_open_max_probes", "11",
            [=](Scene& s) { return s.endpoint(claude).spec.breaker.halfOpenMaxProbes == 11; });
        row(tier, "tier.name", "claude second", [](Scene& s) { return s.tier(1).name == "claude second"; });
        const auto limiter = ChainNode::of(ChainNode::Kind::Limiter);
        row(limiter, "rate_per_second", "100", [](Scene& s) { return s.chain().limiter->ratePerSecond == 100.0 / 60; });
        row(limiter, "burst", "15", [](Scene& s) { return s.chain().limiter->burst == 15; });
        row(limiter, "max_wait_ms", "0.5", [](Scene& s) { return s.chain().limiter->maxWait == Nanos(Millis(500)); });
        row(limiter, "window_limit", "", [](Scene& s) { return !s.chain().limiter->windowLimit; });
        row(limiter, "window_ms", "30", [](Scene& s) { return s.chain().limiter->window == Nanos(Millis(30000)); });
        const auto cache = ChainNode::of(ChainNode::Kind::Cache);
        row(cache, "ttl_ms", "900", [](Scene& s) { return s.chain().cache->ttl == Nanos(Millis(900000)); });
        row(cache, "max_entries", "38412", [](Scene& s) { return s.chain().cache->maxEntries == 38412; });
        row(cache, "max_bytes", "1.5", [](Scene& s) { return s.chain().cache->maxBytes == 3u << 19; });
        row({}, "deadline_ms", "90", [](Scene& s) { return s.chain().deadline == Nanos(Millis(90000)); });
        row({}, "attempt_budget", "14", [](Scene& s) { return s.chain().attemptBudget == 14; });
        row({}, "max_server_wait_ms", "0", [](Scene& s) { return s.chain().maxServerWait == Nanos(0); });
        row({}, "caller.waits_ms", "60",
            [](Scene& s) { return s.editor.chain()->caller.waits == Nanos(Millis(60000)); });
        row({}, "caller.retries", "2", [](Scene& s) { return s.editor.chain()->caller.retries == 2; });
        row({}, "caller.pays_usd", "0.05",
            [](Scene& s) { return s.editor.chain()->caller.pays == cost::NanoDollars(50'000'000); });
        row({}, "chain.name", "prod-chat-2", [](Scene& s) { return s.chain().name == "prod-chat-2"; });
    }
    void fieldsAreOneUndoStepEach()
    {
        QFETCH(ChainNode, node);
        QFETCH(QByteArray, field);
        QFETCH(QByteArray, typed);
        QFETCH(Expect, expected);
        Scene scene;
        scene.editor.select(node);
        const QByteArray first = scene.bytes();
        QVERIFY(!expected(scene));
        if (auto* more = scene.inspector->findChild<ui::BreakerForm*>(); more->isVisible())
            more->setMoreShown(true);
        scene.type(field.constData(), typed.constData());
        QVERIFY(expected(scene));
        QVERIFY(scene.bytes() != first);
        QCOMPARE(scene.steps(), 1);
        QVERIFY(!scene.draft.undoStack().undoText().isEmpty());
        const QString shown = scene.field(field.constData())->text();
        scene.undoAll();
        QVERIFY(scene.bytes() == first);
        QVERIFY(scene.field(field.constData())->text() != shown); // the form shows what was undone
    }

    void typingInOneFieldAgainIsAnotherStep()
    {
        Scene scene;
        scene.editor.select(ChainNode::ofTier(0));
        scene.type("cap_ms", "10");
        scene.type("cap_ms", "12");
        QCOMPARE(scene.steps(), 2);
        QCOMPARE(scene.tier(0).backoff.capMs, 12000.0);
    }

    void undoWhileTypingKeepsFocusAndCursor()
    {
        Scene scene;
        scene.editor.select(ChainNode::ofTier(0));
        scene.type("cap_ms", "10", false);
        auto* cap = scene.field("cap_ms");
        QVERIFY(cap->hasFocus());
        scene.draft.undoStack().undo();
        QCOMPARE(cap->text(), QStringLiteral("8"));
        QVERIFY(cap->hasFocus());
        scene.draft.undoStack().redo();
        QCOMPARE(cap->text(), QStringLiteral("10"));
    }

    void everyKindOfDelayAndJitterIsWithinReach()
    {
        using policy::BackoffKind;
        using policy::JitterType;
        Scene scene;
        scene.editor.select(ChainNode::ofTier(1));
        std::set<BackoffKind> kinds;
        std::set<JitterType> jitters;
        for (auto* button : scene.segments("kind")->findChildren<QToolButton*>()) {
            button->click();
            kinds.insert(scene.tier(1).backoff.kind);
        }
        for (auto* button : scene.segments("jitter.type")->findChildren<QToolButton*>()) {
            button->click();
            jitters.insert(scene.tier(1).backoff.jitter.type);
        }
        QCOMPARE(kinds.size(), 3u);
        QCOMPARE(jitters.size(), 6u);
        const QByteArray first = workspace::toJson(*scene.start);
        scene.undoAll();
        QVERIFY(scene.bytes() == first);
    }

    void jitterAmountsHaveTheirField()
    {
        Scene scene;
        scene.editor.select(ChainNode::ofTier(1));
        auto buttons = scene.segments("jitter.type")->findChildren<QToolButton*>();
        buttons[4]->click();
        scene.type("jitter.r", "30");
        QCOMPARE(scene.tier(1).backoff.jitter.r, 0.3);
        buttons[5]->click();
        scene.type("jitter.a_ms", "1.5");
        QCOMPARE(scene.tier(1).backoff.jitter.addMs, 1500.0);
    }

    void aBaseAboveTheCapIsSaidAtTheField()
    {
        Scene scene;
        scene.editor.select(ChainNode::ofTier(1));
        scene.type("base_ms", "9.5");
        auto* retry = scene.inspector->findChild<ui::RetryForm*>();
        QCOMPARE(retry->problemAt("base_ms"), QStringLiteral("Must be at most the cap, 8.0\u202Fs"));
        QVERIFY(scene.field("base_ms")->property("wrong").toBool());
        scene.type("cap_ms", "10");
        QCOMPARE(retry->problemAt("base_ms"), QString());
    }

    void outOfBoundsIsSaidAndNotTaken()
    {
        Scene scene;
        scene.editor.select(ChainNode::ofTier(1));
        scene.type("max_attempts", "-1", false);
        QCOMPARE(scene.tier(1).maxAttempts, 6);
        QVERIFY(scene.field("max_attempts")->property("wrong").toBool());
        QVERIFY(!scene.field("max_attempts")->accessibleDescription().isEmpty());
        QCOMPARE(scene.steps(), 0);
        QTest::keyClick(scene.field("max_attempts"), Qt::Key_Escape);
        QCOMPARE(scene.field("max_attempts")->text(), QStringLiteral("5"));
    }

    void ticksAreOneStepEach()
    {
        Scene scene;
        scene.editor.select(ChainNode::ofTier(1));
        const QByteArray first = scene.bytes();
        for (const char* name :
             {"rate_limited", "server_error", "timeout", "open_breaker", "context_too_long", "content_policy"}) {
            auto* box = scene.field<QCheckBox>((std::string("moves_on.") + name).c_str());
            box->setFocus();
            QTest::keyClick(box, Qt::Key_Space);
        }
        QCOMPARE(scene.steps(), 6);
        QVERIFY(scene.tier(1).movesOn == (chain::MovesOn{false, false, false, false, false, true}));
        QTest::keyClick(scene.field<QCheckBox>("obeys_retry_after"), Qt::Key_Space);
        QCOMPARE(scene.chain().maxServerWait, Nanos(0));
        QVERIFY(!scene.field("max_server_wait_ms")->isEnabled());
        QTest::keyClick(scene.field<QCheckBox>("tier.enabled"), Qt::Key_Space);
        QVERIFY(!scene.tier(1).enabled);
        scene.undoAll();
        QVERIFY(scene.bytes() == first);
        QVERIFY(scene.field<QCheckBox>("tier.enabled")->isChecked());
    }

    void policiesOfTheWorkspaceCanBeChosen()
    {
        workspace::Workspace workspace = sampleWorkspace();
        workspace.policies.backoffs["gentle"] = {policy::BackoffKind::Fixed, 3000, 1, 3000, {}};
        workspace.policies.limiters["slow lane"] = chain::LimiterSpec{1, 2, Millis(100), {}, Millis(60000)};
        Scene scene(workspace);
        scene.editor.select(ChainNode::ofTier(1));
        auto* choice = scene.field<ui::ChoiceField>("backoff_policy");
        choice->setFocus();
        QTest::keyClick(choice, Qt::Key_Down);
        QCOMPARE(QString::fromStdString(scene.tier(1).backoffPolicy), QStringLiteral("gentle"));
        QVERIFY(scene.tier(1).backoff == workspace.policies.backoffs["gentle"]);
        scene.type("base_ms", "2");
        QVERIFY(scene.tier(1).backoffPolicy.empty()); // changed by hand: its own now
        scene.editor.select(ChainNode::of(ChainNode::Kind::Limiter));
        auto* limiter = scene.field<ui::ChoiceField>("limiter_policy");
        limiter->setFocus();
        QTest::keyClick(limiter, Qt::Key_Down);
        QCOMPARE(QString::fromStdString(scene.chain().limiterPolicy), QStringLiteral("slow lane"));
        QVERIFY(scene.chain().limiter == workspace.policies.limiters["slow lane"]);
    }

    void tiersOfASplitHaveAWeight()
    {
        workspace::Workspace workspace = sampleWorkspace();
        workspace::joinSplit(workspace.chains[0].spec, 1);
        Scene scene(workspace);
        scene.editor.select(ChainNode::ofTier(1));
        scene.type("weight", "3");
        QCOMPARE(scene.tier(1).weight, 3.0);
        QCOMPARE(scene.steps(), 1);
        scene.editor.select(ChainNode::ofTier(3));
        for (auto* weight : scene.inspector->findChildren<QLineEdit*>(QStringLiteral("weight")))
            QVERIFY(!weight->isVisible());
    }

    void namesThatAreTakenAreRefusedWithWords()
    {
        Scene scene;
        scene.editor.select(ChainNode::ofTier(1));
        scene.type("tier.name", "gpt-4.1", false);
        QVERIFY(scene.tier(1).name != "gpt-4.1");
        QCOMPARE(scene.field("tier.name")->accessibleDescription(), QStringLiteral("Another tier has this name"));
        scene.type("tier.name", "backup");
        QCOMPARE(scene.field("tier.name")->accessibleDescription(), QString());
    }

    void sharedEndpointsSaySo()
    {
        workspace::Workspace workspace = sampleWorkspace();
        workspace::duplicateChain(workspace, "prod-chat");
        Scene scene(workspace);
        scene.editor.select(ChainNode::ofTier(1));
        QCOMPARE(scene.inspector->findChild<ui::TierForm*>()->sharedWords(),
                 QStringLiteral("Limits and breaker are also used by 1 chain"));
    }

    void theHeadSaysWhatServes()
    {
        Scene scene;
        auto* head = scene.inspector->findChild<ui::InspectorHead*>();
        scene.editor.select(ChainNode::ofTier(1));
        QVERIFY(!head->facts().state);
        QCOMPARE(head->facts().words, QStringLiteral("anthropic · tier 2 · key in keychain"));
        observe::Snapshot snapshot;
        observe::EndpointView view;
        view.name = "claude-sonnet-4.5";
        view.state = policy::BreakerState::HalfOpen;
        snapshot.endpoints.push_back(view);
        scene.inspector->setSnapshot(std::make_shared<const observe::Snapshot>(snapshot));
        QVERIFY(head->facts().state == policy::BreakerState::HalfOpen);
        QVERIFY(head->accessibleName().contains(QStringLiteral("half-open")));
        scene.serving.keyFacts["claude-sonnet-4.5"] = {false, QStringLiteral("The keychain is locked."),
                                                       QStringLiteral("Unlock it.")};
        scene.serving.tellFacts();
        QVERIFY(!head->facts().warning.isEmpty());
    }

    void picturesOfTheDayDoNotDisturbATypingHand()
    {
        Scene scene;
        scene.editor.select(ChainNode::ofTier(1));
        scene.type("max_attempts", "-", false);
        scene.inspector->setSnapshot(std::make_shared<const observe::Snapshot>(normalSnapshot()));
        QCOMPARE(scene.field("max_attempts")->text(), QStringLiteral("-"));
    }

    void theMenuMovesAndRemoves()
    {
        Scene scene;
        scene.editor.select(ChainNode::ofTier(1));
        auto* menu = scene.inspector->findChild<QMenu*>();
        Q_EMIT menu->aboutToShow();
        menu->actions().at(0)->trigger();
        QCOMPARE(QString::fromStdString(scene.tier(0).name), QStringLiteral("claude-sonnet-4.5"));
        Q_EMIT menu->aboutToShow();
        menu->actions().constLast()->trigger();
        QCOMPARE(scene.chain().tiers.size(), 4u);
        scene.undoAll();
        QVERIFY(scene.bytes() == workspace::toJson(*scene.start));
    }

    void everythingIsNamedAndReachedByTab()
    {
        Scene scene;
        scene.inspector->findChild<ui::BreakerForm*>()->setMoreShown(true);
        for (const auto& node :
             {ChainNode::ofTier(1), ChainNode::ofTier(4), ChainNode(), ChainNode::of(ChainNode::Kind::Limiter),
              ChainNode::of(ChainNode::Kind::Cache), ChainNode::of(ChainNode::Kind::Router)}) {
            scene.editor.select(node);
            QCoreApplication::processEvents();
            std::set<QWidget*> reached;
            QWidget* first = scene.inspector->page()->nextInFocusChain();
            for (QWidget* at = first;;) {
                if ((at->focusPolicy() & Qt::TabFocus) && at->isVisible())
                    reached.insert(at);
                at = at->nextInFocusChain();
                if (at == first)
                    break;
            }
            for (QWidget* widget : scene.inspector->findChildren<QWidget*>()) {
                const bool isField = qobject_cast<QLineEdit*>(widget) || qobject_cast<QComboBox*>(widget) ||
                                     qobject_cast<QCheckBox*>(widget) || qobject_cast<QPlainTextEdit*>(widget);
                if (!isField || !widget->isVisible() || widget->parentWidget()->inherits("QComboBox"))
                    continue;
                QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
                QVERIFY2(reached.contains(widget), qPrintable(widget->objectName()));
            }
        }
    }

    void aWorkspaceWithoutChainsHasWords()
    {
        Scene scene(workspace::emptyWorkspace(QStringLiteral("new")));
        QCOMPARE(scene.inspector->findChild<ui::InspectorHead*>()->facts().name, QStringLiteral("No chain"));
    }

    void numbersAreReadInTheLocale()
    {
        QLocale::setDefault(QLocale(QLocale::German));
        {
            Scene scene;
            scene.editor.select(ChainNode::ofTier(1));
            QCOMPARE(scene.field("base_ms")->text(), QStringLiteral("0,5"));
            scene.type("base_ms", "0,75");
            QCOMPARE(scene.tier(1).backoff.baseMs, 750.0);
            scene.type("base_ms", "0.25");
            QCOMPARE(scene.tier(1).backoff.baseMs, 250.0);
        }
        QLocale::setDefault(QLocale::c());
    }

    void pictures()
    {
        for (const auto mode : {ui::ThemeMode::Dark, ui::ThemeMode::Light}) {
            const auto shoot = [mode](Scene& scene, ChainNode node, const char* name) {
                scene.editor.select(node);
                QCoreApplication::processEvents();
                scene.form.shoot(name);
                // Nothing is wider than its place.
                for (auto* area : scene.inspector->findChildren<QScrollArea*>())
                    QVERIFY2(area->widget()->width() <= area->viewport()->width(), name);
                Q_UNUSED(mode)
            };
            Scene scene(sampleWorkspace(), mode);
            scene.inspector->setSnapshot(std::make_shared<const observe::Snapshot>(normalSnapshot()));
            shoot(scene, ChainNode::ofTier(1), "inspector-tier");
            shoot(scene, ChainNode::ofTier(4), "inspector-canned");
            shoot(scene, ChainNode::of(ChainNode::Kind::Limiter), "inspector-limiter");
            shoot(scene, ChainNode::of(ChainNode::Kind::Cache), "inspector-cache");
            shoot(scene, ChainNode::of(ChainNode::Kind::Router), "inspector-router");
            shoot(scene, ChainNode(), "inspector-chain");
            Scene tall(extreme(), mode, {272, 1150});
            tall.inspector->findChild<ui::BreakerForm*>()->setMoreShown(true);
            shoot(tall, ChainNode::ofTier(1), "inspector-tier-extreme");
            shoot(tall, ChainNode::ofTier(4), "inspector-canned-extreme");
            Scene none(workspace::emptyWorkspace(QStringLiteral("new")), mode);
            shoot(none, {}, "inspector-empty");
        }
    }
};

QTEST_MAIN(TestChainInspector)
#include "tst_chain_inspector.moc"
