// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/load/series/series_choice.h"

#include "ui/widgets/segments.h"

#include <QLabel>
#include <QVBoxLayout>

namespace sg::ui {

SeriesChoice::SeriesChoice(QWidget* parent)
    : QWidget(parent)
    , what_(new Segments({tr("Once"), tr("Each strategy"), tr("Each endpoint")}, tr("Run")))
    , words_(new QLabel)
    , problem_(new QLabel)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 4, 12, 4);
    column->setSpacing(4);
    auto* title = new QLabel(tr("Run"));
    title->setProperty("role", QStringLiteral("caption"));
    what_->setFixedHeight(26);
    what_->setToolTip(tr("Each strategy: one run for each of six ways to retry, on the chain as it is otherwise.\n"
                         "Each endpoint: one run straight to each endpoint, with the same prompts and seed.\n"
                         "The runs come one after another, each with fresh breakers, limits and caches."));
    words_->setProperty("role", QStringLiteral("caption"));
    problem_->setProperty("role", QStringLiteral("error"));
    for (QLabel* label : {words_, problem_}) {
        label->setWordWrap(true);
        label->hide();
    }
    column->addWidget(title);
    column->addWidget(what_);
    column->addWidget(words_);
    column->addWidget(problem_);
    connect(what_, &Segments::selected, this, &SeriesChoice::changed);
}

RunSwitch::Mode SeriesChoice::mode() const
{
    return static_cast<RunSwitch::Mode>(what_->current());
}

void SeriesChoice::setMode(RunSwitch::Mode mode)
{
    what_->setCurrent(int(mode));
}

void SeriesChoice::setWords(int runs, const QString& problem)
{
    const bool isSeries = mode() != RunSwitch::Mode::Once;
    words_->setText(
        tr("%n runs, one after another; the cost below is that of all, a budget is for each.", nullptr, runs));
    words_->setVisible(isSeries && problem.isEmpty());
    problem_->setText(problem);
    problem_->setVisible(isSeries && !problem.isEmpty());
}

QString SeriesChoice::words() const
{
    return !problem_->isHidden() ? problem_->text() : words_->isHidden() ? QString() : words_->text();
}

} // namespace sg::ui
