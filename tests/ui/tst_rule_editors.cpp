// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/chain_desk.h"
#include "ui/chains/canned_rules_editor.h"
#include "ui/chains/chain_inspector.h"
#include "ui/chains/route_trial.h"
#include "ui/chains/router_form.h"
#include "ui/edit/choice_field.h"
#include "ui/edit/ordered_list.h"
#include "ui/edit/text_fields.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QListView>
#include <QPushButton>

using namespace sg;
using namespace sg::test;
using ui::ChainNode;

namespace {

/// The inspector on a router or a canned reply, its models watched.
struct Scene : ChainDesk
{
    explicit Scene(ChainNode node, const workspace::Workspace& workspace = sampleWorkspace())
        : ChainDesk(workspace)
        , inspector(new ui::ChainInspector(form.theme, editor))
    {
        editor.select(node);
        form.fill(inspector, {272, 800});
        list = &(node.kind == ChainNode::Kind::Router ? inspector->findChild<ui::RouterForm*>()->list()
                                                      : inspector->findChild<ui::CannedRulesEditor*>()->list());
        tester = std::make_unique<QAbstractItemModelTester>(&list->model(),
                                                            QAbstractItemModelTester::FailureReportingMode::QtTest);
    }
    const std::vector<chain::RouteClass>& classes() { return chain().router->classes; }
    const std::vector<chain::CannedRule>& rules() { return tier(4).rules; }
    QString rowText(int row) { return list->model().index(row).data().toString(); }
    void keys(QWidget* field, const char* text)
    {
        field->setFocus();
        QTest::keyClicks(field, QString::fromUtf8(text));
    }
    ui::ChainInspector* inspector;
    ui::OrderedList* list;
    std::unique_ptr<QAbstractItemModelTester> tester;
};

const ChainNode kRouter = ChainNode::of(ChainNode::Kind::Router);
const ChainNode kCanned = ChainNode::ofTier(4);

std::vector<chain::CannedRule> fewRules()
{
    return {{{"refund", "คืนเงิน"}, "Refunds take three days."}, {{"hours"}, "We are open."}, {{}, "Please try later."}};
}

workspace::Workspace withRules(std::vector<chain::CannedRule> rules)
{
    workspace::Workspace workspace = sampleWorkspace();
    workspace.chains[0].spec.tiers[4].rules = std::move(rules);
    return workspace;
}

} // namespace

