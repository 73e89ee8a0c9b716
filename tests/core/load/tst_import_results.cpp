// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/import_results.h"
#include "core/measure/tally.h"
#include "tests/support/word.h"

#include <QBuffer>
#include <QFile>
#include <QTest>

#include <cmath>

using namespace sg;
using namespace sg::load;
using measure::Metric;
using measure::Outcome;
using measure::Sample;
using sg::test::word;

namespace {

struct Read
{
    tl::expected<ImportedResults, QString> results;
    std::vector<Sample> samples;
};

Read readFrom(QIODevice& device)
{
    Read read;
    read.results = importResults(device, [&](const Sample& sample) { read.samples.push_back(sample); });
    return read;
}

Read readFile(const char* name)
{
    QFile file(QStringLiteral(SWITCHGEAR_TEST_DATA "/results/") + QLatin1String(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s cannot be opened", name);
    return readFrom(file);
}

Read readText(QByteArray text)
{
    QBuffer buffer(&text);
    buffer.open(QIODevice::ReadOnly);
    return readFrom(buffer);
}

double figureOf(const Sample& sample, Metric metric)
{
    return measure::valueOf(sample, metric).value_or(-1);
}

} // namespace

class TestImportResults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pointsOfK6()
    {
        const Read read = readFile("k6_points.json");
        QVERIFY2(read.results, qPrintable(read.results ? QString() : read.results.error()));
        QCOMPARE(word(read.results->format), QStringLiteral("k6_points"));
        QCOMPARE(read.results->requests, 3);
        QCOMPARE(figureOf(read.samples[0], Metric::Response), 250.5);
        QVERIFY(read.samples[0].outcome == Outcome::Success);
        QVERIFY(read.samples[1].outcome == Outcome::Failed);
        QVERIFY(read.samples[2].outcome == Outcome::Failed);
        QCOMPARE(toMs(read.samples[1].end - read.samples[0].end), 750.0); // another zone, the same clock
        QVERIFY(figureOf(read.samples[0], Metric::Ttft) == -1);
        QVERIFY(!read.results->notes.isEmpty());
    }

    void requestsOfInferencePerf()
    {
        const Read read = readFile("inference_perf_per_request.json");
        QVERIFY2(read.results, qPrintable(read.results ? QString() : read.results.error()));
        QCOMPARE(word(read.results->format), QStringLiteral("inference_perf"));
        QCOMPARE(read.samples.size(), std::size_t{3});
        const Sample& good = read.samples[0];
        QCOMPARE(figureOf(good, Metric::Response), 1500.0);
        QCOMPARE(figureOf(good, Metric::Ttft), 250.0);
        QCOMPARE(figureOf(good, Metric::Tpot), 250.0); // what the server counted: 5 tokens in 1 s
        QCOMPARE(figureOf(good, Metric::InputTokens), 14.0);
        QVERIFY(read.samples[1].outcome == Outcome::Failed);
        QVERIFY(read.samples[2].outcome == Outcome::CutOff);
        QVERIFY(figureOf(read.samples[2], Metric::Tpot) == -1);
        QCOMPARE(read.results->notes.size(), 1);
    }

    void rowsOfALocustFile()
    {
        const Read read = readFile("locust_rows.csv");
        QVERIFY2(read.results, qPrintable(read.results ? QString() : read.results.error()));
        QCOMPARE(word(read.results->format), QStringLiteral("rows"));
        QCOMPARE(read.samples.size(), std::size_t{2});
        QCOMPARE(figureOf(read.samples[0], Metric::Response), 100.0);
        QVERIFY(read.samples[1].outcome == Outcome::Failed);
    }

    void histogramOfLocust()
    {
        const QByteArray entry = R"({"name":"chat","method":"POST","last_request_timestamp":1790000060.5,
            "start_time":1790000000.25,"num_requests":1000,"num_none_requests":0,"num_failures":0,
            "response_times":{"8":900,"120":90,"2300":10},"num_reqs_per_sec":{},"num_fail_per_sec":{}})";
        measure::Tally tally;
        const Read read = readText('[' + entry + ']');
        QVERIFY2(read.results, qPrintable(read.results ? QString() : read.results.error()));
        QCOMPARE(word(read.results->format), QStringLiteral("locust_histogram"));
        QCOMPARE(read.results->requests, 1000);
        for (const Sample& sample : read.samples)
            tally.add(sample);
        const auto at = [&](double p) { return std::round(toMs(*tally.of(Metric::Response).percentile(p))); };
        QCOMPARE(at(50), 8.0);
        QCOMPARE(at(95), 120.0);
        QVERIFY(std::abs(at(99.5) - 2300) <= 2300.0 / 1024);
        // Two machines are put together by their counts.
        QCOMPARE(readText('[' + entry + ',' + entry + ']').results->requests, 2000);
        QByteArray failed = entry;
        failed.replace("\"num_failures\":0", "\"num_failures\":3");
        QVERIFY(readText('[' + failed + ']').results.error().contains(QStringLiteral("3 failed")));
        for (const char* wrong :
             {"{\"x\":1}", "{\"-5\":1}", "{\"5\":1.5}", "{\"5\":-1}", "{\"5\":1e12}", "{\"nan\":1}"}) {
            QByteArray odd = entry;
            odd.replace(R"({"8":900,"120":90,"2300":10})", wrong);
            QVERIFY2(readText('[' + odd + ']').results.error().contains(QStringLiteral("no time with its count")),
                     wrong);
        }
    }

    // Who does not write when a request was handed over says nothing of how late it was.
    void delaysThatNobodyWroteAreUnknown()
    {
        for (const char* file : {"k6_points.json", "locust_rows.csv"}) {
            const Read read = readFile(file);
            QVERIFY(!read.samples.empty());
            for (const Sample& sample : read.samples)
                QVERIFY2(!measure::valueOf(sample, Metric::ScheduleDelay), file);
        }
    }

    void filesOfTwoMachinesMakeOneDistribution()
    {
        // Half of the requests took 1 s and half 3 s. The average of the two p99 would be 2 s.
        measure::Tally tally;
        for (const char* seconds : {"1", "3"}) {
            QByteArray text = "intended_ms,end_ms,outcome\n";
            for (int i = 0; i < 100; ++i)
                text += QByteArray::number(i) + ',' + QByteArray::number(i + 1000 * atoi(seconds)) + ",success\n";
            for (const Sample& sample : readText(text).samples)
                tally.add(sample);
        }
        QCOMPARE(toMs(*tally.of(Metric::Response).percentile(100)), 3000.0);
        QVERIFY(toMs(*tally.of(Metric::Response).percentile(99)) > 2990);
        QVERIFY(toMs(*tally.of(Metric::Response).percentile(50)) < 1010);
    }

    void percentilesAreRefused_data()
    {
        QTest::addColumn<QString>("remedy");
        QTest::newRow("k6_summary.json") << "--out json";
        QTest::newRow("locust_stats_history.csv") << "Locust file";
        QTest::newRow("inference_perf_summary.json") << "per_request";
    }
    void percentilesAreRefused()
    {
        QFETCH(QString, remedy);
        const Read read = readFile(QTest::currentDataTag());
        QVERIFY(!read.results && read.samples.empty());
        QVERIFY2(read.results.error().contains(QStringLiteral("percentiles cannot be put together")) &&
                     read.results.error().contains(remedy),
                 qPrintable(read.results.error()));
    }

    void brokenFilesAreSaid()
    {
        for (const char* text :
             {"", "hello", "[{\"start_time\": 1}]", "[1, 2", "[{\"start_time\": 2, \"end_time\": 1}]",
              "intended_ms,end_ms,outcome\n1,2,maybe\n",
              "{\"type\":\"Point\",\"metric\":\"http_req_duration\",\"data\":{\"time\":\"soon\",\"value\":1}}\n",
              "{\"type\":\"Point\",\"metric\":\"http_req_duration\",\"data\":{\"ti"}) {
            const Read read = readText(text);
            QVERIFY2(!read.results && (read.results.error().endsWith(QLatin1Char('.')) ||
                                       read.results.error().endsWith(QLatin1Char('?'))),
                     text);
        }
    }
};

QTEST_APPLESS_MAIN(TestImportResults)
#include "tst_import_results.moc"
