// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/observe/commands.h"
#include "ui/main_window/page.h"
#include "ui/overview/lock_timers.h"
#include "ui/theme/theme.h"

#include <QScrollArea>

#include <array>

class QStackedWidget;

namespace sg::ui {

class CardGrid;
class ConfirmDialog;
class EmptyState;
class EventsPanel;
class GatewayFeed;
class GatewayNotice;
class KpiRow;
class LatencyHeatmap;
class LatencyHistogram;
class Panel;
class StateLanes;
class TipFrame;

/// How the parts of the page stand: tiles, cards, lanes, charts, events; scrolls when the window is too low for them.
class OverviewBoard : public QScrollArea
{
    Q_OBJECT
public:
    struct Parts
    {
        KpiRow* tiles;
        CardGrid* cards;
        sg::ui::Panel* lanes;
        StateLanes* laneBody;
        sg::ui::Panel* histogram;
        sg::ui::Panel* heatmap;
        EventsPanel* events;
    };
    OverviewBoard(const Parts& parts, QWidget* canvas);
    void setNarrow(bool isNarrow);
    void arrange();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    Parts parts_;
    bool isNarrow_ = false;
};

/// The front page: what all breakers do, how fast answers are, what just happened.
class OverviewPage : public QWidget, public Page
{
    Q_OBJECT
public:
    OverviewPage(ThemeContext& context, observe::Commands& commands, QWidget* window);
    ~OverviewPage() override;

    QString id() const override { return QStringLiteral("overview"); }
    QString title() const override { return tr("Overview"); }
    QString icon() const override { return QStringLiteral("overview"); }
    QWidget* widget() override { return this; }
    std::vector<PaletteCommand> paletteCommands() override;
    PageBadge badge(const observe::Snapshot& snapshot) const override;
    void setSnapshot(const observe::SnapshotPtr& snapshot, std::int64_t nowUnixMs) override;
    void setNarrow(bool isNarrow) override;

    CardGrid& cards() { return *cards_; }
    KpiRow& tiles() { return *tiles_; }
    StateLanes& lanes() { return *lanes_; }
    LatencyHistogram& histogram() { return *histogram_; }
    LatencyHeatmap& heatmap() { return *heatmap_; }
    EventsPanel& events() { return *events_; }
    EmptyState& emptyState() { return *empty_; }
    bool isEmpty() const;
    /// While there is no traffic yet, says how applications bring some. `gateway` outlives it; once.
    void offerGateway(GatewayFeed& gateway);

Q_SIGNALS:
    void gatewayRequested(); ///< its panel
    void addEndpointRequested();
    void simulatorRequested();

private:
    /// Lets something through at most every so many ms of view time.
    class Gate
    {
    public:
        explicit Gate(std::int64_t everyMs)
            : everyMs_(everyMs)
        {
        }
        bool passes(std::int64_t now)
        {
            // 20 ms of grace: a timer of 66 ms never hits 250 or 500 exactly.
            if (last_ != 0 && now >= last_ && now - last_ < everyMs_ - 20)
                return false;
            last_ = now;
            return true;
        }
        void open() { last_ = 0; }

    private:
        std::int64_t everyMs_, last_ = 0;
    };

    void openGates();
    void updateCharts(const observe::SnapshotPtr& snapshot, std::int64_t nowUnixMs);
    void ask(const QString& endpoint, observe::BreakerCommand command);
    void send(const QString& endpoint, observe::BreakerCommand command, const QString& reason);
    const observe::EndpointView* find(const QString& endpoint) const;

    ThemeContext& context_;
    observe::Commands& commands_;
    TipFrame* tip_;
    QStackedWidget* stack_;
    EmptyState* empty_;
    GatewayNotice* notice_ = nullptr; ///< null: there is no gateway to offer
    OverviewBoard* board_;
    KpiRow* tiles_;
    CardGrid* cards_;
    Panel* lanesPanel_;
    StateLanes* lanes_;
    Panel* histogramPanel_;
    LatencyHistogram* histogram_;
    Panel* heatmapPanel_;
    LatencyHeatmap* heatmap_;
    EventsPanel* events_;
    LockTimers lockTimers_;
    observe::SnapshotPtr snapshot_;
    Gate numbers_{500}, courses_{1000}, lanesGate_{250}, charts_{1000};
};

} // namespace sg::ui
