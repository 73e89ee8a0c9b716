// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/histogram_bars.h"

#include "ui/format/format.h"

#include <QCoreApplication>

#include <cmath>

namespace sg::ui::histogram {

using observe::LatencyBin;

namespace {

constexpr std::size_t kMostBars = 90;
constexpr double kFoldMs = 1;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::histogram)
};

void add(LatencyBin& sum, const LatencyBin& bin)
{
    sum.answered += bin.answered;
    sum.cached += bin.cached;
    sum.failed += bin.failed;
}

std::vector<LatencyBin> folded(std::vector<LatencyBin> bins)
{
    if (bins.empty() || bins.back().highMs <= 10 * kFoldMs)
        return bins;
    LatencyBin below;
    const auto first = std::ranges::find_if(bins, [](const LatencyBin& bin) { return bin.highMs > kFoldMs * 1.001; });
    for (auto bin = bins.begin(); bin != first; ++bin) {
        add(below, *bin);
        below.highMs = bin->highMs;
    }
    if (below.highMs == 0)
        return bins;
    std::vector<LatencyBin> out{below};
    out.insert(out.end(), first, bins.end());
    return out;
}

std::vector<LatencyBin> atMost(std::vector<LatencyBin> bins)
{
    while (bins.size() > kMostBars) {
        std::vector<LatencyBin> half;
        for (std::size_t i = 0; i < bins.size(); i += 2) {
            LatencyBin bin = bins[i];
            if (i + 1 < bins.size()) {
                bin.highMs = bins[i + 1].highMs;
                add(bin, bins[i + 1]);
            }
            half.push_back(bin);
        }
        bins = std::move(half);
    }
    return bins;
}

} // namespace

std::vector<LatencyBin> bars(std::vector<LatencyBin> bins)
{
    return atMost(folded(std::move(bins)));
}

double lowestMs(const std::vector<LatencyBin>& bars)
{
    const LatencyBin& first = bars.front();
    if (first.lowMs > 0)
        return first.lowMs;
    // As wide as its neighbour.
    return bars.size() > 1 ? first.highMs * bars[1].lowMs / bars[1].highMs : first.highMs / 2;
}

QList<QPointF> outline(const std::vector<LatencyBin>& bins, std::int64_t (*value)(const LatencyBin&))
{
    const double lowest = bins.empty() ? 1 : lowestMs(bins);
    QList<QPointF> points;
    for (const LatencyBin& bin : bins) {
        const double low = std::log10(std::max(bin.lowMs, lowest)), high = std::log10(bin.highMs);
        const double gap = (high - low) * 0.075;
        const double v = static_cast<double>(value(bin));
        points << QPointF(low + gap, 0) << QPointF(low + gap, v) << QPointF(high - gap, v) << QPointF(high - gap, 0);
    }
    return points;
}

double niceStep(double top)
{
    const double raw = top / 4.5;
    const double decade = std::pow(10, std::floor(std::log10(std::max(raw, 1.0))));
    for (double factor : {1.0, 2.0, 5.0, 10.0}) {
        if (factor * decade >= raw)
            return factor * decade;
    }
    return 10 * decade;
}

QString spanWords(const LatencyBin& bar)
{
    return bar.lowMs > 0
               ? Words::tr("%1 to %2").arg(format::latency(bar.lowMs).text(), format::latency(bar.highMs).text())
               : Words::tr("below %1").arg(format::latency(bar.highMs).text());
}

DataTable tableOf(const std::vector<LatencyBin>& bars, const QString& title)
{
    DataTable table{title,
                    {{Words::tr("from"), true},
                     {Words::tr("to"), true},
                     {Words::tr("answered"), true},
                     {Words::tr("from the cache"), true},
                     {Words::tr("failed"), true}},
                    {}};
    for (const LatencyBin& bar : bars)
        if (bar.answered + bar.cached + bar.failed > 0)
            table.rows.push_back(
                DataTable::row({bar.lowMs > 0 ? format::latency(bar.lowMs).text() : QStringLiteral("0"),
                                format::latency(bar.highMs).text(), format::count(bar.answered + bar.cached),
                                format::count(bar.cached), format::count(bar.failed)}));
    return table;
}

} // namespace sg::ui::histogram
