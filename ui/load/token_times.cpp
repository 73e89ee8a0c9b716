// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/token_times.h"

#include "ui/format/format.h"
#include "ui/load/load_words.h"
#include "ui/overview/latency_histogram.h"
#include "ui/widgets/segments.h"

#include <QBoxLayout>
#include <QLabel>

namespace sg::ui {

namespace {

constexpr int kChartHigh = 132;
enum Page { ResultPage, TokenPage };

observe::SnapshotPtr asSnapshot(const load::TokenTimes& times)
{
    auto snapshot = std::make_shared<observe::Snapshot>();
    snapshot->tiles.answered = times.answers;
    snapshot->tiles.p50Ms = times.p50Ms;
    snapshot->tiles.p95Ms = times.p95Ms;
    for (const load::LatencyBar& bar : times.bars)
        snapshot->latency.push_back({bar.lowMs, bar.highMs, bar.answered, 0, bar.failed});
    return snapshot;
}

QWidget* titled(const QString& title, const QString& unit, measure::Metric metric, LatencyHistogram* chart)
{
    auto* head = new QLabel(title);
    auto* note = new QLabel(unit);
    note->setProperty("role", QStringLiteral("caption"));
    for (QLabel* label : {head, note})
        label->setToolTip(format::plainTip(loadwords::formulaOf(metric)));
    auto* line = new QHBoxLayout;
    line->setContentsMargins(13, 0, 13, 0);
    line->setSpacing(8);
    line->addWidget(head);
    line->addWidget(note, 1);
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(line);
    column->addWidget(chart, 1);
    return part;
}

} // namespace

TokenTimesView::TokenTimesView(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , firstToken_(new LatencyHistogram(context))
    , betweenTokens_(new LatencyHistogram(context))
{
    const QString empty = tr("No streamed answers");
    const auto about = [](measure::Metric metric) {
        return loadwords::formulaOf(metric) + QLatin1Char('\n') +
               tr("Each bar counts the answers of one span of time; the axis is logarithmic. Half of the answers are "
                  "within p50, 95 of 100 within p95. Arrow keys read a bar, T shows all of them as a table.");
    };
    firstToken_->setSubject({tr("Time to first token"), about(measure::Metric::Ttft), empty, &Tokens::p95});
    betweenTokens_->setSubject({tr("Between tokens"), about(measure::Metric::Tpot), empty, &Tokens::p99});
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 4);
    row->setSpacing(8);
    row->addWidget(titled(tr("Time to first token"), tr("streamed answers"), measure::Metric::Ttft, firstToken_), 1);
    row->addWidget(titled(tr("Between tokens"), tr("mean gap of each answer"), measure::Metric::Tpot, betweenTokens_),
                   1);
    for (LatencyHistogram* chart : {firstToken_, betweenTokens_})
        chart->setFixedHeight(kChartHigh);
    setRun({});
}

void TokenTimesView::setRun(const load::RunProgress& run)
{
    firstToken_->setSnapshot(asSnapshot(run.firstToken));
    betweenTokens_->setSnapshot(asSnapshot(run.betweenTokens));
}

ResultPages::ResultPages(ThemeContext& context, QWidget* result, QWidget* parent)
    : QStackedWidget(parent)
    , choice_(new Segments({tr("Result"), tr("Token times")}, tr("What stands below the timeline"), true, this))
    , tokenTimes_(new TokenTimesView(context))
{
    choice_->hide(); // until it has its place
    addWidget(result);
    addWidget(tokenTimes_);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    connect(choice_, &Segments::selected, this, [this](int page) {
        isChosen_ = isChosen_ || !isShowing_;
        setCurrentIndex(page);
        updateGeometry();
    });
}

QWidget* ResultPages::choice() const
{
    choice_->show();
    return choice_;
}

void ResultPages::setRun(const load::RunProgressPtr& run)
{
    if (run == run_ && run)
        return;
    run_ = run;
    static const load::RunProgress nothing;
    tokenTimes_->setRun(run ? *run : nothing);
    if (isChosen_)
        return;
    const bool isStreaming = run && loadwords::isActive(run->state) && run->firstToken.answers > 0;
    show(isStreaming && run->objectives.empty() ? TokenPage : ResultPage);
}

void ResultPages::show(int page)
{
    isShowing_ = true;
    choice_->setCurrent(page);
    isShowing_ = false;
}

} // namespace sg::ui
