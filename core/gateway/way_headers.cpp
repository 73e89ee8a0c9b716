// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/way_headers.h"

#include <QUrl>

#include <algorithm>

namespace sg::gateway {

namespace {

bool isPlain(char c)
{
    return c > ' ' && c < 0x7f && c != '%';
}

/// In a header as it is where it is plain ASCII, else percent-encoded UTF-8; blanks and "%" too, so that decoding gives
/// the name back.
QByteArray inHeader(const std::string& name)
{
    const QByteArray utf8 = QByteArray::fromStdString(name);
    if (std::all_of(utf8.begin(), utf8.end(), isPlain))
        return utf8;
    return utf8.toPercentEncoding();
}

const char* cacheWord(const Way& way)
{
    if (way.record.source == chain::Source::Cache)
        return "hit";
    if (way.record.source == chain::Source::SharedCall)
        return "shared";
    return way.chain && way.chain->cache ? "miss" : "none";
}

/// Where the answer came from; null: there is none, or it is not known yet.
const char* sourceWord(const Way& way)
{
    switch (way.record.source) {
    case chain::Source::Endpoint:
        return "endpoint";
    case chain::Source::Cache:
        return "cache";
    case chain::Source::SharedCall:
        return "shared";
    case chain::Source::CannedReply:
        return "canned";
    case chain::Source::None:
        break;
    }
    return way.endpoint.empty() ? nullptr : "endpoint";
}

void addTier(http::Headers& headers, const Way& way)
{
    const bool hasAnswered = way.record.tier >= 0;
    const int tier = hasAnswered ? way.record.tier : way.tier;
    const std::string& endpoint = hasAnswered ? way.record.endpoint : way.endpoint;
    if (tier >= 0 && way.chain && static_cast<std::size_t>(tier) < way.chain->tiers.size())
        headers.emplace_back("x-switchgear-tier", inHeader(way.chain->tiers[static_cast<std::size_t>(tier)].name));
    if (!endpoint.empty())
        headers.emplace_back("x-switchgear-endpoint", inHeader(endpoint));
}

void addCost(http::Headers& headers, const Way& way)
{
    if (!way.costNanoUsd)
        return;
    headers.emplace_back("x-switchgear-cost-usd", cost::decimalUsd(cost::NanoDollars(*way.costNanoUsd)));
    QByteArrayList notes;
    if (way.costIsEstimated)
        notes << "estimated";
    if (way.costIsLowerBound)
        notes << "at-least";
    if (!notes.isEmpty())
        headers.emplace_back("x-switchgear-cost-note", notes.join(", "));
}

} // namespace

Nanos waitedIn(const chain::RunRecord& record)
{
    Nanos sum{0};
    for (const chain::Step& step : record.steps)
        if (const auto* wait = std::get_if<chain::WaitRecord>(&step))
            sum += wait->until - wait->from;
    return sum;
}

Way wayOf(const engine::CallResult& result, Nanos queued)
{
    Way way{result.record, result.chain};
    way.queued = queued;
    way.costNanoUsd = result.costNanoUsd;
    way.costIsLowerBound = result.costIsLowerBound;
    way.costIsEstimated = result.estimatedNanoUsd > 0;
    way.leftOut = result.leftOut;
    return way;
}

void addWay(http::Headers& headers, const Way& way)
{
    headers.emplace_back("x-switchgear-chain", inHeader(way.record.chain));
    addTier(headers, way);
    headers.emplace_back("x-switchgear-attempts", QByteArray::number(way.record.attempts));
    headers.emplace_back(
        "x-switchgear-waited-ms",
        QByteArray::number(static_cast<qint64>(std::chrono::round<Millis>(way.queued + waitedIn(way.record)).count())));
    headers.emplace_back("x-switchgear-cache", cacheWord(way));
    if (const char* source = sourceWord(way))
        headers.emplace_back("x-switchgear-source", source);
    addCost(headers, way);
    if (!way.leftOut.isEmpty())
        headers.emplace_back("x-switchgear-left-out",
                             way.leftOut.join(QLatin1String(", ")).toUtf8().toPercentEncoding(", []_-."));
}

} // namespace sg::gateway
