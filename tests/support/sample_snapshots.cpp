// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sample_snapshots.h"

#include <QDateTime>
#include <QRandomGenerator>

#include <cmath>
#include <limits>

namespace sg::test {

using namespace sg::observe;
using policy::BreakerState;
using provider::ErrorClass;

namespace {

constexpr std::int64_t kSecond = 1000, kMinute = 60 * kSecond, kHour = 60 * kMinute;

std::int64_t at(int hour, int minute, int second)
{
    return QDateTime(QDate(2026, 11, 5), QTime(hour, minute, second)).toMSecsSinceEpoch();
}

Series walk(quint32 seed, double start, double step, double low, double high, double jumpAt = 2, double jump = 0)
{
    QRandomGenerator random(seed);
    Series values;
    double v = start;
    for (std::size_t i = 0; i < kSparkSeconds; ++i) {
        if (static_cast<double>(i) == jumpAt * static_cast<double>(kSparkSeconds))
            start += jump;
        v += (random.generateDouble() - 0.5) * step + (start - v) * 0.25;
        values.push_back(static_cast<float>(std::clamp(v, low, high)));
    }
    return values;
}

EndpointView endpoint(const char* name, const char* provider, BreakerState state, std::int64_t since)
{
    EndpointView e;
    e.name = name;
    e.provider = provider;
    e.model = name;
    e.state = state;
    e.sinceUnixMs = since;
    e.rule = TripRule::FailureRate;
    e.gaugeLimit = 0.5;
    e.windowMs = 60'000;
    return e;
}

std::vector<EndpointView> fiveEndpoints()
{
    std::vector<EndpointView> all;
    const std::int64_t now = sampleNowMs();

    EndpointView gpt = endpoint("gpt-4.1", "openai", BreakerState::Open, at(14, 24, 12));
    gpt.nextProbeUnixMs = now + 10'000;
    gpt.openForMs = 60'000;
    gpt.openings = 9;
    gpt.gaugeAtTrip = 0.52;
    gpt.rpmUsed = 1;
    gpt.rpmLimit = 1000;
    gpt.answeredShare = 0.012;
    gpt.attempts = 6200;
    gpt.failures = 39;
    gpt.lastError = LastError{now - 50'000, 503, ErrorClass::Overloaded,
                              "The provider has no capacity. 8 probes failed; wait grew 15 → 60 s"};
    gpt.note = "Tripped 14:24:12; traffic moved to claude";
    all.push_back(gpt);

    EndpointView claude = endpoint("claude-sonnet-4.5", "anthropic", BreakerState::Closed, now - 76 * kHour);
    claude.gauge = 0.017;
    claude.inFlight = 24;
    claude.rpmUsed = 468;
    claude.rpmLimit = 800;
    claude.answeredShare = 0.629;
    claude.attempts = 7020;
    claude.failures = 41;
    claude.lastError = LastError{now - 41'000, 529, ErrorClass::Overloaded, "recovered on retry 1 after 0.72 s"};
    all.push_back(claude);

    EndpointView gemini = endpoint("gemini-2.5-flash", "google", BreakerState::HalfOpen, at(14, 31, 24));
    gemini.figures.probeSuccesses = 2;
    gemini.probesNeeded = 3;
    gemini.gauge = 0.33;
    gemini.inFlight = 1;
    gemini.rpmUsed = 3;
    gemini.rpmLimit = 1000;
    gemini.answeredShare = 0.03;
    gemini.attempts = 320;
    gemini.lastError =
        LastError{now - 44'000, 429, ErrorClass::RateLimited, "Quota per minute used up; asked us to wait 180 s"};
    all.push_back(gemini);

    EndpointView deepseek = endpoint("deepseek-v3.2", "deepseek", BreakerState::Closed, now - 9 * kHour - 41 * kMinute);
    deepseek.gauge = 0.042;
    deepseek.inFlight = 6;
    deepseek.rpmUsed = 94;
    deepseek.rpmLimit = 500;
    deepseek.answeredShare = 0.126;
    deepseek.attempts = 1406;
    deepseek.lastError = LastError{now - 3 * kMinute, 0, ErrorClass::Timeout,
                                   "no first token within 10 s; the request moved to canned reply"};
    all.push_back(deepseek);

    EndpointView azure = endpoint("gpt-4.1 (eu)", "azure", BreakerState::ForcedOpen, at(13, 50, 31));
    azure.rpmUsed = 0;
    azure.rpmLimit = 600;
    azure.note = "Key rotation, 4821";
    all.push_back(azure);
    return all;
}

Lane lane(const char* name, std::vector<LaneSegment> segments)
{
    return {name, std::move(segments)};
}

std::vector<Lane> fiveLanes()
{
    const std::int64_t from = sampleNowMs() - 15 * kMinute, now = sampleNowMs();
    std::vector<LaneSegment> gpt{{BreakerState::Closed, from, at(14, 24, 12), ""}};
    std::int64_t t = at(14, 24, 12);
    const std::int64_t waits[] = {15, 30, 60, 60, 60, 60, 60, 60};
    for (std::int64_t wait : waits) {
        const std::int64_t probe = std::min(now, t + wait * kSecond);
        gpt.push_back({BreakerState::Open, t, probe, ""});
        if (probe >= now)
            break;
        gpt.push_back({BreakerState::HalfOpen, probe, probe + 2 * kSecond,
                       "Probe failed after 212 ms: 503 Overloaded. Breaker reopened, next probe 60 s later"});
        t = probe + 2 * kSecond;
    }
    if (gpt.back().state == BreakerState::HalfOpen)
        gpt.push_back({BreakerState::Open, t, now, ""});
    return {lane("gpt-4.1", gpt), lane("claude-sonnet-4.5", {{BreakerState::Closed, from, now, "No trip in view"}}),
            lane("gemini-2.5-flash", {{BreakerState::Closed, from, at(14, 27, 48), ""},
                                      {BreakerState::Open, at(14, 27, 48), at(14, 28, 18), "429"},
                                      {BreakerState::HalfOpen, at(14, 28, 18), at(14, 28, 24), "Probe got 429"},
                                      {BreakerState::Open, at(14, 28, 24), at(14, 31, 24), "429 storm"},
                                      {BreakerState::HalfOpen, at(14, 31, 24), now, "2 of 3 probes passed"}}),
            lane("deepseek-v3.2", {{BreakerState::Closed, from, now, "No trip in view"}}),
            lane("gpt-4.1 (eu)", {{BreakerState::ForcedOpen, from, now, "Locked by a person: Key rotation, 4821"}})};
}

std::vector<LatencyBin> latencyBins(double scale = 1)
{
    std::vector<LatencyBin> bins;
    const double low = std::log10(4.0), high = std::log10(60'000.0);
    constexpr int kBins = 88;
    const auto bell = [](double x, double middle, double wide) {
        const double z = (x - middle) / wide;
        return std::exp(-0.5 * z * z);
    };
    QRandomGenerator random(7);
    for (int i = 0; i < kBins; ++i) {
        const double a = low + (high - low) * i / kBins, b = low + (high - low) * (i + 1) / kBins, x = (a + b) / 2;
        const double noise = 0.94 + 0.12 * random.generateDouble();
        LatencyBin bin{std::pow(10, a), std::pow(10, b), 0, 0, 0};
        bin.cached = std::llround(scale * noise * 300 * bell(x, std::log10(11.5), 0.165));
        bin.answered = std::llround(scale * noise *
                                    (660 * bell(x, std::log10(720.0), 0.2) + 80 * bell(x, std::log10(2200.0), 0.17)));
        bin.failed = a <= std::log10(30'000.0) && std::log10(30'000.0) < b ? std::llround(4 * scale) : 0;
        bins.push_back(bin);
    }
    return bins;
}

Heatmap heat(double scale = 1)
{
    Heatmap map;
    map.columns = 60;
    map.firstColumnUnixMs = sampleNowMs() - 15 * kMinute;
    constexpr int kRows = 26;
    for (int i = 0; i <= kRows; ++i)
        map.rowEdgesMs.push_back(std::pow(10, std::log10(6.0) + (std::log10(45'000.0) - std::log10(6.0)) * i / kRows));
    QRandomGenerator random(11);
    for (int column = 0; column < map.columns; ++column) {
        for (int row = 0; row < kRows; ++row) {
            const double x = std::log10(map.rowEdgesMs[static_cast<std::size_t>(row)]);
            const double shift = column > 28 ? 0.12 : 0, burst = column == 28 ? 0.35 : 0;
            const double z = (x - 2.84 - shift - burst) / 0.24, cache = (x - 1.05) / 0.22;
            const double expected = 40 * std::exp(-0.5 * z * z) + 11 * std::exp(-0.5 * cache * cache);
            const double got = expected * (0.6 + 0.8 * random.generateDouble());
            map.counts.push_back(static_cast<std::uint32_t>(std::llround(scale * (got < 0.4 ? 0 : got))));
            map.maxCount = std::max(map.maxCount, map.counts.back());
        }
    }
    return map;
}

Event event(std::uint64_t sequence, std::int64_t when, EventKind kind, Severity severity, const char* subject,
            const char* text, BreakerState state = BreakerState::Closed)
{
    return {sequence, when, kind, severity, subject, text, state, 1};
}

std::vector<Event> twelveEvents()
{
    const auto changed = EventKind::BreakerChanged;
    return {
        event(412, at(14, 31, 58), changed, Severity::Good, "gemini-2.5-flash", "Probe 2 of 3 passed in 640 ms",
              BreakerState::HalfOpen),
        event(411, at(14, 31, 27), EventKind::AttemptFailed, Severity::Info, "claude-sonnet-4.5",
              "529, retried once, answered after 2.10 s"),
        event(410, at(14, 31, 24), changed, Severity::Warning, "gemini-2.5-flash",
              "Wait over, testing with single requests", BreakerState::HalfOpen),
        event(409, at(14, 31, 18), changed, Severity::Warning, "gpt-4.1", "Probe 8 failed (503). Next probe in 60 s",
              BreakerState::Open),
        event(408, at(14, 29, 2), EventKind::CannedReply, Severity::Warning, "deepseek-v3.2",
              "No first token in 10 s. Canned reply sent"),
        event(407, at(14, 28, 24), changed, Severity::Warning, "gemini-2.5-flash",
              "Probe got 429. Waiting 180 s as asked", BreakerState::Open),
        event(406, at(14, 27, 48), changed, Severity::Bad, "gemini-2.5-flash",
              "Tripped: 54 % failed (429 × 31, 500 × 2)", BreakerState::Open),
        event(405, at(14, 27, 6), changed, Severity::Warning, "gpt-4.1", "Probe 4 failed (503). Next probe in 60 s",
              BreakerState::Open),
        event(404, at(14, 24, 27), changed, Severity::Warning, "gpt-4.1", "Wait over, testing with single requests",
              BreakerState::HalfOpen),
        event(403, at(14, 24, 12), changed, Severity::Bad, "gpt-4.1", "Tripped: 52 % failed (503 × 28, timeout × 3)",
              BreakerState::Open),
        event(402, at(14, 24, 10), EventKind::RequestFailed, Severity::Bad, "support-chain",
              "All tiers failed, 503 returned to the client"),
        event(401, at(13, 50, 31), EventKind::Manual, Severity::Info, "gpt-4.1 (eu)",
              "Locked open by a person: “Key rotation, 4821”", BreakerState::ForcedOpen),
    };
}

Tiles normalTiles()
{
    Tiles t;
    t.requestsPerSecond = 12.4;
    t.peakRequestsPerSecond = 15.1;
    t.requestsSpark = walk(1, 12.4, 3.2, 6, 15.1);
    t.requests = 11'164;
    t.answered = 11'160;
    t.failed = 4;
    t.canned = 38;
    t.successShare = 0.9996;
    t.successSpark = walk(2, 0.9985, 0.002, 0.99, 1);
    for (std::size_t i = 55; i < 60; ++i)
        t.successSpark[i] = 0.985F;
    t.p50Ms = 712;
    t.p95Ms = 2280;
    t.p99Ms = 3910;
    t.latencySamples = 11'160;
    t.p50Spark = walk(3, 640, 60, 500, 2000, 0.5, 160);
    t.p95Spark = walk(4, 1700, 260, 900, 4000, 0.5, 700);
    t.p99Spark = walk(5, 2600, 320, 1500, 6000, 0.5, 1300);
    t.costPerHourUsd = 82.6;
    t.costSpark = walk(6, 59, 2.5, 40, 100, 0.5, 23.4);
    t.costDeltaPerHourUsd = 23.4;
    t.cacheHitShare = 0.23;
    t.cacheSavesPerHourUsd = 17.7;
    t.cacheSpark = walk(8, 0.24, 0.06, 0.1, 0.4);
    return t;
}

} // namespace

std::int64_t sampleNowMs()
{
    return at(14, 32, 8);
}

Snapshot normalSnapshot()
{
    Snapshot s;
    s.sequence = 1;
    s.takenUnixMs = sampleNowMs();
    s.startedUnixMs = sampleNowMs() - 76 * kHour;
    s.workspace = "acme-assist";
    s.environment = "production";
    s.tiles = normalTiles();
    s.endpoints = fiveEndpoints();
    s.lanes = fiveLanes();
    s.latency = latencyBins();
    s.heatmap = heat();
    s.events = twelveEvents();
    s.eventsTotal = 412;
    s.inFlight = 31;
    s.requestsTotal = 3'300'117;
    s.lastRequestUnixMs = sampleNowMs() - 40;
    s.recorderLagMs = 4;
    return s;
}

Snapshot emptySnapshot()
{
    Snapshot s;
    s.sequence = 1;
    s.takenUnixMs = sampleNowMs();
    s.startedUnixMs = sampleNowMs() - 5 * kSecond;
    s.workspace = "new-workspace";
    s.environment = "development";
    return s;
}

Snapshot quietSnapshot()
{
    Snapshot s = emptySnapshot();
    s.simulated = true;
    s.endpoints = fiveEndpoints();
    s.endpoints.resize(2);
    for (auto& e : s.endpoints) {
        EndpointView fresh = endpoint(e.name.c_str(), e.provider.c_str(), BreakerState::Closed, s.startedUnixMs);
        fresh.rpmUsed = 0;
        fresh.rpmLimit = e.rpmLimit;
        s.lanes.push_back({e.name, {{BreakerState::Closed, s.startedUnixMs, s.takenUnixMs, ""}}});
        e = fresh;
    }
    return s;
}

Snapshot earlySnapshot()
{
    Snapshot s = quietSnapshot();
    s.requestsTotal = 38;
    s.tiles.requestsPerSecond = 0.42;
    s.tiles.peakRequestsPerSecond = 2;
    s.tiles.requestsSpark = walk(1, 0.5, 0.3, 0, 2);
    s.tiles.requests = s.tiles.answered = s.tiles.latencySamples = 38;
    s.tiles.successShare = 1;
    s.tiles.p50Ms = 8.34;
    s.tiles.p95Ms = 990;
    s.tiles.costPerHourUsd = 41.1;
    s.tiles.costIsLowerBound = true;
    s.latency = latencyBins(0.004);
    s.heatmap = heat(0.04);
    return s;
}

Snapshot extremeSnapshot(int endpoints)
{
    Snapshot s = normalSnapshot();
    s.workspace = "a-workspace-with-a-name-nobody-should-ever-have-given-to-anything-at-all";
    s.environment = "production-eu-central-1-canary";
    s.simulated = true;
    s.tiles.requestsPerSecond = 1'234'567.8;
    s.tiles.peakRequestsPerSecond = 9'876'543.2;
    s.tiles.failed = 123'456'789;
    s.tiles.canned = 987'654'321;
    s.tiles.cancelled = 55'555'555;
    s.tiles.successShare = 0.99999;
    s.tiles.p50Ms = 0.04;
    s.tiles.p95Ms = 123'456;
    s.tiles.p99Ms = 3'599'999;
    s.tiles.costPerHourUsd = 12'345'678.9;
    s.tiles.costDeltaPerHourUsd = -1'234'567;
    s.inFlight = 1'000'000;
    s.eventsDropped = 1'234'567;
    s.recorderLagMs = 98'765;
    s.tiles.requestsSpark[40] = std::numeric_limits<float>::quiet_NaN();
    const BreakerState states[] = {BreakerState::Closed,     BreakerState::HalfOpen,     BreakerState::Open,
                                   BreakerState::ForcedOpen, BreakerState::ForcedClosed, BreakerState::MetricsOnly};
    s.endpoints.clear();
    s.lanes.clear();
    for (int i = 0; i < endpoints; ++i) {
        const std::string name = "eu-central-1/very-long-deployment-name-of-a-model-" + std::to_string(i);
        EndpointView e = endpoint(name.c_str(), "openai-compatible-behind-a-proxy", states[i % 6], 0);
        e.sinceUnixMs = sampleNowMs() - 900 * 24 * kHour;
        e.inFlight = 1'000'000;
        e.rpmUsed = 123'456'789;
        e.rpmLimit = 999'999'999;
        e.gauge = e.gaugeAtTrip = 1.0;
        e.figures.probeSuccesses = 88;
        e.probesNeeded = 100;
        e.answeredShare = 1;
        e.rule = i % 2 ? TripRule::ConsecutiveFailures : TripRule::RateLimitedShare;
        e.gaugeLimit = i % 2 ? 100 : 1.0;
        if (e.state == BreakerState::Open) {
            e.nextProbeUnixMs = sampleNowMs() + 24 * kHour;
            e.openForMs = 24.0 * kHour;
        }
        e.lastError = LastError{sampleNowMs() - 40 * 24 * kHour, 503, ErrorClass::Overloaded, std::string(300, 'w')};
        e.note = "A reason that goes on and on, because whoever locked this one had a lot to say about it";
        s.endpoints.push_back(e);
        s.lanes.push_back({name, {{e.state, sampleNowMs() - 15 * kMinute, sampleNowMs(), std::string(200, 'c')}}});
    }
    for (auto& event : s.events) {
        event.repeats = 1'234'567;
        event.subject = "eu-central-1/very-long-deployment-name-of-a-model-that-nobody-can-read";
    }
    return s;
}

Snapshot movingSnapshot(int endpoints, int tick)
{
    Snapshot s = normalSnapshot();
    const auto five = s.endpoints;
    const auto lanes = s.lanes;
    s.sequence = static_cast<std::uint64_t>(tick) + 1;
    s.takenUnixMs += tick * 66;
    s.tiles.requestsPerSecond += tick % 7 * 0.1;
    s.endpoints.clear();
    s.lanes.clear();
    for (int i = 0; i < endpoints; ++i) {
        EndpointView e = five[static_cast<std::size_t>(i) % five.size()];
        Lane l = lanes[static_cast<std::size_t>(i) % lanes.size()];
        if (i >= static_cast<int>(five.size()))
            e.name += "-" + std::to_string(i);
        l.endpoint = e.name;
        e.inFlight += tick % 5;
        s.endpoints.push_back(e);
        s.lanes.push_back(l);
    }
    return s;
}

} // namespace sg::test
