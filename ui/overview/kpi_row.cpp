// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/kpi_row.h"
#include "ui/format/format.h"

namespace sg::ui {

using observe::Tiles;

namespace {

constexpr std::int64_t kStaleMs = 5000;
constexpr int kP99Needs = 100;

QString perHour()
{
    return KpiRow::tr("/h");
}

KpiTile::Facts requestFacts(const Tiles& t, bool hasTraffic)
{
    KpiTile::Facts f;
    f.label = KpiRow::tr("Requests");
    f.figures = {{{},
                  {},
                  hasTraffic ? format::rate(t.requestsPerSecond) : format::unknown(),
                  hasTraffic ? KpiRow::tr("/s") : QString()}};
    f.context = hasTraffic ? KpiRow::tr("peak %1 in window").arg(format::rate(t.peakRequestsPerSecond))
                           : KpiRow::tr("no request has come yet");
    f.sentence = hasTraffic ? KpiRow::tr("%1 requests a second, %2").arg(format::rate(t.requestsPerSecond), f.context)
                            : KpiRow::tr("Requests: none yet");
    return f;
}

KpiTile::Facts successFacts(const Tiles& t)
{
    KpiTile::Facts f;
    f.label = KpiRow::tr("Success, as clients see it");
    f.figures = {{{}, {}, format::success(t.successShare), t.successShare ? QStringLiteral("%") : QString()}};
    f.context = t.successShare ? KpiRow::tr("%1 failed").arg(format::count(t.failed)) : KpiRow::tr("no answer yet");
    if (t.canned > 0)
        f.context += KpiRow::tr(" · %1 canned").arg(format::count(t.canned));
    if (t.cancelled > 0)
        f.context += KpiRow::tr(" · %1 cancelled").arg(format::count(t.cancelled));
    f.sentence = t.successShare ? KpiRow::tr("%1 percent answered, %2").arg(format::success(t.successShare), f.context)
                                : KpiRow::tr("Success: no answer yet");
    return f;
}

KpiTile::Facts latencyFacts(const Tiles& t, const Tokens& c)
{
    KpiTile::Facts f;
    f.label = KpiRow::tr("Latency, end to end");
    const auto figure = [](const QString& prefix, const QColor& colour, std::optional<double> ms) {
        const auto quantity = format::latency(ms);
        return KpiTile::Figure{prefix, colour, quantity.number, quantity.unit};
    };
    f.figures = {figure(QStringLiteral("p50"), c.p50, t.p50Ms), figure(QStringLiteral("p95"), c.p95, t.p95Ms),
                 figure(QStringLiteral("p99"), c.p99, t.p99Ms)};
    f.context = t.p99Ms ? KpiRow::tr("with waits and fallbacks · %1 answers").arg(format::count(t.latencySamples))
                        : KpiRow::tr("p99 needs %1 requests, has %2").arg(kP99Needs).arg(t.latencySamples);
    f.sentence =
        KpiRow::tr("Latency: half within %1, 95 percent within %2, 99 percent within %3")
            .arg(format::latency(t.p50Ms).text(), format::latency(t.p95Ms).text(), format::latency(t.p99Ms).text());
    return f;
}

KpiTile::Facts costFacts(const Tiles& t)
{
    KpiTile::Facts f;
    f.label = KpiRow::tr("Cost");
    const QString money = format::money(t.costPerHourUsd);
    // An estimate bounds nothing, so it is said first.
    const QString sign = t.costIsEstimated    ? QStringLiteral("≈ ")
                         : t.costIsLowerBound ? QStringLiteral("≥ ")
                                              : QString();
    const QString bound = t.costPerHourUsd ? sign : QString();
    f.figures = {{{}, {}, bound + money, t.costPerHourUsd ? perHour() : QString()}};
    if (!t.costPerHourUsd) {
        f.context = t.costIsLowerBound ? KpiRow::tr("no price for this traffic") : KpiRow::tr("nothing priced yet");
    } else if (t.costIsLowerBound) {
        f.accent = KpiRow::tr("a part of it is unknown");
    } else if (t.costIsEstimated) {
        f.accent = KpiRow::tr("a part of it is estimated");
    } else if (t.costDeltaPerHourUsd) {
        const bool isMore = *t.costDeltaPerHourUsd >= 0;
        f.accent =
            (isMore ? QStringLiteral("▲ ") : QStringLiteral("▼ ")) + format::money(std::abs(*t.costDeltaPerHourUsd));
        f.context = KpiRow::tr("since failover");
    } else {
        f.context = KpiRow::tr("rate of the last 5\u202Fmin");
    }
    f.sentence = KpiRow::tr("Cost: %1 an hour, %2 %3").arg(bound + money, f.accent, f.context);
    return f;
}

KpiTile::Facts cacheFacts(const Tiles& t)
{
    KpiTile::Facts f;
    f.label = KpiRow::tr("Cache hits");
    f.figures = {{{},
                  {},
                  t.cacheHitShare ? format::number(*t.cacheHitShare * 100, 1) : format::unknown(),
                  t.cacheHitShare ? QStringLiteral("%") : QString()}};
    f.context = !t.cacheHitShare         ? KpiRow::tr("nothing looked up")
                : t.cacheSavesPerHourUsd ? KpiRow::tr("saves %1 /h").arg(format::money(t.cacheSavesPerHourUsd))
                                         : KpiRow::tr("savings unknown");
    f.sentence = KpiRow::tr("Cache hits: %1 percent, %2").arg(f.figures.front().number, f.context);
    return f;
}

paint::Spark line(const observe::Series& values, const QColor& colour)
{
    paint::Spark spark;
    spark.values = values;
    spark.colour = colour;
    return spark;
}

} // namespace

KpiRow::KpiRow(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setFixedHeight(84);
    for (auto& tile : tiles_)
        tile = new KpiTile(context, this);
    tiles_[0]->setWhatsThis(tr("Requests that came in, a second, over the last seconds; the small chart shows the last "
                               "two minutes. Retries and fallbacks do not count: one request is one, however many "
                               "attempts it takes."));
    tiles_[1]->setWhatsThis(
        tr("Answered of answered and failed, as the clients saw it. Canned replies count as answered "
           "and are shown apart; cancelled requests count as neither. Never rounded up: 100 means "
           "that none failed."));
    tiles_[2]->setWhatsThis(tr("From the client's send to the last byte, with waits, retries and fallbacks, cache hits "
                               "included. 50, 95 and 99 of 100 answers came within p50, p95 and p99. p99 is shown from "
                               "%1 answers on.")
                                .arg(kP99Needs));
    tiles_[3]->setWhatsThis(
        tr("Tokens times the price table, for the last five minutes, as a rate per hour. ≥ means that "
           "some of the traffic has no price, ≈ that answers which ended without usage were estimated from their "
           "characters. Attempts that were refused cost nothing."));
    tiles_[4]->setWhatsThis(tr("Share of requests that the cache answered, and what those answers would have cost."));
}

void KpiRow::setNumbers(const observe::Snapshot& s, std::int64_t now)
{
    const Tiles& t = s.tiles;
    std::array<KpiTile::Facts, 5> facts{requestFacts(t, s.requestsTotal > 0), successFacts(t),
                                        latencyFacts(t, context_.c()), costFacts(t), cacheFacts(t)};
    const std::int64_t age = now - s.takenUnixMs;
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
        if (age > kStaleMs)
            facts[i].stale = tr("no data for %1").arg(format::duration(static_cast<double>(age)));
        tiles_[i]->setFacts(std::move(facts[i]));
    }
}

