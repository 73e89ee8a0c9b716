// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/keep_limits.h"
#include "core/history/run_files.h"
#include "core/history/sample_log.h"
#include "core/measure/metric.h"
#include "tests/support/file_size_limit.h"

#include <QBuffer>
#include <QDir>
#include <QLocale>
#include <QTemporaryDir>
#include <QTest>

#include <clocale>
#include <future>
#include <random>
#include <unistd.h>

using namespace sg;
using namespace sg::history;
using measure::Outcome;
using measure::Sample;

namespace {

const Instant kStart = instantAtMs(5'000'000);

Sample successAt(std::int64_t ms)
{
    Sample sample;
    sample.intended = kStart + Millis(ms);
    sample.dispatched = sample.intended + Nanos(1);
    sample.sent = sample.firstSent = sample.intended + Nanos(250'000);
    sample.firstToken = sample.intended + Millis(100);
    sample.lastToken = sample.intended + Millis(300);
    sample.end = sample.intended + Nanos(301'500'000);
    sample.inputTokens = 12;
    sample.outputTokens = 34;
    sample.attempts = 1;
    sample.costNanoUsd = 123'456'789;
    return sample;
}

std::string rowOf(const Sample& sample)
{
    std::string row;
    appendCsvRow(row, sample, kStart);
    return row;
}

QByteArray bytesOf(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

struct Read
{
    std::vector<Sample> samples;
    QString problem;
    bool isCutOff = false;
};

Read readAll(QByteArray text)
{
    QBuffer buffer(&text);
    buffer.open(QIODevice::ReadOnly);
    Read read;
    auto reader = SampleReader::open(buffer);
    if (!reader)
        return {{}, reader.error()};
    for (;;) {
        const auto sample = reader->next();
        if (!sample)
            read.problem = sample.error();
        if (!sample || !*sample)
            break;
        read.samples.push_back(**sample);
    }
    read.isCutOff = reader->isCutOff();
    return read;
}

QList<QList<QByteArray>> rowsOf(QByteArray text, QString* problem = nullptr)
{
    QBuffer buffer(&text);
    buffer.open(QIODevice::ReadOnly);
    CsvRows rows(buffer);
    QList<QList<QByteArray>> all;
    for (auto row = rows.next();; row = rows.next()) {
        if (!row && problem)
            *problem = row.error();
        if (!row || !*row)
            return all;
        all.append(**row);
    }
}

} // namespace

class TestSampleCsv : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rowIsPlain()
    {
        QVERIFY(csvHead().starts_with("intended_ms,dispatched_ms,first_sent_ms,sent_ms,"));
        QVERIFY(csvHead().ends_with("\r\n"));
        QCOMPARE(bytesOf(rowOf(successAt(1500))),
                 QByteArray("1500,1500.000001,1500.25,1500.25,,,1600,1800,1801.5,success,12,34,0,1,0,0,123456789,301.5,"
                            "299.75,99.75,0.25,,,,,\r\n"));
    }

    void whoAnsweredAndHowItFailedAreRead()
    {
        Sample sample = successAt(1500);
        sample.outcome = Outcome::Failed;
        sample.status = 429;
        sample.endpoint = "prod, \"eu\"";
        sample.source = "endpoint";
        sample.error = "rate_limited";
        sample.costIs = measure::CostIs::AtLeast;
        const Read read = readAll(bytesOf(csvHead() + rowOf(sample)));
        QCOMPARE(read.problem, QString());
        const Sample& back = read.samples.front();
        QCOMPARE(back.status, 429);
        QCOMPARE(back.endpoint, sample.endpoint);
        QCOMPARE(back.source, sample.source);
        QCOMPARE(back.error, sample.error);
        QVERIFY(back.costIs == measure::CostIs::AtLeast);
        sample.endpoint = "sk-abcdefgh12345678";
        QVERIFY(!bytesOf(rowOf(sample)).contains("abcdefgh"));
    }

    void numbersKnowNoLocale()
    {
        const QByteArray row = bytesOf(rowOf(successAt(1234)));
        for (const char* name : {"de_DE.UTF-8", "C.UTF-8"})
            std::setlocale(LC_ALL, name);
        QLocale::setDefault(QLocale(QLocale::German));
        QCOMPARE(bytesOf(rowOf(successAt(1234))), row);
        QCOMPARE(readAll(bytesOf(csvHead()) + row).samples.size(), std::size_t{1});
        std::setlocale(LC_ALL, "C");
        QLocale::setDefault(QLocale::c());
    }

    void whatIsWrittenIsRead()
    {
        std::mt19937_64 random(21);
        const auto some = [&](std::int64_t most) {
            return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
        };
        const auto moment = [&] { return kStart + Nanos(some(40'000'000'000'000) - 1'000'000'000); };
        const auto maybe = [&](auto make) { return some(3) == 0 ? std::nullopt : std::optional(make()); };
        std::string text = csvHead();
        std::vector<Sample> samples;
        for (int i = 0; i < 2000; ++i) {
            Sample sample;
            sample.intended = moment();
            sample.dispatched = moment();
            for (auto* at : {&sample.sent, &sample.headers, &sample.firstByte, &sample.firstToken, &sample.lastToken,
                             &sample.firstSent})
                *at = maybe(moment);
            sample.end = moment();
            sample.outcome = static_cast<Outcome>(some(measure::kOutcomeCount));
            sample.inputTokens = maybe([&] { return some(100'000); });
            sample.outputTokens = maybe([&] { return some(100'000); });
            sample.tokensAreEstimated = some(2) == 0;
            sample.attempts = static_cast<int>(some(9));
            sample.waited = Nanos(some(1'000'000'000'000));
            sample.waitedBeforeSent = Nanos(some(1'000'000'000));
            sample.costNanoUsd = maybe([&] { return some(1'000'000'000'000'000); });
            samples.push_back(sample);
            appendCsvRow(text, sample, kStart);
        }
        const Read read = readAll(bytesOf(text));
        QCOMPARE(read.problem, QString());
        QCOMPARE(read.samples.size(), samples.size());
        std::string again = csvHead();
        for (const Sample& sample : read.samples)
            appendCsvRow(again, sample, Instant());
        QVERIFY(again == text);
        for (std::size_t i = 0; i < samples.size(); ++i) {
            QVERIFY(read.samples[i].intended.time_since_epoch() == samples[i].intended - kStart);
            QVERIFY(read.samples[i].outcome == samples[i].outcome);
            QVERIFY(read.samples[i].costNanoUsd == samples[i].costNanoUsd);
            QVERIFY(measure::valueOf(read.samples[i], measure::Metric::Ttft) ==
                    measure::valueOf(samples[i], measure::Metric::Ttft));
        }
    }

    void columnsAreFoundByName()
    {
        const Read read = readAll("\xef\xbb\xbf\"outcome\",my own,end_ms,intended_ms\nfailed,\"a,b\",20.5,10\n");
        QCOMPARE(read.problem, QString());
        QCOMPARE(read.samples.size(), std::size_t{1});
        QVERIFY(read.samples[0].outcome == Outcome::Failed);
        QCOMPARE(*measure::valueOf(read.samples[0], measure::Metric::Response), 10.5);
        QVERIFY(!read.samples[0].sent);
    }

    void cutOffRowIsLeftOut()
    {
        const QByteArray whole = bytesOf(csvHead() + rowOf(successAt(1)) + rowOf(successAt(2)));
        QVERIFY(!readAll(whole).isCutOff);
        for (int cut = 2; cut < 60; ++cut) {
            const Read read = readAll(whole.chopped(cut));
            QCOMPARE(read.problem, QString());
            QCOMPARE(read.samples.size(), std::size_t{1});
            QVERIFY(read.isCutOff);
        }
    }

    void wrongFilesAreSaid()
    {
        QVERIFY(readAll("").problem.contains(QStringLiteral("intended_ms")));
        QVERIFY(readAll("intended_ms,end_ms\n1,2\n").problem.contains(QStringLiteral("outcome")));
        const QByteArray head = "intended_ms,end_ms,outcome,attempts\n";
        QCOMPARE(readAll(head + "1,2,success,1\n1,2\n").problem, QStringLiteral("line 3: 2 fields instead of 4"));
        QCOMPARE(readAll(head + "1,2,success,1\n1,2\n").samples.size(), std::size_t{1});
        for (const char* row : {"x,2,success,1", "1,,success,1", "1,2,fine,1", "1,2,success,-1", "1,\"2,5\",failed,1",
                                "nan,2,success,1", "1,inf,success,1", "1,2,success,1.5", "1,2,,1"})
            QVERIFY2(readAll(head + row + '\n').problem.startsWith(QStringLiteral("line 2: ")), row);
    }

    void recordsAsTheStandardHasThem()
    {
        using Rows = QList<QList<QByteArray>>;
        QCOMPARE(rowsOf("a,b\r\nc,d\r\n"), (Rows{{"a", "b"}, {"c", "d"}}));
        QCOMPARE(rowsOf("a,b\nc,d"), (Rows{{"a", "b"}, {"c", "d"}}));
        QCOMPARE(rowsOf("\"a\"\"b\",\"c,\r\nd\",\"\"\r\n,\r\n"), (Rows{{"a\"b", "c,\r\nd", ""}, {"", ""}}));
        QCOMPARE(rowsOf("\n\r\n\na\n\n"), (Rows{{"a"}}));
        QCOMPARE(rowsOf(""), Rows());
        QString problem;
        rowsOf("a\n\"b\nc\n", &problem);
        QVERIFY(problem.startsWith(QStringLiteral("line 2: ")));
        rowsOf("\"a\"b,c\n", &problem);
        QVERIFY(problem.startsWith(QStringLiteral("line 1: ")));
        rowsOf(QByteArray(CsvRows::kMostBytes + 5, 'x'), &problem);
        QVERIFY(problem.contains(QStringLiteral("1 MiB")));
    }

    void logWritesEverything()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("new/run.csv"));
        constexpr int kRows = 30'000;
        {
            auto log = SampleLog::create(path);
            for (int i = 0; i < kRows; ++i)
                log->add(successAt(i), kStart);
            const SampleLogEnd end = log->finish();
            QCOMPARE(end.problem, QString());
            QCOMPARE(end.written + end.dropped, kRows);
            QCOMPARE(end.dropped, 0);
            log->add(successAt(0), kStart);
            QCOMPARE(log->finish().dropped, 1);
        }
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        auto reader = SampleReader::open(file);
        QVERIFY(reader);
        int rows = 0;
        for (auto sample = reader->next(); sample && *sample; sample = reader->next())
            QVERIFY((*sample)->intended == instantAtMs(rows++));
        QCOMPARE(rows, kRows);
        QCOMPARE(QFile::permissions(path) & (QFileDevice::ReadOther | QFileDevice::ReadGroup),
                 QFileDevice::Permissions());
    }

    void nobodyWaitsForASlowDisk()
    {
        const QTemporaryDir dir;
        const RunFiles files(dir.path());
        const QString id = newRunId(QDateTime::currentDateTimeUtc());
        const QString path = files.requestsPathOf(id);
        KeepLimits limits;
        limits.bytesOfOne = 1'000'000;
        QVERIFY(writeLimits(dir.path(), limits));
        std::promise<void> goOn;
        auto log = SampleLog::createFor(files, id, [&] { goOn.get_future().wait(); });
        for (int i = 0; i < 100; ++i)
            log->add(successAt(i), kStart); // returns, though the disk does not
        log->waitForFile();
        QVERIFY(RunLock::isHeld(path));
        QVERIFY(QFileInfo(path).size() < 1000);
        goOn.set_value();
        QCOMPARE(log->finish().written, 100);
        QVERIFY(!RunLock::isHeld(path));
        auto small = SampleLog::createFor(files, id);
        small->waitForFile();
        for (int i = 0; i < 20'000; ++i)
            small->add(successAt(i), kStart);
        QVERIFY(small->finish().leftOut > 0); // the folder's limit
    }

    void whatDoesNotFitIsCounted()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("run.csv"));
        auto log = SampleLog::create(path, {.buffered = 1000}); // below what wakes the writer: nothing is taken out
        constexpr int kRows = 500;
        for (int i = 0; i < kRows; ++i)
            log->add(successAt(i), kStart);
        const SampleLogEnd end = log->finish();
        QVERIFY(end.dropped > 0);
        QCOMPARE(end.written + end.dropped, kRows);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().count('\n'), end.written + 1);
    }

    void fullDiskEndsTheLogAndNotTheRun()
    {
        const QTemporaryDir dir;
        auto log = SampleLog::create(dir.filePath(QStringLiteral("run.csv")));
        constexpr int kRows = 5000;
        SampleLogEnd end;
        {
            const test::FileSizeLimit limit(100'000);
            for (int i = 0; i < kRows; ++i)
                log->add(successAt(i), kStart);
            end = log->finish();
        }
        QVERIFY(end.problem.contains(QStringLiteral("run.csv")));
        QVERIFY(end.dropped > 0);
        QCOMPARE(end.written + end.dropped, kRows);
    }

    void aFileThatIsDeletedMeanwhileHasNoRows()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("run.csv"));
        auto log = SampleLog::create(path);
        log->waitForFile();
        log->add(successAt(0), kStart);
        QVERIFY(QFile::remove(path));
        const SampleLogEnd end = log->finish();
        QCOMPARE(end.written, 0);
        QCOMPARE(end.dropped, 1);
        QVERIFY(end.problem.contains(QStringLiteral("deleted")));
    }

    void whatCannotBeWrittenIsSaidAndCounted_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("a folder") << QStringLiteral(".");
        QTest::newRow("a file as folder") << QStringLiteral("file/run.csv");
        QTest::newRow("no permission") << QStringLiteral("locked/run.csv");
        QTest::newRow("disk full") << QStringLiteral("/dev/full");
    }
    void whatCannotBeWrittenIsSaidAndCounted()
    {
        QFETCH(QString, path);
        const QTemporaryDir dir;
        QFile file(dir.filePath(QStringLiteral("file")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QString locked = dir.filePath(QStringLiteral("locked"));
        QVERIFY(QDir().mkdir(locked));
        QVERIFY(QFile::setPermissions(locked, QFileDevice::ReadOwner | QFileDevice::ExeOwner));
        if (path.startsWith(QStringLiteral("locked")) && ::geteuid() == 0)
            path = QStringLiteral("/proc/switchgear/run.csv"); // what root may not do either
        const QString whole = path.startsWith(QLatin1Char('/')) ? path : dir.filePath(path);
        if (!QFileInfo::exists(QFileInfo(whole).absolutePath()) && path.startsWith(QStringLiteral("/dev")))
            QSKIP("no such device here");
        auto log = SampleLog::create(whole);
        log->waitForFile();
        QVERIFY(log->problem().contains(whole));
        QVERIFY(log->problem().contains(QStringLiteral("goes on")));
        for (int i = 0; i < 10; ++i)
            log->add(successAt(i), kStart);
        const SampleLogEnd end = log->finish();
        QCOMPARE(end.dropped, 10);
        QCOMPARE(end.written, 0);
        QCOMPARE(rowsJson(end).value(QLatin1String("problem")).toString(), log->problem());
        QFile::setPermissions(locked, QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    }

    void aFileHasALimit()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("run.csv"));
        constexpr int kRows = 500;
        constexpr int kMost = 20'000;
        auto log = SampleLog::create(path, {.file = kMost});
        for (int i = 0; i < kRows; ++i)
            log->add(successAt(i), kStart);
        const SampleLogEnd end = log->finish();
        QCOMPARE(end.problem, QString());
        QCOMPARE(end.dropped, 0);
        QVERIFY(end.leftOut > 0);
        QCOMPARE(end.written + end.leftOut, kRows);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.size() <= kMost);
        const QByteArray text = file.readAll();
        QVERIFY(text.endsWith("\r\n"));
        QCOMPARE(text.count('\n'), end.written + 1);
    }
};

QTEST_APPLESS_MAIN(TestSampleCsv)
#include "tst_sample_csv.moc"
