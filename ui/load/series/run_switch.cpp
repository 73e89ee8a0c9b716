// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/series/run_switch.h"

#include "ui/load/load_words.h"

#include <QCoreApplication>

namespace sg::ui {

bool RunSwitch::isSeriesActive() const
{
    const load::SeriesProgressPtr series = series_ ? series_->progress() : nullptr;
    return series && load::isActive(series->state);
}

load::SeriesPlan RunSwitch::seriesOf(const load::LoadPlan& plan) const
{
    load::SeriesPlan series;
    series.plan = plan;
    if (mode() != Mode::Endpoints)
        return series;
    series.kind = load::SeriesKind::Endpoints;
    series.endpoints = once_.endpoints();
    return series;
}

int RunSwitch::runsOf(const load::LoadPlan& plan) const
{
    if (mode() == Mode::Once)
        return 1;
    const load::SeriesPlan series = seriesOf(plan);
    return static_cast<int>(series.kind == load::SeriesKind::Strategies ? series.strategies.size()
                                                                        : series.endpoints.size());
}

load::LoadPlan RunSwitch::asWhole(load::LoadPlan plan) const
{
    if (plan.stop.budgetUsd)
        *plan.stop.budgetUsd *= runsOf(plan);
    return plan;
}

QString RunSwitch::problemOf(const load::LoadPlan& plan) const
{
    return mode() == Mode::Once ? QString() : series_->check(seriesOf(plan));
}

QString RunSwitch::start(const load::LoadPlan& plan)
{
    if (isSeriesActive())
        return QCoreApplication::translate("RunSwitch", "A series is under way. Cancel it first.");
    if (mode() == Mode::Once) {
        QString refusal = once_.start(plan);
        if (refusal.isEmpty())
            forgetSeries();
        return refusal;
    }
    if (const load::RunProgressPtr run = once_.progress(); run && loadwords::isActive(run->state))
        return QCoreApplication::translate("RunSwitch", "A run is under way. Stop it first.");
    QString refusal = series_->start(seriesOf(plan));
    if (!refusal.isEmpty())
        return refusal;
    opened_.reset();
    auto starting = std::make_shared<load::RunProgress>();
    starting->state = load::RunState::Starting;
    starting->plan = plan;
    present_ = std::move(starting);
    if (started)
        started();
    return {};
}

void RunSwitch::stop()
{
    if (isSeriesActive())
        series_->stop();
    else
        once_.stop();
}

void RunSwitch::setRate(double perSecond)
{
    if (!isSeriesActive()) // the runs of a series are to be alike
        once_.setRate(perSecond);
}

void RunSwitch::setUsers(int users)
{
    if (!isSeriesActive())
        once_.setUsers(users);
}

load::RunProgressPtr RunSwitch::progress() const
{
    load::RunProgressPtr once = once_.progress();
    if (once && loadwords::isActive(once->state))
        forgetSeries(); // it may have been started elsewhere
    if (opened_)
        return opened_;
    const load::SeriesProgressPtr series = present_ ? series_->progress() : nullptr;
    if (!series)
        return present_ ? present_ : once;
    if (load::isActive(series->state)) {
        if (series->run && loadwords::isActive(series->run->state))
            present_ = series->run;
        return present_;
    }
    // It is over: the last run that ended is what there is to see.
    for (auto run = series->runs.rbegin(); run != series->runs.rend(); ++run)
        if (*run)
            return (*run)->last;
    return once;
}

void RunSwitch::forgetSeries() const
{
    opened_.reset();
    present_.reset();
}

load::CostEstimate RunSwitch::estimate(const load::LoadPlan& plan) const
{
    if (mode() == Mode::Once || !problemOf(plan).isEmpty())
        return once_.estimate(plan);
    return series_->estimate(seriesOf(plan));
}

} // namespace sg::ui
