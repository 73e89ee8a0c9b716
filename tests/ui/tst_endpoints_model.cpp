// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/edits.h"
#include "tests/ui/endpoints_desk.h"
#include "ui/endpoints/endpoint_words.h"

#include <QAbstractItemModelTester>
#include <QPainter>
#include <QRandomGenerator>
#include <QSignalSpy>

using namespace sg;
using namespace sg::test;
using ui::EndpointsModel;

namespace {

struct Bench
{
    FakeServing serving;
    FakeKeys keys;
    FakeTester tester;
    ui::Draft draft;
    ui::EndpointEditor editor;
    ui::ConnectionTests tests;
    EndpointsModel model;
    QAbstractItemModelTester modelTester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};

    explicit Bench(const workspace::Workspace& start = sample::fiveEndpoints())
        : draft(std::make_shared<const workspace::Workspace>(start))
        , editor(draft, serving, keys)
        , tests(draft, tester)
    {
        serving.book = sample::prices();
        refresh();
    }
    void refresh() { model.setRows(ui::endpointRows(editor, tests)); }
    QStringList names() const
    {
        QStringList all;
        for (int i = 0; i < model.rowCount(); ++i)
            all << model.index(i, EndpointsModel::Name).data().toString();
        return all;
    }
    QString text(int row, EndpointsModel::Column column) const { return model.index(row, column).data().toString(); }
};

workspace::Workspace withNames(const QStringList& names)
{
    workspace::Workspace all;
    for (const QString& name : names)
        all.endpoints.push_back(
            sample::endpoint(name.toStdString(), QStringLiteral("openai"), QStringLiteral("gpt-4.1")));
    return all;
}

} // namespace

class TestEndpointsModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhatIsKnown();
    void unknownIsADash();
    void updatesByDifference_data();
    void updatesByDifference();
    void anyChangeEndsRight();
    void renamedRowStaysTheRow();
    void liveFiguresTouchTheirCellsOnly();
    void sortsNumbersAsNumbers();
    void filtersByEveryWord();
    void keyStatesHaveWordsAndShapes();
    void editsKeepTheSelection();
    void changedEndpointHasNoResult();
};

void TestEndpointsModel::saysWhatIsKnown()
{
    Bench bench;
    bench.keys.set(secrets::KeyHome::Keychain, QStringLiteral("openai"), secrets::KeyState::Ready);
    bench.refresh();
    QCOMPARE(bench.text(0, EndpointsModel::Name), QStringLiteral("gpt-4.1"));
    QCOMPARE(bench.text(0, EndpointsModel::Provider), QStringLiteral("OpenAI"));
    QCOMPARE(bench.text(0, EndpointsModel::Address), QStringLiteral("https://api.openai.com/v1"));
    QCOMPARE(bench.text(0, EndpointsModel::Key), QStringLiteral("keychain"));
    QCOMPARE(bench.text(0, EndpointsModel::PriceIn), QStringLiteral("2.00"));
    QCOMPARE(bench.text(0, EndpointsModel::PriceOut), QStringLiteral("8.00"));
    QCOMPARE(bench.text(0, EndpointsModel::Chains), QStringLiteral("2"));
    QVERIFY(bench.model.index(0, EndpointsModel::Chains)
                .data(Qt::ToolTipRole)
                .toString()
                .contains(QStringLiteral("prod-chat")));
    QVERIFY(bench.model.headerData(EndpointsModel::PriceIn, Qt::Horizontal, Qt::DisplayRole)
                .toString()
                .contains(QStringLiteral("$/M")));
    const Qt::Alignment align =
        bench.model.index(0, EndpointsModel::PriceIn).data(Qt::TextAlignmentRole).value<Qt::Alignment>();
    QVERIFY(align & Qt::AlignRight);
}

void TestEndpointsModel::unknownIsADash()
{
    Bench bench;
    const int lab = bench.model.rowOf("llama-lab");
    QCOMPARE(bench.text(lab, EndpointsModel::PriceIn), QStringLiteral("\u2013"));
    QCOMPARE(bench.text(lab, EndpointsModel::Window), QStringLiteral("\u2013"));
    QCOMPARE(bench.text(lab, EndpointsModel::Rate), QStringLiteral("\u2013"));
    QCOMPARE(bench.text(lab, EndpointsModel::InFlight), QStringLiteral("\u2013"));
    QCOMPARE(bench.text(lab, EndpointsModel::State), QStringLiteral("not serving"));
    bench.draft.edit(QStringLiteral("free"), [](workspace::Workspace& all) {
        cost::Price free;
        free.input = free.output = cost::NanoDollars(0);
        all.endpoints.back().price = free;
    });
    bench.refresh();
    QCOMPARE(bench.text(lab, EndpointsModel::PriceIn), QStringLiteral("0.00"));
}

