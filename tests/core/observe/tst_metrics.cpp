// SPDX-License-Identifier: GPL-3.0-or-later
// What is counted for Prometheus, and that both text formats say so in a form that strict readers take.
#include "core/observe/metric_store.h"
#include "tests/core/observe/metric_traffic.h"
#include "tests/support/literals.h"
#include "tests/support/promtool.h"

#include <QtTest/QtTest>

using namespace sg;
using namespace sg::test;
using namespace sg::observe;

namespace {

QString faultsOf(const Exposed& page)
{
    return page.faults.join(QLatin1Char('\n'));
}

QString sampleName(const MetricInfo& info)
{
    return QString::fromLatin1(info.prometheus) + QString::fromLatin1(sampleSuffix(info.kind));
}

const MetricInfo* infoNamed(const QString& family)
{
    for (const MetricInfo& info : metricTable())
        if (family == QLatin1String(info.prometheus))
            return &info;
    return nullptr;
}

Labels genAi(const QString& endpoint, const Labels& more = {})
{
    Labels labels{{QStringLiteral("gen_ai_operation_name"), QStringLiteral("chat")},
                  {QStringLiteral("switchgear_endpoint"), endpoint}};
    const bool one = endpoint == QLatin1String("one");
    labels[QStringLiteral("gen_ai_provider_name")] = one ? QStringLiteral("mistral_ai") : QStringLiteral("openai");
    labels[QStringLiteral("gen_ai_request_model")] = one ? QStringLiteral("large") : QStringLiteral("gpt \"x\"\\y\nz");
    labels[QStringLiteral("server_address")] = one ? QStringLiteral("api.example.com") : QStringLiteral("127.0.0.1");
    labels[QStringLiteral("server_port")] = one ? QStringLiteral("443") : QStringLiteral("8080");
    labels.insert(more);
    return labels;
}

} // namespace

#define COMPARE_VALUE(page, sample, expected, ...)                                                                     \
    do {                                                                                                               \
        const auto found = (page).value(QStringLiteral(sample), Labels{__VA_ARGS__});                                  \
        QVERIFY2(found, sample);                                                                                       \
        QCOMPARE(*found, double(expected));                                                                            \
    } while (false)

#define L(name, value)                                                                                                 \
    {                                                                                                                  \
        QStringLiteral(name), QStringLiteral(value)                                                                    \
    }

class TestMetrics : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tableFollowsTheRulesOfTranslation();
    void attemptsAreCountedUnderTheConventionsNames();
    void requestsWaitsAndMovesAreCounted();
    void moneyAndCacheAreCounted();
    void stateOfTheMomentIsShown();
    void whatHasNotHappenedIsThereAsZero();
    void gatewayIsShown();
    void embeddingsAreAnotherOperation();
    void limitsOfBucketsAreIn();
    void bothFormatsAreStrict_data();
    void bothFormatsAreStrict();
    void bothFormatsSayTheSame();
    void promtoolFindsNothing();
    void everyFamilyIsInTheTable();
    void goneEndpointsStay();
    void anotherModelHasItsOwnSeries();
    void labelSetsAreBounded();
    void hugeFiguresDoNotWrap();
    void bytesThatAreNoTextAreReplaced();
    void acceptDecides_data();
    void acceptDecides();
};

void TestMetrics::tableFollowsTheRulesOfTranslation()
{
    QCOMPARE(metricTable().size(), kMetricCount);
    QSet<QString> names;
    for (const MetricInfo& info : metricTable()) {
        const QString name = QString::fromLatin1(info.prometheus);
        QVERIFY2(!names.contains(name), info.prometheus);
        names.insert(name);
        const QString unit = QString::fromLatin1(unitSuffix(info));
        QVERIFY2(unit.isEmpty() || name.endsWith(QLatin1Char('_') + unit), info.prometheus);
        QVERIFY2(*info.help != '\0' && info.help[strlen(info.help) - 1] != '.', info.prometheus);
        QString translated = QString::fromLatin1(info.openTelemetry).replace(QLatin1Char('.'), QLatin1Char('_'));
        if (translated.isEmpty()) {
            QVERIFY2(name.startsWith(QLatin1String("process_")), info.prometheus);
            continue;
        }
        if (!unit.isEmpty() && !translated.endsWith(unit))
            translated += QLatin1Char('_') + unit;
        QCOMPARE(name, translated);
        if (info.kind == MetricKind::StateSet)
            QCOMPARE(name, QString::fromLatin1(info.labels.back()));
    }
    // No family may be called as a sample of another.
    for (const MetricInfo& info : metricTable())
        for (const char* suffix : {"_total", "_info", "_created", "_bucket", "_count", "_sum"})
            QVERIFY2(!names.contains(QString::fromLatin1(info.prometheus) + QLatin1String(suffix)), info.prometheus);
}

