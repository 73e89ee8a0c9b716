// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/exact_span.h"
#include "core/policy/wait_hint.h"
#include "tests/support/field_cases.h"

#include <QJsonArray>
#include <QtTest>

#include <cmath>

using namespace sg;
using test::fieldCase;

namespace {

Nanos seconds(double s)
{
    return Nanos(static_cast<std::int64_t>(std::llround(s * 1e9)));
}

policy::HeaderList headersOf(const QJsonObject& object)
{
    policy::HeaderList headers;
    for (auto field = object.constBegin(); field != object.constEnd(); ++field)
        headers.emplace_back(field.key().toStdString(), field->toString().toStdString());
    return headers;
}

policy::WaitHint hintFor(const policy::HeaderList& headers, const QDateTime& now)
{
    return policy::readWaitHint({now.toMSecsSinceEpoch(), 429, headers, {}, std::nullopt, std::chrono::hours(1)});
}

QDateTime timeIn(const QJsonObject& object)
{
    return QDateTime::fromString(object[QLatin1String("now")].toString(), Qt::ISODate);
}

void moreDurations(const QJsonObject& one)
{
    const QJsonArray more = one[QLatin1String("more")].toArray();
    QVERIFY(!more.isEmpty());
    for (const QJsonValue& row : more) {
        const auto span = policy::parseDuration(row[QLatin1String("v")].toString().toStdString());
        QVERIFY(span);
        QCOMPARE(span->ceilMs(), std::llround(row[QLatin1String("s")].toDouble() * 1000));
    }
}

} // namespace

/// Waits as servers say them, in cases met in the field.
class TestWaitHintFieldCases : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void durationsAndTwoBudgets();
    void timesOfDay();
    void sentinels();
    void retryAfterForms();
    void millisecondsFirst();
    void magnitudeDecides();
};

void TestWaitHintFieldCases::durationsAndTwoBudgets()
{
    const QJsonObject one = fieldCase(QStringLiteral("FC-C01.json"));
    const auto hint = hintFor(headersOf(one[QLatin1String("headers")].toObject()), timeIn(one));
    QVERIFY(hint.action == policy::HintAction::Wait);
    QVERIFY(hint.wait == seconds(one[QLatin1String("expect")][QLatin1String("wait_s")].toDouble()));
    QCOMPARE(hint.source, std::string("x-ratelimit-reset-requests"));
    moreDurations(one);
}

void TestWaitHintFieldCases::timesOfDay()
{
    const QJsonObject one = fieldCase(QStringLiteral("FC-C02.json"));
    const QJsonValue expect = one[QLatin1String("expect")];
    const policy::HeaderList headers = headersOf(one[QLatin1String("headers")].toObject());
    const auto hint = hintFor(headers, timeIn(one));
    QVERIFY(hint.wait == seconds(expect[QLatin1String("input_tokens")][QLatin1String("reset_s")].toDouble()));
    QCOMPARE(hint.source, std::string("anthropic-ratelimit-input-tokens-reset"));
    // The bucket of requests, were it the empty one.
    policy::HeaderList other;
    for (const auto& [name, value] : headers)
        if (name.find("requests") != std::string::npos)
            other.emplace_back(name, name.ends_with("remaining") ? "0" : value);
    QVERIFY(hintFor(other, timeIn(one)).wait ==
            seconds(expect[QLatin1String("requests")][QLatin1String("reset_s")].toDouble()));
    moreDurations(one);
}

void TestWaitHintFieldCases::sentinels()
{
    const QJsonObject one = fieldCase(QStringLiteral("FC-C03.json"));
    QCOMPARE(one[QLatin1String("expect")][QLatin1String("wait")].toString(), QStringLiteral("backoff"));
    const auto hint = hintFor(headersOf(one[QLatin1String("headers")].toObject()), QDateTime::fromMSecsSinceEpoch(0));
    QVERIFY(hint.action == policy::HintAction::Backoff);
}

void TestWaitHintFieldCases::retryAfterForms()
{
    const QJsonObject one = fieldCase(QStringLiteral("FC-C05.json"));
    const QJsonArray rows = one[QLatin1String("rows")].toArray();
    QCOMPARE(rows.size(), 6);
    for (const QJsonValue& row : rows) {
        const auto hint =
            hintFor({{"retry-after", row[QLatin1String("retry-after")].toString().toStdString()}}, timeIn(one));
        const double wait = row[QLatin1String("wait_s")].toDouble();
        // A past date is "0 s plus jitter floor": that is the own backoff, as the rules for hints say.
        QVERIFY(hint.action == (wait > 0 ? policy::HintAction::Wait : policy::HintAction::Backoff));
        QVERIFY(hint.wait == seconds(wait));
    }
}

void TestWaitHintFieldCases::millisecondsFirst()
{
    const QJsonArray rows = fieldCase(QStringLiteral("FC-C07.json"))[QLatin1String("rows")].toArray();
    QCOMPARE(rows.size(), 3);
    for (const QJsonValue& row : rows) {
        const auto hint = hintFor(headersOf(row[QLatin1String("h")].toObject()), QDateTime::fromMSecsSinceEpoch(0));
        QVERIFY(hint.wait == seconds(row[QLatin1String("wait_s")].toDouble()));
    }
}

void TestWaitHintFieldCases::magnitudeDecides()
{
    const QJsonObject one = fieldCase(QStringLiteral("FC-C09.json"));
    const QDateTime now = QDateTime::fromSecsSinceEpoch(one[QLatin1String("now_epoch")].toInteger());
    const QJsonArray rows = one[QLatin1String("rows")].toArray();
    QCOMPARE(rows.size(), 3);
    for (const QJsonValue& row : rows) {
        const auto hint =
            hintFor({{"x-ratelimit-reset", row[QLatin1String("x-ratelimit-reset")].toString().toStdString()}}, now);
        QVERIFY(hint.wait == seconds(row[QLatin1String("reset_s")].toDouble()));
    }
}

QTEST_APPLESS_MAIN(TestWaitHintFieldCases)
#include "tst_wait_hint_field_cases.moc"
