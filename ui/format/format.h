// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <cstdint>
#include <optional>

/// Numbers, spans and times as the screen shows them: in the locale's digits, thousands apart by a narrow no-break
/// space, the minus U+2212, a unit after a narrow no-break space. Unknown is an en dash, never 0.
namespace sg::ui::format {

inline QString unknown()
{
    return QString(QChar(0x2013));
}
inline QString thin()
{
    return QString(QChar(0x202F));
}

/// A figure and its unit, apart because tiles set them in different sizes.
struct Quantity
{
    QString number, unit;
    QString text() const { return unit.isEmpty() ? number : number + thin() + unit; }
};

QString number(double value, int decimals);
QString count(std::int64_t value);
QString shortCount(double value, double from = 1e5); ///< "124 k" from `from` on, for tight places
QString rate(double perSecond);                      ///< 2 decimals below 1, 1 below 100, then whole
/// Milliseconds: below 10 ms 1 decimal, below 1 s whole ms, below 10 s 2 decimals of a second, else 1.
Quantity latency(std::optional<double> ms);
QString success(std::optional<double> share); ///< percent number, 2 decimals, rounded down: 100 only when it is 100
QString failure(std::optional<double> share); ///< "1.7 %", from 10 % whole, "< 0.1 %" where it is not none
QString share(std::optional<double> share);   ///< "62.9 %"
QString money(std::optional<double> usd);     ///< "$82.60"; below 0.01 4 decimals ("< $0.0001"), from 100 whole
QString duration(double ms);                  ///< "42 s", "12 min", "9 h 41 min", "3 d 04 h"
QString range(std::int64_t ms);               ///< whole minutes or hours: "15 min", "1 h"
QString coarse(double ms);                    ///< one unit, rounded up: "3 min", "24 h", "9 d"
QString seconds(double ms);                   ///< countdown: whole seconds, rounded up
/// A number as a person types it: with a point, or as the locale writes it. Blanks are for reading only. Empty: it is
/// none, or it says two things, as "0,125" does where a comma stands between thousands.
std::optional<double> numberIn(QString typed);
QString clock(std::int64_t unixMs);      ///< local "14:32:08"
QString clockShort(std::int64_t unixMs); ///< local "14:32"
QString timeZone(std::int64_t unixMs);   ///< "UTC+1"
/// A tool tip that shows the text as it is: Qt would take "<b>" in a server's message for markup.
QString plainTip(const QString& text);

} // namespace sg::ui::format
