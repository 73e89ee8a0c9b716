// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/spend_days.h"
#include "tests/support/field_cases.h"

#include <QDateTime>
#include <QJsonArray>
#include <QTest>

using namespace sg;
using cost::NanoDollars;
using cost::Spent;

namespace {

std::int64_t unixMs(const QString& iso)
{
    return QDateTime::fromString(iso, Qt::ISODate).toMSecsSinceEpoch();
}

QTimeZone zoneOf(const QString& name)
{
    return QTimeZone(name.toUtf8());
}

} // namespace

class TestSpendDays : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// FC-G03
    void aLocalDayIsOneDay()
    {
        const QJsonObject given = test::fieldCase(QStringLiteral("FC-G03.json"));
        const QTimeZone zone = zoneOf(given[QLatin1String("zone")].toString());
        if (!zone.isValid())
            QSKIP("this system knows no time zones");
        std::vector<Spent> entries;
        NanoDollars all;
        for (const QJsonValue& event : given[QLatin1String("events")].toArray()) {
            const auto amount = NanoDollars::fromUsd(event[QLatin1String("usd")].toDouble());
            QVERIFY(amount);
            entries.push_back({unixMs(event[QLatin1String("t")].toString()), *amount});
            all += *amount;
        }
        const auto days = cost::spendByDay(entries, zone);
        QCOMPARE(days.size(), std::size_t(3));
        const QDate day = QDate::fromString(given[QLatin1String("day")].toString(), Qt::ISODate);
        QCOMPARE(days[1].day, day);
        QVERIFY(days[1].total == NanoDollars::fromUsd(given[QLatin1String("expect_usd")].toDouble()));
        QCOMPARE(days[1].entries, 3);
        NanoDollars sum;
        for (const cost::DaySpend& each : days)
            sum += each.total;
        QVERIFY(sum == all);
        std::reverse(entries.begin(), entries.end());
        QVERIFY(cost::spendByDay(entries, zone) == days);
        QCOMPARE(cost::spendByDay(entries, QTimeZone::utc()).size(), std::size_t(2)); // other days, the same money
    }

    /// The day on which the clocks are turned has 23 or 25 hours, each of them once.
    void daysMayBeShorterAndLonger_data()
    {
        QTest::addColumn<QDate>("day");
        QTest::addColumn<int>("hours");
        QTest::newRow("forward") << QDate(2026, 3, 29) << 23;
        QTest::newRow("back") << QDate(2026, 10, 25) << 25;
    }
    void daysMayBeShorterAndLonger()
    {
        QFETCH(QDate, day);
        QFETCH(int, hours);
        const QTimeZone zone = zoneOf(QStringLiteral("Europe/Berlin"));
        if (!zone.isValid())
            QSKIP("this system knows no time zones");
        std::vector<Spent> entries;
        const std::int64_t noon = QDateTime(day, QTime(12, 0), zone).toMSecsSinceEpoch();
        for (int hour = -36; hour < 36; ++hour)
            entries.push_back({noon + hour * 3'600'000LL, NanoDollars(1)});
        std::int64_t all = 0;
        for (const cost::DaySpend& each : cost::spendByDay(entries, zone)) {
            all += each.entries;
            if (each.day == day)
                QCOMPARE(each.entries, std::int64_t(hours));
        }
        QCOMPARE(all, std::int64_t(72));
    }

    void nothingIsNoDay() { QVERIFY(cost::spendByDay({}, QTimeZone::utc()).empty()); }
};

QTEST_APPLESS_MAIN(TestSpendDays)
#include "tst_spend_days.moc"
