// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/load/import_results.h"
#include "core/history/sample_csv.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace sg::load {

namespace {

using measure::Outcome;
using measure::Sample;
using Take = std::function<void(const Sample&)>;
using Imported = tl::expected<ImportedResults, QString>;

constexpr qint64 kMostBytes = 256 * 1024 * 1024; // of a document that can only be read as a whole
constexpr qint64 kMostLine = 1024 * 1024;
constexpr qint64 kHead = 4096;
constexpr double kLongestMs = 7 * 24 * 3600e3;
constexpr double kMostInHistogram = 50e6; // requests: each is handed over

tl::unexpected<QString> onlyPercentiles(const QString& what, const QString& remedy)
{
    return tl::unexpected(QStringLiteral("%1 holds percentiles and no requests; percentiles cannot be put together. %2")
                              .arg(what, remedy));
}

/// One "http_req_duration" point is one request.
std::optional<Sample> sampleOfPoint(const QJsonObject& data)
{
    const QDateTime time = QDateTime::fromString(data.value(QLatin1String("time")).toString(), Qt::ISODateWithMs);
    const double ms = data.value(QLatin1String("value")).toDouble(-1);
    if (!time.isValid() || !(ms >= 0))
        return std::nullopt;
    const QJsonObject tags = data.value(QLatin1String("tags")).toObject();
    const int status = tags.value(QLatin1String("status")).toString().toInt();
    Sample sample;
    sample.end = Instant(Millis(time.toMSecsSinceEpoch()));
    sample.intended = sample.end - fromMs(ms);
    sample.sent = sample.firstSent = sample.intended;
    sample.outcome = status >= 200 && status < 300 ? Outcome::Success : Outcome::Failed;
    sample.attempts = 1;
    return sample;
}

Imported importK6(QIODevice& device, const Take& take)
{
    ImportedResults results{ResultFormat::K6Points, 0, {}};
    for (qint64 number = 1; !device.atEnd(); ++number) {
        const QByteArray line = device.readLine(kMostLine);
        if (!line.contains("http_req_duration")) // most lines are of other metrics
            continue;
        const QJsonObject point = QJsonDocument::fromJson(line).object();
        const bool isRequest = point.value(QLatin1String("type")).toString() == QLatin1String("Point") &&
                               point.value(QLatin1String("metric")).toString() == QLatin1String("http_req_duration");
        if (!isRequest && !point.isEmpty())
            continue;
        const auto sample = sampleOfPoint(point.value(QLatin1String("data")).toObject());
        if (!sample)
            return tl::unexpected(QStringLiteral("Line %1 is no point of k6. The file may have been cut off; export it "
                                                 "again with --out json=FILE.")
                                      .arg(number));
        take(*sample);
        ++results.requests;
    }
    results.notes = {
        QStringLiteral("k6's duration begins when the connection is there: connecting and waiting for a free "
                       "connection are left out."),
        QStringLiteral("k6 reads an answer as a whole: there are no times of first tokens and no tokens."),
        QStringLiteral("A request is due when k6 sends it: what a late generator delays is not in its response time."),
    };
    return results;
}

std::optional<Instant> secondsIn(const QJsonValue& value)
{
    return value.isDouble() ? std::optional(Instant(fromMs(value.toDouble() * 1000))) : std::nullopt;
}

std::optional<std::int64_t> countIn(const QJsonValue& value)
{
    return value.isDouble() && value.toDouble() >= 0 ? std::optional(static_cast<std::int64_t>(value.toDouble()))
                                                     : std::nullopt;
}

/// `output_token_times` and counts stood directly in `info` before there was `response_metrics`.
std::optional<Sample> sampleOfRecord(const QJsonObject& record)
{
    const auto start = secondsIn(record.value(QLatin1String("start_time")));
    const auto end = secondsIn(record.value(QLatin1String("end_time")));
    if (!start || !end || *end < *start)
        return std::nullopt;
    const QJsonObject info = record.value(QLatin1String("info")).toObject();
    QJsonObject response = info.value(QLatin1String("response_metrics")).toObject();
    if (response.isEmpty())
        response = info;
    Sample sample;
    const auto scheduled = secondsIn(record.value(QLatin1String("scheduled_time")));
    sample.intended = scheduled.value_or(*start);
    if (scheduled)
        sample.dispatched = *start;
    sample.sent = sample.firstSent = *start;
    sample.end = *end;
    sample.attempts = 1;
    QJsonArray times = response.value(QLatin1String("chunk_times")).toArray();
    if (times.isEmpty())
        times = response.value(QLatin1String("output_token_times")).toArray();
    for (const QJsonValue& time : std::as_const(times))
        if (const auto at = secondsIn(time))
            sample.chunks.push_back({*at, 1});
    if (!sample.chunks.empty()) {
        sample.firstToken = sample.chunks.front().at;
        sample.lastToken = sample.chunks.back().at;
    }
    const bool hasFailed = record.value(QLatin1String("error")).isObject();
    sample.outcome = !hasFailed ? Outcome::Success : sample.chunks.empty() ? Outcome::Failed : Outcome::CutOff;
    const QJsonObject usage = response.value(QLatin1String("server_usage")).toObject();
    const auto counted = countIn(usage.value(QLatin1String("completion_tokens")));
    sample.outputTokens = counted ? counted : countIn(response.value(QLatin1String("output_tokens")));
    sample.inputTokens = countIn(usage.value(QLatin1String("prompt_tokens")));
    if (!sample.inputTokens)
        sample.inputTokens = countIn(info.value(QLatin1String("input_tokens")));
    sample.tokensAreEstimated = !counted;
    return sample;
}

Imported importInferencePerf(QIODevice& device, const Take& take)
{
    if (device.size() > kMostBytes)
        return tl::unexpected(
            QStringLiteral("The file is larger than 256 MiB. Leave \"request\" and \"response\" out of "
                           "its records, which are not looked at."));
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(device.readAll(), &error);
    if (!document.isArray())
        return tl::unexpected(QStringLiteral("The file is no JSON list of requests: %1 at byte %2. Export it again.")
                                  .arg(error.errorString())
                                  .arg(error.offset));
    ImportedResults results{ResultFormat::InferencePerf, 0, {}};
    bool areEstimated = false;
    const QJsonArray records = document.array();
    for (const QJsonValue& record : records) {
        const auto sample = sampleOfRecord(record.toObject());
        if (!sample)
            return tl::unexpected(QStringLiteral("Record %1 has no start_time and end_time. Is it "
                                                 "per_request_lifecycle_metrics.json?")
                                      .arg(results.requests + 1));
        areEstimated = areEstimated || sample->tokensAreEstimated;
        take(*sample);
        ++results.requests;
    }
    if (areEstimated)
        results.notes.append(QStringLiteral("Where the server told no usage, tokens are counted by a tokenizer: those "
                                            "requests have no figures that need their number."));
    return results;
}

/// An entry of `locust --json`: how many requests took how many whole milliseconds, failed ones too.
tl::expected<std::int64_t, QString> takeHistogram(const QJsonObject& entry, const Take& take)
{
    const auto start = secondsIn(entry.value(QLatin1String("start_time")));
    const QJsonObject times = entry.value(QLatin1String("response_times")).toObject();
    if (!start || !entry.contains(QLatin1String("num_failures")))
        return tl::unexpected(QStringLiteral("An entry has no start_time or num_failures. Export it again with "
                                             "locust --json."));
    if (entry.value(QLatin1String("num_failures")).toDouble() != 0)
        return tl::unexpected(QStringLiteral("Locust counts the times of failed requests among the others, and %1 "
                                             "failed: what answers took cannot be told from it. Export the plan again: "
                                             "its Locust file writes every request as a row.")
                                  .arg(entry.value(QLatin1String("num_failures")).toDouble(), 0, 'f', 0));
    std::int64_t requests = 0;
    for (auto it = times.begin(); it != times.end(); ++it) {
        bool isTime = false;
        const double ms = it.key().toDouble(&isTime);
        const double count = it.value().toDouble(-1);
        if (!isTime || !(ms >= 0 && ms <= kLongestMs) || !(count >= 0 && count <= kMostInHistogram) ||
            count != std::floor(count))
            return tl::unexpected(QStringLiteral("\"%1\" in response_times is no time with its count. Export it again "
                                                 "with locust --json.")
                                      .arg(it.key().left(40)));
        Sample sample;
        sample.intended = *start;
        sample.end = *start + fromMs(ms);
        sample.attempts = 1;
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(count); ++i)
            take(sample);
        requests += static_cast<std::int64_t>(count);
    }
    return requests;
}

