// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline says in words and rows.
#include "ui/format/format.h"
#include "ui/load/load_words.h"
#include "ui/load/timeline_view.h"

namespace sg::ui {

namespace {

QString ms(std::optional<float> value)
{
    return format::latency(value ? std::optional<double>(*value) : std::nullopt).text();
}

} // namespace

QString TimelineView::cursorWords() const
{
    if (!cursor_ || !progress_)
        return {};
    const load::RunSecond* slot = runaxes::slotAt(*progress_, *cursor_);
    if (!slot)
        return tr("%1: no data").arg(loadwords::span(*cursor_));
    return tr("%1: %2 answered and %3 attempts a second, p50 %4, p95 %5, %6 of attempts failed")
        .arg(loadwords::span(*cursor_), format::rate(runaxes::answeredRate(*slot)),
             format::rate(runaxes::attemptsRate(*slot)), ms(slot->p50Ms), ms(slot->p95Ms),
             format::failure(runaxes::failedShare(*slot)));
}

DataTable TimelineView::dataTable() const
{
    DataTable table{tr("Timeline of the run"),
                    {{tr("time"), false},
                     {tr("answered/s"), true},
                     {tr("attempts/s"), true},
                     {QStringLiteral("p50"), true},
                     {QStringLiteral("p95"), true},
                     {QStringLiteral("p99"), true},
                     {tr("attempts failed"), true}},
                    {}};
    if (!progress_)
        return table;
    for (const load::RunSecond& slot : progress_->seconds)
        table.rows.push_back(DataTable::row({loadwords::span(slot.second), format::rate(runaxes::answeredRate(slot)),
                                             format::rate(runaxes::attemptsRate(slot)), ms(slot.p50Ms), ms(slot.p95Ms),
                                             ms(slot.p99Ms), format::failure(runaxes::failedShare(slot))}));
    return table;
}

} // namespace sg::ui
