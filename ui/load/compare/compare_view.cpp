// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/compare/compare_view.h"

#include "ui/format/format.h"
#include "ui/load/compare/breaker_lanes.h"
#include "ui/load/compare/change_table.h"
#include "ui/load/compare/compare_words.h"
#include "ui/load/compare/curves_plot.h"
#include "ui/load/compare/run_card.h"
#include "ui/load/load_words.h"
#include "ui/load/run_axes.h"
#include "ui/load/strip/strip_lane.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/segments.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

#include <cmath>
#include <limits>

namespace sg::ui {

namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
constexpr double kRarest = 4; ///< 99.99 %: ten thousandth

QString msWords(double ms)
{
    return format::latency(ms).text();
}

/// Each step right is ten times rarer: the tail gets as much room as the bulk.
double rarity(double share)
{
    return -std::log10(std::max(std::pow(10, -kRarest), 1 - share));
}

QString shareWords(double x)
{
    const double percent = (1 - std::pow(10, -x)) * 100;
    const int decimals = percent < 99 ? 1 : percent < 99.9 ? 2 : 3;
    QString text = format::number(percent, decimals);
    while (text.contains(QLocale().decimalPoint()) && (text.endsWith(QLatin1Char('0'))))
        text.chop(1);
    if (text.endsWith(QLocale().decimalPoint()))
        text.chop(1);
    return CompareView::tr("%1\u202F%").arg(text);
}

enum What { P50, P95, P99, Throughput, Errors };

double valueOf(const ComparedMoment& moment, int what)
{
    switch (what) {
    case P50:
        return moment.p50Ms.value_or(kGap);
    case P95:
        return moment.p95Ms.value_or(kGap);
    case P99:
        return moment.p99Ms.value_or(kGap);
    case Throughput:
        return moment.perSecond;
    default:
        return moment.failShare.value_or(kGap);
    }
}

QLabel* textLabel()
{
    auto* label = new QLabel;
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    label->setContentsMargins(12, 0, 12, 8);
    return label;
}

QScrollArea* scrolled(QWidget* content)
{
    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(content);
    return area;
}

} // namespace

