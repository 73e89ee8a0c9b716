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

QString written(const QTemporaryDir& dir, const QString& name, const QByteArray& content)
{
    QFile file(dir.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        return {};
    return file.fileName();
}

QString factOf(const ExplanationView& view, const char* name)
{
    for (const RowsModel::Row& row : view.model().rows())
        if (row[0].text == QLatin1String(name))
            return row[1].text;
    return {};
}

constexpr const char* kLimited = "HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\n"
                                 "retry-after: 7\r\nx-api-key: sk-test-0001-aaaaaaaaaaaaaaaaaaaaaaaa\r\n\r\n"
                                 "{\"error\":{\"message\":\"Slow down\",\"type\":\"tokens\","
                                 "\"code\":\"rate_limit_exceeded\"}}";

} // namespace

/// Recorded answers on the page: read, explained, priced, put away.
class TestPlaygroundRecorded : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void droppedAnswerIsExplained();
    void explanationIsWholeAndCopied();
    void recordedAnswersArePriced();
    void cutAndEmptyAnswersAreFailures_data();
    void cutAndEmptyAnswersAreFailures();
    void unreadableFileIsABanner();
};

void TestPlaygroundRecorded::droppedAnswerIsExplained()
{
    const QTemporaryDir dir;
    PlayDesk desk;
    desk.play(scene::answered());
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(written(dir, QStringLiteral("limited.http"), kLimited))});
    QVERIFY(!desk.user()->viewport()->acceptDrops()); // it would take the file's address for text
    QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(desk.page, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(desk.page, &drop);
    QTRY_COMPARE(desk.response()->status().word, QStringLiteral("429 rate limit"));
    const words::Failure& failure = desk.response()->findChild<FailureBox*>()->failure();
    QCOMPARE(failure.title, QStringLiteral("429: Too many requests"));
    QVERIFY(failure.provider.contains(QLatin1String("Slow down")));
    QVERIFY2(failure.did.contains(QLatin1String("after 7000 ms, as the server asks")), qPrintable(failure.did));
    const auto labels = desk.response()->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
        return label->isVisible() && label->text() == QLatin1String("Recorded answer: limited.http");
    }));
    for (const RowsModel::Row& row : desk.headers()->model().rows())
        QVERIFY2(!row[1].text.contains(QLatin1String("sk-test")), qPrintable(row[1].text));
    desk.shoot(QStringLiteral("recorded-1360"));
    QVERIFY(!desk.button(QStringLiteral("Copy as curl"))->isVisible());
    QVERIFY(!desk.button(QStringLiteral("Send to all endpoints"))->isVisible());
    QVERIFY(!desk.button(QStringLiteral("Send again"))->isVisible());
    desk.user()->setFocus();
    desk.press(Qt::Key_Escape); // back
    QCOMPARE(desk.response()->status().word, QStringLiteral("200 OK"));
    QVERIFY(desk.button(QStringLiteral("Copy as curl"))->isVisible());
    desk.page->askRecorded = [&](QWidget*) {
        return written(dir, QStringLiteral("a.json"),
                       R"({"object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop",)"
                       R"("message":{"role":"assistant","content":"Hello there"}}],)"
                       R"("usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}})");
    };
    desk.press(Qt::Key_O, Qt::ControlModifier);
    QTRY_COMPARE(desk.response()->text(), QStringLiteral("Hello there"));
    QVERIFY(desk.response()->status().look == words::Look::Good);
    desk.page->send(); // a new request puts it away
    QVERIFY(desk.response()->status().look != words::Look::Good);
}

