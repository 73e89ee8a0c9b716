// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_store.h"
#include "tests/support/word.h"

#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <thread>

using namespace sg;
using namespace sg::history;
using sg::test::word;

namespace {

RunRecord sampleRun(int second)
{
    RunRecord run;
    run.summary.started = QDateTime(QDate(2026, 11, 30), QTime(18, 0), Qt::UTC).addSecs(second);
    run.summary.id = newRunId(run.summary.started);
    run.summary.name = run.summary.target = run.summary.verdict = run.summary.note = QStringLiteral("x");
    return run;
}

/// Runs the event loop until the answer is there.
template <typename T, typename Ask>
HistoryResult<T> answerOf(Ask ask)
{
    std::optional<HistoryResult<T>> answer;
    ask([&](const HistoryResult<T>& result) { answer = result; });
    if (!QTest::qWaitFor([&] { return answer.has_value(); }, 20'000))
        return tl::unexpected(HistoryError{HistoryFault::Failed, QStringLiteral("no answer"), {}});
    return *answer;
}

} // namespace

class TestRunStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everythingComesBackInItsThread()
    {
        const QTemporaryDir dir;
        RunStore store(dir.path());
        const RunRecord run = sampleRun(1);
        const QString id = run.summary.id;
        bool isOver = false, isHere = false;
        store.save(run, [&](const HistoryResult<void>& result) {
            isOver = result.has_value();
            isHere = QThread::currentThread() == thread();
        });
        QVERIFY(!isOver); // after the call has returned
        QTRY_VERIFY(isOver);
        QVERIFY(isHere);
        QVERIFY(*answerOf<RunRecord>([&](auto done) { store.get(id, done); }) == run);
        QVERIFY(answerOf<void>([&](auto done) { store.setNote(id, QStringLiteral("n"), done); }));
        QVERIFY(answerOf<void>([&](auto done) { store.setBaseline(id, true, done); }));
        const auto page = answerOf<RunPage>([&](auto done) { store.list(0, 10, done); });
        QCOMPARE(page->total, 1);
        QCOMPARE(page->runs.front().note, QStringLiteral("n"));
        QVERIFY(page->runs.front().isBaseline);
        QCOMPARE(store.state().runs, 1);
        QVERIFY(store.requestsPathOf(id).endsWith(id + QStringLiteral(".csv")));
        QVERIFY(answerOf<void>([&](auto done) { store.remove(id, done); }));
        QCOMPARE(word(answerOf<RunRecord>([&](auto done) { store.get(id, done); }).error().fault),
                 QStringLiteral("not_found"));
    }

    void itsEndWaitsForWhatWasSaved()
    {
        const QTemporaryDir dir;
        int answers = 0;
        {
            RunStore store(dir.path());
            for (int i = 0; i < 40; ++i)
                store.save(sampleRun(i), [&](const HistoryResult<void>&) { ++answers; });
        }
        QCOMPARE(answers, 0); // nobody is told any more
        QCOMPARE(RunArchive(dir.path()).list(0, 100)->total, 40);
    }

    void leftItEndsInAnotherThread()
    {
        const QTemporaryDir dir;
        const QString cutOff = RunFiles(dir.path()).requestsPathOf(sampleRun(99).summary.id);
        QFile rows(cutOff);
        QVERIFY(rows.open(QIODevice::WriteOnly));
        rows.close();
        int answers = 0;
        auto* store = new RunStore(dir.path());
        store->leaveThread();
        store->save(sampleRun(1), [&](const HistoryResult<void>&) { ++answers; });
        store->list(0, 10, [&](const HistoryResult<RunPage>&) { ++answers; });
        std::thread([store] { delete store; }).join();
        QCoreApplication::processEvents();
        QCOMPARE(answers, 0);
        QCOMPARE(RunFiles(dir.path()).ids().size(), 1); // the one that was saved; the other was not read
    }

    void tooMuchIsRefused()
    {
        const QTemporaryDir dir;
        RunStore store(dir.path());
        int fine = 0, busy = 0;
        const int asked = RunStore::kMostWaiting * 8;
        for (int i = 0; i < asked; ++i)
            store.list(0, 500, [&](const HistoryResult<RunPage>& page) {
                page ? ++fine : ++busy;
                if (!page)
                    QCOMPARE(word(page.error().fault), QStringLiteral("busy"));
            });
        QTRY_COMPARE_WITH_TIMEOUT(fine + busy, asked, 60'000);
        QVERIFY(fine >= RunStore::kMostWaiting);
        QVERIFY(busy > 0);
    }

    void withoutListenerNothingIsTold()
    {
        const QTemporaryDir dir;
        RunStore store(dir.path());
        store.save(sampleRun(1), {});
        QCOMPARE(answerOf<RunPage>([&](auto done) { store.list(0, 10, done); })->total, 1);
    }
};

QTEST_GUILESS_MAIN(TestRunStore)
#include "tst_run_store.moc"
