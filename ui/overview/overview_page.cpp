// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/overview_page.h"
#include "ui/format/format.h"
#include "ui/gateway/gateway_notice.h"
#include "ui/overview/breaker_card.h"
#include "ui/overview/card_grid.h"
#include "ui/overview/command_question.h"
#include "ui/overview/empty_state.h"
#include "ui/overview/events_panel.h"
#include "ui/overview/histogram_legend.h"
#include "ui/overview/kpi_row.h"
#include "ui/overview/latency_heatmap.h"
#include "ui/overview/latency_histogram.h"
#include "ui/overview/state_lanes.h"
#include "ui/widgets/tip_frame.h"

#include <QStackedWidget>

namespace sg::ui {

using observe::BreakerCommand;

namespace {

constexpr int kSide = 12, kTop = 10, kGutter = 10, kTiles = 84, kPanelHead = 34;
constexpr std::int64_t kQuietAfterMs = 3000; ///< traffic that is about to come needs no advice
constexpr int kEventsWide = 340, kChartLow = 240, kChartBest = 268;

} // namespace

OverviewBoard::OverviewBoard(const Parts& parts, QWidget* canvas)
    : parts_(parts)
{
    setWidget(canvas);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    viewport()->setAutoFillBackground(false);
    canvas->setAutoFillBackground(false);
}

void OverviewBoard::setNarrow(bool isNarrow)
{
    isNarrow_ = isNarrow;
    parts_.cards->setNarrow(isNarrow);
    arrange();
}

void OverviewBoard::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    arrange();
}

void OverviewBoard::arrange()
{
    const int wide = viewport()->width() - 2 * kSide;
    const int cards = parts_.cards->heightFor(wide, isNarrow_);
    const int lanes = parts_.laneBody->wantedHeight() + kPanelHead;
    const int events = isNarrow_ ? 240 + kGutter : 0;
    const int fixed = kTop + kTiles + kGutter + cards + kGutter + lanes + kGutter + events + kTop;
    const int room = viewport()->height() - fixed;
    const int charts = room >= kChartLow ? room : kChartBest;
    int y = kTop;
    parts_.tiles->setGeometry(kSide, y, wide, kTiles);
    y += kTiles + kGutter;
    parts_.cards->setGeometry(kSide, y, wide, cards);
    y += cards + kGutter;
    const int left = isNarrow_ ? wide : wide - kEventsWide - kGutter;
    parts_.lanes->setGeometry(kSide, y, left, lanes);
    if (isNarrow_)
        parts_.events->setGeometry(kSide, y + lanes + kGutter, wide, 240);
    else
        parts_.events->setGeometry(kSide + left + kGutter, y, kEventsWide, lanes + kGutter + charts);
    y += lanes + kGutter + events;
    const int histogram = qRound(left * 0.5294);
    parts_.histogram->setGeometry(kSide, y, histogram, charts);
    parts_.heatmap->setGeometry(kSide + histogram + kGutter, y, left - histogram - kGutter, charts);
    widget()->resize(viewport()->width(), std::max(viewport()->height(), fixed + charts));
}