void TestMetrics::attemptsAreCountedUnderTheConventionsNames()
{
    MetricDesk desk;
    desk.play();
    const Exposed page = desk.read();
    const QString duration = QStringLiteral("gen_ai_client_operation_duration_seconds");
    const Labels timeout = genAi(QStringLiteral("one"), {L("error_type", "timeout")});
    QCOMPARE(page.value(duration + "_count"_L1, timeout), 1.0);
    QCOMPARE(page.value(duration + "_sum"_L1, timeout), 90.0);
    Labels upTo = timeout;
    upTo[QStringLiteral("le")] = QStringLiteral("81.92");
    QCOMPARE(page.value(duration + "_bucket"_L1, upTo), 0.0);
    QCOMPARE(page.value(duration + "_count"_L1, genAi(QStringLiteral("two"))), 1.0);
    QCOMPARE(page.value(duration + "_sum"_L1, genAi(QStringLiteral("two"))), 1.2);

    const Labels two = genAi(QStringLiteral("two"));
    QCOMPARE(page.value(QStringLiteral("gen_ai_client_operation_time_to_first_chunk_seconds_sum"), two), 0.2);
    // (1200 - 200) ms over 50 tokens after the first.
    QCOMPARE(page.value(QStringLiteral("switchgear_attempt_time_per_output_token_seconds_sum"), two), 0.02);
    const Labels input = genAi(QStringLiteral("two"), {L("gen_ai_token_type", "input")});
    QCOMPARE(page.value(QStringLiteral("gen_ai_client_token_usage_sum"), input), 100.0);
    QCOMPARE(page.value(QStringLiteral("gen_ai_client_token_usage_count"), input), 1.0);

    COMPARE_VALUE(page, "switchgear_attempts_total", 1, L("switchgear_endpoint", "two"));
    COMPARE_VALUE(page, "switchgear_attempts_total", 1, L("switchgear_endpoint", "one"),
                  L("error_type", "rate_limited"));
    COMPARE_VALUE(page, "switchgear_tokens_total", 51, L("switchgear_endpoint", "two"),
                  L("gen_ai_token_type", "output"), L("estimated", "false"));
    COMPARE_VALUE(page, "switchgear_tokens_total", 40, L("switchgear_endpoint", "two"),
                  L("gen_ai_token_type", "input_cached"), L("estimated", "false"));
    COMPARE_VALUE(page, "switchgear_tokens_total", 7, L("switchgear_endpoint", "two"), L("gen_ai_token_type", "input"),
                  L("estimated", "true"));
}

