// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/csv_rows.h"
#include "core/measure/sample.h"

#include <string>
#include <vector>

/// The requests of a run as CSV (RFC 4180), one a row. Times are ms since the run's start, to the nanosecond, with a
/// point whatever the locale; what did not happen is an empty field. Names that look like keys are masked. The pieces
/// of streams are not in it.
namespace sg::history {

/// The names of the columns with their units, and the line end.
std::string csvHead();
/// One row with its line end. `start` is the run's.
void appendCsvRow(std::string& out, const measure::Sample& sample, Instant start);

/// Rows as samples whose run began at Instant(). Columns are found by name; unknown ones, and those that follow from
/// others (response_ms, ...), are not looked at. One thread; blocks.
class SampleReader
{
public:
    /// Reads the head; the error is a part of a sentence. `device` is open for reading and outlives this.
    static tl::expected<SampleReader, QString> open(QIODevice& device);

    /// Empty at the end. A last row that was cut off in the middle is left out, and isCutOff().
    tl::expected<std::optional<measure::Sample>, QString> next();
    bool isCutOff() const { return isCutOff_; }

private:
    explicit SampleReader(QIODevice& device)
        : rows_(device)
    {
    }
    CsvRows rows_;
    std::vector<int> columns_; ///< of each field of the file: which of ours it is, or -1
    bool isCutOff_ = false;
};

} // namespace sg::history