OverviewPage::OverviewPage(ThemeContext& context, observe::Commands& commands, QWidget* window)
    : context_(context)
    , commands_(commands)
    , tip_(new TipFrame(context, window))
    , stack_(new QStackedWidget)
    , empty_(new EmptyState(context))
    , lockTimers_([this](const QString& endpoint, std::chrono::minutes after) {
        send(endpoint, BreakerCommand::Release, tr("The lock's time of %1 min was over").arg(after.count()));
    })
{
    auto* canvas = new QWidget;
    tiles_ = new KpiRow(context, canvas);
    cards_ = new CardGrid(context, canvas);
    lanesPanel_ = new Panel(context, tr("Breaker states"), canvas);
    lanes_ = new StateLanes(context, *tip_);
    lanesPanel_->setBody(lanes_);
    lanesPanel_->setCorner(new StateLegend(context));
    histogramPanel_ = new Panel(context, tr("Latency distribution"), canvas);
    histogram_ = new LatencyHistogram(context);
    histogramPanel_->setBody(histogram_);
    histogramPanel_->setCorner(new HistogramLegend(context));
    heatmapPanel_ = new Panel(context, tr("Latency over time"), canvas);
    heatmap_ = new LatencyHeatmap(context);
    heatmapPanel_->setBody(heatmap_);
    events_ = new EventsPanel(context, canvas);
    board_ = new OverviewBoard({tiles_, cards_, lanesPanel_, lanes_, histogramPanel_, heatmapPanel_, events_}, canvas);

    auto* emptyHolder = new QWidget;
    auto* holder = new QVBoxLayout(emptyHolder);
    holder->setContentsMargins(kSide, kTop, kSide, kTop);
    holder->addWidget(empty_);
    stack_->addWidget(emptyHolder);
    stack_->addWidget(board_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(stack_);

    connect(cards_, &CardGrid::commandRequested, this, &OverviewPage::ask);
    connect(cards_, &CardGrid::countChanged, board_, &OverviewBoard::arrange);
    connect(lanes_, &StateLanes::wantedHeightChanged, board_, &OverviewBoard::arrange);
    connect(empty_, &EmptyState::addEndpointRequested, this, &OverviewPage::addEndpointRequested);
    connect(empty_, &EmptyState::simulatorRequested, this, &OverviewPage::simulatorRequested);
    connect(&context, &ThemeContext::changed, this, &OverviewPage::openGates);
}

OverviewPage::~OverviewPage() = default;

void OverviewPage::offerGateway(GatewayFeed& gateway)
{
    notice_ = new GatewayNotice(gateway);
    auto* row = new QVBoxLayout;
    row->setContentsMargins(kSide, 0, kSide, 0);
    row->addWidget(notice_);
    static_cast<QVBoxLayout*>(layout())->insertLayout(0, row);
    // A layout keeps its margins while what is in it is hidden.
    connect(notice_, &GatewayNotice::shownChanged, this,
            [row](bool isShown) { row->setContentsMargins(kSide, isShown ? kTop : 0, kSide, 0); });
    connect(notice_, &GatewayNotice::gatewayRequested, this, &OverviewPage::gatewayRequested);
}

bool OverviewPage::isEmpty() const
{
    return stack_->currentIndex() == 0;
}

std::vector<PaletteCommand> OverviewPage::paletteCommands()
{
    std::vector<PaletteCommand> all;
    for (const auto* card : cards_->cards()) {
        const QString name = card->facts().name;
        all.push_back({tr("Show %1").arg(name), card->facts().provider, [this, name] { cards_->reveal(name); }});
    }
    return all;
}

PageBadge OverviewPage::badge(const observe::Snapshot& snapshot) const
{
    const auto count = std::ranges::count_if(snapshot.endpoints, [](const auto& endpoint) {
        return endpoint.state == policy::BreakerState::Open || endpoint.credentialOut || !endpoint.keyMissing.empty();
    });
    if (count == 0)
        return {};
    return {count > 99 ? QStringLiteral("99+") : QString::number(count),
            count == 1 ? tr("1 endpoint needs attention") : tr("%1 endpoints need attention").arg(count)};
}

void OverviewPage::setNarrow(bool isNarrow)
{
    board_->setNarrow(isNarrow);
}

void OverviewPage::openGates()
{
    for (Gate* gate : {&numbers_, &courses_, &lanesGate_, &charts_})
        gate->open();
}

void OverviewPage::setSnapshot(const observe::SnapshotPtr& snapshot, std::int64_t now)
{
    if (!snapshot)
        return;
    const bool isOther = !snapshot_ || snapshot_->windowMs != snapshot->windowMs ||
                         snapshot_->endpoints.size() != snapshot->endpoints.size() ||
                         snapshot_->workspace != snapshot->workspace;
    if (isOther)
        openGates();
    snapshot_ = snapshot;
    const bool isEmpty = snapshot->endpoints.empty() && snapshot->requestsTotal == 0;
    stack_->setCurrentIndex(isEmpty ? 0 : 1);
    if (notice_)
        notice_->setWanted(!isEmpty && snapshot->requestsTotal == 0 && now - snapshot->startedUnixMs >= kQuietAfterMs);
    if (isEmpty)
        return;
    // State, lane and event change in one frame; everything else has its own pace.
    bool isStateNew = false;
    for (std::size_t i = 0; i < snapshot->endpoints.size() && i < cards_->cards().size(); ++i)
        isStateNew = isStateNew || cards_->cards()[i]->facts().state != snapshot->endpoints[i].state;
    if (isStateNew)
        lanesGate_.open();
    cards_->setEndpoints(snapshot->endpoints, now);
    events_->setSnapshot(*snapshot, now);
    if (numbers_.passes(now))
        tiles_->setNumbers(*snapshot, now);
    if (courses_.passes(now))
        tiles_->setCourses(*snapshot);
    if (lanesGate_.passes(now)) {
        lanesPanel_->setSubtitle(snapshot->startedUnixMs > now - snapshot->windowMs
                                     ? tr("no data before %1").arg(format::clockShort(snapshot->startedUnixMs))
                                     : tr("last %1").arg(format::duration(static_cast<double>(snapshot->windowMs))));
        lanes_->setSnapshot(snapshot);
    }
    updateCharts(snapshot, now);
}

void OverviewPage::updateCharts(const observe::SnapshotPtr& snapshot, std::int64_t now)
{
    if (!charts_.passes(now))
        return;
    histogramPanel_->setSubtitle(tr("%1 requests, log scale").arg(format::count(snapshot->tiles.latencySamples)));
    histogram_->setSnapshot(snapshot);
    heatmapPanel_->setSubtitle(
        tr("requests per %1 cell").arg(format::duration(static_cast<double>(snapshot->heatmap.columnMs))));
    heatmap_->setSnapshot(snapshot);
}

const observe::EndpointView* OverviewPage::find(const QString& endpoint) const
{
    if (!snapshot_)
        return nullptr;
    const std::string name = endpoint.toStdString();
    for (const auto& view : snapshot_->endpoints) {
        if (view.name == name)
            return &view;
    }
    return nullptr;
}

void OverviewPage::ask(const QString& endpoint, BreakerCommand command)
{
    const auto* view = find(endpoint);
    if (!view)
        return;
    const auto question = questionBefore(command, *view, snapshot_->environment);
    if (!question)
        return send(endpoint, command, QString());
    auto* dialog = new ConfirmDialog(context_, *question, window());
    connect(dialog, &ConfirmDialog::confirmed, this, [this, endpoint, command](const ConfirmDialog::Answer& answer) {
        send(endpoint, command, answer.reason);
        if (answer.undoAfter)
            lockTimers_.start(endpoint, *answer.undoAfter);
    });
    dialog->open();
}

void OverviewPage::send(const QString& endpoint, BreakerCommand command, const QString& reason)
{
    lockTimers_.cancel(endpoint);
    commands_.breaker(endpoint.toStdString(), command, reason.toStdString());
}

} // namespace sg::ui