void TestMetrics::requestsWaitsAndMovesAreCounted()
{
    MetricDesk desk;
    desk.play();
    const Exposed page = desk.read();
    COMPARE_VALUE(page, "switchgear_requests_total", 1, L("switchgear_chain", "assist"), L("ending", "answered"),
                  L("source", "endpoint"));
    COMPARE_VALUE(page, "switchgear_requests_total", 1, L("switchgear_chain", "assist"), L("ending", "answered"),
                  L("source", "cache"));
    COMPARE_VALUE(page, "switchgear_requests_total", 1, L("switchgear_chain", "assist"), L("ending", "failed"));
    COMPARE_VALUE(page, "switchgear_requests_total", 1, L("ending", "cancelled"));
    COMPARE_VALUE(page, "switchgear_request_duration_seconds_sum", 90, L("switchgear_chain", "assist"),
                  L("error_type", "timeout"));
    COMPARE_VALUE(page, "switchgear_request_duration_seconds_sum", 0.002, L("switchgear_chain", "assist"),
                  L("source", "cache"));
    COMPARE_VALUE(page, "switchgear_request_duration_seconds_count", 1, L("error_type", "cancelled"));
    COMPARE_VALUE(page, "switchgear_request_time_to_first_token_seconds_sum", 0.2, L("switchgear_chain", "assist"));
    COMPARE_VALUE(page, "switchgear_wait_duration_seconds_sum", 0.5, L("switchgear_chain", "assist"),
                  L("reason", "server_hint"));
    COMPARE_VALUE(page, "switchgear_fallbacks_total", 1, L("switchgear_chain", "assist"),
                  L("switchgear_endpoint", "one"), L("reason", "attempts_used"));
    COMPARE_VALUE(page, "switchgear_requests_in_flight", 0);
}

void TestMetrics::moneyAndCacheAreCounted()
{
    MetricDesk desk;
    desk.play();
    const Exposed page = desk.read();
    COMPARE_VALUE(page, "switchgear_cost_usd_total", 0.0015, L("switchgear_chain", "assist"));
    COMPARE_VALUE(page, "switchgear_cost_estimated_usd_total", 0.0005, L("switchgear_chain", "assist"));
    COMPARE_VALUE(page, "switchgear_cache_saved_usd_total", 2, L("switchgear_chain", "assist"));
    COMPARE_VALUE(page, "switchgear_requests_unpriced_total", 1, L("switchgear_chain", "assist"));
    COMPARE_VALUE(page, "switchgear_cache_lookups_total", 1, L("switchgear_chain", "assist"), L("result", "hit"));
    COMPARE_VALUE(page, "switchgear_cache_lookups_total", 2, L("switchgear_chain", "assist"), L("result", "miss"));
    COMPARE_VALUE(page, "switchgear_cache_entries", 0, L("switchgear_chain", "assist"));
    QVERIFY(desk.page(ExpositionFormat::OpenMetrics100)
                .contains("switchgear_cost_usd_total{switchgear_chain=\"assist\"} "
                          "0.001500000\n"));
}

void TestMetrics::stateOfTheMomentIsShown()
{
    MetricDesk desk;
    desk.play();
    desk.desk.states["two"]->credential().out = true;
    desk.desk.states["two"]->keyMissing = "The variable KEY is not set";
    desk.desk.states["two"]->parkedUntil = desk.desk.now + std::chrono::seconds(5);
    const Exposed page = desk.read();
    COMPARE_VALUE(page, "switchgear_breaker_state", 1, L("switchgear_endpoint", "one"),
                  L("switchgear_breaker_state", "forced_open"));
    COMPARE_VALUE(page, "switchgear_breaker_state", 0, L("switchgear_endpoint", "one"),
                  L("switchgear_breaker_state", "closed"));
    COMPARE_VALUE(page, "switchgear_breaker_state", 1, L("switchgear_endpoint", "two"),
                  L("switchgear_breaker_state", "closed"));
    COMPARE_VALUE(page, "switchgear_breaker_transitions_total", 1, L("switchgear_endpoint", "one"),
                  L("to_state", "forced_open"), L("cause", "manual_trip"));
    const double openedAt = double(kStartUnixMs) / 1000 + toMs(desk.desk.now - instantAtMs(0)) / 1000;
    COMPARE_VALUE(page, "switchgear_breaker_opened_timestamp_seconds", openedAt, L("switchgear_endpoint", "one"));
    QVERIFY(!page.family(QStringLiteral("switchgear_breaker_next_probe_timestamp_seconds")));
    COMPARE_VALUE(page, "switchgear_endpoint_credential_out", 1, L("switchgear_endpoint", "two"));
    COMPARE_VALUE(page, "switchgear_endpoint_credential_out", 0, L("switchgear_endpoint", "one"));
    COMPARE_VALUE(page, "switchgear_endpoint_key_missing", 1, L("switchgear_endpoint", "two"));
    COMPARE_VALUE(page, "switchgear_endpoint_key_missing", 0, L("switchgear_endpoint", "one"));
    COMPARE_VALUE(page, "switchgear_endpoint_parked", 1, L("switchgear_endpoint", "two"));
    COMPARE_VALUE(page, "switchgear_endpoint_limiter_limit", 600, L("switchgear_endpoint", "one"));
    COMPARE_VALUE(page, "switchgear_chain_limiter_limit", 600, L("switchgear_chain", "assist"));
    COMPARE_VALUE(page, "switchgear_workspace_info", 1, L("workspace", "shop"), L("environment", "production"),
                  L("simulated", "true"));
    const double now = double(QDateTime::currentMSecsSinceEpoch()) / 1000;
    const auto started = page.value(QStringLiteral("process_start_time_seconds"));
#ifdef Q_OS_LINUX
    QVERIFY(started && *started <= now + 1 && *started > now - 3600);
    QVERIFY(page.value(QStringLiteral("process_resident_memory_bytes")).value_or(0) > 1e6);
    QVERIFY(page.value(QStringLiteral("process_open_fds")).value_or(0) >= 3);
    QVERIFY(page.value(QStringLiteral("process_cpu_seconds_total")).value_or(0) > 0);
#else
    Q_UNUSED(started)
    Q_UNUSED(now)
#endif
}

