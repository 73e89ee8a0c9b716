// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/series_control.h"
#include "tests/ui/fake_history.h"
#include "tests/ui/load_desk.h"
#include "ui/load/series/series_choice.h"
#include "ui/load/series/series_model.h"
#include "ui/load/series/series_view.h"

/// A series control without an engine: hands out the picture a test puts in, remembers what it was told.
class FakeSeriesControl : public sg::load::SeriesControl
{
public:
    QString refusal, problem;
    sg::load::SeriesProgressPtr picture;
    std::vector<sg::load::SeriesPlan> started;
    int stops = 0;

    QString check(const sg::load::SeriesPlan&) const override { return problem; }
    QString start(const sg::load::SeriesPlan& series) override
    {
        if (refusal.isEmpty())
            started.push_back(series);
        return refusal;
    }
    void stop() override { ++stops; }
    sg::load::SeriesProgressPtr progress() const override { return picture; }
    sg::load::CostEstimate estimate(const sg::load::SeriesPlan&) const override { return {5.0, 12.6, 100, 100, {}}; }
};

namespace sample {

inline SeriesRow seriesRow(const QString& name, double success, double p99, std::optional<double> cost)
{
    SeriesRow row{name, name, QStringLiteral("U(0, e)"), SeriesRunState::Finished, {}, QStringLiteral("valid"), {}, {}};
    const auto set = [&](SeriesColumn column, double value, double spread) {
        row.cell(column) = {value, sg::stats::Estimate{value, value - spread, value + spread}, Standing::None};
    };
    set(SeriesColumn::Success, success, 0.5);
    set(SeriesColumn::P50, p99 / 4, 20);
    set(SeriesColumn::P99, p99, 150);
    set(SeriesColumn::TtftP50, p99 / 9, 20);
    row.cell(SeriesColumn::Attempts).value = 1.2;
    row.cell(SeriesColumn::BlockedAgain).value = p99;
    row.cell(SeriesColumn::CostPer1000).value = cost;
    row.cell(SeriesColumn::CostPerMillion).value = cost;
    return row;
}

inline SeriesRunPtr seriesRun(const QString& id)
{
    SeriesRun run;
    run.record.summary.id = id;
    run.record.summary.name = id;
    run.last = shared(finished());
    return std::make_shared<const SeriesRun>(std::move(run));
}

/// Two runs that have ended, one that is under way, one that waits.
inline SeriesProgress series(SeriesKind kind = SeriesKind::Strategies)
{
    SeriesProgress series;
    series.state = SeriesState::Running;
    series.id = QStringLiteral("20261130T183437123-3f9a61c2");
    SeriesPlan plan;
    plan.kind = kind;
    plan.plan.target = "prod-chat";
    series.plan = std::make_shared<const SeriesPlan>(plan);
    series.table.kind = kind;
    series.table.rows = {
        seriesRow(QStringLiteral("no retry"), 75, 400, 8.5),
        seriesRow(QStringLiteral("full jitter"), 99.4, 2180, 8.6),
        {QStringLiteral("equal"), QStringLiteral("equal jitter"), {}, SeriesRunState::Running, {}, {}, {}, {}},
        {QStringLiteral("x"), QStringLiteral("immediate retry"), {}, SeriesRunState::Waiting, {}, {}, {}, {}}};
    judge(series.table);
    series.current = 2;
    series.share = 0.6;
    series.run = shared(running());
    series.runs = {seriesRun(QStringLiteral("run-a")), seriesRun(QStringLiteral("run-b")), nullptr, nullptr};
    return series;
}

inline SeriesProgressPtr shared(SeriesProgress series)
{
    return std::make_shared<const SeriesProgress>(std::move(series));
}

} // namespace sample
