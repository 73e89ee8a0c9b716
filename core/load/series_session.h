// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/cost/price_book.h"
#include "core/load/series_bench.h"
#include "core/load/series_control.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace sg::load {

/// Runs a series in a thread of its own, one run after another, each on a bench of its own. Its calls belong to one
/// thread.
class SeriesSession final : public SeriesControl
{
public:
    SeriesSession(MakeBench makeBench, const workspace::Workspace& workspace, const cost::PriceBook& prices);
    ~SeriesSession() override; ///< cancels what runs and waits for the thread, some milliseconds

    /// For series that are begun from now on.
    void setWorkspace(const workspace::Workspace& workspace) { workspace_ = workspace; }
    void setBench(MakeBench makeBench) { makeBench_ = std::move(makeBench); }
    /// Where runs write their requests, as history::RunFiles has them. Empty: nowhere.
    void keepRequestsIn(const QString& folder) { requestFolder_ = folder; }
    /// What runs are called, before the variant's words; empty: after their target.
    void setName(const QString& name) { name_ = name; }

    QString check(const SeriesPlan& series) const override;
    QString start(const SeriesPlan& series) override;
    void stop() override;
    SeriesProgressPtr progress() const override;
    CostEstimate estimate(const SeriesPlan& series) const override;

private:
    struct Settings
    {
        MakeBench makeBench;
        QString requestFolder, name;
        std::vector<SeriesVariant> variants;
    };
    struct Shared;
    static void runAll(Shared& shared, const Settings& settings);

    MakeBench makeBench_;
    workspace::Workspace workspace_;
    cost::PriceBook prices_;
    QString requestFolder_, name_;
    std::shared_ptr<Shared> shared_;
    std::thread thread_;
};

} // namespace sg::load