void TestMetrics::whatHasNotHappenedIsThereAsZero()
{
    MetricDesk desk;
    const Exposed page = desk.read();
    QCOMPARE(faultsOf(page), QString());
    COMPARE_VALUE(page, "switchgear_requests_total", 0, L("switchgear_chain", "assist"), L("ending", "failed"));
    COMPARE_VALUE(page, "switchgear_attempts_total", 0, L("switchgear_endpoint", "one"));
    COMPARE_VALUE(page, "switchgear_cost_usd_total", 0, L("switchgear_chain", "assist"));
}

void TestMetrics::gatewayIsShown()
{
    MetricDesk desk;
    const GatewayGauges gauges{7, 5, 3, 100, 20, 4, 512, 50, 2, 4096, 1, 6, 70, 80, 90, 9};
    const Exposed page =
        readExposition(desk.page(ExpositionFormat::OpenMetrics100, gauges), ExpositionFormat::OpenMetrics100);
    COMPARE_VALUE(page, "switchgear_gateway_connections", 7);
    COMPARE_VALUE(page, "switchgear_gateway_in_flight", 5);
    COMPARE_VALUE(page, "switchgear_gateway_queued", 3);
    COMPARE_VALUE(page, "switchgear_gateway_requests_total", 100);
    COMPARE_VALUE(page, "switchgear_gateway_refused_total", 20);
    COMPARE_VALUE(page, "switchgear_gateway_clients_left_total", 4);
    COMPARE_VALUE(page, "switchgear_gateway_cut_off_total", 2);
    COMPARE_VALUE(page, "switchgear_gateway_unsent_bytes", 4096);
    COMPARE_VALUE(page, "switchgear_gateway_unread_drops_total", 1);
    COMPARE_VALUE(page, "switchgear_gateway_connections_turned_away_total", 6);
    COMPARE_VALUE(page, "switchgear_gateway_arriving_bytes", 70);
    COMPARE_VALUE(page, "switchgear_gateway_arriving_limit_bytes", 80);
    COMPARE_VALUE(page, "switchgear_gateway_arriving_given_up_total", 90);
    COMPARE_VALUE(page, "switchgear_gateway_arriving_waiting", 9);
    COMPARE_VALUE(page, "switchgear_gateway_in_flight_limit", 512);
    COMPARE_VALUE(page, "switchgear_gateway_queue_limit", 50);
}

void TestMetrics::embeddingsAreAnotherOperation()
{
    MetricDesk desk;
    desk.desk.recorder.onAttemptFinished(failed("one", desk.desk.now, ErrorClass::None, Millis(40)), desk.desk.now,
                                         Operation::Embeddings);
    Labels labels = genAi(QStringLiteral("one"), {L("gen_ai_operation_name", "embeddings")});
    QCOMPARE(desk.read().value(QStringLiteral("gen_ai_client_operation_duration_seconds_count"), labels), 1.0);
}

