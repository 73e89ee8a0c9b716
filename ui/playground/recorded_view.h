// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/price_book.h"
#include "ui/playground/playground_words.h"

#include <tl/expected.hpp>

namespace sg::ui {

/// An answer that somebody has saved, explained.
struct RecordedView
{
    QString file; ///< its name, without the folder
    words::Status status;
    words::Failure failure;
    provider::Answer answer;
    bool isPartial = false;
    QByteArray raw; ///< the first 256 KiB
    qint64 rawBytes = 0;
    std::vector<words::Figure> figures;
    std::vector<RowsModel::Row> facts;   ///< how Switchgear understands it, the warnings near the top
    std::vector<RowsModel::Row> headers; ///< of the answer; empty: the file has none
    QByteArray json;                     ///< the explanation, indented
    QStringList warnings;
};

/// Reads and explains a file of at most 16 MiB: a raw HTTP answer, an event stream or a body. The error is a sentence
/// with the remedy. `prices` may be null: then only what the provider says is known of the cost. Any thread; blocks.
tl::expected<RecordedView, QString> readRecordedFile(const QString& path, std::int64_t nowUnixMs,
                                                     const cost::PriceBook* prices = nullptr);

} // namespace sg::ui
