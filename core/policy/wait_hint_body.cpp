// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/wait_hint_body.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <array>
#include <cmath>

namespace sg::policy {

namespace {

constexpr std::array<std::string_view, 6> kStopCodes{
    "insufficient_quota",           "credit_balance_exhausted",          "organization_spend_limit_exceeded",
    "project_spend_limit_exceeded", "organization_usage_limit_exceeded", "enforced_spend_limit_reached"};

bool isStopCode(const QJsonValue& value)
{
    const std::string code = value.toString().toStdString();
    return std::find(kStopCodes.begin(), kStopCodes.end(), code) != kStopCodes.end();
}

/// Strings as they are; whole numbers, as some gateways write header values in JSON, in digits.
std::string textOf(const QJsonValue& value)
{
    if (!value.isDouble())
        return value.toString().toStdString();
    const double number = value.toDouble();
    if (std::abs(number) < 0x1.0p53 && number == std::floor(number))
        return std::to_string(static_cast<std::int64_t>(number));
    return QByteArray::number(number, 'f', 9).toStdString();
}

std::string member(const QJsonObject& object, std::string_view name)
{
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (equalsIgnoringCase(it.key().toStdString(), name))
            return textOf(it.value());
    }
    return {};
}

/// protobuf's JSON form of a Duration: seconds with the unit, "12.5s".
std::optional<ExactSpan> parseProtoDuration(std::string_view text)
{
    text = trimmed(text);
    if (!text.ends_with('s'))
        return {};
    text.remove_suffix(1);
    return ExactSpan::fromNumber(text, kNanosPerSecond);
}

bool isRetryInfo(const QJsonObject& detail)
{
    const QJsonValue type = detail.value(QLatin1String("@type"));
    return type.isUndefined() || type.toString().endsWith(QLatin1String("RetryInfo"));
}

/// Whether a unit ends here and not a longer word.
bool wordEnds(const TextScan& scan)
{
    return !isLetter(scan.peek()) && !isDigit(scan.peek()) && scan.peek() != '_';
}

/// "33 seconds", also a single one.
std::optional<ExactSpan> scanSeconds(TextScan scan)
{
    const std::string_view all = scan.rest();
    std::size_t n = 0;
    while (n < all.size() && (isDigit(all[n]) || all[n] == '.'))
        ++n;
    const auto span = ExactSpan::fromNumber(scan.take(n), kNanosPerSecond);
    scan.skipBlanks();
    constexpr std::string_view word = "second";
    if (!span || !equalsIgnoringCase(scan.take(word.size()), word))
        return {};
    if (lower(scan.peek()) == 's')
        scan.take(1);
    return wordEnds(scan) ? span : std::nullopt;
}

/// What follows "retry in" or "retry after".
std::optional<ExactSpan> scanWait(TextScan scan)
{
    if (scan.skipBlanks() == 0)
        return {};
    TextScan look = scan;
    if (const auto span = scanDuration(look); span && wordEnds(look))
        return span;
    return scanSeconds(scan);
}

std::optional<ExactSpan> waitInWords(std::string_view text)
{
    constexpr std::string_view word = "retry";
    constexpr std::array<std::string_view, 2> links{"in", "after"};
    for (std::size_t i = 0; i + word.size() <= text.size(); ++i) {
        if (!equalsIgnoringCase(text.substr(i, word.size()), word) || (i > 0 && isLetter(text[i - 1])))
            continue;
        TextScan scan(text.substr(i + word.size()));
        if (scan.skipBlanks() == 0)
            continue;
        for (const std::string_view link : links) {
            TextScan look = scan;
            if (!equalsIgnoringCase(look.take(link.size()), link))
                continue;
            if (const auto span = scanWait(look); span && span->isPositive())
                return span;
        }
    }
    return {};
}

} // namespace