void TestEndpointsModel::updatesByDifference_data()
{
    QTest::addColumn<QStringList>("after");
    QTest::addColumn<int>("inserted");
    QTest::addColumn<int>("removed");
    QTest::addColumn<int>("moved");
    const auto list = [](const char* names) { return QString::fromLatin1(names).split(QLatin1Char(' ')); };
    QTest::newRow("same") << list("a b c d") << 0 << 0 << 0;
    QTest::newRow("added") << list("a b c d e") << 1 << 0 << 0;
    QTest::newRow("put between") << list("a x b c d") << 1 << 0 << 0;
    QTest::newRow("first gone") << list("b c d") << 0 << 1 << 0;
    QTest::newRow("two gone") << list("a d") << 0 << 2 << 0;
    QTest::newRow("last to the front") << list("d a b c") << 0 << 0 << 1;
    QTest::newRow("renamed") << list("a q c d") << 0 << 0 << 0;
}

void TestEndpointsModel::updatesByDifference()
{
    QFETCH(QStringList, after);
    QFETCH(int, inserted);
    QFETCH(int, removed);
    QFETCH(int, moved);
    const QString first = QStringLiteral("a b c d");
    Bench bench(withNames(first.split(QLatin1Char(' '))));
    QSignalSpy resets(&bench.model, &QAbstractItemModel::modelReset);
    QSignalSpy insertions(&bench.model, &QAbstractItemModel::rowsInserted);
    QSignalSpy removals(&bench.model, &QAbstractItemModel::rowsRemoved);
    QSignalSpy moves(&bench.model, &QAbstractItemModel::rowsMoved);
    bench.draft.replace(QStringLiteral("other"), std::make_shared<const workspace::Workspace>(withNames(after)));
    bench.refresh();
    QCOMPARE(bench.names(), after);
    QCOMPARE(resets.size(), 0);
    QCOMPARE(insertions.size(), inserted);
    QCOMPARE(removals.size(), removed);
    QCOMPARE(moves.size(), moved);
}

void TestEndpointsModel::anyChangeEndsRight()
{
    QRandomGenerator random(20260501);
    Bench bench(withNames({QStringLiteral("a"), QStringLiteral("b")}));
    for (int round = 0; round < 300; ++round) {
        QStringList names;
        for (char c = 'a'; c <= 'h'; ++c)
            if (random.bounded(2))
                names << QString(QLatin1Char(c));
        std::shuffle(names.begin(), names.end(), random);
        bench.draft.replace(QStringLiteral("other"), std::make_shared<const workspace::Workspace>(withNames(names)));
        bench.refresh();
        QCOMPARE(bench.names(), names);
    }
}

void TestEndpointsModel::renamedRowStaysTheRow()
{
    Bench bench;
    const QPersistentModelIndex row(bench.model.index(1, EndpointsModel::Name));
    bench.draft.edit(QStringLiteral("rename"),
                     [](workspace::Workspace& all) { workspace::renameEndpoint(all, "claude-sonnet-4.5", "sonnet"); });
    bench.refresh();
    QVERIFY(row.isValid());
    QCOMPARE(row.data().toString(), QStringLiteral("sonnet"));
}

void TestEndpointsModel::liveFiguresTouchTheirCellsOnly()
{
    Bench bench;
    QSignalSpy changes(&bench.model, &QAbstractItemModel::dataChanged);
    bench.model.setLive(normalSnapshot());
    QCOMPARE(bench.text(1, EndpointsModel::InFlight), QStringLiteral("24"));
    QCOMPARE(bench.text(1, EndpointsModel::Rate), QStringLiteral("468\u202F/\u202F800"));
    QCOMPARE(bench.text(0, EndpointsModel::State), QStringLiteral("open"));
    QCOMPARE(changes.size(), 5); // the sixth does not serve
    for (const auto& change : changes) {
        QCOMPARE(change.at(0).toModelIndex().column(), int(EndpointsModel::State));
        QCOMPARE(change.at(1).toModelIndex().column(), int(EndpointsModel::InFlight));
    }
    changes.clear();
    bench.model.setLive(normalSnapshot());
    bench.refresh();
    QCOMPARE(changes.size(), 0);
    bench.model.setLive(emptySnapshot());
    QCOMPARE(bench.text(0, EndpointsModel::State), QStringLiteral("not serving"));
}

