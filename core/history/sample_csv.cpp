// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/sample_csv.h"

#include "core/history/csv_cells.h"
#include "core/measure/metric.h"
#include "core/policy/text.h"
#include "core/provider/mask.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <unordered_map>

namespace sg::history {

namespace {

using measure::Metric;
using measure::Outcome;
using measure::Sample;
using Field = QByteArrayView;

void putNumber(std::string& out, std::int64_t number)
{
    char digits[24];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

/// Exact: a double would round what has run for months.
void putMs(std::string& out, Nanos span)
{
    const std::int64_t ns = span.count();
    if (ns < 0)
        out += '-';
    const auto size = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    putNumber(out, static_cast<std::int64_t>(size / 1'000'000));
    auto rest = static_cast<int>(size % 1'000'000);
    if (rest == 0)
        return;
    char digits[7] = ".";
    for (int i = 6; i > 0; --i, rest /= 10)
        digits[i] = static_cast<char>('0' + rest % 10);
    std::size_t length = sizeof digits;
    while (digits[length - 1] == '0')
        --length;
    out.append(digits, length);
}

bool takeNumber(Field field, double& number)
{
    const auto [end, error] = std::from_chars(field.begin(), field.end(), number);
    return error == std::errc() && end == field.end() && std::isfinite(number);
}

bool takeWhole(Field field, std::int64_t& number)
{
    const auto [end, error] = std::from_chars(field.begin(), field.end(), number);
    return error == std::errc() && end == field.end();
}

// What a column is made from and read back to.
void put(std::string& out, Instant at, Instant start)
{
    putMs(out, at - start);
}
void put(std::string& out, Nanos span, Instant)
{
    putMs(out, span);
}
void put(std::string& out, std::int64_t number, Instant)
{
    putNumber(out, number);
}
void put(std::string& out, int number, Instant)
{
    putNumber(out, number);
}
void put(std::string& out, bool is, Instant)
{
    out += is ? '1' : '0';
}
void put(std::string& out, Outcome outcome, Instant)
{
    out += measure::toString(outcome);
}
void put(std::string& out, measure::CostIs cost, Instant)
{
    out += measure::toString(cost);
}
/// Rows share a few names: each is masked once, which costs more than the rest of a row.
void put(std::string& out, const std::string& text, Instant)
{
    constexpr std::size_t kMostKept = 256;
    static thread_local std::unordered_map<std::string, std::string> cells;
    if (text.empty())
        return;
    if (cells.size() >= kMostKept)
        cells.clear();
    const auto [cell, isNew] = cells.try_emplace(text);
    if (isNew)
        cell->second = csvCell(provider::maskSecrets(QString::fromStdString(text)).toUtf8()).toStdString();
    out += cell->second;
}
template <typename T>
void put(std::string& out, const std::optional<T>& value, Instant start)
{
    if (value)
        put(out, *value, start);
}

bool take(Field field, Nanos& span)
{
    double ms = 0;
    if (!takeNumber(field, ms))
        return false;
    span = fromMs(ms);
    return true;
}
bool take(Field field, Instant& at)
{
    Nanos span{0};
    if (!take(field, span))
        return false;
    at = Instant(span);
    return true;
}
bool take(Field field, std::int64_t& number)
{
    return takeWhole(field, number);
}
bool take(Field field, int& number)
{
    std::int64_t whole = 0;
    if (!takeWhole(field, whole) || whole < 0 || whole > 1'000'000)
        return false;
    number = static_cast<int>(whole);
    return true;
}
bool take(Field field, bool& is)
{
    is = field == Field("1");
    return is || field == Field("0");
}
template <int Count, typename Enum>
bool takeWord(Field field, Enum& value)
{
    for (int i = 0; i < Count; ++i) {
        value = static_cast<Enum>(i);
        if (std::string_view(field.data(), static_cast<std::size_t>(field.size())) == measure::toString(value))
            return true;
    }
    return false;
}
bool take(Field field, Outcome& outcome)
{
    return takeWord<measure::kOutcomeCount>(field, outcome);
}
bool take(Field field, measure::CostIs& cost)
{
    return takeWord<measure::kCostIsCount>(field, cost);
}
bool take(Field field, std::string& text)
{
    text.assign(field.begin(), field.end());
    return true;
}
template <typename T>
bool take(Field field, std::optional<T>& value)
{
    value.reset();
    return field.isEmpty() || take(field, value.emplace());
}

struct Column
{
    const char* name;
    void (*put)(std::string& out, const Sample& sample, Instant start);
    bool (*take)(Field field, Sample& sample); ///< null: it follows from others
};

template <auto Member>
constexpr Column column(const char* name)
{
    return {name, [](std::string& out, const Sample& sample, Instant start) { put(out, sample.*Member, start); },
            [](Field field, Sample& sample) { return take(field, sample.*Member); }};
}

template <Metric metric>
constexpr Column derived(const char* name)
{
    return {name,
            [](std::string& out, const Sample& sample, Instant) {
                if (const auto ms = measure::valueOf(sample, metric))
                    putMs(out, fromMs(*ms));
            },
            nullptr};
}

constexpr Column kStatus{"status",
                         [](std::string& out, const Sample& sample, Instant) {
                             if (sample.status != 0)
                                 putNumber(out, sample.status);
                         },
                         [](Field field, Sample& sample) { return field.isEmpty() || take(field, sample.status); }};

constexpr std::array kColumns{
    column<&Sample::intended>("intended_ms"),
    column<&Sample::dispatched>("dispatched_ms"),
    column<&Sample::firstSent>("first_sent_ms"),
    column<&Sample::sent>("sent_ms"),
    column<&Sample::headers>("headers_ms"),
    column<&Sample::firstByte>("first_byte_ms"),
    column<&Sample::firstToken>("first_token_ms"),
    column<&Sample::lastToken>("last_token_ms"),
    column<&Sample::end>("end_ms"),
    column<&Sample::outcome>("outcome"),
    column<&Sample::inputTokens>("input_tokens"),
    column<&Sample::outputTokens>("output_tokens"),
    column<&Sample::tokensAreEstimated>("tokens_are_estimated"),
    column<&Sample::attempts>("attempts"),
    column<&Sample::waited>("waited_ms"),
    column<&Sample::waitedBeforeSent>("waited_before_sent_ms"),
    column<&Sample::costNanoUsd>("cost_nano_usd"),
    derived<Metric::Response>("response_ms"),
    derived<Metric::Service>("service_ms"),
    derived<Metric::Ttft>("ttft_ms"),
    derived<Metric::ClientQueue>("client_queue_ms"),
    kStatus,
    column<&Sample::endpoint>("endpoint"),
    column<&Sample::source>("source"),
    column<&Sample::error>("error_class"),
    column<&Sample::costIs>("cost_is"),
};
constexpr std::array kNeeded{"intended_ms", "end_ms", "outcome"};

int columnNamed(const QByteArray& name)
{
    const auto found = std::ranges::find_if(kColumns, [&](const Column& column) { return name == column.name; });
    return found == kColumns.end() || !found->take ? -1 : static_cast<int>(found - kColumns.begin());
}

} // namespace

std::string csvHead()
{
    std::string head;
    for (const Column& column : kColumns)
        head.append(head.empty() ? "" : ",").append(column.name);
    return head + "\r\n";
}

void appendCsvRow(std::string& out, const Sample& sample, Instant start)
{
    for (const Column& column : kColumns) {
        if (&column != kColumns.data())
            out += ',';
        column.put(out, sample, start);
    }
    out += "\r\n";
}

tl::expected<SampleReader, QString> SampleReader::open(QIODevice& device)
{
    SampleReader reader(device);
    const auto head = reader.rows_.next();
    if (!head)
        return tl::unexpected(head.error());
    const QList<QByteArray> names = head->value_or(QList<QByteArray>());
    for (const QByteArray& name : names)
        reader.columns_.push_back(columnNamed(name));
    for (const char* needed : kNeeded)
        if (std::ranges::find(reader.columns_, columnNamed(needed)) == reader.columns_.end())
            return tl::unexpected(QStringLiteral("the column \"%1\" is missing").arg(QLatin1String(needed)));
    return reader;
}

tl::expected<std::optional<Sample>, QString> SampleReader::next()
{
    auto row = rows_.next();
    if (!row)
        return tl::unexpected(row.error());
    if (!*row)
        return std::nullopt;
    const QList<QByteArray>& fields = **row;
    if (rows_.endedOpen()) { // even a whole-looking number may have lost digits
        isCutOff_ = true;
        return std::nullopt;
    }
    if (static_cast<std::size_t>(fields.size()) != columns_.size())
        return tl::unexpected(QStringLiteral("line %1: %2 fields instead of %3")
                                  .arg(rows_.line())
                                  .arg(fields.size())
                                  .arg(columns_.size()));
    Sample sample;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (columns_[i] < 0)
            continue;
        const Column& column = kColumns[static_cast<std::size_t>(columns_[i])];
        if (!column.take(fields.at(static_cast<qsizetype>(i)), sample))
            return tl::unexpected(
                QStringLiteral("line %1: \"%2\" is no %3")
                    .arg(rows_.line())
                    .arg(QString::fromUtf8(fields.at(static_cast<qsizetype>(i)).left(40)), QLatin1String(column.name)));
    }
    return sample;
}

} // namespace sg::history
