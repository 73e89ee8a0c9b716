// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/provider/json_text.h"

#include <QChar>
#include <QJsonArray>
#include <QJsonObject>
#include <QLocale>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace sg::provider {

namespace {
constexpr qsizetype kBlock = 4096;       // UTF-16 units
constexpr qsizetype kMostBytesAUnit = 6; // \u001f
constexpr char32_t kReplacement = 0xFFFD;

/// 0: goes out as it is; 'u': as \u00XX; else the letter after the backslash.
constexpr std::array<char, 128> kEscapes = [] {
    std::array<char, 128> escapes{};
    for (std::size_t c = 0; c < 0x20; ++c)
        escapes[c] = 'u';
    escapes['"'] = '"';
    escapes['\\'] = '\\';
    escapes['\b'] = 'b';
    escapes['\f'] = 'f';
    escapes['\n'] = 'n';
    escapes['\r'] = 'r';
    escapes['\t'] = 't';
    return escapes;
}();

// Clients that split a stream with a splitter for text (httpx before 0.27, Python's str.splitlines) end a line at these
// too and would cut the event in two.
constexpr bool endsLine(char16_t unit)
{
    return unit == 0x85 || unit == 0x2028 || unit == 0x2029;
}

char* putEscape(char* to, char16_t unit)
{
    constexpr char kHex[] = "0123456789abcdef";
    *to++ = '\\';
    *to++ = 'u';
    for (int shift = 12; shift >= 0; shift -= 4)
        *to++ = kHex[(unit >> shift) & 0xF];
    return to;
}

char* putAscii(char* to, char16_t unit)
{
    const char escape = kEscapes[unit];
    if (escape == 0) {
        *to++ = static_cast<char>(unit);
        return to;
    }
    if (escape == 'u')
        return putEscape(to, unit);
    *to++ = '\\';
    *to++ = escape;
    return to;
}

char* putUtf8(char* to, char32_t point)
{
    const auto tail = [point](int shift) { return static_cast<char>(0x80 | ((point >> shift) & 0x3F)); };
    if (point < 0x800) {
        *to++ = static_cast<char>(0xC0 | (point >> 6));
    } else if (point < 0x10000) {
        *to++ = static_cast<char>(0xE0 | (point >> 12));
        *to++ = tail(6);
    } else {
        *to++ = static_cast<char>(0xF0 | (point >> 18));
        *to++ = tail(12);
        *to++ = tail(6);
    }
    *to++ = tail(0);
    return to;
}

char* putBlock(char* to, QStringView block, LoneSurrogates lone)
{
    for (qsizetype at = 0; at < block.size(); ++at) {
        const char16_t unit = block[at].unicode();
        if (unit < 0x80) {
            to = putAscii(to, unit);
        } else if (QChar::isSurrogate(unit)) {
            const bool pair = QChar::isHighSurrogate(unit) && at + 1 < block.size() && block[at + 1].isLowSurrogate();
            if (pair)
                to = putUtf8(to, QChar::surrogateToUcs4(unit, block[++at].unicode()));
            else
                to = lone == LoneSurrogates::Escape ? putEscape(to, unit) : putUtf8(to, kReplacement);
        } else {
            to = endsLine(unit) ? putEscape(to, unit) : putUtf8(to, unit);
        }
    }
    return to;
}

void appendNumber(QByteArray& out, const QJsonValue& value)
{
    const double number = value.toDouble();
    const qint64 whole = value.toInteger(1); // of what is not whole, what is given here
    if (!std::isfinite(number))
        out.append("null");
    else if (whole != 1 || value.toInteger(2) == 1)
        appendJsonNumber(out, whole);
    else
        out.append(QByteArray::number(number, 'g', QLocale::FloatingPointShortest));
}

void appendArray(QByteArray& out, const QJsonArray& array)
{
    out.append('[');
    for (qsizetype i = 0; i < array.size(); ++i) {
        if (i > 0)
            out.append(',');
        appendJson(out, array.at(i));
    }
    out.append(']');
}

void appendObject(QByteArray& out, const QJsonObject& object)
{
    out.append('{');
    for (auto field = object.constBegin(); field != object.constEnd(); ++field) {
        if (field != object.constBegin())
            out.append(',');
        appendJsonString(out, field.key(), LoneSurrogates::Escape);
        out.append(':');
        appendJson(out, field.value());
    }
    out.append('}');
}
} // namespace

void appendJson(QByteArray& out, const QJsonValue& value)
{
    switch (value.type()) {
    case QJsonValue::Null:
    case QJsonValue::Undefined:
        out.append("null");
        return;
    case QJsonValue::Bool:
        out.append(value.toBool() ? "true" : "false");
        return;
    case QJsonValue::Double:
        return appendNumber(out, value);
    case QJsonValue::String:
        return appendJsonString(out, value.toString(), LoneSurrogates::Escape);
    case QJsonValue::Array:
        return appendArray(out, value.toArray());
    case QJsonValue::Object:
        return appendObject(out, value.toObject());
    }
}

void appendJsonString(QByteArray& out, QStringView text, LoneSurrogates lone)
{
    out.append('"');
    while (!text.isEmpty()) {
        qsizetype size = std::min(kBlock, text.size());
        if (size < text.size() && text[size - 1].isHighSurrogate())
            ++size;
        const qsizetype used = out.size();
        out.resize(used + size * kMostBytesAUnit);
        const char* const end = putBlock(out.data() + used, text.first(size), lone);
        out.resize(end - out.constData());
        text = text.sliced(size);
    }
    out.append('"');
}

void appendJsonNumber(QByteArray& out, std::int64_t number)
{
    std::array<char, 20> digits{}; // of the smallest one, with its minus
    const auto [end, error] = std::to_chars(digits.begin(), digits.end(), number);
    Q_ASSERT(error == std::errc());
    out.append(digits.data(), end - digits.data());
}

} // namespace sg::provider
