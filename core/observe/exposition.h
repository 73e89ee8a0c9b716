// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/metric_table.h"

#include <QByteArray>

#include <string>
#include <string_view>

/// Prometheus' text format 0.0.4 and OpenMetrics 1.0.0.
namespace sg::observe {

enum class ExpositionFormat { Prometheus004, OpenMetrics100 };

/// What an Accept header asks for, by its q values; equals as they stand there. Other types and versions are passed
/// over; when nothing fits: Prometheus004. Any thread.
ExpositionFormat formatFor(QByteArrayView acceptHeader);
QByteArray contentTypeOf(ExpositionFormat format);

/// `name="value"` pairs, escaped, values without meaning (empty ones) left out: what stands between { and }. Bytes that
/// are no UTF-8 become U+FFFD.
std::string labelText(const MetricInfo& info, const std::vector<std::string>& values);

/// Writes one page. Families come in the order they are begun, each once, each with all its samples together.
class ExpositionWriter
{
public:
    explicit ExpositionWriter(ExpositionFormat format)
        : format_(format)
    {
    }

    /// A family without samples leaves no trace.
    void begin(Metric metric);
    /// Of the family that was begun; `labels` as labelText() makes them. A value that is no finite number is left out.
    void sample(std::string_view labels, std::int64_t value);
    void sample(std::string_view labels, double value);
    /// `value` counts units of 10^-decimals.
    void scaled(std::string_view labels, std::int64_t value, int decimals);
    /// A bucket for each of `bounds` and one for +Inf: `counts` are those of each alone.
    void histogram(std::string_view labels, const std::vector<std::string>& bounds, const std::int64_t* counts,
                   std::int64_t sum, int sumDecimals);
    QByteArray end();

private:
    void head();
    void name(std::string_view suffix, std::string_view labels, std::string_view more = {});
    void number(std::int64_t value, int decimals);

    ExpositionFormat format_;
    const MetricInfo* info_ = nullptr;
    bool headed_ = false;
    QByteArray text_;
};

} // namespace sg::observe
