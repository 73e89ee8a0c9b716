// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_archive.h"
#include "tests/support/file_size_limit.h"
#include "tests/support/word.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QProcess>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstdio>

using namespace sg;
using namespace sg::history;
using sg::test::word;

namespace {

const QDateTime kStart(QDate(2026, 11, 30), QTime(18, 0), Qt::UTC);

RunRecord sampleRun(int second, const QString& target = QStringLiteral("main"))
{
    RunRecord run;
    run.summary.started = kStart.addSecs(second);
    run.summary.id = newRunId(run.summary.started);
    run.summary.name = QStringLiteral("run %1").arg(second);
    run.summary.target = target;
    run.summary.verdict = QStringLiteral("pass");
    run.summary.figures = {{QStringLiteral("response.p50"), 12.5}};
    run.plan = {{QStringLiteral("seed"), second}};
    run.report = {{QStringLiteral("format"), QStringLiteral("switchgear-load/2")},
                  {QStringLiteral("words"), QStringLiteral("ünïcode \"quoted\"\n")}};
    return run;
}

QStringList idsOf(const RunPage& page)
{
    QStringList ids;
    for (const RunSummary& run : page.runs)
        ids.append(run.id);
    return ids;
}

QString faultOf(const RunArchive& archive)
{
    return archive.state().fault ? archive.state().fault->words : QString();
}

/// Statements on the index as another program would run them.
class OtherProgram
{
public:
    explicit OtherProgram(const QString& folder)
        : database_(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("other")))
    {
        database_.setDatabaseName(folder + QStringLiteral("/runs.sqlite"));
        database_.open();
    }
    ~OtherProgram()
    {
        database_.close();
        database_ = QSqlDatabase();
        QSqlDatabase::removeDatabase(QStringLiteral("other"));
    }
    bool run(const QString& sql) { return QSqlQuery(database_).exec(sql); }
    QVariant ask(const QString& sql)
    {
        QSqlQuery query(database_);
        return query.exec(sql) && query.next() ? query.value(0) : QVariant();
    }

private:
    QSqlDatabase database_;
};

void overwrite(const QString& path, qint64 at, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(at) && file.write(bytes) == bytes.size());
}

/// What a child process of this test does: saves runs until it is killed or has saved `count`, and says each id.
int saveRuns(const QString& folder, int count)
{
    RunArchive archive(folder, std::chrono::seconds(20));
    for (int i = 0; i < count; ++i) {
        const RunRecord run = sampleRun(i);
        if (!archive.save(run) || archive.state().fault)
            return 1;
        std::printf("%s\n", qPrintable(run.summary.id));
        std::fflush(stdout);
    }
    return 0;
}

} // namespace

class TestRunArchive : public QObject
{
    Q_OBJECT

    QString folder() const { return dir_->filePath(QStringLiteral("history")); }
    QString indexFile() const { return folder() + QStringLiteral("/runs.sqlite"); }
    std::unique_ptr<QTemporaryDir> dir_;

private Q_SLOTS:
    void init() { dir_ = std::make_unique<QTemporaryDir>(); }
    void cleanup() { dir_.reset(); }

    void runIdsSortByTimeAndAreNoPaths()
    {
        const QString id = newRunId(kStart);
        QVERIFY(isRunId(id));
        QVERIFY(id.startsWith(QStringLiteral("20261130T180000000-")));
        QVERIFY(id < newRunId(kStart.addMSecs(1)));
        for (const QString& bad : {QString(), QStringLiteral("../x"), id + QLatin1Char('\n'), id.toUpper() + id})
            QVERIFY(!isRunId(bad));
        RunArchive archive(folder());
        QCOMPARE(word(archive.get(QStringLiteral("../../etc/passwd")).error().fault), QStringLiteral("not_found"));
        QCOMPARE(word(archive.remove(QStringLiteral("../x")).error().fault), QStringLiteral("not_found"));
        RunRecord nameless = sampleRun(1);
        nameless.summary.id = QStringLiteral("../x");
        QCOMPARE(word(archive.save(nameless).error().fault), QStringLiteral("invalid"));
    }

