// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QIODevice>
#include <QLocale>

#include <tl/expected.hpp>

namespace sg::history {

enum class CsvQuotes { WhereNeeded, Always };

/// A text as a cell (RFC 4180), read back as the same; only a NUL, which no reader takes, is left out.
QByteArray csvCell(const QByteArray& text, CsvQuotes quotes = CsvQuotes::WhereNeeded);
/// The shortest digits that read back as the same number, in full: "0.000003", never with an exponent or groups.
QByteArray csvNumber(double number);

/// A CSV of requests (sample_csv.h) for a spreadsheet of that country: semicolons, its decimal sign, every cell in
/// quotation marks, a byte order mark. For eyes: nothing here reads it back. A last row that is not whole is left out.
/// The error is a part of a sentence. Blocks.
tl::expected<void, QString> writeLocalCsv(QIODevice& csv, QIODevice& out, const QLocale& locale);

} // namespace sg::history
