// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/playground_desk.h"
#include "ui/playground/explanation_view.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>

using namespace sg;
using namespace sg::test;

namespace {

/// Whether the page looks for new pictures by itself.
bool isAsking(const PlayDesk& desk)
{
    const auto timers = desk.page->findChildren<QTimer*>(QString(), Qt::FindDirectChildrenOnly);
    return std::ranges::any_of(timers, [](const QTimer* timer) { return timer->isActive() && !timer->isSingleShot(); });
}

} // namespace

class TestPlayground : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aMissingKeyIsNobodysRefusal();
    void anEstimateIsMarked();
    void sendsByKeyboardAndMouse();
    void cancelsByEscapeAndButton();
    void streamsIn();
    void failedIsNeverABlankSuccess();
    void partialTextIsLabelled();
    void reasoningAndToolCallsStandApart();
    void htmlStaysText();
    void rawSaysWhatIsCut();
    void hugeAnswerStaysQuick();
    void headersFollowTheAttempt();
    void longHeadersAreWrapped();
    void nothingIsDroppedWithoutAWord();
    void headersCanBeClosed();
    void copiesCurlAndSavesJson();
    void sendsAgainTheSame();
    void hiddenPageRests();
    void paletteKnowsWhatCanBeDone();
    void everyControlHasANameAndIsReached();
    void everySceneFits_data();
    void everySceneFits();
};

void TestPlayground::aMissingKeyIsNobodysRefusal()
{
    const engine::WatchView view = scene::keyless();
    const words::Failure failure = words::failureOf(view);
    QCOMPARE(failure.title, QStringLiteral("There is no key that can be used"));
    QVERIFY(failure.did.contains(QStringLiteral("Nothing was sent")));
    QCOMPARE(words::statusOf(view).word, QStringLiteral("failed: no usable key"));
}

void TestPlayground::anEstimateIsMarked()
{
    QCOMPARE(words::cost(4'100'000, true, true), QStringLiteral("≈ $0.0041"));
    QCOMPARE(words::cost(4'100'000, true), QStringLiteral("≥ $0.0041"));
    QVERIFY(!words::cost({}, true, true).contains(QLatin1Char('0')));
}