void TestPlaygroundRecorded::explanationIsWholeAndCopied()
{
    const QTemporaryDir dir;
    PlayDesk desk;
    desk.page->openRecorded(written(dir, QStringLiteral("limited.http"), kLimited));
    auto* view = desk.page->findChild<ExplanationView*>();
    QTRY_VERIFY(view->isVisible());
    QCOMPARE(factOf(*view, "Retry"), QStringLiteral("yes"));
    QCOMPARE(factOf(*view, "Breaker"), QStringLiteral("rate limited"));
    QVERIFY(factOf(*view, "Wait").contains(QLatin1String("said by retry-after")));
    QVERIFY(!factOf(*view, "For its quota group").isEmpty());
    QCOMPARE(factOf(*view, "Usage as sent"), QStringLiteral("none was sent"));
    QCOMPARE(desk.headers()->model().rowCount(), 3); // the answer's own, nothing else
    auto* table = view->findChild<QTableView*>();
    desk.page->setNarrow(true); // long words break, none is cut
    desk.window.resize(880, 560);
    QCoreApplication::processEvents();
    QVERIFY(view->isVisible() && table->isVisible());
    desk.shoot(QStringLiteral("recorded-880"));
    segments(desk, "Explanation as")->setCurrent(1);
    QVERIFY(!table->isVisible());
    const QJsonObject json = QJsonDocument::fromJson(view->json().toUtf8()).object();
    QCOMPARE(json[QLatin1String("retry_after")].toString(), QStringLiteral("7"));
    QTest::mouseClick(desk.named<QPushButton>(QStringLiteral("Copy the explanation")), Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(), view->json());
    const QString path = dir.filePath(QStringLiteral("explained.json"));
    desk.page->askSavePath = [&](QWidget*, const QString&) { return path; };
    QTest::mouseClick(desk.named<QPushButton>(QStringLiteral("Save the explanation as JSON")), Qt::LeftButton);
    QFile saved(path);
    QVERIFY(saved.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(saved.readAll()), view->json());
}

void TestPlaygroundRecorded::recordedAnswersArePriced()
{
    const QTemporaryDir dir;
    PlayDesk desk;
    const QString file =
        written(dir, QStringLiteral("a.json"),
                R"({"object":"chat.completion","model":"gpt-x","choices":[{"index":0,"finish_reason":"stop",)"
                R"("message":{"role":"assistant","content":"Hello there"}}],)"
                R"("usage":{"prompt_tokens":1000,"completion_tokens":500,"total_tokens":1500}})");
    desk.page->openRecorded(file);
    auto* view = desk.page->findChild<ExplanationView*>();
    QTRY_COMPARE(factOf(*view, "Cost"), QStringLiteral("unknown"));
    desk.page->setPrices(std::make_shared<const cost::PriceBook>(
        cost::PriceBook::load(R"({"format":"switchgear-prices/1","currency":"USD","unit":"per_1m_tokens",)"
                              R"("source":"practice","entries":[{"model":"gpt-*","input":2,"output":8}]})")
            .book));
    desk.page->openRecorded(file);
    QTRY_VERIFY2(factOf(*view, "Cost").contains(QLatin1String("practice price")), qPrintable(factOf(*view, "Cost")));
    QVERIFY(factOf(*view, "Cost").startsWith(QLatin1String("$0.006")));
    QVERIFY(factOf(*view, "Cost's basis").contains(QLatin1String("(practice)")));
    desk.shoot(QStringLiteral("recorded-priced-1360"));
}

void TestPlaygroundRecorded::cutAndEmptyAnswersAreFailures_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("said");
    QTest::newRow("truncated")
        << QByteArray("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
                      "data: {\"object\":\"chat.completion.chunk\",\"model\":\"m\",\"choices\":[{\"index\":0,"
                      "\"delta\":{\"content\":\"Hello\"}}]}\n\n")
        << QStringLiteral("cut off");
    QTest::newRow("empty") << QByteArray("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")
                           << QStringLiteral("empty");
}

void TestPlaygroundRecorded::cutAndEmptyAnswersAreFailures()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, said);
    const QTemporaryDir dir;
    PlayDesk desk;
    desk.page->openRecorded(written(dir, QStringLiteral("a.http"), content));
    QTRY_VERIFY(desk.response()->status().look == words::Look::Failed);
    const words::Failure& failure = desk.response()->findChild<FailureBox*>()->failure();
    QVERIFY2(failure.title.contains(said), qPrintable(failure.title));
    const QString fact = factOf(*desk.page->findChild<ExplanationView*>(), "Status");
    QVERIFY2(fact.contains(said), qPrintable(fact));
    desk.shoot(QStringLiteral("recorded-%1").arg(QLatin1String(QTest::currentDataTag())));
}

void TestPlaygroundRecorded::unreadableFileIsABanner()
{
    const QTemporaryDir dir;
    PlayDesk desk;
    desk.page->openRecorded(dir.filePath(QStringLiteral("missing.http")));
    QTRY_VERIFY(desk.banner()->isVisible());
    QVERIFY(desk.banner()->text().contains(QLatin1String("is not a file")));
    desk.page->openRecorded(written(dir, QStringLiteral("empty.txt"), {}));
    QTRY_VERIFY(desk.response()->status().look == words::Look::Failed);
    QVERIFY(!desk.banner()->isVisible());
}

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    prepareApplication(application);
    TestPlaygroundRecorded test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_playground_recorded.moc"
