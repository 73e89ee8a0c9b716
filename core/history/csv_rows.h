// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QIODevice>
#include <QList>

#include <optional>
#include <tl/expected.hpp>

namespace sg::history {

/// Records of a text in CSV (RFC 4180; LF alone ends a record too), one at a time, however long the text. Blocks as
/// its device does; one thread.
class CsvRows
{
public:
    static constexpr qsizetype kMostBytes = 1024 * 1024; ///< of a record

    /// `device` is open for reading and outlives this.
    explicit CsvRows(QIODevice& device)
        : device_(device)
    {
    }
    /// The fields of the next record; empty at the end. Empty lines are left out. The error is a sentence's part with
    /// its line: nothing can be read after it.
    tl::expected<std::optional<QList<QByteArray>>, QString> next();
    qint64 line() const { return line_; } ///< on which the newest record began, from 1
    /// The last record had no line end: a text that is still being written, or was cut off.
    bool endedOpen() const { return endedOpen_; }

private:
    int take(); ///< the next byte, or -1
    QIODevice& device_;
    QByteArray buffer_;
    qsizetype at_ = 0;
    qint64 line_ = 0, lines_ = 1;
    bool endedOpen_ = false;
};

} // namespace sg::history