void KpiRow::setCourses(const observe::Snapshot& s)
{
    const Tiles& t = s.tiles;
    const Tokens& c = context_.c();
    // A flat line would say that nothing has come since when it began.
    tiles_[0]->setSparks(s.requestsTotal > 0 ? std::vector{line(t.requestsSpark, c.accent)}
                                             : std::vector<paint::Spark>{});

    paint::Spark success = line(t.successSpark, c.closed);
    const auto range = paint::rangeOf({&t.successSpark});
    success.range = std::pair(std::min(0.98, range ? range->first : 0.98), 1.0);
    tiles_[1]->setSparks({success});

    paint::Spark p50 = line(t.p50Spark, c.p50), p95 = line(t.p95Spark, c.p95), p99 = line(t.p99Spark, c.p99);
    const auto span = paint::rangeOf({&t.p50Spark, &t.p95Spark, &t.p99Spark});
    for (auto* spark : {&p50, &p95, &p99}) {
        spark->isFilled = false;
        spark->range = span ? std::optional(std::pair(0.0, span->second)) : std::nullopt;
    }
    p50.penWidth = 1.6;
    p95.dashes = {5 / 1.4, 2 / 1.4};
    p99.penWidth = 1.2;
    p99.dashes = {2 / 1.2, 2 / 1.2};
    tiles_[2]->setSparks({p99, p95, p50});

    paint::Spark cost = line(t.costSpark, c.half);
    const auto costRange = paint::rangeOf({&t.costSpark});
    cost.range = std::pair(0.0, costRange ? costRange->second * 1.05 : 1.0);
    tiles_[3]->setSparks({cost});
    tiles_[4]->setSparks({line(t.cacheSpark, c.series[4])});
}

void KpiRow::resizeEvent(QResizeEvent*)
{
    constexpr double kShares[] = {1, 1.04, 2, 1.02, 1};
    constexpr double kTotal = 6.06;
    constexpr int kGutter = 10;
    const double free = width() - 4.0 * kGutter;
    double x = 0;
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
        const double w = free * kShares[i] / kTotal;
        tiles_[i]->setGeometry(qRound(x), 0, qRound(x + w) - qRound(x), height());
        x += w + kGutter;
    }
}

} // namespace sg::ui
