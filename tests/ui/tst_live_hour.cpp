// SPDX-License-Identifier: GPL-3.0-or-later
// FC-G01: an hour of busy traffic, in virtual time, through the recorder and the overview's charts.
#include "tests/core/observe/desk.h"
#include "tests/support/field_cases.h"
#include "ui/overview/latency_heatmap.h"
#include "ui/overview/latency_histogram.h"
#include "ui/overview/state_lanes.h"
#include "ui/widgets/tip_frame.h"

#include <QTest>
#include <QtCharts/QAreaSeries>
#include <QtCharts/QChart>
#include <QtCharts/QLineSeries>

#include <ctime>
#include <malloc.h>

using namespace sg;
using namespace sg::test;

namespace {

/// What this thread has computed: a machine that is busy with something else does not count.
double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double heapBytes()
{
    const struct mallinfo2 heap = mallinfo2();
    return static_cast<double>(heap.uordblks + heap.hblkhd);
}

struct Charts
{
    Charts()
    {
        theme.setMode(ui::ThemeMode::Dark);
        window.resize(1200, 900);
        histogram.setGeometry(0, 0, 600, 300);
        heatmap.setGeometry(600, 0, 600, 300);
        lanes.setGeometry(0, 300, 1200, 300);
        window.show();
        (void)QTest::qWaitForWindowExposed(&window);
    }
    void follow(const observe::SnapshotPtr& picture)
    {
        histogram.setSnapshot(picture);
        heatmap.setSnapshot(picture);
        lanes.setSnapshot(picture);
    }
    qsizetype mostPoints() const
    {
        qsizetype most = 0;
        for (const QAbstractSeries* series : histogram.chart()->series())
            most = std::max<qsizetype>(most, qobject_cast<const QAreaSeries*>(series)->upperSeries()->count());
        return most;
    }
    ui::ThemeContext theme;
    QWidget window;
    ui::TipFrame tip{theme, &window};
    ui::LatencyHistogram histogram{theme, &window};
    ui::LatencyHeatmap heatmap{theme, &window};
    ui::StateLanes lanes{theme, tip, &window};
};

/// One in fifty fails; answers take from 1 ms to 12 s.
void request(Desk& desk, int number)
{
    const char* endpoint = number % 3 == 0 ? "second" : "first";
    const bool fails = number % 50 == 0;
    chain::RunRecord run = desk.begin();
    run.started = desk.now - fromMs(std::exp(static_cast<double>(number * 7919 % 940) / 100));
    desk.step(run, desk.attempt(endpoint, fails ? overloaded() : provider::ErrorFacts{}, Millis(1)));
    desk.end(run, fails ? chain::Ending::Failed : chain::Ending::Answered,
             fails ? chain::Source::None : chain::Source::Endpoint, fails ? "" : endpoint);
}

} // namespace

class TestLiveHour : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void memoryIsFlatAndTheScreenKeepsUp()
    {
        const QJsonObject given = fieldCase(QStringLiteral("FC-G01.json"));
        const int rate = given[QLatin1String("rate_hz")].toInt(), seconds = given[QLatin1String("duration_s")].toInt();
        const double mostBlock = given[QLatin1String("max_ui_block_ms")].toDouble();
        const double mostGrowth = given[QLatin1String("max_memory_growth_pct")].toDouble() / 100;
        QVERIFY(rate == 200 && seconds == 3600 && mostBlock > 0 && mostGrowth > 0);
        Desk desk;
        desk.add("first", rateRule());
        desk.add("second", rateRule());
        Charts charts;
        const Instant begin = desk.now;
        double slowest = 0, heapBefore = 0;
        observe::SnapshotPtr picture;
        for (int second = 0; second < seconds; ++second) {
            for (int i = 0; i < rate; ++i) {
                desk.now = begin + std::chrono::seconds(second) + i * std::chrono::seconds(1) / rate;
                request(desk, second * rate + i);
            }
            if (second % kLooksEvery != 0)
                continue;
            picture = desk.look();
            const double before = threadMs();
            charts.follow(picture);
            if (second % kPaintsEvery == 0)
                charts.window.grab();
            slowest = std::max(slowest, threadMs() - before);
            QVERIFY(charts.mostPoints() <= 400);
            if (second == kFull)
                heapBefore = heapBytes();
        }
        picture = desk.look();
        QCOMPARE(picture->requestsTotal, std::int64_t(rate) * seconds);
        QVERIFY(picture->events.size() <= 200);
        QVERIFY2(slowest < mostBlock, qPrintable(QStringLiteral("%1 ms").arg(slowest)));
        const double growth = heapBytes() / heapBefore - 1;
        qInfo("slowest %.1f ms, heap %.2f MB, growth %.2f %%", slowest, heapBefore / 1e6, growth * 100);
        QVERIFY2(growth <= mostGrowth, qPrintable(QStringLiteral("%1 %").arg(growth * 100)));
    }

private:
    static constexpr int kLooksEvery = 5, kPaintsEvery = 60;
    static constexpr int kFull = 1200; ///< s; the window of 15 min is
};

QTEST_MAIN(TestLiveHour)
#include "tst_live_hour.moc"
