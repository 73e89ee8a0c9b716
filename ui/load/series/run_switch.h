// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/load/control.h"
#include "core/load/series_control.h"

#include <functional>

namespace sg::ui {

/// What the load page runs: its plan once, or as a series. While a series is under way its present run is the picture;
/// afterwards an ended run of it can be looked at as if it had been run alone.
class RunSwitch final : public load::LoadControl
{
public:
    enum class Mode { Once, Strategies, Endpoints };

    explicit RunSwitch(load::LoadControl& once)
        : once_(once)
    {
    }
    void offer(load::SeriesControl& series) { series_ = &series; }
    load::SeriesControl* series() const { return series_; } ///< null: there are none

    void setMode(Mode mode) { mode_ = mode; }
    Mode mode() const { return series_ ? mode_ : Mode::Once; }
    bool isSeriesActive() const;
    /// The series that the plan would be run as.
    load::SeriesPlan seriesOf(const load::LoadPlan& plan) const;
    int runsOf(const load::LoadPlan& plan) const; ///< 1 unless it would be a series
    /// With the budget of all its runs together.
    load::LoadPlan asWhole(load::LoadPlan plan) const;
    QString problemOf(const load::LoadPlan& plan) const; ///< why it could be no series; empty: it could
    /// An ended run to look at, until something is started.
    void open(load::RunProgressPtr run) { opened_ = std::move(run); }

    std::function<void()> started; ///< a series

    std::vector<std::string> chains() const override { return once_.chains(); }
    std::vector<std::string> endpoints() const override { return once_.endpoints(); }
    std::optional<load::OwnGateway> gateway() const override { return once_.gateway(); }
    QString keyProblem(const workspace::KeyRef& key) const override { return once_.keyProblem(key); }
    void test(const load::UrlTarget& url, std::function<void(const engine::ConnectionResult&)> done) override
    {
        once_.test(url, std::move(done));
    }
    QString start(const load::LoadPlan& plan) override;
    void stop() override;
    void setRate(double perSecond) override;
    void setUsers(int users) override;
    load::RunProgressPtr progress() const override;
    load::CostEstimate estimate(const load::LoadPlan& plan) const override;

private:
    load::LoadControl& once_;
    load::SeriesControl* series_ = nullptr;
    Mode mode_ = Mode::Once;
    void forgetSeries() const;

    mutable load::RunProgressPtr opened_;
    mutable load::RunProgressPtr present_; ///< of a series: the newest picture of a run
};

} // namespace sg::ui