CompareView::CompareView(ThemeContext& context, QWidget* parent)
    : QWidget(parent)
    , context_(context)
{
    setAccessibleName(tr("Comparison of runs"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(10);
    percentiles_ = new CurvesPlot(context);
    overTime_ = new CurvesPlot(context);
    percentilePanel_ = new Panel(context, tr("Latency by percentile"));
    percentilePanel_->setBody(percentiles_);
    what_ = new Segments(
        {QStringLiteral("p50"), QStringLiteral("p95"), QStringLiteral("p99"), tr("Throughput"), tr("Errors")},
        tr("What is shown over time"), true);
    what_->setCurrent(P95);
    timePanel_ = new Panel(context, tr("Over time, aligned"));
    timePanel_->setSubtitle(tr("all runs from their own start"));
    timePanel_->setCorner(what_);
    timePanel_->setBody(overTime_);
    grid->addWidget(makeTop(), 0, 0, 1, 2);
    grid->addWidget(percentilePanel_, 1, 0);
    grid->addWidget(timePanel_, 2, 0);
    notes_ = textLabel();
    auto* notePanel = new Panel(context, tr("Notes"));
    notePanel->setBody(scrolled(notes_));
    notePanel->setMaximumHeight(96);
    grid->addWidget(notePanel, 3, 0);
    grid->addWidget(makeRight(), 1, 1, 3, 1);
    grid->setColumnStretch(0, 57);
    grid->setColumnStretch(1, 43);
    grid->setRowStretch(1, 56);
    grid->setRowStretch(2, 44);
    connect(what_, &Segments::selected, this, &CompareView::showOverTime);
    connect(&context, &ThemeContext::changed, this, &CompareView::showWords);
}

QWidget* CompareView::makeTop()
{
    auto* top = new QWidget;
    auto* row = new QHBoxLayout(top);
    row->setContentsMargins(4, 4, 4, 4); // the focus ring reaches over its button
    row->setSpacing(8);
    auto* back = new QPushButton(tr("Back"));
    back->setAccessibleName(tr("Back to the runs"));
    row->addWidget(back);
    cardRow_ = new QHBoxLayout;
    cardRow_->setSpacing(8);
    row->addLayout(cardRow_, 1);
    baseline_ = new QPushButton;
    row->addWidget(baseline_);
    auto* report = new QPushButton(tr("Export report…"));
    report->setProperty("role", QStringLiteral("primary"));
    row->addWidget(report);
    cardGroup_ = new QButtonGroup(this);
    connect(cardGroup_, &QButtonGroup::idClicked, this,
            [this](int run) { showChangeOf(static_cast<std::size_t>(run)); });
    connect(back, &QPushButton::clicked, this, &CompareView::backWanted);
    connect(report, &QPushButton::clicked, this, &CompareView::exportWanted);
    connect(baseline_, &QPushButton::clicked, this, [this] {
        if (shown_ < comparison_.runs.size())
            Q_EMIT baselineWanted(comparison_.runs[shown_].id, !comparison_.runs[shown_].isBaseline);
    });
    return top;
}

QWidget* CompareView::makeRight()
{
    auto* right = new QWidget;
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    changes_ = new ChangeTable(context_);
    changePanel_ = new Panel(context_, tr("What changed"));
    changePanel_->setSubtitle(tr("95\u202F% interval; \u201Cno clear change\u201D where it holds 0"));
    changePanel_->setBody(changes_);
    differences_ = textLabel();
    notes_ = textLabel();
    breakers_ = new BreakerLanes(context_);
    breakerPanel_ = new Panel(context_, tr("Breakers, aligned"));
    breakerPanel_->setBody(breakers_);
    breakerPanel_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* differencePanel = new Panel(context_, tr("What was different"));
    differencePanel->setBody(scrolled(differences_));
    column->addWidget(changePanel_, 60);
    column->addWidget(breakerPanel_);
    column->addWidget(differencePanel, 40);
    return right;
}

void CompareView::setComparison(Comparison comparison)
{
    comparison_ = std::move(comparison);
    const std::size_t count = comparison_.runs.size();
    // The newest says most, and the last one is it; unless that is the reference.
    shown_ = count == 0 ? 0 : count - 1;
    if (shown_ == comparison_.reference && count > 1)
        shown_ = count - 2;
    showCards();
    showPercentiles();
    showOverTime();
    breakers_->setRuns(comparison_.runs);
    breakerPanel_->setSubtitle(breakers_->summary());
    showChangeOf(shown_);
}

void CompareView::showCards()
{
    for (RunCard* card : cards_) {
        cardGroup_->removeButton(card);
        delete card;
    }
    cards_.clear();
    for (std::size_t i = 0; i < comparison_.runs.size(); ++i) {
        auto* card = new RunCard(context_, i);
        card->setRun(comparison_.runs[i], i == comparison_.reference);
        cardGroup_->addButton(card, static_cast<int>(i));
        cardRow_->addWidget(card);
        cards_.push_back(card);
    }
}

void CompareView::showChangeOf(std::size_t run)
{
    if (run >= comparison_.runs.size())
        return;
    shown_ = run;
    cards_[run]->setChecked(true);
    changes_->setComparison(comparison_, run);
    const bool isBaseline = comparison_.runs[run].isBaseline;
    baseline_->setText(isBaseline ? tr("Clear the baseline") : tr("Set %1 as baseline").arg(letterOf(run)));
    showWords();
}

void CompareView::showPercentiles()
{
    CurvesPlot::Content content;
    content.title = tr("Latency by percentile");
    for (std::size_t i = 0; i < comparison_.runs.size(); ++i) {
        CurvesPlot::Curve curve{
            QStringLiteral("%1  %2").arg(letterOf(i), comparison_.runs[i].title.section(QLatin1Char(','), 0, 0)), {}};
        for (const auto& [share, ms] : comparison_.runs[i].percentiles)
            curve.points.emplace_back(rarity(share), ms);
        content.curves.push_back(std::move(curve));
    }
    content.from = 0;
    content.to = kRarest;
    for (const double share : {0.0, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999})
        content.marks.emplace_back(rarity(share), share == 0 ? QStringLiteral("0") : shareWords(rarity(share)));
    content.foot = tr("share of requests answered at least this fast");
    content.xWords = [](double x) { return tr("at %1").arg(shareWords(x)); };
    content.yWords = msWords;
    content.yAxisWords = strip::axisLatency;
    content.shadesDifference = comparison_.runs.size() == 2;
    content.limits = limitsIn(comparison_.runs);
    content.reference = comparison_.reference;
    percentiles_->setContent(std::move(content));
    percentilePanel_->setSubtitle(comparison_.runs.size() == 2
                                      ? tr("each step right is ten times rarer; shaded: the difference")
                                      : tr("each step right is ten times rarer"));
}

void CompareView::showOverTime()
{
    const int what = what_->current();
    const char* titles[] = {QT_TR_NOOP("p50 over time"), QT_TR_NOOP("p95 over time"), QT_TR_NOOP("p99 over time"),
                            QT_TR_NOOP("Throughput over time"), QT_TR_NOOP("Errors over time")};
    CurvesPlot::Content content;
    content.title = tr(titles[what]);
    content.to = 1;
    for (std::size_t i = 0; i < comparison_.runs.size(); ++i) {
        CurvesPlot::Curve curve{
            QStringLiteral("%1  %2").arg(letterOf(i), comparison_.runs[i].title.section(QLatin1Char(','), 0, 0)), {}};
        for (const ComparedMoment& moment : comparison_.runs[i].moments) {
            curve.points.emplace_back(moment.second, valueOf(moment, what));
            content.to = std::max(content.to, moment.second);
        }
        content.curves.push_back(std::move(curve));
    }
    const double step = runaxes::timeStep(content.to, 6);
    for (double second = 0; second <= content.to * 1.0001; second += step)
        content.marks.emplace_back(second, loadwords::span(second));
    content.xWords = [](double x) { return tr("at %1").arg(loadwords::span(x)); };
    content.isLog = what <= P99;
    if (what == Throughput) {
        content.yWords = [](double value) { return format::rate(value) + QStringLiteral("\u202F/s"); };
        content.yAxisWords = content.yWords;
    } else if (what == Errors) {
        content.yWords = [](double value) { return format::failure(value); };
        content.yAxisWords = content.yWords;
    } else {
        content.yWords = msWords;
        content.yAxisWords = strip::axisLatency;
    }
    if (what != Errors)
        content.reference = comparison_.reference;
    overTime_->setContent(std::move(content));
}

void CompareView::showWords()
{
    differences_->setText(differenceHtml(comparison_, context_.theme()));
    notes_->setText(noteHtml(comparison_, context_.theme()));
}

} // namespace sg::ui
