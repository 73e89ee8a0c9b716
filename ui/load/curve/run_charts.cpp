// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/curve/run_charts.h"

#include "ui/load/curve/rate_plot.h"
#include "ui/load/load_words.h"
#include "ui/widgets/segments.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace sg::ui {

RunCharts::RunCharts(ThemeContext& context, QWidget* overTime, QWidget* parent)
    : QStackedWidget(parent)
    , context_(context)
    , choice_(new Segments({tr("Over time"), tr("Against rate")}, tr("What the chart shows"), true, this))
{
    choice_->hide(); // until it has its place
    addWidget(overTime);
    addWidget(makeRates());
    connect(choice_, &Segments::selected, this, [this](int index) {
        setCurrentIndex(index);
        Q_EMIT choiceChanged();
    });
    showWords();
}

QWidget* RunCharts::makeRates()
{
    plot_ = new RatePlot(context_);
    knees_ = new QLabel;
    knees_->setWordWrap(true);
    knees_->setContentsMargins(14, 0, 14, 8);
    knees_->setProperty("role", QStringLiteral("secondary"));
    knees_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* chart = new QWidget;
    auto* column = new QVBoxLayout(chart);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(plot_, 1);
    column->addWidget(knees_);
    empty_ = new QLabel;
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    empty_->setProperty("role", QStringLiteral("secondary"));
    sweep_ = new QPushButton(tr("Plan a sweep"));
    sweep_->setAccessibleDescription(tr("Sets the form to a sweep; nothing is sent yet."));
    auto* nothing = new QWidget;
    auto* words = new QVBoxLayout(nothing);
    words->setContentsMargins(40, 0, 40, 0);
    words->setSpacing(12);
    words->addStretch(2);
    words->addWidget(empty_);
    words->addWidget(sweep_, 0, Qt::AlignHCenter);
    words->addStretch(3);
    pages_ = new QStackedWidget;
    pages_->addWidget(nothing);
    pages_->addWidget(chart);
    connect(sweep_, &QPushButton::clicked, this, &RunCharts::sweepWanted);
    return pages_;
}

QWidget* RunCharts::choice() const
{
    choice_->show();
    return choice_;
}

bool RunCharts::showsRates() const
{
    return choice_->current() == 1;
}

void RunCharts::showRates(bool shows)
{
    choice_->setCurrent(shows ? 1 : 0);
}

void RunCharts::setRun(const load::RunProgressPtr& run)
{
    if (run_ == run)
        return;
    run_ = run;
    plot_->setCurve(run_ ? run_->rates : load::RateCurve{});
    showWords();
}

void RunCharts::showWords()
{
    const bool isCurve = plot_->curve().isCurve();
    const bool isOn = run_ && loadwords::isActive(run_->state);
    pages_->setCurrentIndex(isCurve ? 1 : 0);
    knees_->setText(ratewords::knees(plot_->curve()));
    sweep_->setVisible(!isOn);
    if (isOn && load::stagesOf(run_->plan.model).size() > 1)
        return empty_->setText(tr("A step appears here when it is over and its answers have had their time."));
    QString words = tr("A sweep finds the knee: it raises the rate step by step until the target does not follow, and "
                       "shows latency against rate. Stages of different rates show it, too.");
    if (run_ && run_->state != load::RunState::Idle)
        words.prepend(tr("This run has no two rates to compare. "));
    empty_->setText(words);
}

} // namespace sg::ui