void TestMetrics::limitsOfBucketsAreIn()
{
    MetricStore store(10);
    HistogramCell& cell = store.histogram(Metric::Waits, {"c", "limiter"});
    cell.record(Millis(10));
    cell.record(Millis(10) + Nanos(1));
    cell.record(Nanos(-5));
    ExpositionWriter writer(ExpositionFormat::OpenMetrics100);
    store.write(Metric::Waits, writer);
    const Exposed page = readExposition(writer.end(), ExpositionFormat::OpenMetrics100);
    QCOMPARE(faultsOf(page), QString());
    Labels labels{L("switchgear_chain", "c"), L("reason", "limiter"), L("le", "0.01")};
    QCOMPARE(page.value(QStringLiteral("switchgear_wait_duration_seconds_bucket"), labels), 2.0);
    labels[QStringLiteral("le")] = QStringLiteral("0.02");
    QCOMPARE(page.value(QStringLiteral("switchgear_wait_duration_seconds_bucket"), labels), 3.0);
}

void TestMetrics::bothFormatsAreStrict_data()
{
    QTest::addColumn<int>("format");
    QTest::newRow("0.0.4") << int(ExpositionFormat::Prometheus004);
    QTest::newRow("OpenMetrics") << int(ExpositionFormat::OpenMetrics100);
}

void TestMetrics::bothFormatsAreStrict()
{
    QFETCH(int, format);
    MetricDesk desk;
    desk.play();
    const Exposed page = desk.read(ExpositionFormat(format));
    QCOMPARE(faultsOf(page), QString());
    QVERIFY(page.families.size() > 30);
    // The reader does see faults.
    QByteArray broken = desk.page(ExpositionFormat(format));
    broken.replace("le=\"0.02\"", "le=\"0.005\"");
    QVERIFY(!readExposition(broken, ExpositionFormat(format)).faults.isEmpty());
}

void TestMetrics::bothFormatsSayTheSame()
{
    MetricDesk desk;
    desk.play();
    const auto samplesOf = [](const Exposed& page) {
        QStringList names;
        for (const ExposedFamily& family : page.families)
            for (const ExposedSample& sample : family.samples)
                names << sample.name + QStringList(sample.labels.values()).join(QLatin1Char('|'));
        return names;
    };
    QCOMPARE(samplesOf(desk.read(ExpositionFormat::Prometheus004)), samplesOf(desk.read()));
    // Twice the same order.
    QCOMPARE(samplesOf(desk.read()), samplesOf(desk.read()));
}

void TestMetrics::promtoolFindsNothing()
{
    if (promtool().isEmpty())
        QSKIP("promtool is not on this machine");
    MetricDesk desk;
    desk.play();
    const QByteArray page = desk.page(ExpositionFormat::Prometheus004, {7, 5, 3, 100, 20, 4, 512, 50});
    QCOMPARE(promtoolSays({QStringLiteral("check"), QStringLiteral("metrics")}, page), QString());
    // It would tell.
    QVERIFY(
        !promtoolSays({QStringLiteral("check"), QStringLiteral("metrics")}, "# TYPE a gauge\na{b=c} 1\n").isEmpty());
}

void TestMetrics::everyFamilyIsInTheTable()
{
    MetricDesk desk;
    desk.play();
    for (const ExposedFamily& family : desk.read().families) {
        const MetricInfo* info = infoNamed(family.name);
        QVERIFY2(info, qPrintable(family.name));
        QSet<QString> allowed{QStringLiteral("le")};
        for (const char* label : info->labels)
            allowed.insert(QString::fromLatin1(label));
        for (const ExposedSample& sample : family.samples)
            for (const QString& label : sample.labels.keys())
                QVERIFY2(allowed.contains(label), qPrintable(family.name + QLatin1Char(' ') + label));
    }
    for (const ExposedFamily& family : desk.read(ExpositionFormat::Prometheus004).families) {
        const auto& table = metricTable();
        QVERIFY2(std::any_of(table.begin(), table.end(),
                             [&](const MetricInfo& info) { return sampleName(info) == family.name; }),
                 qPrintable(family.name));
    }
}