    void savedIsRead()
    {
        const RunRecord run = sampleRun(1);
        RunArchive archive(folder());
        QCOMPARE(archive.list(0, 10)->total, 0);
        QCOMPARE(QFile::permissions(folder()) & (QFileDevice::ReadOther | QFileDevice::ReadGroup),
                 QFileDevice::Permissions());
        QVERIFY(archive.save(run));
        QVERIFY(*archive.get(run.summary.id) == run);
        QVERIFY(archive.list(0, 10)->runs == std::vector{run.summary});
        QCOMPARE(faultOf(archive), QString());
        QCOMPARE(archive.state().runs, 1);
        RunArchive second(folder()); // and still there for the next program
        QVERIFY(*second.get(run.summary.id) == run);
        QVERIFY(*archive.files().read(run.summary.id) == run);
    }

    void pagesAreNewestFirst()
    {
        RunArchive archive(folder());
        QStringList expected;
        for (const int second : {5, 1, 9, 3, 7}) {
            const RunRecord run = sampleRun(second);
            expected.append(run.summary.id);
            QVERIFY(archive.save(run));
        }
        std::sort(expected.rbegin(), expected.rend());
        QCOMPARE(idsOf(*archive.list(0, 2)), expected.mid(0, 2));
        QCOMPARE(idsOf(*archive.list(2, 2)), expected.mid(2, 2));
        QCOMPARE(idsOf(*archive.list(4, 2)), expected.mid(4));
        QCOMPARE(archive.list(4, 2)->total, 5);
        QVERIFY(archive.list(7, 2)->runs.empty());
        QCOMPARE(idsOf(*archive.list(-3, 1)), expected.mid(0, 1));
        QVERIFY(archive.list(0, -1)->runs.empty());
    }

    void notesAndBaselinesSurviveANewIndex()
    {
        const RunRecord a = sampleRun(1), b = sampleRun(2), other = sampleRun(3, QStringLiteral("else"));
        {
            RunArchive archive(folder());
            for (const RunRecord& run : {a, b, other})
                QVERIFY(archive.save(run));
            QVERIFY(archive.setNote(a.summary.id, QStringLiteral("before the change")));
            QVERIFY(archive.setBaseline(other.summary.id, true));
            QVERIFY(archive.setBaseline(a.summary.id, true));
            QVERIFY(archive.setBaseline(b.summary.id, true)); // of one target there is one
        }
        QVERIFY(QFile::remove(indexFile()));
        RunArchive archive(folder());
        QCOMPARE(archive.get(a.summary.id)->summary.note, QStringLiteral("before the change"));
        QVERIFY(!archive.get(a.summary.id)->summary.isBaseline);
        QVERIFY(archive.get(b.summary.id)->summary.isBaseline);
        QVERIFY(archive.get(other.summary.id)->summary.isBaseline);
        QVERIFY(archive.setBaseline(b.summary.id, false));
        QVERIFY(!archive.get(b.summary.id)->summary.isBaseline);
        const QString nobody = newRunId(kStart);
        QCOMPARE(word(archive.setNote(nobody, {}).error().fault), QStringLiteral("not_found"));
        QCOMPARE(word(archive.setBaseline(nobody, true).error().fault), QStringLiteral("not_found"));
        QCOMPARE(faultOf(archive), QString());
    }

    void deletedIsGoneWithItsFiles()
    {
        const RunRecord run = sampleRun(1);
        {
            RunArchive archive(folder());
            QVERIFY(archive.save(run));
            QFile rows(archive.files().requestsPathOf(run.summary.id));
            QVERIFY(rows.open(QIODevice::WriteOnly) && rows.write("x\n") == 2);
            rows.close();
            QVERIFY(archive.remove(run.summary.id));
            QVERIFY(!rows.exists());
            QCOMPARE(word(archive.get(run.summary.id).error().fault), QStringLiteral("not_found"));
            QCOMPARE(word(archive.remove(run.summary.id).error().fault), QStringLiteral("not_found"));
        }
        QCOMPARE(RunArchive(folder()).list(0, 10)->total, 0);
    }

