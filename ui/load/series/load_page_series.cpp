// SPDX-License-Identifier: GPL-3.0-or-later
// Series on the load page.
#include "ui/load/history/runs_desk.h"
#include "ui/load/load_page.h"
#include "ui/load/series/run_switch.h"
#include "ui/load/series/series_choice.h"
#include "ui/load/series/series_view.h"
#include "ui/widgets/banner.h"

#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>

namespace sg::ui {

LoadPage::~LoadPage()
{
    keepWhatEnded();
}

void LoadPage::keepWhatEnded()
{
    keepInHistory();
    if (series_)
        series_->poll();
}

void LoadPage::offerSeries(load::SeriesControl& series)
{
    switch_->offer(series);
    series_ = new SeriesView(context_, series);
    views_->addWidget(series_);
    choice_->show();
    openSeries_->show();
    const auto refresh = [this] {
        switch_->setMode(choice_->mode());
        const load::LoadPlan plan = form_->plan();
        choice_->setWords(switch_->runsOf(plan), switch_->problemOf(plan));
        onFormChanged();
    };
    connect(choice_, &SeriesChoice::changed, this, refresh);
    connect(form_, &PlanForm::changed, this, refresh);
    connect(openSeries_, &QPushButton::clicked, this, &LoadPage::showSeries);
    switch_->started = [this] { showSeries(); };
    const auto showLive = [this] {
        switch_->open(nullptr);
        poll();
        views_->setCurrentIndex(0);
        header_->button()->setFocus(Qt::OtherFocusReason);
    };
    connect(series_, &SeriesView::backWanted, this, showLive);
    connect(series_, &SeriesView::liveWanted, this, showLive);
    connect(series_, &SeriesView::activeChanged, choice_, &QWidget::setDisabled);
    connect(series_, &SeriesView::said, this,
            [this](const QString& words) { banner_->say(words, {}, Banner::Tone::Notice); });
    connect(series_, &SeriesView::runWanted, this, [this](const load::SeriesRunPtr& run) {
        switch_->open(run->last);
        poll();
        views_->setCurrentIndex(0);
        openSeries_->setFocus(Qt::OtherFocusReason);
    });
    connect(series_, &SeriesView::runEnded, this, [this](const load::SeriesRunPtr& run) {
        if (desk_)
            desk_->keep(run->record, run->lock);
    });
    refresh();
}

void LoadPage::showSeries()
{
    if (!series_)
        return;
    series_->poll();
    views_->setCurrentWidget(series_);
    series_->table()->setFocus(Qt::OtherFocusReason);
}

} // namespace sg::ui
