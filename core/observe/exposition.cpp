// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/exposition.h"

#include <QList>
#include <QString>

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

namespace sg::observe {

namespace {

const char* typeName(MetricKind kind, ExpositionFormat format)
{
    switch (kind) {
    case MetricKind::Counter:
        return "counter";
    case MetricKind::Histogram:
        return "histogram";
    case MetricKind::StateSet:
        return format == ExpositionFormat::OpenMetrics100 ? "stateset" : "gauge";
    case MetricKind::Info:
        return format == ExpositionFormat::OpenMetrics100 ? "info" : "gauge";
    case MetricKind::Gauge:
        break;
    }
    return "gauge";
}

/// Label values and, in OpenMetrics, help texts: backslash, line feed and quote; without `quotes` no quote.
template <typename Text>
void appendEscaped(Text& to, std::string_view value, bool quotes)
{
    for (const char c : value) {
        if (c == '\\')
            to += "\\\\";
        else if (c == '\n')
            to += "\\n";
        else if (c == '"' && quotes)
            to += "\\\"";
        else
            to += c;
    }
}

/// One of the ranges of an Accept header.
struct Range
{
    QByteArray type, version;
    double q = 1;
};

/// Parts between `separator`, which may stand in quotes.
QList<QByteArray> splitUnquoted(QByteArrayView text, char separator)
{
    QList<QByteArray> parts(1);
    bool quoted = false;
    for (const char c : text) {
        if (c == '"')
            quoted = !quoted;
        else if (c == separator && !quoted)
            parts.append(QByteArray());
        else
            parts.last() += c;
    }
    return parts;
}

Range rangeOf(const QByteArray& text)
{
    Range range;
    const QList<QByteArray> parts = splitUnquoted(text, ';');
    range.type = parts.first().trimmed().toLower();
    for (qsizetype i = 1; i < parts.size(); ++i) {
        const qsizetype equals = parts[i].indexOf('=');
        const QByteArray name = parts[i].first(std::max<qsizetype>(equals, 0)).trimmed().toLower();
        const QByteArray value = parts[i].mid(equals + 1).replace('"', "").trimmed();
        bool fine = true;
        if (name == "q")
            range.q = value.toDouble(&fine);
        else if (name == "version")
            range.version = value;
        if (!fine || !(range.q >= 0 && range.q <= 1))
            range.q = 0;
    }
    return range;
}

/// How closely a range names a format; 0: not at all.
int closeness(const Range& range, ExpositionFormat format)
{
    const bool open = format == ExpositionFormat::OpenMetrics100;
    if (range.type == (open ? "application/openmetrics-text" : "text/plain")) {
        if (range.version.isEmpty())
            return 3;
        return range.version == (open ? "1.0.0" : "0.0.4") ? 4 : 0;
    }
    if (range.type == (open ? "application/*" : "text/*"))
        return 2;
    return range.type == "*/*" ? 1 : 0;
}

struct Wish
{
    double q = 0;
    int closeness = 0;
    qsizetype place = 0;
};

bool isMore(const Wish& a, const Wish& b)
{
    if (a.q != b.q)
        return a.q > b.q;
    return a.closeness != b.closeness ? a.closeness > b.closeness : a.place < b.place;
}

} // namespace

ExpositionFormat formatFor(QByteArrayView acceptHeader)
{
    // RFC 9110, 12.5.1: of the ranges that fit a type, the closest one says how much it is wanted.
    Wish open, plain;
    const QList<QByteArray> ranges = splitUnquoted(acceptHeader, ',');
    for (qsizetype i = 0; i < ranges.size(); ++i) {
        const Range range = rangeOf(ranges[i]);
        for (const auto& [wish, format] :
             {std::pair(&open, ExpositionFormat::OpenMetrics100), std::pair(&plain, ExpositionFormat::Prometheus004)}) {
            const int close = closeness(range, format);
            if (close > wish->closeness)
                *wish = {range.q, close, i};
        }
    }
    return open.q > 0 && isMore(open, plain) ? ExpositionFormat::OpenMetrics100 : ExpositionFormat::Prometheus004;
}

QByteArray contentTypeOf(ExpositionFormat format)
{
    return format == ExpositionFormat::OpenMetrics100 ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                                      : "text/plain; version=0.0.4; charset=utf-8";
}

std::string labelText(const MetricInfo& info, const std::vector<std::string>& values)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(values.size(), info.labels.size()); ++i) {
        if (values[i].empty())
            continue;
        if (!text.empty())
            text += ',';
        text += info.labels[i];
        text += "=\"";
        appendEscaped(text, QString::fromStdString(values[i]).toStdString(), true);
        text += '"';
    }
    return text;
}

