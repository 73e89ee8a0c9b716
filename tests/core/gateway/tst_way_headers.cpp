// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/way_headers.h"

#include <QTest>

using namespace sg;
using gateway::Way;

namespace {

chain::ChainSpec specWith(const std::string& tier)
{
    chain::ChainSpec spec;
    spec.name = "chat";
    spec.tiers.resize(2);
    spec.tiers[0].name = "not this one";
    spec.tiers[1].name = tier;
    return spec;
}

chain::RunRecord answered(const std::string& endpoint = "second")
{
    chain::RunRecord record;
    record.chain = "chat";
    record.attempts = 2;
    record.tier = 1;
    record.endpoint = endpoint;
    record.source = chain::Source::Endpoint;
    return record;
}

http::Headers headersOf(const Way& way)
{
    http::Headers headers{{"x-request-id", "id-1"}};
    gateway::addWay(headers, way);
    return headers;
}

QByteArray all(const Way& way)
{
    QByteArrayList lines;
    for (const auto& [name, value] : headersOf(way))
        lines << name + ": " + value;
    return lines.join("; ");
}

QByteArray valueOf(const Way& way, const char* name)
{
    return http::headerValue(headersOf(way), name);
}

} // namespace

class TestWayHeaders : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellTheWay()
    {
        const chain::ChainSpec spec = specWith("spare");
        chain::RunRecord record = answered();
        record.steps = {
            chain::WaitRecord{instantAtMs(0), instantAtMs(40), chain::WaitReason::Backoff, {}, {}, {}, {}},
            chain::MoveRecord{instantAtMs(41), 0, "first", chain::MoveReason::AttemptsUsed, {}},
            chain::WaitRecord{instantAtMs(50), instantAtMs(60), chain::WaitReason::Limiter, {}, {}, {}, {}}};
        Way way{record, &spec};
        way.queued = Millis(5);
        way.costNanoUsd = 1'234'567;
        QCOMPARE(all(way),
                 "x-request-id: id-1; x-switchgear-chain: chat; x-switchgear-tier: spare; "
                 "x-switchgear-endpoint: second; x-switchgear-attempts: 2; x-switchgear-waited-ms: 55; "
                 "x-switchgear-cache: none; x-switchgear-source: endpoint; x-switchgear-cost-usd: 0.001234567");
    }

    void unknownIsLeftOut()
    {
        chain::RunRecord record;
        record.chain = "chat";
        QCOMPARE(all({record}), "x-request-id: id-1; x-switchgear-chain: chat; x-switchgear-attempts: 0; "
                                "x-switchgear-waited-ms: 0; x-switchgear-cache: none");
    }

    void begunAnswers()
    {
        const chain::ChainSpec spec = specWith("spare");
        chain::RunRecord record;
        record.chain = "chat";
        record.attempts = 1;
        Way way{record, &spec};
        way.tier = 1;
        way.endpoint = "second";
        QCOMPARE(valueOf(way, "x-switchgear-tier"), QByteArray("spare"));
        QCOMPARE(valueOf(way, "x-switchgear-endpoint"), QByteArray("second"));
        QCOMPARE(valueOf(way, "x-switchgear-source"), QByteArray("endpoint"));
    }

    void sources()
    {
        chain::RunRecord record = answered();
        const auto told = [&](chain::Source source) {
            record.source = source;
            return valueOf({record}, "x-switchgear-source");
        };
        QCOMPARE(told(chain::Source::Endpoint), QByteArray("endpoint"));
        QCOMPARE(told(chain::Source::Cache), QByteArray("cache"));
        QCOMPARE(told(chain::Source::SharedCall), QByteArray("shared"));
        QCOMPARE(told(chain::Source::CannedReply), QByteArray("canned"));
    }

    void cacheWords()
    {
        chain::ChainSpec spec = specWith("spare");
        spec.cache.emplace();
        chain::RunRecord record = answered();
        QCOMPARE(valueOf({record, &spec}, "x-switchgear-cache"), QByteArray("miss"));
        record.source = chain::Source::SharedCall;
        QCOMPARE(valueOf({record, &spec}, "x-switchgear-cache"), QByteArray("shared"));
        record.source = chain::Source::Cache;
        QCOMPARE(valueOf({record, &spec}, "x-switchgear-cache"), QByteArray("hit"));
    }

    void costs()
    {
        const chain::RunRecord record = answered();
        const auto cost = [&](std::int64_t nanos, bool estimated, bool atLeast) {
            Way way{record};
            way.costNanoUsd = nanos;
            way.costIsEstimated = estimated;
            way.costIsLowerBound = atLeast;
            return valueOf(way, "x-switchgear-cost-usd") + '|' + valueOf(way, "x-switchgear-cost-note");
        };
        QCOMPARE(cost(0, false, false), QByteArray("0.000000000|"));
        QCOMPARE(cost(7, true, false), QByteArray("0.000000007|estimated"));
        QCOMPARE(cost(12'000'000'001, true, true), QByteArray("12.000000001|estimated, at-least"));
        QVERIFY(!all({record}).contains("cost"));
    }

    void everyNameIsPlainAscii_data() // FC-E08
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"模型/gpt 4", "100%", "a%20b", "Zürich", "a\r\nX-Evil: 1", "tab\there"})
            QTest::newRow(name) << QString::fromUtf8(name);
    }
    void everyNameIsPlainAscii()
    {
        QFETCH(QString, name);
        const chain::ChainSpec spec = specWith(name.toStdString());
        chain::RunRecord record = answered(name.toStdString());
        record.chain = name.toStdString();
        Way way{record, &spec};
        way.leftOut = {name};
        for (const auto& [header, value] : headersOf(way))
            QVERIFY2(std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c < 0x7f; }),
                     value.constData());
        for (const char* header : {"x-switchgear-chain", "x-switchgear-tier", "x-switchgear-endpoint"})
            QCOMPARE(QString::fromUtf8(QByteArray::fromPercentEncoding(valueOf(way, header))), name);
    }

    void leftOutFields()
    {
        const chain::RunRecord record = answered();
        Way way{record};
        way.leftOut = {QStringLiteral("seed"), QStringLiteral("messages[].name")};
        QCOMPARE(valueOf(way, "x-switchgear-left-out"), QByteArray("seed, messages[].name"));
    }
};

QTEST_APPLESS_MAIN(TestWayHeaders)
#include "tst_way_headers.moc"