void TestMetrics::goneEndpointsStay()
{
    MetricDesk desk;
    desk.play();
    desk.desk.recorder.setEndpoints({desk.desk.infos[0]});
    desk.desk.recorder.setChains({});
    // What was under way when it went still counts.
    desk.desk.recorder.onAttemptFinished(streamed("two", desk.desk.now, Millis(1), Millis(2)), desk.desk.now);
    const Exposed page = desk.read();
    COMPARE_VALUE(page, "switchgear_attempts_total", 2, L("switchgear_endpoint", "two"));
    COMPARE_VALUE(page, "switchgear_requests_total", 1, L("switchgear_chain", "assist"), L("ending", "failed"));
    QVERIFY(!page.value(QStringLiteral("switchgear_endpoint_parked"), {L("switchgear_endpoint", "two")}));
}

void TestMetrics::anotherModelHasItsOwnSeries()
{
    MetricDesk desk;
    desk.play();
    EndpointInfo other = desk.desk.infos[1];
    other.model = "next";
    desk.desk.recorder.setEndpoints({desk.desk.infos[0], other});
    desk.desk.recorder.onAttemptFinished(streamed("two", desk.desk.now, Millis(1), Millis(2)), desk.desk.now);
    const Exposed page = desk.read();
    const QString count = QStringLiteral("gen_ai_client_operation_duration_seconds_count");
    QCOMPARE(page.value(count, genAi(QStringLiteral("two"))), 1.0);
    QCOMPARE(page.value(count, genAi(QStringLiteral("two"), {L("gen_ai_request_model", "next")})), 1.0);
    COMPARE_VALUE(page, "switchgear_attempts_total", 2, L("switchgear_endpoint", "two"));
}

void TestMetrics::labelSetsAreBounded()
{
    Metrics metrics;
    const chain::ChainSpec spec;
    for (int i = 0; i < 3000; ++i) {
        chain::RunRecord run;
        run.chain = "chain " + std::to_string(i);
        run.ending = chain::Ending::Answered;
        run.source = chain::Source::Endpoint;
        chain::AttemptRecord attempt = streamed("endpoint " + std::to_string(i), run.started, Millis(1), Millis(2));
        metrics.onAttemptFinished(attempt);
        metrics.onBreaker(attempt.endpoint, {});
        run.steps.emplace_back(attempt);
        run.steps.emplace_back(chain::MoveRecord{{}, 0, attempt.endpoint, chain::MoveReason::Parked, {}});
        metrics.onRequestFinished(run, run.started, {}, &spec);
    }
    const QByteArray text = metrics.expose(ExpositionFormat::OpenMetrics100, Snapshot{}, {});
    const Exposed page = readExposition(text, ExpositionFormat::OpenMetrics100);
    QCOMPARE(faultsOf(page), QString());
    QVERIFY(page.value(QStringLiteral("switchgear_metrics_label_sets")) == double(Metrics::kMaxLabelSets));
    QVERIFY(page.value(QStringLiteral("switchgear_metrics_overflows_total")).value_or(0) > 0);
    int sets = 0;
    double requests = 0;
    for (const ExposedSample& sample : page.family(QStringLiteral("switchgear_requests"))->samples) {
        ++sets;
        requests += sample.value;
    }
    QVERIFY(sets < 2000);
    QCOMPARE(requests, 3000.0);
    QVERIFY(page.value(QStringLiteral("switchgear_requests_total"),
                       {L("switchgear_chain", "other"), L("ending", "other"), L("source", "other")})
                .value_or(0) > 1000);
}

