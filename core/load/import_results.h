// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/measure/sample.h"

#include <QIODevice>
#include <QStringList>

#include <functional>
#include <tl/expected.hpp>

/// Results of other load generators, request by request, or as a histogram of them. What holds percentiles only is
/// refused: those of several machines or minutes cannot be put together, and an average of them is the percentile of
/// nothing.
namespace sg::load {

enum class ResultFormat {
    K6Points,        ///< k6 run --out json=FILE
    InferencePerf,   ///< per_request_lifecycle_metrics.json
    Rows,            ///< CSV, one request a row: `load --csv`, or what an exported Locust file writes
    LocustHistogram, ///< locust --json: counts of whole milliseconds; only of runs in which nothing failed
};
const char* toString(ResultFormat format); // snake_case

struct ImportedResults
{
    ResultFormat format = ResultFormat::Rows;
    std::int64_t requests = 0;
    QStringList notes; ///< sentences: what these figures leave out or mean differently
};

/// Recognises the format by the text and hands over each request; times are since an origin of the file's own. The
/// error is a sentence with its remedy; requests before it have been handed over. Blocks; `device` is open for reading
/// and can be rewound.
tl::expected<ImportedResults, QString> importResults(QIODevice& device,
                                                     const std::function<void(const measure::Sample&)>& take);

} // namespace sg::load