Imported importHistograms(QIODevice& device, const Take& take)
{
    if (device.size() > kMostBytes)
        return tl::unexpected(QStringLiteral("The file is larger than 256 MiB, which no result of locust --json is."));
    QJsonParseError error;
    const QJsonArray entries = QJsonDocument::fromJson(device.readAll(), &error).array();
    if (entries.isEmpty())
        return tl::unexpected(QStringLiteral("The file is no result of locust --json: %1 at byte %2. Export it again.")
                                  .arg(error.errorString())
                                  .arg(error.offset));
    ImportedResults results{ResultFormat::LocustHistogram, 0, {}};
    for (const QJsonValue& entry : entries) {
        const auto requests = takeHistogram(entry.toObject(), take);
        if (!requests)
            return tl::unexpected(requests.error());
        results.requests += *requests;
        if (static_cast<double>(results.requests) > kMostInHistogram)
            return tl::unexpected(QStringLiteral("The file holds more than 50 million requests. Import a part of it."));
    }
    results.notes = {
        QStringLiteral("Locust's histogram has whole milliseconds, and above 100 ms two digits: its percentiles are as "
                       "coarse."),
        QStringLiteral("It says how long requests took and not when: there is nothing over time."),
        QStringLiteral(
            "A request is due when Locust sends it: what a late generator delays is not in its response time."),
    };
    return results;
}

