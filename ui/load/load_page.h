// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/history/run_history.h"
#include "core/load/control.h"
#include "ui/load/cost_box.h"
#include "ui/load/plan_form.h"
#include "ui/load/run_header.h"
#include "ui/main_window/page.h"

#include <QTimer>

class QLabel;
class QGridLayout;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace sg::load {
class SeriesControl;
}

namespace sg::ui {

class Banner;
class LatencyHistogram;
class Legend;
class LiveStrip;
class Panel;
class PastRuns;
class RateBar;
class ResultPages;
class ResultView;
class RowsModel;
class RunCharts;
class RunSwitch;
class RunsDesk;
class SeriesChoice;
class SeriesView;
class SharesBar;

/// Plan a load test, watch it, keep its report. Ctrl+Enter starts, Ctrl+. stops. Asks the control for the run's picture
/// ten times a second while it is on screen, and paints only what has changed.
class LoadPage : public QWidget, public Page
{
    Q_OBJECT
public:
    /// `history`: where ended runs are kept, and compared from; null: nowhere. It outlives the page.
    LoadPage(ThemeContext& context, load::LoadControl& control, history::RunHistory* history = nullptr,
             QWidget* parent = nullptr);
    ~LoadPage() override;
    /// Runs a plan with each strategy or on each endpoint, too. `series` outlives the page.
    void offerSeries(load::SeriesControl& series);

    QString id() const override { return QStringLiteral("load"); }
    QString title() const override { return tr("Load tests"); }
    QString icon() const override { return QStringLiteral("load-tests"); }
    QWidget* widget() override { return this; }
    /// A run has pictures of its own, which the page fetches itself.
    void setSnapshot(const observe::SnapshotPtr&, std::int64_t) override {}
    std::vector<PaletteCommand> paletteCommands() override;
    PageBadge badge(const observe::Snapshot&) const override; ///< how far the run that is on has come

    /// Asks first where the run may cost more than the plan's limit, or nobody knows how much.
    void start();
    void stop();
    /// Chains or endpoints have changed.
    void reloadTargets();
    /// Fetches the picture now.
    void poll();
    PlanForm* form() const { return form_; }
    RunsDesk* runs() const { return desk_; } ///< null without a history
    void showRuns();
    void showRun();
    void showSeries();
    SeriesView* series() const { return series_; }         ///< null without series
    SeriesChoice* seriesChoice() const { return choice_; } ///< hidden without series

    /// Asks where the report goes; the argument is a name to begin with; empty = nowhere. Tests put their own.
    std::function<QString(QWidget*, const QString&)> askReportPath;

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* makeLeft();
    QWidget* makeTimeline();
    QWidget* makeResult();
    QWidget* makeRight();
    void wire();

    void begin();
    bool asksFirst();
    void onRunSeen();
    void showStrip();
    void onFormChanged();
    void showProgress();
    void keepEnded();
    void keepInHistory();
    void keepWhatEnded(); ///< also runs of a series
    void makeRuns(history::RunHistory& history);
    void planSweep();
    void takePlan(const load::LoadPlan& plan);
    void showButton();
    void showTables();
    void showEmpty();
    void showCost();
    void showFailure();
    void saveReport();
    void copyReport();
    load::RunState state() const;
    bool isActive() const;

    ThemeContext& context_;
    std::unique_ptr<RunSwitch> switch_;
    load::LoadControl& control_; ///< through the switch
    QTimer timer_{this};
    QTimer keeper_; ///< also while the page is hidden: a run that ends then is kept, too
    load::RunProgressPtr progress_, tablesShown_, stripShown_, failureShown_;
    int runs_ = 0, lastEnded_ = 0;
    bool awaitsRun_ = false; ///< accepted, not in a picture yet
    load::CostEstimate estimate_;
    loadwords::EstimateWords estimateOfPlan_, estimateOfRun_;

    Panel *plan_ = nullptr, *answers_ = nullptr, *latencyPanel_ = nullptr, *result_ = nullptr,
          *timelinePanel_ = nullptr;
    Legend* latencyLegend_ = nullptr;
    PlanForm* form_ = nullptr;
    CostBox* cost_ = nullptr;
    RateBar* rate_ = nullptr;
    PastRuns* past_ = nullptr;
    RunsDesk* desk_ = nullptr;
    QStackedWidget* views_ = nullptr;
    QGridLayout* grid_ = nullptr;
    QPushButton *openRuns_ = nullptr, *openSeries_ = nullptr;
    SeriesChoice* choice_ = nullptr;
    SeriesView* series_ = nullptr;
    QString kept_;        ///< id of the newest kept run
    QString rowsProblem_; ///< said already
    RunHeader* header_ = nullptr;
    Banner* banner_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    QLabel *emptyWords_ = nullptr, *attempts_ = nullptr, *noLatency_ = nullptr, *noSlow_ = nullptr;
    QPushButton *emptyStart_ = nullptr, *save_ = nullptr, *copy_ = nullptr;
    LiveStrip* strip_ = nullptr;
    RunCharts* charts_ = nullptr;
    double stripEnd_ = 0; ///< s, where its axis ended last
    ResultView* resultView_ = nullptr;
    ResultPages* resultPages_ = nullptr;
    RowsModel *statuses_ = nullptr, *slowest_ = nullptr;
    QTableView* slowTable_ = nullptr;
    SharesBar* shares_ = nullptr;
    LatencyHistogram* latency_ = nullptr;
};

} // namespace sg::ui