    void keysAreNeverWritten()
    {
        const QString key = QStringLiteral("sk-proj-") + QString(40, QLatin1Char('a'));
        RunRecord run = sampleRun(1);
        run.summary.name = run.summary.note = key;
        run.plan.insert(QStringLiteral("prompts"), QJsonArray{QJsonObject{{QStringLiteral("text"), key}}});
        run.report.insert(QStringLiteral("errors"), QJsonArray{QStringLiteral("Bearer ") + key});
        {
            RunArchive archive(folder());
            QVERIFY(archive.save(run));
            QVERIFY(archive.setNote(run.summary.id, QStringLiteral("used ") + key));
            QVERIFY(archive.get(run.summary.id)->summary.note.startsWith(QStringLiteral("used ")));
        }
        const QStringList names = QDir(folder()).entryList(QDir::Files);
        QVERIFY(names.size() >= 2);
        for (const QString& name : names) {
            QFile file(folder() + QLatin1Char('/') + name);
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(!file.readAll().contains(key.toUtf8()), qPrintable(name));
        }
        QCOMPARE(QFile::permissions(folder()) & (QFileDevice::ReadOther | QFileDevice::ReadGroup),
                 QFileDevice::Permissions());
    }

    void textThatIsNoDatabaseIsSetAside()
    {
        const RunRecord run = sampleRun(1);
        QVERIFY(RunArchive(folder()).save(run));
        QFile::remove(indexFile());
        QFile file(indexFile());
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(9000, 'x')) == 9000);
        file.close();
        {
            RunArchive archive(folder());
            QVERIFY(*archive.get(run.summary.id) == run);
            QCOMPARE(faultOf(archive), QString());
        }
        const QStringList first = QDir(folder()).entryList({QStringLiteral("*.damaged-*")});
        QCOMPARE(first.size(), 1);
        // The next one takes its place.
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(9000, 'y')) == 9000);
        file.close();
        QVERIFY(RunArchive(folder()).get(run.summary.id));
        const QStringList second = QDir(folder()).entryList({QStringLiteral("*.damaged-*")});
        QCOMPARE(second.size(), 1);
        QVERIFY(second != first);
    }

    void damageThatShowsLaterIsMended()
    {
        QStringList ids;
        {
            RunArchive archive(folder());
            for (int i = 0; i < 60; ++i) {
                RunRecord run = sampleRun(i);
                run.report.insert(QStringLiteral("long"), QString(3000, QLatin1Char('z')));
                ids.prepend(run.summary.id);
                QVERIFY(archive.save(run));
            }
        }
        // All but the first page, which opening reads.
        overwrite(indexFile(), 4096, QByteArray(static_cast<int>(QFileInfo(indexFile()).size()) - 4096, '\x7f'));
        RunArchive archive(folder());
        QCOMPARE(idsOf(*archive.list(0, 100)), ids);
        QVERIFY(archive.get(ids.last()));
        QCOMPARE(faultOf(archive), QString());
        QCOMPARE(archive.state().runs, 60);
    }

    void aRunFileThatIsNoneIsLeftAlone()
    {
        QVERIFY(RunArchive(folder()).save(sampleRun(1)));
        QFile::remove(indexFile());
        const QString path = RunFiles(folder()).pathOf(newRunId(kStart));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{\"format\":") > 0);
        file.close();
        RunArchive archive(folder());
        QCOMPARE(archive.list(0, 10)->total, 1);
        QVERIFY(file.exists());
    }

    void indexOfANewerVersionIsLeftAlone()
    {
        const RunRecord first = sampleRun(1), second = sampleRun(2);
        QVERIFY(RunArchive(folder()).save(first));
        QVERIFY(OtherProgram(folder()).run(QStringLiteral("PRAGMA user_version = 99")));
        RunArchive archive(folder());
        QVERIFY(archive.save(second));
        QCOMPARE(word(archive.state().fault->fault), QStringLiteral("newer"));
        QVERIFY(archive.state().fault->words.contains(QStringLiteral("files alone")));
        QCOMPARE(idsOf(*archive.list(0, 10)), (QStringList{second.summary.id, first.summary.id}));
        QVERIFY(*archive.get(second.summary.id) == second);
        QCOMPARE(word(archive.setNote(second.summary.id, QStringLiteral("x")).error().fault), QStringLiteral("newer"));
        QCOMPARE(OtherProgram(folder()).ask(QStringLiteral("SELECT count(*) FROM runs")).toInt(), 1);
    }

    void lockedIndexLosesNothing()
    {
        const RunRecord first = sampleRun(1), second = sampleRun(2);
        RunArchive archive(folder(), std::chrono::milliseconds(1));
        QVERIFY(archive.save(first));
        {
            OtherProgram other(folder());
            QVERIFY(other.run(QStringLiteral("BEGIN IMMEDIATE")));
            QVERIFY(archive.save(second));
            QCOMPARE(word(archive.state().fault->fault), QStringLiteral("locked"));
            QCOMPARE(word(archive.setNote(first.summary.id, QStringLiteral("x")).error().fault),
                     QStringLiteral("locked"));
            QVERIFY(*archive.get(second.summary.id) == second);
        }
        QCOMPARE(idsOf(*archive.list(0, 10)), (QStringList{second.summary.id, first.summary.id}));
        QCOMPARE(faultOf(archive), QString());
        QCOMPARE(OtherProgram(folder()).ask(QStringLiteral("SELECT count(*) FROM runs")).toInt(), 2);
    }

    void folderThatCannotBeMadeIsSaid()
    {
        QFile file(folder());
        QVERIFY(file.open(QIODevice::WriteOnly)); // a file where the folder would be
        RunArchive archive(folder());
        const auto saved = archive.save(sampleRun(1));
        QVERIFY(!saved && saved.error().words.contains(folder()) && !saved.error().remedy.isEmpty());
        QVERIFY(archive.state().fault);
        QVERIFY(archive.list(0, 10)->runs.empty());
    }

    void fullDiskIsSaidAndHurtsNothing()
    {
        const RunRecord run = sampleRun(1);
        RunArchive archive(folder());
        QVERIFY(archive.save(run));
        RunRecord large = sampleRun(2);
        large.report.insert(QStringLiteral("long"), QString(300'000, QLatin1Char('z')));
        {
            const test::FileSizeLimit limit(100'000);
            const auto saved = archive.save(large);
            QVERIFY(!saved && saved.error().words.contains(large.summary.id));
        }
        QVERIFY(*archive.get(run.summary.id) == run);
        QVERIFY(archive.save(large));
        QVERIFY(*archive.get(large.summary.id) == large);
        QCOMPARE(faultOf(archive), QString());
    }

    void killedInTheMiddleKeepsWhatWasSaid()
    {
        QProcess child;
        child.start(QCoreApplication::applicationFilePath(),
                    {QStringLiteral("save-runs"), folder(), QStringLiteral("1000000")});
        QStringList said;
        while (said.size() < 25 && (child.canReadLine() || child.waitForReadyRead(30'000)))
            while (child.canReadLine())
                said.append(QString::fromLatin1(child.readLine()).trimmed());
        ::kill(static_cast<pid_t>(child.processId()), SIGKILL);
        QVERIFY(child.waitForFinished(30'000));
        QVERIFY(said.size() >= 25);
        said += QString::fromLatin1(child.readAllStandardOutput()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);

        RunArchive archive(folder());
        const QStringList kept = idsOf(*archive.list(0, 500));
        for (const QString& id : said)
            QVERIFY2(archive.get(id), qPrintable(id));
        QVERIFY2(kept.size() <= said.size() + 1 || kept.size() == 500, qPrintable(QString::number(kept.size())));
        QVERIFY(archive.save(sampleRun(-5)));
        QCOMPARE(faultOf(archive), QString());
        QCOMPARE(OtherProgram(folder()).ask(QStringLiteral("PRAGMA integrity_check")).toString(), QStringLiteral("ok"));
    }

    void twoProgramsWriteAtOnce()
    {
        QProcess child[2];
        for (QProcess& process : child)
            process.start(QCoreApplication::applicationFilePath(),
                          {QStringLiteral("save-runs"), folder(), QStringLiteral("60")});
        for (QProcess& process : child) {
            QVERIFY(process.waitForFinished(60'000));
            QCOMPARE(process.exitCode(), 0);
        }
        QCOMPARE(RunArchive(folder()).list(0, 500)->total, 120);
        QCOMPARE(OtherProgram(folder()).ask(QStringLiteral("SELECT count(*) FROM runs")).toInt(), 120);
    }
};

int main(int argc, char* argv[])
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == QLatin1String("save-runs"))
        return saveRuns(arguments.value(2), arguments.value(3).toInt());
    TestRunArchive test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_run_archive.moc"
