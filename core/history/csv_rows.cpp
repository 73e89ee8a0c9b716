// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/csv_rows.h"

namespace sg::history {

int CsvRows::take()
{
    if (at_ == buffer_.size()) {
        const bool isFirst = buffer_.isNull();
        buffer_ = device_.read(64 * 1024);
        // Some spreadsheets put a byte order mark before everything.
        at_ = isFirst && buffer_.startsWith("\xef\xbb\xbf") ? 3 : 0;
        if (at_ >= buffer_.size())
            return -1;
    }
    return static_cast<unsigned char>(buffer_.at(at_++));
}

tl::expected<std::optional<QList<QByteArray>>, QString> CsvRows::next()
{
    const auto wrong = [this](const QString& problem) {
        return tl::unexpected(QStringLiteral("line %1: %2").arg(line_).arg(problem));
    };
    QList<QByteArray> fields;
    QByteArray field;
    bool isQuoted = false, wasQuoted = false;
    qsizetype bytes = 0;
    line_ = lines_;
    for (;;) {
        const int c = take();
        if (++bytes > kMostBytes)
            return wrong(QStringLiteral("a record longer than 1 MiB"));
        if (c < 0 && isQuoted)
            return wrong(QStringLiteral("a quotation mark is not closed"));
        lines_ += c == '\n' ? 1 : 0;
        if (isQuoted && c != '"') {
            field.append(static_cast<char>(c));
        } else if (isQuoted) {
            isQuoted = false;
            wasQuoted = true;
        } else if (c == '"' && wasQuoted) { // a doubled one stands for itself
            field.append('"');
            isQuoted = true;
            wasQuoted = false;
        } else if (c == '"' && field.isEmpty()) {
            isQuoted = true;
        } else if (c == ',') {
            fields.append(field);
            field.clear();
            wasQuoted = false;
        } else if (c == '\n' || c < 0) {
            if (!wasQuoted && field.endsWith('\r'))
                field.chop(1);
            const bool isEmpty = fields.isEmpty() && field.isEmpty() && !wasQuoted;
            if (isEmpty && c < 0)
                return std::nullopt;
            line_ = isEmpty ? lines_ : line_;
            if (isEmpty)
                continue;
            endedOpen_ = c < 0;
            fields.append(field);
            return fields;
        } else if (wasQuoted && c != '\r') {
            return wrong(QStringLiteral("text behind a closing quotation mark"));
        } else if (!wasQuoted) {
            field.append(static_cast<char>(c));
        }
    }
}

} // namespace sg::history
