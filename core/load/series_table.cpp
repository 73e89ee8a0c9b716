// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/series_table.h"

#include "core/load/report_words.h"
#include "core/load/run.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

namespace sg::load {

namespace {

using C = SeriesColumn;

constexpr std::array<SeriesColumnInfo, kSeriesColumnCount> kColumns{{
    {C::Rank, "rank", "Rank", "",
     "By the mean of the places in success, p99 and cost; place = 1 + how many are clearly better. p50 stands for p99 "
     "where a p99 has no interval (below 368 successes). Ties share a rank, INVALID runs have none.",
     false, false},
    {C::Success, "success_percent", "Success", "%", "succeeded / (succeeded + failed)", true, true},
    {C::P50, "p50_ms", "p50", "ms", "median of end − intended over successes, waits and retries included", false, true},
    {C::P99, "p99_ms", "p99", "ms", "99th percentile of end − intended over successes, waits and retries included",
     false, true},
    {C::TtftP50, "ttft_p50_ms", "TTFT p50", "ms", "median of first token − sent; streamed answers only", false, true},
    {C::Attempts, "attempts_per_request", "Tries a request", "", "attempts / requests that no cache answered", false,
     false},
    {C::BlockedAgain, "blocked_again", "Blocked again", "",
     "attempts that were refused with a rate limit though their request had been refused so before", false, false},
    {C::CostPer1000, "cost_per_1000_usd", "Cost per 1,000", "$",
     "spent / requests · 1,000; unknown as soon as one attempt's cost is", false, false},
    {C::CostPerMillion, "cost_per_million_tokens_usd", "Cost per 1M tokens", "$",
     "spent / (input + output tokens, as the provider counted) · 1,000,000; unknown as soon as one attempt's cost or "
     "usage is",
     false, false},
    {C::Verdict, "verdict", "Verdict", "",
     "INVALID: the load generator was the bottleneck, and the figures say nothing about the target", false, false},
}};

constexpr std::array kOfStrategies{C::Success,      C::P50,         C::P99,    C::Attempts,
                                   C::BlockedAgain, C::CostPer1000, C::Verdict};
constexpr std::array kOfEndpoints{C::Rank, C::P50, C::P99, C::Success, C::TtftP50, C::CostPerMillion, C::Verdict};

QJsonValue estimateJson(const std::optional<stats::Estimate>& estimate)
{
    if (!estimate)
        return QJsonValue::Null;
    return QJsonObject{{QStringLiteral("value"), estimate->value},
                       {QStringLiteral("low"), estimate->low},
                       {QStringLiteral("high"), estimate->high}};
}

std::optional<stats::Estimate> estimateIn(const QJsonValue& json)
{
    if (!json.isObject())
        return std::nullopt;
    return stats::Estimate{json[QLatin1String("value")].toDouble(), json[QLatin1String("low")].toDouble(),
                           json[QLatin1String("high")].toDouble()};
}

std::optional<double> numberIn(const QJsonValue& json)
{
    return json.isDouble() ? std::optional(json.toDouble()) : std::nullopt;
}

std::optional<double> costFor(const QJsonObject& report, double units, double wanted)
{
    const auto cost = numberIn(report.value(QLatin1String("cost_usd")));
    return cost && units > 0 ? std::optional(*cost / units * wanted) : std::nullopt;
}

/// Tokens are those of the measured part and money that of the whole run: both only say the same without a warm-up.
std::optional<double> costPerMillion(const QJsonObject& report)
{
    const QJsonObject tokens = report.value(QLatin1String("tokens")).toObject();
    const double requests = report.value(QLatin1String("requests")).toDouble();
    const bool isAllMeasured =
        report.value(QLatin1String("measured"))[QLatin1String("requests")].toDouble() == requests &&
        report.value(QLatin1String("cancelled")).toDouble() == 0;
    if (!isAllMeasured || tokens.value(QLatin1String("requests_without_usage")).toDouble() > 0)
        return std::nullopt;
    return costFor(report,
                   tokens.value(QLatin1String("input")).toDouble() + tokens.value(QLatin1String("output")).toDouble(),
                   1e6);
}

/// How `other` stands to the best value of its column.
Standing standingOf(const SeriesCell& best, const SeriesCell& other, bool isMeasured)
{
    if (isMeasured && (!best.estimate || !other.estimate))
        return Standing::TooFew;
    if (*best.value == *other.value)
        return Standing::Best;
    if (!isMeasured)
        return Standing::Behind;
    return stats::isClear(stats::difference(*best.estimate, *other.estimate)) ? Standing::Behind : Standing::MaybeBest;
}

bool isBetter(const SeriesCell& one, const SeriesCell& other, const SeriesColumnInfo& info)
{
    return info.isHigherBetter ? *one.value > *other.value : *one.value < *other.value;
}

bool isClearlyBetter(const SeriesCell& one, const SeriesCell& other, const SeriesColumnInfo& info)
{
    return isBetter(one, other, info) && standingOf(one, other, info.isMeasured) == Standing::Behind;
}

using Rows = std::vector<SeriesRow*>;

bool allHave(const Rows& rows, C column, bool needsInterval)
{
    return std::ranges::all_of(rows, [&](const SeriesRow* row) {
        const SeriesCell& cell = row->cell(column);
        return cell.value && (cell.estimate || !needsInterval);
    });
}

void judgeColumn(const Rows& rows, C column)
{
    const SeriesColumnInfo& info = infoOf(column);
    const SeriesCell* best = nullptr;
    for (const SeriesRow* row : rows)
        if (const SeriesCell& cell = row->cell(column); cell.value && (!best || isBetter(cell, *best, info)))
            best = &cell;
    if (!best || rows.size() < 2)
        return;
    const SeriesCell top = *best;
    for (SeriesRow* row : rows)
        if (SeriesCell& cell = row->cell(column); cell.value)
            cell.standing = standingOf(top, cell, info.isMeasured);
}

void rank(SeriesTable& table, const Rows& rows)
{
    std::vector<C> columns;
    if (allHave(rows, C::Success, true))
        columns.push_back(C::Success);
    if (allHave(rows, C::P99, true))
        columns.push_back(C::P99);
    else if (allHave(rows, C::P50, true))
        columns.push_back(C::P50);
    if (allHave(rows, C::CostPerMillion, false))
        columns.push_back(C::CostPerMillion);
    for (const C column : columns)
        table.rankedBy.append(QString::fromUtf8(infoOf(column).title));
    if (columns.empty() || rows.size() < 2)
        return;
    std::vector<std::ptrdiff_t> sums; // of places: their mean times the same number
    for (const SeriesRow* row : rows) {
        std::ptrdiff_t sum = 0;
        for (const C column : columns)
            sum += 1 + std::ranges::count_if(rows, [&](const SeriesRow* other) {
                       return isClearlyBetter(other->cell(column), row->cell(column), infoOf(column));
                   });
        sums.push_back(sum);
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i]->cell(C::Rank).value =
            static_cast<double>(1 + std::ranges::count_if(sums, [&](std::ptrdiff_t other) { return other < sums[i]; }));
}

} // namespace

const SeriesColumnInfo& infoOf(SeriesColumn column)
{
    return kColumns[static_cast<std::size_t>(column)];
}

std::span<const SeriesColumn> columnsOf(SeriesKind kind)
{
    if (kind == SeriesKind::Strategies)
        return kOfStrategies;
    return kOfEndpoints;
}

std::string_view toString(Standing standing)
{
    constexpr std::array kWords{"none", "best", "maybe_best", "too_few", "behind"};
    return kWords[static_cast<std::size_t>(standing)];
}

QString markOf(Standing standing)
{
    const std::array marks{QString(), QStringLiteral("*"), QStringLiteral("≈"), QStringLiteral("?"), QString()};
    return marks[static_cast<std::size_t>(standing)];
}

QString inWords(Standing standing)
{
    const std::array words{QString(), QStringLiteral("the best"),
                           QStringLiteral("chance may explain the difference to the best"),
                           QStringLiteral("too few requests to tell it from the best"), QString()};
    return words[static_cast<std::size_t>(standing)];
}

std::string_view toString(SeriesRunState state)
{
    constexpr std::array kWords{"waiting", "running", "finished", "stopped", "skipped", "failed"};
    return kWords[static_cast<std::size_t>(state)];
}

QString inWords(SeriesRunState state)
{
    const std::array words{QStringLiteral("waits"),           QStringLiteral("is running"), QStringLiteral("finished"),
                           QStringLiteral("stopped by hand"), QStringLiteral("skipped"),    QStringLiteral("failed")};
    return words[static_cast<std::size_t>(state)];
}

QJsonObject estimatesOf(const LoadRun& run)
{
    const measure::Tally& figures = run.tally().figures();
    const auto percentile = [&](measure::Metric metric, double p) {
        return estimateJson(stats::percentileEstimate(figures.of(metric), p));
    };
    auto success = stats::shareEstimate(figures.count(measure::Outcome::Success), figures.judged());
    if (success)
        success = stats::Estimate{success->value * 100, success->low * 100, success->high * 100};
    return {{QString::fromUtf8(infoOf(C::Success).name), estimateJson(success)},
            {QString::fromUtf8(infoOf(C::P50).name), percentile(measure::Metric::Response, 50)},
            {QString::fromUtf8(infoOf(C::P99).name), percentile(measure::Metric::Response, 99)},
            {QString::fromUtf8(infoOf(C::TtftP50).name), percentile(measure::Metric::Ttft, 50)}};
}

SeriesRow finishedRow(const SeriesVariant& variant, const QJsonObject& report, const QJsonObject& estimates)
{
    SeriesRow row{variant.key, variant.words, variant.about, SeriesRunState::Finished, {}, {}, {}, {}};
    const VerdictWords verdict = verdictWords(report);
    row.verdict = verdict.word;
    row.reasons = verdict.reasons;
    if (report.value(QLatin1String("ended_because")).toString() == QLatin1String("by_hand"))
        row.state = SeriesRunState::Stopped;
    const auto field = [&](const char* name) { return numberIn(report.value(QLatin1String(name))); };
    const auto spread = [&](const char* name, const char* p) {
        return numberIn(report.value(QLatin1String(name))[QLatin1String(p)]);
    };
    if (const auto rate = field("success_rate"))
        row.cell(C::Success).value = *rate * 100;
    row.cell(C::P50).value = spread("response_ms", "p50");
    row.cell(C::P99).value = spread("response_ms", "p99");
    row.cell(C::TtftP50).value = spread("ttft_ms", "p50");
    row.cell(C::Attempts).value = field("attempts_per_request");
    row.cell(C::BlockedAgain).value = field("attempts_blocked_again");
    row.cell(C::CostPer1000).value = costFor(report, field("requests").value_or(0), 1000);
    row.cell(C::CostPerMillion).value = costPerMillion(report);
    for (const SeriesColumnInfo& info : kColumns)
        row.cell(info.column).estimate = estimateIn(estimates.value(QLatin1String(info.name)));
    return row;
}

void judge(SeriesTable& table)
{
    table.rankedBy.clear();
    Rows rows;
    for (SeriesRow& row : table.rows) {
        row.cell(C::Rank).value.reset();
        for (SeriesCell& cell : row.cells)
            cell.standing = Standing::None;
        if (row.counts())
            rows.push_back(&row);
    }
    for (const C column : columnsOf(table.kind))
        if (column != C::Rank && column != C::Verdict)
            judgeColumn(rows, column);
    if (table.kind == SeriesKind::Endpoints)
        rank(table, rows);
}

QString valueText(SeriesColumn column, const std::optional<double>& value)
{
    if (!value)
        return QStringLiteral("–");
    switch (column) {
    case C::Success: // rounded down: 99.99… % is not 100 %
        return QStringLiteral("%1 %").arg(std::floor(*value * 100 + 1e-9) / 100, 0, 'f', 2);
    case C::P50:
    case C::P99:
    case C::TtftP50:
        return QStringLiteral("%1 ms").arg(*value, 0, 'f', *value < 100 ? 1 : 0);
    case C::Attempts:
        return QString::number(*value, 'f', 2);
    case C::CostPer1000:
    case C::CostPerMillion:
        return QStringLiteral("$%1").arg(*value, 0, 'f', *value < 1 ? 4 : 2);
    default:
        return QString::number(*value, 'f', 0);
    }
}

QJsonObject toJson(const SeriesTable& table)
{
    const auto text = [](std::string_view word) {
        return QString::fromLatin1(word.data(), static_cast<qsizetype>(word.size()));
    };
    QJsonArray columns, rows;
    for (const C column : columnsOf(table.kind)) {
        const SeriesColumnInfo& info = infoOf(column);
        columns.append(QJsonObject{{QStringLiteral("name"), QString::fromUtf8(info.name)},
                                   {QStringLiteral("title"), QString::fromUtf8(info.title)},
                                   {QStringLiteral("unit"), QString::fromUtf8(info.unit)},
                                   {QStringLiteral("formula"), QString::fromUtf8(info.formula)}});
    }
    for (const SeriesRow& row : table.rows) {
        QJsonObject json{{QStringLiteral("variant"), row.key},
                         {QStringLiteral("words"), row.words},
                         {QStringLiteral("about"), row.about},
                         {QStringLiteral("state"), text(toString(row.state))},
                         {QStringLiteral("verdict"), row.verdict.isEmpty() ? QJsonValue() : row.verdict},
                         {QStringLiteral("reasons"), QJsonArray::fromStringList(row.reasons)},
                         {QStringLiteral("run_id"), row.runId.isEmpty() ? QJsonValue() : row.runId}};
        for (const C column : columnsOf(table.kind)) {
            if (column == C::Verdict)
                continue;
            const SeriesCell& cell = row.cell(column);
            const SeriesColumnInfo& info = infoOf(column);
            const QString name = QString::fromUtf8(info.name);
            json.insert(name, cell.value ? QJsonValue(*cell.value) : QJsonValue(QJsonValue::Null));
            if (info.isMeasured)
                json.insert(name + QStringLiteral("_interval"),
                            cell.estimate ? QJsonValue(QJsonArray{cell.estimate->low, cell.estimate->high})
                                          : QJsonValue(QJsonValue::Null));
            if (cell.standing != Standing::None)
                json.insert(name + QStringLiteral("_standing"), text(toString(cell.standing)));
        }
        rows.append(json);
    }
    return {{QStringLiteral("columns"), columns},
            {QStringLiteral("rows"), rows},
            {QStringLiteral("ranked_by"), QJsonArray::fromStringList(table.rankedBy)}};
}

} // namespace sg::load