class TestRuleEditors : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        ui::prepareApplication(*qApp);
    }

    void wordsArePartedByCommas()
    {
        using ui::WordsBox;
        QCOMPARE(WordsBox::wordsOf(QStringLiteral(" one, two words ,,คำ\nlast,one")),
                 (WordsBox::Words{"one", "two words", "คำ", "last"}));
        QVERIFY(WordsBox::wordsOf(QStringLiteral(" , ")).empty());
    }

    void classesAreEditedByKeyboard()
    {
        Scene scene(kRouter);
        const QByteArray first = scene.bytes();
        QCOMPARE(scene.list->model().rowCount(), 3);
        auto* words = scene.form.find<ui::WordsBox>("class.words");
        words->setFocus();
        words->moveCursor(QTextCursor::End);
        QTest::keyClicks(words, QStringLiteral(", kernel, two words"));
        QCOMPARE(QString::fromStdString(scene.classes()[0].words.back()), QStringLiteral("two words"));
        QCOMPARE(scene.steps(), 1);
        scene.form.type("class.name", "hard");
        QCOMPARE(QString::fromStdString(scene.classes()[0].name), QStringLiteral("hard"));
        QCOMPARE(scene.rowText(0), QStringLiteral("hard"));
        QCOMPARE(scene.steps(), 2);
        scene.form.type("class.at_least", "3");
        QCOMPARE(scene.classes()[0].atLeast, 3);
        QCOMPARE(scene.steps(), 3);
        auto* tier = scene.form.find<ui::ChoiceField>("class.tier");
        tier->setFocus();
        QTest::keyClick(tier, Qt::Key_Down);
        QCOMPARE(QString::fromStdString(scene.classes()[0].tier), QStringLiteral("gpt-4.1"));
        scene.list->setCurrent(2);
        auto* earlier = scene.form.find<QCheckBox>("class.counts_earlier");
        QVERIFY(!earlier->isChecked());
        earlier->setFocus();
        QTest::keyClick(earlier, Qt::Key_Space);
        QVERIFY(scene.classes()[2].countsEarlier);
        QCOMPARE(scene.steps(), 5);
        scene.undoAll();
        QVERIFY(scene.bytes() == first);
    }

    void thaiWordsAreTypedAndKept()
    {
        Scene scene(kRouter);
        scene.list->setCurrent(2);
        FormDesk::compose(scene.form.find<ui::WordsBox>("class.words"), "สรุป, แปล");
        QCOMPARE(scene.classes()[2].words, (std::vector<std::string>{"สรุป", "แปล"}));
    }

    void theOrderIsChangedByKeysAndButtons()
    {
        Scene scene(kRouter);
        const QByteArray first = scene.bytes();
        scene.list->view().setFocus();
        scene.list->setCurrent(0);
        QTest::keyClick(&scene.list->view(), Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(scene.rowText(1), QStringLiteral("complex"));
        QCOMPARE(scene.list->current(), 1);
        QTest::keyClick(&scene.list->view(), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(scene.rowText(0), QStringLiteral("complex"));
        QTest::keyClick(&scene.list->view(), Qt::Key_Delete);
        QCOMPARE(scene.classes().size(), 2u);
        QTest::keyClick(&scene.list->view(), Qt::Key_Insert);
        QCOMPARE(scene.classes().size(), 3u);
        QVERIFY(scene.form.find("class.name")->hasFocus());
        QCOMPARE(scene.steps(), 4);
        scene.undoAll();
        QVERIFY(scene.bytes() == first);
    }

    void draggingMovesARow()
    {
        Scene scene(kRouter);
        // What QListView asks of its model at the end of a drag: row 2 before row 0.
        QVERIFY(scene.list->model().moveRow({}, 2, {}, 0));
        QCOMPARE(scene.rowText(0), QStringLiteral("simple"));
        QCOMPARE(scene.list->current(), 0);
        QVERIFY(scene.list->model().moveRow({}, 0, {}, 3));
        QCOMPARE(scene.rowText(2), QStringLiteral("simple"));
        QCOMPARE(scene.steps(), 2);
        QVERIFY(scene.list->view().dragEnabled());
    }

    void anEmptyRouterOffersTheUsualWords()
    {
        workspace::Workspace workspace = sampleWorkspace();
        workspace.chains[0].spec.router->classes.clear();
        Scene scene(kRouter, workspace);
        QPushButton* usual = nullptr;
        for (auto* button : scene.inspector->findChildren<QPushButton*>())
            if (button->text().startsWith(QStringLiteral("Usual words")))
                usual = button;
        QVERIFY(usual && usual->isVisible());
        QTest::mouseClick(usual, Qt::LeftButton);
        QCOMPARE(scene.classes(), workspace::standardClasses());
        QVERIFY(!usual->isVisible());
    }

    void sentencesAreTried_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* sentence, const char* said) {
            QTest::newRow(sentence) << QString::fromUtf8(sentence) << QString::fromUtf8(said);
        };
        row("Please design and debug this",
            "complex: “design” and “debug” occur, 2 asked for. The tiers keep the chain's order.");
        row("design a form", "moderate: “design” occurs, 1 asked for. The tiers keep the chain's order.");
        row("ช่วยเขียนบทความ", "moderate: “เขียน” and “บทความ” occur, 1 asked for. The tiers keep the chain's order.");
        row("hello", "simple: it takes what no class above took. The tiers keep the chain's order.");
        row("", "Shows which class takes it, and why.");
    }
    void sentencesAreTried()
    {
        QFETCH(QString, sentence);
        QFETCH(QString, said);
        Scene scene(kRouter);
        auto* form = scene.inspector->findChild<ui::RouterForm*>();
        auto* line = form->findChild<QLineEdit*>(QStringLiteral("trial"));
        FormDesk::compose(line, sentence.toUtf8().constData());
        QCOMPARE(form->trialWords(), said);
        int marked = 0;
        for (int i = 0; i < 3; ++i)
            marked += !scene.list->model().index(i).data(ui::OrderedModel::MarkRole).toString().isEmpty();
        QCOMPARE(marked, sentence.isEmpty() ? 0 : 1);
        QCOMPARE(scene.steps(), 0); // trying changes nothing
    }

    void aRouterThatFitsNothingSaysSo()
    {
        chain::RouterSpec router;
        router.classes = {{"only", {"never"}, 1, false, "gpt"}};
        const auto trial = ui::trial::route(router, QStringLiteral("something"));
        QCOMPARE(trial.decides, -1);
        QVERIFY(ui::trial::words(router, trial).contains(QStringLiteral("No class fits")));
    }

    void rulesAreEditedByKeyboard()
    {
        Scene scene(kCanned, withRules(fewRules()));
        const QByteArray first = scene.bytes();
        QCOMPARE(scene.list->model().rowCount(), 3);
        QCOMPARE(scene.rowText(2), QStringLiteral("everything"));
        auto* reply = scene.form.find<ui::TextBox>("rule.reply");
        reply->setFocus();
        reply->moveCursor(QTextCursor::End);
        QTest::keyClicks(reply, QStringLiteral(" Sorry"));
        QTest::keyClick(reply, Qt::Key_Return); // a line of its own, not the next field
        QTest::keyClicks(reply, QStringLiteral("Bye"));
        QCOMPARE(QString::fromStdString(scene.rules()[0].reply), QStringLiteral("Refunds take three days. Sorry\nBye"));
        QCOMPARE(scene.steps(), 1);
        auto* words = scene.form.find<ui::WordsBox>("rule.words");
        words->setFocus();
        words->selectAll();
        QTest::keyClicks(words, QStringLiteral("money back"));
        QCOMPARE(scene.rules()[0].words, std::vector<std::string>{"money back"});
        QCOMPARE(scene.steps(), 2);
        QTest::keyClick(words, Qt::Key_Tab);
        QVERIFY(!words->hasFocus());
        scene.undoAll();
        QVERIFY(scene.bytes() == first);
    }

    void newRulesStandBeforeTheOneThatTakesAll()
    {
        Scene scene(kCanned, withRules(fewRules()));
        scene.list->setCurrent(2);
        scene.list->view().setFocus();
        QTest::keyClick(&scene.list->view(), Qt::Key_Insert);
        QCOMPARE(scene.rules().size(), 4u);
        QVERIFY(scene.rules()[3].words.empty());
        QCOMPARE(scene.list->current(), 2);
    }

    void rulesThatCannotFireSaySo()
    {
        auto rules = fewRules();
        std::swap(rules[0], rules[2]);
        Scene scene(kCanned, withRules(rules));
        QVERIFY(scene.rowText(1).startsWith(QStringLiteral("never reached")));
    }

    void rulesAreTried()
    {
        Scene scene(kCanned, withRules(fewRules()));
        auto* editor = scene.inspector->findChild<ui::CannedRulesEditor*>();
        auto* line = editor->findChild<QLineEdit*>(QStringLiteral("trial"));
        FormDesk::compose(line, "ขอคืนเงินได้ไหม");
        QCOMPARE(editor->trialWords(), QStringLiteral("Rule 1 answers: “คืนเงิน”."));
        QVERIFY(!scene.list->model().index(0).data(ui::OrderedModel::MarkRole).toString().isEmpty());
        line->clear();
        QTest::keyClicks(line, QStringLiteral("anything"));
        QCOMPARE(editor->trialWords(), QStringLiteral("Rule 3 answers: it has no words and takes everything."));
    }

    void undoShowsInAnOpenField()
    {
        Scene scene(kCanned, withRules(fewRules()));
        auto* reply = scene.form.find<ui::TextBox>("rule.reply");
        scene.keys(reply, "X");
        scene.draft.undoStack().undo();
        QCOMPARE(reply->toPlainText(), QStringLiteral("Refunds take three days."));
        QVERIFY(reply->hasFocus());
    }
};

QTEST_MAIN(TestRuleEditors)
#include "tst_rule_editors.moc"