void TestPlayground::sendsByKeyboardAndMouse()
{
    PlayDesk desk;
    QVERIFY(desk.button(QStringLiteral("Send (Ctrl+Enter)"))->isEnabled()); // the empty state's way on
    desk.user()->setFocus();
    desk.user()->setPlainText(QStringLiteral("How long is a line?"));
    desk.press(Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(desk.control.sent.size(), std::size_t(1));
    const auto& [target, request] = desk.control.sent.front();
    QCOMPARE(target.name, std::string("prod-chat"));
    QCOMPARE(request.messages.back().text, QStringLiteral("How long is a line?"));
    QCOMPARE(request.messages.front().role, std::string("system"));
    QVERIFY(request.stream && !request.sampling.temperature);
    QCOMPARE(request.sampling.maxTokens.value_or(0), 512);
    desk.press(Qt::Key_Return, Qt::ControlModifier); // one is on
    QCOMPARE(desk.control.sent.size(), std::size_t(1));
    desk.show(scene::answered());
    QCOMPARE(desk.response()->status().word, QStringLiteral("200 OK"));
    QVERIFY(desk.response()->text().startsWith(QLatin1String("Sorry to hear that")));
    desk.named<QLineEdit>(QStringLiteral("Temperature"))->setText(QStringLiteral("0.2"));
    QTest::mouseClick(desk.form()->sendButton(), Qt::LeftButton);
    QCOMPARE(desk.control.sent.size(), std::size_t(2));
    QCOMPARE(desk.control.sent.back().second.sampling.temperature.value_or(-1), 0.2);
    QCOMPARE(desk.control.forgotten, std::vector<std::uint64_t>{1});
}

void TestPlayground::cancelsByEscapeAndButton()
{
    PlayDesk desk;
    desk.user()->setFocus();
    desk.press(Qt::Key_Escape);
    QVERIFY(desk.control.cancelled.empty());
    desk.play(scene::running());
    QCOMPARE(desk.form()->sendButton()->accessibleName(), QStringLiteral("Cancel the request"));
    desk.press(Qt::Key_Escape);
    QCOMPARE(desk.control.cancelled, std::vector<std::uint64_t>{1});
    desk.show(scene::cancelled());
    QVERIFY(desk.response()->status().look == words::Look::Cancelled);
    QVERIFY(desk.response()->findChild<FailureBox*>()->isVisible());
    QCOMPARE(desk.form()->sendButton()->accessibleName(), QStringLiteral("Send the request"));
    desk.play(scene::running());
    QTest::mouseClick(desk.form()->sendButton(), Qt::LeftButton);
    QCOMPARE(desk.control.cancelled, (std::vector<std::uint64_t>{1, 2}));
}

void TestPlayground::streamsIn()
{
    PlayDesk desk;
    engine::WatchView view = scene::running();
    desk.play(view);
    QCOMPARE(desk.response()->text(), view.answer.text);
    auto* text = desk.named<QPlainTextEdit>(QStringLiteral("Answer"));
    QTextCursor cursor = text->textCursor();
    cursor.setPosition(6, QTextCursor::KeepAnchor);
    text->setTextCursor(cursor);
    view.answer.text += QStringLiteral(" a slipping pole");
    desk.control.views[1] = scene::shared(view);
    QTRY_COMPARE(desk.response()->text(), view.answer.text);               // by itself, while it runs
    QCOMPARE(text->textCursor().selectedText(), QStringLiteral("Sorry ")); // what one marks stays marked
    desk.show(scene::answered());
    QVERIFY(!isAsking(desk)); // nothing can change any more
}

void TestPlayground::failedIsNeverABlankSuccess()
{
    PlayDesk desk;
    desk.play(scene::failed());
    const auto* box = desk.response()->findChild<FailureBox*>();
    QVERIFY(box->isVisible());
    QCOMPARE(box->failure().title, QStringLiteral("503: The provider has no capacity"));
    QCOMPARE(box->failure().provider, QStringLiteral("overloaded_error: The engine is overloaded, try later"));
    QVERIFY(box->failure().did.startsWith(
        QLatin1String("Switchgear tried gpt-4.1 2 times, gemini-2.5-flash once. It waited 311")));
    QVERIFY(box->failure().did.endsWith(QLatin1String("The first tier may be back in 12 s.")));
    QVERIFY(desk.response()->status().look == words::Look::Failed);
    QCOMPARE(desk.response()->status().word, QStringLiteral("failed: 503 overloaded"));
    for (const words::Figure& figure : desk.response()->findChild<FiguresStrip*>()->figures())
        if (figure.name != QLatin1String("Total"))
            QVERIFY2(!figure.value.contains(QLatin1Char('0')), qPrintable(figure.value)); // unknown is not zero
}

void TestPlayground::partialTextIsLabelled()
{
    PlayDesk desk;
    desk.play(scene::brokenOff());
    QCOMPARE(desk.response()->text(), QStringLiteral("Sorry to hear that, four days"));
    const auto labels = desk.response()->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
        return label->isVisible() && label->text().startsWith(QLatin1String("Partial:"));
    }));
    QVERIFY(desk.response()->findChild<FailureBox*>()->failure().did.contains(
        QLatin1String("The first words were out, so nothing was tried again.")));
}

void TestPlayground::reasoningAndToolCallsStandApart()
{
    PlayDesk desk;
    desk.play(scene::tools());
    auto* reasoning = desk.named<QPlainTextEdit>(QStringLiteral("Reasoning"));
    QVERIFY(reasoning->isVisible());
    QCOMPARE(reasoning->toPlainText(), QStringLiteral("I should look the order up first."));
    QTest::mouseClick(desk.page->findChild<QToolButton*>(QStringLiteral("disclosure")), Qt::LeftButton);
    QVERIFY(!reasoning->isVisible());
    QCoreApplication::processEvents(); // layouts show what is put into them later
    QStringList cards;
    for (const QFrame* card : desk.response()->findChildren<QFrame*>(QStringLiteral("toolCall")))
        if (card->isVisible())
            cards << card->accessibleName();
    QCOMPARE(cards.size(), 2);
    QCOMPARE(cards[0], QStringLiteral("Tool call: find_order {\"order\":\"A-20417\"}"));
    desk.play(scene::answered());
    QVERIFY(!reasoning->isVisible());
}