void TestMetrics::hugeFiguresDoNotWrap()
{
    Metrics metrics;
    chain::AttemptRecord attempt = streamed("e", instantAtMs(0), Millis(1), Millis(2));
    attempt.usage.inputTokens = attempt.usage.outputTokens = INT64_MAX;
    for (int i = 0; i < 3; ++i)
        metrics.onAttemptFinished(attempt);
    const Exposed page = readExposition(metrics.expose(ExpositionFormat::OpenMetrics100, Snapshot{}, {}),
                                        ExpositionFormat::OpenMetrics100);
    QCOMPARE(faultsOf(page), QString());
    COMPARE_VALUE(page, "switchgear_tokens_total", double(INT64_MAX), L("switchgear_endpoint", "e"),
                  L("gen_ai_token_type", "input"), L("estimated", "false"));
}

void TestMetrics::bytesThatAreNoTextAreReplaced()
{
    Metrics metrics;
    metrics.onAttemptFinished(streamed("a\xff", instantAtMs(0), Millis(1), Millis(2)));
    metrics.onAttemptFinished(streamed("a\xfe", instantAtMs(0), Millis(1), Millis(2)));
    const Exposed page = readExposition(metrics.expose(ExpositionFormat::OpenMetrics100, Snapshot{}, {}),
                                        ExpositionFormat::OpenMetrics100);
    QCOMPARE(faultsOf(page), QString());
    COMPARE_VALUE(page, "switchgear_attempts_total", 2,
                  {QStringLiteral("switchgear_endpoint"), QString::fromUtf8("a\xEF\xBF\xBD")});
}

void TestMetrics::acceptDecides_data()
{
    QTest::addColumn<QByteArray>("accept");
    QTest::addColumn<bool>("open");
    QTest::newRow("none") << QByteArray() << false;
    QTest::newRow("anything") << QByteArray("*/*") << false;
    QTest::newRow("browser") << QByteArray("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8") << false;
    QTest::newRow("Prometheus 2.42") << QByteArray("application/openmetrics-text;version=1.0.0,"
                                                   "application/openmetrics-text;version=0.0.1;q=0.75,"
                                                   "text/plain;version=0.0.4;q=0.5,*/*;q=0.1")
                                     << true;
    QTest::newRow("Prometheus 3") << QByteArray("application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
                                                "application/openmetrics-text;version=0.0.1;q=0.5,"
                                                "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,"
                                                "text/plain;version=0.0.4;q=0.3,*/*;q=0.2")
                                  << true;
    QTest::newRow("only an older one") << QByteArray("application/openmetrics-text; version=0.0.1") << false;
    QTest::newRow("any version") << QByteArray("application/openmetrics-text") << true;
    QTest::newRow("quoted") << QByteArray("application/openmetrics-text; version=\"1.0.0\"") << true;
    QTest::newRow("plain wanted more") << QByteArray("application/openmetrics-text;q=0.4, text/plain;q=0.5") << false;
    QTest::newRow("equals, open first") << QByteArray("application/openmetrics-text, text/plain") << true;
    QTest::newRow("equals, plain first") << QByteArray("text/plain, application/openmetrics-text") << false;
    QTest::newRow("case and blanks") << QByteArray(" Application/OpenMetrics-Text ; Q=1 , text/plain ; q = 0.2")
                                     << true;
    QTest::newRow("not wanted") << QByteArray("application/openmetrics-text;q=0, text/plain;q=0.1") << false;
    QTest::newRow("anything but plain") << QByteArray("text/plain;q=0, */*;q=0.5") << true;
    QTest::newRow("applications") << QByteArray("application/*") << true;
    QTest::newRow("broken q") << QByteArray("application/openmetrics-text;q=much, text/plain;q=0.1") << false;
    QTest::newRow("protobuf") << QByteArray("application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily")
                              << false;
    QTest::newRow("nonsense") << QByteArray(";;,=,\"") << false;
}

void TestMetrics::acceptDecides()
{
    QFETCH(QByteArray, accept);
    QFETCH(bool, open);
    QCOMPARE(formatFor(accept) == ExpositionFormat::OpenMetrics100, open);
    QCOMPARE(contentTypeOf(formatFor(accept)).startsWith("application/openmetrics-text; version=1.0.0"), open);
}

QTEST_APPLESS_MAIN(TestMetrics)
#include "tst_metrics.moc"
