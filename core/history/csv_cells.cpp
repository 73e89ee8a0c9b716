// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/csv_cells.h"

#include "core/history/csv_rows.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace sg::history {

namespace {

// The digits of the largest double and of the smallest one written in full.
constexpr std::size_t kLongestNumber = 1100;

/// Fractions occur in these only; elsewhere a point is part of a name ("gpt-4.1").
bool hasFractions(const QByteArray& column)
{
    return column.endsWith("_ms") || column.endsWith("_usd") || column.endsWith("_share") || column.endsWith("_rps");
}

QByteArray localRow(const QList<QByteArray>& fields, const std::vector<bool>& isNumber, const QByteArray& point)
{
    QByteArray row;
    for (qsizetype i = 0; i < fields.size(); ++i) {
        QByteArray cell = fields.at(i);
        if (static_cast<std::size_t>(i) < isNumber.size() && isNumber[static_cast<std::size_t>(i)])
            cell.replace('.', point);
        row += (i > 0 ? ";" : "") + csvCell(cell, CsvQuotes::Always);
    }
    return row + "\r\n";
}

} // namespace

QByteArray csvCell(const QByteArray& text, CsvQuotes quotes)
{
    QByteArray cell = text;
    cell.replace('\0', "");
    const bool isSpecial =
        std::ranges::any_of(cell, [](char c) { return c == ',' || c == ';' || c == '"' || c == '\r' || c == '\n'; });
    if (!isSpecial && quotes == CsvQuotes::WhereNeeded)
        return cell;
    return '"' + cell.replace('"', "\"\"") + '"';
}

QByteArray csvNumber(double number)
{
    if (!std::isfinite(number))
        return {};
    std::array<char, kLongestNumber> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::fixed);
    return QByteArray(digits.data(), end.ptr - digits.data());
}

tl::expected<void, QString> writeLocalCsv(QIODevice& csv, QIODevice& out, const QLocale& locale)
{
    CsvRows rows(csv);
    const QByteArray point = locale.decimalPoint().toUtf8();
    std::vector<bool> isNumber;
    QByteArray block("\xef\xbb\xbf");
    for (bool isHead = true;; isHead = false) {
        const auto row = rows.next();
        if (!row)
            return tl::unexpected(row.error());
        const bool isEnd = !*row || rows.endedOpen();
        if (!isEnd)
            block += localRow(**row, isNumber, point);
        if (!isEnd && isHead)
            for (const QByteArray& name : **row)
                isNumber.push_back(hasFractions(name));
        if (!isEnd && block.size() < 64 * 1024)
            continue;
        if (out.write(block) != block.size())
            return tl::unexpected(out.errorString());
        block.clear();
        if (isEnd)
            return {};
    }
}

} // namespace sg::history