void TestPlayground::htmlStaysText()
{
    PlayDesk desk;
    engine::WatchView view = scene::failed();
    view.record.error.message = "<img src=x onerror=alert(1)><b>bold</b>";
    view.answer.text = QStringLiteral("<h1>Not a title</h1>");
    desk.play(view);
    QCOMPARE(desk.response()->text(), view.answer.text);
    for (const QLabel* label : desk.response()->findChild<FailureBox*>()->findChildren<QLabel*>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
    QVERIFY(desk.response()->findChild<FailureBox*>()->failure().provider.contains(QLatin1String("<b>bold</b>")));
}

void TestPlayground::rawSaysWhatIsCut()
{
    PlayDesk desk;
    engine::WatchView view = scene::answered();
    view.traces.back().raw = QByteArray(256 * 1024, 'y');
    view.traces.back().rawBytes = 3'000'000;
    desk.play(view);
    segments(desk, "Answer as")->setCurrent(1);
    QVERIFY(desk.response()->raw().startsWith(QLatin1String("yyyy")));
    QVERIFY2(desk.response()->note().startsWith(QStringLiteral("The first 256 KiB of 2\u202F930 KiB.")),
             qPrintable(desk.response()->note()));
    for (const QString& line : desk.response()->raw().split(QLatin1Char('\n')))
        QVERIFY(line.size() <= 2000);
    const QString before = desk.response()->note();
    desk.show(view); // another picture of the same
    QCOMPARE(desk.response()->note(), before);
    segments(desk, "Answer as")->setCurrent(2);
    const auto* pieces = desk.named<QTableView>(QStringLiteral("Pieces of the answer"));
    QVERIFY(pieces->isVisible());
    QCOMPARE(pieces->model()->rowCount(), 148);
}

void TestPlayground::hugeAnswerStaysQuick()
{
    PlayDesk desk;
    QElapsedTimer clock;
    clock.start();
    desk.play(scene::extreme());
    QCoreApplication::processEvents();
    // A line of a million characters laid out in one piece takes minutes.
    QVERIFY2(clock.elapsed() < 10'000, qPrintable(QString::number(clock.elapsed())));
    QVERIFY(desk.response()->note().contains(QStringLiteral("262\u202F144 of 1\u202F000\u202F000 characters")));
}

void TestPlayground::headersFollowTheAttempt()
{
    PlayDesk desk;
    desk.play(scene::answered());
    const QAbstractItemModelTester tester(const_cast<RowsModel*>(&desk.headers()->model()),
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto value = [&](const char* name) {
        for (const RowsModel::Row& row : desk.headers()->model().rows())
            if (row[0].text == QLatin1String(name))
                return row[1].text;
        return QString();
    };
    QCOMPARE(value("status"), QStringLiteral("200 OK"));
    QCOMPARE(value("x-switchgear-attempts"), QStringLiteral("5"));
    QVERIFY(!value("x-switchgear-endpoint").isEmpty());
    QCOMPARE(value("x-switchgear-waited-ms"), QStringLiteral("3130"));
    QCOMPARE(value("x-switchgear-cost-usd"), QStringLiteral("0.004056"));
    QCOMPARE(value("ratelimit-requests-limit"), QStringLiteral("800"));
    QVERIFY(desk.headers()->sentence().isEmpty());
    desk.waterfall()->setFocus();
    desk.press(Qt::Key_Up);
    QCOMPARE(segments(desk, "Try")->current(), 3);
    QCOMPARE(value("status"), QStringLiteral("429"));
    QCOMPARE(desk.headers()->sentence(),
             QStringLiteral("Try 4 carried retry-after, a wait of 2 s. Switchgear waited the full 2 s."));
    segments(desk, "Try")->setCurrent(0);
    QCOMPARE(desk.waterfall()->currentIndex().row(), 0);
    segments(desk, "Headers of the")->setCurrent(1);
    QCOMPARE(value("authorization"), QStringLiteral("Bearer ***"));
    desk.play(scene::quick()); // a choice lasts for one request
    QCOMPARE(segments(desk, "Try")->current(), 0);
}

void TestPlayground::longHeadersAreWrapped()
{
    engine::WatchView view = scene::quick();
    QVERIFY(!view.traces.empty());
    const std::string value = "first" + std::string(200, 'x') + "last";
    view.traces.front().responseHeaders.emplace_back("content-security-policy", value);
    PlayDesk desk;
    desk.play(view);
    QCoreApplication::processEvents();
    QCoreApplication::processEvents(); // rows are fitted once the columns are
    auto* table = desk.headers()->findChild<QTableView*>();
    const int last = table->model()->rowCount() - 1;
    QCOMPARE(table->model()->index(last, 1).data().toString(), QString::fromStdString(value));
    QCOMPARE(table->rowHeight(0), 24); // one line is enough
    QVERIFY2(table->rowHeight(last) > 3 * table->rowHeight(0), qPrintable(QString::number(table->rowHeight(last))));
    QCOMPARE(table->model()->index(last, 1).data(Qt::ToolTipRole).toString().contains(QStringLiteral("last")), true);
    const int before = table->rowHeight(last);
    desk.window.resize(1000, 828);
    QCoreApplication::processEvents();
    QCoreApplication::processEvents();
    QVERIFY(table->rowHeight(last) >= before);
}

void TestPlayground::nothingIsDroppedWithoutAWord()
{
    engine::WatchView view = scene::quick();
    QVERIFY(!view.traces.empty());
    view.traces.front().provider = "anthropic";
    view.traces.front().leftOut = {QStringLiteral("seed"), QStringLiteral("logit_bias")};
    view.answer.warnings = {QStringLiteral("The stream ended without a finish reason")};
    PlayDesk desk;
    desk.play(view);
    QCOMPARE(desk.headers()->sentence(),
             QStringLiteral("Not sent, for anthropic has no word for it: seed, logit_bias.\n"
                            "The stream ended without a finish reason."));
}

void TestPlayground::headersCanBeClosed()
{
    PlayDesk desk;
    desk.play(scene::answered());
    QVERIFY(!desk.button(QStringLiteral("Headers"))->isVisible());
    QTest::mouseClick(desk.named<QPushButton>(QStringLiteral("Close the headers")), Qt::LeftButton);
    auto* open = desk.button(QStringLiteral("Headers"));
    QVERIFY(!desk.headers()->isVisible() && open->isVisible());
    QTest::mouseClick(open, Qt::LeftButton);
    QVERIFY(desk.headers()->isVisible() && !open->isVisible());
    QTest::mouseClick(desk.named<QPushButton>(QStringLiteral("Copy the headers")), Qt::LeftButton);
    QVERIFY(QGuiApplication::clipboard()->text().contains(QLatin1String("ratelimit-requests-limit: 800\n")));
}

void TestPlayground::copiesCurlAndSavesJson()
{
    const QTemporaryDir dir;
    PlayDesk desk;
    QVERIFY(!desk.button(QStringLiteral("Copy as curl"))->isEnabled());
    desk.play(scene::answered());
    QTest::mouseClick(desk.button(QStringLiteral("Copy as curl")), Qt::LeftButton);
    const QString curl = QGuiApplication::clipboard()->text();
    QVERIFY2(curl.startsWith(QLatin1String("curl")) && curl.contains(QLatin1String("$")), qPrintable(curl));
    QString proposed;
    desk.page->askSavePath = [&](QWidget*, const QString& name) {
        proposed = name;
        return dir.filePath(QStringLiteral("run.json"));
    };
    QTest::mouseClick(desk.button(QStringLiteral("Save as JSON…")), Qt::LeftButton);
    QVERIFY(proposed.endsWith(QLatin1String(".json")));
    QFile file(dir.filePath(QStringLiteral("run.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), engine::toJson(*desk.page->shownView()));
    desk.page->askSavePath = [&](QWidget*, const QString&) { return dir.filePath(QStringLiteral("no/such/folder")); };
    QTest::mouseClick(desk.button(QStringLiteral("Save as JSON…")), Qt::LeftButton);
    QVERIFY(desk.banner()->isVisible() && desk.banner()->text().contains(QLatin1String("was not saved")));
}

void TestPlayground::sendsAgainTheSame()
{
    PlayDesk desk;
    auto* again = desk.button(QStringLiteral("Send again"));
    QVERIFY(!again->isEnabled());
    desk.play(scene::answered());
    desk.user()->setPlainText(QStringLiteral("Something else"));
    QTest::mouseClick(again, Qt::LeftButton);
    QCOMPARE(desk.control.sent.size(), std::size_t(2));
    QCOMPARE(desk.control.sent[1].second.messages.back().text, desk.control.sent[0].second.messages.back().text);
    QVERIFY(!again->isEnabled());
}

void TestPlayground::hiddenPageRests()
{
    PlayDesk desk;
    desk.play(scene::running());
    QVERIFY(isAsking(desk));
    desk.page->hide();
    QVERIFY(!isAsking(desk));
    engine::WatchView view = scene::answered();
    desk.control.views[1] = scene::shared(view);
    desk.page->show();
    QCOMPARE(desk.response()->status().word, QStringLiteral("200 OK"));
    QCOMPARE(desk.user()->toPlainText().isEmpty(), false);
}

void TestPlayground::paletteKnowsWhatCanBeDone()
{
    PlayDesk desk;
    const auto words = [&] {
        QStringList all;
        for (const PaletteCommand& command : desk.page->paletteCommands())
            all << command.words;
        return all;
    };
    QVERIFY(words().contains(QStringLiteral("Send the prompt to all endpoints")));
    QVERIFY(!words().contains(QStringLiteral("Send the same request again")));
    desk.page->paletteCommands().front().run();
    QCOMPARE(desk.control.sent.size(), std::size_t(1));
    desk.show(scene::running());
    QCOMPARE(words().front(), QStringLiteral("Cancel the playground's request"));
    desk.show(scene::answered());
    QVERIFY(words().contains(QStringLiteral("Send the same request again")));
}

void TestPlayground::everyControlHasANameAndIsReached()
{
    PlayDesk desk;
    desk.play(scene::answered());
    QSet<const QWidget*> wanted, reached;
    for (QWidget* widget : desk.page->findChildren<QWidget*>()) {
        const bool isControl = widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus);
        if (!isControl || widget->focusProxy())
            continue;
        // In a row of segments Tab goes to the chosen one, the arrows to the others.
        const auto* button = qobject_cast<QAbstractButton*>(widget);
        if (!button || !button->group() || button->isChecked())
            wanted << widget;
        QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                 widget->metaObject()->className());
    }
    QVERIFY2(wanted.size() >= 18, qPrintable(QString::number(wanted.size())));
    desk.named<QToolButton>(QStringLiteral("Prompt as: Chat"))->setFocus();
    const QWidget* first = QApplication::focusWidget();
    QList<const QWidget*> order;
    for (int i = 0; i < 60; ++i) {
        reached << QApplication::focusWidget();
        order << QApplication::focusWidget();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        if (QApplication::focusWidget() == first)
            break;
    }
    for (const QWidget* widget : std::as_const(wanted))
        QVERIFY2(reached.contains(widget), qPrintable(widget->accessibleName() + QLatin1Char(' ') +
                                                      QLatin1String(widget->metaObject()->className())));
    // Prompt, then answer, then headers, then attempts.
    const auto place = [&](const QWidget* widget) { return order.indexOf(widget); };
    QVERIFY(place(desk.user()) < place(desk.form()->sendButton()));
    QVERIFY(place(desk.form()->sendButton()) < place(desk.named<QPlainTextEdit>(QStringLiteral("Answer"))));
    QVERIFY(place(desk.named<QPlainTextEdit>(QStringLiteral("Answer"))) < place(desk.waterfall()));
}

void TestPlayground::everySceneFits_data()
{
    QTest::addColumn<int>("scene");
    const char* names[] = {"empty",  "answered",  "running", "waiting", "failed",
                           "broken", "cancelled", "tools",   "quick",   "extreme"};
    for (int i = 0; i < 10; ++i)
        QTest::newRow(names[i]) << i;
}

void TestPlayground::everySceneFits()
{
    QFETCH(int, scene);
    engine::WatchView (*const scenes[])() = {nullptr,       scene::answered,  scene::running,   scene::waiting,
                                             scene::failed, scene::brokenOff, scene::cancelled, scene::tools,
                                             scene::quick,  scene::extreme};
    PlayDesk desk;
    const QRect before = desk.response()->geometry();
    if (scenes[scene])
        desk.play(scenes[scene]());
    QCoreApplication::processEvents();
    QCOMPARE(desk.response()->geometry(), before); // what is shown moves no panel
    for (const QSize size : {QSize(1360, 828), QSize(880, 560)}) {
        desk.page->setNarrow(size.width() < 1200);
        desk.window.resize(size);
        // Layouts within layouts say what they need one after another.
        QTRY_VERIFY(desk.window.minimumSizeHint().width() <= size.width());
        QTRY_VERIFY(desk.window.minimumSizeHint().height() <= size.height());
        desk.window.resize(size);
        QCoreApplication::processEvents();
        desk.shoot(QStringLiteral("%1-%2").arg(QLatin1String(QTest::currentDataTag())).arg(size.width()));
        QVERIFY(!desk.window.grab().isNull());
        for (const QWidget* part :
             {static_cast<QWidget*>(desk.form()->sendButton()), static_cast<QWidget*>(desk.response()),
              static_cast<QWidget*>(desk.button(QStringLiteral("Send to all endpoints")))})
            QVERIFY(desk.page->rect().contains(QRect(part->mapTo(desk.page, QPoint()), part->size())));
    }
}

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    prepareApplication(application);
    TestPlayground test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_playground.moc"
