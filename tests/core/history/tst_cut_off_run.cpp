// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/cut_off_run.h"
#include "core/history/run_archive.h"
#include "core/history/run_comparison.h"
#include "core/history/sample_log.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QJsonArray>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <thread>

using namespace sg;
using namespace sg::history;

namespace {

const QDateTime kBegan(QDate(2026, 11, 30), QTime(18, 0), Qt::UTC);
constexpr int kRows = 200;

/// Takes 1 ms more than the one before; every tenth fails.
measure::Sample sampleOf(int i)
{
    measure::Sample sample;
    sample.intended = Instant(Millis(i * 10));
    sample.dispatched = sample.intended;
    sample.end = sample.intended + Millis(i + 1);
    sample.outcome = i % 10 == 9 ? measure::Outcome::Failed : measure::Outcome::Success;
    sample.attempts = 1;
    sample.costNanoUsd = 1000;
    sample.costIs = measure::CostIs::Exact;
    return sample;
}

RunRecord headerOf(const QString& id)
{
    RunRecord run;
    run.summary.id = id;
    run.summary.started = kBegan;
    run.summary.name = QStringLiteral("before the outage");
    run.summary.target = QStringLiteral("prod-chat");
    run.plan = {{QStringLiteral("chain"), QStringLiteral("prod-chat")}, {QStringLiteral("warm_up_ms"), 100}};
    return run;
}

/// What a child process of this test does: begins a run, says its id when its rows are on disk, and never ends.
int runForever(const QString& folder)
{
    const RunFiles files(folder);
    const QString id = newRunId(kBegan);
    const auto lock = files.begin(headerOf(id));
    auto log = SampleLog::create(files.requestsPathOf(id));
    for (int i = 0; i < kRows; ++i)
        log->add(sampleOf(i), Instant());
    log->waitForFile();
    QFile rows(files.requestsPathOf(id));
    rows.open(QIODevice::ReadOnly);
    while (lock && rows.readAll().count('\n') < kRows + 1 && rows.seek(0))
        std::this_thread::yield();
    std::printf("%s\n", qPrintable(id));
    std::fflush(stdout);
    std::getchar();
    return 0;
}

std::string csvOf(int rows)
{
    std::string text = csvHead();
    for (int i = 0; i < rows; ++i)
        appendCsvRow(text, sampleOf(i), Instant());
    return text;
}

void write(const QString& path, const std::string& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.data(), static_cast<qint64>(text.size()));
}

} // namespace

class TestCutOffRun : public QObject
{
    Q_OBJECT

