// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/stages_text.h"
#include "core/policy/random.h"
#include "tests/support/misspelt.h"

#include <QTest>

#include <array>

using namespace sg;
using namespace load;
using std::chrono::seconds;

namespace {

std::vector<Stage> read(std::string_view text)
{
    const auto stages = parseStages(text);
    return stages ? *stages : std::vector<Stage>{};
}

class TestStagesText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyForm()
    {
        const auto stages = read("0-60s 10/s, ramp 1min to 50/s, spike 200/s for 5s, hold 30s, pause 10s, hold 1s,"
                                 "20s at 600/min, ramp 2s from 1/s to 3rps, 500ms 7200/h, hold 4s at 5/s");
        const std::vector<Stage> expected{{seconds(60), 10, 10}, {seconds(60), 10, 50}, {seconds(5), 200, 200},
                                          {seconds(30), 50, 50}, {seconds(10), 0, 0},   {seconds(1), 50, 50},
                                          {seconds(20), 10, 10}, {seconds(2), 1, 3},    {Millis(500), 2, 2},
                                          {seconds(4), 5, 5}};
        QVERIFY(stages == expected);
        QVERIFY(read("0s-1m30s 10/s, 90s-2min 20/s") ==
                (std::vector<Stage>{{seconds(90), 10, 10}, {seconds(30), 20, 20}}));
        QVERIFY(read("0-2min 10/s") == (std::vector<Stage>{{seconds(120), 10, 10}}));
    }

    void errorsKnowTheirPlace_data()
    {
        test::addMisspelt({
            {"", 0, "A stage is expected"},
            {"10/s", 2, "A time needs its unit"},
            {"0-60s 10", 8, "A rate needs its unit"},
            {"0-60s", 5, "A rate is expected"},
            {"0-60s 10/s,", 11, "A stage is expected"},
            {"0-60s 10/s 5", 11, "A comma or the end"},
            {"10-60s 10/s", 0, "has to begin at 0"},
            {"0-60s 10/s, 50-70s 5/s", 12, "has to begin at 60s"},
            {"0-0s 10/s", 0, "ends after its beginning"},
            {"ramp 60s 50/s", 9, "A ramp needs its end"},
            {"spike 5/s 5s", 10, "A spike needs its length"},
            {"hold 0s", 7, "longer than 0"},
            {"jump 5s", 0, "A stage is expected"},
            {"60s at 10/ss", 9, "A rate needs its unit"},
            {"60s at -1/s", 7, "A rate is expected"},
            {"8d at 1/s", 1, "A time needs its unit"},
            {"hold 200h", 5, "at most 7 days"},
        });
    }
    void errorsKnowTheirPlace() { test::checkMisspelt(parseStages); }

    void whatIsWrittenReadsBack()
    {
        policy::SeededRandom random(5);
        for (int round = 0; round < 1000; ++round) {
            std::vector<Stage> stages;
            for (int i = static_cast<int>(random.uniform() * 5); i >= 0; --i) {
                const double from = std::floor(random.uniform() * 1000) / 8;
                stages.push_back({Millis(1 + static_cast<int>(random.uniform() * 100'000)), from,
                                  random.uniform() < 0.5 ? from : std::floor(random.uniform() * 1000) / 8});
            }
            const auto back = parseStages(textOf(stages).toStdString());
            QVERIFY2(back && *back == stages, qPrintable(textOf(stages)));
        }
    }

    /// Whatever is written: stages, or an error at a place in the text.
    void anyText()
    {
        constexpr std::array kPieces{"ramp ", "hold ", "spike ", "60s ",     "10/s", "0-60s ", "to ", "at ", "for ",
                                     ", ",    "-",     "5",      "\xc2\xb5", "1e9",  "min",    "",    "/h",  "pause "};
        policy::SeededRandom random(8);
        for (int round = 0; round < 20'000; ++round) {
            std::string text;
            for (int i = static_cast<int>(random.uniform() * 12); i > 0; --i)
                text += kPieces[static_cast<std::size_t>(random.uniform() * kPieces.size())];
            const auto stages = parseStages(text);
            const auto sweep = parseSweep(text);
            QVERIFY(stages ? !stages->empty() : stages.error().at <= text.size());
            QVERIFY(sweep || sweep.error().at <= text.size());
            if (stages)
                QVERIFY(*parseStages(textOf(*stages).toStdString()) == *stages);
        }
    }

    void sweeps()
    {
        const auto sweep = parseSweep("1/s to 200/s each 5s by 1.25");
        QVERIFY(sweep);
        QVERIFY(*sweep == (SweepModel{1, 200, 1.25, seconds(5), Arrivals::Poisson, kMostInFlight}));
        QVERIFY(*parseSweep(" 60/min to 20/s ") ==
                (SweepModel{1, 20, 1.5, seconds(10), Arrivals::Poisson, kMostInFlight}));
        QCOMPARE(static_cast<int>(parseSweep("1/s 200/s").error().at), 4);
        QCOMPARE(static_cast<int>(parseSweep("1/s to 200/s soon").error().at), 13);
    }

    void distributions()
    {
        using Kind = stats::Distribution::Kind;
        QVERIFY(*parseDistribution("500", false) == stats::Distribution::constant(500));
        const auto range = parseDistribution("200-800", false);
        QCOMPARE(range->kind, Kind::Uniform);
        QCOMPARE(range->low, 200.0);
        QCOMPARE(range->high, 800.0);
        const auto think = parseDistribution("lognormal 2s 0.5", true);
        QCOMPARE(think->kind, Kind::Lognormal);
        QCOMPARE(think->median, 2000.0);
        QCOMPARE(think->sigma, 0.5);
        QVERIFY(!parseDistribution("800-200", false));
        QVERIFY(!parseDistribution("2", true)); // a time needs its unit
        QVERIFY(!parseDistribution("5 or so", false));
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestStagesText)
#include "tst_stages_text.moc"