Imported importRows(QIODevice& device, const Take& take)
{
    auto reader = history::SampleReader::open(device);
    if (!reader)
        return tl::unexpected(
            QStringLiteral("The file holds no requests that can be read: %1. Known are `load --csv`, "
                           "k6's --out json, inference-perf's per_request_lifecycle_metrics.json, locust --json, and "
                           "the rows that an exported Locust file writes.")
                .arg(reader.error()));
    ImportedResults results{ResultFormat::Rows, 0, {}};
    for (;;) {
        const auto sample = reader->next();
        if (!sample)
            return tl::unexpected(QStringLiteral("%1. Mend the row, or export the file again.").arg(sample.error()));
        if (!*sample)
            break;
        take(**sample);
        ++results.requests;
    }
    if (reader->isCutOff())
        results.notes.append(QStringLiteral("The last row was cut off and is left out."));
    return results;
}

} // namespace

const char* toString(ResultFormat format)
{
    constexpr const char* kWords[] = {"k6_points", "inference_perf", "rows", "locust_histogram"};
    return kWords[static_cast<std::size_t>(format)];
}

Imported importResults(QIODevice& device, const Take& take)
{
    const QByteArray head = device.peek(kHead).trimmed();
    if (head.startsWith('[') && head.contains("\"num_requests\""))
        return importHistograms(device, take);
    if (head.startsWith('['))
        return importInferencePerf(device, take);
    if (head.startsWith('{') && (head.contains("\"Point\"") || head.contains("\"Metric\"")))
        return importK6(device, take);
    if (head.startsWith('{') && (head.contains("\"successes\"") || head.contains("\"load_summary\"")))
        return onlyPercentiles(QStringLiteral("A summary of inference-perf"),
                               QStringLiteral("Set report.request_lifecycle.per_request and import "
                                              "per_request_lifecycle_metrics.json."));
    if (head.startsWith('{'))
        return onlyPercentiles(QStringLiteral("A summary of k6"), QStringLiteral("Run it with --out json=FILE."));
    if (head.contains("Request Count") || head.contains("User Count"))
        return onlyPercentiles(QStringLiteral("Locust's statistics"),
                               QStringLiteral("Export the plan again: its Locust file writes every request as a row."));
    return importRows(device, take);
}

} // namespace sg::load
