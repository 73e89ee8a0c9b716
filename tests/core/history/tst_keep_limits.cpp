// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_archive.h"
#include "tests/support/word.h"

#include <QFile>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

using namespace sg;
using namespace sg::history;
using sg::test::word;

namespace {

const QDateTime kStart(QDate(2026, 11, 30), QTime(18, 0), Qt::UTC);

RunRecord runAt(int second)
{
    RunRecord run;
    run.summary.started = kStart.addSecs(second);
    run.summary.id = newRunId(run.summary.started);
    run.summary.name = QString::number(second);
    run.summary.target = QStringLiteral("main");
    return run;
}

QStringList namesIn(RunArchive& archive)
{
    QStringList names;
    const auto page = archive.list(0, 500);
    for (const RunSummary& run : page->runs)
        names.prepend(run.name);
    return names;
}

} // namespace

class TestKeepLimits : public QObject
{
    Q_OBJECT

    QString folder() const { return dir_->path(); }
    std::unique_ptr<QTemporaryDir> dir_;

private Q_SLOTS:
    void init() { dir_ = std::make_unique<QTemporaryDir>(); }
    void cleanup() { dir_.reset(); }

    void theOldestGoAndNeverWhatIsGuarded()
    {
        RunArchive archive(folder());
        KeepLimits limits;
        limits.runs = 4;
        QVERIFY(archive.setLimits(limits));
        std::vector<QString> ids;
        for (int i = 0; i < 4; ++i) {
            const RunRecord run = runAt(i);
            ids.push_back(run.summary.id);
            QVERIFY(archive.save(run));
            QCOMPARE(archive.state().notice, QString());
        }
        QVERIFY(archive.setNote(ids[0], QStringLiteral("keep")));
        QVERIFY(archive.setPinned(ids[1], true));
        QVERIFY(archive.setBaseline(ids[2], true));
        QFile rows(archive.files().requestsPathOf(ids[3]));
        QVERIFY(rows.open(QIODevice::WriteOnly));
        rows.close();

        // The first time it is only said.
        QVERIFY(archive.save(runAt(4)));
        QVERIFY2(archive.state().notice.contains(QStringLiteral("4 runs")), qPrintable(archive.state().notice));
        QCOMPARE(namesIn(archive).size(), 5);

        QVERIFY(archive.save(runAt(5)));
        QCOMPARE(namesIn(archive),
                 QStringList({QStringLiteral("0"), QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("5")}));
        QVERIFY(archive.state().notice.contains(QStringLiteral("oldest 2 runs were deleted")));
        QVERIFY(!rows.exists());
        // Another program is told the same, and nothing comes back from the files.
        RunArchive other(folder());
        QCOMPARE(namesIn(other).size(), 4);

        // Nothing is left that may go: it is said, and the newest stays.
        limits.runs = 2;
        QVERIFY(archive.setLimits(limits));
        QVERIFY(archive.save(runAt(6)));
        QVERIFY(archive.save(runAt(7)));
        QCOMPARE(namesIn(archive),
                 QStringList({QStringLiteral("0"), QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("7")}));
        QVERIFY2(archive.state().notice.contains(QStringLiteral("has a note or a pin")),
                 qPrintable(archive.state().notice));
    }