void TestEndpointsModel::sortsNumbersAsNumbers()
{
    Bench bench;
    ui::EndpointsFilter filter(&bench.model);
    QAbstractItemModelTester filterTester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    filter.sort(EndpointsModel::Window, Qt::AscendingOrder);
    QStringList order;
    for (int i = 0; i < filter.rowCount(); ++i)
        order << filter.index(i, EndpointsModel::Name).data().toString();
    QCOMPARE(order, (QStringList{QStringLiteral("deepseek-v3.2"), QStringLiteral("claude-sonnet-4.5"),
                                 QStringLiteral("gpt-4.1"), QStringLiteral("gemini-2.5-flash"),
                                 QStringLiteral("gpt-4.1 (eu)"), QStringLiteral("llama-lab")})); // unknown is last
    filter.sort(-1);
    QCOMPARE(filter.index(0, EndpointsModel::Name).data().toString(), QStringLiteral("gpt-4.1"));
}

void TestEndpointsModel::filtersByEveryWord()
{
    Bench bench;
    ui::EndpointsFilter filter(&bench.model);
    QAbstractItemModelTester filterTester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    filter.setWords(QStringLiteral("GPT  eu"));
    QCOMPARE(filter.rowCount(), 1);
    filter.setWords(QStringLiteral("prod-chat"));
    QCOMPARE(filter.rowCount(), 4);
    filter.setWords(QStringLiteral("nobody"));
    QCOMPARE(filter.rowCount(), 0);
    filter.setWords(QString());
    QCOMPARE(filter.rowCount(), 6);
}

void TestEndpointsModel::keyStatesHaveWordsAndShapes()
{
    QStringList words;
    std::vector<QImage> shapes;
    using secrets::KeyState;
    for (const KeyState state : {KeyState::NotNeeded, KeyState::Ready, KeyState::Reading, KeyState::Missing,
                                 KeyState::Malformed, KeyState::Locked, KeyState::Absent, KeyState::Denied}) {
        secrets::KeyStatus status;
        status.home = secrets::KeyHome::Keychain;
        status.state = state;
        const QString word = ui::endpointwords::keyWord(status, true);
        QVERIFY(!word.isEmpty());
        QVERIFY2(!words.contains(word), qPrintable(word));
        words << word;
        QImage shape(24, 24, QImage::Format_ARGB32_Premultiplied);
        shape.fill(Qt::white);
        QPainter p(&shape);
        ui::endpointwords::keyMark(p, QPointF(12, 12), 20, state, Qt::black);
        p.end();
        QVERIFY(std::find(shapes.begin(), shapes.end(), shape) == shapes.end());
        shapes.push_back(shape);
    }
}

void TestEndpointsModel::editsKeepTheSelection()
{
    Bench bench;
    bench.editor.select("deepseek-v3.2");
    bench.editor.rename(QStringLiteral("deepseek"));
    QCOMPARE(bench.editor.selectedName(), std::string("deepseek"));
    bench.draft.undoStack().undo();
    QCOMPARE(bench.editor.selectedName(), std::string("deepseek-v3.2"));
    bench.editor.remove();
    QCOMPARE(bench.editor.selectedName(), std::string("gpt-4.1 (eu)"));
    bench.draft.undoStack().undo();
    QCOMPARE(bench.editor.selectedName(), std::string("deepseek-v3.2"));
    bench.draft.restart(std::make_shared<const workspace::Workspace>());
    QVERIFY(!bench.editor.selected());
    QVERIFY(bench.editor.remove().isEmpty());
    QVERIFY(bench.editor.duplicate().empty());
}

void TestEndpointsModel::changedEndpointHasNoResult()
{
    Bench bench;
    bench.tester.answersLate = true;
    bench.tests.start("gpt-4.1");
    bench.refresh();
    QCOMPARE(bench.text(0, EndpointsModel::Test), QStringLiteral("testing…"));
    bench.tester.finishAll();
    bench.refresh();
    QCOMPARE(bench.text(0, EndpointsModel::Test), QStringLiteral("120\u202Fms"));
    bench.editor.select("gpt-4.1");
    bench.editor.edit(QStringLiteral("limit"), {}, [](workspace::Endpoint& e) { e.spec.maxInFlight = 3; });
    bench.refresh();
    QCOMPARE(bench.text(0, EndpointsModel::Test), QStringLiteral("120\u202Fms")); // has nothing to do with it
    bench.editor.edit(QStringLiteral("model"), {},
                      [](workspace::Endpoint& e) { e.model = QStringLiteral("gpt-4.1-mini"); });
    bench.refresh();
    QCOMPARE(bench.text(0, EndpointsModel::Test), QString());
    // An answer to what was cancelled, or asked again since, is not looked at.
    bench.tests.start("gpt-4.1");
    bench.tests.cancel();
    bench.tester.finishAll();
    bench.refresh();
    QCOMPARE(bench.text(0, EndpointsModel::Test), QString());
}

int main(int argc, char** argv)
{
    return runEndpointsTest<TestEndpointsModel>(argc, argv);
}
#include "tst_endpoints_model.moc"