Remaining readRemaining(std::string_view text)
{
    text = trimmed(text);
    const bool negative = text.starts_with('-');
    if (negative)
        text.remove_prefix(1);
    const auto amount = ExactSpan::fromNumber(text, 1);
    if (!amount)
        return Remaining::Unreadable;
    if (amount->isZero())
        return Remaining::None;
    return negative ? Remaining::Unknown : Remaining::Some;
}

HintBody::HintBody(std::string_view body)
    : text_(body)
{
    const auto document =
        QJsonDocument::fromJson(QByteArray::fromRawData(body.data(), static_cast<qsizetype>(body.size())));
    json_ = !document.isNull();
    QJsonObject object = document.object();
    if (document.isArray() && document.array().size() == 1)
        object = document.array().first().toObject();
    error_ = object.value(QLatin1String("error")).toObject();
    // Some compatible servers leave the wrapper out; only a code is unmistakable without it.
    coded_ = object.contains(QLatin1String("error")) ? error_ : object;
}

std::optional<std::string> HintBody::stopCode() const
{
    if (isStopCode(coded_.value(QLatin1String("code"))))
        return "error.code";
    if (isStopCode(coded_.value(QLatin1String("type"))))
        return "error.type";
    const QJsonObject details = coded_.value(QLatin1String("details")).toObject();
    if (isStopCode(details.value(QLatin1String("error_code"))))
        return "error.details.error_code";
    return {};
}

bool HintBody::namesDailyQuota() const
{
    const QJsonArray details = error_.value(QLatin1String("details")).toArray();
    for (const QJsonValue& detail : details) {
        const QJsonArray violations = detail[QLatin1String("violations")].toArray();
        for (const QJsonValue& violation : violations) {
            if (violation[QLatin1String("quotaId")].toString().contains(QLatin1String("PerDay")))
                return true;
        }
    }
    return false;
}

std::optional<FoundWait> HintBody::fromDetails(bool retryInfo) const
{
    const QJsonArray details = error_.value(QLatin1String("details")).toArray();
    for (const QJsonValue& value : details) {
        const QJsonObject detail = value.toObject();
        if (retryInfo && !isRetryInfo(detail))
            continue;
        const QJsonObject metadata = detail.value(QLatin1String("metadata")).toObject();
        const auto text = retryInfo ? detail.value(QLatin1String("retryDelay")).toString().toStdString()
                                    : metadata.value(QLatin1String("quotaResetDelay")).toString().toStdString();
        const auto span = retryInfo ? parseProtoDuration(text) : parseDuration(trimmed(text));
        if (span && span->isPositive())
            return FoundWait{*span, retryInfo ? "error.details.retryDelay" : "error.details.quotaResetDelay"};
    }
    return {};
}

std::optional<FoundWait> HintBody::fromMetadata(const ReadReset& readReset) const
{
    const QJsonObject metadata = error_.value(QLatin1String("metadata")).toObject();
    const QJsonObject headers = metadata.value(QLatin1String("headers")).toObject();
    const Remaining remaining = readRemaining(member(headers, "x-ratelimit-remaining"));
    if (remaining == Remaining::Some || remaining == Remaining::Unknown)
        return {};
    const auto span = readReset(trimmed(member(headers, "x-ratelimit-reset")));
    if (!span || !span->isPositive())
        return {};
    return FoundWait{*span, "error.metadata.headers.x-ratelimit-reset"};
}

std::optional<FoundWait> HintBody::fromWords() const
{
    const std::string message = error_.value(QLatin1String("message")).toString().toStdString();
    const auto span = waitInWords(json_ ? std::string_view(message) : text_);
    if (!span)
        return {};
    return FoundWait{*span, json_ ? "error.message" : "body"};
}

std::optional<FoundWait> HintBody::wait(const ReadReset& readReset) const
{
    if (auto found = fromDetails(true))
        return found;
    if (auto found = fromDetails(false))
        return found;
    if (auto found = fromMetadata(readReset))
        return found;
    return fromWords();
}

} // namespace sg::policy