    void bytesCountWithTheRequests()
    {
        RunArchive archive(folder());
        KeepLimits limits;
        limits.bytes = 2'000'000;
        limits.isSaid = true;
        QVERIFY(writeLimits(folder(), limits));
        for (int i = 0; i < 4; ++i) {
            const RunRecord run = runAt(i);
            QFile rows(archive.files().requestsPathOf(run.summary.id));
            QVERIFY(rows.open(QIODevice::WriteOnly) && rows.resize(600'000));
            rows.close();
            QVERIFY(archive.save(run));
        }
        QCOMPARE(namesIn(archive), QStringList({QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("3")}));
        QVERIFY(archive.state().bytes > 1'800'000 && archive.state().bytes <= 2'000'000);
        QCOMPARE(archive.state().mostBytes, limits.bytes);
    }

    void theIndexCountsAndShrinks_data()
    {
        QTest::addColumn<bool>("isOlder");
        QTest::newRow("made now") << false;
        QTest::newRow("made before it shrank by itself") << true;
    }
    void theIndexCountsAndShrinks()
    {
        QFETCH(bool, isOlder);
        RunArchive archive(folder());
        QStringList ids;
        for (int i = 0; i < 20; ++i) {
            RunRecord run = runAt(i);
            run.report.insert(QStringLiteral("long"), QString(100'000, QLatin1Char('z')));
            ids.append(run.summary.id);
            QVERIFY(archive.save(run));
        }
        if (isOlder) {
            {
                QSqlDatabase older = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("older"));
                older.setDatabaseName(archive.files().indexPath());
                QVERIFY(older.open());
                QSqlQuery query(older);
                QVERIFY(query.exec(QStringLiteral("PRAGMA auto_vacuum = NONE")));
                QVERIFY(query.exec(QStringLiteral("VACUUM")));
            }
            QSqlDatabase::removeDatabase(QStringLiteral("older"));
        }
        QVERIFY(archive.limits());
        QVERIFY(archive.state().bytes > 4'000'000); // the files and the index
        for (int i = 0; i < 19; ++i)
            QVERIFY(archive.remove(ids[i]));
        QVERIFY(archive.limits());
        QVERIFY2(archive.state().bytes < 600'000, qPrintable(QString::number(archive.state().bytes)));
        QVERIFY(archive.get(ids[19]));
    }

    void aDamagedIndexGoesBeforeAnyRun()
    {
        RunArchive archive(folder());
        KeepLimits limits;
        limits.bytes = 2'000'000;
        limits.isSaid = true;
        QVERIFY(writeLimits(folder(), limits));
        QFile damaged(archive.files().damagedPath());
        QVERIFY(damaged.open(QIODevice::WriteOnly) && damaged.resize(3'000'000));
        damaged.close();
        QVERIFY(archive.save(runAt(0)));
        QVERIFY(archive.save(runAt(1)));
        QVERIFY(!damaged.exists());
        QCOMPARE(namesIn(archive).size(), 2);
        QCOMPARE(archive.state().notice, QString());
    }

    void whatRunsIsLeftAlone()
    {
        RunArchive archive(folder());
        KeepLimits limits;
        limits.runs = 1;
        limits.isSaid = true;
        QVERIFY(writeLimits(folder(), limits));
        const RunRecord running = runAt(0);
        const auto lock = archive.files().begin(running);
        QVERIFY(lock);
        for (int i = 1; i < 4; ++i)
            QVERIFY(archive.save(runAt(i)));
        QCOMPARE(namesIn(archive), QStringList{QStringLiteral("3")});
        QVERIFY(QFile::exists(archive.files().begunPathOf(running.summary.id)));
    }

    void limitsThatCannotBeReadDeleteNothing()
    {
        RunArchive archive(folder());
        QFile file(folder() + QStringLiteral("/limits.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"format\":\"switchgear-limits/1\",\"runs\":0");
        file.close();
        for (int i = 0; i < 3; ++i)
            QVERIFY(archive.save(runAt(i)));
        QCOMPARE(namesIn(archive).size(), 3);
        QVERIFY(archive.state().notice.contains(QStringLiteral("limits.json")));
        QCOMPARE(word(archive.limits().error().fault), QStringLiteral("damaged"));
        // Set again they are fine.
        QVERIFY(archive.setLimits(KeepLimits()));
        QCOMPARE(archive.limits()->runs, KeepLimits().runs);
        KeepLimits wrong;
        wrong.runs = 0;
        QCOMPARE(word(archive.setLimits(wrong).error().fault), QStringLiteral("invalid"));
    }

    void anOlderIndexLearnsPins()
    {
        const RunRecord run = runAt(0);
        {
            RunArchive archive(folder());
            QVERIFY(archive.save(run));
        }
        {
            QSqlDatabase older = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("older"));
            older.setDatabaseName(folder() + QStringLiteral("/runs.sqlite"));
            QVERIFY(older.open());
            QSqlQuery query(older);
            QVERIFY(query.exec(QStringLiteral("ALTER TABLE runs DROP COLUMN pinned")));
            QVERIFY(query.exec(QStringLiteral("PRAGMA user_version = 1")));
        }
        QSqlDatabase::removeDatabase(QStringLiteral("older"));
        RunArchive archive(folder());
        QCOMPARE(namesIn(archive), QStringList{QStringLiteral("0")});
        QVERIFY(!archive.state().fault);
        QVERIFY(archive.setPinned(run.summary.id, true));
        QVERIFY(archive.get(run.summary.id)->summary.isPinned);
        // The file says so too, for a new index.
        QVERIFY(archive.files().read(run.summary.id)->summary.isPinned);
    }

    void sizesInWords()
    {
        QCOMPARE(bytesText(0), QStringLiteral("0 B"));
        QCOMPARE(bytesText(5'000'000'000), QStringLiteral("5 GB"));
        QCOMPARE(bytesText(2'149'000'000), QStringLiteral("2.1 GB"));
        QCOMPARE(bytesText(999'999), QStringLiteral("1 MB"));
        QVERIFY(readBytes(QStringLiteral("2.5 GB")) == 2'500'000'000);
        QVERIFY(readBytes(QStringLiteral("500mb")) == 500'000'000);
        for (const char* bad : {"5", "-1 GB", "1e3 MB", "GB", "99999999 TB"})
            QVERIFY2(!readBytes(QLatin1String(bad)), bad);
    }
};

QTEST_GUILESS_MAIN(TestKeepLimits)
#include "tst_keep_limits.moc"