void ExpositionWriter::begin(Metric metric)
{
    info_ = &infoOf(metric);
    headed_ = false;
}

void ExpositionWriter::head()
{
    if (std::exchange(headed_, true))
        return;
    // In 0.0.4 a family is called as its samples are.
    const bool open = format_ == ExpositionFormat::OpenMetrics100;
    const QByteArray name = QByteArray(info_->prometheus) + (open ? "" : sampleSuffix(info_->kind));
    text_ += "# HELP " + name + ' ';
    appendEscaped(text_, info_->help, open);
    text_ += "\n# TYPE " + name + ' ' + typeName(info_->kind, format_) + '\n';
    if (open && *unitSuffix(*info_) != '\0')
        text_ += "# UNIT " + name + ' ' + unitSuffix(*info_) + '\n';
}

void ExpositionWriter::name(std::string_view suffix, std::string_view labels, std::string_view more)
{
    text_ += info_->prometheus;
    text_.append(suffix.data(), static_cast<qsizetype>(suffix.size()));
    if (!labels.empty() || !more.empty()) {
        text_ += '{';
        text_.append(labels.data(), static_cast<qsizetype>(labels.size()));
        if (!labels.empty() && !more.empty())
            text_ += ',';
        text_.append(more.data(), static_cast<qsizetype>(more.size()));
        text_ += '}';
    }
    text_ += ' ';
}

void ExpositionWriter::number(std::int64_t value, int decimals)
{
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    const auto length = static_cast<qsizetype>(end - digits.data());
    if (decimals == 0) {
        text_.append(digits.data(), length);
        text_ += '\n';
        return;
    }
    QByteArray whole(digits.data(), length);
    const bool negative = whole.startsWith('-');
    if (negative)
        whole.remove(0, 1);
    whole = whole.rightJustified(decimals + 1, '0');
    text_ += (negative ? "-" : "") + whole.chopped(decimals) + '.' + whole.last(decimals) + '\n';
}

void ExpositionWriter::sample(std::string_view labels, std::int64_t value)
{
    scaled(labels, value, 0);
}

void ExpositionWriter::scaled(std::string_view labels, std::int64_t value, int decimals)
{
    head();
    name(sampleSuffix(info_->kind), labels);
    number(value, decimals);
}

void ExpositionWriter::sample(std::string_view labels, double value)
{
    if (!std::isfinite(value))
        return;
    head();
    name(sampleSuffix(info_->kind), labels);
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text_.append(digits.data(), static_cast<qsizetype>(end - digits.data()));
    text_ += '\n';
}

void ExpositionWriter::histogram(std::string_view labels, const std::vector<std::string>& bounds,
                                 const std::int64_t* counts, std::int64_t sum, int sumDecimals)
{
    head();
    std::int64_t below = 0;
    for (std::size_t i = 0; i <= bounds.size(); ++i) {
        below += counts[i];
        name("_bucket", labels, "le=\"" + (i < bounds.size() ? bounds[i] : std::string("+Inf")) + '"');
        number(below, 0);
    }
    name("_sum", labels);
    number(sum, sumDecimals);
    name("_count", labels);
    number(below, 0);
}

QByteArray ExpositionWriter::end()
{
    if (format_ == ExpositionFormat::OpenMetrics100)
        text_ += "# EOF\n";
    return std::move(text_);
}

} // namespace sg::observe