    QString folder() const { return dir_->filePath(QStringLiteral("runs")); }
    std::unique_ptr<QTemporaryDir> dir_;

private Q_SLOTS:
    void init()
    {
        dir_ = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir().mkdir(folder()));
    }
    void cleanup() { dir_.reset(); }

    void aKilledProgramLeavesARun()
    {
        QProcess child;
        child.start(QCoreApplication::applicationFilePath(), {QStringLiteral("run-forever"), folder()});
        QVERIFY(child.waitForReadyRead(30'000));
        const QString id = QString::fromLatin1(child.readLine()).trimmed();
        QVERIFY(isRunId(id));

        RunArchive archive(folder());
        QCOMPARE(archive.list(0, 10)->total, 0); // it runs
        ::kill(static_cast<pid_t>(child.processId()), SIGKILL);
        QVERIFY(child.waitForFinished(30'000));

        const auto page = archive.list(0, 10);
        QCOMPARE(page->total, 1);
        const RunSummary summary = page->runs.front();
        QCOMPARE(summary.id, id);
        QCOMPARE(summary.verdict, kCutOff);
        QCOMPARE(summary.name, QStringLiteral("before the outage"));
        QCOMPARE(summary.target, QStringLiteral("prod-chat"));
        QCOMPARE(summary.started, kBegan);
        QCOMPARE(summary.figures.value(QLatin1String("requests")).toInt(), kRows);
        QVERIFY(!QFile::exists(archive.files().begunPathOf(id)));

        // Like any other it can be read, noted, compared and deleted.
        const RunRecord run = archive.get(id).value();
        QCOMPARE(run.plan, headerOf(id).plan);
        QVERIFY(archive.setNote(id, QStringLiteral("power cut")));
        QFile csv(archive.files().requestsPathOf(id));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        ComparedRun compared{run.report, tallyOfRows(csv, Millis(100), Nanos::max()).value()};
        QVERIFY(!compareRuns({compared, compared}).empty());
        QVERIFY(archive.remove(id));
        QCOMPARE(archive.list(0, 10)->total, 0);
        QVERIFY(QDir(folder()).entryList({id + QStringLiteral("*")}).isEmpty());
    }

    void figuresFollowFromTheRows()
    {
        const QString id = newRunId(kBegan);
        QByteArray text = QByteArray::fromStdString(csvOf(kRows));
        QBuffer csv(&text);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const QJsonObject report = cutOffRun(headerOf(id), &csv).report;
        // The 10 requests of the warm-up are not among the figures, and of each ten one failed.
        QCOMPARE(report[QLatin1String("measured")][QLatin1String("requests")].toInt(), kRows - 10);
        QCOMPARE(report[QLatin1String("succeeded")].toInt(), 171);
        QCOMPARE(report[QLatin1String("failed")].toInt(), 19);
        QCOMPARE(report[QLatin1String("success_rate")].toDouble(), 0.9);
        const double p50 = report[QLatin1String("response_ms")][QLatin1String("p50")].toDouble();
        QVERIFY2(p50 >= 104 && p50 <= 107, qPrintable(QString::number(p50))); // the 86th of 11, 12, ..., 199 ms
        QCOMPARE(report[QLatin1String("wall_ms")].toDouble(), 1990. + 200);
        QCOMPARE(report[QLatin1String("cost_usd")].toDouble(), kRows * 1000 / 1e9);
        QCOMPARE(report[QLatin1String("rows")][QLatin1String("cut_off")].toInt(), 0);
        QCOMPARE(report[QLatin1String("seconds")][QLatin1String("answered")].toArray().size(), 3);
        QCOMPARE(report[QLatin1String("verdict")][QLatin1String("result")].toString(), QStringLiteral("cut_off"));
    }

    void onlyWhatRowsTellIsSaid()
    {
        std::string text = csvHead();
        for (int i = 0; i < kRows; ++i) {
            measure::Sample sample = sampleOf(i);
            sample.outputTokens = 10;
            sample.tokensAreEstimated = i % 2 == 1;
            if (i == 20)
                sample.costIs = measure::CostIs::Estimated;
            if (i == 30)
                sample.costIs = measure::CostIs::AtLeast;
            appendCsvRow(text, sample, Instant());
        }
        const auto reportOf = [&](const char* objective) {
            RunRecord begun = headerOf(newRunId(kBegan));
            begun.plan.insert(QStringLiteral("objectives"), QJsonArray{QString::fromLatin1(objective)});
            QByteArray bytes = QByteArray::fromStdString(text);
            QBuffer csv(&bytes);
            csv.open(QIODevice::ReadOnly);
            return cutOffRun(begun, &csv).report;
        };
        const QJsonObject report = reportOf("p95<100ms");
        const auto good = [](const QJsonObject& of) {
            return of[QLatin1String("metrics")][QLatin1String("good")][QLatin1String("value")];
        };
        QCOMPARE(good(report).toDouble(), 100. * 81 / 190); // requests 10 to 98, without every tenth
        QVERIFY(report[QLatin1String("metrics")][QLatin1String("tokens")][QLatin1String("value")].isNull());
        QVERIFY(report[QLatin1String("seconds")][QLatin1String("dropped")].isNull());
        QCOMPARE(report[QLatin1String("seconds")][QLatin1String("output_tokens")][0].toInt(),
                 460); // of the even ones up to 90
        QVERIFY(report[QLatin1String("cost_usd")].isNull());
        QCOMPARE(report[QLatin1String("cost_at_least_usd")].toDouble(), (kRows - 1) * 1000 / 1e9);
        QCOMPARE(report[QLatin1String("cost_estimated_usd")].toDouble(), 1000 / 1e9);
        QVERIFY(good(reportOf("chunk_gap.p99<100ms")).isNull()); // rows have no gaps
    }

    void halfALastRowIsLeftOutAndCounted()
    {
        const QString id = newRunId(kBegan);
        const RunFiles files(folder());
        std::string text = csvOf(11);
        text.resize(text.size() - 9);
        write(files.requestsPathOf(id), text);
        RunArchive archive(folder());
        QCOMPARE(archive.list(0, 10)->total, 1);
        const QJsonObject report = archive.get(id)->report;
        QCOMPARE(report[QLatin1String("rows")][QLatin1String("written")].toInt(), 10);
        QCOMPARE(report[QLatin1String("rows")][QLatin1String("cut_off")].toInt(), 1);
        // Nobody wrote down what it was, only when it began.
        QCOMPARE(archive.get(id)->summary.started, kBegan);
        QCOMPARE(archive.get(id)->summary.verdict, kCutOff);
    }

    void aRunWithoutRowsIsOneToo()
    {
        const QString id = newRunId(kBegan);
        QVERIFY(RunFiles(folder()).begin(headerOf(id)));
        write(RunFiles(folder()).requestsPathOf(id), "intended_ms,dis");
        RunArchive archive(folder());
        QCOMPARE(archive.list(0, 10)->total, 1);
        QCOMPARE(archive.get(id)->summary.target, QStringLiteral("prod-chat"));
        QCOMPARE(archive.get(id)->report[QLatin1String("requests")].toInt(), 0);
        QVERIFY(archive.get(id)->report[QLatin1String("success_rate")].isNull());
    }

    void whatIsHalfWrittenDoesNotBreakTheList()
    {
        const RunFiles files(folder());
        RunArchive archive(folder());
        RunRecord fine = headerOf(newRunId(kBegan.addSecs(1)));
        fine.summary.started = kBegan.addSecs(1);
        QVERIFY(archive.save(fine));
        write(files.pathOf(newRunId(kBegan)), "{\"format\":\"switchgear-run/1\",\"id\":\"2026");
        write(files.begunPathOf(newRunId(kBegan)), "{\"form");
        RunArchive fresh(folder());
        const auto page = fresh.list(0, 10);
        QCOMPARE(page->total, 2); // the whole one, and the one that at least began
        QCOMPARE(page->runs.front().id, fine.summary.id);
        QVERIFY(!fresh.state().fault);
    }

    void readingEndsWhenItIsToldTo()
    {
        RunArchive archive(folder());
        const QString id = newRunId(kBegan);
        write(archive.files().requestsPathOf(id), csvOf(3));
        int asked = 0;
        archive.stopWhen([&] { return ++asked > 1; }); // after the first block
        QCOMPARE(archive.list(0, 10)->total, 0);
        QVERIFY(asked > 1);
        archive.stopWhen({});
        QCOMPARE(archive.list(0, 10)->total, 1);
        QCOMPARE(archive.get(id)->report[QLatin1String("requests")].toInt(), 3);
    }

    void anEndedRunIsNotCutOff()
    {
        RunArchive archive(folder());
        const RunRecord run = headerOf(newRunId(kBegan));
        {
            const auto lock = archive.files().begin(run);
            QVERIFY(lock);
            write(archive.files().requestsPathOf(run.summary.id), csvOf(3));
            QVERIFY(archive.files().cutOffIds().isEmpty());
            QVERIFY(archive.save(run));
        }
        QCOMPARE(archive.list(0, 10)->runs.front().verdict, QString());
        QVERIFY(!QFile::exists(archive.files().begunPathOf(run.summary.id)));
    }
};

int main(int argc, char* argv[])
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == QLatin1String("run-forever"))
        return runForever(arguments.value(2));
    TestCutOffRun test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_cut_off_run.moc"
