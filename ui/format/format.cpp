// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/format.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QTextDocument>

#include <cmath>

namespace sg::ui::format {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(sg::ui::format)
};

QString grouped(const QString& digits)
{
    QString out;
    const auto size = digits.size();
    for (qsizetype i = 0; i < size; ++i) {
        if (i > 0 && (size - i) % 3 == 0)
            out += QChar(0x202F);
        out += digits.at(i);
    }
    return out;
}

QString percent(double share, int decimals)
{
    return number(share * 100, decimals) + thin() + QLatin1Char('%');
}

} // namespace

QString number(double value, int decimals)
{
    if (!std::isfinite(value))
        return unknown();
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    QString text = locale.toString(std::abs(value), 'f', decimals);
    const auto point = text.indexOf(locale.decimalPoint());
    text = point < 0 ? grouped(text) : grouped(text.left(point)) + text.mid(point);
    const bool isZero = std::abs(value) < 0.5 * std::pow(10, -decimals);
    return value < 0 && !isZero ? QChar(0x2212) + text : text;
}

std::optional<double> numberIn(QString typed)
{
    typed.removeIf([](QChar c) { return c.isSpace(); });
    typed.replace(QChar(0x2212), QLatin1Char('-'));
    bool ok = false;
    // A point first, where it stands between thousands "1.5" would become 15; and only a point, or "0,125" is 125.
    QLocale plain = QLocale::c();
    plain.setNumberOptions(QLocale::RejectGroupSeparator);
    double value = plain.toDouble(typed, &ok);
    const QLocale locale;
    if (!ok && !typed.startsWith(QLatin1Char('0') + locale.groupSeparator()))
        value = locale.toDouble(typed, &ok);
    return ok && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

QString count(std::int64_t value)
{
    return number(static_cast<double>(value), 0);
}

QString shortCount(double value, double from)
{
    const double size = std::abs(value);
    if (size < from)
        return number(value, 0);
    if (size < 9.995e5)
        return number(value / 1e3, 0) + thin() + QLatin1Char('k');
    // No "G": nobody counts requests, tokens or dollars in it.
    return number(value / 1e6, size < 9.95e6 ? 1 : 0) + thin() + QLatin1Char('M');
}

QString rate(double perSecond)
{
    if (perSecond >= 1e5)
        return shortCount(perSecond);
    return number(perSecond, perSecond < 1 ? 2 : perSecond < 100 ? 1 : 0);
}

Quantity latency(std::optional<double> ms)
{
    if (!ms)
        return {unknown(), {}};
    if (*ms > 0 && *ms < 0.1)
        return {QStringLiteral("<") + thin() + number(0.1, 1), QStringLiteral("ms")};
    if (*ms < 9.95)
        return {number(*ms, 1), QStringLiteral("ms")};
    if (*ms < 999.5)
        return {number(*ms, 0), QStringLiteral("ms")};
    return {number(*ms / 1000, *ms < 9995 ? 2 : 1), QStringLiteral("s")};
}

QString success(std::optional<double> value)
{
    if (!value)
        return unknown();
    // The small addend keeps 0.9996 (99.9599999… in binary) from losing a digit it has.
    return number(std::floor(*value * 1e4 + 1e-6) / 100, 2);
}

QString failure(std::optional<double> value)
{
    if (value && *value > 0 && *value < 0.0005) // not none
        return QLatin1Char('<') + thin() + percent(0.001, 1);
    return value ? percent(*value, *value < 0.0995 ? 1 : 0) : unknown();
}

QString share(std::optional<double> value)
{
    return value ? percent(*value, 1) : unknown();
}

QString money(std::optional<double> usd)
{
    if (!usd)
        return unknown();
    const double size = std::abs(*usd);
    if (size > 0 && size < 0.00005) { // what is not zero never reads as zero
        const QString smallest = QLatin1Char('$') + number(0.0001, 4);
        return *usd > 0 ? QLatin1Char('<') + thin() + smallest : QLatin1Char('>') + thin() + QChar(0x2212) + smallest;
    }
    const int decimals = size == 0 ? 2 : size < 0.00995 ? 4 : size < 99.995 ? 2 : 0;
    const QString text = QLatin1Char('$') + (size >= 1e6 ? shortCount(size) : number(size, decimals));
    return *usd < 0 ? QChar(0x2212) + text : text;
}

QString duration(double ms)
{
    const auto s = static_cast<std::int64_t>(std::max(0.0, ms) / 1000);
    const auto two = [](std::int64_t v) { return QStringLiteral("%1").arg(v, 2, 10, QLatin1Char('0')); };
    if (s < 60)
        return Words::tr("%1\u202Fs").arg(s);
    if (s < 3600)
        return Words::tr("%1\u202Fmin").arg(s / 60);
    if (s < 86400)
        return Words::tr("%1\u202Fh %2\u202Fmin").arg(s / 3600).arg(two(s / 60 % 60));
    return Words::tr("%1\u202Fd %2\u202Fh").arg(s / 86400).arg(two(s / 3600 % 24));
}

QString range(std::int64_t ms)
{
    const std::int64_t minutes = ms / 60'000;
    return minutes > 0 && minutes % 60 == 0 ? Words::tr("%1\u202Fh").arg(minutes / 60)
                                            : Words::tr("%1\u202Fmin").arg(minutes);
}

QString coarse(double ms)
{
    const double minutes = std::max(0.0, ms) / 60'000;
    if (minutes <= 99)
        return Words::tr("%1\u202Fmin").arg(number(std::ceil(minutes), 0));
    if (minutes <= 48 * 60)
        return Words::tr("%1\u202Fh").arg(number(std::ceil(minutes / 60), 0));
    return Words::tr("%1\u202Fd").arg(number(std::ceil(minutes / 1440), 0));
}

QString seconds(double ms)
{
    return Words::tr("%1\u202Fs").arg(number(std::ceil(std::max(0.0, ms) / 1000), 0));
}

QString clock(std::int64_t unixMs)
{
    return QDateTime::fromMSecsSinceEpoch(unixMs).toString(QStringLiteral("HH:mm:ss"));
}

QString clockShort(std::int64_t unixMs)
{
    return QDateTime::fromMSecsSinceEpoch(unixMs).toString(QStringLiteral("HH:mm"));
}

QString timeZone(std::int64_t unixMs)
{
    const int minutes = QDateTime::fromMSecsSinceEpoch(unixMs).offsetFromUtc() / 60;
    if (minutes == 0)
        return QStringLiteral("UTC");
    const QChar sign = minutes < 0 ? QChar(0x2212) : QLatin1Char('+');
    const int size = std::abs(minutes);
    const QString rest = size % 60 ? QStringLiteral(":%1").arg(size % 60, 2, 10, QLatin1Char('0')) : QString();
    return QStringLiteral("UTC%1%2%3").arg(sign).arg(size / 60).arg(rest);
}

QString plainTip(const QString& text)
{
    return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal) : text;
}

} // namespace sg::ui::format
