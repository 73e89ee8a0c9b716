// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/attempt_limits.h"

#include <QTest>

#include <limits>

using namespace sg;
using namespace sg::policy;
using std::chrono::seconds;

namespace {

class TestAttemptLimits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void totalByTask_data()
    {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<qint64>("maxTokens");
        QTest::addColumn<double>("ms");
        const auto row = [](const char* model, qint64 tokens, double ms) {
            QTest::addRow("%s %lld", model, tokens) << QByteArray(model) << tokens << ms;
        };
        row("gpt-4o", 100, 12000);
        row("gpt-4o", 1000, 30000);
        row("gpt-4o", 2500, 60000);
        row("gpt-4o", 4096, 60000);
        row("gpt-4o", 1, 10020);
        row("gpt-4o", 150, 13000);
        row("gpt-4o-2024-11-20", 2499, 59980);
        row("gpt-4o-mini", 500, 20000);
        row("gpt-4o-mini", 4096, 30000);
        row("gpt-4o-mini-2024-07-18", 4096, 30000);
        row("openai/gpt-4o-mini", 4096, 30000);
        row("claude-3-5-sonnet", 4096, 45000);
        row("anthropic/claude-sonnet-4.5", 1000, 30000);
        row("llama3.1", 4096, 60000);
        row("", 4096, 60000);
        row("gpt-4o", 0, 60000);
        row("gpt-4o", -5, 60000);
        row("gpt-4o", std::numeric_limits<qint64>::max(), 60000);
    }
    void totalByTask()
    {
        QFETCH(QByteArray, model);
        QFETCH(qint64, maxTokens);
        QFETCH(double, ms);
        QCOMPARE(toMs(totalFor({}, model.toStdString(), maxTokens)), ms);
    }

    void withoutALimitItIsTheBase()
    {
        QCOMPARE(totalFor({}, "gpt-4o-mini", std::nullopt), Nanos(seconds(30)));
        QCOMPARE(totalFor({seconds(7), {}, {}}, "gpt-4o-mini", std::nullopt), Nanos(seconds(7)));
    }

    void ownValuesCount()
    {
        const TaskTimeout own{seconds(100), seconds(1), seconds(3)};
        QCOMPARE(totalFor(own, "gpt-4o-mini", 500), Nanos(seconds(8)));
        QCOMPARE(totalFor(own, "gpt-4o-mini", 100000), Nanos(seconds(100)));
        const TaskTimeout longest{Nanos::max(), Nanos::max(), Nanos::max()};
        QCOMPARE(totalFor(longest, "m", std::numeric_limits<std::int64_t>::max()), Nanos::max());
    }

    void aRateIsJudgedAtTheEndOfEachWindow()
    {
        RateWatch watch({10, seconds(2)}, instantAtMs(1000));
        QCOMPARE(watch.due(), instantAtMs(3000));
        QVERIFY(!watch.isTooSlow(instantAtMs(2999))); // too early to say
        watch.add(20);
        QVERIFY(!watch.isTooSlow(instantAtMs(3000))); // just enough
        QCOMPARE(watch.due(), instantAtMs(5000));
        watch.add(19.75);
        QVERIFY(watch.isTooSlow(instantAtMs(5000)));
    }

    void aFastStartDoesNotPayForASlowEnd()
    {
        RateWatch watch({10, seconds(1)}, instantAtMs(0));
        watch.add(100000);
        QVERIFY(!watch.isTooSlow(instantAtMs(1000)));
        QVERIFY(watch.isTooSlow(instantAtMs(2000)));
    }

    void aLateQuestionDoesNotMakeItSlow()
    {
        RateWatch watch({10, seconds(1)}, instantAtMs(0));
        watch.add(10);
        QVERIFY(!watch.isTooSlow(instantAtMs(9000)));
        QCOMPARE(watch.due(), instantAtMs(10000));
    }

    void standingStillMakesTheWindowLonger()
    {
        RateWatch watch({10, seconds(1)}, instantAtMs(1000));
        watch.stoodStill(instantAtMs(1200), instantAtMs(1700));
        QCOMPARE(watch.due(), instantAtMs(2500));
        watch.stoodStill(instantAtMs(0), instantAtMs(1800)); // it began within it
        QCOMPARE(watch.due(), instantAtMs(2800));
        watch.stoodStill(instantAtMs(0), instantAtMs(100)); // over before it began
        QCOMPARE(watch.due(), instantAtMs(2800));
    }

    void nothingAtAllIsTooSlow()
    {
        RateWatch watch({0.001, seconds(1)}, instantAtMs(0));
        QVERIFY(watch.isTooSlow(instantAtMs(1000)));
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestAttemptLimits)
#include "tst_attempt_limits.moc"
